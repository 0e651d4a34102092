"""Phrase files that somebody edited: what is wrong is named with file, line and key when the file is read."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from service.language import FOLDER, PhraseError, languages, load_language, read_language, read_whole
from service.phrases import Phrases


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        # Lists
        ("opening.toml", r"spelling = .*", 'spelling = ["Alpha", "Bravo"]', "one word for each of the 26 letters"),
        ("opening.toml", r'"Anton", "Bernhard"', '"Anton", "Bern hard"', "by one word, not by 'Bern hard'"),
        ("opening.toml", r'"Anton", "Bernhard"', '"Anton", "anton"', "'anton' is there twice"),
        ("opening.toml", r"names = .*", "names = []", "the list is empty"),
        ("opening.toml", r"names = .*", 'names = ["Anna", " "]', "a text in the list is empty"),
        ("opening.toml", r"names = .*", 'names = ["Anna", 7]', "a list of texts was expected, not ['Anna', 7]"),
        ("opening.toml", r"back = .*", 'back = "terug"', "a list of texts was expected, not 'terug'"),
        ("opening.toml", r"back = .*", 'back = ["ja"]', "'ja' is already said for yes"),
        ("commands.toml", r'words = \["ja".*', 'words = "ja"', "a list of texts was expected, not 'ja'"),
        ("commands.toml", r'words = \["ja".*', "words = []", "the list is empty"),
        ("commands.toml", r'words = \["ja".*', 'words = ["ja; nee"]', "'ja; nee' cannot be said"),
        ("commands.toml", r'words = \["nee".*', 'words = ["JA"]', "'ja' is already said for yes"),
        ("speech.toml", r"special_endings = .*", 'special_endings = "sx"', "a list of texts was expected, not 'sx'"),
        ("speech.toml", r"special_endings = .*", 'special_endings = ["sx"]', "an ending is one small letter"),
        ("speech.toml", r"(?s)words = \[.*?\]", 'words = ["geen"]', "the numbers from 0 to 10 were expected"),
        # Texts
        ("commands.toml", r'name = "Ja"', 'name = "Ja (goed)"', "'Ja (goed)' cannot be said"),
        ("commands.toml", r'name = "Nee"', 'name = "Ja"', "'ja' is already said for yes"),
        ("opening.toml", r"player = .*", 'player = "#{number}"', "'#' cannot be said"),
        ("speech.toml", r"espeak = .*", 'espeak = "xx"', "the speech engine has no voice 'xx'"),
        ("speech.toml", r"espeak = .*", 'espeak = ["nl"]', "a text was expected, not ['nl']"),
        ("cli.toml", r"ready = .*", "ready = 1979-05-27", "a text was expected, not datetime.date"),
        ("cli.toml", r"ready = .*", 'ready = ""', "the text is empty"),
        ("cli.toml", r"ready = .*", 'ready = "{url!r}"', "a gap is a name in braces"),
        ("cli.toml", r"ready = .*", 'ready = "{}"', "a gap is a name in braces"),
        ("cli.toml", r"ready = .*", 'ready = { brief = "a" }', "a text was expected, not a table"),
        ("speech.toml", r"unseen = .*", 'unseen = "{seat}"', "there is no {seat} here"),
        ("speech.toml", r'before = "rode"', 'before = "{x}"', "there is no {x} here"),
        ("speech.toml", r'before = "rode"', 'before = ["x"]', "a text was expected for before"),
        # Tables
        ("speech.toml", r"(?m)^next = .*", "next = {}", "a text, or brief, normal and full were expected, not nothing"),
        ("speech.toml", r"(?m)^next = .*", 'next = { brif = "a" }', "brief, normal and full were expected, not brif"),
        ("speech.toml", r"(?m)^next = .*", 'next = ["a"]', "was expected, not ['a']"),
        ("speech.toml", r"(?m)^guilty = .*", 'guilty = { brief = "a", normal = "{x}" }', "there is no {x} here"),
        ("speech.toml", r"other = .\{n\} kaarten.*", 'others = "x"', "other is missing"),
        ("speech.toml", r"other = .\{n\} kaarten.*", 'other = "x"\ntwo = "x"', "no form 'two' of a noun"),
        ("speech.toml", r"other = .\{n\} kaarten.*", 'other = "{cards}"', "there is no {cards} here; there are {n}"),
        ("speech.toml", r'(?m)^7 = "zeven"', '7 = { name = "zeven" }', "a text, or name and form were expected"),
        ("speech.toml", r'(?m)^7 = "zeven"', '7 = { name = "zeven", form = "f" }', "a colour has no form 'f'"),
        ("speech.toml", r'form = "before"', 'form = "after"', "a colour has no form 'after'"),
        ("speech.toml", r'form = "before"', 'form = "before"\nnames = { W5 = "x" }', "there is no card 'W5'"),
        ("speech.toml", r'(?m)^1 = "met.*', '1 = { full = "a" }', "a text was expected, not a table"),
        ("cli.toml", r"(?s).*", 'cli = "a"', "a table was expected, not 'a'"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(file: str, old: str, new: str, told: str, tmp_path: Path) -> None:
    broken = _changed(tmp_path, file, old, new)
    with pytest.raises(PhraseError) as caught:
        read_whole(broken)
    line = re.match(rf".*{re.escape(file)}: line (\d+): [\w.]+: .*", str(caught.value))
    assert line and told in str(caught.value), caught.value
    written = (broken / file).read_text("utf-8").splitlines()[int(line[1]) - 1]
    assert new.splitlines()[-1] in written or new.split(" ")[0] in written or written.startswith("["), written


def _changed(tmp_path: Path, file: str, old: str, new: str, code: str = "nl") -> Path:
    """The files of a language with `old` in one of them replaced."""
    broken = tmp_path / code
    shutil.copytree(FOLDER / code, broken)
    text, changed = re.subn(old, lambda _: new, (broken / file).read_text("utf-8"), count=1)
    assert changed == 1, old
    (broken / file).write_text(text, "utf-8")
    return broken


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("opening.toml", r"spelling = .*", 'spelling = ["Alpha"]', "opening.spelling: one word for each"),
        ("opening.toml", r"back = .*", 'back = "back"', "opening.back: a list of texts was expected"),
        ("commands.toml", r'words = \["yes".*', 'words = ["repeat"]', "command.yes.words: 'repeat' is already said"),
        ("speech.toml", r"espeak = .*", 'espeak = "xx"', "language.espeak: the speech engine has no voice 'xx'"),
    ],
)
def test_english_is_checked_as_well(file: str, old: str, new: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(PhraseError, match=re.escape(told)):
        read_language(_changed(tmp_path, file, old, new, "en"))


def test_without_the_speech_library_any_voice_may_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.language.voice_names", frozenset)
    assert (
        read_whole(_changed(tmp_path, "speech.toml", r"espeak = .*", 'espeak = "xx"')).find("language.espeak") == "xx"
    )


@pytest.mark.parametrize("code", languages())
def test_the_files_that_ship_have_the_shape(code: str) -> None:
    assert read_whole(FOLDER / code).code == code


# Spanish: "y" is "e" before the same sound


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("Inés", "e"),
        ("Irene", "e"),
        ("Íñigo", "e"),
        ("I\N{COMBINING ACUTE ACCENT}ñigo", "e"),
        ("ILSE", "e"),
        ("Hilda", "e"),
        ("Yvonne", "e"),
        ("Yolanda", "y"),
        ("Hiedra", "y"),
        ("Iago", "y"),
        ("Hugo", "y"),
        ("Juan", "y"),
        ("Elena", "y"),
    ],
)
def test_and_in_spanish_sounds_unlike_the_name_after_it(name: str, word: str) -> None:
    spanish = Phrases.load("es")
    assert spanish.language.listed(["Ana", "Bea", name]) == f"Ana, Bea {word} {name}"
    won = spanish.sentence("ruling.team_won", {"seat": "Ana", "with": name})
    assert won == f"¡Ana {word} {name} ganan la partida!"
    assert load_language("es").text("list.last", first="Ana", last=name) == f"Ana {word} {name}"


def test_only_and_before_a_gap_changes() -> None:
    assert load_language("nl").listed(["Ana", "Inés"]) == "Ana en Inés"
    caught = Phrases.load("es").sentence("ruling.caught", {"seat": "Rey", "by": "Hugo"})
    assert caught == "Rey no ha dicho uno y Hugo se ha dado cuenta."
