"""Surfaces that cards lie on: wood, stone, cloth, walls; every one drawn from a seed, none from a photograph.

Each surface is `name(rng, height, width) -> (height, width, 3) uint8 BGR`. These are flat patterns seen from
straight above; `backgrounds.py` turns, tilts, joins and lights them.
"""

import colorsys

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
Plane = npt.NDArray[np.float32]
Bgr = tuple[float, float, float]


def noise(rng: np.random.Generator, height: int, width: int, cells: int = 4, octaves: int = 3) -> Plane:
    """Value noise of `octaves` layers, the coarsest with `cells` cells a side; (height, width) float32, 0..1."""
    total = np.zeros((height, width), np.float32)
    weight, share = 0.0, 1.0
    for _ in range(octaves):
        total += share * stretched(rng, height, width, cells, cells)
        weight += share
        share *= 0.5
        cells *= 2
    return total / weight


def stretched(rng: np.random.Generator, height: int, width: int, rows: int, columns: int) -> Plane:
    """One layer of value noise with its own number of cells down and across; (height, width) float32, 0..1."""
    grid = rng.random((max(2, min(rows, height)), max(2, min(columns, width))), dtype=np.float32)
    return np.asarray(cv2.resize(grid, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)


def colour(
    rng: np.random.Generator,
    hue: tuple[float, float] = (0.0, 1.0),
    saturation: tuple[float, float] = (0.0, 1.0),
    value: tuple[float, float] = (0.1, 1.0),
) -> Bgr:
    """A colour from ranges of hue, saturation and value (0..1), muted ones more often; BGR 0..255."""
    strong = saturation[0] + (saturation[1] - saturation[0]) * rng.random() ** 1.6
    r, g, b = colorsys.hsv_to_rgb(rng.uniform(*hue) % 1.0, strong, rng.uniform(*value))
    return (255 * b, 255 * g, 255 * r)


def grey(rng: np.random.Generator, low: float, high: float) -> Bgr:
    """A nearly neutral colour with a brightness in low..high (0..1); BGR 0..255."""
    return colour(rng, (0, 1), (0, 0.08), (low, high))


def mix(amount: Plane, first: Bgr, second: Bgr) -> Image:
    """From `first` (amount 0) to `second` (amount 1); (H, W, 3) uint8."""
    steps = np.linspace(0, 1, 256)[:, None]
    table = (np.asarray(first) * (1 - steps) + np.asarray(second) * steps).clip(0, 255).astype(np.uint8)
    return table[(amount * 255).clip(0, 255).astype(np.uint8)]


def fill(height: int, width: int, bgr: Bgr) -> Image:
    """One colour all over; (height, width, 3) uint8."""
    return np.full((height, width, 3), np.asarray(bgr), np.float32).clip(0, 255).astype(np.uint8)


def grain(rng: np.random.Generator, image: Image, strength: float) -> Image:
    """The image with fine brightness noise of `strength` grey levels (the tooth of cloth, paper, plaster)."""
    height, width = image.shape[:2]
    fine = rng.integers(-128, 128, (height, width), np.int8).astype(np.float32) * (strength / 74)
    if rng.random() < 0.5:
        fine = np.asarray(cv2.GaussianBlur(fine, (3, 3), 0), np.float32) * 1.6
    return (image + fine[:, :, None]).clip(0, 255).astype(np.uint8)


def wood(rng: np.random.Generator, height: int, width: int) -> Image:
    """A wooden top: long grain, sometimes planks, from pale oak to dark walnut and grey laminate."""
    light = colour(rng, (0.05, 0.13), (0.08, 0.6), (0.35, 0.95))
    depth = rng.uniform(0.55, 0.92)
    dark = tuple(c * depth * rng.uniform(0.93, 1.03) for c in light)
    bend = stretched(rng, height, width, 3, 4) * rng.uniform(0, 0.8)
    lines = int(rng.integers(20, 160))
    long = stretched(rng, height, width, lines, int(rng.integers(2, 8)))
    fine = stretched(rng, height, width, height, int(rng.integers(6, 24)))
    rings = 0.5 + 0.5 * np.sin(np.linspace(0, rng.uniform(10, 60), height)[:, None] + 14 * bend)
    amount = 0.45 * long + 0.3 * fine + rng.uniform(0, 0.4) * rings.astype(np.float32)
    image = mix(amount, light, (dark[0], dark[1], dark[2]))
    return planks(rng, image) if rng.random() < 0.35 else image


def planks(rng: np.random.Generator, image: Image) -> Image:
    """The image cut into planks of slightly different brightness with dark joints."""
    height, width = image.shape[:2]
    out = image.copy()
    step = max(8, int(height * rng.uniform(0.08, 0.35)))
    for top in range(0, height, step):
        strip = out[top : top + step].astype(np.float32) * rng.uniform(0.85, 1.1)
        out[top : top + step] = np.roll(strip.clip(0, 255), int(rng.integers(width)), 1).astype(np.uint8)
        cv2.line(out, (0, top), (width, top), (20, 25, 30), int(rng.integers(1, 3)))
    return out


def marble(rng: np.random.Generator, height: int, width: int) -> Image:
    """Stone with veins."""
    base = grey(rng, 0.15, 0.95)
    depth = rng.uniform(0.4, 1.5)
    vein = tuple(c * depth * rng.uniform(0.92, 1.08) for c in base)
    cloud = noise(rng, height, width, 3, 4)
    ramp = np.linspace(0, rng.uniform(3, 20), width, dtype=np.float32)[None]
    lines = np.abs(np.sin(ramp + 9 * cloud)) ** rng.uniform(0.2, 0.8)
    return mix(1 - lines.astype(np.float32), base, (vein[0], vein[1], vein[2]))


def speckles(rng: np.random.Generator, height: int, width: int) -> Image:
    """A counter top of one colour with dark and light specks."""
    image = fill(height, width, colour(rng, (0, 1), (0, 0.25), (0.3, 0.95)))
    specks = rng.random((height // 2 + 1, width // 2 + 1), dtype=np.float32)
    specks = np.asarray(cv2.resize(specks, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)
    share = rng.uniform(0.02, 0.15)
    image[specks < share] = grey(rng, 0.1, 0.6)
    image[specks > 1 - share / 2] = grey(rng, 0.6, 1.0)
    return grain(rng, image, rng.uniform(1, 6))


def felt(rng: np.random.Generator, height: int, width: int) -> Image:
    """Felt or a pullover: one colour, soft and fluffy; greens, blues, reds and greys."""
    base = colour(rng, (0, 1), (0.1, 0.9), (0.1, 0.8))
    lit = tuple(c * 1.25 + 8 for c in base)
    image = mix(noise(rng, height, width, 4, 3), base, (lit[0], lit[1], lit[2]))
    return grain(rng, image, rng.uniform(3, 18))


def wall(rng: np.random.Generator, height: int, width: int) -> Image:
    """A plain wall, desk or sheet: one colour that falls off to one side."""
    saturated = rng.random() < 0.35
    base = colour(rng, (0, 1), (0.2, 1.0), (0.2, 0.95)) if saturated else grey(rng, 0.1, 1.0)
    fall = rng.uniform(0.5, 1.0)
    other = tuple(c * fall for c in base)
    x = np.linspace(0, 1, width, dtype=np.float32)[None]
    y = np.linspace(0, 1, height, dtype=np.float32)[:, None]
    turn = rng.uniform(0, 1)
    amount = turn * x + (1 - turn) * y + rng.uniform(0, 0.2) * noise(rng, height, width, 3, 2)
    image = mix(amount.astype(np.float32), base, (other[0], other[1], other[2]))
    if rng.random() < 0.5:
        image = image[:, ::-1]
    return grain(rng, image, rng.uniform(0.5, 4)) if rng.random() < 0.6 else np.ascontiguousarray(image)


def clouds(rng: np.random.Generator, height: int, width: int) -> Image:
    """Coloured clouds of many scales: stands for anything out of focus."""
    low = [noise(rng, height // 2 + 1, width // 2 + 1, int(rng.integers(2, 9)), 4) for _ in range(3)]
    contrast = rng.uniform(0.8, 2.2)
    if rng.random() < 0.5:
        shared = noise(rng, height // 2 + 1, width // 2 + 1, 4, 4)
        low = [0.7 * shared + 0.3 * one for one in low]
    base, span = rng.uniform(0.2, 0.7), rng.uniform(60, 255)
    image = ((np.dstack(low) - 0.5) * contrast * span + 255 * base).clip(0, 255).astype(np.uint8)
    return np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)


def weave(rng: np.random.Generator, height: int, width: int) -> Image:
    """Woven cloth: threads across and down, stripes or a check now and then."""
    first, second = colour(rng, value=(0.15, 0.95)), colour(rng, value=(0.15, 0.95))
    y, x = (np.arange(n, dtype=np.float32) for n in (height, width))
    pitch = rng.uniform(2.2, 9)
    threads = 0.25 * (np.sin(y * (6.28 / pitch))[:, None] * np.sin(x * (6.28 / pitch))[None] + 1)
    if rng.random() < 0.5:
        wide = rng.uniform(10, 70, 2)
        check = (np.sin(y * (6.28 / wide[0])) > 0)[:, None] * rng.uniform(0, 0.3)
        threads = threads + check + ((np.sin(x * (6.28 / wide[1])) > rng.uniform(-0.5, 0.7))[None]) * 0.25
    amount = threads + 0.2 * noise(rng, height, width, 4, 2)
    return grain(rng, mix(amount.astype(np.float32), first, second), rng.uniform(1, 10))


def ornament(rng: np.random.Generator, height: int, width: int) -> Image:
    """A printed or knotted pattern of flowers, rings and leaves that repeats, mirrored four ways."""
    side = int(rng.integers(16, 90))
    quarter = fill(side, side, colour(rng, value=(0.2, 1.0)))
    palette = [colour(rng, value=(0.1, 1.0)) for _ in range(3)]
    for _ in range(int(rng.integers(2, 9))):
        centre = (int(rng.integers(side)), int(rng.integers(side)))
        axes = (int(rng.integers(1, side // 2 + 2)), int(rng.integers(1, side // 3 + 2)))
        thick = -1 if rng.random() < 0.55 else int(rng.integers(1, 4))
        ink = palette[int(rng.integers(3))]
        cv2.ellipse(quarter, centre, axes, int(rng.integers(180)), 0, 360, ink, thick, cv2.LINE_AA)
    half = np.hstack([quarter, quarter[:, ::-1]])
    tile = np.vstack([half, half[::-1]])
    times = (height // tile.shape[0] + 1, width // tile.shape[1] + 1, 1)
    return grain(rng, np.ascontiguousarray(np.tile(tile, times)[:height, :width]), rng.uniform(1, 12))


def tiles(rng: np.random.Generator, height: int, width: int) -> Image:
    """Square or oblong tiles with joints, each a little different; also grids, racks and squared paper."""
    base = colour(rng, (0, 1), (0, 0.5), (0.2, 1.0))
    step = (int(rng.integers(10, 120)), int(rng.integers(10, 120)))
    rows, columns = height // step[0] + 2, width // step[1] + 2
    shades = rng.uniform(1 - rng.uniform(0, 0.5), 1, (rows, columns, 1)).astype(np.float32)
    small = (shades * np.asarray(base, np.float32)).clip(0, 255).astype(np.uint8)
    image = np.repeat(np.repeat(small, step[0], 0), step[1], 1)[:height, :width].copy()
    joint, thick = grey(rng, 0.05, 1.0), int(rng.integers(1, 5))
    for y in range(0, height, step[0]):
        cv2.line(image, (0, y), (width, y), joint, thick)
    for x in range(0, width, step[1]):
        cv2.line(image, (x, 0), (x, height), joint, thick)
    return image
