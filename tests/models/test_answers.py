from models.answers import TrueAnswers
from referee.cards import Card
from referee.events import Deal, Event, Play, Start
from referee.options import MatchSettings
from referee.record import plain
from service.doubts import Doubt, Kind
from service.films import watch
from tests.service.acted import Acted, Blind
from vision.changes import CardLaid

R5, R7, R1 = (Card.parse(name) for name in ("R5", "R7", "R1"))
TRUTH: list[Event] = [Deal(2, seconds=0), Start(R5, seconds=1), Play(1, R7, seconds=10), Play(2, R1, seconds=20)]
SETTINGS = MatchSettings(players=("Anna", "Bram"), dealer=2)


def asked(kind: Kind, card: Card | None, seconds: float, seat: int = 1) -> bool | Card | None:
    doubt = Doubt(kind, 5, seat, card, (card,) if card else (), 99)
    return TrueAnswers(SETTINGS, TRUTH)(doubt, Play(seat, card, seconds=seconds), seconds)


def test_one_who_saw_the_cards_says_which_it_was() -> None:
    assert asked("card", R7, 11) is True and asked("card", R1, 11) is False and asked("instead", R1, 21) is True
    assert asked("which", None, 11) == R7 and asked("which", None, 0.5) is None
    assert asked("again", R7, 11.5) is True and asked("again", R7, 18) is False


def test_one_who_follows_the_game_says_whose_turn_it_is() -> None:
    assert [asked("turn", None, 15, seat) for seat in (1, 2)] == [False, True]
    assert [asked("turn", None, 25, seat) for seat in (1, 2)] == [True, False]


def test_questions_that_are_answered_put_a_game_right() -> None:
    game = Acted(3, 4, close=0.2)
    unread = next(place for place, change in enumerate(game.changes) if place > 20 and isinstance(change, CardLaid))
    laid = game.changes[unread]
    assert isinstance(laid, CardLaid)
    game.changes[unread] = CardLaid(None, 0.0, laid.seconds, laid.since, hand=laid.hand)
    answer = TrueAnswers(game.settings, game.truth)
    helped = watch([], Blind(), game.settings, game.words, look=lambda *_: game.changes, answer=answer)
    assert answer.asked and plain(helped) == plain(game.record()) != plain(game.watched())
