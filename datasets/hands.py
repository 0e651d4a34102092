"""Hands and forearms, drawn as shaded limbs: holding a card, lying on it, reaching over the table.

Measures are those of a grown hand next to a card of 87 mm: a finger is about a fifth of the card's height thick,
the palm as wide as the card is high. Everything is painted straight into the picture; a byte mask says where.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from datasets.textures import Bgr, Image, colour, stretched

Points = npt.NDArray[np.floating]
_TONES = np.array(  # BGR of skin from pale to very dark
    [(190, 205, 240), (165, 185, 228), (130, 160, 215), (105, 140, 200), (80, 110, 170), (55, 80, 130), (40, 55, 90)]
)


@dataclass(frozen=True)
class Look:
    """How one person's hand looks: skin and sleeve (BGR), where the light comes from (unit x, y)."""

    skin: Bgr
    sleeve: Bgr
    light: tuple[float, float]
    bare: bool

    @classmethod
    def random(cls, rng: np.random.Generator) -> "Look":
        """Any skin tone, any cloth."""
        at = rng.uniform(0, len(_TONES) - 1)
        low = int(at)
        tone = _TONES[low] + (at - low) * (_TONES[min(low + 1, len(_TONES) - 1)] - _TONES[low])
        tone = tone * rng.uniform(0.7, 1.1) + rng.normal(0, 6, 3)
        angle = rng.uniform(0, 2 * np.pi)
        sleeve = colour(rng, value=(0.05, 0.95))
        skin = tone.clip(10, 255)
        return cls((skin[0], skin[1], skin[2]), sleeve, (np.cos(angle), np.sin(angle)), rng.random() < 0.4)


def limb(
    rng: np.random.Generator, picture: Image, mask: Image, line: Points, radii: Points, ink: Bgr, look: Look
) -> None:
    """Paints one round limb along `line` (k, 2) px with `radii` (k,) px, lit from one side; marks `mask` with 255."""
    reach = float(np.max(radii)) + 3
    low = np.floor(line.min(0) - reach).astype(int).clip(0)
    high = np.minimum(np.ceil(line.max(0) + reach).astype(int), [picture.shape[1], picture.shape[0]])
    if low[0] >= high[0] or low[1] >= high[1]:
        return
    where = (slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0])))
    shape = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
    _outline(shape, line - low, radii)
    shaded = _shaded(rng, shape, float(np.min(radii)), ink, look)
    alpha = cv2.merge([cv2.blur(shape, (3, 3))] * 3)
    below = cv2.multiply(picture[where], cv2.bitwise_not(alpha), scale=1 / 255)
    picture[where] = cv2.add(below, cv2.multiply(shaded, alpha, scale=1 / 255))
    mask[where] = cv2.max(mask[where], shape)


def _outline(shape: Image, line: Points, radii: Points) -> None:
    for point, radius in zip(line, radii, strict=True):
        centre = (round(float(point[0]) * 16), round(float(point[1]) * 16))
        cv2.circle(shape, centre, round(float(radius) * 16), 255, -1, cv2.LINE_AA, 4)
    for a, b, ra, rb in zip(line[:-1], line[1:], radii[:-1], radii[1:], strict=True):
        along = (b - a) / (np.linalg.norm(b - a) + 1e-6)
        side = np.array([-along[1], along[0]])
        piece = np.array([a + side * ra, b + side * rb, b - side * rb, a - side * ra])
        cv2.fillConvexPoly(shape, np.round(piece * 16).astype(np.int32), 255, cv2.LINE_AA, 4)


def _shaded(rng: np.random.Generator, shape: Image, radius: float, ink: Bgr, look: Look) -> Image:
    """Skin or cloth over the shape: darker to the rim and away from the light, a little blotchy."""
    step = 1 if radius < 8 else 2 if radius < 24 else 4
    small = shape if step == 1 else shape[::step, ::step]
    padded = cv2.copyMakeBorder(small, 1, 1, 1, 1, cv2.BORDER_REPLICATE)
    depth = cv2.distanceTransform((padded > 127).astype(np.uint8), cv2.DIST_L2, 3)[1:-1, 1:-1]
    depth = np.minimum(depth * (step / max(radius, 1)), 1.0)
    depth = np.asarray(cv2.blur(depth, (3, 3)), np.float32)
    slope_x = cv2.Sobel(depth, cv2.CV_32F, 1, 0, ksize=3)
    slope_y = cv2.Sobel(depth, cv2.CV_32F, 0, 1, ksize=3)
    side = (slope_x * look.light[0] + slope_y * look.light[1]) * (radius / step / 8)
    bright = 0.62 + 0.38 * np.sqrt(depth) + 0.22 * np.clip(side, -1, 1)
    rows, columns = depth.shape
    bright = bright * (0.93 + 0.14 * stretched(rng, rows, columns, 6, 6))
    # Shade of skin is redder than its light.
    tint = np.power(bright[:, :, None].astype(np.float32).clip(0.05, 2), np.array([1.25, 1.12, 0.85], np.float32))
    out: Image = (tint * np.asarray(ink, np.float32)).clip(0, 255).astype(np.uint8)
    if step > 1:
        out = np.asarray(cv2.resize(out, shape.shape[::-1], interpolation=cv2.INTER_LINEAR), np.uint8)
    return out


def finger(
    rng: np.random.Generator,
    picture: Image,
    mask: Image,
    root: Points,
    tip: Points,
    thick: float,
    look: Look,
    nail: bool = True,
) -> None:
    """One finger from root to tip (x, y px), `thick` px across, slightly bent, with creases and a nail."""
    along = tip - root
    length = float(np.linalg.norm(along)) + 1e-6
    unit = along / length
    side = np.array([-unit[1], unit[0]])
    bend = rng.normal(0, 0.07) * length
    line = np.array([root, root + along * 0.5 + side * bend, tip - unit * thick * 0.42])
    radii = np.array([0.56, 0.52, 0.43]) * thick
    limb(rng, picture, mask, line, radii, look.skin, look)
    if thick < 7:
        return
    dark = tuple(c * 0.72 for c in look.skin)
    for share in (0.45, 0.52):
        middle = root + along * share + side * bend
        ends = np.round([middle - side * thick * 0.3, middle + side * thick * 0.3]).astype(int)
        start, end = ((int(x), int(y)) for x, y in ends)
        cv2.line(picture, start, end, dark, max(1, int(thick / 20)), cv2.LINE_AA)
    if nail:
        _nail(rng, picture, tip - unit * thick * 0.42, unit, thick, look)


def _nail(rng: np.random.Generator, picture: Image, centre: Points, unit: Points, thick: float, look: Look) -> None:
    ink = np.asarray(look.skin) * 0.75 + np.array([55, 52, 72])
    if rng.random() < 0.15:
        ink = np.asarray(colour(rng, saturation=(0.4, 1), value=(0.3, 1)))
    axes = (max(1, int(thick * 0.3)), max(1, int(thick * 0.24)))
    angle = float(np.degrees(np.arctan2(unit[1], unit[0])))
    spot = (int(centre[0]), int(centre[1]))
    cv2.ellipse(picture, spot, axes, angle, 0, 360, tuple(ink.clip(0, 255)), -1, cv2.LINE_AA)


def forearm(
    rng: np.random.Generator, picture: Image, mask: Image, wrist: Points, away: Points, unit: float, look: Look
) -> None:
    """The arm from the wrist towards `away` (unit vector) beyond the picture; `unit` is a card's height in px."""
    end = wrist + away * (2.0 * unit + max(picture.shape[:2]))
    limb(rng, picture, mask, np.array([wrist, end]), np.array([0.3, 0.42]) * unit, look.skin, look)
    if not look.bare:
        start = wrist + away * unit * rng.uniform(0.05, 0.9)
        limb(rng, picture, mask, np.array([start, end]), np.array([0.4, 0.55]) * unit, look.sleeve, look)


def grip_behind(
    rng: np.random.Generator, picture: Image, mask: Image, centre: Points, unit: float, away: Points, look: Look
) -> None:
    """What is seen of a holding hand behind the card: arm, palm, fingers that stick out on the far side."""
    side = np.array([-away[1], away[0]]) * rng.choice([-1, 1])
    palm = centre + away * unit * rng.uniform(0.25, 0.8) - side * unit * rng.uniform(0, 0.25)
    wrist = palm + away * unit * rng.uniform(0.45, 0.7)
    forearm(rng, picture, mask, wrist, away, unit, look)
    limb(rng, picture, mask, np.array([wrist, palm]), np.array([0.3, 0.42]) * unit, look.skin, look)
    thick = unit * rng.uniform(0.16, 0.22)
    spread, lean = rng.uniform(0.15, 0.6), rng.normal(0, 0.5)
    reach = rng.uniform(0.5, 1.3)
    for i in range(int(rng.integers(2, 5))):
        turn = lean + spread * (i - 1.5) * 0.6
        way = -away * np.cos(turn) + side * np.sin(turn)
        root = palm + side * unit * 0.2 * (i - 1.5)
        tip = root + way * unit * reach * rng.uniform(0.85, 1.1)
        finger(rng, picture, mask, root, tip, thick, look, nail=rng.random() < 0.3)


def grip_front(
    rng: np.random.Generator, picture: Image, mask: Image, edge: Points, inward: Points, unit: float, look: Look
) -> None:
    """The thumb over the card's edge with its ball behind; `edge` is where it crosses, `inward` points in."""
    thick = unit * rng.uniform(0.17, 0.25)
    skew = np.array([-inward[1], inward[0]]) * rng.normal(0, 0.5)
    way = (inward + skew) / np.linalg.norm(inward + skew)
    root, wrist = edge - way * unit * 0.45, edge - inward * unit * rng.uniform(0.9, 1.3)
    limb(rng, picture, mask, np.array([wrist, root]), np.array([0.3 * unit, 0.62 * thick]), look.skin, look)
    finger(rng, picture, mask, root, edge + way * unit * rng.uniform(0.08, 0.38), thick, look)


def tip_over(
    rng: np.random.Generator, picture: Image, mask: Image, edge: Points, inward: Points, unit: float, look: Look
) -> None:
    """The last joint of a finger that comes round the card's edge from behind."""
    thick = unit * rng.uniform(0.15, 0.21)
    root = edge - inward * thick * 0.3
    finger(rng, picture, mask, root, edge + inward * unit * rng.uniform(0.1, 0.3), thick, look, rng.random() < 0.7)


def reaching(
    rng: np.random.Generator, picture: Image, mask: Image, target: Points, away: Points, unit: float, look: Look
) -> None:
    """A whole hand that comes in from `away` and ends at `target` with its fingertips; flat, pointing or a fist."""
    side = np.array([-away[1], away[0]])
    palm = target + away * unit * rng.uniform(0.7, 1.15)
    wrist = palm + away * unit * 0.55
    forearm(rng, picture, mask, wrist, away, unit, look)
    limb(rng, picture, mask, np.array([wrist, palm]), np.array([0.3, 0.4]) * unit, look.skin, look)
    thick = unit * rng.uniform(0.17, 0.21)
    pointing = rng.random() < 0.3
    fan = rng.uniform(0.02, 0.3)
    for i in range(4):
        length = (0.95, 1.1, 1.0, 0.8)[i] * (1.0 if not pointing or i == 0 else 0.5)
        root = palm + side * unit * 0.2 * (i - 1.5) - away * unit * 0.1
        way = -away + side * fan * (i - 1.5)
        finger(rng, picture, mask, root, root + way * unit * length * 0.9, thick, look)
    thumb = palm - side * unit * 0.3 + away * unit * 0.1
    way = -away * rng.uniform(0.5, 1.0) - side * rng.uniform(0.3, 0.9)
    finger(rng, picture, mask, thumb, thumb + way * unit * 0.55, thick * 1.1, look)


def hand(rng: np.random.Generator, height: int) -> Image:
    """A hand with its arm coming from below as a sprite; (height, height, 4) uint8 BGRA."""
    picture, mask = np.zeros((height, height, 3), np.uint8), np.zeros((height, height), np.uint8)
    away = np.array([rng.normal(0, 0.3), 1.0])
    away /= np.linalg.norm(away)
    target = np.array([rng.uniform(0.3, 0.7), rng.uniform(0.05, 0.3)]) * height
    reaching(rng, picture, mask, target, away, height * rng.uniform(0.3, 0.5), Look.random(rng))
    return np.dstack([picture, mask])
