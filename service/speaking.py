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


class Wish(BaseModel):
    """What is to change; what is left out stays."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    lang: str | None = Field(None, max_length=20, description="language of voice and pages")
    level: Level | None = Field(None, description="how much the voice says")
    mute: bool | None = Field(None, strict=True, description="captions only, no sound")
    rate: int | None = Field(None, strict=True, ge=80, le=450, description="words a minute")
    volume: float | None = Field(None, strict=True, ge=0, le=1)
    voice: str | None = Field(None, max_length=200, description="a voice of the engine; empty for the language's own")
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
        keep: Callable[[Mapping[str, Any]], None] = lambda chosen: None,
    ) -> None:
        self.settings, self._changed, self._keep = settings, changed, keep

    def public(self) -> dict[str, Any]:
        """What is set, and what could be."""
        now = {key: getattr(self.settings, key) for key in SPEAKING}
        known = {"languages": list(languages()), "levels": list(get_args(Level)), "kinds": list(get_args(Kind))}
        return {**now, "silent": list(self.settings.silent), **known}

    def change(self, wish: Wish) -> None:
        """Raises PhraseError when there is no such language, Refusal when no such voice; then nothing changes."""
        given = wish.model_dump(exclude_unset=True, exclude_none=True)
        if given.get("voice") == "":
            given["voice"] = None
        settings = self.settings.model_copy(update=given)
        if "voice" in given:
            may_speak(settings)
        self._changed(settings, Phrases.load(settings.lang, settings.level))
        self.settings = settings
        self._keep(given)
