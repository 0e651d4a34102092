from collections.abc import Iterator

import numpy as np
import pytest

from datasets.deal import OutOfCardsError, play_round
from referee.cards import FACES, Card
from referee.events import Event, Play
from referee.judge import judge, legal_plays, new_match
from referee.options import MatchSettings
from referee.rulings import CannotBePlayed
from referee.state import MatchState
from service.evidence import Trust, copies_left, weigh
from service.onlooker import Onlooker
from vision.changes import CardLaid

LEGAL = frozenset(card for card in FACES if str(card)[0] in "RW" or str(card) in ("B7", "G7", "Y7"))
FULL = dict.fromkeys(FACES, 2)


def card(name: str) -> Card:
    return Card.parse(name)


def seen(**shares: float) -> list[tuple[Card, float]]:
    return [(card(name), share) for name, share in shares.items()]


@pytest.mark.parametrize(
    ("shares", "believed", "close"),
    [
        ({"R1": 0.97, "R7": 0.02}, "R1", False),  # clear and legal
        ({"B1": 0.97, "B7": 0.02}, "B1", False),  # clear and illegal: a misplay, not a misreading
        ({"B1": 0.55, "B7": 0.42}, "B7", False),  # close: the rules decide
        ({"B1": 0.9, "B7": 0.09}, "B1", True),  # neither: somebody is asked
        ({"R1": 0.5, "R7": 0.45}, "R1", True),  # close, and the rules know no better
        ({"R1": 0.5, "G1": 0.2}, "R1", False),  # the other one is no rival
    ],
)
def test_the_rules_decide_between_close_readings_only(shares: dict[str, float], believed: str, close: bool) -> None:
    belief = weigh(seen(**shares), LEGAL, FULL)
    assert (str(belief.card), belief.is_close) == (believed, close)
    assert str(belief.read) == max(shares, key=shares.__getitem__)


def test_a_face_that_the_deck_has_no_more_of_loses_a_close_reading_and_wins_a_clear_one() -> None:
    left = {**FULL, card("R0"): 0}
    assert str(weigh(seen(R0=0.6, R6=0.35), LEGAL, left).card) == "R6"
    assert str(weigh(seen(R0=0.98, R6=0.01), LEGAL, left).card) == "R0"


def test_what_is_believed_adds_up_and_follows_its_parameters() -> None:
    close = seen(B1=0.6, B7=0.3)
    assert sum(share for _, share in weigh(close, LEGAL, FULL).faces) == pytest.approx(1, abs=0.02)
    assert str(weigh(close, LEGAL, FULL, Trust(illegal=1.0)).card) == "B1"
    assert str(weigh(seen(B1=0.93, B7=0.05), LEGAL, FULL, Trust(sharpness=0.5)).card) == "B7"
    with pytest.raises(ValueError, match="nothing"):
        weigh([], LEGAL, FULL)


def test_a_card_is_left_until_all_its_copies_were_seen() -> None:
    state = new_match(MatchSettings(players=("Anna", "Bram"), dealer=1))
    assert set(copies_left(None).values()) == {1}
    for event in list(play_round(np.random.default_rng(1), state.settings))[:2]:
        state = judge(state, event).match
    assert state.top is not None
    assert copies_left(state.round)[state.top] == state.settings.copies[FACES.index(state.top)] - 1


def as_seen(rng: np.random.Generator, laid: Card, rival: Card, sure: float) -> CardLaid:
    """A confident reading of a card, with all that is left given to the worst rival."""
    faces = ((laid, sure), (rival, 1 - sure))
    return CardLaid(laid, sure, 10, 9, None, None, faces)


def misplays(rng: np.random.Generator, state: MatchState) -> Iterator[tuple[CardLaid, Card]]:
    """An illegal card, seen confidently, that looks most like a legal one."""
    legal = sorted(legal_plays(state, state.turn), key=str)
    left = copies_left(state.round)
    illegal = [face for face in FACES[:54] if face not in legal and left[face] > 0]
    if illegal and legal:
        laid, rival = (cards[int(rng.integers(len(cards)))] for cards in (illegal, legal))
        yield as_seen(rng, laid, rival, rng.uniform(0.92, 1.0)), laid


def test_two_hundred_games_with_misplays_have_every_one_reported_and_none_read_away() -> None:
    reported = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        settings = MatchSettings(players=tuple("ABCDEF"[: 2 + seed % 5]), dealer=1)
        onlooker, state = Onlooker(len(settings.players)), new_match(settings)
        for event in played(rng, settings):
            if isinstance(event, Play) and state.pending is None and rng.random() < 0.1:
                for change, laid in misplays(rng, state):
                    [misplay] = onlooker.events(change, state)
                    outcome = judge(state, misplay)
                    backs = [ruling for ruling in outcome.rulings if isinstance(ruling, CannotBePlayed)]
                    assert isinstance(misplay, Play) and misplay.card == laid and [b.card for b in backs] == [laid]
                    reported += 1
            state = judge(state, event).match
    assert reported > 400


def played(rng: np.random.Generator, settings: MatchSettings) -> list[Event]:
    while True:
        try:
            return play_round(rng, settings)
        except OutOfCardsError:
            continue
