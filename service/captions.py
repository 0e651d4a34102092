"""The sentences that were said last: for displays that come late, for whoever wants them repeated."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Final

from service.phrases import Utterance
from service.snapshot import Caption

CAPTIONS: Final = 12
"""Sentences that a snapshot carries, for displays that come late."""
REPEATED: Final = 4
"""Sentences that "repeat" says again at most."""


class Captions:
    """The last sentences in order; its owner holds a lock around every call."""

    def __init__(self) -> None:
        self._all: deque[Caption] = deque(maxlen=CAPTIONS)
        self._news: deque[Caption] = deque(maxlen=REPEATED)
        """Those that are no answers."""
        self._count = 0

    def __iter__(self) -> Iterator[Caption]:
        return iter(self._all)

    def add(self, utterances: Sequence[Utterance], lang: str) -> None:
        """These are said now, in the language `lang`."""
        for utterance in utterances:
            self._count += 1
            self._all.append(Caption(self._count, utterance.text, utterance.topic, lang))
            if utterance.about != "answer":
                self._news.append(self._all[-1])

    def of_the_last_event(self) -> tuple[str, ...]:
        """The sentences of the last thing that happened, answers apart."""
        said = list(self._news)
        first = next((at for at in range(len(said) - 1, -1, -1) if said[at].topic.startswith("event.")), 0)
        return tuple(caption.text for caption in said[first:])
