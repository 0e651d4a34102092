"""`tableref print-cards`: command cards and the key card as a PDF."""

from __future__ import annotations

import argparse
from pathlib import Path

from service import settings as configuration
from service.commands import key_lines
from service.language import load_language
from service.opening import sayable
from service.sentences import Refusal
from service.sheets import Sheets


def print_cards(options: argparse.Namespace) -> int:
    """Write the sheets, or print the keys as text; Refusal when the file cannot be written."""
    language = load_language(configuration.load({"lang": options.lang}, file=options.settings).lang)
    if options.out is not None:
        _may_become_sheets(options.out)
    if options.keys:
        print("\n".join([*key_lines(language), language.text("opening.keys"), sayable(language)]))
    if options.out is not None:
        _write(options.out, Sheets(language, options.paper).pdf())
        print(language.text("cli.cards", path=options.out))
    elif not options.keys:
        raise Refusal("Give the file to write: tableref print-cards --out cards.pdf")
    return 0


def _may_become_sheets(path: Path) -> None:
    """Refusal before the sheets are drawn when `path` is in no folder, or is one."""
    try:
        has_folder, is_folder = path.absolute().parent.is_dir(), path.is_dir()
    except OSError as error:
        raise Refusal(f"{path} cannot be written: {error.strerror or error}.") from None
    if not has_folder:
        raise Refusal(f"{path}: there is no folder {path.parent}; make it, or name another file.")
    if is_folder:
        raise Refusal(f"{path} is no file; name one for the sheets.")


def _write(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        raise Refusal(f"{path} cannot be written: {error.strerror or error}.") from None
