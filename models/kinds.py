"""Which kind of picture costs cards: one card at a time under one hardship, faces named right of each.

    python -m models.kinds --bank workshop/held --cards 100 --remember "before"

`--remember NAME` keeps the figures under that name in `models/figures.json`, from which the model card makes its table
of before and after.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Final

import numpy as np

from datasets.bank import Bank, CardBank, one_deck
from datasets.hardships import EFFECTS, scene
from models.evaluate import eyes_from
from models.trials import SURE, at
from vision.eyes import Eyes

FIGURES: Final = Path(__file__).parent / "figures.json"
Shares = dict[str, dict[str, float]]


def share(eyes: Eyes, bank: Bank, kind: str, count: int, seed: int = 41) -> dict[str, float]:
    """Of `count` cards of a kind, looked at as `tableref read` does: found, named right when the quad is known, named
    right, and surely so."""
    rng = np.random.default_rng((seed, list(EFFECTS).index(kind)))
    told = dict.fromkeys(("found", "on exact quads", "named", "sure"), 0.0)
    for _ in range(count):
        picture = scene(rng, one_deck(rng, bank), kind)
        seen = eyes.see_closely(picture.image)
        index = at(seen, picture.quads[0])
        right = index is not None and seen.faces[index] == picture.faces[0]
        told["found"] += index is not None
        told["on exact quads"] += eyes.read(picture.image, picture.quads).faces[0] == picture.faces[0]
        told["named"] += right
        told["sure"] += right and index is not None and bool(seen.confidences[index] >= SURE)
    return {name: count_of / count for name, count_of in told.items()}


def remembered() -> dict[str, Shares]:
    """The kept figures by name."""
    return json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.is_file() else {}


def remember(name: str, shares: Shares) -> None:
    """Keeps figures under a name."""
    told = remembered() | {name: {kind: {k: round(v, 3) for k, v in row.items()} for kind, row in shares.items()}}
    FIGURES.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def table(told: dict[str, Shares]) -> str:
    """Kinds by rows: named right under each name, then what the last lost to the finder and to the reader."""
    names = list(told)
    now = told[names[-1]]
    lines = [f"| kind | {' | '.join(names)} | found | on exact quads |", "|---|" + "---|" * (len(names) + 2)]
    for kind, row in now.items():
        cells = [f"{told[name][kind]['named']:.2f}" if kind in told[name] else "" for name in names]
        lines.append(f"| {kind} | {' | '.join(cells)} | {row['found']:.2f} | {row['on exact quads']:.2f} |")
    return "\n".join(lines)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Faces named right by the kind of picture.")
    parser.add_argument("--bank", type=Path, required=True)
    parser.add_argument("--cards", type=int, default=100)
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--remember", metavar="NAME", help="keep the figures for the model card under this name")
    given = parser.parse_args()
    eyes, bank = eyes_from(given.weights), CardBank(given.bank)
    shares = {kind: share(eyes, bank, kind, given.cards) for kind in EFFECTS}
    print(table({given.remember or "now": shares}))
    if given.remember:
        remember(given.remember, shares)


if __name__ == "__main__":
    main()
