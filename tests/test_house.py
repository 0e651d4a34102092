"""The house keeps its shape: rooms, names, one-way imports, versions, nothing of one machine in the repository."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

# What of ours each room may import; a dotted name opens that module alone.
OPEN_TO = {
    "referee": set[str](),
    "vision": {"referee.cards", "referee.events"},
    "service": {"vision", "referee"},
    "datasets": {"referee"},
    # Whole films are measured as the command watches them.
    "models": {"datasets", "vision", "referee", "service.films"},
}
INSTALLED = ("referee", "vision", "service")
WORKSHOP = ("datasets", "models")

each_room = pytest.mark.parametrize("room", OPEN_TO)


@cache
def imports(path: Path) -> tuple[str, ...]:
    """Dotted names that a module imports, `from a import b` as `a.b`; relative ones resolved."""
    package, names = path.relative_to(ROOT).parent.parts, list[str]()
    for node in ast.walk(ast.parse(path.read_text("utf-8"), str(path))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join([*above, *([node.module] if node.module else [])])
            names += [f"{base}.{alias.name}" for alias in node.names]
    return tuple(names)


def imports_of(room: str) -> set[tuple[str, str]]:
    found = {(str(path.relative_to(ROOT)), name) for path in (ROOT / room).rglob("*.py") for name in imports(path)}
    assert found, f"{room} imports nothing: is it still there?"
    return found


def top(name: str) -> str:
    return name.partition(".")[0]


def within(name: str, parent: str) -> bool:
    return name == parent or name.startswith(f"{parent}.")


@each_room
def test_imports_point_one_way(room: str) -> None:
    ours = {(path, name) for path, name in imports_of(room) if top(name) in OPEN_TO}
    wrong = {(path, name) for path, name in ours if not any(within(name, door) for door in (room, *OPEN_TO[room]))}
    assert not wrong


def test_the_import_check_sees_a_wrong_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    (tmp_path / "vision").mkdir()
    source = "import referee.judge\nfrom referee import state\nfrom ..service import api\n"
    (tmp_path / "vision" / "a.py").write_text(source)
    assert {name for _, name in imports_of("vision")} == {"referee.judge", "referee.state", "service.api"}
    with pytest.raises(AssertionError):
        test_imports_point_one_way("vision")


def test_the_referee_needs_only_the_standard_library() -> None:
    known = sys.stdlib_module_names | {"referee"}
    assert {(path, name) for path, name in imports_of("referee") if top(name) not in known} == set()


def test_the_referee_has_no_clock_no_dice_no_files() -> None:
    banned = {"datetime", "io", "os", "pathlib", "random", "secrets", "socket", "subprocess", "threading", "time"}
    assert {(path, name) for path, name in imports_of("referee") if top(name) in banned} == set()


@cache
def declared() -> frozenset[str]:
    """The distributions that the project asks for, and what these ask for themselves."""
    extras = [line for name, lines in PROJECT["optional-dependencies"].items() if name != "train" for line in lines]
    asked = {re.split(r"[^\w.-]", line)[0].lower() for line in [*PROJECT["dependencies"], *extras]}
    for name in tuple(asked):
        try:
            asked |= {re.split(r"[^\w.-]", line)[0].lower() for line in requires(name) or () if "extra ==" not in line}
        except PackageNotFoundError:  # one for another platform, or the twin of one that is here
            continue
    return frozenset(name.replace("_", "-") for name in asked)


bringers = cache(packages_distributions)  # it reads every package that is installed


def distributions(module: str) -> set[str]:
    """Who brings this module, in the index's spelling; OpenCV's builds count as one."""
    # An extra that is not installed is taken to bring the module of its own name.
    names = {name.lower().replace("_", "-") for name in bringers().get(module, (module,))}
    return names | {"opencv-python-headless" for name in names if name.startswith("opencv-python")}


@pytest.mark.parametrize("room", ["vision", "service"])
def test_an_installed_room_imports_only_what_the_package_asks_for(room: str) -> None:
    known = sys.stdlib_module_names | OPEN_TO.keys()
    others = {(path, name) for path, name in imports_of(room) if top(name) not in known}
    assert {(path, name) for path, name in others if not distributions(top(name)) & declared()} == set()


@each_room
def test_no_dependency_owns_a_room(room: str) -> None:
    assert set(bringers().get(room, ())) <= {"tableref"}


def test_module_names_say_what_is_inside() -> None:
    names = {path.stem for room in OPEN_TO for path in (ROOT / room).rglob("*.py")}
    assert names & {"utils", "util", "helpers", "helper", "manager", "misc", "common"} == set()


def test_the_workshop_cannot_be_installed() -> None:
    assert [room for room in WORKSHOP if (ROOT / room / "__init__.py").exists()] == []


def test_no_init_under_tests() -> None:
    assert list((ROOT / "tests").rglob("__init__.py")) == []


@pytest.mark.parametrize("room", INSTALLED)
def test_a_room_opens_with_a_list_of_its_modules(room: str) -> None:
    listed = ast.get_docstring(ast.parse((ROOT / room / "__init__.py").read_text("utf-8"))) or ""
    there = {path.stem for path in (ROOT / room).glob("*.py")} - {"__init__", "__main__"}
    assert {name for name in there if f"`{name}`" not in listed} == set()


@cache
def tracked() -> tuple[Path, ...]:
    if not shutil.which("git") or not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return tuple(path for name in names.split("\0") if name and (path := ROOT / name).is_file())


# Written so that the pattern does not find itself.
MACHINE = re.compile(
    r"(?:^|[^A-Za-z0-9_.~-])/(?:work|farm|root|home|tmp)/[a-z.]"
    r"|py[p]i\.org|files\.python[h]osted|registry\.npm[j]s|deb\.deb[i]an",
    re.MULTILINE,
)


def test_the_machine_pattern_finds_what_it_should() -> None:
    assert MACHINE.search("see /ho" + "me/anna/x") and MACHINE.search("files.python" + "hosted.org")
    assert not MACHINE.search("https://localhost/work") and not MACHINE.search("a/home/page")


def test_nothing_of_one_machine_in_the_repository() -> None:
    def text(path: Path) -> str:
        content = path.read_bytes()
        return "" if b"\0" in content[:8192] else content.decode("utf-8", "replace")

    found = {str(path.relative_to(ROOT)): match.group() for path in tracked() if (match := MACHINE.search(text(path)))}
    assert found == {}


def test_no_big_files() -> None:
    assert [path.name for path in tracked() if path.stat().st_size > 15 * 2**20] == []


def test_one_version() -> None:
    say = "import sys; from service.cli import main; sys.exit(main(['--version']))"
    run = subprocess.run([sys.executable, "-c", say], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    changes = re.search(r"^## (\d\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert changes and run.stdout.split() == ["tableref", changes[1]] == ["tableref", PROJECT["version"]]
