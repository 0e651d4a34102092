"""Pages leave the server with all their texts, and nothing of them comes from elsewhere."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest

from referee.cards import FACES
from referee.options import OPTION_VALUES, EffectKind
from service import screens

SCRIPTS = sorted(screens.FOLDER.glob("*.js"))


def keys(table: dict[str, Any], before: str = "") -> set[str]:
    found = set()
    for key, value in table.items():
        found |= keys(value, f"{before}{key}.") if isinstance(value, dict) else {f"{before}{key}"}
    return found


@pytest.mark.parametrize("name", screens.PAGES)
def test_no_gap_stays_open(name: str) -> None:
    page = screens.page(name, "en")
    assert "{{" not in page and '<html lang="en">' in page


@pytest.mark.parametrize("name", screens.PAGES)
def test_nothing_comes_from_the_network_and_no_script_is_inline(name: str) -> None:
    page = screens.page(name, "en")
    assert re.findall(r'(?:src|href)="(?!/|#)[^"]*"', page) == []
    assert re.findall(r"<script(?![^>]*(?:src=|application/json))", page) == []
    assert "style=" not in page and re.search(r"\son\w+=", page) is None


@pytest.mark.parametrize("name", screens.PAGES)
def test_every_asset_of_a_page_is_there(name: str) -> None:
    for asset in re.findall(r'"/pages/([^"]+)"', screens.page(name, "en")):
        assert screens.asset(asset), asset


def test_every_module_that_a_script_imports_is_there() -> None:
    assert SCRIPTS
    for script in SCRIPTS:
        for module in re.findall(r'from "\./([^"]+)"', script.read_text("utf-8")):
            assert screens.asset(module), f"{script.name}: {module}"


def test_scripts_ask_only_for_texts_that_exist() -> None:
    texts = keys(screens.page_texts("en"))
    for script in SCRIPTS:
        source = script.read_text("utf-8")
        asked = set(re.findall(r'\bt\("([\w.]+)"', source))
        asked |= {f"{key}_{form}" for key in re.findall(r'\bcounted\("([\w.]+)"', source) for form in ("one", "other")}
        assert asked - texts == set(), script.name


TOO_NEW = {
    ".css": r""":(?:has|is|where)\( @(?:container|layer|scope|property) color-mix ok(?:lch|lab) \bl(?:ch|ab)\( text-wrap
        subgrid \{[^{}]*&[^{}]*\{ \b\d+[dls]v(?:h|w|min|max)\b""",
    ".js": r"""\.at\( \.(?:findLast|toSorted|toReversed|toSpliced|with)\( structuredClone Object\.hasOwn groupBy
        withResolvers AbortSignal\.(?:any|timeout) static\s\{ \s#\w+\s?[=;(] (?:\?\?|\|\||&&)= randomUUID
        ^(?:const\s\w+\s=\s)?await\s""",
}
"""What browsers of November 2021 (Chrome 95, Firefox 94, Safari 15.1) do not know, in expressions between blanks."""

ASIDE = r"/\*.*?\*/|//[^\n]*|@supports[^\n]*"
"""Comments, and what a browser takes only when it knows it."""


def too_new(kind: str, source: str) -> list[str]:
    wanted = "|".join(TOO_NEW[kind].split())
    return re.findall(wanted, re.sub(ASIDE, "", source, flags=re.DOTALL), re.MULTILINE)


@pytest.mark.parametrize(
    "path", sorted(p for p in screens.FOLDER.iterdir() if p.suffix in TOO_NEW), ids=lambda p: p.name
)
def test_a_browser_five_years_old_knows_all_of_it(path: Path) -> None:
    assert too_new(path.suffix, path.read_text("utf-8")) == []


@pytest.mark.parametrize(
    ("kind", "sample"),
    [
        (".css", "a { b { c: d } } .x { &:hover { e: f } }"),
        (".css", "p:has(b) { height: 100dvh }"),
        (".js", "const last = list.at(-1)"),
        (".js", "class A { #hidden = 1 }"),
        (".js", "a ??= b"),
    ],
)
def test_what_is_too_new_is_seen(kind: str, sample: str) -> None:
    assert too_new(kind, sample)


def test_every_text_is_used_somewhere() -> None:
    sources = "".join(path.read_text("utf-8") for path in [*SCRIPTS, *screens.FOLDER.glob("*.html")])
    families = (
        "cards.",
        "house_rules.",
        "effect.",
        "effects",
        "options",
        "colour.",
        "shape.",
        "values.",
        "modes.",
        "levels.",
        "kinds.",
        "acts.",
        "language_names.",
    )
    plain = {key for key in keys(screens.page_texts("en")) if not key.startswith(families)}
    plain = {re.sub("_(one|other)$", "", key) for key in plain}
    assert {key for key in plain if key not in sources and key.removeprefix("setup.") not in sources} == set()


def test_the_texts_in_the_page_are_json_that_no_name_breaks() -> None:
    found = re.search(
        r'<script type="application/json" id="texts">(.*?)</script>', screens.page("setup", "en"), re.DOTALL
    )
    assert found and "<" not in found[1]
    texts = json.loads(found[1])
    assert set(texts["cards"]) == {*map(str, FACES), "??"}
    assert set(texts["house_rules"]) == set(texts["options"]) == set(OPTION_VALUES)
    assert set(texts["effects"]) == set(texts["effects_about"]) == set(get_args(EffectKind))


def test_texts_are_escaped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text('<html lang="{{lang}}">{{product}}', "utf-8")
    monkeypatch.setattr(screens, "FOLDER", tmp_path)
    monkeypatch.setattr(screens, "page_texts", lambda language: {"product": "<b>&"})
    assert screens.page.__wrapped__("index", "en") == f'<html lang="en">{html.escape("<b>&")}'


@pytest.mark.parametrize("name", ["../screens.py", "display.html", "", "..", "nothing.js", "/etc/passwd"])
def test_no_name_reaches_another_file(name: str) -> None:
    assert screens.asset(name) is None
