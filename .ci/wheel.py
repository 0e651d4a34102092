"""Looks into a built wheel, installs it into a fresh venv away from the checkout, and sees it work there.

python .ci/wheel.py dist/tableref-0.1.0-py3-none-any.whl     (from the root of a checkout, with Pillow)
"""

from __future__ import annotations

import fnmatch
import json
import os
import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOMS = ("referee", "vision", "service")
MUST_HOLD = (
    "referee/state.schema.json",
    "vision/weights/*.onnx",
    "vision/weights/*.md",
    "service/pages/display.html",
    "service/pages/setup.html",
    "service/languages/en/*.toml",
    "service/demo/*.mp4",
    "service/demo/*.trn",
)
RECORD = '[Players "Anna;Bram"]\ndeal 1\nstart R5\n2 R9\n1 W>B\n2 B3\n'


def contents(wheel: Path) -> list[str]:
    """What is wrong with the names in the wheel."""
    names = zipfile.ZipFile(wheel).namelist()
    strangers = {name.partition("/")[0] for name in names} - {
        *ROOMS,
        *(n.partition("/")[0] for n in names if ".dist-info/" in n),
    }
    wrong = [f"missing {pattern}" for pattern in MUST_HOLD if not fnmatch.filter(names, pattern)]
    return wrong + [f"must not be there: {name}" for name in sorted(strangers)]


def draw(path: Path, code: str) -> None:
    """A picture of one drawn card on a plain table."""
    sys.path.insert(0, str(ROOT))
    import cv2
    import numpy as np

    from datasets.faces import draw_card
    from datasets.styles import random_style
    from referee.cards import Card

    card = draw_card(Card.parse(code), random_style(np.random.default_rng(1)), 300)
    height, width = card.shape[:2]
    table = np.full((720, 1280, 3), (70, 100, 130), np.uint8)
    spot = table[200 : 200 + height, 500 : 500 + width]
    alpha = card[..., 3:] / 255
    spot[:] = (card[..., :3] * alpha + spot * (1 - alpha)).astype(np.uint8)
    cv2.imwrite(str(path), table)


def installed(wheel: Path, folder: Path) -> list[str]:
    """What is wrong with the wheel when it runs."""
    venv.create(folder / "venv", with_pip=True)
    programs = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
    subprocess.run([programs / "python", "-m", "pip", "install", "--quiet", wheel.resolve()], check=True)

    def tableref(*words: str) -> subprocess.CompletedProcess[str]:
        print("tableref", *words)
        return subprocess.run([programs / "tableref", *words], cwd=folder, capture_output=True, text=True, timeout=120)

    wrong = []
    shown = tableref("--help")
    if shown.returncode or any(word not in shown.stdout for word in ("run", "demo", "read", "replay", "watch")):
        wrong.append(f"--help: {shown.returncode} {shown.stdout}{shown.stderr}")

    (folder / "game.trn").write_text(RECORD)
    judged = tableref("replay", "--json", "game.trn")
    if judged.returncode or json.loads(judged.stdout).get("top") != "B3":
        wrong.append(f"replay: {judged.returncode} {judged.stdout}{judged.stderr}")

    draw(folder / "card.png", "R7")
    read = tableref("read", "--json", "card.png")
    cards = [] if read.returncode else json.loads(read.stdout)[0]["cards"]
    if [card["card"] for card in cards[:1]] != ["R7"]:
        wrong.append(f"read: {read.returncode} {read.stdout}{read.stderr}")

    film = tableref("simulate", "--video", "a.mp4", "--record", "a.trn")
    if film.returncode != 2 or len(film.stderr.strip().splitlines()) != 1:
        wrong.append(f"simulate outside a checkout: {film.returncode} {film.stdout}{film.stderr}")
    return wrong


def main(wheel: Path) -> int:
    """Prints what is wrong; 1 when anything is."""
    print(f"{wheel.name}: {wheel.stat().st_size / 2**20:.1f} MB")
    with tempfile.TemporaryDirectory() as folder:
        wrong = contents(wheel) + installed(wheel, Path(folder))
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print("the wheel works" if not wrong else f"{len(wrong)} faults in the wheel")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
