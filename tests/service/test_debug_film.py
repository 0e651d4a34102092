from pathlib import Path

import numpy as np
import pytest

from referee.cards import Card
from service.debug_film import DebugFilm, in_words
from service.sentences import Refusal
from tests.vision.scene import Clip, Lying, picture, seen
from vision.changes import CardLaid, CardsDrawn, CardsShown, ViewBack
from vision.detections import Detections, Image, Quads
from vision.frames import open_source
from vision.pipeline import STANDARD


class SeesOne:
    """A sight that sees one card where it lies in the whole picture."""

    def see(self, image: Image, *, near: Quads | None = None) -> Detections:
        return seen(Lying.at("R7", 240, 180, 5)) if image.shape[:2] == (360, 480) else Detections.empty()


def test_every_frame_is_written_with_what_was_made_of_it(tmp_path: Path) -> None:
    clip, out = Clip(10), tmp_path / "out.mp4"
    still = clip.hold(picture([Lying.at("R7", 240, 180, 5)]), 1.5)
    told = list(DebugFilm(out).watch([*still, ViewBack(2.0)], SeesOne(), STANDARD))
    assert [type(change).__name__ for change in told][-1] == "ViewBack"
    with open_source(str(out)) as source:
        written = [frame.image for frame in source]  # type: ignore[union-attr]
    assert len(written) == len(still)
    assert np.abs(written[-1].astype(int) - still[-1].image).max() > 100


def test_changes_are_told_in_words() -> None:
    laid = CardLaid(Card.parse("R7"), 0.9, 2, 1, hand=90, faces=((Card.parse("R7"), 0.9), (Card.parse("R1"), 0.06)))
    assert in_words(laid) == "> LAID R7 (R7 90 R1 6), hand from 90"
    assert "cannot be read" in in_words(CardLaid(None, 0, 2, 1))
    assert "TOUCHED" in in_words(CardsDrawn(1, 0.2, 2, 1)) and in_words(CardsDrawn(1, 0.9, 2, 1)) == "> DRAWN 1"
    assert in_words(CardsShown((Card.parse("R7"), None), 0.9, 2, 1)) == "> LIES open: R7 ??"
    assert in_words(CardsShown((Card.parse("R7"),), 0.9, 2, 1, pile="draw")) == "> LIES on the draw pile: R7"


def test_a_file_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    film = DebugFilm(tmp_path / "nowhere" / "out.mp4")
    with pytest.raises(Refusal, match="cannot be written as a video"):
        list(film.watch(Clip(10).hold(picture([]), 0.2), SeesOne(), STANDARD))
