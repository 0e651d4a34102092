import numpy as np
import pytest

from referee.cards import FACES, Card
from tests.vision.scene import quad_at
from tests.vision.test_pipeline import B3, R7, Script
from vision.changes import CardLaid, CardReread
from vision.detections import Detection, Detections, Image, Quads
from vision.second import SecondLooks

WC, B0, R1 = (Card.parse(name) for name in ("WC", "B0", "R1"))
HERE = quad_at(150, 180)


def laid(*faces: tuple[Card, float]) -> CardLaid:
    return CardLaid(faces[0][0], faces[0][1], 10.0, 9.0, HERE, None, faces)


def look(*faces: tuple[Card, float], x: float = 150) -> Detections:
    outcomes = np.zeros(58, np.float32)
    for card, share in faces:
        outcomes[FACES.index(card)] = share
    return Detections.of([Detection(quad_at(x, 180), 0.9, faces[0][0], faces[0][1], outcomes)])


def looks(second: SecondLooks, *seen: Detections, until: float = 60) -> list[CardReread]:
    """What is told while the same things are seen whenever a look is due, the last of them for ever."""
    told, left = [], list(seen)
    for now in np.arange(10, until, 0.1):
        if second.is_due(float(now)):
            found = second.add(left.pop(0) if len(left) > 1 else left[0], HERE, float(now))
            told += [found] if found else []
    return told


def begun(*faces: tuple[Card, float]) -> SecondLooks:
    second = SecondLooks()
    second.begin(laid(*faces))
    return second


def test_a_card_that_goes_on_looking_like_another_one_is_told_of_once() -> None:
    told = looks(begun((WC, 0.85), (B0, 0.1)), look((B0, 0.9), (WC, 0.05)))
    assert [(change.card, change.laid) for change in told] == [(B0, 10.0)]
    assert told[0].faces[0][0] == B0 and told[0].confidence > 0.5


def test_one_look_that_flickers_changes_no_mind_and_one_that_agrees_ends_the_looking() -> None:
    assert not looks(begun((WC, 0.95), (B0, 0.04)), look((B0, 0.8), (WC, 0.1)), look((WC, 0.95), (B0, 0.04)))
    second = begun((WC, 0.999))
    assert not looks(second, look((WC, 0.99))) and not second.is_due(1e9)


def test_what_is_not_seen_or_lies_elsewhere_says_nothing() -> None:
    assert not looks(begun((WC, 0.5), (B0, 0.4)), look((B0, 0.99), x=300))
    assert not looks(begun((WC, 0.5), (B0, 0.4)), Detections.empty())


def test_looks_come_ever_less_often_and_end() -> None:
    second, times = begun((WC, 0.5), (R1, 0.5)), []
    for now in np.arange(10, 100, 0.1):
        if second.is_due(float(now)):
            times.append(float(now))
            second.add(look((WC, 0.5), (R1, 0.5)), HERE, float(now))
    assert times == pytest.approx([10.8, 12.4, 15.6, 22.0, 34.8], abs=0.6)
    second.begin(laid((WC, 0.5)))
    second.forget()
    assert not second.is_due(1e9)


class Mistaken(Script):
    """Cards are misread in a stretch of frames, however often they are looked at."""

    wrong = range(0)

    def see(self, image: Image, *, near: Quads | None = None) -> Detections:
        assert self._now is not None
        self.misread = [self._now.index in self.wrong]
        return super().see(image, near=near)


def test_the_pipeline_looks_again_at_the_card_on_top() -> None:
    script = Mistaken()
    script.rest(1.0).lay(B3)
    begins = len(script.frames)
    script.lay(R7)
    script.wrong = range(begins, len(script.frames) - 3)
    script.rest(8.0)
    changes = [change for change in script.changes() if isinstance(change, (CardLaid, CardReread))]
    told = [f"{type(change).__name__} {change.card}" for change in changes]
    assert told == ["CardLaid B3", "CardLaid G9", "CardReread R7"] and script.looks < 40
