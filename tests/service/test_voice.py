"""The voice: what is said when, a process that may be killed, and sound that is speech."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import signal
import subprocess
import sys
import threading
import time
import wave
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from service import earcons, espeak, kinds, sound, speech, voice, waiting
from service.phrases import Priority, Utterance
from service.sentences import Refusal
from service.settings import Settings
from service.sound import SoundError
from service.speaking import Speaking, Wish
from service.speech import SpeechSettings
from service.voice import Voice
from service.waiting import SpeechQueue, Waiting

Samples = npt.NDArray[np.float64]

EVENT, TURN, URGENT, CHATTER = Priority.EVENT, Priority.TURN, Priority.URGENT, Priority.CHATTER


def play(text: str, version: int = 1) -> Utterance:
    return Utterance(text, EVENT, "event.play", version)


def turn(text: str, version: int = 1) -> Utterance:
    return Utterance(text, TURN, "turn.next", version)


def urgent(text: str, version: int = 1) -> Utterance:
    return Utterance(text, URGENT, "ruling.cannot_be_played", version)


def answer(text: str, version: int = 1) -> Utterance:
    return Utterance(text, URGENT, "answer.top", version)


# The queue


def spoken(queue: SpeechQueue, now: float = 0.0) -> list[str]:
    """Everything that the queue still says, at one moment."""
    texts = []
    while (first := queue.take(now)) is not None:
        texts.append(first.utterance.text)
    return texts


def test_moments_are_said_in_order() -> None:
    queue = SpeechQueue()
    queue.put([play("a"), turn("b")], 0)
    assert spoken(queue) == ["a", "b"]


def test_a_turn_that_is_over_is_not_announced() -> None:
    queue = SpeechQueue()
    queue.put([play("Anna", 1), turn("Bram's turn", 1)], 0)
    queue.put([play("Bram", 2), turn("Carla's turn", 2)], 0)
    assert spoken(queue) == ["Anna", "Bram", "Carla's turn"]


def test_where_the_match_stands_takes_the_place_of_the_turn() -> None:
    queue = SpeechQueue()
    queue.put([play("red seven", 1), turn("Bram's turn", 1)], 0)
    queue.put([Utterance("sound is back", URGENT, "notice.sound_back"), turn("Bram's turn, on red seven", 1)], 9)
    assert spoken(queue, 9) == ["sound is back", "red seven", "Bram's turn, on red seven"]


def test_a_question_that_was_answered_is_not_asked() -> None:
    queue = SpeechQueue()
    queue.put([play("wild", 1), Utterance("Which colour?", URGENT, "question.colour", 1)], 0)
    queue.put([Utterance("blue", EVENT, "ruling.colour", 2)], 0)
    assert spoken(queue) == ["wild", "blue"]


def test_a_question_waits_for_the_play_that_asks_it() -> None:
    queue = SpeechQueue()
    queue.put([play("old", 1)], 0)
    queue.put([play("wild", 2), Utterance("Which colour?", URGENT, "question.colour", 2)], 0)
    assert spoken(queue) == ["old", "wild", "Which colour?"]


def test_urgent_news_goes_first_and_who_is_to_play_comes_last() -> None:
    queue = SpeechQueue()
    queue.put([play("a", 1)], 0)
    queue.put([urgent("wrong", 2), turn("still", 2)], 0)
    assert spoken(queue) == ["wrong", "a", "still"]


def test_an_answer_goes_before_everything_and_replaces_the_last_one() -> None:
    queue = SpeechQueue()
    queue.put([play("a", 1), urgent("wrong", 1)], 0)
    queue.put([answer("red", 1)], 0)
    queue.put([answer("red seven", 1)], 0)
    assert spoken(queue) == ["red seven", "wrong", "a"]
    queue.put([answer("late", 1)], 0)
    assert spoken(queue, 7) == []


def test_a_correction_replaces_what_it_corrects() -> None:
    queue = SpeechQueue()
    queue.put([play("red seven", 1), turn("Bram's turn", 1)], 0)
    queue.put([urgent("wrong", 2), turn("still Bram", 2)], 0)
    queue.put([Utterance("that was blue six", URGENT, "event.amend", 3), turn("Anna's turn", 3)], 0)
    assert spoken(queue) == ["that was blue six", "Anna's turn"]
    queue.put([urgent("wrong", 4)], 0)
    queue.put([urgent("wrong again", 5)], 0)
    queue.put([Utterance("taken back", URGENT, "event.undo", 6)], 0)
    assert spoken(queue) == ["wrong", "taken back"], "what was not taken back is still news"


def test_what_is_over_is_not_reported() -> None:
    queue = SpeechQueue()
    queue.put([Utterance("I cannot see", URGENT, "notice.view_lost"), play("a")], 0)
    queue.put([Utterance("I can see again", URGENT, "notice.view_back")], 1)
    assert spoken(queue, 1) == ["I can see again", "a"]


def test_nothing_stale_is_said() -> None:
    queue = SpeechQueue()
    queue.put([urgent("urgent", 1), play("event", 1), turn("turn", 1)], 0)
    queue.put([Utterance("chat", CHATTER, "notice.welcome", 1)], 0)
    assert spoken(queue, 5) == ["urgent", "event", "turn"]
    queue.put([urgent("urgent", 1), play("event", 1), turn("turn", 1)], 0)
    assert spoken(queue, 300) == ["urgent", "turn"], "they hold until something else happens"
    queue.put([urgent("urgent", 1), play("event", 1)], 0)
    queue.put([play("next", 2)], 15)
    assert spoken(queue, 25) == ["urgent", "next"]
    queue.put([urgent("urgent", 1)], 0)
    queue.put([play("next", 2)], 31)
    assert spoken(queue, 31) == ["next"]


def test_what_was_cut_short_is_said_again_if_it_still_holds() -> None:
    queue = SpeechQueue()
    queue.put([play("a", 1), turn("Bram's turn", 1)], 0)
    first = queue.take(0)
    assert first is not None
    queue.put([answer("red", 1)], 1)
    queue.put_back(first, 1)
    assert spoken(queue, 1) == ["red", "a", "Bram's turn"]
    for text, said in (("Bram's turn", turn("Bram's turn", 1)), ("red", answer("red", 1))):
        queue.put([said], 2)
        begun = queue.take(2)
        assert begun is not None and begun.utterance.text == text
        queue.put([play("b", 2)], 2)
        queue.put_back(begun, 2)
        assert spoken(queue, 2) == ["b"]


def test_a_storm_of_moves_is_told_by_its_end() -> None:
    """Thirty moves at once: older ones in short, then not at all, urgent ones each, the turn with the card there."""
    queue = SpeechQueue()
    for version in range(1, 31):
        long = Utterance(
            f"Anna: green seven, the {version}th.", EVENT, "event.play", version, brief=f"Seven {version}."
        )
        whose = Utterance(f"turn {version}", TURN, "turn.next", version, late=f"turn {version}, on green seven")
        queue.put([long, whose], version / 15)
        if version in (5, 25):
            queue.put([urgent(f"wrong {version}", version)], version / 15)
    said = spoken(queue, 2)
    assert said[:2] == ["wrong 5", "wrong 25"] and said[-1] == "turn 30, on green seven"
    assert "Anna: green seven, the 30th." in said and "Seven 29." in said and "Seven 1." not in said
    assert sum(waiting.seconds_of(text) for text in said) < waiting.BACKLOG_SECONDS + 6


def test_kinds_that_are_switched_off() -> None:
    names = {topic: kinds.is_switched_off(Utterance("", EVENT, topic), ("draws", "turns")) for topic in TOPICS}
    assert [topic for topic, silent in names.items() if silent] == [
        "event.draw",
        "ruling.penalty.draw_two",
        "turn.next",
    ]
    assert not kinds.is_switched_off(Utterance("", URGENT, "event.draw"), ("draws",)), "a correction is always said"


TOPICS = ("event.play", "event.draw", "ruling.penalty.draw_two", "ruling.skipped", "turn.next", "scores.say")


# The process


@pytest.fixture
def heard(tmp_path: Path) -> Path:
    """The WAV file with what a voice of these tests would make heard."""
    return tmp_path / "heard.wav"


@pytest.fixture
def speaking(heard: Path) -> Iterator[Callable[..., Voice]]:
    """Makes voices that speak quickly into `heard`, and stops them."""
    with contextlib.ExitStack() as stack:

        def make(**settings: Any) -> Voice:
            made = Voice(Settings(**{"sound": f"file:{heard}", "rate": 300, **settings}))
            stack.callback(made.stop)
            return made

        yield make


def samples(path: Path) -> tuple[Samples, int]:
    """The samples of a WAV file, -1 to 1, and how many a second."""
    with wave.open(str(path)) as file:
        data = np.frombuffer(file.readframes(file.getnframes()), "<i2").astype(np.float64) / 32768
        return data, file.getframerate()


def sentences(path: Path) -> int:
    """How many stretches of sound with at least 0.2 s of silence between them a file has."""
    data, rate = samples(path)
    loud = np.abs(data) > 0.01
    places = np.flatnonzero(loud)
    return int(1 + np.sum(np.diff(places) > 0.2 * rate)) if len(places) else 0


def process_of(speaker: Voice) -> int:
    process = speaker._process
    assert process is not None
    return process.pid


def until(condition: Callable[[], bool], seconds: float = 10.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.01)


def test_it_speaks(speaking: Callable[..., Voice], heard: Path) -> None:
    speaker = speaking()
    status = speaker.status()
    assert (status["works"], status["reason"], status["engine"], status["player"], status["device"]) == (
        True,
        None,
        "espeak-ng",
        "file",
        str(heard),
    )
    speaker.say([play("Anna: red seven."), turn("Bram's turn, three cards.")])
    assert speaker.wait(20)
    assert sentences(heard) >= 2
    waited = [one.waited for one in speaker.spoken]
    assert len(waited) == 2 and all(seconds is not None and seconds < 1.5 for seconds in waited)
    assert all(one.complete for one in speaker.spoken)


def test_a_process_killed_in_mid_sentence_begins_it_again(speaking: Callable[..., Voice], heard: Path) -> None:
    speaker = speaking(rate=240)
    speaker.status()
    speaker.say([play("Anna: red seven, and this sentence is long enough to be killed in."), turn("Bram's turn.")])
    until(lambda: heard.exists() and heard.stat().st_size > 10_000)
    first = process_of(speaker)
    os.kill(first, signal.SIGTERM)
    died = time.monotonic()
    size = heard.stat().st_size
    until(lambda: heard.stat().st_size > size + 4000, 5)
    assert time.monotonic() - died < 3, "the next sentence must be heard soon"
    assert speaker.wait(30)
    assert process_of(speaker) != first and speaker.status()["starts"] == 2
    data, rate = samples(heard)
    assert len(data) / rate > 3.5, "the whole sentence was said in the end"


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGSTOP")
def test_a_hung_process_is_ended(speaking: Callable[..., Voice], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(voice, "MARGIN_SECONDS", 0.3)
    speaker = speaking()
    speaker.status()
    hung = process_of(speaker)
    os.kill(hung, signal.SIGSTOP)
    speaker.say([turn("Bram.")])
    assert speaker.wait(20)
    assert speaker.status()["starts"] == 2 and process_of(speaker) != hung


def test_a_process_that_died_between_sentences_is_replaced(speaking: Callable[..., Voice], heard: Path) -> None:
    speaker = speaking()
    speaker.status()
    os.kill(process_of(speaker), signal.SIGTERM)
    until(lambda: not speaker._process or not speaker._process.alive)
    speaker.say([turn("Bram's turn.")])
    assert speaker.wait(20) and sentences(heard) >= 1


def test_urgent_news_cuts_a_sentence_short(speaking: Callable[..., Voice], heard: Path) -> None:
    speaker = speaking(rate=120)
    speaker.status()
    long = "The score: Anna three hundred and ten, Bram two hundred and five, and Carla one hundred and seven points."
    speaker.say([Utterance(long, TURN, "turn.next", 1)])
    until(lambda: heard.exists() and heard.stat().st_size > 20_000)
    asked = time.monotonic()
    speaker.say([urgent("No.", 2)])
    until(lambda: speaker._speaking is not None and speaker._speaking.utterance.text == "No.", 3)
    assert time.monotonic() - asked < 0.5
    assert speaker.wait(10)
    assert speaker.status()["starts"] == 1, "the engine stops when it is told, no need to kill it"
    data, rate = samples(heard)
    assert len(data) / rate < 4, "the score was not said to its end"


def test_an_answer_cuts_whatever_is_said_and_what_still_holds_comes_after_it(
    speaking: Callable[..., Voice], heard: Path
) -> None:
    speaker = speaking(rate=130, earcons=False)
    speaker.status()
    speaker.say([urgent("Anna: blue seven cannot be played on red five. Take it back, please, and play another.", 1)])
    until(lambda: heard.exists() and heard.stat().st_size > 20_000)
    speaker.say([answer("Red.", 1)])
    until(lambda: speaker._speaking is not None and speaker._speaking.utterance.text == "Red.", 3)
    until(lambda: speaker._speaking is not None and speaker._speaking.utterance.text.startswith("Anna"), 3)
    speaker.say([Utterance("Correction.", URGENT, "event.undo", 2)])
    until(lambda: speaker._speaking is not None and speaker._speaking.utterance.text == "Correction.", 3)
    assert speaker.wait(10)
    assert not speaker._queue.waiting, "what was corrected is not taken up again"


def test_it_is_quiet_for_somebody_who_speaks(speaking: Callable[..., Voice]) -> None:
    speaker = speaking(rate=120)
    speaker.say([play("Anna: red seven, which is a card that takes a long time to say.", 1), turn("Bram's turn.", 1)])
    until(lambda: speaker.is_speaking)
    speaker.hold(True)
    until(lambda: not speaker.is_speaking)
    time.sleep(0.3)
    assert not speaker.is_speaking and speaker.status()["waiting"] == 2
    speaker.hold(False)
    assert speaker.wait(20) and [one.utterance.text[:4] for one in speaker.spoken if one.complete] == ["Anna", "Bram"]
    speaker.hold(True)
    speaker.say([answer("It is Bram's turn.")])
    until(lambda: any(one.utterance.about == "answer" for one in speaker.spoken))


def test_an_earcon_comes_before_its_sentence(speaking: Callable[..., Voice], heard: Path) -> None:
    speaker = speaking()
    speaker.say([turn("Bram.", 1)])
    assert speaker.wait(20)
    data, rate = samples(heard)
    sound_of = np.frombuffer(earcons.samples("turn", rate), "<i2") / 32768
    assert np.allclose(data[: len(sound_of)], sound_of, atol=1e-3)
    assert float(np.abs(data[len(sound_of) :]).max()) > 0.05, "and then the words"


def test_earcons_are_told_apart_and_are_softer_than_speech() -> None:
    """None is like another when laid over it, none clicks, none is louder than a third, and all are short."""
    sounds = {name: np.frombuffer(earcons.samples(name, 22050), "<i2") / 32768 for name in earcons.EARCONS}
    spectra = {name: _spectrogram(data) for name, data in sounds.items()}
    for one, other in itertools.combinations(spectra, 2):
        size = max(len(spectra[one]), len(spectra[other]))
        padded = [np.pad(spectra[name], ((0, size - len(spectra[name])), (0, 0))).ravel() for name in (one, other)]
        likeness = float(padded[0] @ padded[1] / np.linalg.norm(padded[0]) / np.linalg.norm(padded[1]))
        assert likeness < 0.75, (one, other, likeness)
    for data in sounds.values():
        assert len(data) / 22050 < 0.4 and 0.2 < float(np.abs(data).max()) < 0.34
        assert abs(data[0]) < 0.01 and float(np.abs(np.diff(data)).max()) < 0.15
    softer = np.frombuffer(earcons.samples("uno", 22050, 0.5), "<i2") / 32768
    assert float(np.abs(softer).max()) == pytest.approx(0.5 * float(np.abs(sounds["uno"]).max()), abs=1e-3)


def _spectrogram(data: Samples) -> Samples:
    frames = data[: len(data) // 441 * 441].reshape(-1, 441)
    loud: Samples = np.abs(np.fft.rfft(frames, axis=1))
    return loud


def test_earcons_go_before_the_news_that_they_stand_for() -> None:
    assert set(earcons._OF_TOPIC.values()) == set(earcons.EARCONS)
    assert [earcons.earcon_of(topic) for topic in ("ruling.penalty.uno", "doubt.card", "event.play", "answer.top")] == [
        "draw",
        "doubt",
        "",
        "",
    ]


def test_other_settings_hold_from_the_next_sentence_on(speaking: Callable[..., Voice], heard: Path) -> None:
    speaker = speaking(rate=300, earcons=False)
    speaker.say([turn("Bram's turn, three cards.", 1)])
    assert speaker.wait(20)
    before = len(samples(heard)[0])
    speaker.change(Settings(sound=f"file:{heard}", rate=120, earcons=False, lang="nl", silent=("draws",)))
    speaker.say([turn("Bram's turn, three cards.", 2), Utterance("drawn", EVENT, "event.draw", 2)])
    assert speaker.wait(20)
    assert len(samples(heard)[0]) - before > 1.5 * before, "slower, with the Dutch voice, and nothing of the draw"
    assert speaker.status()["starts"] == 2


def test_what_is_urgent_is_said_when_the_sound_comes_back(
    speaking: Callable[..., Voice], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(voice, "RETRY_SECONDS", 0.2)
    blocked = tmp_path / "folder"
    blocked.write_text("a file where a folder should be")
    speaker = speaking(sound=f"file:{blocked / 'heard.wav'}")
    assert speaker.status()["works"] is False
    speaker.say([play("Anna: red seven.", 1), urgent("Anna: red seven cannot be played.", 1)])
    assert speaker.status()["waiting"] == 2
    blocked.unlink()
    blocked.mkdir()
    until(lambda: speaker.status()["works"])
    assert speaker.wait(20) and speaker.status()["waiting"] == 0
    assert sentences(blocked / "heard.wav") >= 2


def test_a_killed_process_leaves_nothing_on_the_disk(speaking: Callable[..., Voice]) -> None:
    speaker = speaking()
    speaker.status()
    mouth = speaker._process
    assert mouth is not None
    scratch = Path(mouth._scratch.name)
    (scratch / "tmpabc.wav").write_bytes(b"left by a driver")
    speaker.stop()
    assert not scratch.exists()


def test_a_muted_voice_is_silent_until_it_is_not(speaking: Callable[..., Voice], heard: Path) -> None:
    speaker = speaking(mute=True)
    assert speaker.status()["works"] is False and speaker.status()["reason"] == "the voice is muted"
    speaker.say([turn("Bram's turn.")])
    assert speaker.wait(5) and not heard.exists()
    speaker.mute(False)
    speaker.say([turn("Carla's turn.")])
    assert speaker.wait(20) and sentences(heard) >= 1
    size = heard.stat().st_size
    speaker.mute(True)
    speaker.say([turn("Anna's turn.")])
    assert speaker.wait(5) and heard.stat().st_size == size


def test_it_stops_at_once(speaking: Callable[..., Voice], heard: Path) -> None:
    speaker = speaking(rate=80)
    speaker.status()
    speaker.say([play("A very long sentence that nobody will hear to its end, because the program is being closed.")])
    until(lambda: heard.exists())
    began = time.monotonic()
    speaker.stop()
    assert time.monotonic() - began < 1.5
    speaker.say([turn("nobody hears this")])


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        (
            {"voice": "nobody-s-voice"},
            "no speech engine works (espeak-ng: the speech library has no voice 'nobody-s-voice')",
        ),
    ],
)
def test_without_sound_it_says_why_once_and_keeps_nobody(
    speaking: Callable[..., Voice], settings: dict[str, str], reason: str
) -> None:
    speaker = speaking(**settings)
    told: list[str | None] = []
    speaker.listen(told.append)
    status = speaker.status()
    assert status["works"] is False and status["reason"].startswith(reason)
    began = time.monotonic()
    for version in range(20):
        speaker.say([play("Anna: red seven.", version)])
    assert speaker.wait(5) and time.monotonic() - began < 1
    until(lambda: len(told) == 1)
    late: list[str | None] = []
    speaker.listen(late.append)
    assert late == told


def test_sound_that_comes_back_is_noticed(
    speaking: Callable[..., Voice], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, heard: Path
) -> None:
    monkeypatch.setattr(voice, "RETRY_SECONDS", 0.2)
    blocked = tmp_path / "folder"
    blocked.write_text("a file where a folder should be")
    speaker = speaking(sound=f"file:{blocked / 'heard.wav'}")
    told: list[str | None] = []
    speaker.listen(told.append)
    assert "cannot be written" in str(speaker.status()["reason"])
    blocked.unlink()
    blocked.mkdir()
    until(lambda: None in told)
    speaker.say([turn("Bram's turn.")])
    assert speaker.wait(20) and sentences(blocked / "heard.wav") >= 1


def test_the_process_ends_with_its_parent(heard: Path) -> None:
    settings = SpeechSettings(sound=f"file:{heard}")
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "service.speech", json.dumps(asdict(settings))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=settings.environment(),
        text=True,
    )
    out, _ = process.communicate('{"id": 1, "say": "Red."}\n', timeout=20)
    assert process.returncode == 0
    assert '"ready"' in out.splitlines()[0]


# Where sound goes


def test_a_wav_file_is_whole_after_every_slice(tmp_path: Path) -> None:
    path = tmp_path / "a.wav"
    for number in range(1, 4):
        sound.append_wav(path, b"\x01\x02" * 100, 22050)
        data, rate = samples(path)
        assert (len(data), rate) == (100 * number, 22050)


@pytest.mark.skipif(os.name == "nt", reason="programs are scripts here")
def test_a_player_program_is_proved_before_it_is_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "aplay"
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    program.write_text(f'#!{sys.executable}\nimport sys\nsys.exit("aplay: main:831: audio open error: No such file")\n')
    program.chmod(0o755)
    with pytest.raises(SoundError, match=r"aplay cannot play \(aplay: main:831: audio open error"):
        sound.choose("aplay")
    program.write_text(
        f"#!{sys.executable}\nimport shutil, sys\nshutil.copy(sys.argv[2], {str(tmp_path / 'played')!r})\n"
    )
    player = sound.choose("aplay")
    player.begin(22050)
    player.feed(b"\x01\x02" * 50)
    player.finish()
    assert len(samples(tmp_path / "played")[0]) == 50
    program.write_text(f"#!{sys.executable}\nimport time\ntime.sleep(60)\n")
    player.begin(22050)
    began = time.monotonic()
    with pytest.raises(SoundError, match="aplay hangs"):
        player.finish()
    assert time.monotonic() - began < 4


def test_a_sound_device_takes_its_time_and_falls_silent_when_told() -> None:
    """The device that miniaudio keeps for tests: real time, a real thread, nothing heard."""
    pytest.importorskip("miniaudio")
    player = sound.Miniaudio(backend="NULL")
    for _ in range(2):
        began = time.monotonic()
        player.begin(22050)
        for _ in range(10):
            player.feed(bytes(2 * 2205 // 2))
        player.finish()
        assert 0.45 < time.monotonic() - began < 1.5
    began = time.monotonic()
    player.begin(22050)
    player.feed(bytes(2 * 22050 * 5))
    threading.Timer(0.2, player.cut).start()
    player.finish()
    assert time.monotonic() - began < 1.5


def test_nothing_that_makes_sound(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(SoundError, match="afplay is not installed"):
        sound.choose("afplay")
    sound.choose(f"file:{tmp_path / 'new.wav'}")
    assert not (tmp_path / "new.wav").exists(), "asking leaves nothing behind"
    with pytest.raises(SoundError, match="no way 'nothing-like-it' to make sound; there are auto, none"):
        sound.choose("nothing-like-it")


# What it sounds like

ANNOUNCEMENTS = (
    "Anna: red seven. Bram's turn, three cards.",
    "Draw two. Bram draws two cards. Carla's turn.",
    "Anna has one card left and has not called uno.",
)


@pytest.mark.parametrize("text", ANNOUNCEMENTS)
def test_an_announcement_is_speech(text: str, tmp_path: Path) -> None:
    """As long as speech, neither silent nor clipped, and with the pauses and the hiss that tones and noise lack."""
    seconds = speech.save(text, tmp_path / "said.wav", SpeechSettings(rate=175))
    data, rate = samples(tmp_path / "said.wav")
    assert seconds == pytest.approx(len(data) / rate)
    assert 0.25 < seconds / len(text.split()) < 0.75, "seconds a word"
    assert 0.02 < float(np.sqrt(np.mean(data**2))) < 0.4 and float(np.abs(data).max()) < 0.999
    frames = data[: len(data) // 441 * 441].reshape(-1, 441)
    loudness = np.sqrt(np.mean(frames**2, axis=1))
    crossings = np.mean(np.diff(np.signbit(frames), axis=1), axis=1)[loudness > 0.01]
    assert float(np.mean(loudness < 0.1 * loudness.max())) > 0.05, "pauses"
    assert float(np.percentile(crossings, 95)) > 4 * float(np.median(crossings)) > 0, "vowels and hisses"


def test_a_faster_voice_is_shorter_and_a_softer_one_softer(tmp_path: Path) -> None:
    path = tmp_path / "said.wav"
    slow = speech.save(ANNOUNCEMENTS[0], path, SpeechSettings(rate=120))
    loud = float(np.abs(samples(path)[0]).max())
    fast = speech.save(ANNOUNCEMENTS[0], path, SpeechSettings(rate=240, volume=0.3))
    assert fast < 0.7 * slow and float(np.abs(samples(path)[0]).max()) < 0.5 * loud


@pytest.mark.parametrize("name", ["en", "nl", "da", "de", "fr", "es"])
def test_the_engine_from_pip_speaks_all_our_languages(name: str, tmp_path: Path) -> None:
    assert speech.save("7", tmp_path / "said.wav", SpeechSettings(espeak_voice=name)) > 0.2


def test_a_sentence_in_waiting_knows_how_often_it_was_begun() -> None:
    assert Waiting(play("a"), 0.0).tries == 0


def test_a_computer_without_the_speech_library_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "espeakng_loader", None)
    with pytest.raises(espeak.EngineError, match="the speech library cannot be loaded"):
        espeak.Library()


def test_what_is_spoken_is_changed_while_a_game_is_on() -> None:
    taken: list[Settings] = []
    now = Speaking(Settings(), lambda settings, phrases: taken.append(settings))
    now.change(Wish.model_validate({"earcons": False, "silent": ["draws"], "rate": 200}))
    assert now.public()["earcons"] is False and now.public()["silent"] == ["draws"] and taken[-1].rate == 200
    with pytest.raises(Refusal, match="no such voice; for the language en there are en-"):
        now.change(Wish.model_validate({"voice": "nobody"}))
    assert now.settings.voice is None and len(taken) == 1
    with pytest.raises(ValueError, match="'plays', 'draws'"):
        Wish.model_validate({"silent": ["chat"]})
