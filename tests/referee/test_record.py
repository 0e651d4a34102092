"""The game record: what is read, what is kept, what is refused and where."""

from __future__ import annotations

import doctest

import pytest

from referee import record
from referee.cards import Card, Colour
from referee.events import Amend, Catch, Draw, Event, Pass, Play, Start, Undo
from referee.ledger import Ledger, Step, amended
from referee.options import MatchSettings
from referee.record import RecordError, append, ledger, new_record, parse, parse_rules, plain, replay, replay_text
from referee.rulings import CannotBePlayed, Unexplained
from tests.referee.table import keys, played

TABLE = MatchSettings(("Anna", "Bram", "Cleo"), dealer=3)
EVENING = """\ufeff[Players "Anna;Bram;Cleo"] ; all of us
[Dealer "3"]
[Weather "rain, and wind"]
; we begin

  deal 3
start R5   @3.50
1 R2 uno @10.25 ~0.930 ; not yet
\t2 W>B ~1
undo
"""


def test_the_docstring_is_true() -> None:
    assert doctest.testmod(record).failed == 0


@pytest.mark.parametrize("text", [EVENING, EVENING.rstrip("\n"), EVENING.replace("\n", "\r\n"), EVENING + "\n\n;"])
def test_a_record_prints_as_it_was_written(text: str) -> None:
    assert str(parse(text)) == text


def test_comments_and_unknown_keys_are_kept_and_mean_nothing() -> None:
    read = parse(EVENING)
    assert ("Weather", "rain, and wind") in read.header
    assert replay(read).state.turn == 2
    assert read.text_at(4) == "; we begin"


def test_times_and_confidences_are_read() -> None:
    play = parse(EVENING).events[7]
    assert isinstance(play, Play)
    assert (play.seconds, play.confidence, play.uno) == (10.25, 0.93, True)


HEAD = '[Players "A;B;C"]\n'


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("", 1, "Players: expected the names"),
        ("deal 3\n", 1, "Players: expected the names"),
        ('[Players "A"]', 1, "Players: expected 2 to 10 names, not 1"),
        ('[Players "A;;B"]', 1, "every seat needs a name"),
        ('\n[Players "A;B"]\n[Deck "110"]', 3, "Deck: expected 108 or 112, not '110'"),
        ('[Players "Anna;Bram; anna"]', 1, "Players: expected another name for each seat, not 'Anna' twice"),
        ('[Players "Anna;\u202emarB"]', 1, "Players: a name cannot hold control characters"),
        ('[Players "Anna;Bram"]\n[Custom "skip_all=-1"]', 2, "Custom: skip_all needs no number of cards"),
        (
            '[Players "Anna;Bram"]\n[Custom "dare=2 \u202egnis"]',
            2,
            "Custom: the text of a dare cannot hold control characters",
        ),
        (HEAD + '[Mode "team"]', 2, "elimination or teams, not 'team'; did you mean 'teams'?"),
        (HEAD + '[Mode "poker"]', 2, "Mode: expected points or elimination or teams, not 'poker'"),
        (HEAD + '[Mode "teams"]', 1, "teams are four seats"),
        (HEAD + '[Target "many"]', 2, "Target: expected a whole number, not 'many'"),
        (HEAD + '[Target "0"]', 2, "Target: expected at least 1"),
        (HEAD + '[Dealer "4"]', 2, "Dealer: expected a seat from 1 to 3, not 4"),
        (HEAD + '[Options "stak"]', 2, "no option 'stak'; did you mean 'stack'?"),
        (
            HEAD + '[Options "misplay=draw3"]',
            2,
            "misplay is one of none, draw1, draw2, not 'draw3'; did you mean 'draw2'?",
        ),
        (HEAD + '[Options "misplay"]', 2, "misplay is one of none, draw1, draw2, not ''"),
        (HEAD + '[Custom "dance=2"]', 2, "no house rule 'dance'; did you mean 'dare'?"),
        (HEAD + '[Custom "next_draw"]', 2, "next_draw needs a number of cards"),
        (HEAD + '[Custom "skip_all=2"]', 2, "skip_all needs no number of cards"),
        (HEAD + '[Custom "skip_all;skip_all;skip_all;skip_all"]', 2, "there are 3 blank cards, not 4"),
        (HEAD + '[Top "R77"]', 2, "'R77' is no card"),
        (HEAD + '[Top "R7"]\n[Colour "red"]', 3, "Colour: expected R, Y, G or B, not 'red'"),
        (HEAD + '[Top "R7"]\n[Colour "B"]', 3, "Colour: expected R, the colour of R7"),
        (HEAD + '[Top "R7"]\n[Direction "2"]', 3, "Direction: expected 1 or -1, not 2"),
        (HEAD + '[Top "R7"]\n[Counts "1,2"]', 3, "Counts: expected 3 numbers, not 2"),
        (HEAD + '[Top "R7"]\n[Counts "1,2,x"]', 3, "Counts: expected a whole number, not 'x'"),
        (HEAD + '[Top "R7"]\n[Counts "1,2,0"]', 3, "Counts: expected at least 1 card"),
        (HEAD + '[Top "R7"]\n[Counts "50,50,8"]', 3, "Counts: 108 cards in hand leave none"),
        (HEAD + '[Top "R7"]\n[DrawPile "87"]', 3, "DrawPile: expected 0 to 86 cards, not 87"),
        (HEAD + '[Turn "2"]', 1, "Top: a position with Turn needs its top card, or ??"),
        (HEAD + '[Colour "R"]', 1, "Top: a position with Colour needs its top card"),
        (HEAD + '[Counts "1,2,3"]', 1, "Top: a position with Counts needs its top card"),
        (HEAD + '[DrawPile "2"]', 1, "Top: a position with DrawPile needs its top card"),
        (HEAD + '[Custom "dare=two sing"]', 2, "Custom: expected a whole number, not 'two'"),
        ('[Players "A;B;C;D"]\n[Mode "teams"]\n[Scores "1,2,1,3"]', 3, ": Scores: partners have the same score"),
        ('[Target "9"]\n[Mode "teams"]\n[Players "A;B"]', 3, "Players: teams are four seats, partners opposite, not 2"),
        ('[Target "9"]\n[Players "A;;B"]', 2, ': Players: every seat needs a name without ; and "'),
        (HEAD + '[Top "R7"]\n[Turn "4"]', 3, "Turn: expected a seat from 1 to 3, not 4"),
        (HEAD + '[Mode "elimination"]\n[Scores "1,500,0"]\n[Top "R7"]\n[Turn "2"]', 5, "Turn: seat 2 is out"),
        (HEAD + '[Mode "elimination"]\n[Scores "1,500,500"]', 3, "Scores: the match is over"),
        (HEAD + '[Scores "1,2"]', 2, "Scores: expected 3 numbers from 0"),
        (HEAD + '[Scores "1,2,500"]', 2, "the match is over: the target of 500 is reached"),
        (HEAD + '[Mode "elimination"]\n[Scores "1,500,0"]\n[Dealer "2"]', 4, "Dealer: seat 2 is out"),
        (HEAD + '[Dealer "1"]\n[Dealer "2"]', 3, "Dealer only once; it is on line 2 already"),
        (HEAD + "[Dealer 1]", 2, "expected a header such as"),
        (HEAD + 'deal 1\n[Dealer "1"]', 3, "the header before the first event"),
        (HEAD + 'deal 1\n; so\n[Dealer "1"]', 4, "the header before the first event"),
        (HEAD + "1 Q7", 2, "a card such as R7, BS, W>B or ??, not 'Q7'"),
        (HEAD + "1 r7", 2, "a card such as R7, BS, W>B or ??, not 'r7'"),
        (HEAD + "1 W>P", 2, "a card such as"),
        (HEAD + "1 R7 une", 2, "`uno` or the end of the line, not 'une'"),
        (HEAD + "1 R7 uno uno", 2, "the end of the line, not 'uno'"),
        (HEAD + "1", 2, "more: the line breaks off"),
        (HEAD + "deal", 2, "more: the line breaks off"),
        (HEAD + "deal three", 2, "a seat, not 'three'"),
        (HEAD + "shuffle", 2, "a seat, or one of deal, start, reshuffle"),
        (HEAD + "1 draw many", 2, "how many cards, not 'many'"),
        (HEAD + "1 draw 2 3", 2, "the end of the line, not '3'"),
        (HEAD + "1 pass now", 2, "the end of the line, not 'now'"),
        (HEAD + "1 challenge maybe", 2, "guilty, innocent or the end of the line, not 'maybe'"),
        (HEAD + "1 colour red", 2, "R, Y, G or B, not 'red'"),
        (HEAD + "1 hand R7>B", 2, "only the card in 'R7>B'"),
        (HEAD + "amend 2 ??", 2, "the card that it was"),
        (HEAD + "1 R7 ~1.5", 2, "a confidence from 0 to 1"),
        (HEAD + "@3.5", 2, "an event before the time"),
        (HEAD + "1 R7 @soon", 2, "a line such as"),
    ],
)
def test_what_cannot_be_read_names_file_and_line_and_what_was_expected(text: str, line: int, said: str) -> None:
    with pytest.raises(RecordError) as caught:
        parse(text, "evening.trn")
    assert (caught.value.name, caught.value.line) == ("evening.trn", line)
    assert str(caught.value).startswith(f"evening.trn, line {line}: ")
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (HEAD + '\n[Optons "stack"]', 3, "no setting 'Optons'; did you mean 'Options'?"),
        (HEAD + '[Songs "all"]', 2, "no setting 'Songs'; expected one of Deck, Mode, Target, Players"),
        (HEAD + '[Options "stak"]', 2, "Options: no option 'stak'; did you mean 'stack'?"),
    ],
)
def test_a_file_of_settings_is_refused_by_key_and_by_value(text: str, line: int, said: str) -> None:
    with pytest.raises(RecordError) as caught:
        parse_rules(text, "house.trn")
    assert str(caught.value).startswith(f"house.trn, line {line}: {said}")


def test_a_file_of_settings_is_a_header() -> None:
    with pytest.raises(RecordError, match=r"^rules, line 1: no setting 'Fame'"):
        parse_rules('[Fame "Anna;Bram"]\n[Players "A;B"]')
    assert parse_rules(HEAD + '; ours\n[Options "stack"]\n').settings.options.stack


def test_appended_lines_are_replayed() -> None:
    events: list[Event] = [Play(1, Card.parse("R7")), Draw(2), Undo()]
    grown = new_record(TABLE)
    for event in events:
        grown = append(grown, event)
    assert str(grown) == '[Players "Anna;Bram;Cleo"]\n[Dealer "3"]\n1 R7\n2 draw\nundo\n'
    assert parse(str(grown)) == grown


def test_a_last_line_without_an_end_is_kept_when_one_is_appended() -> None:
    assert str(append(parse(HEAD + "deal 1"), Draw(2))) == HEAD + "deal 1\n2 draw\n"


def test_a_ledger_goes_on_where_the_record_ends() -> None:
    opened = ledger(parse(HEAD + "deal 3\n; a pause\nstart R5\n"))
    step = opened.add(Draw(1))
    assert step.line == 5
    assert opened.state == replay_text(HEAD + "deal 3\n; a pause\nstart R5\n1 draw\n").state


OLD_TOP, NEW_TOP = (
    (CannotBePlayed(2, Card.parse("B9"), "colour_and_symbol", Card.parse(top), Colour.RED),) for top in ("R6", "R8")
)


def test_an_amendment_tells_what_changed() -> None:
    book = Ledger(MatchSettings(("A", "B", "C"), top=Card.parse("R7")))
    book.add(Play(1, Card.parse("R6")))
    book.add(Play(2, Card.parse("R9")))
    step = book.add(Amend(1, Card.parse("RS")))
    assert step.corrected and step.taken_back == Play(1, Card.parse("R6"))
    assert [ruling.key for ruling in step.rulings] == ["skipped", "cannot_be_played"]
    assert not step.withdrawn
    undone = book.add(Undo())
    assert undone.corrected
    assert [ruling.key for ruling in undone.withdrawn] == ["skipped", "cannot_be_played"]


def test_an_undo_names_what_was_taken_back() -> None:
    book = Ledger(MatchSettings(("A", "B", "C"), top=Card.parse("R7")))
    book.add(Play(1, Card.parse("RD")))
    step = book.add(Undo())
    assert step.taken_back == Play(1, Card.parse("RD"))
    assert [ruling.key for ruling in step.withdrawn] == ["penalty", "skipped"]
    assert step.state == Ledger(book.settings).state


def test_what_was_ruled_before_a_correction_and_still_holds_is_not_told_again() -> None:
    book = Ledger(MatchSettings(("A", "B", "C"), top=Card.parse("R7")))
    for event in (Play(1, Card.parse("R6")), Play(2, Card.parse("B9")), Play(2, Card.parse("RS"))):
        book.add(event)
    amendment = Amend(1, Card.parse("R8"))
    step = book.add(amendment)
    assert (step.line, step.event, step.rulings, step.withdrawn) == (4, amendment, NEW_TOP, OLD_TOP)
    undone = book.add(Undo())
    assert (undone.line, undone.event, undone.rulings, undone.withdrawn) == (5, Undo(), OLD_TOP, NEW_TOP)


def test_with_nothing_to_undo_nothing_is_undone() -> None:
    book = Ledger(TABLE, first_line=7)
    ruling = Unexplained("undo", None, "nothing_to_undo")
    assert book.add(Undo()) == Step(7, Undo(), book.state, (ruling,))


WILD, SWAP, SEVEN = Card.parse("W"), Card.parse("WS"), Card.parse("R7")


@pytest.mark.parametrize(
    ("happened", "amendment", "really"),
    [
        (Play(1, WILD, Colour.BLUE, uno=True), Amend(3, SEVEN), Play(1, SEVEN, uno=True)),
        (Play(1, WILD, Colour.BLUE), Amend(3, WILD), Play(1, WILD, Colour.BLUE)),
        (Play(1, WILD, Colour.BLUE), Amend(3, SWAP, Colour.RED, 3), Play(1, SWAP, Colour.RED, 3)),
        (Play(1, SWAP, Colour.BLUE, 2), Amend(3, SEVEN), Play(1, SEVEN, None, 2)),
        (Play(1, SWAP, None, 2), Amend(3, SWAP, None, 3), Play(1, SWAP, None, 3)),
        (Play(1, SEVEN, confidence=0.4), Amend(3, WILD, confidence=0.9), Play(1, WILD, confidence=0.9)),
        (Start(SEVEN, seconds=2.0), Amend(3, WILD, Colour.RED), Start(WILD, Colour.RED, seconds=2.0)),
        (Draw(2, seconds=4.5), Amend(3, SWAP, Colour.RED, 3), Play(2, SWAP, Colour.RED, 3, seconds=4.5)),
        (Pass(2), Amend(3, SEVEN), Play(2, SEVEN)),
        (Catch(1, 2), Amend(3, SEVEN), None),
    ],
)
def test_what_really_happened(happened: Event, amendment: Amend, really: Event | None) -> None:
    assert amended(happened, amendment) == really


def test_an_ordinary_event_corrects_nothing() -> None:
    step = Ledger(TABLE).add(Catch(1, 2))
    assert not step.corrected and step.taken_back is None and not step.withdrawn


def test_replays_name_events_and_their_lines() -> None:
    replayed = played("1 R6/undo/1 R8/; so/2 R9/amend 7 R4", Players="A;B;C", Top="R7")
    assert [line for line, _ in replayed.numbered] == [5, 7]
    assert replayed.events == (Play(1, Card.parse("R8")), Play(2, Card.parse("R4")))


def test_decisions_are_said_once_a_match() -> None:
    assert keys(played("1 B4/1 B4", Players="A;B", Top="R7")).count("decided") == 1


SAME_GAMES = [
    ("1 RD/3 R1", "1 RD @4.5 ~0.8/2 draw 2/3 R1"),
    ("1 W>B/2 B1", "1 W/1 colour B/2 B1"),
    ("1 W4>B/2 challenge guilty", "1 W4/1 colour B/2 challenge/2 challenge guilty"),
    ("1 W4>B/2 challenge innocent/3 B1", "1 W4>B/2 challenge/2 draw 6/3 B1"),
    ("1 W4>B/2 challenge guilty/2 B1", "1 W4>B/2 challenge/1 draw 4/2 B1"),
    ("1 W4>B/3 B1", "1 W4>B/2 draw 4/3 B1"),
    ("1 W4>B/3 B1", "1 W4>B/2 pass/3 B1"),
    ("1 draw/2 R1", "1 draw 1/1 pass/2 R1"),
    ("1 draw/2 R1", "1 pass/2 R1"),
    ("1 R1/2 R2", "1 R3/undo/1 R1/2 R2"),
    ("1 R1/2 R2", "1 R3/2 R2/amend {first} R1"),
    ("1 R1/2 R2", "1 R1/reshuffle/2 R2"),
]


@pytest.mark.parametrize(("one", "other"), SAME_GAMES)
def test_records_of_the_same_game_compare_equal(one: str, other: str) -> None:
    head = '[Players "A;B;C"]\n[Top "R7"]\n'
    first = parse(head + one.replace("/", "\n"))
    second = parse('[Site "at home"]\n' + head + other.format(first=4).replace("/", "\n"))
    assert plain(first) == plain(second)
    assert plain(first) == tuple(one.split("/"))


@pytest.mark.parametrize(
    ("one", "other"),
    [("1 R1", "1 R2"), ("1 R1", "1 draw"), ("1 W>B", "1 W>G"), ("1 B4/1 R1", "1 R1"), ("1 W", "1 W>B")],
)
def test_records_of_different_games_do_not(one: str, other: str) -> None:
    head = '[Players "A;B;C"]\n[Top "R7"]\n'
    assert plain(parse(head + one.replace("/", "\n"))) != plain(parse(head + other.replace("/", "\n")))


def test_uno_calls_are_joined_to_their_play() -> None:
    head = '[Players "A;B;C"]\n[Top "R7"]\n[Counts "2,5,5"]\n'
    forms = {plain(parse(head + lines)) for lines in ("1 R1 uno", "1 R1\n1 uno", "1 uno\n1 R1", "1 R1 uno\n1 uno")}
    assert forms == {("1 R1 uno",)}


def test_a_call_after_the_window_is_no_call_with_the_card() -> None:
    head = '[Players "A;B;C"]\n[Top "R7"]\n[Counts "2,5,5"]\n'
    assert plain(parse(head + "1 R1\n2 R2\n1 uno")) == ("1 R1", "2 R2", "1 uno")


def test_swaps_and_rules_are_joined_to_their_card() -> None:
    head = '[Players "A;B;C"]\n[Deck "112"]\n[Custom "others_draw=1;skip_all"]\n[Top "R7"]\n'
    assert plain(parse(head + "1 WS\n1 colour G\n1 swap 2")) == ("1 WS>G=2",)
    assert plain(parse(head + "1 WC>G\n1 rule 2")) == ("1 WC>G=2",)
    assert plain(parse(head + "1 WS>G\n2 G1\n1 swap 2")) == ("1 WS>G", "2 G1", "1 swap 2")


def test_hands_are_sorted_and_a_deal_left_out_is_written() -> None:
    head = '[Players "A;B"]\n[Dealer "1"]\n'
    assert plain(parse(head + "start R5")) == ("deal 1", "start R5")
    ended = '[Players "A;B"]\n[Top "R7"]\n[Counts "1,2"]\n1 R1\n2 hand Y3 B1'
    assert plain(parse(ended)) == ("1 R1", "2 hand B1 Y3")


def test_a_dare_refused_is_no_penalty_to_leave_out() -> None:
    head = '[Players "A;B;C"]\n[Deck "112"]\n[Custom "dare=2 sing"]\n[Top "R7"]\n1 WC>G\n'
    assert plain(parse(head + "2 draw 2\n2 G1")) == ("1 WC>G", "2 draw 2", "2 G1")
    assert plain(parse(head + "2 pass\n2 G1")) == ("1 WC>G", "2 G1")
