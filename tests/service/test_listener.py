"""What is said is enough: who only hears the voice knows the game as well as the referee does."""

from __future__ import annotations

from random import Random

import pytest

from referee import events as ev
from referee.cards import FACES
from referee.ledger import Ledger
from referee.options import MatchSettings
from service.language import languages
from service.phrases import Moment, Phrases
from tests.referee.table import sensible_event
from tests.service.listener import GAMES, Listener, follow

SHORT = [path for path in GAMES if path.stat().st_size < 2200 or path.stem == "five-leave"]
"""Games that are quickly heard; among them house rules, mistakes, a position taken up and a player who leaves."""


@pytest.mark.parametrize("language", languages())
def test_a_listener_follows_whole_games(language: str) -> None:
    """Every mode and the house rules; `python -m tests.service.listener` does all the games."""
    assert len(SHORT) >= 10
    for path in SHORT:
        events, sentences = follow(path, language)
        assert events > 20 and sentences > events


@pytest.mark.parametrize("language", languages())
def test_a_listener_follows_corrections(language: str) -> None:
    """Moves taken back and cards that were misread: what is different is told, whatever it changed."""
    random, corrected = Random(11), 0
    for _ in range(6):
        ledger = Ledger(MatchSettings(players=("Anna", "Bram", "Carla"), dealer=1))
        phrases = Phrases.load(language)
        listener = Listener(phrases.language, ledger.state.settings.players, counts=[0] * 3, scores=[0] * 3)
        for number in range(80):
            event = sensible_event(random, ledger.state)
            if number % 9 == 8:
                event = random.choice((ev.Undo(), ev.Amend(_last_play(ledger), random.choice(FACES[:40]))))
            before, step = ledger.state, ledger.add(event)
            said = phrases.say(Moment(event, step.rulings, before, step.state, corrected=step.corrected))
            for one in said:
                listener.hear(one.text)
            corrected += step.corrected
            assert listener.holds(step.state) == [], (event, [one.text for one in said])
    assert corrected > 30


def _last_play(ledger: Ledger) -> int:
    """The line of the last card that was laid, or the first line."""
    plays = [judged.line for judged in ledger.history if isinstance(judged.event, ev.Play)]
    return plays[-1] if plays else 1


def test_a_sentence_that_says_too_little_would_be_noticed() -> None:
    """The truth differs from what was heard as soon as a sentence is missing."""
    listener = Listener(Phrases.load("en").language, ("Anna", "Bram"), counts=[7, 7], scores=[0, 0])
    ledger = Ledger(MatchSettings(players=("Anna", "Bram"), dealer=2))
    for event in (ev.Deal(2), ev.Start(FACES[3])):
        ledger.add(event)
    listener.hear("The first card is red three.")
    assert [wrong.partition(":")[0] for wrong in listener.holds(ledger.state)] == ["turn"]
