"""`tableref run` and `demo`: a table with its camera, and the film that shows what it does."""

from __future__ import annotations

import argparse
import contextlib
import logging
import re
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from referee.events import Play
from referee.header import settings_of
from referee.options import MatchSettings
from referee.record import Record, parse, parse_rules, plain, replay
from service import logs
from service import settings as configuration
from service.audible import may_speak
from service.cli_decks import remembered
from service.cli_records import read_text
from service.kept import Kept
from service.outputs import may_become_a_record
from service.run import Evening, open_door
from service.sentences import Refusal
from service.settings import Settings
from service.tokens import Tokens, write_private
from service.voices import id_of
from service.watching import Prompter, Watcher
from vision.eyes import Eyes
from vision.frames import Source, open_source
from vision.sight import Sight

log = logging.getLogger(__name__)

EARS: Final = ("ears", "ears_source", "ears_model")
FILMED: Final = ("players", "rules", "dealer", "deck")
"""Options of `run` that a film with its own truth leaves no choice in."""
DEMO: Final = Path(__file__).parent / "demo"
LINKS: Final = "links.txt"
WORDS_AT_THE_END: Final = 10.0
"""Seconds that the voice may still speak when a demo ends by itself."""


def run(options: argparse.Namespace) -> int:
    """Referee the table under the camera until interrupted."""
    settings = settings_from(options)
    if options.print_settings:
        return print_settings(settings)
    if settings.source == "demo":
        return show(settings, options)
    may_speak(settings)
    match = match_from(options)
    if options.record is not None:
        may_become_a_record(options.record)
    door = open_door(settings.port, lan=settings.lan)
    with contextlib.ExitStack() as closing:
        closing.callback(door.close)
        source = open_source(settings.source, pace="live")
        closing.callback(source.close)
        place = open_source(settings.counting, pace="live") if settings.counting else None
        if place is not None:
            closing.callback(place.close)
        sight = Eyes.for_table(remembered(settings))
        evening = closing.enter_context(Evening.open(settings, door, settings.database))
        if place is not None:
            evening.count_at(place)
        referee(evening, match, source, sight, options)
    return 0


def referee(
    evening: Evening, match: MatchSettings | None, source: Source, sight: Sight, options: argparse.Namespace
) -> None:
    """Everything between the opening and the closing of an evening."""
    if match is not None:
        evening.play(match)
    if options.record is not None:
        evening.record(options.record)
    watcher = evening.watch(source, sight)
    threading.Thread(target=_tell_of_the_end, args=(evening, watcher), daemon=True).start()
    evening.table.notice("welcome")
    evening.open_ears(evening.desk.settings)
    evening.listen_to_keys(options.keys)
    if match is None:
        evening.desk.commands.opening.goes_on()
    print_links(evening)
    evening.serve(None if options.no_browser else "/setup")


def _tell_of_the_end(evening: Evening, watcher: Watcher) -> None:
    watcher.ended.wait()
    if not watcher.failed and not watcher.stopped:
        evening.table.view_over()


@dataclass(frozen=True, slots=True)
class Film:
    """A film of a game with its true record."""

    video: Path
    truth: Record

    @classmethod
    def load(cls, folder: Path = DEMO) -> Film:
        """The film that ships with the program; Refusal when it is missing."""
        video, record = folder / "demo.mp4", folder / "demo.trn"
        for path in (video, record):
            if not path.is_file():
                raise Refusal(f"The film {path.name} is missing: install Tableref again, or use --source camera:0.")
        return cls(video, parse(record.read_text(encoding="utf-8"), record.name))


def demo(options: argparse.Namespace) -> int:
    """Play the shipped film through the real pipeline; 1 when the record differs from the truth."""
    settings = settings_from(options)
    if options.print_settings:
        return print_settings(settings)
    return show(settings, options)


def show(settings: Settings, options: argparse.Namespace) -> int:
    """The demo of `demo` and of `run --source demo`; Refusal for options that would say what its film says already."""
    for name in FILMED:
        if getattr(options, name, None) is not None:
            raise Refusal(f"--{name} cannot be told to the demo: its film has players, rules and cards of its own.")
    may_speak(settings)
    film = Film.load()
    if options.record is not None:
        may_become_a_record(options.record)
    door = open_door(settings.port, lan=settings.lan)
    with contextlib.ExitStack() as closing:
        closing.callback(door.close)
        sight = Eyes.for_table()
        folder = closing.enter_context(tempfile.TemporaryDirectory(prefix="tableref-", ignore_cleanup_errors=True))
        evening = closing.enter_context(Evening.open(settings, door, Path(folder) / "demo.sqlite"))
        showing = Showing(evening, film, once=getattr(options, "once", False))
        source = open_source(str(film.video), pace="shown")
        showing.begin(source, sight, options.record)
        evening.open_ears(settings)
        evening.listen_to_keys(options.keys)
        print_links(evening)
        with contextlib.suppress(KeyboardInterrupt):
            evening.serve(None if options.no_browser else "/display")
        return 1 if showing.equal is False else 0


class Showing:
    """One showing of a film: plays it, lets its people speak, and compares the stored record with the truth."""

    def __init__(self, evening: Evening, film: Film, once: bool) -> None:
        self._evening, self._film, self._once = evening, film, once
        self.equal: bool | None = None
        """Whether the record came out as the truth; None until the film is over."""

    def begin(self, source: Source, sight: Sight, record: Path | None = None) -> None:
        """Start the film that comes from `source`; it goes on in threads of its own."""
        self._evening.table.new_match(self._film.truth.settings)
        if record is not None:
            self._evening.record(record)
        events = replay(self._film.truth).events
        self._people = Prompter(events, lambda event: self._evening.table.apply(event, source="film"))
        watcher = self._evening.watch(source, sight, self._people.at)
        threading.Thread(target=self._finish, args=(watcher,), name="end of the film", daemon=True).start()

    def _finish(self, watcher: Watcher) -> None:
        watcher.ended.wait()
        if watcher.stopped:
            return
        self._people.finish()
        self._evening.table.view_over(told=False)
        desk = self._evening.desk
        match = desk.table.match
        assert match is not None
        stored = parse(desk.store.load(match), f"match {match}")
        self.equal = plain(stored) == plain(self._film.truth)
        for line in verdict(stored, self._film.truth):
            print(line, flush=True)
        if self._once:
            self._evening.voice.wait(WORDS_AT_THE_END)
            self._evening.end()


def verdict(stored: Record, truth: Record) -> Iterator[str]:
    """What is said of a record held against the truth: one line when they are equal, else also what differs."""
    read, real = plain(stored), plain(truth)
    plays = sum(isinstance(event, Play) for event in replay(truth).events)
    yield f"record equals its truth: {'yes' if read == real else 'no'} ({plays} plays)"
    if read != real:
        place = next(
            (at for at, (a, b) in enumerate(zip(read, real, strict=False)) if a != b), min(len(read), len(real))
        )
        for name, lines in (("read", read), ("truth", real)):
            yield f"  {name}: {'; '.join(lines[place : place + 3]) or 'nothing more'} (from event {place + 1})"


def settings_from(options: argparse.Namespace) -> Settings:
    """The settings of this run: the flags of the command before everything else."""
    names = ("source", "deck", "lang", "port", "mute", "lan", "look", "allow_host", "log_json", *EARS)
    given = {name: getattr(options, name, None) for name in names}
    settings = configuration.load(given, file=options.settings)
    logs.set_up(as_json=settings.log_json)
    if _lost_its_voice(settings):
        settings = configuration.load(given, file=options.settings)
    if options.new_tokens:
        Tokens.kept_in(settings.data_dir, anew=True)
    return settings


def _lost_its_voice(settings: Settings) -> bool:
    """Whether the voice that was chosen on the host's page is gone since; it is forgotten then, and nobody refused."""
    kept = Kept(settings.data_dir)
    if settings.voice is None or kept.speaking.get("voice") != id_of(settings.voice):
        return False
    try:
        may_speak(settings)
    except Refusal as error:
        kept.forget("voice")
        log.warning("what was chosen on the host's page is forgotten: %s", error)
        return True
    return False


def print_settings(settings: Settings) -> int:
    """The settings as a file that would give them; what is unset is left out."""
    print(configuration.as_toml(settings), end="")
    return 0


def print_links(evening: Evening) -> None:
    """Where the pages are, and with `--lan` the links of all seats and the host's as a QR code.

    What is printed elsewhere than on a terminal is kept by others, such as a journal: there the links go into a file.
    """
    phrases, links = evening.table.phrases, evening.desk.links
    print(phrases.text("cli.ready", url=evening.url), flush=True)
    if links is None or links.tokens is None:
        return
    seats = len(evening.table.state.settings.players) if evening.table.state else 4
    pages = "display", *(f"seat-{seat}" for seat in range(1, seats + 1)), "host"
    told = "".join(f"  {page}: {links.of(page)}\n" for page in pages)
    if not sys.stdout.isatty():
        print(phrases.text("cli.links", path=_kept_links(evening.desk.settings.data_dir, told)), flush=True)
        return
    print(told, end="")
    host = links.of("host")
    assert host is not None
    print(f"{links.terminal(host)}{phrases.text('cli.scan')}", flush=True)


def _kept_links(folder: Path, links: str) -> Path:
    """The file in which the links stand now, for its owner alone; Refusal when it cannot be written."""
    path = folder / LINKS
    try:
        write_private(path, links)
    except OSError as error:
        raise Refusal(f"{path} cannot be written ({error.strerror}); choose another data_dir.") from None
    return path


def match_from(options: argparse.Namespace) -> MatchSettings | None:
    """The match that `--players` and `--rules` ask for; None when they are not given. SettingsError, RecordError."""
    if options.rules is None and options.players is None:
        if getattr(options, "dealer", None) is not None:
            raise Refusal('--dealer needs the players, too: add --players "Anna,Bram".')
        return None
    text = read_text(options.rules) if options.rules else ""
    if options.players is not None:
        names = [name.strip() for name in options.players.split(",")]
        if any(mark in name for name in names for mark in ';"\n'):
            raise Refusal('--players: expected names by comma, without ; and ".')
        players = ";".join(names)
        text = with_players(text, players)
    header = dict(parse_rules(text, str(options.rules or "--players")).header)
    dealer = getattr(options, "dealer", None)
    return settings_of(header if dealer is None else {**header, "Dealer": str(dealer)})


def with_players(rules: str, players: str) -> str:
    """The header `rules` with these players in place of its own."""
    line = f'[Players "{players}"]'
    changed, count = re.subn(r"^\s*\[\s*Players\s.*$", lambda found: line, rules, count=1, flags=re.MULTILINE)
    return changed if count else f"{rules.rstrip()}\n{line}\n".lstrip()
