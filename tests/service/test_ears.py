"""The ears: what is speech, never the table's own; understood or not; refused in one sentence where they cannot be."""

from __future__ import annotations

import time
import wave
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from referee import events as ev
from referee.cards import Card
from referee.options import MatchSettings
from service import cli, speech
from service.commands import commands, grammar, name_of
from service.ears import PLAY, Ears, grammars, utterances
from service.hands import Hands
from service.language import languages, load_language
from service.microphone import WavFile, open_ears, read_wav
from service.opening import STEPS, names, spoken, wishes
from service.phrases import Phrases
from service.recognisers import RATE, EarsError, Grammar, Recogniser, recogniser
from service.store import Store
from service.table import Table

PIECE = RATE // 10


def pieces(*loudness: float) -> list[bytes]:
    """A tenth of a second of noise each."""
    rng = np.random.default_rng(2)
    return [rng.normal(0, loud, PIECE).clip(-32768, 32767).astype(np.int16).tobytes() for loud in loudness]


def test_speech_is_cut_out_of_the_room_with_a_little_before_it() -> None:
    room, said = [20.0] * 10, [3000.0] * 6
    found = list(utterances(pieces(*room, *said, *room, *said, *room), lambda: False))
    assert [len(part) / 2 / RATE for part in found] == pytest.approx([1.4, 1.4], abs=0.15)
    assert list(utterances(pieces(*room * 5), lambda: False)) == []


def test_the_table_does_not_hear_itself() -> None:
    sound = pieces(*[20.0] * 5, *[3000.0] * 8, *[20.0] * 10)
    at = iter(range(1000))
    assert list(utterances(sound, lambda: 5 <= next(at) < 13)) == []


class Understands:
    """A recogniser that understands the same each time."""

    name = "the same each time"

    def __init__(self, text: str) -> None:
        self.text = text

    def hear(self, samples: bytes, grammar: str) -> str:
        self.asked = grammar
        return self.text


@pytest.fixture
def hands(tmp_path: Path) -> Iterator[Hands]:
    with Store.open(tmp_path / "t.sqlite") as store:
        hands = Hands(Table.open(store, Phrases.load("en")))
        hands.table.new_match(MatchSettings(("Anna", "Bram"), dealer=2))
        hands.table.apply(ev.Deal(2))
        hands.table.apply(ev.Start(Card.parse("R5")))
        yield hands


def captions(hands: Hands) -> list[str]:
    return [caption["text"] for caption in hands.table.snapshot()["captions"]]


def pushed(hands: Hands, understood: str, wav: Path, is_speaking: bool = False) -> str:
    """What is said after one push, when this was understood."""
    before = len(captions(hands))
    ears = Ears(hands, Understands(understood), grammar(load_language("en")), lambda: WavFile(wav, hurry=True))
    if is_speaking:
        ears = Ears(hands, Understands(understood), {}, lambda: WavFile(wav, hurry=True), lambda: True)
    assert ears.push()
    until = time.monotonic() + 20
    while len(captions(hands)) == before and time.monotonic() < until:
        time.sleep(0.01)
    return captions(hands)[-1]


@pytest.fixture
def wav(tmp_path: Path) -> Path:
    return sound_file(tmp_path / "said.wav", pieces(*[20.0] * 5, *[3000.0] * 6, *[20.0] * 9))


def sound_file(path: Path, sound: list[bytes]) -> Path:
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, RATE, 0, "NONE", ""))
        file.writeframes(b"".join(sound))
    return path


def test_what_is_heard_is_done_or_said_back(hands: Hands, wav: Path) -> None:
    assert pushed(hands, "whose turn", wav) == "It is Anna's turn, then Bram."
    assert pushed(hands, "draw", wav) == "Draw, Anna? Yes or no."
    assert len(hands.table.history()) == 2
    assert "Anna draws one card." in pushed(hands, "yes", wav) or isinstance(hands.table.history()[-1].event, ev.Draw)


def test_what_is_not_understood_costs_nothing(hands: Hands, wav: Path) -> None:
    version = hands.table.version
    assert pushed(hands, "", wav).startswith("I did not understand")
    assert pushed(hands, "draw", wav, is_speaking=True).startswith("I did not understand")
    assert hands.table.version == version


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("whose turn", "turn"),
        ("challenge", "challenge"),
        ("blue", "blue"),
        ("score", "scores"),
        ("time", "elapsed"),
    ],
)
def test_spoken_english_is_understood(text: str, command: str, tmp_path: Path) -> None:
    pytest.importorskip("pocketsphinx")
    heard = english().hear(spoken_sound(text, tmp_path / "said.wav"), PLAY)
    assert grammar(load_language("en")).get(heard) == command


@cache
def english() -> Recogniser:
    return recogniser(grammars(load_language("en")), "en")


def spoken_sound(text: str, path: Path) -> bytes:
    """`text` by eSpeak in a room that is nearly quiet."""
    speech.save(text, path, speech.SpeechSettings(espeak_voice="en-us", rate=150))
    samples = np.concatenate([np.zeros(RATE // 4, np.int16), read_wav(path), np.zeros(RATE // 4, np.int16)])
    noisy = samples + np.random.default_rng(1).normal(0, 20, len(samples))
    return noisy.clip(-32768, 32767).astype(np.int16).tobytes()


@pytest.mark.parametrize("text", ["I think it is going to rain tomorrow", "who wants another cup of tea", "nice one"])
def test_other_talk_is_no_command(text: str, tmp_path: Path) -> None:
    """A grammar that has nothing but commands makes one of anything: the loop of sounds knows better."""
    pytest.importorskip("pocketsphinx")
    assert english().hear(spoken_sound(text, tmp_path / "said.wav"), PLAY) == ""
    noise = np.random.default_rng(4).normal(0, 2000, RATE).astype(np.int16).tobytes()
    assert english().hear(noise, PLAY) == "" and english().hear(b"", PLAY) == ""


def test_a_table_is_set_up_by_voice(tmp_path: Path) -> None:
    """Numbers, names, a spelt one, yes and no; every answer is said back before it counts."""
    pytest.importorskip("pocketsphinx")
    with Store.open(tmp_path / "t.sqlite") as store:
        hands = Hands(Table.open(store, Phrases.load("en")))
        ears = Ears(hands, english(), grammar(load_language("en")), lambda: WavFile(tmp_path / "none.wav"))
        for said, answered in (
            ("three", "Three? Yes or no."),
            ("no", "How many players, two to ten?"),
            ("two", "Two? Yes or no."),
            ("yes", "Two players. The name of player 1?"),
            ("henry", "Henry? Yes or no."),
            ("yes", "Henry. The name of player 2?"),
            ("zulu oscar echo", "Zoe? Yes or no."),
            ("yes", "Zoe. Who deals first?"),
            ("go back", "The name of player 2?"),
            ("player two", "Seat 2? Yes or no."),
            ("yes", "Seat 2. Who deals first?"),
            ("player two", "Seat 2? Yes or no."),
            ("yes", "Henry and Seat 2 play, and Seat 2 deals."),
        ):
            assert ears.understood(spoken_sound(said, tmp_path / "said.wav")), said
            assert captions(hands)[-1].startswith(answered), said
        assert hands.table.state is None
        assert ears.understood(spoken_sound("yes", tmp_path / "said.wav"))
        state = hands.table.state
        assert state is not None and state.settings == MatchSettings(("Henry", "Seat 2"), dealer=2)


def test_every_spoken_english_word_has_sounds() -> None:
    sounds = (Path(cli.__file__).parent / "languages" / "en" / "pronunciations.txt").read_text().split("\n")
    known = {line.split(" ")[0].partition("(")[0] for line in sounds}
    listened = grammars(load_language("en")).values()
    assert {word for one in listened for phrase in one.phrases | one.letters for word in phrase.split()} <= known
    assert "referee" in known
    assert "uno UW N OW" in sounds
    assert Grammar(frozenset(["no", "uno"])).jsgf("referee").endswith("= referee (no | uno);")


def test_what_cannot_be_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "broken.wav").write_bytes(b"RIFF nothing")
    phrases = {PLAY: Grammar(frozenset(["uno"]))}
    wrong: list[Callable[[], object]] = [
        lambda: recogniser(phrases, "nl"),
        lambda: recogniser(phrases, "nl", tmp_path / "none"),
        lambda: recogniser(phrases, "nl", tmp_path / "empty"),
        lambda: open_ears(str(tmp_path / "none.wav")),
        lambda: open_ears(str(tmp_path / "broken.wav")),
    ]
    for attempt in wrong:
        with pytest.raises(EarsError) as told:
            attempt()
        assert str(told.value).count("\n") == 0 and str(told.value).rstrip().endswith((".", "vosk"))


@pytest.mark.parametrize("code", languages())
def test_what_the_table_calls_a_command_may_be_said(code: str) -> None:
    """Names are heard in help, on key cards and on command cards, and nobody should have to know other words."""
    language = load_language(code)
    said = grammar(language)
    for command in (one for one in commands().values() if one.kind != "key"):
        name = name_of(command.id, language).lower().replace("-", " ")
        assert said.get(name) == command.id, name
    assert wishes(language)[name_of("help", language).lower()] == "help"


@pytest.mark.parametrize("code", languages())
def test_every_language_has_a_grammar(code: str) -> None:
    assert set(grammar(load_language(code)).values()) >= {"uno", "draw", "yes", "no", "red", "undo", "turn"}
    heard = grammars(load_language(code))
    assert all(len(heard[step].phrases) >= 4 for step in STEPS) and len(heard["name"].letters) == 26
    for step in STEPS:
        language = load_language(code)
        answers = spoken(language, step)
        assert {phrase: answers[phrase] for phrase in wishes(language)} == wishes(language), (
            "no answer is a wish as well"
        )
        assert len({name.casefold() for name in names(language)}) == 20
