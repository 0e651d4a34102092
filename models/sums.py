"""What the files on the shelf must be: `SHA256SUMS`, against which they are checked when they are loaded."""

from __future__ import annotations

from pathlib import Path

from vision.confidence import FILE
from vision.networks import SUMS, checksum


def write_sums(folder: Path) -> None:
    """Writes the sums of what is loaded from `folder`."""
    files = sorted([*folder.glob("*.onnx"), *folder.glob(FILE)])
    lines = [f"{checksum(path)}  {path.name}\n" for path in files]
    (folder / SUMS).write_text("".join(lines), encoding="utf-8", newline="\n")
