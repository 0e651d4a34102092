"""The `tableref` command: what it understands, and how anything that went wrong is said.

Results go to standard output and nothing else does; a failure is one sentence on standard error. Exit codes: 0 done,
1 a check or comparison failed, 2 bad input or environment. Each command lives in a module of its own that is imported
when it is called, so that `tableref replay` never waits for the camera's libraries.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NoReturn, TypeAlias

from service import logs
from service.start import leave
from service.version import VERSION

SETTINGS_FILE: Final = "settings file (default: the one in your configuration folder)"

Command = Callable[[argparse.Namespace], int]

COMMANDS: Final = {
    "run": "service.cli_table:run",
    "demo": "service.cli_table:demo",
    "read": "service.cli_read:read",
    "replay": "service.cli_records:replay",
    "watch": "service.cli_films:watch",
    "simulate": "service.cli_films:simulate",
    "matches": "service.cli_records:matches",
    "export": "service.cli_records:export",
    "learn-deck": "service.cli_decks:learn_deck",
    "decks": "service.cli_decks:decks",
    "print-cards": "service.cli_cards:print_cards",
    "doctor": "service.cli_doctor:doctor",
}

# Errors that are one sentence for a person already. Only a module that is loaded can have raised its own.
SENTENCES: Final = (
    ("service.sentences", "Refusal"),
    ("service.settings", "SettingsError"),
    ("service.store", "StoreError"),
    ("service.language", "PhraseError"),
    ("referee.options", "SettingsError"),
    ("referee.record", "RecordError"),
    ("vision.frames", "SourceError"),
    ("vision.networks", "WeightsError"),
    ("vision.decks", "DeckError"),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code."""
    options = parser().parse_args(arguments)
    logs.set_up()
    with contextlib.suppress(AttributeError):
        sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        carry_out = command(options.command)
        if signal.getsignal(signal.SIGINT) is leave:  # everything is loaded now, and can be put away in order
            signal.signal(signal.SIGINT, signal.default_int_handler)
        code = carry_out(options)
        if sys.stdout is not None:  # closed by who started the command
            sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return 0 if options.command in ("run", "demo") else 130
    except BrokenPipeError:
        # The reader of a pipe has seen enough; Python would complain once more when it closes standard output.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except known_errors() as error:
        complain(str(error), language_of(options))
        return 2
    except OSError as error:
        # The system refuses what no command expects it to: a full disk, a device that went away.
        sentence = f"{error.filename or 'the system'}: {error.strerror or error}; put that right and try again."
        complain(sentence, language_of(options))
        return 2


def command(name: str) -> Command:
    """The function that carries out the command `name`."""
    module, _, function = COMMANDS[name].partition(":")
    found: Command = getattr(importlib.import_module(module), function)
    return found


def known_errors() -> tuple[type[Exception], ...]:
    """The errors of the loaded modules whose text is a sentence for a person."""
    found = (getattr(sys.modules.get(module), name, None) for module, name in SENTENCES)
    return tuple(kind for kind in found if isinstance(kind, type))


def complain(sentence: str, lang: str) -> None:
    """One sentence on standard error, in the language `lang` where that has it."""
    from service.refusals import in_language
    from service.sentences import one_line

    print(f"tableref: {one_line(in_language(sentence, lang))}", file=sys.stderr)


def language_of(options: argparse.Namespace) -> str:
    """The language of this run; English where the settings cannot tell."""
    from service import settings

    try:
        return settings.load({"lang": getattr(options, "lang", None)}, file=getattr(options, "settings", None)).lang
    except (settings.SettingsError, OSError):
        return "en"


class Parser(argparse.ArgumentParser):
    """Refuses in one sentence, as everything here does."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and where help is, and end with 2."""
        from service.sentences import one_line

        self.exit(2, f"{self.prog}: {one_line(message)}; see {self.prog} --help\n")


def parser() -> argparse.ArgumentParser:
    """All commands with their options."""
    top = Parser(prog="tableref", description="The referee at a real card table.", allow_abbrev=False)
    top.add_argument("--version", action="version", version=f"tableref {VERSION}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_table(commands)
    _add_read(commands)
    _add_records(commands)
    _add_films(commands)
    _add_cards(commands)
    _add_decks(commands)
    doctor = _add(commands, "doctor", "what works on this computer, and what to do about what does not")
    doctor.add_argument("--port", type=int, help="the port to look at (default: that of the settings)")
    doctor.add_argument(
        "--camera",
        nargs="?",
        const="",
        metavar="SOURCE",
        help="also where the camera should go",
    )
    doctor.add_argument("--lang", help="what the findings are told in (default: that of the settings)")
    doctor.add_argument("--json", action="store_true", help="one JSON list, for programs")
    return top


Commands: TypeAlias = "argparse._SubParsersAction[Parser]"


def _add(commands: Commands, name: str, about: str) -> Parser:
    return commands.add_parser(name, help=about, description=about[0].upper() + about[1:] + ".", allow_abbrev=False)


def _add_table(commands: Commands) -> None:
    run = _add(commands, "run", "camera, referee, voice and displays: the main job")
    run.add_argument("--source", help="camera:N, a video file, a URL, a folder of pictures, or demo (default camera:0)")
    run.add_argument("--counting", metavar="SOURCE", help="a second camera, over the place where hands are counted")
    run.add_argument("--players", help='names in seat order, clockwise: "Anna,Bram"')
    run.add_argument("--dealer", type=int, metavar="SEAT", help="who deals first (else told on the setup page)")
    run.add_argument("--rules", type=Path, help="a file with the match settings, as the header of a record")
    run.add_argument("--record", type=Path, help="write the record of the match into this file as it grows")
    run.add_argument("--deck", metavar="NAME", help="a deck that was learnt (tableref learn-deck)")
    _add_serving(run)
    demo = _add(commands, "demo", "a filmed game that ships with the program, through the real pipeline")
    _add_serving(demo)
    demo.add_argument("--once", action="store_true", help="end when the film ends, instead of showing its last state")
    demo.add_argument("--record", type=Path, help="write the record of the game into this file")


def _add_serving(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--ears", choices=("off", "push", "wake"), help="spoken commands (extra `ears`; default off)")
    parser.add_argument("--ears-source", metavar="WAV", help="a WAV file to hear instead of the microphone")
    parser.add_argument(
        "--ears-model", type=Path, metavar="FOLDER", help="a Vosk model, for other languages than English"
    )
    parser.add_argument(
        "--keys", choices=("auto", "line", "off"), default="auto", help="single keys of this terminal, or whole lines"
    )
    parser.add_argument("--lang", help="language of voice and pages")
    parser.add_argument("--port", type=int, help="port of pages and API (default 8765)")
    parser.add_argument("--mute", action="store_const", const=True, help="captions only, no sound")
    parser.add_argument("--lan", action="store_const", const=True, help="open pages and API to the network, by tokens")
    parser.add_argument("--look", choices=("open", "token"), help="with --lan: who may look (default open)")
    parser.add_argument("--allow-host", action="append", metavar="NAME", help="one more name that the pages go by")
    parser.add_argument("--new-tokens", action="store_true", help="end all links that were given out before")
    parser.add_argument("--log-json", action="store_const", const=True, help="the log as JSON lines, for programs")
    parser.add_argument("--print-settings", action="store_true", help="print the settings of this run, and end")
    parser.add_argument("--no-browser", action="store_true", help="do not open a page")
    parser.add_argument("--settings", type=Path, help=SETTINGS_FILE)


def _add_read(commands: Commands) -> None:
    read = _add(commands, "read", "which cards are in these pictures")
    read.add_argument("images", nargs="+", type=Path, metavar="IMAGE", help="picture file, or a folder of them")
    read.add_argument("--json", action="store_true", help="one JSON list, for programs")
    read.add_argument("--draw", type=Path, metavar="DIR", help="write the pictures, cards outlined, into this folder")
    read.add_argument("--points", action="store_true", help="also the points, as of a hand at the end of a round")
    read.add_argument("--deck", metavar="NAME", help="a deck that was learnt (tableref learn-deck)")
    read.add_argument("--settings", type=Path, help=SETTINGS_FILE)


def _add_records(commands: Commands) -> None:
    replay = _add(commands, "replay", "judge game records")
    replay.add_argument("records", nargs="+", type=Path, metavar="FILE.trn", help="record file")
    replay.add_argument("--json", action="store_true", help="one JSON object per record, for programs")
    matches = _add(commands, "matches", "the stored matches")
    matches.add_argument("--json", action="store_true", help="one JSON list, for programs")
    export = _add(commands, "export", "a stored match as a file")
    export.add_argument("match", help="its number, as `tableref matches` lists it")
    export.add_argument("--format", choices=("trn", "json", "csv"), default="trn", help="default trn, the game record")
    for parser in (matches, export):
        parser.add_argument("--settings", type=Path, help=SETTINGS_FILE)


def _add_cards(commands: Commands) -> None:
    cards = _add(commands, "print-cards", "command cards and the key card, to print and cut")
    cards.add_argument("--out", type=Path, metavar="CARDS.pdf", help="the PDF to write")
    cards.add_argument("--lang", help="language of the cards")
    cards.add_argument("--paper", choices=("a4", "letter"), default="a4", help="default a4")
    cards.add_argument("--keys", action="store_true", help="print the keys as text")
    cards.add_argument("--settings", type=Path, help=SETTINGS_FILE)


def _add_decks(commands: Commands) -> None:
    learn = _add(commands, "learn-deck", "remember how the cards of a deck look, from showing each once")
    learn.add_argument("name", help="what the deck is to be called")
    learn.add_argument("--source", help="camera:N, a film, or a folder of pictures (R7.jpg, back.jpg, or in order)")
    learn.add_argument("--order", metavar="CARDS", help='in which order, "R0,R1,back" (default: the classic 54)')
    learn.add_argument("--lang", help="language of the prompts")
    learn.add_argument("--mute", action="store_const", const=True, help="print the prompts, do not say them")
    decks = _add(commands, "decks", "the learnt decks")
    decks.add_argument("--remove", metavar="NAME", help="forget this one")
    decks.add_argument("--json", action="store_true", help="one JSON list, for programs")
    for parser in (learn, decks):
        parser.add_argument("--settings", type=Path, help=SETTINGS_FILE)


def _add_films(commands: Commands) -> None:
    watch = _add(commands, "watch", "the pipeline without people: a video in, a record out")
    watch.add_argument("video", metavar="VIDEO", help="video file or folder of pictures")
    watch.add_argument("--record", type=Path, metavar="OUT.trn", help="write the record here (default: print it)")
    watch.add_argument("--players", help='names or number of the players: "Anna,Bram" or 4 (default 2)')
    watch.add_argument("--dealer", type=int, default=1, metavar="SEAT", help="who deals first (default 1)")
    watch.add_argument("--debug", type=Path, metavar="OUT.mp4", help="draw what was seen and believed, and why")
    watch.add_argument("--words", type=Path, metavar="TRUE.trn", help="a record whose words (colours, calls) are said")
    watch.add_argument("--deck", metavar="NAME", help="a deck that was learnt (tableref learn-deck)")
    watch.add_argument("--settings", type=Path, help=SETTINGS_FILE)
    watch.add_argument("--json", action="store_true", help="the judged record as one JSON object, for programs")
    simulate = _add(commands, "simulate", "film a legal random game on a virtual table, with its truth")
    simulate.add_argument("--seed", type=int, default=1, help="another number, another game (default 1)")
    simulate.add_argument("--players", type=int, default=2, help="2 to 10 (default 2)")
    simulate.add_argument("--video", type=Path, required=True, metavar="OUT.mp4", help="the film")
    simulate.add_argument("--record", type=Path, required=True, metavar="OUT.trn", help="its true record")
    simulate.add_argument("--truth", type=Path, metavar="OUT.jsonl", help="what is true of every frame, as JSON lines")
    simulate.add_argument("--troubles", default="none", help="what goes wrong, by comma; all; another word lists them")
    simulate.add_argument("--mode", choices=("points", "elimination", "teams"), default="points", help="default points")
    simulate.add_argument("--size", default="1280x720", help="of the pictures (default 1280x720)")
    simulate.add_argument("--rate", type=float, default=12.0, help="frames a second, 1 to 60 (default 12)")
    simulate.add_argument("--light", type=float, default=1.0, help="of the room, 0.2 to 1.5 (default 1)")


if __name__ == "__main__":
    sys.exit(main())
