"""Things made of many straight edges that a card finder takes for cards: keyboards, screens, windows, posters, rooms.

Each is `name(rng, height, width) -> (height, width, 3) uint8 BGR`, like the surfaces in `textures.py`.
"""

import cv2
import numpy as np

from datasets.textures import Bgr, Image, clouds, colour, fill, grain, grey, mix, noise, wall

FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_SCRIPT_SIMPLEX,
)
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-?"


def rounded(image: Image, corner: tuple[int, int], size: tuple[int, int], radius: int, ink: Bgr) -> None:
    """Fills a rectangle with rounded corners; corner (x, y) and size (w, h) in px."""
    (x, y), (w, h) = corner, size
    radius = max(0, min(radius, w // 2, h // 2))
    cv2.rectangle(image, (x + radius, y), (x + w - radius, y + h), ink, -1)
    cv2.rectangle(image, (x, y + radius), (x + w, y + h - radius), ink, -1)
    for cx in (x + radius, x + w - radius):
        for cy in (y + radius, y + h - radius):
            cv2.circle(image, (cx, cy), radius, ink, -1, cv2.LINE_AA)


def keyboard(rng: np.random.Generator, height: int, width: int) -> Image:
    """Rows of keys, dark on light or light on dark, with letters and sometimes a touchpad's plain half."""
    case = grey(rng, 0.05, 0.9)
    key = grey(rng, 0.03, 0.25) if rng.random() < 0.7 else grey(rng, 0.7, 1.0)
    ink = (225.0, 225.0, 225.0) if key[0] < 128 else (40.0, 40.0, 40.0)
    if rng.random() < 0.2:
        ink = colour(rng, saturation=(0.6, 1), value=(0.7, 1))
    image = fill(height, width, case)
    pitch, y = int(width * rng.uniform(0.06, 0.2)), int(rng.integers(-20, 10))
    last = height * (rng.uniform(0.4, 0.8) if rng.random() < 0.4 else 1.0)
    gap = max(1, int(pitch * rng.uniform(0.06, 0.25)))
    while y < last:
        _keys(rng, image, y, pitch, gap, (key, ink))
        y += int(pitch * 0.95)
    if last < height:
        pad = (int(width * rng.uniform(0.2, 0.4)), int(last + pitch * 0.4))
        tint = tuple(c * 0.9 for c in case)
        rounded(image, pad, (int(width * 0.45), height), 6, (tint[0], tint[1], tint[2]))
    return image


def _keys(rng: np.random.Generator, image: Image, y: int, pitch: int, gap: int, inks: tuple[Bgr, Bgr]) -> None:
    x = -int(rng.integers(pitch))
    while x < image.shape[1]:
        wide = pitch if rng.random() < 0.85 else int(pitch * rng.uniform(1.3, 3))
        rounded(image, (x, y), (wide - gap, pitch - gap), pitch // 8, inks[0])
        if pitch > 14:
            letter = LETTERS[int(rng.integers(len(LETTERS)))]
            spot = (x + pitch // 5, y + pitch // 2)
            cv2.putText(image, letter, spot, FONTS[0], pitch / 75, inks[1], 1, cv2.LINE_AA)
        x += wide


def screen(rng: np.random.Generator, height: int, width: int) -> Image:
    """A computer's screen: windows with lines of text or code, coloured panes, a bar, a dark bezel."""
    dark = rng.random() < 0.55
    ground = grey(rng, 0.03, 0.2) if dark else grey(rng, 0.8, 1.0)
    image = fill(height, width, ground)
    if rng.random() < 0.5:
        image = mix(noise(rng, height, width, 2, 2), colour(rng), colour(rng))
    for _ in range(int(rng.integers(1, 4))):
        x, y = int(rng.uniform(-20, width * 0.6)), int(rng.uniform(-20, height * 0.6))
        w, h = int(width * rng.uniform(0.3, 1)), int(height * rng.uniform(0.3, 1))
        pane = ground if rng.random() < 0.7 else colour(rng, value=(0.1, 1))
        cv2.rectangle(image, (x, y), (x + w, y + h), pane, -1)
        cv2.rectangle(image, (x, y), (x + w, y + max(3, h // 14)), colour(rng), -1)
        _lines(rng, image, (x + 4, y + h // 10), (w - 8, h - h // 8))
    if rng.random() < 0.5:
        edge, thick = grey(rng, 0.02, 0.2), int(rng.integers(6, 40))
        where = int(rng.integers(-width // 3, width // 3)), int(rng.integers(-height // 3, height // 3))
        cv2.rectangle(image, where, (where[0] + width, where[1] + height), edge, thick)
    return image


def _lines(rng: np.random.Generator, image: Image, corner: tuple[int, int], size: tuple[int, int]) -> None:
    """Lines of make-believe text: short strokes in a few inks."""
    step = int(rng.integers(4, 14))
    inks = [colour(rng, saturation=(0, 0.7), value=(0.3, 1)) for _ in range(3)]
    for y in range(corner[1], corner[1] + size[1], step):
        x = corner[0] + int(rng.integers(0, 5)) * step
        for _ in range(int(rng.integers(0, 5))):
            end = x + int(rng.integers(step, step * 7))
            if end > corner[0] + size[0]:
                break
            cv2.line(image, (x, y), (end, y), inks[int(rng.integers(3))], max(1, step // 3))
            x = end + step


def laptop(rng: np.random.Generator, height: int, width: int) -> Image:
    """An open laptop from above: screen, hinge, keys, palm rest with its touchpad."""
    image = fill(height, width, grey(rng, 0.05, 0.85))
    top, bottom = int(height * rng.uniform(0.1, 0.5)), int(height * rng.uniform(0.6, 0.95))
    image[:top] = screen(rng, top, width)
    hinge = max(2, height // 30)
    image[top : top + hinge] = np.asarray(grey(rng, 0.02, 0.3)).astype(np.uint8)
    margin = int(width * rng.uniform(0, 0.12))
    keys = keyboard(rng, bottom - top - 2 * hinge, width - 2 * margin)
    image[top + 2 * hinge : bottom, margin : width - margin] = keys
    pad = (int(width * rng.uniform(0.2, 0.45)), bottom + height // 25)
    tint = tuple(c * rng.uniform(0.8, 1.1) for c in image[-1, 0].astype(float))
    rounded(image, pad, (int(width * rng.uniform(0.25, 0.4)), height), 5, (tint[0], tint[1], tint[2]))
    return image


def ledge(rng: np.random.Generator, height: int, width: int) -> Image:
    """A window sill, a skirting, trunking, a shelf's front: pale bands with crisp edges and shadows."""
    image = wall(rng, height, width)
    y, pale = int(rng.integers(-40, height // 2 + 1)), rng.uniform(0.35, 1.0)
    while y < height:
        thick = int(height * rng.uniform(0.01, 0.3)) + 1
        ink = grey(rng, max(0.05, pale - 0.25), min(1.0, pale + 0.1))
        cv2.rectangle(image, (0, y), (width, y + thick), ink, -1)
        cv2.line(image, (0, y + thick), (width, y + thick), grey(rng, 0.05, 0.9), int(rng.integers(1, 5)))
        y += thick + int(height * rng.uniform(0, 0.3))
    return grain(rng, image, rng.uniform(0.5, 3))


def window(rng: np.random.Generator, height: int, width: int) -> Image:
    """A window with its frame, bright outside, or a door, a cupboard, a shelf seen from the front."""
    bright = rng.random() < 0.7
    image = clouds(rng, height, width) if rng.random() < 0.5 else wall(rng, height, width)
    if bright:
        image = np.asarray(cv2.addWeighted(image, 0.35, fill(height, width, (255, 250, 240)), 0.65, 0), np.uint8)
    frame, thick = grey(rng, 0.05, 1.0), int(rng.integers(4, 26))
    for _ in range(int(rng.integers(1, 4))):
        x, y = int(rng.integers(width)), int(rng.integers(height))
        cv2.line(image, (x, 0), (x, height), frame, thick)
        cv2.line(image, (0, y), (width, y), frame, thick)
    return image


def blinds(rng: np.random.Generator, height: int, width: int) -> Image:
    """Slats, radiators, grilles: parallel bars with light on one side."""
    pitch = rng.uniform(5, 40)
    phase = (np.arange(height, dtype=np.float32) / pitch) % 1.0
    amount = np.repeat((phase ** rng.uniform(0.3, 3))[:, None], width, 1)
    return mix(amount, grey(rng, 0.05, 0.6), colour(rng, (0, 1), (0, 0.3), (0.4, 1)))


def posters(rng: np.random.Generator, height: int, width: int) -> Image:
    """Book covers, magazines and posters: blocks of colour with ovals, big letters and lines of text."""
    image = wall(rng, height, width)
    for _ in range(int(rng.integers(1, 7))):
        w, h = int(width * rng.uniform(0.15, 0.8)), int(height * rng.uniform(0.15, 0.8))
        x, y = int(rng.integers(-w // 3, width)), int(rng.integers(-h // 3, height))
        cover(rng, image, (x, y), (w, h))
    return image


def cover(rng: np.random.Generator, image: Image, corner: tuple[int, int], size: tuple[int, int]) -> None:
    """Draws one printed sheet, deliberately near a card but none: no repeated corner marks, wrong shape."""
    (x, y), (w, h) = corner, size
    cv2.rectangle(image, (x, y), (x + w, y + h), colour(rng, value=(0.1, 1)), -1)
    middle = (x + w // 2 + int(rng.normal(0, w / 8 + 1)), y + h // 2 + int(rng.normal(0, h / 8 + 1)))
    if rng.random() < 0.4:
        axes = (int(w * rng.uniform(0.1, 0.45)) + 1, int(h * rng.uniform(0.05, 0.4)) + 1)
        cv2.ellipse(image, middle, axes, int(rng.integers(180)), 0, 360, colour(rng), -1, cv2.LINE_AA)
    if rng.random() < 0.6:
        word = "".join(LETTERS[int(i)] for i in rng.integers(len(LETTERS), size=int(rng.integers(1, 8))))
        font, scale = FONTS[int(rng.integers(len(FONTS)))], h / rng.uniform(40, 250)
        spot = (x + w // 10, y + int(h * rng.uniform(0.2, 0.9)))
        cv2.putText(image, word, spot, font, scale, colour(rng), max(1, int(scale * 3)), cv2.LINE_AA)
    if rng.random() < 0.5:
        _lines(rng, image, (x + w // 10, y + h // 2), (w * 8 // 10, h // 2))


def room(rng: np.random.Generator, height: int, width: int) -> Image:
    """A room out of focus: walls, furniture, lamps and people as large blurred shapes."""
    small_h, small_w = height // 3 + 1, width // 3 + 1
    image = wall(rng, small_h, small_w)
    floor = int(small_h * rng.uniform(0.4, 0.95))
    image[floor:] = (image[floor:] * rng.uniform(0.3, 0.9)).astype(np.uint8)
    for _ in range(int(rng.integers(4, 22))):
        ink = grey(rng, 0.02, 0.95) if rng.random() < 0.7 else colour(rng, value=(0.1, 1))
        w, h = (int(small_w * rng.uniform(0.03, 0.5)) + 1, int(small_h * rng.uniform(0.03, 0.5)) + 1)
        x, y = int(rng.integers(-w // 2, small_w)), int(rng.integers(-h // 2, small_h))
        if rng.random() < 0.75:
            cv2.rectangle(image, (x, y), (x + w, y + h), ink, -1)
        else:
            cv2.ellipse(image, (x, y), (w // 2 + 1, h // 2 + 1), 0, 0, 360, ink, -1)
    for _ in range(int(rng.integers(0, 4))):
        spot = (int(rng.integers(small_w)), int(rng.integers(small_h // 2 + 1)))
        cv2.circle(image, spot, int(rng.integers(1, 9)), (250, 252, 255), -1)
    blur = float(rng.uniform(0.4, 4))
    image = np.asarray(cv2.GaussianBlur(image, (0, 0), blur), np.uint8)
    return np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_CUBIC), np.uint8)


def boxes(rng: np.random.Generator, height: int, width: int) -> Image:
    """Coloured boxes, shelves and bricks in the cards' own red, blue, yellow and green."""
    image = wall(rng, height, width)
    for _ in range(int(rng.integers(2, 12))):
        hue = float(rng.choice([0.0, 0.14, 0.38, 0.6])) + rng.normal(0, 0.02)
        ink = colour(rng, (hue, hue), (0.6, 1), (0.4, 1))
        w, h = int(width * rng.uniform(0.1, 0.7)), int(height * rng.uniform(0.1, 0.7))
        x, y = int(rng.integers(-w // 2, width)), int(rng.integers(-h // 2, height))
        rounded(image, (x, y), (w, h), int(rng.integers(0, 12)), ink)
        if rng.random() < 0.4:
            axes = (w // 4 + 1, h // 5 + 1)
            cv2.ellipse(image, (x + w // 2, y + h // 2), axes, 0, 0, 360, colour(rng), -1, cv2.LINE_AA)
    return image


def people(rng: np.random.Generator, height: int, width: int) -> Image:
    """A person before the camera: pullover, neck and head as soft skin-coloured shapes."""
    image = room(rng, height, width)
    cloth, skin = colour(rng, value=(0.05, 0.9)), colour(rng, (0.02, 0.08), (0.25, 0.65), (0.25, 0.95))
    x, head = int(width * rng.uniform(0.1, 0.9)), int(height * rng.uniform(0.08, 0.28))
    y = int(height * rng.uniform(0.1, 0.6))
    shoulders = (int(head * 2.3), int(head * 1.7))
    cv2.ellipse(image, (x, y + int(head * 2.9)), shoulders, 0, 0, 360, cloth, -1, cv2.LINE_AA)
    cv2.rectangle(image, (x - head // 2, y), (x + head // 2, y + int(head * 1.5)), skin, -1)
    hair = colour(rng, (0, 0.12), (0, 0.7), (0.02, 0.5))
    cv2.ellipse(image, (x, y - head // 4), (int(head * 0.9), head), 0, 0, 360, hair, -1, cv2.LINE_AA)
    cv2.ellipse(image, (x, y), (int(head * 0.75), head), 0, 0, 360, skin, -1, cv2.LINE_AA)
    for side in (-1, 1):
        spot = (x + side * head // 3, y - head // 8)
        cv2.ellipse(image, spot, (head // 7 + 1, head // 12 + 1), 0, 0, 360, (40, 40, 50), -1, cv2.LINE_AA)
    cv2.ellipse(image, (x, y + head // 2), (head // 4 + 1, head // 12 + 1), 0, 0, 360, (70, 70, 130), -1)
    return grain(rng, np.asarray(cv2.blur(image, (5, 5)), np.uint8), 3)


def clutter(rng: np.random.Generator, image: Image) -> None:
    """Draws cables, mugs, bottles, telephones and pens into the image."""
    height, width = image.shape[:2]
    for _ in range(int(rng.integers(1, 4))):
        ink = grey(rng, 0.02, 0.25) if rng.random() < 0.6 else grey(rng, 0.7, 1.0)
        spot = (int(rng.integers(width)), int(rng.integers(height)))
        kind = int(rng.integers(4))
        if kind == 0:
            _cable(rng, image, ink)
        elif kind == 1:
            radius = int(width * rng.uniform(0.05, 0.2))
            cv2.circle(image, spot, radius, ink, -1, cv2.LINE_AA)
            cv2.circle(image, spot, int(radius * 0.8), colour(rng), -1, cv2.LINE_AA)
        elif kind == 2:
            size = (int(width * rng.uniform(0.1, 0.35)), int(height * rng.uniform(0.15, 0.6)))
            rounded(image, spot, size, size[0] // 5, ink)
            shine = (spot[0] + size[0] // 5, spot[1] + size[1] // 8)
            cv2.line(image, shine, (shine[0], spot[1] + size[1] // 2), (200, 200, 200), 1 + size[0] // 20)
        else:
            end = (int(rng.integers(width)), int(rng.integers(height)))
            cv2.line(image, spot, end, colour(rng), int(rng.integers(2, 10)), cv2.LINE_AA)


def _cable(rng: np.random.Generator, image: Image, ink: Bgr) -> None:
    size = np.array(image.shape[1::-1])
    ends = rng.uniform(-0.2, 1.2, (4, 2)) * size
    t = np.linspace(0, 1, 30)[:, None]
    curve = (1 - t) ** 3 * ends[0] + 3 * t * (1 - t) ** 2 * ends[1]
    curve = curve + 3 * t**2 * (1 - t) * ends[2] + t**3 * ends[3]
    cv2.polylines(image, [curve.astype(np.int32)], False, ink, int(rng.integers(2, 9)), cv2.LINE_AA)
