"""The two reference documents say what the code does: the examples run, the tables are those of the code."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest

from referee.decisions import APPLIES
from referee.header import READERS, WRITERS
from referee.judge import WORDS
from referee.notation import event_of
from referee.options import DEFAULTS, OPTION_VALUES, Effect, EffectKind, Options
from referee.record import parse, replay
from referee.rulings import Oddity, PenaltyReason, Ruling, Unplayable
from referee.state import QuestionKind

ROOT = Path(__file__).parents[2]
RULES = (ROOT / "docs" / "rules.md").read_text("utf-8")
RECORD = (ROOT / "docs" / "record.md").read_text("utf-8")
RULE_ID = r"\bR(?:[2-9]\.\d+|10)\b"
EXAMPLE = re.compile(r"^```trn\n(.*?)^```\n(?:\n```json\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)
EXAMPLES = [found.groups() for found in EXAMPLE.finditer(RECORD)]


def section(text: str, heading: str) -> str:
    """What stands under a heading, up to the next one."""
    found = re.search(rf"^## {re.escape(heading)}.*\n((?:(?!## ).*\n)*)", text, re.MULTILINE)
    assert found, f"no heading {heading}"
    return found[1]


def rows(text: str) -> list[list[str]]:
    """The cells of all rows of the tables in `text`, each as written."""
    lines = [line for line in text.splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def code(text: str) -> list[str]:
    """What stands between backticks."""
    return re.findall(r"`([^`]+)`", text)


def test_no_fenced_block_escapes_the_tests() -> None:
    assert RECORD.count("```trn\n") == len(EXAMPLES) >= 6
    assert RECORD.count("```json\n") == sum(told is not None for _, told in EXAMPLES) >= 5
    assert "```" not in RULES


@pytest.mark.parametrize(("text", "told"), EXAMPLES)
def test_an_example_prints_as_written_and_replays_as_told(text: str, told: str | None) -> None:
    record = parse(text)
    assert str(record) == text
    result: dict[str, Any] = json.loads(json.dumps(replay(record).public()))
    assert "unexplained" not in {ruling["key"] for ruling in result["rulings"]}
    expected: dict[str, Any] = json.loads(told or "{}")
    assert {field: result[field] for field in expected} == expected


def test_every_rule_id_that_the_referee_cites_has_its_line() -> None:
    cited = {rule for path in (ROOT / "referee").glob("*.py") for rule in re.findall(RULE_ID, path.read_text("utf-8"))}
    explained = set(re.findall(r"^- \*\*(R\d+\.\d+)\*\* ", RULES, re.MULTILINE)) | set(
        re.findall(r"^## (R10) ", RULES, re.MULTILINE)
    )
    assert len(cited) > 30
    assert cited - explained == set()


def test_rule_ids_run_without_a_gap() -> None:
    listed = [tuple(map(int, found)) for found in re.findall(r"^- \*\*R(\d+)\.(\d+)\*\* ", RULES, re.MULTILINE)]
    last = {2: 4, 3: 5, 4: 7, 5: 9, 6: 5, 7: 5, 8: 4, 9: 4}
    assert listed == [(chapter, number) for chapter, end in last.items() for number in range(1, end + 1)]


def test_every_option_is_listed_with_its_values_and_default() -> None:
    listed = {code(row[0])[0]: (code(row[1]), code(row[2])) for row in rows(section(RULES, "Options"))}
    assert listed == {name: (list(values), [DEFAULTS.word(name)]) for name, values in OPTION_VALUES.items()}


def test_an_option_stands_with_its_rule() -> None:
    for name, _, _, rule, _ in rows(section(RULES, "Options")):
        if rule != "R10":
            line = re.search(rf"^- \*\*{re.escape(rule)}\*\* .*\n(?:  .*\n)*", RULES, re.MULTILINE)
            assert line and re.search(rf"\*Option\*\s+{name}", line[0]), name
        else:
            assert name in section(RULES, "R10")


def test_the_decisions_that_are_said_are_named() -> None:
    first = section(RULES, "Where the rules are silent").split("\n\n")[0]
    assert set(code(first)) == {*APPLIES, "decided"}


def test_the_house_rules_of_blank_cards_can_be_written_so() -> None:
    notes = [code(row[0])[0] for row in rows(section(RULES, "R10"))]
    effects = [Effect.parse(note) for note in notes]
    assert [str(effect) for effect in effects] == notes
    assert [effect.kind for effect in effects] == list(get_args(EffectKind))


def test_the_options_of_the_example_can_be_written_so() -> None:
    found = re.search(r'`Options "([^"]+)"`', section(RULES, "Options"))
    assert found and str(Options.parse(found[1])) == "misplay=draw1;stack=on"


def test_every_header_key_is_listed() -> None:
    listed = [code(row[0])[0] for row in rows(section(RECORD, "Header"))]
    assert listed == list(READERS) == list(WRITERS)


FORMS = [form for row in rows(section(RECORD, "Lines")) for form in code(row[0])]


@pytest.mark.parametrize("form", FORMS)
def test_a_form_of_a_line_can_be_read(form: str) -> None:
    assert event_of(form) is not None


def test_every_kind_of_line_is_listed() -> None:
    assert {type(event_of(form)) for form in FORMS} == set(WORDS)


def test_every_ruling_is_listed_with_its_fields() -> None:
    own = {
        kind.key: [name.rstrip("_") for name in kind.__dataclass_fields__ if name not in ("key", "rule")]
        for kind in Ruling.__subclasses__()
    }
    table = section(RECORD, "Ruling keys").partition("`why` of")[0]
    assert {code(row[0])[0]: code(row[1]) for row in rows(table)} == own


@pytest.mark.parametrize(("key", "reasons"), [("cannot_be_played", Unplayable), ("penalty", PenaltyReason)])
def test_every_reason_is_listed(key: str, reasons: object) -> None:
    found = re.search(rf"^`why` of `{key}`: ((?:.+\n)+)", RECORD, re.MULTILINE)
    assert found and code(found[1]) == list(get_args(reasons))


def test_every_oddity_is_listed() -> None:
    table = section(RECORD, "Ruling keys").partition("`why` of `unexplained`")[2]
    assert {code(row[0])[0] for row in rows(table)} == set(get_args(Oddity))


def test_the_fields_of_a_replay_are_listed_in_order() -> None:
    public = replay(parse('[Players "A;B"]\n')).public()
    assert [code(row[0])[0] for row in rows(section(RECORD, "Replay"))] == list(public)


def test_every_kind_of_question_is_listed() -> None:
    found = re.search(r"^`kind` in `pending` is ((?:.+\n)+)", RECORD, re.MULTILINE)
    assert found and set(code(found[1])) - {"turn"} == set(get_args(QuestionKind))


@pytest.mark.parametrize("text", [RULES, RECORD])
def test_links_lead_somewhere(text: str) -> None:
    documents = {"": text, "rules.md": RULES, "record.md": RECORD}
    for name, anchor in re.findall(r"\]\(([\w.]*)(?:#([\w-]+))?\)", text):
        headings = re.findall(r"^## (.+)$", documents[name], re.MULTILINE)
        anchors = {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}
        assert not anchor or anchor in anchors, (name, anchor)
