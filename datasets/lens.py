"""What befalls the camera: knocks, hunting focus and exposure, lamps, shadows, stutter, compression.

Nothing here touches the table; a `Lens` says at each moment how it is seen. Without troubles it changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from datasets.textures import Image
from datasets.troubles import Troubles
from datasets.virtual_table import Placed

Matrix = npt.NDArray[np.float64]

SHAKEN: Final = 0.3
"""Seconds for which a knocked camera shakes."""
STUTTER: Final = 0.05
"""How often a frame is the one before, and no other comes for a moment."""
LATE: Final = 0.07
"""Seconds by which a frame may be late."""


@dataclass(frozen=True, slots=True)
class _Knock:
    at: float
    matrix: Matrix


@dataclass(frozen=True, slots=True)
class _Leaning:
    """Somebody leans over: a soft shadow that crosses, from and to in px."""

    start: float
    seconds: float
    way: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]
    dark: float


class Lens:
    """How the table is seen. `moments`: when arms come, seconds; `size` (width, height) and `card` px."""

    def __init__(
        self,
        rng: np.random.Generator,
        troubles: Troubles,
        size: tuple[int, int],
        card: float,
        seconds: float,
        moments: Sequence[float],
    ) -> None:
        self._rng, self._troubles, self._size, self._card = rng, troubles, size, card
        self._knocks = self._all_knocks(seconds) if troubles.knock else []
        self._hunts = [at for at in moments if rng.random() < 0.3] if troubles.exposure else []
        self._blurs = [(at + rng.uniform(0.2, 1.2), rng.uniform(0.008, 0.025)) for at in moments if rng.random() < 0.4]
        self._blurs = self._blurs if troubles.focus else []
        self._off = self._all_lamps(seconds) if troubles.lamp else []
        self._leaning = [self._leans(seconds) for _ in range(int(seconds / 10))] if troubles.shadow else []
        self._quality = int(rng.integers(14, 30))

    def gain(self, now: float) -> float:
        """The light of lamps and hunting exposure, 1 when there is neither."""
        lamp = 0.45 if any(start <= now < end for start, end in self._off) else 1.0
        waves = [now - at for at in self._hunts if 0 <= now - at < 3]
        return lamp * float(np.prod([1 + 0.2 * np.sin(7 * wave) * np.exp(-1.2 * wave) for wave in waves]))

    def shaded(self, picture: Image, now: float) -> Image:
        """The picture with the shadows of those who lean over."""
        for leaning in self._leaning:
            share = (now - leaning.start) / leaning.seconds
            if 0 <= share <= 1:
                picture = self._shade(picture, leaning, share)
        return picture

    def seen(self, picture: Image, now: float) -> Image:
        """The picture as the lens throws it: moved by knocks, out of focus."""
        if self._knocks and now >= self._knocks[0].at:
            matrix = self.matrix(now)[:2]
            moved = cv2.warpAffine(picture, matrix, self._size, borderMode=cv2.BORDER_REFLECT_101)
            picture = np.asarray(moved, np.uint8)
        sigma = max((peak * np.exp(-(((now - at) / 0.3) ** 2)) for at, peak in self._blurs), default=0.0) * self._card
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), np.uint8) if sigma > 0.4 else picture

    def compressed(self, picture: Image) -> Image:
        """The picture as it comes over a thin wire."""
        if not self._troubles.compression:
            return picture
        _, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, self._quality])
        return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)

    def placed(self, cards: tuple[Placed, ...], now: float) -> tuple[Placed, ...]:
        """Cards where the lens shows them."""
        if not self._knocks or now < self._knocks[0].at:
            return cards
        matrix = self.matrix(now)[:2]
        return tuple(
            Placed(c.face, np.asarray(cv2.transform(c.quad[None], matrix)[0], np.float32), c.visible) for c in cards
        )

    def stutters(self) -> bool:
        """Whether no new frame comes now."""
        return self._troubles.stutter and bool(self._rng.random() < STUTTER)

    def late(self) -> float:
        """Seconds by which the frame of now is late."""
        return float(self._rng.uniform(0, LATE)) if self._troubles.stutter else 0.0

    def matrix(self, now: float) -> Matrix:
        """Where the lens shows what was at a place before all knocks, (3, 3)."""
        whole = np.eye(3)
        for knock in self._knocks:
            share = min(1.0, max(0.0, (now - knock.at) / SHAKEN))
            wobble = np.sin(40 * (now - knock.at)) * (1 - share) if share > 0 else 0.0
            whole = (np.eye(3) + (share + 0.4 * wobble) * (knock.matrix - np.eye(3))) @ whole
        return whole

    def _all_knocks(self, seconds: float) -> list[_Knock]:
        """One or two, the second well after the first: nobody could tell what happens in between."""
        times = [self._rng.uniform(0.15, 0.45) * seconds, self._rng.uniform(0.55, 0.85) * seconds]
        return [_Knock(float(at), self._one_knock()) for at in times[: int(self._rng.integers(1, 3))]]

    def _one_knock(self) -> Matrix:
        rng, (width, height) = self._rng, self._size
        turn, scale = float(rng.normal(0, 2.5)), float(rng.uniform(0.98, 1.02))
        matrix = np.vstack([cv2.getRotationMatrix2D((width / 2, height / 2), turn, scale), [0, 0, 1]])
        way, angle = rng.uniform(0.08, 0.45) * self._card, rng.uniform(0, 6.28)
        matrix[:2, 2] += way * np.array([np.cos(angle), np.sin(angle)])
        return np.asarray(matrix, np.float64)

    def _all_lamps(self, seconds: float) -> list[tuple[float, float]]:
        starts = np.sort(self._rng.uniform(0.1, 0.85, 2)) * seconds
        return [(float(start), float(start + self._rng.uniform(6, 15))) for start in starts]

    def _leans(self, seconds: float) -> _Leaning:
        rng, (width, height) = self._rng, self._size
        ends = rng.uniform(-0.2, 1.2, (2, 2)) * [width, height]
        return _Leaning(
            float(rng.uniform(0, seconds)), rng.uniform(1.5, 3.5), (ends[0], ends[1]), rng.uniform(0.3, 0.5)
        )

    def _shade(self, picture: Image, leaning: _Leaning, share: float) -> Image:
        small = np.ones((self._size[1] // 8, self._size[0] // 8), np.float32)
        x, y = (leaning.way[0] + share * (leaning.way[1] - leaning.way[0])) / 8
        fading = float(np.sin(np.pi * share))
        axes = (small.shape[1] // 4, small.shape[0] // 3)
        cv2.ellipse(small, (int(x), int(y)), axes, 0, 0, 360, 1 - leaning.dark * fading, -1)
        soft = cv2.resize(cv2.GaussianBlur(small, (0, 0), 7), self._size, interpolation=cv2.INTER_LINEAR)
        return np.asarray(cv2.multiply(picture, cv2.merge([soft] * 3), dtype=cv2.CV_8U), np.uint8)
