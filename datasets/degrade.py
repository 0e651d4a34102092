"""What light and cameras do to a picture: shadows, glare, blur, noise, compression, casts, bad processing.

Each effect is `name(rng, image, strength) -> image` on (H, W, 3) uint8 BGR; `strength` 0..1 scales the worst it does.
None moves anything, so quads stay true.
"""

from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from datasets.textures import Image, noise, stretched
from datasets.warp import shade

Effect = Callable[[np.random.Generator, Image, float], Image]


def _bytes(image: npt.NDArray[np.floating]) -> Image:
    return image.clip(0, 255).astype(np.uint8)


def _table(curve: npt.NDArray[np.floating]) -> Image:
    return curve.clip(0, 255).astype(np.uint8)


def motion(rng: np.random.Generator, image: Image, strength: float) -> Image:
    """Blur along a line of up to a twentieth of the picture."""
    length = max(2, round(image.shape[1] * 0.045 * strength * rng.uniform(0.2, 1)))
    kernel = np.zeros((length, length), np.float32)
    angle = rng.uniform(0, np.pi)
    half = np.array([np.cos(angle), np.sin(angle)]) * (length - 1) / 2
    middle = (length - 1) / 2
    a, b = (tuple(int(v) for v in np.round(middle + s * half)) for s in (-1, 1))
    cv2.line(kernel, (a[0], a[1]), (b[0], b[1]), 1.0, 1)
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), np.uint8)


def defocus(rng: np.random.Generator, image: Image, strength: float) -> Image:
    """A soft lens."""
    sigma = image.shape[1] / 320 * rng.uniform(0.3, 0.5 + 2.2 * strength)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), sigma), np.uint8)


def resample(rng: np.random.Generator, image: Image, strength: float) -> Image:
    """Fewer pixels than the picture pretends: down and up again."""
    height, width = image.shape[:2]
    factor = 1 + rng.uniform(0.2, 2.0) * strength
    size = (max(8, int(width / factor)), max(8, int(height / factor)))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    back = cv2.INTER_LINEAR if rng.random() < 0.7 else cv2.INTER_NEAREST
    return np.asarray(cv2.resize(small, (width, height), interpolation=back), np.uint8)


def sensor(rng: np.random.Generator, image: Image, strength: float) -> Image:
    """Noise of brightness (fine) and of colour (blotchy)."""
    height, width = image.shape[:2]
    level = rng.uniform(1, 3 + 16 * strength)
    fine = rng.integers(-127, 128, (height, width, 1), np.int8).astype(np.float32) * (level / 74)
    coarse = rng.integers(-127, 128, (height // 2 + 1, width // 2 + 1, 3), np.int8).astype(np.float32)
    blotch = cv2.resize(coarse * (level * rng.uniform(0.2, 1) / 74), (width, height))
    return _bytes(image + fine + blotch)


def compression(rng: np.random.Generator, image: Image, strength: float) -> Image:
    """JPEG, down to quality 15."""
    quality = int(rng.uniform(85 - 70 * strength, 95))
    return np.asarray(
        cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR), np.uint8
    )


def exposure(rng: np.random.Generator, image: Image, strength: float) -> Image:
    """Gain, gamma and black level as one curve."""
    gain = np.exp(rng.normal(0.0, 0.28 * strength))
    gamma = np.exp(rng.normal(0.0, 0.35 * strength))
    lift = max(0.0, rng.normal(0, 18 * strength))
    curve = lift + (255 - lift) * gain * np.linspace(0, 1, 256, dtype=np.float32) ** gamma
    return np.asarray(cv2.LUT(image, _table(curve)), np.uint8)


def dusk(rng: np.random.Generator, image: Image, strength: float) -> Image:
    """Far too little light."""
    low = rng.uniform(0.22, 0.6) if strength > 0.3 else rng.uniform(0.4, 0.8)
    return np.asarray(cv2.LUT(image, _table(np.arange(256, dtype=np.float32) * low)), np.uint8)


def cast(rng: np.random.Generator, image: Image, strength: float) -> Image:
    """White balance gone wrong: warm, cold, green or any."""
    warm, green = rng.normal(0, 0.14 * strength), rng.normal(0, 0.05 * strength)
    gains = np.array([1 - warm, 1 + green, 1 + warm], np.float32)
    ramp = np.arange(256, dtype=np.float32)[:, None]
    return np.asarray(cv2.LUT(image, _table(ramp * gains)[None].reshape(256, 1, 3)), np.uint8)


def saturation(rng: np.random.Generator, image: Image, strength: float) -> Image:
    """Washed out, or as a telephone likes it."""
    amount = float(np.exp(rng.normal(0.0, 0.4 * strength)))
    grey = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    return np.asarray(cv2.addWeighted(image, amount, grey, 1 - amount, 0), np.uint8)


def vignette(rng: np.random.Generator, image: Image, strength: float) -> Image:
    """Darker corners."""
    height, width = image.shape[:2]
    x = np.linspace(-1, 1, width, dtype=np.float32)[None] ** 2
    y = np.linspace(-1, 1, height, dtype=np.float32)[:, None] ** 2
    return _bytes(image * (1 - rng.uniform(0.1, 0.35) * strength * (x + y))[:, :, None])


def halos(rng: np.random.Generator, image: Image, strength: float) -> Image:
    """Sharpened too much, with bright and dark rims."""
    soft = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.8, 2.0))
    amount = rng.uniform(0.3, 0.6 + 1.2 * strength)
    return np.asarray(cv2.addWeighted(image, 1 + amount, soft, -amount, 0), np.uint8)


def rows(rng: np.random.Generator, image: Image, strength: float) -> Image:
    """Bands and rows of a cheap webcam or a flickering lamp."""
    height = image.shape[0]
    y = np.arange(height, dtype=np.float32)
    wave = np.sin(y * rng.uniform(0.02, 2.5) + rng.uniform(0, 6)) * rng.uniform(2, 6 + 10 * strength)
    return _bytes(image + wave[:, None, None])


def glare(rng: np.random.Generator, image: Image, strength: float = 1.0) -> Image:
    """A lamp's reflection: a soft bright spot or streak."""
    height, width = image.shape[:2]
    small = np.zeros((height // 4 + 1, width // 4 + 1), np.uint8)
    spot = (int(rng.integers(small.shape[1])), int(rng.integers(small.shape[0])))
    axes = (int(width * rng.uniform(0.01, 0.06)) + 1, int(height * rng.uniform(0.005, 0.04)) + 1)
    cv2.ellipse(small, spot, axes, float(rng.uniform(0, 180)), 0, 360, 255, -1)
    small = np.asarray(cv2.GaussianBlur(small, (0, 0), rng.uniform(1, 7)), np.uint8)
    bright = small * (rng.uniform(0.3, 1.0) * strength)
    spread = np.asarray(cv2.resize(bright.clip(0, 255).astype(np.uint8), (width, height)), np.uint8)
    return np.asarray(cv2.add(image, cv2.merge([spread] * 3)), np.uint8)


def haze(rng: np.random.Generator, image: Image, strength: float = 1.0) -> Image:
    """A window mirrored in everything glossy: a broad pale veil."""
    height, width = image.shape[:2]
    veil = (noise(rng, height // 4 + 1, width // 4 + 1, 2, 2) * 2 - 0.9).clip(0, 1) * rng.uniform(20, 110) * strength
    spread = np.asarray(cv2.resize(veil.astype(np.uint8), (width, height)), np.uint8)
    return np.asarray(cv2.add(image, cv2.merge([spread] * 3)), np.uint8)


def shadow(rng: np.random.Generator, image: Image, strength: float = 1.0) -> Image:
    """A shadow across the picture: of a hand or head (soft), of a frame or sheet (hard edges)."""
    out = image.copy()
    size = np.array(image.shape[1::-1])
    centre, reach = rng.uniform(0, 1, 2) * size, rng.uniform(0.2, 0.9) * size[0]
    dark, soft = rng.uniform(0.1, 0.6) * strength, float(rng.choice([2.0, 8.0, 20.0]))
    if rng.random() < 0.6:
        angles = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(4, 9))))
        radii = reach * rng.uniform(0.4, 1, len(angles))
        shape = centre + np.stack([np.cos(angles), np.sin(angles)], 1) * radii[:, None]
    else:
        angle = rng.uniform(0, 2 * np.pi)
        along = np.array([np.cos(angle), np.sin(angle)])
        side = np.array([-along[1], along[0]]) * reach * rng.uniform(0.2, 1)
        far = along * 2 * size[0]
        shape = np.array([centre - far, centre + far, centre + far + side, centre - far + side])
    shade(out, shape, soft * image.shape[1] / 320, dark)
    return out


def uneven(rng: np.random.Generator, image: Image, strength: float) -> Image:
    """Light that falls off from one side."""
    height, width = image.shape[:2]
    light = stretched(rng, height, width, 2, 2) - 0.5
    return _bytes(image * (1 + rng.uniform(0.2, 0.9) * strength * light)[:, :, None])


# The order is the light's way: scene, lens, sensor, processing, file.
CHAIN: tuple[tuple[Effect, float], ...] = (
    (shadow, 0.25),
    (uneven, 0.3),
    (glare, 0.12),
    (haze, 0.12),
    (dusk, 0.08),
    (vignette, 0.15),
    (motion, 0.14),
    (defocus, 0.3),
    (resample, 0.18),
    (cast, 0.5),
    (exposure, 0.7),
    (sensor, 0.4),
    (saturation, 0.5),
    (halos, 0.18),
    (rows, 0.05),
    (compression, 0.4),
)


def camera(rng: np.random.Generator, image: Image, strength: float = 1.0) -> Image:
    """The picture as some camera in some light gives it; each effect of `CHAIN` by chance.

    `strength` 0..1 scales the chances and the worst that each does.
    """
    for effect, chance in CHAIN:
        if rng.random() < chance * min(1.0, 0.3 + 0.7 * strength):
            image = effect(rng, image, strength * float(rng.uniform(0.3, 1.0)))
    return image
