"""The deck of an evening, learnt while it is played: what a strange card is, by the other cards that came.

Nobody has to show it anything. Cards that look alike (`prints`) are taken together, whatever their colour. A deck has
one sign for each rank, so two such groups that look different are of different ranks: where both are read as 7, the one
that is read so less surely is what it is likeliest besides. All ranks are dealt out to all groups at once, in the ways
that explain best what was read and what looks alike (a beam search); how likely each way is says how likely each rank.

Two decks may have been mixed, so that a rank has two signs. How likely that still is falls with every card that comes
a second time and looks as before (halves, as it might have come from the other deck).
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from referee.cards import Rank
from vision.prints import RANKS, Print, mean_print

Name = TypeVar("Name")
Floats = npt.NDArray[np.float32]
Logarithms = npt.NDArray[np.float64]

TURNABLE: Final = {list(Rank).index(Rank.SIX), list(Rank).index(Rank.NINE)}
"""The whole of these looks alike in many decks: only their corners tell that they are the same."""

BEAM: Final = 48
"""Ways to deal out the ranks that are followed."""
FAINT: Final = -12.0
"""Logarithm of a share, against the likeliest rank, below which a group is not thought to be of a rank."""
HOPELESS: Final = -15.0
"""The least that contradictions of a way count together: however often cards came as before, it may be two decks."""
UNLIKE: Final = -2.0
"""What looks say of two groups (a logarithm), below which they do not show one sign."""
KEPT: Final = 8
"""Cards of a group that are remembered."""
FADED: Final = 1e-7
"""Least share of any rank."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """What it says that two prints are so far apart: the logarithm of how much likelier that is of one sign than of
    two. `even`: distance at which it says nothing; each `step` less is one more, at most `most`; at least `least`."""

    even: float
    step: float
    least: float
    most: float

    def says(self, apart: float) -> float:
        """The logarithm at that distance."""
        return min(self.most, max(self.least, (self.even - apart) / self.step))


@dataclass(frozen=True, slots=True)
class AcquaintanceSettings:
    """How far the other cards of the evening are trusted.

    whole, corner: what distances say of cards of one colour, by the whole of them and by their index corners;
        whole_across, corner_across: of cards of two colours, which look less alike. See `models.bench_prints`.
    near, near_corner: distances within which a card joins a group. Higher: fewer groups, and signs that are hardly
        different become one; lower: badly seen cards stay alone, and count less.
    other: share that a card or the group must give what the other is read as, for it to join. Lower: cards that are
        read as different ones are taken together.
    mixed: how likely it is, before any card came, that two decks were mixed. Higher: strange signs are put right later;
        lower: of two decks more cards are spoilt until it shows that they are two.
    often: cards of a group from which it counts no more against another one. Higher: a reading that is surer is still
        overruled.
    plain, doubtful: share of the two likeliest ranks together from which a card contradicts others fully; and not at
        all. Lower: cards that were hardly seen contradict others.
    told: share of a rank from which a card that was told of as another one is put right, or one of a hand is told
        otherwise than it is read. Lower: sooner, and now and then what was right is spoilt.
    surely: share from which that is told once more, when it was not yet so sure. Lower: whoever waited to be sure waits
        less, and is told more often.
    groups: groups that are remembered; memory: cards that may still be put right. More: more work at each card.
    """

    whole: Likeness = Likeness(0.018, 0.003, -9.0, 2.0)
    corner: Likeness = Likeness(0.055, 0.012, -4.0, 2.5)
    whole_across: Likeness = Likeness(0.023, 0.005, -6.0, 2.0)
    corner_across: Likeness = Likeness(0.055, 0.012, -2.5, 2.5)
    near: float = 0.012
    near_corner: float = 0.06
    other: float = 0.1
    mixed: float = 0.03
    often: int = 2
    plain: float = 0.95
    doubtful: float = 0.8
    told: float = 0.95
    surely: float = 0.99
    groups: int = 40
    memory: int = 120


STANDARD: Final = AcquaintanceSettings()


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """What was seen of one card: its print, the number of its colour, what the eyes say of its rank ((13,) logarithms),
    and how plainly (0 to 1)."""

    print: Print
    colour: int
    said: Logarithms
    plain: float


class Group:
    """Cards that show one sign; `print`, `said` and `plain` are those of all together."""

    def __init__(self) -> None:
        self.cards: list[Seen] = []

    def join(self, card: Seen) -> None:
        """One card more; beyond some, it takes the place of the oldest."""
        self._set([*self.cards, card][-KEPT:])

    def leave(self, card: Seen) -> None:
        """One card less, if it still counts; the last one stays."""
        self._set([other for other in self.cards if other is not card] or self.cards)

    def _set(self, cards: list[Seen]) -> None:
        self.cards = cards
        self.print = mean_print([card.print for card in cards])
        self.of_colour = {
            colour: mean_print([card.print for card in cards if card.colour == colour])
            for colour in {card.colour for card in cards}
        }
        self.said = np.mean([card.said for card in cards], axis=0)
        self.plain = max(card.plain for card in cards)

    @property
    def rank(self) -> int:
        """The rank that its cards are read as."""
        return int(self.said.argmax())


@dataclass(slots=True, eq=False)
class Met(Generic[Name]):
    """A card that came, what was seen of it, its group, and the rank that was told of it; `sure`: whether that needs no
    other word."""

    name: Name
    card: Seen
    group: Group
    told: int
    sure: bool = True


class Acquaintance(Generic[Name]):
    """What is known of the deck that is played with. `meet` every card that comes; `changed` are those that turn out
    to be others than was told. Cards go by names of the caller's choice."""

    def __init__(self, settings: AcquaintanceSettings = STANDARD) -> None:
        self._settings = settings
        self._groups: list[Group] = []
        self._says: Logarithms = np.zeros((0, 0))
        """What the looks of each two groups say for their being of one rank (logarithms)."""
        self._table: Logarithms = np.zeros((0, RANKS))
        """How likely each of the groups is of each rank."""
        self._met: deque[Met[Name]] = deque(maxlen=settings.memory)

    def meet(self, name: Name, shares: Floats, seen: Print, colour: int) -> Floats:
        """A card came whose rank has these shares (13,) by eye: those that it has among all others.

        colour: any number that cards of its colour have, and no others.
        """
        card = self._card(shares, seen, colour)
        group = self._group_of(card)
        if group is None:
            group = Group()
            self._groups.append(group)
            self._says = np.pad(self._says, (0, 1))
        group.join(card)
        self._compare(group)
        self._forget()
        self._table = self._ranks()
        ranks = self._table[self._groups.index(group)]
        self._met.append(Met(name, card, group, int(ranks.argmax())))
        return np.asarray(ranks, np.float32)

    def known(self, shares: Floats, seen: Print, colour: int) -> Floats | None:
        """What such a card would be told of (13,) if it is like others that came; None when it is like none.

        Nothing is learnt of it.
        """
        group = self._group_of(self._card(shares, seen, colour))
        return None if group is None else np.asarray(self._table[self._groups.index(group)], np.float32)

    def part(self, name: Name) -> None:
        """What was seen of a card counts no more: it was seen better since."""
        met = next((met for met in reversed(self._met) if met.name is name), None)
        if met is not None:
            self._met.remove(met)
            met.group.leave(met.card)
            if met.group in self._groups:
                self._drop(met.group) if met.group.cards == [met.card] else self._compare(met.group)

    def changed(self) -> list[tuple[Name, Floats]]:
        """The names of cards that were told of as other ones than they turn out to be, with their shares (13,).

        Once more when that has become sure.
        """
        ranks = dict(zip(map(id, self._groups), self._table, strict=True))
        found = list[tuple[Name, Floats]]()
        for met in self._met:
            shares = ranks.get(id(met.group))
            if shares is None:
                continue
            other, sure = shares.argmax() != met.told, bool(shares.max() >= self._settings.surely)
            if shares.max() >= self._settings.told if other else sure and not met.sure:
                met.told, met.sure = int(shares.argmax()), sure
                found.append((met.name, shares.astype(np.float32)))
        return found

    def _card(self, shares: Floats, seen: Print, colour: int) -> Seen:
        """What was seen of a card, weighed by how plainly."""
        said = np.log(shares.astype(np.float64).clip(FADED))
        two = float(np.sort(shares)[-2:].sum())
        plain = (two - self._settings.doubtful) / (self._settings.plain - self._settings.doubtful)
        return Seen(seen, colour, said - said.max(), min(1.0, max(0.0, plain)))

    def _group_of(self, card: Seen) -> Group | None:
        """The group that a card is of; None when it is like none."""
        best, nearest = None, math.inf
        for group in self._groups:
            whole, corner = group.print.apart(card.print)
            near = whole <= self._settings.near and (corner is None or corner <= self._settings.near_corner)
            if near and whole + (corner or 0.0) < nearest and _go_together(group.said, card.said, self._settings.other):
                best, nearest = group, whole + (corner or 0.0)
        return best

    def _forget(self) -> None:
        """Too many groups: the oldest of the smallest goes."""
        if len(self._groups) > self._settings.groups:
            self._drop(min(self._groups[:-1], key=lambda group: len(group.cards)))

    def _drop(self, group: Group) -> None:
        place = self._groups.index(group)
        del self._groups[place]
        self._says = np.delete(np.delete(self._says, place, axis=0), place, axis=1)
        self._table = np.delete(self._table, place, axis=0)

    def _compare(self, group: Group) -> None:
        """A group looks other than before: what that says of it and all others."""
        place = self._groups.index(group)
        for other, another in enumerate(self._groups):
            if other != place:
                self._says[place, other] = self._says[other, place] = self._pair(group, another)

    def _pair(self, one: Group, other: Group) -> float:
        """What the looks of two groups say for their being of one rank (a logarithm)."""
        told = self._looks(one, other)
        if told >= 0:
            return told
        count = min(len(one.cards), len(other.cards), self._settings.often)
        return told * count * one.plain * other.plain

    def _looks(self, one: Group, other: Group) -> float:
        """The same of one card each: the mean over the colours that both have, if there are any."""
        given, shared = self._settings, one.of_colour.keys() & other.of_colour
        pairs = [one.of_colour[colour].apart(other.of_colour[colour]) for colour in sorted(shared)]
        by_whole, by_corner = (given.whole, given.corner) if pairs else (given.whole_across, given.corner_across)
        pairs = pairs or [one.print.apart(other.print)]
        corners = [corner for _, corner in pairs if corner is not None]
        told = by_whole.says(sum(whole for whole, _ in pairs) / len(pairs))
        if {one.rank, other.rank} == TURNABLE:
            told = min(told, 0.0)
        return told + (by_corner.says(sum(corners) / len(corners)) if corners else 0.0)

    def _ranks(self) -> Logarithms:
        """How likely (n, 13) each group is of each rank."""
        said = np.stack([group.said - group.said.max() for group in self._groups])
        sizes = np.array([len(group.cards) for group in self._groups])
        ways, weights = self._dealt(said, self._says, sizes)
        table = np.zeros_like(said)
        for way, weight in zip(ways, weights, strict=True):
            table[np.arange(len(way)), way] += weight
        return table

    def _dealt(
        self, said: Logarithms, pairs: Logarithms, sizes: npt.NDArray[np.int_]
    ) -> tuple[npt.NDArray[np.int_], Logarithms]:
        """The likeliest ways to deal out the ranks (m, n), and how likely each is (m,)."""
        two = np.sort(said, axis=1)
        order = np.argsort(-(two[:, -1] - two[:, -2]) * np.sqrt(sizes), kind="stable")
        ways = np.full((1, len(said)), -1)
        fits, clashes = np.zeros(1), np.zeros(1)
        for group in order:
            ranks = np.flatnonzero(said[group] > FAINT)
            same = ways[:, None, :] == ranks[None, :, None]
            nearest = np.where(same, pairs[group], -np.inf).max(axis=2)
            nearest = np.where(np.isfinite(nearest), nearest, 0.0)
            fit = (fits[:, None] + said[group, ranks] + nearest.clip(0, None)).ravel()
            clash = (clashes[:, None] + nearest.clip(None, 0)).ravel()
            best = np.argsort(-(fit + clash.clip(HOPELESS, None)), kind="stable")[:BEAM]
            ways = ways[best // len(ranks)]
            ways[:, group] = ranks[best % len(ranks)]
            fits, clashes = fit[best], clash[best]
        total = fits + np.logaddexp(clashes, [self._mixed(way, pairs, sizes) for way in ways])
        return ways, _shares(total)

    def _mixed(self, way: npt.NDArray[np.int_], pairs: Logarithms, sizes: npt.NDArray[np.int_]) -> float:
        """How likely (a logarithm) two decks are, when the ranks are dealt out so: each sign came from one of them."""
        again = 0
        for rank in np.unique(way):
            groups = np.flatnonzero(way == rank)
            if pairs[np.ix_(groups, groups)].min() > UNLIKE:
                again += int(sizes[groups].sum()) - 1
        return math.log(self._settings.mixed) - again * math.log(2)


def _go_together(one: Logarithms, other: Logarithms, least: float) -> bool:
    """Whether two may be of one rank, by what they are read as: at least so much is given to the other's rank."""
    mine, theirs = _shares(one), _shares(other)
    first, second = int(mine.argmax()), int(theirs.argmax())
    return first == second or bool(max(mine[second], theirs[first]) >= least)


def _shares(logarithms: Logarithms) -> Logarithms:
    """Logarithms as shares of 1."""
    powers = np.exp(logarithms - logarithms.max())
    return np.asarray(powers / powers.sum())
