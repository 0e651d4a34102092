"""`tableref read`: which cards are in these pictures."""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from referee.cards import Card
from service import settings as configuration
from service.cli import complain, language_of
from service.cli_decks import remembered
from service.preview import drawn
from service.reading import closely
from service.sentences import Refusal
from vision.detections import BACK, Detections, Image
from vision.eyes import Eyes
from vision.frames import SourceError, is_there, pictures_in, read_picture
from vision.light import is_grey
from vision.sight import Sight


def read(options: argparse.Namespace) -> int:
    """Print the cards of every picture; 2 when one of them could not be read."""
    if options.draw:
        _make_folder(options.draw)
    deck = remembered(configuration.load({"deck": options.deck}, file=options.settings))
    how = {"as_json": options.json, "points": options.points, "draw": options.draw, "lang": language_of(options)}
    return read_all(options.images, Eyes.load(deck), **how)


def read_all(
    images: list[Path], sight: Sight, *, as_json: bool, points: bool, draw: Path | None, lang: str = "en"
) -> int:
    """Read `images`, a folder standing for all its pictures, with `sight` and print what is in them; see `read`."""
    results, code = [], 0
    images, faults = unfolded(images)
    for fault in faults:
        complain(fault, lang)
        code = 2
    for path in images:
        try:
            image = read_picture(path)
        except SourceError as error:
            complain(str(error), lang)
            code = 2
            continue
        results.append(report(path, image, sight, draw / drawing_name(path, images) if draw else None))
        if results[-1]["cards"] and is_grey(image):
            complain(f"{path} is black and white: the colours of its cards cannot be told.", lang)
        if not as_json:
            print(line(results[-1], points))
    if as_json:
        print(json.dumps(results))
    return code


def unfolded(images: list[Path]) -> tuple[list[Path], list[str]]:
    """The pictures, those in folders among them, and a sentence for each folder that gives none."""
    found: list[Path] = []
    faults: list[str] = []
    for path in images:
        try:
            found += pictures_in(path) if is_there(path) and path.is_dir() else [path]
        except SourceError as error:
            faults.append(str(error))
    return found, faults


def drawing_name(path: Path, images: list[Path]) -> str:
    """The name of the drawing of one of `images`; pictures of the same name in several folders are numbered."""
    alike = [other for other in dict.fromkeys(images) if other.stem == path.stem]
    number = f"-{alike.index(path) + 1}" if len(alike) > 1 else ""
    return f"{path.stem}{number}.cards.jpg"


def report(path: Path, image: Image, sight: Sight, drawing: Path | None) -> dict[str, Any]:
    """The JSON object of one picture (DESIGN.md, `read --json`), surest card first; outlined in the file `drawing`."""
    start = time.perf_counter()
    seen = closely(sight, image).surest_first()
    took = 1000 * (time.perf_counter() - start)
    if drawing:
        _write(drawing, drawn(image, seen))
    height, width = image.shape[:2]
    return {"image": str(path), "width": width, "height": height, "milliseconds": round(took, 1), "cards": cards(seen)}


def cards(seen: Detections) -> list[dict[str, Any]]:
    """The cards whose face could be told, as JSON objects."""
    return [
        {
            "card": str(card.face),
            "confidence": round(card.confidence, 4),
            "quad": [[round(float(x), 1), round(float(y), 1)] for x, y in card.quad],
            "points": card.face.points if isinstance(card.face, Card) else 0,
        }
        for card in seen
        if card.face is not None
    ]


def line(result: dict[str, Any], points: bool) -> str:
    """One picture as a line for people."""
    found = result["cards"]
    text = ", ".join(f"{card['card']} {100 * card['confidence']:.0f} %" for card in found) or "no cards"
    if points:
        hand = [card for card in found if card["card"] != BACK and card["confidence"] >= 0.5]
        text += f"; {sum(card['points'] for card in hand)} points in {len(hand)} card{'s' * (len(hand) != 1)}"
    return f"{result['image']}: {text}"


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Refusal(f"{folder} cannot be made a folder: {error.strerror or error}.") from None


def _write(path: Path, image: Image) -> None:
    done, coded = cv2.imencode(".jpg", image)
    try:
        path.write_bytes(np.asarray(coded).tobytes() if done else b"")
    except OSError as error:
        raise Refusal(f"{path} cannot be written: {error.strerror or error}.") from None
