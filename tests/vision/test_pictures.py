"""Pictures as cameras, telephones and programs write them: read, turned upright, or refused in one sentence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image as Pictures

from vision.eyes import Eyes
from vision.frames import SourceError, read_picture

RED, BLUE = (220, 30, 30), (30, 60, 220)


def halves() -> Pictures.Image:
    """Red on the left, blue on the right."""
    pixels = np.empty((80, 120, 3), np.uint8)
    pixels[:, :60], pixels[:, 60:] = RED, BLUE
    return Pictures.fromarray(pixels)


def sixteen_bits(path: Path) -> None:
    cv2.imwrite(str(path), np.asarray(halves())[..., ::-1].astype(np.uint16) * 257)


def animated(path: Path) -> None:
    halves().save(path, save_all=True, append_images=[halves().rotate(180)])


WRITERS: dict[str, Callable[[Path], None]] = {
    "deep.png": sixteen_bits,
    "deep.tif": sixteen_bits,
    "cmyk.jpg": lambda path: halves().convert("CMYK").save(path),
    "clear.png": lambda path: halves().convert("RGBA").save(path),
    "moving.png": animated,
    "moving.webp": animated,
    "pages.tif": animated,
}


@pytest.mark.parametrize("name", WRITERS)
def test_colours_come_out_whatever_the_file(name: str, tmp_path: Path) -> None:
    WRITERS[name](tmp_path / name)
    image = read_picture(tmp_path / name)
    assert image.shape == (80, 120, 3) and image.dtype == np.uint8
    assert image[40, 20, ::-1].tolist() == pytest.approx(RED, abs=6), "the first picture of several"
    assert image[40, 100, ::-1].tolist() == pytest.approx(BLUE, abs=6)


@pytest.mark.parametrize("mode", ["L", "LA", "1", "P"])
def test_pictures_without_full_colour_have_three_planes(mode: str, tmp_path: Path) -> None:
    halves().convert(mode).save(tmp_path / "grey.png")
    image = read_picture(tmp_path / "grey.png")
    assert image.shape == (80, 120, 3) and image[40, 20].sum() != image[40, 100].sum()


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["jpg", "png"])
def test_a_picture_stands_as_its_camera_held_it(kind: str, orientation: int, tmp_path: Path) -> None:
    tags = halves().getexif()
    tags[0x0112] = orientation
    path = tmp_path / f"turned.{kind}"
    halves().save(path, exif=tags)
    from PIL import ImageOps

    upright = np.asarray(ImageOps.exif_transpose(Pictures.open(path)).convert("RGB"))
    image = read_picture(path)[..., ::-1]
    assert image.shape == upright.shape
    assert np.abs(image.astype(int) - upright.astype(int)).mean() < 4


@pytest.mark.parametrize(
    "damage", [lambda coded: b"", lambda coded: b"hello", lambda coded: coded[:90], lambda coded: coded[40:]]
)
def test_what_is_no_picture_is_refused(damage: Callable[[bytes], bytes], tmp_path: Path) -> None:
    path = tmp_path / "broken.png"
    halves().save(path)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(SourceError, match=r"broken\.png is no picture that can be read: give a JPEG"):
        read_picture(path)


def test_a_hundred_megapixels_are_looked_at(tmp_path: Path) -> None:
    pixels = np.full((10_000, 10_000, 3), 90, np.uint8)
    cv2.imwrite(str(tmp_path / "huge.jpg"), pixels, [cv2.IMWRITE_JPEG_QUALITY, 50])
    del pixels
    image = read_picture(tmp_path / "huge.jpg")
    assert image.shape == (10_000, 10_000, 3)
    assert len(Eyes.load().see(image)) == 0
