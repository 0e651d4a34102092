"""One normal form for all records of the same game, to compare what a camera wrote with what was true.

Times and confidences go, undone lines are gone already. Passes, penalty draws and reshuffles are left out; a draw
that a pass implies is written; a colour, swap partner, rule or verdict is joined to what asked for it, a uno call to
its play; hands are sorted. Faults at the table stay: they happened.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final

from referee.cards import WILDS, Card, Rank
from referee.events import (
    Amend,
    Challenge,
    ChooseRule,
    Deal,
    Draw,
    Event,
    Hand,
    NameColour,
    Pass,
    Play,
    Reshuffle,
    Start,
    Swap,
    Uno,
)
from referee.ledger import Judged
from referee.order import asked
from referee.rulings import CannotBePlayed, ImpliedDraw, NothingToDraw, Penalty, Ruling, Unexplained, UnoCalled, Verdict

SWAPS: Final = (Rank.SWAP_HANDS, Rank.SEVEN)
BLANK: Final = (Rank.CUSTOMIZABLE,)
TAKE_A_NUMBER: Final = (*SWAPS, *BLANK)
CALLED_WITH: Final = (None, *(rank for rank in Rank if rank not in (*SWAPS, Rank.ZERO)))
"""Cards after which the hand is still the one that was played from, whatever the house rules."""


def normal_form(history: Iterable[Judged]) -> tuple[Event, ...]:
    """The events of the game that `history` is, in normal form."""
    page = _Page()
    for judged in history:
        page.tell(next((ruling for ruling in judged.rulings if isinstance(ruling, Verdict)), None))
        write = _WRITERS.get(type(judged.event), _as_it_is)
        write(page, judged, replace(judged.event, seconds=None, confidence=None))
    return tuple(page.read())


class _Kept(Pass):
    """A pass that the next event may imply."""


@dataclass
class _Page:
    """The normal form as far as it is written; where on it the cards are that stayed, and an open challenge."""

    events: list[Event] = field(default_factory=list)
    laid: list[int] = field(default_factory=list)
    waiting: int | None = None

    def write(self, event: Event, laid: bool = False) -> None:
        """Writes one more event."""
        if laid:
            self.laid.append(len(self.events))
        self.events.append(event)

    def tell(self, verdict: Verdict | None) -> None:
        """Joins a verdict, however it became known, to the challenge that waits for it."""
        if verdict is not None and self.waiting is not None:
            challenge = self.events[self.waiting]
            self.events[self.waiting] = replace(challenge, verdict=verdict.value)  # type: ignore[call-arg]
            self.waiting = None

    def last_laid(self, seat: int, ranks: Container[Rank | None]) -> int | None:
        """Where the last card of such a rank (None: not seen) is that `seat` laid, or that was turned."""
        for place in reversed(self.laid):
            event: Any = self.events[place]
            mine = isinstance(event, Start) or event.seat == seat
            if mine and (event.card.rank if event.card else None) in ranks:
                return place
        return None

    def read(self) -> Iterator[Event]:
        """What is written; a card kept goes without saying, unless the same seat acts again, out of turn."""
        for place, event in enumerate(self.events):
            if not isinstance(event, _Kept):
                yield event
            elif self._acts_again(event.seat, place):
                yield Pass(event.seat)

    def _acts_again(self, seat: int, place: int) -> bool:
        """Whether `seat` does something after `place` before anybody else has a turn."""
        for later in range(place + 1, len(self.events)):
            event = self.events[later]
            if isinstance(event, (Play, Draw, Pass, Challenge)):
                if event.seat == seat:
                    return True
                if later in self.laid or not isinstance(event, Play):
                    return False
        return False


def _is(judged: Judged, kind: type[Ruling]) -> bool:
    return any(isinstance(ruling, kind) for ruling in judged.rulings)


def _as_it_is(page: _Page, judged: Judged, event: Event) -> None:
    page.write(event)


def _left_out(page: _Page, judged: Judged, event: Event) -> None:
    return


def _start(page: _Page, judged: Judged, event: Start) -> None:
    """A deal that was left out is written."""
    dealer = judged.after.round.dealer if judged.after.round else None
    if judged.before.phase == "between" and dealer is not None and judged.after.phase != "between":
        page.write(Deal(dealer))
    page.write(_clean(event), laid=judged.after.turn is not None and not _is(judged, Unexplained))


def _play(page: _Page, judged: Judged, event: Play) -> None:
    """A call just before the play is joined to it."""
    called = UnoCalled(event.seat) in judged.rulings
    faulty = _is(judged, CannotBePlayed) or judged.after.counts == judged.before.counts
    page.write(replace(_clean(event), uno=called), laid=not faulty)


def _clean(event: Any) -> Any:
    """The play or turned card without a colour or number that its card cannot take."""
    card = event.card
    colour = event.colour if card is None or card.is_wild else None
    return replace(event, colour=colour, partner=event.partner if card and card.rank in TAKE_A_NUMBER else None)


def _draw(page: _Page, judged: Judged, event: Draw) -> None:
    """Draws by choice stay, penalties may be left out."""
    drawn = judged.after.round is not None and judged.after.round.drawn
    if _is(judged, Unexplained) or _refuses_dare(judged, event.seat):
        page.write(event)
    elif judged.after.phase != judged.before.phase:  # the penalty for a last card, which was open to a challenge
        page.write(Draw(event.seat))
    elif drawn or _is(judged, NothingToDraw):
        page.write(event if (event.cards or 1) > 1 else replace(event, cards=None))


def _refuses_dare(judged: Judged, seat: int) -> bool:
    dared = judged.before.round is not None and asked(judged.before.round, seat, ("dare",)) is not None
    return dared and any(isinstance(ruling, Penalty) for ruling in judged.rulings)


def _pass(page: _Page, judged: Judged, event: Pass) -> None:
    """The draw that a pass implies is written; a pass that only answers a question is left out."""
    implied = ImpliedDraw(event.seat, 1, "R4.3") in judged.rulings
    if implied or _is(judged, NothingToDraw) or judged.after.phase != judged.before.phase:
        page.write(Draw(event.seat))
    if _is(judged, Unexplained):
        page.write(event)
    elif implied or (judged.before.round is not None and judged.before.round.drawn):
        page.write(_Kept(event.seat))


def _colour(page: _Page, judged: Judged, answer: NameColour) -> None:
    _join(page, judged, answer, WILDS, colour=answer.colour)


def _swap(page: _Page, judged: Judged, answer: Swap) -> None:
    _join_in_time(page, judged, answer, "swap", SWAPS, answer.partner)


def _rule(page: _Page, judged: Judged, answer: ChooseRule) -> None:
    _join_in_time(page, judged, answer, "which", BLANK, answer.number)


def _join(page: _Page, judged: Judged, answer: Any, ranks: Container[Rank | None], **said: object) -> None:
    """Joins what was `said` to the card that asked for it; an answer that nobody asked for stays."""
    place = None if _is(judged, Unexplained) else page.last_laid(answer.seat, ranks)
    if place is None:
        page.write(answer)
    else:
        page.events[place] = replace(page.events[place], **said)  # type: ignore[arg-type]


def _join_in_time(
    page: _Page, judged: Judged, answer: Any, kind: str, ranks: Container[Rank | None], number: int
) -> None:
    """Only while play waits for the answer: hands that change places later have changed by then."""
    question = asked(judged.before.round, answer.seat, (kind,)) if judged.before.round else None
    if question is None or question.late:
        page.write(answer)
    else:
        _join(page, judged, answer, ranks, partner=number)


def _uno(page: _Page, judged: Judged, event: Uno) -> None:
    """A call in the window is joined to its play; one before the play comes with it; a repeated one says nothing."""
    round = judged.before.round
    last = None if round is None or round.player != event.seat else page.last_laid(event.seat, CALLED_WITH)
    if last is not None and last == page.laid[-1] and UnoCalled(event.seat) in judged.rulings:
        page.events[last] = replace(page.events[last], uno=True)  # type: ignore[call-arg]
    elif judged.rulings:
        page.write(event)


def _challenge(page: _Page, judged: Judged, event: Challenge) -> None:
    """A challenge without a verdict waits for it; the verdict has been told to it already."""
    asked = judged.before.pending
    if asked is None or asked.kind != "verdict" or _is(judged, Unexplained):
        page.waiting = None if event.verdict or _is(judged, Unexplained) else len(page.events)
        page.write(event)


def _hand(page: _Page, judged: Judged, event: Hand) -> None:
    page.write(replace(event, cards=tuple(sorted(event.cards, key=_face))))


def _face(card: Card | None) -> str:
    return str(card or "")


_WRITERS: Final[dict[type[Event], Callable[[_Page, Judged, Any], None]]] = {
    Start: _start,
    Play: _play,
    Draw: _draw,
    Pass: _pass,
    Uno: _uno,
    Challenge: _challenge,
    NameColour: _colour,
    Swap: _swap,
    ChooseRule: _rule,
    Hand: _hand,
    Reshuffle: _left_out,
    Amend: _left_out,  # one that found nothing to amend
}
