"""A bad evening in short; `python -m tests.service.evening` is the whole of it, with its figures."""

from __future__ import annotations

import threading
from pathlib import Path
from random import Random

import pytest

from service import voice
from service.mouth import Mouth
from service.phrases import Priority, Utterance
from service.settings import Settings
from service.voice import Spoken, Voice
from service.waiting import SpeechQueue, Waiting
from tests.service.evening import Evening, Told, evening, whole


def test_a_bad_evening_loses_nothing_urgent_and_says_nothing_stale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The speaking process is killed, fifteen moves come at once, the sound goes and comes back."""
    monkeypatch.setattr(voice, "RETRY_SECONDS", 0.3)
    with evening(tmp_path, seed=8) as here:
        whole(here, events=24, silent=1.0, kills=2, storm=15)
        assert here.lost() == [] and here.stale() == []
        assert here.kills == 2 and here.voice.status(0)["starts"] >= 4, "killed, and started again"
        assert len(here.told) >= 24 and len(here.spoken) > 15 and here.voice.status(0)["waiting"] == 0
        assert all(seconds < 20 for seconds in here.latencies())
        assert here.memory[-1] - here.memory[0] < 20


def turn(text: str, version: int) -> Utterance:
    return Utterance(text, Priority.TURN, "turn.next", version)


def correction(version: int) -> Utterance:
    return Utterance("Correction.", Priority.URGENT, "event.undo", version)


class Slow(Voice):
    """A voice on a computer so busy that it takes its time between choosing a sentence and beginning it."""

    def __init__(self, settings: Settings) -> None:
        self.chosen, self.go = threading.Semaphore(0), threading.Semaphore(0)
        super().__init__(settings)

    def _speak(self, process: Mouth | None, waiting: Waiting) -> None:
        self.chosen.release()
        assert self.go.acquire(timeout=20)
        super()._speak(process, waiting)


def test_a_sentence_that_became_untrue_before_it_was_begun_is_not_begun(tmp_path: Path) -> None:
    """On a busy computer the next move comes between choosing a sentence and beginning it."""
    slow = Slow(Settings(sound=f"file:{tmp_path / 'heard.wav'}", rate=450))
    try:
        slow.say([turn("Bram's turn.", 1)])
        assert slow.chosen.acquire(timeout=20)
        slow.say([turn("Carla's turn.", 2)])
        slow.go.release(9)
        assert slow.wait(20)
        assert [one.utterance.text for one in slow.spoken] == ["Carla's turn."]
        assert slow.status()["starts"] == 1, "the process that spoke nothing is kept"
    finally:
        slow.go.release(9)
        slow.stop()


def test_what_is_not_to_be_said_still_makes_older_sentences_untrue() -> None:
    queue = SpeechQueue()
    queue.put([Utterance("Anna: red seven.", Priority.EVENT, "event.play", 1), turn("Bram's turn.", 1)], 0)
    queue.put([], 0, [correction(2), turn("Anna's turn.", 2)])
    assert queue.take(0) is None


@pytest.mark.parametrize(("silent", "untrue"), [(True, []), (False, ["Correction."])])
def test_the_evening_knows_which_move_a_correction_takes_back(silent: bool, untrue: list[str], tmp_path: Path) -> None:
    """A move of which nothing is said (cards dealt again) may be taken back: the correction before it stays true."""
    quiet = Voice(Settings(mute=True))
    try:
        here = Evening(quiet, tmp_path, Random(1))
        here.told = [
            Told(1, (correction(1),), 1.0, True),
            Told(2, (), 2.0, False),
            Told(3, (correction(3),), 3.0, True),
        ]
        if not silent:
            del here.told[1]
            here.told[1] = Told(2, (correction(2),), 2.0, True)
        here.spoken = [Spoken(correction(1), since=1.0, free=0.0, began=4.0, sounded=4.1, complete=True)]
        assert here.stale() == untrue
    finally:
        quiet.stop()
