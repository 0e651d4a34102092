"""The README says what is so: its sessions run, its commands and make targets exist."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from referee.record import parse, replay
from service.cli import COMMANDS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")


def test_sessions_run_as_written() -> None:
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False, encoding="utf-8")
    assert tried and not failed


def test_the_table_of_commands_is_the_program() -> None:
    section = README[README.index("## Commands") : README.index("## The local API")]
    cells = re.findall(r"^\| (`[^|]*`) \|", section, re.MULTILINE)
    assert sorted(name for cell in cells for name in re.findall(r"`([\w-]+)", cell)) == sorted(COMMANDS)


def test_the_game_in_it_is_a_legal_game() -> None:
    block = re.search(r"(?:^    [\[\w].*\n)+", README[README.index("The game record") :], re.MULTILINE)
    assert block
    record = parse(re.sub("^    ", "", block[0], flags=re.MULTILINE))
    assert len(record.lines) > 5
    assert {ruling.key for _, ruling in replay(record).rulings} & {"cannot_be_played", "census"} == set()


@pytest.mark.parametrize("target", re.findall(r"^[$] make ([\w-]+)", README, re.MULTILINE))
def test_make_targets_exist(target: str) -> None:
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)


def test_linked_files_exist() -> None:
    links = {link for link in re.findall(r"\]\(([^)#]+)\)", README) if "://" not in link}
    assert {link for link in links if not (ROOT / link).exists()} == set()
