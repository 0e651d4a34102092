"""The two small networks behind the finder: the aligner and the reader.

Both take cut-outs as (n, H, W, 3) uint8 BGR and do their own scaling, so that nothing has to be agreed between training
and running but the picture itself.
"""

from __future__ import annotations

from typing import Final

import torch
from torch import Tensor, nn

ALIGNER_SIDE: Final = 96
READER_SIZE: Final = (80, 120)
"""Width and height px of the reader's cut-out."""

INDEX_SIDE: Final = 64

COLOURS: Final = 5
"""Red, yellow, green, blue, wild: the order of `Colour`, then none."""

RANKS: Final = 19
"""The order of `Rank`, then back, then no card."""


def _conv(inputs: int, outputs: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)
    )


class _Residual(nn.Module):
    """Two convolutions around a shortcut."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(channels, channels), nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels)
        )

    def forward(self, x: Tensor) -> Tensor:
        """Same shape out as in."""
        return torch.relu(x + self.body(x))


def trunk() -> nn.Sequential:
    """(n, 3, H, W) to (n, 48, H/16, W/16)."""
    return nn.Sequential(
        _conv(3, 24, 2),
        _conv(24, 48, 2),
        _conv(48, 48),
        _conv(48, 96, 2),
        _Residual(96),
        _conv(96, 144, 2),
        _Residual(144),
        nn.Conv2d(144, 48, 1, bias=False),
        nn.BatchNorm2d(48),
        nn.ReLU(inplace=True),
        nn.Flatten(),
    )


def as_input(images: Tensor) -> Tensor:
    """(n, H, W, 3) uint8 to (n, 3, H, W) float, about -1 to 1."""
    return images.permute(0, 3, 1, 2).float() / 127.5 - 1


class Aligner(nn.Module):
    """Where in a square cut-out the card lies.

    Out: (n, 14) float: whether a card of ours is there (logit); middle x, y and logarithm of its height, in parts of
    the side from the cut-out's middle; cosine and sine of twice its angle (a card looks the same turned by 180
    degrees); four corners x, y from the top left clockwise, in parts of the side from the middle, true for a card that
    is leant by less than 60 degrees.
    """

    def __init__(self) -> None:
        super().__init__()
        self.trunk = trunk()
        self.head = nn.Sequential(nn.Linear(48 * 36, 160), nn.ReLU(inplace=True), nn.Linear(160, 14))

    def forward(self, images: Tensor) -> Tensor:
        """(n, 96, 96, 3) uint8 to (n, 14)."""
        out: Tensor = self.head(self.trunk(as_input(images)))
        return out


class Reader(nn.Module):
    """Which face an upright cut-out shows: (n, 5 + 19) logits of colour and of rank."""

    def __init__(self) -> None:
        super().__init__()
        self.trunk = trunk()
        self.head = nn.Sequential(
            nn.Dropout(0.1), nn.Linear(48 * 40, 160), nn.ReLU(inplace=True), nn.Linear(160, COLOURS + RANKS)
        )

    def forward(self, images: Tensor) -> Tensor:
        """(n, 120, 80, 3) uint8 to (n, 24)."""
        out: Tensor = self.head(self.trunk(as_input(images)))
        return out


class IndexReader(nn.Module):
    """Which index a cut-out about a card's corner shows, whatever of the rest of the card is covered.

    Out: (n, 5 + 19 + 2): logits of colour and rank (the last: no index of this card is to be seen; backs have none),
    then how far the card's corner is from where it should be, x and y in parts of the cut-out's side.
    """

    def __init__(self) -> None:
        super().__init__()
        self.trunk = trunk()
        self.head = nn.Sequential(
            nn.Dropout(0.1), nn.Linear(48 * 16, 160), nn.ReLU(inplace=True), nn.Linear(160, COLOURS + RANKS + 2)
        )

    def forward(self, images: Tensor) -> Tensor:
        """(n, 64, 64, 3) uint8 to (n, 26)."""
        out: Tensor = self.head(self.trunk(as_input(images)))
        return out


class Pair(nn.Module):
    """Both networks, trained together because both learn from the same scenes."""

    def __init__(self) -> None:
        super().__init__()
        self.aligner, self.reader = Aligner(), Reader()
