"""Speech to one of a few phrases, offline: pocketsphinx with a grammar and sounds of our own, or Vosk with a folder.

A recogniser knows the phrases of the grammar and nothing else; it answers one of them or nothing. Samples are 16 kHz
mono, 16 bit. Sources: the JSGF note (W3C, 2000) for grammars, CMUdict for the sounds.

    EarsError    no recogniser, or not for this language; the message is one sentence
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, Protocol

from service.language import FOLDER
from service.sentences import Refusal

RATE: Final = 16_000
"""Samples a second."""
PRONUNCIATIONS: Final = "pronunciations.txt"
WAKE: Final = "referee"
WOKEN: Final = 1e-2
"""How sure pocketsphinx must be of the wake word; chosen as `SURE` is."""
SURE: Final = 0.1
"""How likely pocketsphinx must hold a phrase, on its own scale, which ends near 0.17. Higher refuses more of commands,
and of other talk; chosen on two voices of flite (kal16, awb) that the tables of rates leave out."""


class EarsError(Refusal):
    """The ears cannot work like that; the message is one sentence."""


class Recogniser(Protocol):
    """Turns an utterance into one of the phrases that it was made for."""

    name: str

    def hear(self, samples: bytes) -> str:
        """The phrase in `samples`, or an empty text."""
        ...


class Sphinx:
    """pocketsphinx with its American model: the words and sounds are ours, the grammar is closed.

    woken: phrases count only behind the wake word.
    """

    name = "pocketsphinx"

    def __init__(self, phrases: Iterable[str], pronunciations: Path, *, woken: bool = False) -> None:
        try:
            import pocketsphinx
        except ImportError as error:
            raise EarsError(
                'The ears need pocketsphinx: python -m pip install "tableref[ears]", or use keys and command cards.'
            ) from error
        self._phrases = frozenset(phrases)
        self._decoder: Any = pocketsphinx.Decoder(
            hmm=str(Path(pocketsphinx.get_model_path("en-us")) / "en-us"),
            dict=str(pronunciations),
            lm=None,
            kws_threshold=WOKEN,
            loglevel="FATAL",
        )
        self._decoder.add_jsgf_string("commands", jsgf(self._phrases, WAKE if woken else ""))
        self._decoder.add_keyphrase("wake", WAKE)
        self._wake = f"{WAKE} " if woken else ""

    def hear(self, samples: bytes) -> str:
        """The phrase in `samples`, or an empty text."""
        # A closed grammar forces all talk into its words: whether the table is meant is for a search of its own to say.
        if self._wake and self._found("wake", samples) is None:
            return ""
        found = self._found("commands", samples)
        if found is None or found.prob < SURE or not found.hypstr.startswith(self._wake):
            return ""
        phrase = str(found.hypstr).removeprefix(self._wake)
        return phrase if phrase in self._phrases else ""

    def _found(self, search: str, samples: bytes) -> Any:
        self._decoder.activate_search(search)
        self._decoder.start_utt()
        self._decoder.process_raw(samples, full_utt=True)
        self._decoder.end_utt()
        return self._decoder.hyp()


def jsgf(phrases: Iterable[str], wake: str = "") -> str:
    """The grammar of these phrases, each behind `wake` when it is given."""
    choice = " | ".join(sorted(phrases))
    return f"#JSGF V1.0; grammar commands; public <command> = {wake} ({choice});"


class Vosk:
    """Vosk with the model in a folder that somebody downloaded; for languages that pocketsphinx has no model for."""

    name = "vosk"

    def __init__(self, phrases: Iterable[str], model: Path, *, woken: bool = False) -> None:
        try:
            import vosk
        except ImportError as error:
            raise EarsError(f"The model {model} needs Vosk: python -m pip install vosk") from error
        if not (model / "am").is_dir() and not (model / "final.mdl").is_file():
            raise EarsError(f"{model} is no folder with a Vosk model: unpack a small model and give its folder.")
        vosk.SetLogLevel(-1)
        self._phrases, self._wake = frozenset(phrases), f"{WAKE} " if woken else ""
        wanted = [f"{self._wake}{phrase}" for phrase in sorted(self._phrases)]
        self._recogniser: Any = vosk.KaldiRecognizer(vosk.Model(str(model)), RATE, json.dumps([*wanted, "[unk]"]))

    def hear(self, samples: bytes) -> str:
        """The phrase in `samples`, or an empty text."""
        self._recogniser.AcceptWaveform(samples)
        text = str(json.loads(self._recogniser.FinalResult()).get("text", ""))
        phrase = text.removeprefix(self._wake) if text.startswith(self._wake) else ""
        return phrase if phrase in self._phrases else ""


def recogniser(phrases: Iterable[str], code: str, model: Path | None = None, *, woken: bool = False) -> Recogniser:
    """The recogniser for language `code`: Vosk with `model` when it is given, else pocketsphinx. Raises EarsError."""
    if model is not None:
        if not model.is_dir():
            raise EarsError(f"There is no folder {model}: give the folder of an unpacked Vosk model.")
        return Vosk(phrases, model, woken=woken)
    sounds = FOLDER / code / PRONUNCIATIONS
    if not sounds.is_file():
        raise EarsError(
            f"The ears know no sounds of the language {code!r}: give the folder of a Vosk model with --ears-model, "
            "or use keys and command cards."
        )
    return Sphinx(phrases, sounds, woken=woken)
