"""What goes wrong is told in the language of the settings, whichever room found it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from service import cli
from service.language import languages, load_language
from service.refusals import in_language
from vision.cameras import _silent_stream

ROOMS = {"vision": {"SourceError", "WeightsError", "DeckError"}, "service": {"EarsError"}}
OTHERS = [code for code in languages() if code != "en"]


def raised() -> Iterator[tuple[str, str]]:
    """Where these errors are raised, and their sentences with something in each gap."""
    for room, kinds in ROOMS.items():
        for file in Path(room).glob("*.py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                call = node.exc if isinstance(node, ast.Raise) else None
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in kinds:
                    yield f"{file}:{call.lineno}", sentence(call.args[0])


def sentence(node: ast.expr) -> str:
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    return "".join(str(part.value) if isinstance(part, ast.Constant) else "x7" for part in parts)


def test_every_sentence_of_eyes_and_ears_is_told_in_every_language() -> None:
    found = {where: text for where, text in raised() if text != "x7"}  # those are of elsewhere
    assert len(found) > 30
    found |= {url: _silent_stream(url) for url in ("rtsp://10.0.0.9/a", "rtsp://me:secret@10.0.0.9/a")}
    untold = {where: text for where, text in found.items() for lang in OTHERS if in_language(text, lang) == text}
    assert not untold
    gaps = {where for where, text in found.items() if text.count("x7") != in_language(text, "da").count("x7")}
    assert not gaps, "names and numbers stay in them"


def test_no_sentence_is_taken_for_another() -> None:
    for key, text in load_language("en").find("refused").items():
        filled = text.replace("{", "").replace("}", "")
        wanted = load_language("de").text(f"refused.{key}").replace("{", "").replace("}", "")
        assert in_language(filled, "de") == wanted, key


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["learn-deck", "zoo", "--source", "nowhere", "--lang", "nl"], "Er is geen bestand of map nowhere: geef een "),
        (
            ["decks", "--remove", "zoo", "--settings", "SET"],
            "Il n’y a pas de jeu de cartes zoo ; aucun n’est appris.",
        ),
        (["read", "gone.png", "--settings", "SET"], "Impossible de lire gone.png : N’existe pas."),
        (["watch", "gone.mp4", "--settings", "SET"], "Il n’y a ni fichier ni dossier gone.mp4 : indiquez "),
        (["replay", "gone.trn"], "gone.trn cannot be read: No such file or directory."),
        (["read", "gone.png", "--settings", "no.toml"], "no.toml: there is no such settings file"),
    ],
)
def test_commands_tell_it_so(
    arguments: list[str],
    told: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TABLEREF_DATA_DIR", str(tmp_path / "data"))
    (tmp_path / "settings.toml").write_text('lang = "fr"\n', encoding="utf-8")
    arguments = [str(tmp_path / "settings.toml") if one == "SET" else one for one in arguments]
    assert cli.main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith(f"tableref: {told}") and err.count("\n") == 1
