"""In matches as they happen nothing is left unsaid, at no level, in no language; every sentence is well formed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from service.language import LEVELS, Level, at_level, languages, load_language
from service.phrases import Moment, Phrases
from tests.service.listener import _templates
from tests.service.talk import moments

TABLES = ("event", "ruling", "question", "turn", "now", "scores")
ELSEWHERE = {
    "event.amend_of": "said when hindsight puts the record right",
    "event.amend_turned": "the same",
    "event.amend_unknown": "the same",
    "event.put_right": "the same",
    "event.match": "begun by no event",
    "event.deal_unseen": "for a record without a dealer, which the referee draws for",
    "turn.late": "said by the queue",
    "scores.one": "a part",
    "scores.count": "a part",
    "question.house_rule": "asked by no rule that there is",
    "ruling.open_question.dealer": "nothing is played while the deal is drawn for",
    "ruling.open_question.verdict": "whatever is done next shows the verdict",
    "ruling.unexplained.no_card_there": "found by no event of a record",
    "ruling.decided.must_play_drawn_off": "nothing to decide",
}
"""Phrases that no moment of a match tells, and why."""
QUIET: dict[Level, set[str]] = {
    "brief": {
        "event.draw",
        "event.draw_owed",
        "event.draw_for_deal",
        "event.pass",
        "event.no_challenge",
        "ruling.skipped",
        "ruling.implied_draw",
        "scores.say",
        "turn.deal",
    },
    "normal": {"event.draw_owed"},
    "full": set(),
}
"""What a level leaves out on purpose; at `brief` also the decisions of the table."""


@cache
def told() -> tuple[Moment, ...]:
    return tuple(moments())


def topics(code: str, level: Level) -> list[set[str]]:
    phrases = Phrases.load(code, level)
    return [{one.topic for one in phrases.say(moment)} for moment in told()]


def test_every_phrase_is_said_in_some_match() -> None:
    """Whatever the referee rules occurs in the games and cases, and is told there."""
    phrases = {key for table in TABLES for key, _ in _templates(load_language("en").table[table], table)}
    heard = set().union(*topics("en", "full"))
    never = {key for key in phrases - heard if not key.endswith(".default")}
    assert never == set(ELSEWHERE)


@pytest.mark.parametrize("code", languages())
@pytest.mark.parametrize("level", LEVELS)
def test_a_level_leaves_out_only_what_it_means_to(level: Level, code: str) -> None:
    for moment, full, here in zip(told(), topics("en", "full"), topics(code, level), strict=True):
        missing = {topic for topic in full - here if level != "brief" or not topic.startswith("ruling.decided.")}
        assert missing <= QUIET[level], moment
        assert here <= full, moment


WELL_FORMED = re.compile(r"[^\W_][^{}\n]*[.?!]|[¿¡][^\W_][^{}\n]*[.?!]")


@pytest.mark.parametrize("code", languages())
def test_sentences_of_matches_are_well_formed(code: str) -> None:
    """Begun with a capital, ended, no gap left open, and each language's own signs."""
    for level in LEVELS:
        phrases = Phrases.load(code, level)
        for text in {one.text for moment in told() for one in phrases.say(moment)}:
            assert WELL_FORMED.fullmatch(text) and not text[0].islower(), text
            assert "None" not in text and "  " not in text and not re.search(r" [.,]|[.,:;]{2}", text), text
            if code == "es":
                assert text.count("¿") == text.count("?") and text.count("¡") == text.count("!"), text
            if code == "fr":
                assert not re.search(r"[^\u00a0][:;?!]", text) and "'" not in text, text
            if code in ("da", "de", "nl"):
                assert not re.search(r"\w [:;?!]", text), text


def test_what_happens_is_told_in_the_order_in_which_it_matters() -> None:
    """Who and the card, what follows from it, and at the end whose turn it is or what is asked."""
    for moment in told():
        said = [one.topic.split(".")[0] for one in Phrases.load("en").say(moment) if "decided" not in one.topic]
        ends = [place for place, about in enumerate(said) if about in ("turn", "question")]
        assert all(place == len(said) - 1 for place in ends), (moment.event, said)


def test_a_move_is_told_as_shortly_as_people_do() -> None:
    """ "Anna: red seven. Bram's turn, three cards." is the measure: seven words."""
    phrases = Phrases.load("en")
    plain = [
        sum(len(one.text.split()) for one in phrases.say(moment))
        for moment in told()
        if [one.topic for one in phrases.say(moment)] == ["event.play", "turn.next"]
    ]
    assert plain and max(plain) <= 9


@pytest.mark.parametrize("code", languages())
def test_levels_of_a_sentence_grow(code: str) -> None:
    for table in ("event", "ruling", "turn"):
        for key, _ in _templates(load_language(code).table[table], table):
            texts = [at_level(load_language(code).find(key), level) for level in LEVELS]
            assert sorted(texts, key=len) == texts, (key, texts)


SIGNS = {
    "fr": r"(?<!\u00a0)[:;?!»]|«(?!\u00a0)|'",  # no-break spaces, typographic apostrophes
    "es": r"^[^¿]*\?|^[^¡]*!|\b(?:vosotros|vuestr[oa]s?|\w+(?:ad|ed|id)(?:lo|la)s?)\b",  # both signs, no vosotros
    "de": r"\b(?:Sie können|Partien?|Hände)\b",  # du, Spiel, Karten
    "nl": r"\b(?:partij|pakken|pak|uw?)\b",  # je, wedstrijd, trekken
    "da": r"\ben farve af\b|\b(?:en|et) kort tilbage\b",  # én, ét
}
"""What no text of a language has."""


@pytest.mark.parametrize("code", SIGNS)
def test_every_text_of_a_language_keeps_to_its_signs_and_words(code: str) -> None:
    pattern, texts = re.compile(SIGNS[code]), [*_texts(load_language(code).table)]
    assert len(texts) > 500
    assert [text for text in texts if pattern.search(text.replace(" ??", "").replace("camera:", "camera "))] == []


def _texts(table: Any) -> Iterator[str]:
    for value in table.values():
        if isinstance(value, dict):
            yield from _texts(value)
        elif isinstance(value, str):
            yield value
