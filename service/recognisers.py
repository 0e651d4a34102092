"""Speech to one of a few phrases, offline: pocketsphinx with a grammar and sounds of our own, or Vosk with a folder.

A recogniser knows the phrases of the grammar and nothing else; it answers one of them or nothing. Samples are 16 kHz
mono, 16 bit. Sources: the JSGF note (W3C, 2000) for grammars, CMUdict for the sounds.

    EarsError    no recogniser, or not for this language; the message is one sentence
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from service.language import FOLDER
from service.sentences import Refusal

RATE: Final = 16_000
"""Samples a second."""
PRONUNCIATIONS: Final = "pronunciations.txt"
WAKE: Final = "referee"
WOKEN: Final = 1e-2
"""How sure pocketsphinx must be of the wake word; chosen as the `Gate` is."""


class EarsError(Refusal):
    """The ears cannot work like that; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Grammar:
    """What may be said: one of `phrases`, or `letters` of a spelt name, several in a row.

    confirmed: everything heard is said back and wants a yes, so that it need not fit as well.
    """

    phrases: frozenset[str]
    letters: frozenset[str] = frozenset()
    confirmed: bool = False

    def knows(self, text: str) -> bool:
        """Whether that may be said."""
        return text in self.phrases or self.spells(text)

    def spells(self, text: str) -> bool:
        """Whether that is a spelt name."""
        return len(text.split()) > 1 and self.letters.issuperset(text.split())

    def jsgf(self, wake: str = "") -> str:
        """As a JSGF grammar, each phrase behind `wake` when it is given."""
        choice = " | ".join(sorted(self.phrases))
        if self.letters:
            letter = f"({' | '.join(sorted(self.letters))})"
            choice += f" | {letter} {letter}+"
        return f"#JSGF V1.0; grammar commands; public <command> = {wake} ({choice});"


Grammars = Mapping[str, Grammar]
"""By name; what is listened for depends on what the table waits for."""


class Recogniser(Protocol):
    """Turns an utterance into one of the phrases that it was made for."""

    name: str

    def hear(self, samples: bytes, grammar: str) -> str:
        """The phrase of the grammar of that name in `samples`, or an empty text."""
        ...


@dataclass(frozen=True, slots=True)
class Gate:
    """When an utterance counts as a phrase of the grammar, and not as talk that was forced into one.

    Beside the grammar a loop of all sounds hears the same utterance; it fits anything. `whole`: how much worse the
    grammar may explain the utterance than the loop does, as a log likelihood on the scale of pocketsphinx; `better`:
    how little worse, because a loop that is no better heard noise. `word`: how badly, a frame, the worst word may fit.
    `share`: how many frames of sounds the loop finds for each frame of words; more is talk around them. `stretch`: the
    frames of a word for each of its sounds; more is a word drawn over others. Chosen on two voices of flite (kal16 and
    awb) and on talk that the tables of rates leave out.
    """

    whole: float = -0.270
    better: float = -0.008
    word: float = -4.7
    share: tuple[float, float] = (0.4, 2.05)
    stretch: float = 25.0

    def passes(self, heard: Decoded, loop: Decoded, letters: int = 0) -> bool:
        """Whether it is meant. letters: of a spelt name, which may be long."""
        words = [part for part in heard.parts if part.is_word]
        frames = sum(part.frames for part in words)
        if not words or not loop.parts:
            return False
        difference = heard.score - loop.score
        share = sum(part.frames for part in loop.parts if part.is_word) / frames
        return (
            self.whole * max(1.0, letters / 2) <= difference <= self.better
            and all(part.fit >= self.word and part.frames <= self.stretch * part.sounds for part in words)
            and self.share[0] <= share <= self.share[1]
        )


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of what was decoded. fit: the log likelihood of its sound, a frame. sounds: how many the word has."""

    word: str
    frames: int
    fit: float
    sounds: int = 1

    @property
    def is_word(self) -> bool:
        """Whether it is neither silence nor noise."""
        return self.word != "SIL" and self.word[0] not in "<[(+"


@dataclass(frozen=True, slots=True)
class Decoded:
    """What a search made of an utterance. score: its log likelihood, on the scale of pocketsphinx."""

    text: str
    score: float
    parts: tuple[Part, ...]

    @classmethod
    def by(cls, decoder: Any, samples: bytes) -> Decoded | None:
        """The best that the search of `decoder` makes of `samples`; None when nothing fits."""
        if not samples:
            return None
        decoder.start_utt()
        decoder.process_raw(samples, full_utt=True)
        decoder.end_utt()
        best = decoder.hyp()
        if best is None:
            return None
        parts = tuple(_part(decoder, segment) for segment in decoder.seg())
        return cls(str(best.hypstr), _log(best.best_score), parts)


def _part(decoder: Any, segment: Any) -> Part:
    frames = int(segment.end_frame) - int(segment.start_frame) + 1
    sounds = decoder.lookup_word(segment.word) or ""  # a sound of the loop is no word
    return Part(str(segment.word), frames, _log(segment.ascore) / frames, max(1, len(sounds.split())))


def _log(likelihood: float) -> float:
    return math.log(max(likelihood, 1e-320))


USUAL: Final = Gate()
CONFIRMED: Final = Gate(whole=-0.45, word=-5.6, stretch=60.0)


class Sphinx:
    """pocketsphinx with its American model: the words and sounds are ours, the grammars are closed.

    woken: phrases count only behind the wake word.
    """

    name = "pocketsphinx"

    def __init__(self, grammars: Grammars, pronunciations: Path, *, woken: bool = False) -> None:
        try:
            import pocketsphinx
        except ImportError as error:
            raise EarsError(
                'The ears need pocketsphinx: python -m pip install "tableref[ears]", or use keys and command cards.'
            ) from error
        self._grammars = grammars
        self._wake = f"{WAKE} " if woken else ""
        model = str(Path(pocketsphinx.get_model_path("en-us")) / "en-us")
        known = {"hmm": model, "dict": str(pronunciations), "lm": None, "loglevel": "FATAL"}
        self._decoder: Any = pocketsphinx.Decoder(**known, kws_threshold=WOKEN)
        for name, grammar in grammars.items():
            self._decoder.add_jsgf_string(name, grammar.jsgf(self._wake))
        if woken:
            self._decoder.add_keyphrase(WAKE, WAKE)
        else:
            self._loop: Any = pocketsphinx.Decoder(**known, allphone_ci=True, beam=1e-20, pbeam=1e-20, lw=1.0)
            self._loop.add_allphone_file("sounds", None)
            self._loop.activate_search("sounds")

    def hear(self, samples: bytes, grammar: str) -> str:
        """The phrase of the grammar of that name in `samples`, or an empty text."""
        # A closed grammar forces all talk into its words: whether the table is meant is for another search to say.
        if self._wake and self._found(WAKE, samples) is None:
            return ""
        heard = self._found(grammar, samples)
        if heard is None or not heard.text.startswith(self._wake):
            return ""
        phrase, known = heard.text.removeprefix(self._wake), self._grammars[grammar]
        meant = known.knows(phrase) and (bool(self._wake) or self._is_meant(heard, samples, known))
        return phrase if meant else ""

    def _found(self, search: str, samples: bytes) -> Decoded | None:
        self._decoder.activate_search(search)
        return Decoded.by(self._decoder, samples)

    def _is_meant(self, heard: Decoded, samples: bytes, grammar: Grammar) -> bool:
        loop, gate = Decoded.by(self._loop, samples), CONFIRMED if grammar.confirmed else USUAL
        letters = len(heard.text.split()) if grammar.spells(heard.text) else 0
        return loop is not None and gate.passes(heard, loop, letters)


class Vosk:
    """Vosk with the model in a folder that somebody downloaded; for languages that pocketsphinx has no model for."""

    name = "vosk"

    def __init__(self, grammars: Grammars, model: Path, *, woken: bool = False) -> None:
        try:
            import vosk
        except ImportError as error:
            raise EarsError(f"The model {model} needs Vosk: python -m pip install vosk") from error
        if not (model / "am").is_dir() and not (model / "final.mdl").is_file():
            raise EarsError(f"{model} is no folder with a Vosk model: unpack a small model and give its folder.")
        vosk.SetLogLevel(-1)
        self._grammars, self._wake = grammars, f"{WAKE} " if woken else ""
        loaded = vosk.Model(str(model))
        self._recognisers: dict[str, Any] = {
            name: vosk.KaldiRecognizer(loaded, RATE, json.dumps([*self._wanted(grammar), "[unk]"]))
            for name, grammar in grammars.items()
        }

    def _wanted(self, grammar: Grammar) -> list[str]:
        alone = [WAKE] if self._wake and grammar.letters else []  # what is listed may follow on one another
        return [*(f"{self._wake}{phrase}" for phrase in sorted(grammar.phrases)), *alone, *sorted(grammar.letters)]

    def hear(self, samples: bytes, grammar: str) -> str:
        """The phrase of the grammar of that name in `samples`, or an empty text."""
        recogniser = self._recognisers[grammar]
        recogniser.AcceptWaveform(samples)
        text = str(json.loads(recogniser.FinalResult()).get("text", ""))
        phrase = text.removeprefix(self._wake) if text.startswith(self._wake) else ""
        return phrase if self._grammars[grammar].knows(phrase) else ""


def recogniser(grammars: Grammars, code: str, model: Path | None = None, *, woken: bool = False) -> Recogniser:
    """The recogniser for language `code`: Vosk with `model` when it is given, else pocketsphinx. Raises EarsError."""
    if model is not None:
        if not model.is_dir():
            raise EarsError(f"There is no folder {model}: give the folder of an unpacked Vosk model.")
        return Vosk(grammars, model, woken=woken)
    if not has_sounds(code):
        raise EarsError(
            f"The ears know no sounds of the language {code!r}: give the folder of a Vosk model with --ears-model, "
            "or use keys and command cards."
        )
    return Sphinx(grammars, FOLDER / code / PRONUNCIATIONS, woken=woken)


def has_sounds(code: str) -> bool:
    """Whether pocketsphinx knows how the words of a language sound."""
    return (FOLDER / code / PRONUNCIATIONS).is_file()
