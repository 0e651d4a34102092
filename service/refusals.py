"""What went wrong, told in the language of the settings.

Rooms that know no languages (`vision`, `referee`) say what cannot be done in one English sentence. It is found again by
its words, those around the gaps, and said in another language with the same names and numbers in them. A sentence that
stands in no table stays as it is.
"""

from __future__ import annotations

import re
from functools import cache

from service.language import FALLBACK, PhraseError, load_language

_GAP = re.compile(r"\{(\w+)\}")


@cache
def _sentences() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The keys of `refused`, and what their English sentences look like with the gaps filled."""
    found = []
    for key, text in load_language(FALLBACK).find("refused").items():
        parts = _GAP.split(text)
        words = (f"(?P<{part}>.+?)" if number % 2 else re.escape(part) for number, part in enumerate(parts))
        found.append((key, re.compile("".join(words), re.DOTALL)))
    return tuple(found)


def in_language(sentence: str, lang: str) -> str:
    """An English sentence in the language `lang`, where the phrase tables have it; else as it is."""
    if lang == FALLBACK:
        return sentence
    try:
        language = load_language(lang)
    except PhraseError:
        return sentence
    for key, pattern in _sentences():
        if found := pattern.fullmatch(sentence):
            filled = {name: in_language(value, lang) for name, value in found.groupdict().items()}
            return language.text(f"refused.{key}", **filled)
    return sentence
