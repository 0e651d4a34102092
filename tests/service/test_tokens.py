"""Who somebody is: tokens that last over evenings, lie where only their owner reads, and show in no log."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from service.sentences import Refusal
from service.tokens import FILE_NAME, HOST, SEATS, VIEWER, Tokens, Who


def test_each_token_is_somebody_s(tmp_path: Path) -> None:
    tokens = Tokens.kept_in(tmp_path)
    assert tokens.who(tokens.host) == HOST and tokens.who(tokens.look) == VIEWER
    assert [tokens.who(token) for token in tokens.seats] == [Who("seat", seat) for seat in range(1, SEATS + 1)]
    assert len({tokens.host, tokens.look, *tokens.seats}) == SEATS + 2
    for nobody in ("", tokens.host[:-1], f"{tokens.host} ", tokens.host.swapcase(), "\ud800", "ü" * 32):
        assert tokens.who(nobody) is None


def test_they_last_until_new_ones_are_wanted(tmp_path: Path) -> None:
    first = Tokens.kept_in(tmp_path / "new folder")
    assert Tokens.kept_in(tmp_path / "new folder") == first
    anew = Tokens.kept_in(tmp_path / "new folder", anew=True)
    assert anew.who(first.host) is None and Tokens.kept_in(tmp_path / "new folder") == anew


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps the folder of a user to the user, not the file")
def test_only_their_owner_reads_them(tmp_path: Path) -> None:
    Tokens.kept_in(tmp_path)
    file = tmp_path / FILE_NAME
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.chmod(0o644)
    Tokens.kept_in(tmp_path)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [FILE_NAME]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"host": "a"}', json.dumps({"host": "", "look": "", "seats": [""] * 10})]
)
def test_a_file_that_holds_none_is_written_anew(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE_NAME).write_text(text)
    tokens = Tokens.kept_in(tmp_path)
    assert len(tokens.host) >= 32 and Tokens.kept_in(tmp_path) == tokens


def test_they_show_in_no_text(tmp_path: Path) -> None:
    tokens = Tokens.kept_in(tmp_path)
    assert tokens.host not in f"{tokens!r} {tokens}"


def test_a_folder_that_takes_none_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Refusal, match="choose another data_dir"):
        Tokens.kept_in(tmp_path / "file")
