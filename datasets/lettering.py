"""Lettering: numbers and words in a style's typeface, stretched, weighed, slanted and turned as the style has them."""

from __future__ import annotations

from functools import lru_cache

from datasets import glyphs as shapes
from datasets.glyphs import Mask
from datasets.styles import Glyphs
from referee.cards import Rank


@lru_cache(maxsize=4096)
def text(words: str, typeface: str) -> Mask:
    """Words as the typeface has them, with nothing of a style."""
    return shapes.text(words, typeface)


def _weighed(mask: Mask, g: Glyphs) -> Mask:
    """Stretch, weight and rounding of the style."""
    mask = shapes.resize(mask, mask.shape[0], round(mask.shape[1] * g.stretch))
    return shapes.rounder(shapes.thicken(mask, g.weight), g.rounding)


def _leant(mask: Mask, g: Glyphs) -> Mask:
    """Slant and turn of the style."""
    return shapes.lean(mask, g.slant, g.turn) if g.slant or g.turn else mask


def digit(rank: Rank, g: Glyphs, marked: bool = True, slanted: bool = True) -> Mask:
    """A number in the style's typeface, 6 and 9 with their mark."""
    if rank is Rank.ONE and g.one:
        mask = _weighed(shapes.one(*g.one), g)
    elif rank is Rank.SEVEN and g.seven:
        mask = _weighed(shapes.seven(*g.seven), g)
    else:
        mask = _weighed(text(rank.value, g.typeface), g)
    mask = shapes.bent(mask, g.bend) if g.bend else mask
    if marked and rank in (Rank.SIX, Rank.NINE):
        mask = shapes.mark(mask, g.mark, g.mark_thickness, g.mark_gap, g.mark_width)
    return _leant(mask, g) if slanted else mask


def lettered(words: str, g: Glyphs) -> Mask:
    """Words in the style's typeface; a line break begins another line."""
    return _leant(_weighed(text(words, g.typeface), g), g)


def plus(number: int, g: Glyphs) -> Mask:
    """`+2` or `+4`."""
    return lettered(f"+{number}", g)
