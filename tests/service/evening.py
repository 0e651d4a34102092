"""A bad evening for the voice, scripted: a whole match, the speaking process killed again and again, the sound gone.

    python -m tests.service.evening [EVENTS [SECONDS_WITHOUT_SOUND]]     300 and 60 unless said otherwise

A real voice speaks into a WAV file, as fast as a loudspeaker would. What it was told and what it began to say is
held against each other: nothing urgent may be lost, nothing may be said that was no longer true when it began.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from referee import events as ev
from referee.cards import FACES
from referee.expectations import legal_plays
from referee.ledger import Ledger
from referee.options import MatchSettings
from service import voice as voice_module
from service.phrases import Moment, Phrases, Priority, Utterance
from service.settings import Settings
from service.voice import Spoken, Voice
from service.waiting import FRESH_SECONDS, interrupts, passes
from tests.referee.table import sensible_event

RATE: Final = 450
"""Words a minute, so that an evening does not last one."""
PLAYERS: Final = ("Anna", "Bram", "Carla", "Dirk")


@dataclass(frozen=True)
class Told:
    """The sentences of one moment, which may be none, and when the voice had been told.

    corrects: it takes the moment before it back. amends: it says what an earlier move really was.
    """

    version: int
    utterances: tuple[Utterance, ...]
    at: float
    corrects: bool
    amends: bool = False


@dataclass
class Evening:
    """One evening; `report` says how it went."""

    voice: Voice
    folder: Path
    random: Random
    phrases: Phrases = field(default_factory=lambda: Phrases.load("en"))
    told: list[Told] = field(default_factory=list)
    spoken: list[Spoken] = field(default_factory=list)
    version: int = 0
    kills: int = 0
    memory: list[float] = field(default_factory=list)
    silences: list[tuple[float, float]] = field(default_factory=list)
    """When there was no sound."""

    def __post_init__(self) -> None:
        self.ledger = Ledger(MatchSettings(players=PLAYERS, dealer=1, target=100_000))

    def event(self, wrong: bool = False) -> None:
        """Let something happen, now and then something wrong or a correction."""
        event = sensible_event(self.random, self.ledger.state)
        state = self.ledger.state
        if wrong and state.phase == "playing" and state.turn is not None and state.pending is None and state.top:
            legal = set(legal_plays(state))
            event = ev.Play(state.turn, next(card for card in FACES if card not in legal))
        elif not wrong and self.random.random() < 0.04:
            event = self._correction()
        before, step = state, self.ledger.add(event)
        self.version += 1
        said = self.phrases.say(Moment(event, step.rulings, before, step.state, self.version, step.corrected))
        self.voice.say(said)
        amends = step.corrected and isinstance(event, ev.Amend)
        self.told.append(Told(self.version, said, time.monotonic(), step.corrected, amends))
        self._remember()

    def _correction(self) -> ev.Event:
        """The last event taken back, or the last card put right."""
        plays = [judged for judged in self.ledger.history if isinstance(judged.event, ev.Play)]
        if not plays or self.random.random() < 0.5:
            return ev.Undo()
        return ev.Amend(plays[-1].line, self.random.choice(FACES[:40]))

    def _remember(self) -> None:
        """Keep what was spoken: the voice itself forgets."""
        new = [one for one in tuple(self.voice.spoken) if not self.spoken or one.began > self.spoken[-1].began]
        self.spoken += new

    def calm(self, events: int) -> None:
        """Events as at a table: mostly the next one comes when all was said, sometimes before."""
        for number in range(events):
            self.event(wrong=number % 10 == 9)
            if self.random.random() < 0.8:
                self.voice.wait(20)
            else:
                time.sleep(self.random.uniform(0, 0.4))
            if number % 20 == 0:
                self.memory.append(resident())

    def kill(self) -> None:
        """End the speaking process in the middle of a sentence, every other time an urgent one."""
        urgent = self.kills % 2 == 0
        for _ in range(9):
            self.event(wrong=urgent)
            if not urgent or self._is_urgent(self.told[-1].utterances):
                break
        until = time.monotonic() + 9
        while time.monotonic() < until:
            speaking = self.voice._speaking
            if speaking is not None and (not urgent or self._is_urgent((speaking.utterance,))):
                break
            time.sleep(0.005)
        time.sleep(self.random.uniform(0.02, 0.2))
        process = self.voice._process
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
            self.kills += 1

    @staticmethod
    def _is_urgent(utterances: tuple[Utterance, ...]) -> bool:
        return any(one.priority is Priority.URGENT and one.about != "question" for one in utterances)

    def storm(self, events: int = 30, seconds: float = 2.0) -> None:
        """Much at once."""
        for number in range(events):
            self.event(wrong=number % 10 == 5)
            time.sleep(seconds / events)

    def outage(self, seconds: float, events: int) -> None:
        """The sound device is gone for a while, and people play on."""
        began, aside = time.monotonic(), self.folder.with_suffix(".gone")
        self.folder.rename(aside)
        self.folder.write_text("no folder any more")
        for number in range(events):
            self.event(wrong=number == events // 2)
            time.sleep(seconds / events)
        self.folder.unlink()
        aside.rename(self.folder)
        until = time.monotonic() + 60
        while self.voice.status(0)["reason"] is not None and time.monotonic() < until:
            time.sleep(0.05)
        self.silences.append((began, time.monotonic()))
        self.voice.wait(30)

    # What must hold

    def lost(self) -> list[str]:
        """Urgent sentences that were never said to their end, though nothing took their place."""
        self._remember()
        complete = {one.utterance for one in self.spoken if one.complete}
        return [
            one.text
            for place, told in enumerate(self.told)
            for one in told.utterances
            if one.priority is Priority.URGENT and one not in complete and not self._is_settled(one, place)
        ]

    def _is_settled(self, utterance: Utterance, place: int) -> bool:
        """Whether what came later took the place of an urgent sentence."""
        later = self.told[place + 1 :]
        taken_back = bool(later) and later[0].corrects
        if taken_back or any(told.amends for told in later) or utterance.about == "question":
            return bool(later)
        waited = [told for told in later if told.at - self.told[place].at > FRESH_SECONDS[Priority.URGENT]]
        return bool(waited)  # it could not be said for so long that it is no news

    def stale(self) -> list[str]:
        """Sentences that were no longer true when they were begun."""
        self._remember()
        return [one.utterance.text for one in self.spoken if self._was_untrue(one)]

    def _was_untrue(self, spoken: Spoken) -> bool:
        utterance = spoken.utterance
        newer = [told for told in self.told if told.at < spoken.began and told.version > utterance.version]
        if newer and newer[0].version == utterance.version + 1 and newer[0].corrects:
            return True  # the move that it tells of was taken back
        if any(told.amends for told in newer):
            return True  # all that was ruled since may be otherwise
        news = [told for told in newer if told.utterances]
        if passes(utterance):
            return bool(news)
        age = spoken.began - spoken.since
        return bool(news) and age > FRESH_SECONDS[utterance.priority] + 0.1

    def latencies(self) -> list[float]:
        """Seconds from an event to its first sound, where it waited for no other sentence and there was sound.

        An urgent sentence waits for none but another urgent one.
        """
        self._remember()
        waits, begun = [], set[tuple[str, int]]()
        for before, one in zip([None, *self.spoken], self.spoken, strict=False):
            key = (one.utterance.text, one.utterance.version)
            cuts = before is None or (interrupts(one.utterance) and not interrupts(before.utterance))
            silent = any(began <= one.since <= ended for began, ended in self.silences)
            if (cuts or one.since >= one.free) and key not in begun and not silent and one.sounded is not None:
                waits.append(one.sounded - one.since)
            begun.add(key)
        return sorted(waits)

    def report(self) -> str:
        """How it went, in lines."""
        waits = self.latencies()
        median, p95 = waits[len(waits) // 2], waits[int(len(waits) * 0.95)]
        urgent = sum(one.priority is Priority.URGENT for told in self.told for one in told.utterances)
        grown = self.memory[-1] - self.memory[len(self.memory) // 4] if self.memory else 0.0
        return (
            f"{len(self.told)} events, {len(self.spoken)} sentences begun, process killed {self.kills} times, "
            f"{self.voice.status(0)['starts']} starts\n"
            f"urgent: {urgent}, lost: {len(self.lost())}; stale: {len(self.stale())}\n"
            f"event to first sound: median {1000 * median:.0f} ms, p95 {1000 * p95:.0f} ms, worst "
            f"{1000 * waits[-1]:.0f} ms ({len(waits)} sentences that waited for no other)\n"
            f"memory: {self.memory[-1]:.0f} MB, {grown:+.1f} MB since the first quarter"
        )


def resident() -> float:
    """Megabytes of this process; 0 where the system does not tell."""
    with contextlib.suppress(OSError):
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
    return 0.0


@contextlib.contextmanager
def evening(folder: Path, seed: int = 5, rate: int = RATE) -> Iterator[Evening]:
    """An evening with a voice that speaks into `folder`."""
    sound = folder / "sound"
    sound.mkdir()
    speaking = Voice(Settings(sound=f"file:{sound / 'heard.wav'}", rate=rate))
    try:
        speaking.status()
        yield Evening(speaking, sound, Random(seed))
    finally:
        speaking.stop()


def whole(here: Evening, events: int, silent: float, kills: int = 10, storm: int = 30) -> None:
    """The whole evening: calm, kills, a storm, the sound gone, and calm again."""
    part = max(1, (events - storm - storm // 3 - kills) // (kills + 1))
    for _ in range(kills):
        here.calm(part)
        here.kill()
    here.voice.wait(30)
    here.storm(storm, storm / 15)
    here.voice.wait(60)
    here.outage(silent, storm // 3)
    here.calm(max(1, events - len(here.told)))
    here.voice.wait(60)


def main(arguments: list[str]) -> int:
    """Print how an evening goes; 1 when something urgent was lost or something stale was said."""
    events, silent = int(arguments[0]) if arguments else 300, float(arguments[1]) if arguments[1:] else 60.0
    voice_module.RETRY_SECONDS = min(30.0, silent / 4)  # type: ignore[misc]
    with tempfile.TemporaryDirectory() as folder, evening(Path(folder)) as here:
        whole(here, events, silent)
        print(here.report())
        for text in here.lost():
            print(f"lost: {text}")
        for text in here.stale():
            print(f"stale: {text}")
        return 1 if here.lost() or here.stale() else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
