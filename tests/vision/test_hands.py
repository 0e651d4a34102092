import numpy as np
import pytest

from vision.changes import CardsDrawn
from vision.detections import Image
from vision.frames import Frame
from vision.hands import DrawSettings, DrawWatch
from vision.motion import Hand, Motion
from vision.zones import Zone, Zones

ZONES = Zones(discard=Zone(150, 180, 80), draw=Zone(330, 180, 80))
ENTRY = (479.0, 180.0)
PICTURE: Image = np.zeros((360, 480, 3), np.uint8)
FAR = (470.0, 180.0)
AT_STOCK, AT_PILE = (335.0, 180.0), (150.0, 180.0)
RATE = 20

Tip = tuple[float, float] | None


def motion(seconds: float, *tips: Tip, entry: tuple[float, float] = ENTRY) -> Motion:
    mask = np.zeros((192, 256), bool)
    hands = tuple(Hand(entry, tip, 0.0, mask) for tip in tips if tip is not None)
    return Motion(Frame(PICTURE, seconds, 0), np.zeros((192, 256), np.float32), hands, 480 / 256)


def path(*stops: tuple[Tip, float]) -> list[Tip]:
    """Where the fingers are, frame by frame: held at each stop for its seconds, jumping between them."""
    return [tip for tip, seconds in stops for _ in range(round(seconds * RATE))]


def glide(start: tuple[float, float], end: tuple[float, float], seconds: float) -> list[Tip]:
    steps = np.linspace(start, end, round(seconds * RATE))
    return [(float(x), float(y)) for x, y in steps]


def drawn(tips: list[Tip], settings: DrawSettings | None = None) -> list[CardsDrawn]:
    watch = DrawWatch(settings or DrawSettings())
    return [draw for at, tip in enumerate(tips) for draw in watch.follow(motion(at / RATE, tip), ZONES)]


VISIT = [*glide(FAR, AT_STOCK, 0.3), *path((AT_STOCK, 0.3)), *glide(AT_STOCK, FAR, 0.3), *path((None, 0.5))]


def test_a_hand_that_stops_at_the_draw_pile_and_goes_has_drawn_one() -> None:
    [draw] = drawn(VISIT)
    assert (draw.count, draw.hand) == (1, 0.0)
    assert draw.since == pytest.approx(0.2, abs=0.1)
    assert 0.6 < draw.seconds < 1.2


def test_nothing_is_said_before_the_hand_has_left() -> None:
    assert drawn(VISIT[: round(0.6 * RATE)]) == []


def test_an_arm_that_passes_on_its_way_to_the_discard_pile_does_not_draw() -> None:
    over = [*glide(FAR, AT_PILE, 0.5), *path((AT_PILE, 0.5)), *glide(AT_PILE, FAR, 0.5), *path((None, 0.5))]
    assert drawn(over) == []


def test_two_visits_are_two_draws() -> None:
    assert len(drawn([*VISIT, *VISIT])) == 2


def test_a_hand_that_goes_back_and_forth_draws_each_time() -> None:
    beside = (450.0, 180.0)
    again = [*path((AT_STOCK, 0.3)), *glide(AT_STOCK, beside, 0.2), *path((beside, 0.4))]
    assert len(drawn([*again, *again, *again, *path((None, 0.5))])) == 3


@pytest.mark.parametrize("first", [AT_PILE, AT_STOCK])
def test_a_hand_that_passes_slowly_on_its_way_back_does_not_draw_again(first: Tip) -> None:
    passing = path((first, 0.4), (AT_PILE, 0.4), (AT_STOCK, 0.25), (FAR, 0.1), (None, 0.6))
    assert len(drawn([*passing])) == (first == AT_STOCK)


def test_an_arm_that_crosses_the_discard_pile_draws_as_quickly_as_any() -> None:
    assert len(drawn(path((AT_PILE, 0.1), (AT_STOCK, 0.25), (FAR, 0.1), (None, 0.6)))) == 1


def test_a_hand_that_is_gone_for_a_moment_and_comes_from_the_edge_again_draws_twice() -> None:
    visit = path((AT_STOCK, 0.4), (None, 0.3), (FAR, 0.05))
    assert len(drawn([*visit, *visit, *path((None, 0.6))])) == 2


def test_what_stays_of_a_hand_that_has_drawn_is_no_other_one() -> None:
    watch, draws = DrawWatch(), []
    stays, gone = path((AT_STOCK, 1.4), (None, 0.6)), path((AT_STOCK, 0.6), (FAR, 0.4), (None, 1.0))
    for at, tips in enumerate(zip(gone, [None] * 12 + stays[12:], strict=True)):
        draws += watch.follow(motion(at / RATE, *tips), ZONES)
    assert len(draws) == 1


def test_fingers_that_flicker_draw_once() -> None:
    flicker = [AT_STOCK, AT_STOCK, AT_STOCK, FAR, AT_STOCK, AT_STOCK, FAR, AT_STOCK, AT_STOCK, AT_STOCK]
    assert len(drawn([*flicker, *glide(AT_STOCK, FAR, 0.3), *path((None, 0.5))])) == 1


def test_a_hand_lost_for_a_frame_draws_once() -> None:
    lost = path((AT_STOCK, 0.3), (None, 0.1), (AT_STOCK, 0.3))
    assert len(drawn([*lost, *glide(AT_STOCK, FAR, 0.3), *path((None, 0.5))])) == 1


def test_a_hand_whose_sleeve_cannot_be_told_from_the_table_draws_once() -> None:
    lost = path((AT_STOCK, 0.3), (None, 0.3), (AT_STOCK, 0.2))
    assert len(drawn([*lost, *glide(AT_STOCK, FAR, 0.3), *path((None, 0.5))])) == 1
    assert len(drawn([*path((AT_STOCK, 0.3), (None, 1.0))])) == 1


def test_a_hand_drawing_and_laying_in_one_go_draws_once() -> None:
    both = [*path((AT_STOCK, 0.3)), *glide(AT_STOCK, AT_PILE, 0.3), *path((AT_PILE, 0.3)), *glide(AT_PILE, FAR, 0.4)]
    assert len(drawn([*both, *path((None, 0.5))])) == 1


@pytest.mark.parametrize(("dwell", "draws"), [(0.1, 1), (0.5, 0)])
def test_how_long_the_fingers_must_stay(dwell: float, draws: int) -> None:
    assert len(drawn(VISIT, DrawSettings(dwell=dwell))) == draws


def test_without_a_draw_pile_nobody_draws() -> None:
    watch = DrawWatch()
    assert [watch.follow(motion(at / RATE, tip), Zones()) for at, tip in enumerate(VISIT)] == [[]] * len(VISIT)


def test_two_hands_at_once_are_kept_apart() -> None:
    watch, draws = DrawWatch(), []
    for at, tip in enumerate(VISIT):
        waiting = Hand((5.0, 300.0), (60.0, 300.0), 140.0, np.zeros((192, 256), bool))
        both = motion(at / RATE, tip)
        draws += watch.follow(Motion(both.frame, both.still, (*both.hands, waiting), both.scale), ZONES)
    assert [draw.hand for draw in draws] == [0.0]
