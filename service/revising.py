"""A record that hindsight puts right: how it is told, in one correction, and what is asked where it is not clear."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from referee.events import Undo
from referee.ledger import Judged, Ledger
from referee.rulings import Ruling
from referee.state import MatchState
from service.phrases import Moment, Phrases
from service.revisions import Misread, Revision
from service.telling import Sentence


def put_right(
    revision: Revision, phrases: Phrases, before: MatchState, then: Sequence[Judged], ledger: Ledger, version: int
) -> Moment:
    """The moment at which all of a revision is told; `before` and `then` are the state and history until now."""
    told = tuple(_told(misread, phrases, ledger.state) for misread in revision.cards)
    held = Counter(ruling for judged in then for ruling in judged.rulings)
    return Moment(
        Undo(),
        tuple(_newly(held, ledger)),
        before,
        ledger.state,
        version,
        corrected=True,
        leads=told or (("event.put_right", {}),),
    )


def _told(misread: Misread, phrases: Phrases, state: MatchState) -> Sentence:
    """What a card really was."""
    if misread.seat is None:
        return "event.amend_turned", {"card": phrases.card(misread.now)}
    key = "event.amend_of" if misread.now is not None else "event.amend_unknown"
    return key, {"card": phrases.card(misread.now), **phrases.seat_fields(state, misread.seat)}


def _newly(held: Counter[Ruling], ledger: Ledger) -> Iterator[Ruling]:
    """What is ruled now and was not before."""
    for judged in ledger.history:
        for ruling in judged.rulings:
            held[ruling] -= 1
            if held[ruling] < 0:
                yield ruling


def about_one_card(revision: Revision) -> Misread | None:
    """The card that a revision is about, when it can be asked about in one sentence."""
    named = [misread for misread in revision.cards if misread.now is not None]
    return named[0] if len(revision.cards) == len(named) == 1 else None
