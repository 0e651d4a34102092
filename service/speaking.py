"""Language, level and voice, changed while a game is on; the file of settings stays as it is (see `kept`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, get_args

from pydantic import BaseModel, ConfigDict, Field

from service.audible import may_speak
from service.kept import SPEAKING
from service.kinds import Kind
from service.language import languages
from service.phrases import Phrases
from service.settings import Level, Settings
from service.voices import choose, id_of, of_espeak


class Wish(BaseModel):
    """What is to change; what is left out stays."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    lang: str | None = Field(None, max_length=20, description="language of voice and pages")
    level: Level | None = Field(None, description="how much the voice says")
    mute: bool | None = Field(None, strict=True, description="captions only, no sound")
    rate: int | None = Field(None, strict=True, ge=80, le=450, description="words a minute")
    volume: float | None = Field(None, strict=True, ge=0, le=1)
    voice: str | None = Field(
        None, max_length=100, description="the `id` of one of the `voices`; empty for the language's own"
    )
    earcons: bool | None = Field(None, strict=True, description="short sounds before sentences")
    silent: tuple[Kind, ...] | None = Field(None, max_length=len(get_args(Kind)), description="what is not spoken")


class Speaking:
    """The settings of the voice as they are now.

    changed: takes new settings and their phrases into use. keep: takes what was chosen, to keep it.
    """

    def __init__(
        self,
        settings: Settings,
        changed: Callable[[Settings, Phrases], None],
        keep: Callable[[Mapping[str, Any]], bool] = lambda chosen: True,
    ) -> None:
        self.settings, self._changed, self._keep = settings, changed, keep
        self._lasts = True

    def public(self) -> dict[str, Any]:
        """What is set, what could be, and whether what was chosen last holds on the next evening (`lasts`)."""
        now = {key: getattr(self.settings, key) for key in SPEAKING}
        known = {"languages": list(languages()), "levels": list(get_args(Level)), "kinds": list(get_args(Kind))}
        voices = [{"id": one.id, "name": one.name} for one in self.settings.voices]
        voice = id_of(self.settings.voice)
        return {
            **now,
            "voice": voice,
            "voices": voices,
            "silent": list(self.settings.silent),
            **known,
            "lasts": self._lasts,
        }

    def change(self, wish: Wish) -> None:
        """Raises PhraseError without such a language, Refusal without such a voice; then nothing changes."""
        given = wish.model_dump(exclude_unset=True, exclude_none=True)
        wanted = given.pop("voice", None)
        settings = self.settings.change(given)
        phrases = Phrases.load(settings.lang, settings.level)
        if wanted is None and not self._still_offered(settings):
            wanted = ""  # a voice of another language would read this one
        if wanted is not None:
            given["voice"] = wanted or None
            settings = settings.change({"voice": choose(wanted, settings.voices, settings.lang) if wanted else None})
            may_speak(settings)
        self._changed(settings, phrases)
        self.settings = settings
        self._lasts = self._keep(given)

    def _still_offered(self, settings: Settings) -> bool:
        """Whether a voice of eSpeak NG that was chosen speaks the language that is chosen now."""
        voice = self.settings.voice
        if voice is None or settings.lang == self.settings.lang:
            return True
        return voice not in _names(self.settings.lang) or voice in _names(settings.lang)


def _names(lang: str) -> set[str]:
    return {one.id for one in of_espeak(lang)}
