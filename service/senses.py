"""What a table sees and how it is heard: its camera's state and its voice's, as the public state tells them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
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
    """What works of them. sound: the fault of the voice. silence: why nothing shall be heard, by choice; both are
    phrases of `sound`, or None."""

    sight: Sight = field(default_factory=Sight)
    sound: str | None = None
    silence: str | None = None

    @property
    def unheard(self) -> str | None:
        """Why nothing is heard; None when something is."""
        return self.silence or self.sound

    def lost(self, change: ViewLost, phrases: Phrases) -> str | None:
        """The camera does not see the table any more; why, in a sentence."""
        self.sight = Sight(False, phrases.lost(change.key, change.reason, change.name, change.seconds))
        return self.sight.reason

    def over(self, phrases: Phrases) -> None:
        """There is nothing more to see: the film has ended."""
        self.sight = Sight(False, phrases.text("notice.video_over"))

    def back(self) -> bool:
        """The camera sees the table; whether it did not before."""
        was_lost, self.sight = not self.sight.works, Sight()
        return was_lost
