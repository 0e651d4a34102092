"""What is said: every event and ruling has its sentence, and the sentences are true."""

from __future__ import annotations

import itertools
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from referee import events as ev
from referee import rulings as ru
from referee.cards import FACES, Card, Colour
from referee.decisions import APPLIES
from referee.ledger import Ledger
from referee.notation import event_of
from referee.options import OPTION_VALUES, Effect, EffectKind, MatchSettings
from referee.state import HouseQuestion, MatchState, Question, QuestionKind
from service.language import (
    FOLDER,
    LEVELS,
    Level,
    PhraseError,
    gaps,
    languages,
    load_language,
    read_language,
    read_whole,
    untranslated,
)
from service.phrases import QUERIES, Memory, Moment, Phrases, Priority, Utterance
from tests.referee.table import absurd_event, random_settings, sensible_event

THREE = MatchSettings(players=("Anna", "Bram", "Carla"), dealer=3)


def told(ledger: Ledger, event: ev.Event, phrases: Phrases) -> tuple[Utterance, ...]:
    """What is said when `event` happens."""
    before = ledger.state
    step = ledger.add(event)
    return phrases.say(Moment(event, step.rulings, before, step.state, corrected=step.corrected))


def said(lines: str, settings: MatchSettings = THREE, level: Level = "normal", language: str = "en") -> list[str]:
    """The sentences for the last of `lines`, events by ` / `, after all before it."""
    ledger, phrases = Ledger(settings), Phrases.load(language, level)
    heard: tuple[Utterance, ...] = ()
    for line in lines.split(" / "):
        event = event_of(line)
        assert event is not None
        heard = told(ledger, event, phrases)
    return [utterance.text for utterance in heard]


OPENED = "deal 3 / start R5 / "


@pytest.mark.parametrize(
    ("lines", "sentences"),
    [
        ("deal 3", ["Round one. Carla deals, seven cards each."]),
        ("deal 3 / start R5", ["The first card is red five.", "Anna's turn, seven cards."]),
        (
            "deal 3 / start W",
            [
                "The first card is wild.",
                "Anna, which colour?",
                "At this table the first player names the colour of a wild turned first.",
            ],
        ),
        (OPENED + "1 R7", ["Anna: red seven.", "Bram's turn, seven cards."]),
        (OPENED + "1 W>B", ["Anna: wild, blue.", "Bram's turn, seven cards."]),
        (OPENED + "1 W / 1 colour G", ["The colour is green.", "Bram's turn, seven cards."]),
        (OPENED + "1 RD", ["Anna: red draw two.", "Bram draws two cards.", "Carla's turn, seven cards."]),
        (OPENED + "1 RS", ["Anna: red skip.", "Bram is skipped.", "Carla's turn, seven cards."]),
        (
            OPENED + "1 RR",
            ["Anna: red reverse.", "The direction is now counter-clockwise.", "Carla's turn, seven cards."],
        ),
        (OPENED + "1 draw", ["Anna draws one card."]),
        (OPENED + "1 draw / 1 pass", ["Anna keeps the card.", "Bram's turn, seven cards."]),
        (
            OPENED + "1 B7",
            [
                "Anna: blue seven cannot be played on red five. Take it back.",
                "Still Anna's turn.",
                "At this table a wrong card costs nothing.",
            ],
        ),
        (OPENED + "1 W4>B", ["Anna: wild draw four, blue.", "Bram, do you challenge?"]),
        (
            OPENED + "1 W4>B / 2 challenge guilty",
            [
                "Bram challenges.",
                "Guilty: Anna did hold a card of that colour.",
                "Anna draws four cards.",
                "Bram's turn, seven cards.",
            ],
        ),
        (
            OPENED + "1 R7 / undo",
            [
                "Correction: the last move is taken back.",
                "The top card is red five.",
                "Anna has seven cards.",
                "Anna's turn, seven cards.",
            ],
        ),
        (
            OPENED + "1 R7 / amend 3 RS",
            ["Correction: that was red skip.", "The top card is red skip.", "Carla's turn, seven cards."],
        ),
        (
            OPENED + "1 R7 / amend 3 B7",
            [
                "Correction: that was blue seven.",
                "Anna: blue seven cannot be played on red five. Take it back.",
                "The top card is red five.",
                "Anna has seven cards.",
                "Anna's turn, seven cards.",
            ],
        ),
        (OPENED + "2 R7", ["It is not Bram's turn: red seven goes back.", "Still Anna's turn."]),
        (OPENED + "1 ??", ["Anna: a card that nobody saw.", "Bram's turn, seven cards."]),
    ],
)
def test_sentences(lines: str, sentences: list[str]) -> None:
    assert said(lines) == sentences


FEW = MatchSettings(players=("Anna", "Bram"), top=Card.parse("R5"), counts=(2, 3), turn=1, target=200, dealer=2)


@pytest.mark.parametrize(
    ("lines", "sentences"),
    [
        ("1 R7 uno", ["Anna: red seven, uno.", "Bram's turn, three cards."]),
        (
            "1 R7",
            ["Anna: red seven.", "Anna has one card left and has not called uno.", "Bram's turn, three cards."],
        ),
        ("1 R7 / 1 uno", ["Anna calls uno."]),
        ("1 R7 / 2 catch 1", ["Anna forgot to call uno and is caught by Bram.", "Anna draws two cards."]),
        ("1 RS uno", ["Anna: red skip, uno.", "Bram is skipped.", "Anna plays again, one card."]),
        ("1 RS uno / 1 R1", ["Anna: red one.", "Anna has no cards left. Count the hands of the others."]),
        (
            "1 RS uno / 1 R1 / 2 hand W R9 B1",
            [
                "Bram: three cards left, 60 points.",
                "Anna wins the round and scores 60 points.",
                "The score: Anna 60 and Bram 0.",
                "Anna deals the next round.",
            ],
        ),
        (
            "1 RS uno / 1 R1 / 2 points 1",
            [
                "Bram: one point left.",
                "Anna wins the round and scores one point.",
                "The score: Anna 1 and Bram 0.",
                "Anna deals the next round.",
            ],
        ),
        (
            "1 RS uno / 1 R1 / 2 points 200",
            [
                "Bram: 200 points left.",
                "Anna wins the round and scores 200 points.",
                "Anna wins the match!",
                "The score: Anna 200 and Bram 0.",
            ],
        ),
    ],
)
def test_sentences_towards_the_end(lines: str, sentences: list[str]) -> None:
    assert said(lines, FEW) == sentences


def test_levels_say_more_and_more() -> None:
    assert said(OPENED + "1 RD", level="brief") == ["Red draw two.", "Bram draws two cards.", "Carla."]
    assert said(OPENED + "1 RD", level="full")[-1] == "Carla's turn, seven cards, on red draw two."
    assert said(OPENED + "1 W>B", level="full")[-1] == "Bram's turn, seven cards, on wild, blue."


def test_priorities() -> None:
    ledger, phrases = Ledger(THREE), Phrases.load("en")
    for line in ("deal 3", "start R5"):
        told(ledger, event_of(line) or ev.Void(), phrases)
    turn = told(ledger, ev.Play(1, Card.parse("R7")), phrases)
    assert [one.priority for one in turn] == [Priority.EVENT, Priority.TURN]
    wrong = told(ledger, ev.Play(2, Card.parse("B9")), phrases)
    assert [one.priority for one in wrong if one.topic.startswith("ruling.cannot_be_played")] == [Priority.URGENT]
    asked = told(ledger, ev.Play(2, Card.parse("W")), phrases)
    assert [(one.priority, one.topic) for one in asked] == [
        (Priority.EVENT, "event.play"),
        (Priority.URGENT, "question.colour"),
    ]
    assert {one.priority for one in told(ledger, ev.Undo(), phrases)} <= {Priority.URGENT, Priority.TURN}


# Nothing is missing


def rulings() -> list[type[ru.Ruling]]:
    """Every kind of ruling that there is."""
    return [
        kind
        for kind in vars(ru).values()
        if isinstance(kind, type) and issubclass(kind, ru.Ruling) and kind.__dict__.get("key")
    ]


def samples(kind: type[ru.Ruling]) -> Iterator[ru.Ruling]:
    """One of each variant of a ruling."""
    if kind is ru.Decided:
        words = [(option, word) for option in APPLIES for word in OPTION_VALUES[option]]
        yield from (ru.Decided(option, word, "R4.3") for option, word in words)
        return
    if kind is ru.HouseRule:
        yield from (ru.HouseRule(2, str(effect)) for effect in EFFECTS)
        return
    hints = {name: hint for name, hint in get_type_hints(kind).items() if name != "key"}
    for values in itertools.product(*(_values(name, hint) for name, hint in hints.items())):
        yield kind(**dict(zip(hints, values, strict=True)))


EFFECTS = [Effect(kind, 2 if kind in ("others_draw", "next_draw", "dare") else 0) for kind in get_args(EffectKind)]


def _values(name: str, hint: Any) -> list[Any]:
    if get_origin(hint) is Literal:
        return list(get_args(hint))
    plain: dict[str, list[Any]] = {
        "rule": ["R4.3"],
        "value": [1, -1] if hint is int else [Colour.RED] if hint is Colour else ["on"],
        "kind": list(get_args(QuestionKind)),
        "card": [Card.parse("R7")],
        "top": [Card.parse("W")],
        "colour": [Colour.BLUE],
        "what": ["draw"],
    }
    return plain.get(name, [2])


@pytest.fixture(scope="module")
def playing() -> MatchState:
    ledger = Ledger(THREE)
    for line in ("deal 3", "start R5"):
        ledger.add(event_of(line) or ev.Void())
    return ledger.state


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("kind", rulings(), ids=lambda kind: str(kind.key))
def test_every_ruling_has_a_sentence(kind: type[ru.Ruling], language: str, playing: MatchState) -> None:
    for ruling, level in itertools.product(samples(kind), LEVELS):
        spoken = Phrases.load(language, level).say(Moment(ev.Reshuffle(), (ruling,), playing, playing))
        about = [one.text for one in spoken if not one.topic.startswith("turn.")]
        assert about or level == "brief", f"{ruling} has no sentence at level {level}"
        assert not any("{" in text or "None" in text or text[:1].islower() for text in about), about


def test_rulings_that_nobody_wrote_a_sentence_for_would_be_noticed() -> None:
    assert len(rulings()) >= 25
    with pytest.raises(KeyError):
        load_language("en").find("ruling.no_such_key")


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("level", LEVELS)
def test_every_question_can_be_asked(language: str, level: Level, playing: MatchState) -> None:
    phrases = Phrases.load(language, level)
    questions = [Question(kind, 1) for kind in get_args(QuestionKind)]
    questions += [Question("house_rule", 1, house=house) for house in get_args(HouseQuestion)]
    for question in questions:
        assert phrases.sentence(*phrases.asked(playing, question)).endswith("?") or question.kind in (
            "dealer",
            "house_rule",
        )


OURS = [code for code in languages() if code != "en"]


def test_six_languages() -> None:
    assert languages() == ("da", "de", "en", "es", "fr", "nl")


@pytest.mark.parametrize("file", ["speech.toml", "opening.toml", "pages.toml", "cli.toml"])
@pytest.mark.parametrize("language", OURS)
def test_a_language_says_all_that_english_says(language: str, file: str) -> None:
    """The same phrases at the same levels with the same gaps, and no English left in them."""
    english, other = _templates(_file("en", file)), _templates(_file(language, file))
    assert {key for key in english if not key.startswith(FORMS)} == {key for key in other if not key.startswith(FORMS)}
    for key, template in other.items():
        if key in english and not key.startswith(FORMS):
            assert _asked(template) == _asked(english[key]), key
            assert not _words(template) or template != english[key] or _words(template) <= ALIKE, key


FORMS = ("colour.", "rank.", "noun.", "card.form")
"""Tables in which languages differ: forms by gender, words for none."""
ALIKE = {
    "ok",
    "port",
    "uno",
    "apostrophe",
    "no",
    "correction",
    "point",
    "points",
    "minute",
    "minutes",
    "innocent",
    "english",
    "tableref",
    "s",
    "pts",
    "start",
    "stop",
    "median",
    "for",
    "side",
    "normal",
    "question",
    "triangle",
    "actions",
    "table",
    "pile",
    "overlay",
    "camera",
}
"""Words that another language has as well."""


def _file(language: str, file: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / language / file).read_text(encoding="utf-8"))


def _asked(template: str) -> set[str]:
    """The gaps of a phrase; a name as owner is a name."""
    return {gap.removesuffix("_of") for gap in gaps(template)}


def _words(template: str) -> set[str]:
    return set(re.findall(r"\w+", re.sub(r"\{.*?\}", "", template).lower()))


def _templates(table: Any, key: str = "") -> dict[str, str]:
    if isinstance(table, str):
        return {key: table}
    if not isinstance(table, dict):
        return {}
    return {k: v for name, part in table.items() for k, v in _templates(part, f"{key}.{name}".lstrip(".")).items()}


def test_a_language_with_forms_of_its_own() -> None:
    """Gender, word order, plural and none, as they are said at a table."""
    said_of = {
        "nl": ("rode zeven", "joker trek vier", "geen kaarten", "één kaart", "Anna is aan de beurt, drie kaarten."),
        "da": ("rød syv", "joker træk fire", "ingen kort", "ét kort", "Annas tur, tre kort."),
        "de": ("Rot sieben", "Farbwahl vier ziehen", "keine Karten", "eine Karte", "Anna ist dran, drei Karten."),
        "fr": ("sept rouge", "joker plus quatre", "zéro carte", "une carte", "À Anna de jouer, trois cartes."),
        "es": ("siete rojo", "comodín roba cuatro", "cero cartas", "una carta", "Le toca a Anna, tres cartas."),
    }
    for code, said in said_of.items():
        phrases = Phrases.load(code)
        turn = {"seat": "Anna", "seat_of": phrases.language.of("Anna"), "cards": phrases.cards(3)}
        cards = [phrases.card(Card.parse(code)) for code in ("R7", "W4")]
        assert (*cards, phrases.cards(0), phrases.cards(1), phrases.sentence("turn.next", turn)) == said
    french = load_language("fr")
    assert [french.card(Card.parse(code)) for code in ("GR", "G2", "BR")] == [
        "inversion verte",
        "deux vert",
        "inversion bleue",
    ]
    assert load_language("da").of("Hans") == "Hans'"


@pytest.mark.parametrize("language", languages())
def test_every_card_has_a_name_of_its_own(language: str) -> None:
    names = [load_language(language).card(card) for card in (*FACES, None)]
    assert len(set(names)) == len(names) and all(names)


def test_random_games_are_told_to_the_end() -> None:
    random = Random(7)
    for _ in range(60):
        ledger = Ledger(random_settings(random))
        for number in range(60):
            if ledger.state.winner is not None:
                break
            absurd = random.random() < 0.15
            event = absurd_event(random, 4) if absurd else sensible_event(random, ledger.state)
            if number % 13 == 12:
                event = random.choice((ev.Undo(), ev.Amend(number - 5, random.choice(FACES))))
            for utterance in told(ledger, event, Phrases.load("en", random.choice(LEVELS))):
                assert utterance.text and "{" not in utterance.text and "None" not in utterance.text, event


def test_a_listener_knows_whose_turn_it_is_and_how_many_cards_they_hold() -> None:
    """Every turn is announced truly: seat and hand count, whatever happened before it."""
    random, phrases, heard = Random(3), Phrases.load("en"), 0
    numbers = load_language("en").find("number.words")
    for _ in range(40):
        settings = MatchSettings(players=("Anna", "Bram", "Cleo", "Dirk")[: random.randint(2, 4)], dealer=1)
        ledger = Ledger(settings)
        for _ in range(50):
            if ledger.state.winner is not None:
                break
            utterances = told(ledger, sensible_event(random, ledger.state), phrases)
            turns = [one.text for one in utterances if one.topic in ("turn.next", "turn.again")]
            for text in turns:
                found = re.fullmatch(r"(\w+)(?:'s turn| plays again), ([\w-]+) cards?\.", text)
                assert found is not None, text
                seat = ledger.state.turn
                assert seat is not None and settings.players[seat - 1] == found[1]
                count = ledger.state.counts[seat - 1]
                assert found[2] in (numbers[count] if count <= 20 else "", str(count))
                heard += 1
    assert heard > 500


# Asking


def test_answers(playing: MatchState) -> None:
    phrases = Phrases.load("en")
    assert phrases.answer("turn", playing) == "It is Anna's turn, then Bram."
    assert phrases.answer("top", playing) == "The top card is red five."
    assert phrases.answer("colour", playing) == "The colour is red."
    assert phrases.answer("direction", playing) == "The direction is clockwise."
    assert phrases.answer("counts", playing) == "Cards: Anna seven, Bram seven and Carla seven."
    assert phrases.answer("scores", playing) == "The score: Anna 0, Bram 0 and Carla 0."
    assert phrases.answer("pending", playing) == "Nothing is asked."


def test_answers_from_what_the_table_remembers(playing: MatchState) -> None:
    phrases = Phrases.load("en")
    memory = Memory(("Anna: red seven.", "Bram's turn."), ("Anna draws one card.", "Anna: red seven."), 3909)
    assert phrases.answer("repeat", playing, memory) == "Anna: red seven. Bram's turn."
    assert phrases.answer("last", playing, memory) == "The last moves: Anna draws one card. Anna: red seven."
    elapsed = phrases.answer("elapsed", playing, memory)
    assert elapsed == "This match has been going for one hour and five minutes."
    assert phrases.answer("repeat", playing) == "Nothing has been said yet."
    assert phrases.answer("last", playing) == "Nothing has happened yet."
    assert phrases.answer("elapsed", playing) == "This match has been going for less than a minute."


def test_what_is_pending() -> None:
    """The question that is asked, the cards that nobody saw drawn, the hands that are not counted."""
    phrases, wild = Phrases.load("en"), _after(OPENED + "1 W")
    assert phrases.answer("pending", wild) == "Anna, which colour?"
    assert phrases.answer("top", wild) == "The top card is wild. No colour is named."
    assert phrases.answer("pending", _after(OPENED + "1 RD")) == "Bram still has to draw two cards."
    out = _after("1 RS uno / 1 R1", FEW)
    assert phrases.answer("pending", out) == "Still to be counted: Bram."


def _after(lines: str, settings: MatchSettings = THREE) -> MatchState:
    ledger = Ledger(settings)
    for line in lines.split(" / "):
        ledger.add(event_of(line) or ev.Void())
    return ledger.state


@pytest.mark.parametrize("language", languages())
def test_every_question_has_an_answer(language: str, playing: MatchState) -> None:
    phrases = Phrases.load(language)
    for state, query in itertools.product((Ledger(THREE).state, playing, _after(OPENED + "1 W")), QUERIES):
        answer = phrases.answer(query, state)
        assert answer and "{" not in answer and "None" not in answer


def test_a_match_that_begins_in_the_middle_is_told_whole() -> None:
    position = MatchSettings(
        players=("Anna", "Bram"), top=Card.parse("W"), colour=Colour.BLUE, counts=(2, 1), turn=2, scores=(40, 0)
    )
    told = [one.text for one in Phrases.load("en").taken_up(Ledger(position).state)]
    assert told == [
        "A new match: Anna and Bram.",
        "The top card is wild, the colour is blue.",
        "The direction is clockwise.",
        "Cards: Anna two and Bram one.",
        "The score: Anna 40 and Bram 0.",
        "Bram's turn, one card, on wild, blue, clockwise.",
    ]
    assert len(Phrases.load("en").taken_up(Ledger(THREE).state)) == 1


def test_a_draw_that_was_the_first_of_a_penalty_is_told_as_that() -> None:
    assert said(OPENED + "1 W4>B / 2 draw") == ["Bram draws four cards.", "Carla's turn, seven cards."]
    assert said(OPENED + "1 RD / 2 draw") == []


def test_after_a_silence_it_is_told_where_the_match_stands() -> None:
    phrases = Phrases.load("en")
    stands = [one.text for one in phrases.standing(_after(OPENED + "1 RR"))]
    assert stands == ["Carla's turn, seven cards, on red reverse, counter-clockwise."]
    assert [one.text for one in phrases.standing(_after(OPENED + "1 W"))] == ["Anna, which colour?"]
    assert phrases.standing(Ledger(THREE).state) == ()


def test_answers_before_the_first_card() -> None:
    state, phrases = Ledger(THREE).state, Phrases.load("en")
    assert phrases.answer("turn", state) == "It is nobody's turn."
    assert phrases.answer("top", state) == "No card lies on the pile."
    assert phrases.answer("colour", state) == "No colour is named."


@pytest.mark.parametrize("language", languages())
def test_why_the_camera_shows_nothing_is_told_in_the_language_of_the_table(language: str) -> None:
    phrases = Phrases.load(language)
    silent = phrases.lost("silent", "No picture.", "camera 0", 2.0)
    assert "camera 0" in silent and (language == "en") == silent.startswith("No picture comes")
    assert "2.5" in phrases.lost("ended", "It breaks off.", "a.mp4", 2.5)
    assert phrases.lost("", "a.mp4 is no video.", "", 0.0) == "a.mp4 is no video."


# Languages as files


def test_a_language_that_is_not_there() -> None:
    with pytest.raises(PhraseError, match="there is no language 'tlh'; there are "):
        Phrases.load("tlh")


def test_a_broken_file_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "speech.toml").write_text('[a]\nb = "c"\nd = \n')
    with pytest.raises(PhraseError, match=r"speech\.toml: .*line 3"):
        read_language(tmp_path)
    (tmp_path / "speech.toml").write_text('[turn]\nnext = "x"\nstill = { brief = "a", normal = "Still {seat." }\n')
    with pytest.raises(PhraseError, match=r"speech\.toml: line 3: turn\.still\.normal: .*braces"):
        read_language(tmp_path)
    (tmp_path / "speech.toml").write_text('[turn]\n# {who}\nnext = "It is {who}."\n')
    with pytest.raises(PhraseError, match=r"speech\.toml: line 3: turn\.next: there is no \{who\} here; there are "):
        read_language(tmp_path)
    (tmp_path / "speech.toml").write_text("[event]\nplay = 7\n")
    with pytest.raises(PhraseError, match=r"speech\.toml: line 2: event\.play: a text was expected, not 7"):
        read_language(tmp_path)
    (tmp_path / "speech.toml").write_bytes(b'[turn]\nnext = "caf\xe9"\n')
    with pytest.raises(PhraseError, match=r"speech\.toml: line 2: .*UTF-8"):
        read_language(tmp_path)
    (tmp_path / "speech.toml").write_text('[a]\nb = "c"\n')
    (tmp_path / "pages.toml").write_text('[a]\nb = "c"\n')
    with pytest.raises(PhraseError, match=r"\[a\] is already in another file"):
        read_language(tmp_path)


@pytest.mark.parametrize("language", languages())
def test_no_language_lacks_a_phrase(language: str) -> None:
    assert untranslated(FOLDER / language) == []


def test_what_a_language_lacks_is_named_with_its_file(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    dutch = tmp_path / "nl"
    shutil.copytree(FOLDER / "nl", dutch)
    assert untranslated(dutch) == []
    text = (dutch / "commands.toml").read_text("utf-8")
    (dutch / "commands.toml").write_text(re.sub(r"(?m)^not_now = .*\n", "", text), "utf-8")
    assert untranslated(dutch) == [f"{dutch / 'commands.toml'}: hands.not_now is missing"]
    assert read_whole(dutch).text("hands.not_now", command="Uno") == "Uno: not now."
    (dutch / "speech.toml").unlink()
    with pytest.raises(PhraseError, match=r"nl/speech\.toml is missing: put it back, or choose another language"):
        read_whole(dutch)


LACKING = """
import shutil, sys
from pathlib import Path
from service import cli, language
shutil.copytree(language.FOLDER, sys.argv[1] + "/words")
language.FOLDER = Path(sys.argv[1]) / "words"
file = language.FOLDER / "nl" / sys.argv[2]
if sys.argv[3]:
    file.write_text(file.read_text("utf-8").replace(sys.argv[3], "other = "), "utf-8")
else:
    file.unlink()
language.languages.cache_clear()
sys.exit(cli.main(["print-cards", "--keys", "--lang", "nl"]))
"""


@pytest.mark.parametrize(
    ("file", "phrase", "code", "said"),
    [
        ("cli.toml", "", 2, "cli.toml is missing: put it back"),
        ("commands.toml", "no_catch = ", 0, "commands.toml: hands.no_catch is missing; the English words are used."),
    ],
)
def test_who_starts_the_program_is_told_what_a_language_lacks(
    file: str, phrase: str, code: int, said: str, tmp_path: Path
) -> None:
    command = [sys.executable, "-c", LACKING, str(tmp_path), file, phrase]
    done = subprocess.run(command, cwd=FOLDER.parents[1], capture_output=True, text=True, timeout=60)
    assert done.returncode == code and done.stderr.count("\n") == 1 and said in done.stderr, done.stderr


def test_a_language_with_genders_and_an_order_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "speech.toml").write_text(
        '[colour]\nR = { m = "rojo", f = "roja" }\n[rank]\n7 = "siete"\nR = { name = "reversa", form = "f" }\n'
        '[card]\npattern = "{rank} {colour}"\nunseen = "?"\n[card.names]\nW4 = "comodín roba cuatro"\n'
    )
    spanish = read_language(tmp_path)
    assert [spanish.card(Card.parse(code)) for code in ("R7", "RR", "W4")] == [
        "siete rojo",
        "reversa roja",
        "comodín roba cuatro",
    ]
    assert spanish.text("question.colour", seat="Ana") == "Ana, which colour?", "English fills what is missing"


def test_the_files_of_every_language_load() -> None:
    assert "en" in languages()
    assert [read_language(FOLDER / code).code for code in languages()] == list(languages())


def test_no_module_asks_for_a_phrase_that_is_missing() -> None:
    """Keys written out in the program: notices, texts of the command and of the pages."""
    asked = {
        f"{'notice.' if call == 'notice' else ''}{key}"
        for file in FOLDER.parent.glob("*.py")
        for call, key in re.findall(r'\b(notice|text|find|_utter)\(\s*"([\w.]+)"', file.read_text(encoding="utf-8"))
    }
    assert {"notice.no_sound", "notice.view_lost", "turn.deal"} <= asked
    for language, key in itertools.product(languages(), sorted(asked)):
        assert load_language(language).find(key) is not None, key
