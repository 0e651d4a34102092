"""What a table sees and how it is heard: its camera's state and its voice's, as the public state tells them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from service.phrases import Phrases, Utterance
from service.snapshot import Sight
from vision.changes import ViewLost


class Speaking(Protocol):
    """What a table needs of a voice."""

    def say(self, utterances: Sequence[Utterance], /) -> None:
        """Say these, without waiting."""

    def listen(self, listener: Callable[[str | None], None], /) -> None:
        """Call `listener` when sound goes, with its fault (the phrase `sound.FAULT`), and with None when it is back."""


@dataclass
class Senses:
    """What works of them. blind: gives why the camera does not see the table, None while it does. sound: the fault of
    the voice. silence: why nothing shall be heard, by choice; both are phrases of `sound`, or None."""

    blind: Callable[[Phrases], str] | None = None
    sound: str | None = None
    silence: str | None = None

    @property
    def unheard(self) -> str | None:
        """Why nothing is heard; None when something is."""
        return self.silence or self.sound

    def sight(self, phrases: Phrases) -> Sight:
        """Whether the camera sees the table, and if not why, in the language of `phrases`."""
        return Sight() if self.blind is None else Sight(False, self.blind(phrases))

    def lost(self, change: ViewLost, phrases: Phrases) -> str:
        """The camera does not see the table any more; why, in a sentence."""
        self.blind = lambda words: words.lost(change.key, change.reason, change.name, change.seconds)
        return self.blind(phrases)

    def over(self) -> None:
        """There is nothing more to see: the film has ended."""
        self.blind = lambda words: words.text("notice.video_over")

    def back(self) -> bool:
        """The camera sees the table; whether it did not before."""
        was_lost, self.blind = self.blind is not None, None
        return was_lost
