"""What stands behind the cards: one surface or several, turned, tilted, joined, cluttered and lit.

`background(rng, height, width)` is the only thing scenes need; the families and their weights are in `FAMILIES`.
Everything is drawn from the generator, nothing is read from disk.
"""

from collections.abc import Callable

import cv2
import numpy as np

from datasets import interiors, textures
from datasets.textures import Image

Family = Callable[[np.random.Generator, int, int], Image]

FAMILIES: dict[Family, float] = {
    textures.wood: 5.0,
    textures.marble: 1.0,
    textures.speckles: 1.0,
    textures.felt: 2.0,
    textures.wall: 5.0,
    textures.clouds: 2.0,
    textures.weave: 2.0,
    textures.ornament: 3.0,
    textures.tiles: 1.5,
    interiors.keyboard: 2.5,
    interiors.laptop: 2.5,
    interiors.ledge: 2.0,
    interiors.screen: 3.0,
    interiors.window: 1.2,
    interiors.blinds: 0.8,
    interiors.posters: 2.0,
    interiors.room: 4.0,
    interiors.boxes: 1.2,
    interiors.people: 1.0,
}
FAR = 0.25
"""Share of the surfaces that are seen from afar: a patterned cloth under small cards."""
_NAMES = tuple(FAMILIES)
_SHARES = np.array(list(FAMILIES.values())) / sum(FAMILIES.values())


def background(rng: np.random.Generator, height: int, width: int) -> Image:
    """A picture without cards; (height, width, 3) uint8 BGR."""
    image = _plain(rng, height, width)
    for _ in range(int(rng.choice([0, 1, 2], p=[0.55, 0.33, 0.12]))):
        image = joined(rng, image, _plain(rng, height, width))
    if rng.random() < 0.35:
        interiors.clutter(rng, image)
    if rng.random() < 0.25:
        image = _soft(rng, image)
    if rng.random() < 0.6:
        image = lit(rng, image)
    if rng.random() < 0.08:
        image = dim(rng, image)
    return image


def surface(rng: np.random.Generator, height: int, width: int) -> Image:
    """One family, as seen from straight above; (height, width, 3) uint8 BGR."""
    family = _NAMES[int(rng.choice(len(_NAMES), p=_SHARES))]
    return family(rng, height, width)


def _plain(rng: np.random.Generator, height: int, width: int) -> Image:
    image = (far if rng.random() < FAR else surface)(rng, height, width)
    return tilted(rng, image) if rng.random() < 0.7 else image


def far(rng: np.random.Generator, height: int, width: int) -> Image:
    """One family as a camera high above sees it, its pattern 1.5 to 4 times as fine; same shape."""
    times = rng.uniform(1.5, 4)
    image = surface(rng, int(height * times), int(width * times))
    return np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def tilted(rng: np.random.Generator, image: Image) -> Image:
    """The surface turned by any angle and seen aslant; same shape."""
    height, width = image.shape[:2]
    size = max(height, width)
    angle, zoom = rng.uniform(0, 2 * np.pi), rng.uniform(0.8, 1.9)
    if rng.random() < 0.4:
        angle = rng.normal(0, 0.12)
    c, s = zoom * np.cos(angle), zoom * np.sin(angle)
    lean = rng.normal(0, 0.25, 2) / size
    move = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1]])
    turn = np.array([[c, -s, 0], [s, c, 0], [lean[0], lean[1], 1]])
    matrix = np.linalg.inv(move) @ turn @ move
    warped = cv2.warpPerspective(image, matrix, (width, height), borderMode=cv2.BORDER_REFLECT_101)
    return np.asarray(warped, np.uint8)


def joined(rng: np.random.Generator, first: Image, second: Image) -> Image:
    """Two surfaces meeting at a straight edge (the table's rim, a wall behind it), with a shadow along it."""
    height, width = first.shape[:2]
    angle = rng.choice([0, np.pi / 2, np.pi, -np.pi / 2]) + rng.normal(0, 0.25)
    normal = np.array([np.cos(angle), np.sin(angle)], np.float32)
    x = np.arange(width, dtype=np.float32)[None] - width * rng.uniform(0.2, 0.8)
    y = np.arange(height, dtype=np.float32)[:, None] - height * rng.uniform(0.2, 0.8)
    distance = x * normal[0] + y * normal[1]
    out = np.where((distance > 0)[:, :, None], second, first)
    if rng.random() < 0.6:
        reach = rng.uniform(3, 25)
        dark = 1 - rng.uniform(0.2, 0.7) * np.exp(-np.abs(distance) / reach) * (distance > 0)
        out = (out * dark[:, :, None]).astype(np.uint8)
    return out


def lit(rng: np.random.Generator, image: Image) -> Image:
    """Uneven light over the whole surface."""
    height, width = image.shape[:2]
    light = textures.stretched(rng, height, width, 3, 3)
    low = rng.uniform(0.35, 0.9)
    return (image * (low + (1.1 - low) * light)[:, :, None]).clip(0, 255).astype(np.uint8)


def dim(rng: np.random.Generator, image: Image) -> Image:
    """All but dark, as behind a card that a lamp or a screen lights."""
    return np.asarray(cv2.convertScaleAbs(image, alpha=rng.uniform(0.06, 0.4)), np.uint8)


def _soft(rng: np.random.Generator, image: Image) -> Image:
    height, width = image.shape[:2]
    factor = int(rng.integers(2, 9))
    small = cv2.resize(image, (width // factor + 1, height // factor + 1), interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (5, 5), 0)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)
