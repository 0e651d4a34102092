"""A record as people write it: wrong lines among the right ones, and what takes them back; or only its second half."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.referee.naive import Game, full_deck

FACES = sorted(set(full_deck("108")))
SLIPS = ["1 R7", "2 W>G", "2 draw", "1 pass", "2 uno", "1 catch 2", "2 challenge", "1 colour B", "void", "leave 2"]


def corrected(lines: list[str], above: int, random: Random, slips: float = 0.25) -> list[str]:
    """The same match as `lines`, written with slips that are put right; `above` lines of header stand before them."""
    page = Page(above, random)
    for line in lines:
        if random.random() < slips:
            random.choice(WAYS)(page, line)
        else:
            page.write(line)
    return page.finished()


class Page:
    """What is written so far, and the misreadings that somebody has still to notice."""

    def __init__(self, above: int, random: Random) -> None:
        self.above, self.random = above, random
        self.lines: list[str] = []
        self.noticed: list[tuple[int, str]] = []
        """After how many lines somebody notices, and the amendment."""

    def write(self, line: str) -> int:
        """One line more; its number in the file. What is due to be noticed is put right behind it."""
        self.lines.append(line)
        number = self.above + len(self.lines)
        due = [amendment for when, amendment in self.noticed if when <= len(self.lines)]
        self.noticed = [(when, amendment) for when, amendment in self.noticed if when > len(self.lines)]
        self.lines += due
        return number

    def correct_later(self, amendment: str) -> None:
        """The next line that is written, or one some lines on, will be followed by it."""
        self.noticed.append((len(self.lines) + self.random.choice((0, 1, 1, 2, 5)), amendment))

    def finished(self) -> list[str]:
        """All lines, and what nobody has noticed yet."""
        return self.lines + [amendment for _, amendment in self.noticed]


def undone(page: Page, line: str) -> None:
    """Something that never was, taken back at once."""
    page.lines += [page.random.choice(SLIPS), "undo"]
    page.write(line)


def undone_twice(page: Page, line: str) -> None:
    """Two lines that never were; the first may have been right, only too early."""
    page.lines += [line, page.random.choice(SLIPS), "undo", "undo"]
    page.write(line)


def misread(page: Page, line: str) -> None:
    """Another card than it was, or no card at all, noticed some lines later."""
    seat, card = line.split()[:2]
    if not is_card(card):
        undone(page, line)
        return
    number = page.above + len(page.lines) + 1
    wrong = page.random.choice(FACES) if page.random.random() < 0.7 or "uno" in line else "draw"
    page.lines.append(line.replace(card, wrong, 1) if wrong != "draw" else f"{seat} draw")
    page.correct_later(f"amend {number} {card}")


def misread_twice(page: Page, line: str) -> None:
    """Corrected wrongly, and the correction corrected."""
    card = line.split()[1]
    number = page.write(line)
    if is_card(card):
        page.lines += [f"amend {number} {page.random.choice(FACES)}", f"amend {number} {card}"]


def corrected_for_nothing(page: Page, line: str) -> None:
    """It was right, somebody amends it all the same and takes that back; and a line further up, too."""
    number = page.write(line)
    for about in (number, page.random.randint(page.above + 1, number)):
        page.lines += [f"amend {about} {page.random.choice(FACES)}", "undo"]


WAYS: list[Callable[[Page, str], None]] = [undone, undone_twice, misread, misread, misread_twice, corrected_for_nothing]


def is_card(word: str) -> bool:
    """Whether a word of a line is a card laid."""
    return word.split(">")[0] in (*FACES, "WS", "WC")


def taken_up(game: Game) -> tuple[list[str], list[str]]:
    """The header of a position of `game` about a third through it, and the lines from there on."""
    place = next(place for place in range(len(game.lines) // 3, len(game.lines)) if is_quiet(game, place))
    truth = game.truths[place]
    position = {
        "Top": truth["top"],
        "Direction": truth["direction"],
        "Turn": truth["turn"],
        "Counts": ",".join(map(str, truth["counts"])),  # type: ignore[call-overload]
        "Scores": ",".join(map(str, truth["scores"])),  # type: ignore[call-overload]
        "DrawPile": game.piles[place],
    }
    return game.header() + [f'[{key} "{value}"]' for key, value in position.items()], game.lines[place + 1 :]


def is_quiet(game: Game, place: int) -> bool:
    """Whether nothing is open after a line: a plain card was laid and nobody holds only one."""
    words, truth = game.lines[place].split(), game.truths[place]
    return words[1][-1].isdigit() and is_card(words[1]) and words[1] != "W4" and 1 not in truth["counts"]  # type: ignore[operator]
