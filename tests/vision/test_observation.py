import itertools
from dataclasses import replace

import pytest

from referee.cards import Card
from tests.vision.scene import Clip, Lying, picture, with_arm
from vision.detections import Image
from vision.frames import Frame
from vision.motion import MotionWatch
from vision.observation import Disturbance, PileGate, Steadiness, StillSettings
from vision.readings import Laid, Unchanged, Unclear
from vision.zones import Zone

STANDARD = StillSettings()
ZONE = Zone(240, 180, 80)
TABLE = picture([])
PILE = picture([Lying.at("R7", 240, 180)])


def laid(name: str, confidence: float = 0.95) -> Laid:
    card = Lying.at(name, 240, 180)
    return Laid(card.seen().face, card.seen(confidence))  # type: ignore[arg-type]


def believed(steady: Steadiness, names: str) -> str:
    """For each reading of `names`, `+` when it is believed at once."""
    return "".join("+" if steady.add(laid(f"R{name}")) else "-" for name in names)


def test_agreeing_looks_count_up_to_belief() -> None:
    assert believed(Steadiness(agree=3, cap=5), "777") == "--+"


def test_one_misreading_among_good_ones_counts_down_by_one() -> None:
    assert believed(Steadiness(agree=2, cap=3), "77171") == "-+-+-"


def test_the_count_is_capped_so_that_a_change_of_mind_takes_few_looks() -> None:
    assert believed(Steadiness(agree=2, cap=4), "77777771111111") == "-++++++" + "----+++"


def test_looks_that_never_agree_are_votes_weighted_by_their_confidence() -> None:
    steady = Steadiness(agree=2, cap=3)
    assert steady.likeliest() is None
    for name, confidence in (("R7", 0.5), ("R1", 0.6), ("R7", 0.5), ("R1", 0.6), ("R9", 0.9)):
        steady.add(laid(name, confidence))
    likeliest = steady.likeliest()
    assert isinstance(likeliest, Laid) and str(likeliest.card) == "R1"


def test_twice_as_many_looks_must_agree_on_an_unsure_reading() -> None:
    steady = Steadiness(agree=2, cap=5, unsure=0.8)
    assert [steady.add(laid("R7", 0.6)) for _ in range(5)] == [False, False, False, True, True]
    steady.reset()
    assert [steady.add(laid("R7", 0.9)) for _ in range(2)] == [False, True]


def test_alternating_readings_are_never_believed() -> None:
    assert "+" not in believed(Steadiness(agree=2, cap=3), "71717171")


def test_reset_forgets() -> None:
    steady = Steadiness(agree=2, cap=3)
    steady.add(laid("R7"))
    steady.reset()
    assert not steady.add(laid("R7"))


def test_kinds_of_reading_do_not_agree() -> None:
    steady = Steadiness(agree=2, cap=2)
    assert not steady.add(Unchanged())
    assert not steady.add(Unclear())
    assert steady.add(Unclear())


class Watched:
    """A gate and the motion it looks at, frame by frame."""

    def __init__(self, settings: StillSettings = STANDARD) -> None:
        self.gate, self.motion, self.clip = PileGate(settings), MotionWatch(), Clip(20)

    def looks(self, image: Image, seconds: float) -> list[float]:
        """The times at which the pile should be looked at."""
        return [frame.seconds for frame in self.clip.hold(image, seconds) if self._step(frame)]

    def _step(self, frame: Frame) -> bool:
        self.gate.take_in(self.motion.see(frame), ZONE)
        if self.gate.busy:
            self.gate.disturb(frame.seconds)
            return False
        return self.gate.ready(frame.seconds)


def test_the_pile_is_looked_at_once_it_has_been_quiet() -> None:
    looks = Watched(StillSettings(early=0.4)).looks(PILE, 1)
    assert looks[0] == pytest.approx(0.4, abs=0.06)


def test_before_the_pile_has_settled_only_a_card_read_surely_counts() -> None:
    watched = Watched(StillSettings(settle=0.4))
    watched.looks(PILE, 0.2)
    assert not watched.gate.says_nothing(laid("R7", 0.96))
    assert watched.gate.says_nothing(laid("R7", 0.9))
    assert watched.gate.says_nothing(Unchanged()) and watched.gate.says_nothing(Unclear())
    watched.looks(PILE, 0.3)
    assert not watched.gate.says_nothing(laid("R7", 0.9)) and not watched.gate.says_nothing(Unclear())


def test_one_look_is_enough_for_a_card_read_with_certainty_once_the_pile_has_settled() -> None:
    watched = Watched(StillSettings(lain=0.4))
    watched.looks(PILE, 0.3)
    assert not watched.gate.says_all(laid("R7", 0.99))
    watched.looks(PILE, 0.3)
    assert watched.gate.says_all(laid("R7", 0.99))
    exchanged = replace(laid("R7", 0.99), instead=Card.parse("B3"))
    assert not any(watched.gate.says_all(one) for one in (laid("R7", 0.97), exchanged, Unclear(), Unchanged()))


def test_looks_keep_their_distance() -> None:
    looks = Watched(StillSettings(settle=0.2, pause=0.3)).looks(PILE, 1.5)
    assert all(later - earlier >= 0.299 for earlier, later in itertools.pairwise(looks))


def test_a_pile_that_was_read_is_left_alone() -> None:
    watched = Watched()
    watched.looks(PILE, 0.5)
    watched.gate.done()
    assert watched.looks(PILE, 5) == []


def test_no_look_while_a_hand_is_over_it() -> None:
    watched = Watched()
    watched.looks(TABLE, 0.6)
    watched.gate.done()
    assert watched.looks(with_arm(TABLE, (240, 180)), 1.5) == []
    assert watched.gate.disturbance is not None and watched.gate.disturbance.hand is not None
    assert watched.gate.disturbance.since == pytest.approx(0.6, abs=0.06)
    assert watched.gate.disturbance.hand == pytest.approx(175, abs=4)
    assert watched.looks(PILE, 0.6)[0] == pytest.approx(2.1 + 0.15, abs=0.1)


def test_what_happened_began_with_the_hand_that_did_it_not_with_an_arm_that_crossed_the_pile_before() -> None:
    watched = Watched()
    watched.looks(PILE, 0.5)
    watched.gate.done()
    watched.looks(with_arm(PILE, (440, 180)), 1)
    watched.looks(with_arm(PILE, (250, 180), start=(320, 0)), 0.5)
    assert watched.gate.disturbance is not None and watched.gate.disturbance.hand == pytest.approx(294, abs=4)
    assert watched.gate.disturbance.since == pytest.approx(1.5, abs=0.06)


def test_a_hand_elsewhere_is_not_in_the_way() -> None:
    watched = Watched()
    watched.looks(PILE, 0.5)
    watched.gate.done()
    watched.looks(with_arm(PILE, (60, 300), start=(0, 320)), 0.5)
    assert watched.gate.disturbance is None
    watched.gate.disturbance = Disturbance()
    assert watched.looks(with_arm(PILE, (60, 300), start=(0, 320)), 0.3) != []
