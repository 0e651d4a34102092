"""Shoots the film that ships with the program: `python -m datasets.demo` writes service/demo/demo.mp4 and demo.trn.

A short round of three with skips, reverses, draw twos, wilds, uno calls, a catch and a challenge, small enough for the
package. Its record has the words that people say in it, which `tableref demo` speaks for them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np

from datasets import textures
from datasets.film import Conditions
from datasets.simulate import Film, film
from datasets.styles import random_style

HOME: Final = Path(__file__).parents[1] / "service" / "demo"
SEED: Final = 50
PLAYERS: Final = 3
STYLE: Final = 97
PLAYS: Final = (24, 36)
CONDITIONS: Final = Conditions(
    size=(848, 480), rate=10.0, noise=0.0, drift=0.0, switches=1, mess=0.5, card=(0.27, 0.28)
)


def demo() -> Film:
    """The film."""
    return film(SEED, PLAYERS, CONDITIONS, random_style(np.random.default_rng(STYLE)), PLAYS, top=textures.wood)


def main() -> None:
    """The command."""
    HOME.mkdir(parents=True, exist_ok=True)
    shot = demo()
    (HOME / "demo.trn").write_text(str(shot.record), encoding="utf-8")
    shot.write(HOME / "demo.mp4")
    size = (HOME / "demo.mp4").stat().st_size / 1e6
    print(f"{HOME / 'demo.mp4'}: {shot.script.seconds:.0f} s, {size:.1f} MB")


if __name__ == "__main__":
    main()
