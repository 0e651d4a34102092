"""The version of the program, installed or from a checkout."""

from __future__ import annotations

import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final


def _version() -> str:
    project = Path(__file__).parents[1] / "pyproject.toml"
    if project.is_file():
        return str(tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"])
    try:
        return version("tableref")
    except PackageNotFoundError:
        return "unknown"


VERSION: Final = _version()
