"""Refusals: what a command says when it cannot do its work."""

from __future__ import annotations


class Refusal(Exception):  # noqa: N818 - it is an answer, not a fault of the program
    """A command that cannot be carried out; the text is one sentence for a person that says what to do."""
