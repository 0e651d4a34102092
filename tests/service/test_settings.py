"""Settings of this computer: file, environment and flags, and a sentence for every mistake."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from service.settings import Settings, SettingsError, as_toml, load


@pytest.fixture(autouse=True)
def _no_file_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platformdirs.user_config_path", lambda name: tmp_path / "of-the-user")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "tableref.toml"


def test_defaults() -> None:
    settings = load(environment={})
    assert (settings.lang, settings.port, settings.level, settings.mute) == ("en", 8765, "normal", False)
    assert settings.database == settings.data_dir / "table.sqlite"


def test_later_ones_win(file: Path) -> None:
    file.write_text('port = 1000\nrate = 100\nlevel = "full"\n')
    environment = {"TABLEREF_PORT": "2000", "TABLEREF_RATE": "200", "PATH": "/bin"}
    settings = load({"port": 3000, "mute": None}, environment=environment, file=file)
    assert (settings.port, settings.rate, settings.level, settings.mute) == (3000, 200, "full", False)


def test_a_file_named_by_the_environment(file: Path) -> None:
    file.write_text("mute = true\n")
    assert load(environment={"TABLEREF_CONFIG": str(file)}).mute


def test_the_file_of_the_user_is_optional(tmp_path: Path) -> None:
    assert load(environment={}).port == 8765
    (tmp_path / "of-the-user").mkdir()
    (tmp_path / "of-the-user" / "tableref.toml").write_text("port = 1234\n")
    assert load(environment={}).port == 1234


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("prot = 1", "prot: there is no such setting; did you mean port?"),
        ("zzz = 1", "zzz: there is no such setting"),
        ('data_dir = "~nobody-of-that-name/x"', "data_dir = '~nobody-of-that-name/x' cannot be: there is no such home"),
        ('data_dir = " "', "data_dir = ' ' cannot be: expected the path of a folder"),
        ('source = ""', "source = '' cannot be: expected camera:N"),
        (f"port = {'9' * 5000}", "not a TOML file"),
        (f"port = {'[' * 5000}", "not a TOML file"),
        ('\ufeffport = "many"', "port = 'many' cannot be"),
        ("port = 70000", "port = 70000 cannot be: input should be less than or equal to 65535"),
        ('port = "many"', "port = 'many' cannot be: input should be a valid integer"),
        ('level = "loud"', "level = 'loud' cannot be: input should be 'brief', 'normal' or 'full'"),
        ('silent = "draws, chat"', "silent = 'draws, chat' cannot be: there is no kind of sentence 'chat'; there are "),
        ('lang = "tlh"', "lang = 'tlh' cannot be: there is no language 'tlh'; there are "),
        ('engine = "festival"', "engine = 'festival' cannot be: there is no engine 'festival'; there are auto"),
        (
            'sound = "gramophone"',
            "sound = 'gramophone' cannot be: there is no way 'gramophone' to make sound; there are auto",
        ),
        ('sound = "file:"', "sound = 'file:' cannot be: file: wants a path behind it"),
        ("port = ", "not a TOML file"),
    ],
)
def test_a_mistake_in_the_file(file: Path, text: str, sentence: str) -> None:
    file.write_text(text)
    with pytest.raises(SettingsError) as raised:
        load(environment={}, file=file)
    assert str(raised.value).startswith(f"{file}: {sentence}")
    assert "\n" not in str(raised.value)


def test_a_mistake_in_the_environment() -> None:
    with pytest.raises(
        SettingsError, match=r"^TABLEREF_PROT: there is no such variable; did you mean TABLEREF_PORT\?$"
    ):
        load(environment={"TABLEREF_PROT": "1"})
    with pytest.raises(SettingsError, match=r"^environment: rate = 'fast' cannot be"):
        load(environment={"TABLEREF_RATE": "fast"})


def test_a_mistake_in_a_flag() -> None:
    with pytest.raises(SettingsError, match=r"^port = 0 cannot be: input should be greater than or equal to 1$"):
        load({"port": 0}, environment={})


def test_a_file_that_is_not_there(file: Path) -> None:
    with pytest.raises(SettingsError, match="there is no such settings file"):
        load(environment={}, file=file)


def test_printed_settings_are_read_back(file: Path, tmp_path: Path) -> None:
    settings = load({"data_dir": tmp_path / 'a "b" ü', "volume": 0.5, "mute": True}, environment={})
    file.write_text(as_toml(settings), encoding="utf-8")
    assert load(environment={}, file=file) == settings


def test_settings_do_not_change() -> None:
    with pytest.raises(ValidationError):
        Settings().port = 1
