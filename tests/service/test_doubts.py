import pytest

from referee.cards import FACES, Card
from referee.events import Amend, Draw, Event, Play, Start, Undo
from service.doubts import Doubt, Doubts, DoubtSettings
from service.evidence import Belief, weigh
from vision.changes import CardLaid

R7, R1, G7 = (Card.parse(name) for name in ("R7", "R1", "G7"))
LEFT = dict.fromkeys(FACES, 2)


def laid(*faces: tuple[Card, float], again: bool = False) -> tuple[CardLaid, Belief | None]:
    card = faces[0][0] if faces else None
    belief = weigh(faces, FACES, LEFT) if faces else None
    return CardLaid(card, faces[0][1] if faces else 0, 10, 9, faces=faces, again=again), belief


def asked(*faces: tuple[Card, float], again: bool = False, event: Event | None = None) -> tuple[Doubts, Doubt | None]:
    doubts = Doubts(DoubtSettings(wait=10))
    change, belief = laid(*faces, again=again)
    return doubts, doubts.about(change, belief, event or Play(2, change.card), 12, now=100)


def test_a_clear_card_is_not_asked_about() -> None:
    assert asked((R7, 0.98), (R1, 0.01))[1] is None


def test_a_close_card_is_asked_about_and_yes_leaves_it() -> None:
    doubts, doubt = asked((R7, 0.5), (R1, 0.4))
    assert doubt is not None and (doubt.kind, doubt.asked, doubt.line, doubt.seat) == ("card", R7, 12, 2)
    assert doubts.answer(True, True, 101) is None and doubts.open is None


def test_no_leads_to_the_next_card_and_at_last_to_the_question_which() -> None:
    doubts, _ = asked((R7, 0.5), (R1, 0.4))
    assert doubts.answer(False, True, 101) is None
    assert doubts.open is not None and doubts.open.asked == R1 and doubts.open.until == 111
    assert doubts.answer(True, False, 102) == Amend(12, R1) and doubts.open is None
    doubts, _ = asked((R7, 0.5), (R1, 0.4))
    doubts.answer(False, True, 101)
    assert doubts.answer(False, True, 102) is None
    assert doubts.open is not None and doubts.open.kind == "which" and doubts.open.asked is None
    assert doubts.answer(True, True, 103) is None and doubts.open is not None


def test_a_card_that_nobody_could_read_is_asked_for() -> None:
    doubts, doubt = asked()
    assert doubt is not None and doubt.kind == "which"
    assert doubts.meant(Play(2, G7), may_play=(3,)) == Amend(12, G7)
    assert doubts.meant(Play(3, G7), may_play=(3,)) == Play(3, G7)
    assert doubts.meant(Play(2, G7), may_play=(2,)) == Play(2, G7)
    doubts.noted(Amend(12, G7), last=True)
    assert doubts.open is None


def test_the_same_face_again_is_taken_back_on_a_no_while_it_can_be() -> None:
    doubts, doubt = asked((R7, 0.99), again=True)
    assert doubt is not None and doubt.kind == "again"
    assert doubts.answer(False, last=True, now=101) == Undo()
    doubts, _ = asked((R7, 0.99), again=True)
    assert doubts.answer(False, last=False, now=101) is None and doubts.open is None


@pytest.mark.parametrize(
    ("event", "last", "stays"), [(Amend(11, R1), True, True), (Undo(), False, True), (Undo(), True, False)]
)
def test_only_what_settles_it_closes_a_question(event: Event, last: bool, stays: bool) -> None:
    doubts, _ = asked((R7, 0.5), (R1, 0.4))
    doubts.noted(event, last)
    assert (doubts.open is not None) == stays


def test_a_question_lapses_after_its_time_and_not_before() -> None:
    doubts, doubt = asked((R7, 0.5), (R1, 0.4))
    assert doubts.lapse(109.9) is None
    assert doubts.lapse(110) == doubt and doubts.open is None and doubts.lapse(200) is None


def test_a_newer_question_takes_the_place_of_an_older_and_a_clear_card_leaves_it() -> None:
    doubts, first = asked((R7, 0.5), (R1, 0.4))
    change, belief = laid((G7, 0.99))
    assert doubts.about(change, belief, Play(3, G7), 13, 101) is None and doubts.open == first
    change, belief = laid((G7, 0.5), (R1, 0.4))
    assert doubts.about(change, belief, Play(1, G7), 14, 102) == doubts.open != first
    doubts.clear()
    assert doubts.open is None


def test_the_turned_card_is_asked_about_and_a_draw_is_not() -> None:
    assert asked((R7, 0.5), (R1, 0.4), event=Start(R7))[1] is not None
    assert asked((R7, 0.5), (R1, 0.4), event=Draw(1))[1] is None


def test_the_question_is_shown_with_what_is_left_of_its_time() -> None:
    _, doubt = asked((R7, 0.5), (R1, 0.4))
    assert doubt is not None
    assert doubt.public("Was it?", 104) == {
        "kind": "card",
        "line": 12,
        "seat": 2,
        "cards": ["R7", "R1"],
        "text": "Was it?",
        "seconds": 6.0,
    }
