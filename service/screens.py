"""The pages as they leave the server: files of `pages/` with the texts of one language put in.

`{{key}}` in an HTML file is the text `pages.KEY` of the language, escaped; `{{json}}` is everything that the scripts of
the page say, as JSON that no `<` can break out of. Nothing here is built or fetched: what lies in the folder is what a
browser gets.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from referee.cards import FACES
from referee.options import DEFAULTS, OPTION_VALUES
from service.language import FALLBACK, languages, load_language, spoken_name

FOLDER: Final = Path(__file__).parent / "pages"
PAGES: Final = ("index", "display", "overlay", "seat", "setup", "match")

TYPES: Final = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


@cache
def page(name: str, language: str) -> str:
    """The HTML of page `name` (one of PAGES) in `language`; KeyError when it asks for a text that is missing."""
    texts = page_texts(language)
    found = (FOLDER / f"{name}.html").read_text(encoding="utf-8")

    def fill(gap: re.Match[str]) -> str:
        key = gap[1]
        if key == "lang":
            return language
        if key == "json":
            return json.dumps(texts, ensure_ascii=False).replace("<", "\\u003c")
        return html.escape(_lookup(texts, key))

    return re.sub(r"\{\{([\w.]+)\}\}", fill, found)


@cache
def page_texts(language: str) -> dict[str, Any]:
    """All that the pages say in `language`: the table `pages` of its files, names of cards, house rules."""
    words = load_language(language)
    names = {str(card): words.card(card) for card in FACES}
    texts = _merged(load_language(FALLBACK).find("pages"), words.find("pages"))
    rules = {name: {"values": list(values), "default": DEFAULTS.word(name)} for name, values in OPTION_VALUES.items()}
    spoken = {code: spoken_name(code) for code in languages()}
    return {**texts, "cards": {**names, "??": words.card(None)}, "house_rules": rules, "language_names": spoken}


@cache
def asset(name: str) -> tuple[bytes, str] | None:
    """A script, style or picture of the pages as its bytes and media type; None when there is none of that name."""
    known = {path.name: path for path in FOLDER.iterdir() if path.suffix in TYPES}
    path = known.get(name)
    return (path.read_bytes(), TYPES[path.suffix]) if path else None


def _merged(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    both = {key: _merged(base[key], value) if isinstance(value, Mapping) else value for key, value in over.items()}
    return {**base, **both}


def _lookup(texts: dict[str, Any], key: str) -> str:
    value: Any = texts
    for part in key.split("."):
        value = value[part]
    return str(value)
