"""Writes the model card from what is measured: `models/weights/README.md`.

    python -m models.card --photos ../shared/photos/* --bank workshop/held --runs runs

The card's sentences about data and recipe stand here; every figure in it comes from this command. What is not measured
anew stays as the card had it: recipe and curves where there are no `--runs`, speed, comparison and decks where no file
is given.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import cv2

from datasets.bank import CardBank
from models import curves, peers, trials
from models.evaluate import FolderScore, eyes_from, score_folder
from models.kinds import remembered, table
from models.measure import measure
from models.reliability import Told, measured, picture

CARD: Final = """\
# The eyes of Tableref

Four networks, taught on drawn pictures only; no photograph was used in training. What an earlier state of them misread
on the photographs was looked at, to see which kinds of print the drawing lacked (a mark that hangs below a 6 or 9; thin,
slanted, raised cards on a Draw Two), and the drawing was widened by the kind.

| file | what it does | network | size |
|---|---|---|---|
| `finder.onnx` | where cards lie: rotated boxes, one class | YOLO11n with oriented boxes, from scratch | {finder_mb} MB |
| `aligner.onnx` | the exact corners of each, and whether it is a card of ours | small residual CNN, 96 x 96 | {aligner_mb} MB |
| `reader.onnx` | colour and rank, or back, or no card; features of a card for decks that were shown | the same trunk, 80 x 120 | {reader_mb} MB |
| `indices.onnx` | which index the corner of a card shows, and exactly where that corner is | the same trunk, 64 x 64 | {indices_mb} MB |
| `aligner.int8.onnx`, `reader.int8.onnx`, `indices.int8.onnx` | the same in eight bits | | {small_mb} MB together |
| `confidence.json` | how far all of it is to be believed | logistic, isotonic | |
| `SHA256SUMS` | what the files must be; checked when they are loaded | | |

Licence: AGPL-3.0-or-later, as the rest of Tableref and as Ultralytics' YOLO11, whose architecture the finder has.

## Data

`datasets/` draws decks (`styles`, `faces`, `wear`), puts them on tables and into hands (`scenes`) and spoils the picture
as light and cameras do (`degrade`). Training used decks in four fifths of the typefaces, from one bank of cards after
the other (below); the decks measured here use the other fifth. Scenes are drawn while training runs; none is kept.
Both sheets are from `python -m datasets.contact_sheet`; in half of the scenes the truth is drawn in.

![Scenes of every kind that training composes, of each hardship, of things that are no cards](../../docs/scenes.jpg)

![Cards of fourteen drawn decks, a deck a row](../../docs/decks.jpg)

## Recipe

{recipe}

![Losses and shares right over the steps of finder, reader and index reader](../../docs/curves.png)

Where a curve has a gap, nothing was kept; where it jumps, the drawing had been widened (`python -m models.curves`).

Rates fall along a cosine over the time given; the weights that ship are a moving average. They were trained in parts, as
told above. The same in one go, about twelve hours on two processor cores; with a graphics card (`--device cuda`, with more
`--workers` that draw) it was not tried, none was at hand:

```
pip install -e ".[train]" --group workshop
pip install --no-deps trdg       # for its typefaces
python -m models.make            # --plan tells its commands and their times; after a stop it goes on where it was
```

That command was run whole only in small (`--minutes-scale`, `--steps`).

## Measured on photographs of real decks, none of them trained on

{photos}

`face`: the surest reading is the card in the picture. `found`: some face was read. Pictures at most 900 px, one card each.

## Measured on drawn scenes of decks in typefaces never trained on

{drawn}

{trials}

What costs cards, one hardship at a time (faces named right, under the names of the states of the networks that were
measured; of the last also how many were found, and how many faces are right on exact quads, which tells the finder's
part from the reader's; the decks of `before` were others of the same kind; `python -m models.kinds`):

{kinds}

## How far the confidences can be believed

{reliability}

![Reliability diagrams: the share that was right over the confidence, of face, colour and rank](../../docs/reliability.png)

`confidence.json` was fitted on drawn scenes only (`python -m models.calibrate`): temperatures of colour and rank, then a
logistic function of what the networks say (the reader's odds both ways up, the strength of its features, the aligner's
odds at two passes and how far these agree, the finder's score), then a rising curve. The numbers are expected
calibration errors over 15 bins (`python -m models.reliability`). Every card is read by its index corners, too: both
tables are multiplied (`vision/agreement.py`), and what comes of it is bent along curves of its own,
one for cards of which an index is seen, one for those of which none is.

## Speed

{speed}

`int8`: aligner and both readers in eight bits (seven for weights), the finder in full; they cost no photograph. Ultralytics'
`predict` and PyTorch run the same weights; all take turns on the same pictures with two threads each (`python -m
models.bench_eyes`). `vision/backends.toml` takes ONNX Runtime, which every platform has; OpenVINO gains little on these
networks and is 180 MB larger.

## Compared with one YOLO for all faces

What one would take otherwise: the same network as the finder's with a class for each face, taught on the same drawn
scenes (`python -m models.train_plain`). Both saw the same pictures in one run, counted the same way (`python -m
models.compare_plain`); what the plain YOLO must score to count as sure was fitted to its favour.

{compared}

## Compared with what others publish

{peers}

## Decks that were shown once

{decks}

## Known failures

{failures}
"""

FAILURES: Final = """\
- Cards smaller than about a twelfth of the picture are found by `tableref read`, which looks a second time; at the table
  the pile fills the picture that is looked at.
- Cards seen at a very flat angle (more than about 60 degrees) are aligned badly and misread.
- Fans: of the cards of which less than half shows some are misread or not found (figures above).
- 6 and 9 are told apart by their line or dot alone: when glare or a finger covers it, the answer is a guess.
- A card of another game that copies the look (coloured field, white oval, one large number) is read as one of ours.
- Yellow under deep red light is read as red, green under blue light as blue.
- On some decks a Wild is read as a Wild Draw Four. Where the numbers lean far, a 1 is read as a 7, a 7 as a 1, a 6 as a 9: the
  card may lie either way up.
- Of odd theme decks one card in twenty is not named after learning: mostly one whose corners were taken wrongly while it was shown.
- A back is now and then seen in a dark or bright rectangle (a telephone, a book); a face hardly ever.
- Keys in a card's colours with one number each, seen alone, and round signs on real pictures: now and then a face at more than
  0.5 (figures above)."""


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


def listed(rows: Iterator[tuple[str, str]]) -> str:
    """A line per question and answer."""
    return "\n".join(f"- {about}: {result}" for about, result in rows)


def reliability_table(groups: dict[str, Told]) -> str:
    """A row per group of pictures."""
    rows = ["| on | readings | face | colour | rank |", "|---|---|---|---|---|"]
    for name, group in groups.items():
        errors = " | ".join(f"{error:.3f}" for error in group.errors().values())
        rows.append(f"| {name} | {len(group.sure)} | {errors} |")
    return "\n".join(rows)


def kept(card: Path, name: str) -> str:
    """What a card says in the place called `name`; "Not measured for these weights." where it says nothing there."""
    before, after = CARD.split(f"{{{name}}}")
    text = card.read_text(encoding="utf-8") if card.is_file() else ""
    _, found, rest = text.partition(before[before.rfind("}") + 1 :])
    part, ended, _ = rest.partition(after[: after.find("{")] if "{" in after else after)
    return part if found and ended else "Not measured for these weights."


def text_of(path: Path, otherwise: str) -> str:
    """What a file says, or something else where there is none."""
    return path.read_text(encoding="utf-8").strip() if path.is_file() else otherwise


def in_lines(text: str) -> str:
    """Each line as a point of a list."""
    return "\n".join(f"- {line}" for line in text.splitlines())


TRAINED: Final = ("finder", "reader", "reader-later", "indices")
ALONE: Final = 233
"""Minutes after which aligner and reader were taught the finder's own boxes."""


def recipe(runs: Path) -> str:
    """What the checkpoints of the runs say."""
    import torch

    finder, first, reader, indices = (
        torch.load(runs / name / "checkpoint.pt", map_location="cpu", weights_only=True) for name in TRAINED
    )
    minutes = [run["spent"] / 60 for run in (finder, reader, indices)]
    return (
        f"- Finder: {finder['step']} steps of 16 scenes at 320 px, AdamW, peak rate 0.002, {minutes[0]:.0f} minutes; "
        "from step 3500 on at 0.004, each scene shown four times, mirrored and turned, with cloths seen from afar and more "
        "piles and hands.\n"
        f"- Aligner and reader, together: {reader['step']} steps of 64 cut-outs, AdamW, peak rate 0.002, "
        f"{minutes[1]:.0f} minutes; the last {minutes[1] - ALONE:.0f} of them at a lower rate, with more hands and piles, "
        "cut out as the trained finder finds them, each shown twice; from step 14000 on three times, with what the finder "
        f"takes for a card and is none. What ships is the mean of the networks after {first['step']} and after these steps.\n"
        f"- Index reader: {indices['step']} steps of 96 cut-outs, each shown three times, AdamW, peak rate 0.002, "
        f"{minutes[2]:.0f} minutes; its first layers began as the reader's. From step 5287 on with smaller cards; "
        "from 9898 on each four times, and no longer where no index is printed.\n"
        "- Banks: 180 decks of seed 1, then 180 of seed 3 and 200 of seed 5, as the drawing was widened; the reader from step"
        " 5881 on 420 of seed 7. From step 7000 on faces were taught by a free index corner, too, from step 7500 on more things"
        " that are no cards. From step 15000 on, the index reader from 9898 on, the decks of seed 7 had typefaces that were"
        " invented by bending real ones, with a 1 and a 7 of their own, and there were lettered keys and words about.\n"
        "- Both at the same time on a computer of two processor cores without a graphics card, which did other work, too:"
        " the steps count, not the minutes."
    )


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Measure the eyes and write their model card.")
    parser.add_argument("--photos", nargs="+", type=Path, required=True)
    parser.add_argument("--bank", type=Path, required=True)
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    parser.add_argument("--scenes", type=int, default=600)
    parser.add_argument("--piles", type=int, default=500)
    parser.add_argument("--fans", type=int, default=500)
    parser.add_argument("--nothing", type=int, default=306)
    parser.add_argument("--speed", type=Path, default=Path(), help="what models.bench_eyes wrote with --out")
    parser.add_argument("--decks", type=Path, default=Path(), help="what models.bench_decks printed")
    parser.add_argument("--compare", type=Path, default=Path(), help="what models.compare_plain wrote with --out")
    parser.add_argument("--courses", nargs="*", help="[NAME=]RUN of models.curves; all of --runs when left out")
    parser.add_argument("--curves", type=Path, default=Path("docs/curves.png"))
    parser.add_argument("--diagram", type=Path, default=Path("docs/reliability.png"))
    parser.add_argument("--weights", type=Path, default=Path("models/weights"))
    given = parser.parse_args()
    eyes = eyes_from(given.weights)
    folders = sorted(folder for folder in given.photos if (folder / "labels.csv").is_file())
    scores = [score_folder(eyes, folder) for folder in folders]
    bank = CardBank(given.bank)
    tally = measure(eyes, bank, given.scenes)
    groups = measured(eyes, folders, given.bank, given.scenes)
    cv2.imwrite(str(given.diagram), picture(groups))
    if given.runs.is_dir() and (
        course := curves.histories(given.courses or [str(given.runs / name) for name in TRAINED])
    ):
        cv2.imwrite(str(given.curves), curves.picture(course))
    before = given.weights / "README.md"
    card = CARD.format(
        **{
            f"{name}_mb": megabytes(given.weights / f"{name}.onnx")
            for name in ("finder", "aligner", "reader", "indices")
        },
        small_mb=f"{sum(path.stat().st_size for path in given.weights.glob('*.int8.onnx')) / 1e6:.1f}",
        recipe=recipe(given.runs) if given.runs.is_dir() else kept(before, "recipe"),
        photos=photo_table(scores),
        drawn=drawn_table(tally.figures()) + f"\n\n{tally.cards} cards at least 80 % visible, "
        f"{tally.empty_scenes} scenes without cards (`python -m models.measure`).",
        trials=listed(trials.report(eyes, bank, given.piles, given.fans, given.nothing)),
        kinds=table(remembered()) if remembered() else "Not measured.",
        reliability=reliability_table(groups),
        speed=text_of(given.speed, kept(before, "speed")),
        compared=text_of(given.compare, kept(before, "compared")),
        peers=peers.table(),
        decks=in_lines(text_of(given.decks, "")) or kept(before, "decks"),
        failures=FAILURES,
    )
    before.write_text(card, encoding="utf-8")
    print(f"{before} written")


if __name__ == "__main__":
    main()
