"""What is said sounds like speech in every language, and who knows English understands it."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.engines import SpeechSettings
from service.language import languages, load_language
from tests.service.sounds import ANNOUNCEMENTS, misunderstood, neural_voice, sentences, sound_of

LOUD = ("ruling.open_question.colour.brief", "ruling.open_question.challenge.brief")
"""Sentences that were once too loud in Spanish."""


@pytest.mark.parametrize("code", languages())
def test_sentences_are_neither_silent_nor_clipped_and_as_long_as_speech(code: str, tmp_path: Path) -> None:
    """One in thirty; `python -m tests.service.sounds` measures all."""
    language = load_language(code)
    settings = SpeechSettings(espeak_voice=str(language.find("language.espeak")))
    said = [one for place, one in enumerate(sentences(language)) if place % 30 == 0 or one[0] in LOUD]
    assert len(said) > 12
    for key, text in said:
        assert sound_of(text, tmp_path / "said.wav", settings).faults() == [], (key, text)


def test_a_recogniser_understands_every_card(tmp_path: Path) -> None:
    pytest.importorskip("pocketsphinx")
    wrong = misunderstood(SpeechSettings(voice="en-us", rate=140), ANNOUNCEMENTS, tmp_path / "said.wav")
    assert len(wrong) <= 3, wrong


def test_a_recogniser_understands_the_neural_voice(tmp_path: Path) -> None:
    pytest.importorskip("pocketsphinx")
    joe = neural_voice()
    if joe is None:
        pytest.skip("the neural voice is not installed")
    settings = SpeechSettings(engine="piper", voice=str(joe), rate=150)
    wrong = misunderstood(settings, ANNOUNCEMENTS[::8], tmp_path / "said.wav")
    assert len(wrong) <= 1, wrong
