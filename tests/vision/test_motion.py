import cv2
import numpy as np
import pytest

from tests.vision.scene import Clip, Lying, picture, with_arm
from vision.detections import Image
from vision.motion import Motion, MotionSettings, MotionWatch

STANDARD = MotionSettings()
EMPTY = picture([])
CARD = picture([Lying.at("R7", 240, 180)])


def last(frames: list[tuple[Image, float]], settings: MotionSettings = STANDARD) -> Motion:
    """The motion at the end of pictures held for so many seconds each."""
    watch, clip, motion = MotionWatch(settings), Clip(), None
    for image, seconds in frames:
        for frame in clip.hold(image, seconds):
            motion = watch.see(frame)
    assert motion is not None
    return motion


def test_stillness_counts_the_seconds_of_each_place() -> None:
    motion = last([(EMPTY, 1), (CARD, 0.5)])
    rows, columns = motion.still.shape
    assert motion.still[2, 2] == pytest.approx(1.4, abs=0.05)
    assert motion.still[rows // 2, columns // 2] == pytest.approx(0.4, abs=0.05)


def test_a_still_table_has_no_hands() -> None:
    assert last([(EMPTY, 1)]).hands == ()
    assert last([(CARD, 1)]).hands == ()


def test_noise_is_no_movement() -> None:
    rng = np.random.default_rng(1)
    frames = [((EMPTY + rng.normal(0, 6, EMPTY.shape)).clip(0, 255).astype(np.uint8), 0.1) for _ in range(10)]
    motion = last(frames)
    assert motion.hands == ()
    assert float(np.percentile(motion.still, 2)) > 0.8


def test_an_arm_from_the_edge_is_a_hand() -> None:
    hand = last([(EMPTY, 1), (with_arm(EMPTY, (240, 180)), 0.1)]).hands[0]
    assert hand.entry[0] < 12 and abs(hand.entry[1] - 200) < 12
    assert np.hypot(hand.tip[0] - 240, hand.tip[1] - 180) < 25
    assert hand.direction == pytest.approx(175, abs=4)


def test_a_hand_that_waits_is_still_a_hand() -> None:
    assert len(last([(EMPTY, 1), (with_arm(EMPTY, (240, 180)), 2)]).hands) == 1


def test_what_lies_there_for_long_belongs_to_the_table() -> None:
    resting = [(EMPTY, 1.0), (with_arm(EMPTY, (240, 180)), 3.5)]
    assert last(resting).hands == ()
    assert len(last(resting, MotionSettings(rest=10)).hands) == 1


def test_a_card_in_the_middle_is_no_hand() -> None:
    assert last([(EMPTY, 1), (CARD, 0.1)]).hands == ()


def test_light_that_changes_as_a_whole_is_no_hand() -> None:
    assert last([(EMPTY, 1), (picture([], light=1.35), 0.1)]).hands == ()
    assert last([(EMPTY, 1), (picture([], light=0.7), 0.5)]).hands == ()


def test_an_arm_is_seen_in_changed_light() -> None:
    darker = picture([], light=0.75)
    assert len(last([(EMPTY, 1), (with_arm(darker, (240, 180)), 0.3)]).hands) == 1


def test_two_arms_are_two_hands() -> None:
    both = with_arm(with_arm(EMPTY, (150, 180)), (350, 100), start=(479, 60))
    assert len(last([(EMPTY, 1), (both, 0.3)]).hands) == 2


def test_an_arm_split_along_its_length_is_one_hand() -> None:
    split = with_arm(EMPTY, (240, 180))
    split[188:193, :] = EMPTY[188:193, :]
    assert len(last([(EMPTY, 1), (split, 0.3)]).hands) == 1


def cut_off(tip: tuple[int, int] = (240, 180)) -> Image:
    """An arm whose sleeve cannot be told from the table."""
    arm = with_arm(EMPTY, tip)
    arm[:, :60] = EMPTY[:, :60]
    return arm


def test_a_hand_whose_sleeve_looks_like_the_table_stays_a_hand_for_a_while() -> None:
    came = [(EMPTY, 1.0), (with_arm(EMPTY, (240, 180)), 0.2)]
    [hand] = last([*came, (cut_off(), 0.5)]).hands
    assert np.hypot(hand.tip[0] - 240, hand.tip[1] - 180) < 25
    assert last([*came, (cut_off(), 1.5)]).hands == ()


def test_a_card_that_a_hand_left_behind_is_no_hand() -> None:
    came = [(EMPTY, 1.0), (with_arm(CARD, (240, 180)), 0.5)]
    assert last([*came, (CARD, 0.2)]).hands == ()


def test_another_size_of_picture_starts_afresh() -> None:
    watch, clip = MotionWatch(), Clip()
    for frame in clip.hold(EMPTY, 1):
        watch.see(frame)
    motion = watch.see(clip.frame(np.ascontiguousarray(EMPTY[:200])))
    assert motion.hands == () and motion.still.max() == 0


def soft_shadow(image: Image, x: float) -> Image:
    """The picture with the shadow of somebody leaning over around column `x`, from the lower edge."""
    rows, columns = np.mgrid[: image.shape[0], : image.shape[1]]
    dark = 1 - 0.45 * np.exp(-(((columns - x) / 110.0) ** 2) - ((rows - 330) / 110.0) ** 2)
    return np.asarray(image * dark[:, :, None], np.uint8)


def test_the_shadow_of_somebody_who_leans_over_is_no_hand_and_moves_nothing() -> None:
    watch, clip = MotionWatch(), Clip(12)
    motions = [watch.see(frame) for frame in clip.hold(CARD, 1)]
    motions += [watch.see(clip.frame(soft_shadow(CARD, x))) for x in range(-200, 700, 30)]
    assert all(motion.hands == () for motion in motions)
    assert float(np.percentile(motions[-1].still, 3)) > 0.5


def test_a_blurred_hand_of_the_tables_own_colour_is_a_hand_and_never_learnt_as_table() -> None:
    wood = np.full((360, 480, 3), (90, 150, 215), np.uint8)
    watch, clip = MotionWatch(), Clip(12)
    hands = [watch.see(frame).hands for frame in clip.hold(wood, 1)]
    for reach in (*range(20, 240, 20), *[240] * 12, *range(240, 20, -20)):
        arm = wood.copy()
        cv2.line(arm, (0, 60), (reach, 60 + reach // 3), (38, 62, 90), 46)
        hands.append(watch.see(clip.frame(cv2.GaussianBlur(arm, (0, 0), 5).astype(np.uint8))).hands)
    seen = [len(found) for found in hands[15:42]]
    assert seen == [1] * len(seen)
    assert [watch.see(frame).hands for frame in clip.hold(wood, 0.5)][-1] == ()


WOOD = np.full((360, 480, 3), (90, 150, 215), np.uint8)
STRIPED = np.full((360, 480, 3), 200, np.uint8)
STRIPED[:, 90:150] = (55, 92, 132)


def tips(table: Image, *arms: tuple[int, int, float], card: Image | None = None) -> list[list[int]]:
    """How far hands are seen to reach in each frame, for arms of a colour that reach so far and are so much blurred."""
    watch, clip = MotionWatch(), Clip(12)
    frames = [table] * 10 + [over(table if card is None else card, *arm) for arm in arms]
    frames += [table if card is None else card] * 6
    seen = [watch.see(clip.frame(frame)).hands for frame in frames]
    return [[round(hand.tip[0]) for hand in hands] for hands in seen[10:]]


def over(table: Image, reach: int, light: int, blur: float) -> Image:
    """A table with an arm, a shade of the wood or lighter, that reaches in from the left."""
    arm = np.zeros(table.shape[:2], np.float32)
    cv2.line(arm, (0, 60), (reach, 60 + reach // 3), 1.0, 40)
    share = cv2.GaussianBlur(arm, (0, 0), blur)[:, :, None]
    return np.asarray(table * (1 - share) + (np.array([55, 92, 132]) + light) * share, np.uint8)


def test_a_hand_like_a_shadow_that_pauses_is_a_hand_to_its_end_and_leaves_none_behind() -> None:
    found = tips(WOOD, (80, 5, 3), (180, 5, 3), *[(240, 5, 3)], *[(240, 5, 7)] * 8, (150, 5, 3), (50, 5, 3))
    assert all(len(hands) == 1 and abs(hands[0] - 255) < 15 for hands in found[2:11])
    assert all(hands[0] < 185 for hands in found[11:13])  # not where it has just been
    assert found[-4:] == [[], [], [], []]


def test_a_hand_at_rest_is_seen_to_its_end_where_a_stripe_of_the_table_has_its_colour() -> None:
    found = tips(STRIPED, (80, 30, 2), (180, 30, 2), (240, 30, 2), *[(240, 0, 2)] * 8, (150, 30, 2), (50, 30, 2))
    assert all(len(hands) == 1 and abs(hands[0] - 255) < 15 for hands in found[2:11])
    assert found[-4:] == [[], [], [], []]


def test_a_card_left_behind_such_a_stripe_is_no_end_of_the_hand_that_leaves() -> None:
    card = STRIPED.copy()
    card[110:170, 215:255] = (30, 30, 200)
    arms = [(reach, 30, 2.0) for reach in (80, 180, 240, 240, 240, 205, 175, 145, 115, 85, 60)]
    assert max(tips(STRIPED, *arms, card=card)[-7], default=0) < 110


def test_what_lies_otherwise_where_a_hand_was_is_not_its_finger_tips_as_it_leaves() -> None:
    before = np.full((360, 480, 3), 200, np.uint8)
    after = before.copy()
    after[105:175, 195:245] = (40, 40, 140)
    arms = [(reach, 0, 2.0) for reach in (80, 180, 240, 240, 240, 120, 50)]
    found = tips(before, *arms, card=after)
    assert [max(hands, default=0) < 150 for hands in found[6:8]] == [True, True]


def test_a_card_as_bright_as_the_table_has_moved_by_its_border() -> None:
    card = Lying.at("R7", 240, 180).quad
    bright = EMPTY.copy()
    cv2.polylines(bright, [card.astype(int)], True, (250, 250, 250), 7)
    motion = last([(EMPTY, 1), (bright, 0.5)])
    assert motion.still[motion.still.shape[0] // 2, motion.still.shape[1] // 2] > 1, "the middle looks as before"
    assert motion.moved_within(card, 0.6) > 0.2 > motion.moved_within(card - 120, 0.6)
    assert motion.moved_within(card, 0.2) == 0 == motion.moved_within(card + 9999, 0.6)
