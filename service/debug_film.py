"""What the pipeline sees and believes, and why, drawn over a film: `tableref watch VIDEO --debug OUT.mp4`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from service.preview import drawn, with_zones
from service.sentences import Refusal
from vision.changes import CardLaid, CardsDrawn, CardsShown, CardTaken, PileReshuffled, TableChange
from vision.detections import Image
from vision.frames import Frame, Glimpse
from vision.motion import Hand
from vision.pipeline import TableWatch, WatchSettings
from vision.sight import Sight

RATE: Final = 12.0
"""Frames a second of the film that is written, whatever came."""
SHOWN: Final = 2.0
"""Seconds for which a change stays in the picture."""
HAND: Final = (60, 60, 220)
INK: Final = (255, 255, 255)


class DebugFilm:
    """Watches, and writes each frame with what was made of it. Raises Refusal when the file cannot be written."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._writer: cv2.VideoWriter | None = None
        self._told: list[tuple[float, str]] = []

    def watch(self, frames: Iterable[Glimpse], sight: Sight, settings: WatchSettings) -> Iterator[TableChange]:
        """What happens on the table, as `vision.pipeline.watch` tells it."""
        table = TableWatch(sight, settings)
        try:
            for glimpse in frames:
                changes = table.step(glimpse)
                yield from changes
                if isinstance(glimpse, Frame):
                    self._told += [(glimpse.seconds, in_words(change)) for change in changes]
                    self._write(self.picture(glimpse, table))
        finally:
            if self._writer is not None:
                self._writer.release()

    def picture(self, frame: Frame, table: TableWatch) -> Image:
        """One frame with zones, quads, readings, hands, state and what was told lately."""
        picture = with_zones(drawn(frame.image, table.cards), table.zones)
        for hand in table.hands:
            _draw_hand(picture, hand)
        self._told = [(at, text) for at, text in self._told if frame.seconds - at < SHOWN]
        lines = [f"{frame.seconds:.2f} s  {table.why}", *(text for _, text in self._told)]
        for number, line in enumerate(lines):
            _write(picture, line, number)
        return picture

    def _write(self, picture: Image) -> None:
        if self._writer is None:
            size = (picture.shape[1], picture.shape[0])
            self._writer = cv2.VideoWriter(str(self._path), cv2.VideoWriter.fourcc(*"mp4v"), RATE, size)
            if not self._writer.isOpened():
                raise Refusal(f"{self._path} cannot be written as a video: give a name that ends in .mp4.")
        self._writer.write(picture)


def in_words(change: TableChange) -> str:
    """A change as a line."""
    match change:
        case CardLaid(card=card, faces=faces, hand=hand):
            likely = " ".join(f"{face} {100 * share:.0f}" for face, share in faces[:3])
            came = "no hand" if hand is None else f"hand from {hand:.0f}"
            return f"> LAID {card or 'a card that cannot be read'} ({likely}), {came}"
        case CardTaken(card=card):
            return f"> TAKEN BACK {card}"
        case CardsDrawn(count=count, confidence=sure):
            return f"> DRAWN {count}" if sure >= 0.5 else "> TOUCHED the draw pile, nothing gone"
        case CardsShown(cards=cards, pile=pile):
            where = {"draw": "on the draw pile", "discard": "beside the discard pile"}.get(str(pile), "open")
            return f"> LIES {where}: {' '.join(str(card or '??') for card in cards)}"
        case PileReshuffled(confidence=sure):
            return f"> THE PILE IS GONE but for its top card, {100 * sure:.0f} %"
    return f"> {type(change).__name__}"


def _draw_hand(picture: Image, hand: Hand) -> None:
    mask = cv2.resize(hand.mask.astype(np.uint8), picture.shape[1::-1], interpolation=cv2.INTER_NEAREST)
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    cv2.drawContours(picture, outlines, -1, HAND, 2)
    cv2.circle(picture, (round(hand.tip[0]), round(hand.tip[1])), 6, HAND, -1)


def _write(picture: Image, line: str, number: int) -> None:
    size = max(0.5, picture.shape[0] / 800)
    place = (8, round((1.2 + 1.2 * number) * 26 * size))
    for width, tone in ((5, (0, 0, 0)), (2, INK)):
        cv2.putText(picture, line, place, cv2.FONT_HERSHEY_SIMPLEX, size, tone, width, cv2.LINE_AA)
