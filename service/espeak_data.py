"""Which voices eSpeak NG has, read from the data that `espeakng-loader` brings, without loading the library.

Source: the files `espeak-ng-data/lang/FAMILY/FILE`, each with a line `language CODE` of its own first.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

_FIRST: Final = re.compile(r"(?m)^language\s+(\S+)")


@cache
def voice_names() -> frozenset[str]:
    """All that a voice may be called: its language, its file, both with family; empty where there are no data."""
    found = find_spec("espeakng_loader")
    if found is None or found.origin is None:
        return frozenset()
    folder, names = Path(found.origin).parent / "espeak-ng-data" / "lang", set[str]()
    for file in folder.rglob("*"):
        if file.is_file() and (first := _FIRST.search(file.read_text("utf-8", errors="replace"))):
            names |= {first[1], file.name, file.relative_to(folder).as_posix()}
    return frozenset(names)
