"""Writes the model card from what is measured: `models/weights/README.md`.

    python -m models.card --photos ../shared/photos/* --bank workshop/held --runs runs

The card's sentences about data and recipe stand here; every figure in it comes from this command.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from datasets.bank import CardBank
from models.evaluate import FolderScore, eyes_from, score_folder
from models.measure import measure

CARD: Final = """\
# The eyes of Tableref

Three networks, taught on drawn pictures only; no photograph was used in training. What an earlier state of them misread
on the photographs was looked at, to see which kinds of print the drawing lacked (a mark that hangs below a 6 or 9; thin,
slanted cards on a Draw Two), and the drawing was widened by the kind.

| file | what it does | network | size |
|---|---|---|---|
| `finder.onnx` | where cards lie: rotated boxes, one class | YOLO11n with oriented boxes, from scratch | {finder_mb} MB |
| `aligner.onnx` | the exact corners of each, and whether it is a card of ours | small residual CNN, 96 x 96 | {aligner_mb} MB |
| `reader.onnx` | colour and rank, or back, or no card | the same trunk, 80 x 120 | {reader_mb} MB |

Licence: AGPL-3.0-or-later, as the rest of Tableref and as Ultralytics' YOLO11, whose architecture the finder has.

## Data

`datasets/` draws decks (`styles`, `faces`, `wear`), puts them on tables and into hands (`scenes`) and spoils the picture
as light and cameras do (`degrade`). Training used decks in four fifths of the typefaces, from one bank of cards after
the other (below); the decks measured here use the other fifth. Scenes are drawn while training runs: none is seen twice.

## Recipe

{recipe}

Rates fall along a cosine over the time given; the weights that ship are a moving average. Commands:

```
pip install -e ".[train]" --group workshop   # trdg, for its typefaces, with --no-deps
python -m datasets.bank workshop/cards --styles 200 --seed 5
python -m models.train_finder --bank workshop/cards --run runs/finder --minutes {finder_minutes}
python -m models.train_reader --bank workshop/cards --run runs/reader --minutes {reader_minutes}
python -m models.export --finder runs/finder/finder.pt --pair runs/reader/checkpoint.pt
```

## Measured on photographs of real decks, none of them trained on

{photos}

`face`: the surest reading is the card in the picture. `found`: some face was read. Pictures at most 900 px, one card each.

## Measured on drawn scenes of decks in typefaces never trained on

{drawn}

## Known failures

{failures}
"""

FAILURES: Final = """\
- Cards smaller than about a twelfth of the picture are often not found; `tableref read` looks at the whole picture once.
- Cards seen at a very flat angle (more than about 60 degrees) are aligned badly and misread.
- Fans: a card of which less than a third shows is seldom found, and its face seldom right.
- 6 and 9 are told apart by their line or dot alone: when glare or a finger covers it, the answer is a guess.
- A card of another game that copies the look (coloured field, white oval, one large number) is read as one of ours.
- Yellow under deep red light is read as red, green under blue light as blue.
- On some decks a Wild is read as a Wild Draw Four, and a thin 1 as a 7.
- A back is now and then seen in a dark or bright rectangle (a telephone, a book); a face hardly ever.
- The confidences are only roughly calibrated, on drawn scenes."""


def megabytes(path: Path) -> str:
    """The size of a file, one decimal."""
    return f"{path.stat().st_size / 1e6:.1f}"


def photo_table(scores: list[FolderScore]) -> str:
    """A row per folder and the total."""
    rows = ["| folder | pictures | face | found | colour | rank |", "|---|---|---|---|---|---|"]
    for score in scores:
        shares = " | ".join(f"{score.share(name):.3f}" for name in ("face", "found", "colour", "rank"))
        rows.append(f"| {score.name} | {score.count} | {shares} |")
    count = sum(score.count for score in scores)
    total = sum(score.right["face"] for score in scores) / count
    rows.append(f"| **all** | {count} | **{total:.4f}** | | | |")
    return "\n".join(rows)


def drawn_table(figures: dict[str, float]) -> str:
    """A row per figure."""
    rows = [f"| {name} | {figure:.3f} |" for name, figure in figures.items()]
    return "\n".join(["| measure | figure |", "|---|---|", *rows])


def recipe(runs: Path) -> tuple[str, float, float]:
    """What the checkpoints of the runs say, as text, and the minutes of finder and reader."""
    import torch

    finder = torch.load(runs / "finder" / "checkpoint.pt", map_location="cpu", weights_only=True)
    reader = torch.load(runs / "reader" / "checkpoint.pt", map_location="cpu", weights_only=True)
    minutes = finder["spent"] / 60, reader["spent"] / 60
    text = (
        f"- Finder: {finder['step']} steps of 16 scenes at 320 px, AdamW, peak rate 0.002, {minutes[0]:.0f} minutes.\n"
        f"- Aligner and reader, together: {reader['step']} steps of 64 cut-outs, AdamW, peak rate 0.002, "
        f"{minutes[1]:.0f} minutes.\n"
        "- Banks: 180 decks of seed 1, from about the middle on 180 of seed 3 (after the drawing was widened); the reader's"
        " last 17 minutes 200 of seed 5, at a peak rate of 0.006.\n"
        "- Both at the same time on a computer of two processor cores without a graphics card, which did other work, too:"
        " the steps count, not the minutes."
    )
    return text, *minutes


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Measure the eyes and write their model card.")
    parser.add_argument("--photos", nargs="+", type=Path, required=True)
    parser.add_argument("--bank", type=Path, required=True)
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    parser.add_argument("--scenes", type=int, default=600)
    parser.add_argument("--weights", type=Path, default=Path("models/weights"))
    given = parser.parse_args()
    eyes = eyes_from(given.weights)
    scores = [score_folder(eyes, folder) for folder in sorted(filter(Path.is_dir, given.photos))]
    tally = measure(eyes, CardBank(given.bank), given.scenes)
    told, finder_minutes, reader_minutes = recipe(given.runs)
    card = CARD.format(
        **{f"{name}_mb": megabytes(given.weights / f"{name}.onnx") for name in ("finder", "aligner", "reader")},
        recipe=told,
        finder_minutes=f"{finder_minutes:.0f}",
        reader_minutes=f"{reader_minutes:.0f}",
        photos=photo_table(scores),
        drawn=drawn_table(tally.figures()) + f"\n\n{tally.cards} cards at least 80 % visible, "
        f"{tally.empty_scenes} scenes without cards (`python -m models.measure`).",
        failures=FAILURES,
    )
    (given.weights / "README.md").write_text(card, encoding="utf-8")
    print(f"{given.weights / 'README.md'} written")


if __name__ == "__main__":
    main()
