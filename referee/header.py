"""The header of a record as settings of a match, and back: one table each way (docs/record.md, Header)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from referee.cards import Card, Colour
from referee.options import Effect, MatchSettings, Options, SettingsError, whole_number


def settings_of(header: Mapping[str, str]) -> MatchSettings:
    """The settings that a header notes; keys it does not know are left alone, bad values raise SettingsError."""
    given: dict[str, Any] = {name: read(key, header[key]) for key, (name, read) in READERS.items() if key in header}
    if header.get("Top") == UNSEEN:
        given["top_unknown"] = True
    if "players" not in given:
        given["players"] = _players_of_a_position(given)
    return MatchSettings(**given)


def header_of(settings: MatchSettings) -> dict[str, str]:
    """The header that notes `settings`; what has its default is left out, but for the players."""
    written = {key: write(settings) for key, write in WRITERS.items()}
    return {key: text for key, text in written.items() if text}


def header_lines(settings: MatchSettings) -> tuple[str, ...]:
    """The same as the lines of a record."""
    return tuple(f'[{key} "{text}"]' for key, text in header_of(settings).items())


UNSEEN: Final = "??"


def _players_of_a_position(given: Mapping[str, Any]) -> tuple[str, ...]:
    listed = given.get("counts") or given.get("scores")
    if not listed:
        raise SettingsError("Players", "expected the names of the players in seat order, by ;")
    return tuple(f"Seat {seat}" for seat in range(1, len(listed) + 1))


def _text(key: str, text: str) -> str:
    return text


def _names(key: str, text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(";"))


def _numbers(key: str, text: str) -> tuple[int, ...]:
    return tuple(whole_number(key, part.strip()) for part in text.split(","))


def _card(key: str, text: str) -> Card | None:
    if text == UNSEEN:
        return None
    try:
        return Card.parse(text)
    except ValueError as error:
        raise SettingsError(key, str(error)) from None


def _colour(key: str, text: str) -> Colour:
    try:
        return Colour(text)
    except ValueError:
        raise SettingsError(key, f"expected R, Y, G or B, not {text!r}") from None


READERS: Final[Mapping[str, tuple[str, Callable[[str, str], object]]]] = {
    "Deck": ("deck", _text),
    "Mode": ("mode", _text),
    "Target": ("target", whole_number),
    "Players": ("players", _names),
    "Dealer": ("dealer", whole_number),
    "Options": ("options", lambda key, text: Options.parse(text)),
    "Custom": ("custom", lambda key, text: tuple(Effect.parse(part) for part in text.split(";") if part.strip())),
    "Date": ("date", _text),
    "Site": ("site", _text),
    "Top": ("top", _card),
    "Colour": ("colour", _colour),
    "Direction": ("direction", whole_number),
    "Turn": ("turn", whole_number),
    "Counts": ("counts", _numbers),
    "Scores": ("scores", _numbers),
    "DrawPile": ("draw_pile", whole_number),
}


def _or_nothing(value: object) -> str:
    return "" if value is None else str(value)


WRITERS: Final[Mapping[str, Callable[[MatchSettings], str]]] = {
    "Deck": lambda s: s.deck if s.deck != "108" else "",
    "Mode": lambda s: s.mode if s.mode != "points" else "",
    "Target": lambda s: str(s.target) if s.target != 500 else "",
    "Players": lambda s: ";".join(s.players),
    "Dealer": lambda s: _or_nothing(s.dealer),
    "Options": lambda s: str(s.options),
    "Custom": lambda s: ";".join(map(str, s.custom)),
    "Date": lambda s: s.date,
    "Site": lambda s: s.site,
    "Top": lambda s: UNSEEN if s.top_unknown else _or_nothing(s.top),
    "Colour": lambda s: _or_nothing(s.colour),
    "Direction": lambda s: str(s.direction) if s.direction != 1 else "",
    "Turn": lambda s: _or_nothing(s.turn),
    "Counts": lambda s: ",".join(map(str, s.counts or ())),
    "Scores": lambda s: ",".join(map(str, s.scores or ())),
    "DrawPile": lambda s: _or_nothing(s.draw_pile),
}
