from dataclasses import replace

import numpy as np
import pytest

from referee.cards import FACES, Card
from tests.vision.scene import Lying, picture, seen
from vision.compare import Difference, View
from vision.detections import Detections, Image
from vision.overlaps import overlap
from vision.plays import DEPTH, Pile
from vision.readings import Bared, Knocked, Laid, Look, Nudged, Reading, TakenBack, Unchanged, Unclear
from vision.zones import Zone

ZONE = Zone(240, 180, 80)
R7, B3 = Lying.at("R7", 238, 182, 4), Lying.at("B3", 246, 176, 20)


def look(*cards: Lying, found: tuple[Lying, ...] | None = None, image: Image | None = None) -> Look:
    """A look at cards on the pile; `found` are those that the finder found (all, when None)."""
    shown = picture(cards) if image is None else image
    return Look(View(shown, np.zeros((192, 256), bool)), seen(*(cards if found is None else found)), ZONE)


def pile(*cards: Lying) -> Pile:
    """A pile on which the cards were laid one after the other."""
    built = Pile()
    for count in range(1, len(cards) + 1):
        now = look(*cards[:count])
        reading = built.read(now)
        assert isinstance(reading, Laid), reading
        built.accept(reading, now)
    return built


def card_of(reading: Reading) -> Card:
    assert isinstance(reading, Laid), reading
    return reading.card


def test_the_first_look_believes_the_surest_face() -> None:
    assert card_of(Pile().read(look(R7))) == R7.face
    assert isinstance(Pile().read(look()), Unclear)


def test_a_new_card_is_laid() -> None:
    assert card_of(pile(R7).read(look(R7, B3))) == B3.face


def test_nothing_changed() -> None:
    assert pile(R7, B3).read(look(R7, B3)) == Unchanged()


def test_nothing_changed_though_the_card_below_is_read_as_well() -> None:
    assert pile(R7, B3).read(look(R7, B3, found=(R7,))) == Unchanged()


def test_another_light_changes_nothing() -> None:
    brighter = look(R7, B3, image=picture((R7, B3), light=1.2))
    assert pile(R7, B3).read(brighter) == Unchanged()


def test_a_covered_card_is_never_taken_for_the_new_one() -> None:
    new = Lying.at("G5", 236, 170, -35)
    reading = pile(R7, B3).read(look(R7, B3, new, found=(R7, B3)))
    assert not isinstance(reading, Laid)


def test_the_change_tells_where_whatever_else_is_seen() -> None:
    new, beside = Lying.at("G5", 236, 170, -35), Lying.at("Y9", 290, 230)
    assert card_of(pile(R7, B3).read(look(R7, B3, new, found=(beside, R7, new, B3)))) == new.face


def test_an_identical_card_is_told_by_what_sticks_out_below_it() -> None:
    again = Lying.at("B3", 232, 186, 55)
    assert card_of(pile(R7, B3).read(look(R7, B3, again))) == B3.face


def test_a_nudged_card_is_no_play() -> None:
    moved = Lying.at("B3", 232, 186, 55)
    reading = pile(R7, B3).read(look(R7, moved))
    assert isinstance(reading, Nudged)


def test_after_a_nudge_the_card_is_known_at_its_new_place() -> None:
    built, moved = pile(R7, B3), Lying.at("B3", 232, 186, 55)
    now = look(R7, moved)
    built.accept(built.read(now), now)
    assert built.read(look(R7, moved)) == Unchanged()
    assert card_of(built.read(look(R7, moved, Lying.at("G5", 240, 180)))) == Card.parse("G5")


def test_a_card_taken_back_shows_the_one_below() -> None:
    reading = pile(R7, B3).read(look(R7))
    assert isinstance(reading, TakenBack) and reading.card == B3.face


def test_after_a_card_was_taken_back_it_can_be_laid_again() -> None:
    built = pile(R7, B3)
    now = look(R7)
    built.accept(built.read(now), now)
    assert built.cards == [R7.face]
    assert card_of(built.read(look(R7, B3))) == B3.face


def test_a_card_like_the_one_below_laid_on_top_is_a_play() -> None:
    again = Lying(R7.face, R7.quad)
    assert card_of(pile(R7, B3).read(look(R7, B3, again))) == R7.face


def test_a_card_like_a_deeper_one_in_the_same_place_is_a_play() -> None:
    again, between = Lying(R7.face, R7.quad), Lying.at("G5", 250, 170, -50)
    assert card_of(pile(R7, B3, between).read(look(R7, B3, between, again))) == R7.face


def test_a_shadow_beside_the_top_card_changes_nothing() -> None:
    shadowed = picture((R7, B3))
    shadowed[180:240, 170:205] //= 2
    assert pile(R7, B3).read(look(R7, B3, image=shadowed)) == Unchanged()


def test_a_change_that_no_card_explains_is_unclear() -> None:
    new = Lying.at("G5", 236, 170, -35)
    assert pile(R7, B3).read(look(R7, B3, new, found=())) == Unclear()


def test_a_camera_that_moved_over_a_patterned_table_is_no_play() -> None:
    built, table = Pile(), picture([R7], pattern=50)
    first = look(R7, image=table)
    built.accept(built.read(first), first)
    assert built.read(look(R7, image=np.roll(table, (25, 40), (0, 1)))) == Knocked()


def test_a_camera_that_moved_over_a_plain_table_is_no_play() -> None:
    moved = [Lying(card.face, card.quad + np.float32(11)) for card in (R7, B3)]
    assert isinstance(pile(R7, B3).read(look(*moved)), Nudged)


def test_after_the_camera_moved_the_same_top_card_is_no_play() -> None:
    built = pile(R7, B3)
    built.forget_place()
    assert isinstance(built.read(look(B3)), Nudged)


def test_what_hands_hide_is_not_compared() -> None:
    built, now = pile(R7), look(R7)
    image = now.view.picture.copy()
    image[150:200, 260:330] = (70, 110, 190)
    hidden = np.zeros((192, 256), bool)
    hidden[78:110, 136:178] = True
    hand_there = Look(View(image, hidden), seen(R7), ZONE)
    assert built.read(hand_there) == Unchanged()


def test_a_card_laid_long_ago_that_sticks_out_is_never_taken_for_the_new_one() -> None:
    faces = [f"{colour}{rank}" for colour in "BG" for rank in range(1, 10)]
    old, late = Lying.at("R5", 215, 180, 60), [Lying.at(face, 240, 180, 5 * n) for n, face in enumerate(faces)]
    new = Lying.at("Y0", 236, 170, -35)
    assert not isinstance(pile(old, *late).read(look(old, *late, new, found=(old, late[-1]))), Laid)


def test_the_pile_remembers_no_more_than_it_must() -> None:
    faces = [f"{colour}{rank}" for colour in "RBGYRB" for rank in range(10)]
    many = [Lying.at(face, 240, 180, 12 * number) for number, face in enumerate(faces)]
    assert len(pile(*many).cards) == DEPTH


@pytest.mark.parametrize("shift", [0, 13, 200])
def test_overlap_of_quads(shift: int) -> None:
    square = np.array([[0, 0], [26, 0], [26, 26], [0, 26]], np.float32)
    common = max(0, 26 - shift) * 26
    moved = square + np.array([shift, 0], np.float32)
    assert overlap(square, moved) == pytest.approx(common / (2 * 26 * 26 - common), abs=1e-3)


@pytest.mark.parametrize("degrees", [0, 35, 90, -60])
def test_a_change_that_looks_like_a_card_tells_where_it_lies(degrees: float) -> None:
    new = Lying.at("G5", 250, 170, degrees)
    place = pile(R7, B3).looks_new(look(R7, B3, new).view, ZONE)
    assert place is not None and overlap(place, new.quad) > 0.85


def test_a_change_that_is_no_card_tells_nothing() -> None:
    built = pile(R7, B3)
    shadowed = picture((R7, B3))
    shadowed[150:240, 170:205] //= 2
    assert built.looks_new(look(R7, B3, image=shadowed).view, ZONE) is None
    assert built.looks_new(look(R7, B3).view, ZONE) is None


def test_a_box_over_two_cards_loses_to_the_place_of_the_change() -> None:
    new = Lying.at("G5", 262, 182, 4)
    both = Lying(Card.parse("G9"), np.concatenate([R7.quad[:1], new.quad[1:3], R7.quad[3:]]))
    assert card_of(pile(R7).read(look(R7, new, found=(R7, both, new)))) == new.face


def test_the_amount_of_change_is_in_areas_of_a_card() -> None:
    views = [View(picture(cards), np.zeros((192, 256), bool)) for cards in ([], [Lying.at("R7", 240, 180)])]
    assert Difference(views[0], views[1], ZONE).amount == pytest.approx(1, abs=0.12)


def test_a_card_put_right_stays_right_however_it_is_read_later() -> None:
    built, moved = pile(R7, B3), Lying.at("B3", 232, 186, 55)
    built.corrected(Card.parse("B3"), Card.parse("G3"))
    assert built.read(look(R7, B3)) == Unchanged()
    now = look(R7, moved)
    assert isinstance(built.read(now), Nudged)
    built.accept(built.read(now), now)
    assert built.cards[-1] == Card.parse("G3")
    assert isinstance(built.read(look(R7, Lying(Card.parse("G3"), B3.quad), image=picture((R7, B3)))), Nudged)


def test_a_card_that_was_nearly_taken_for_another_is_no_new_card_when_read_as_that() -> None:
    outcomes = np.zeros(len(FACES) + 2, np.float32)
    outcomes[[FACES.index(Card.parse("B3")), FACES.index(Card.parse("B8"))]] = 0.6, 0.4
    built, now = pile(R7), look(R7, B3)
    doubtful = replace(B3.seen(0.6), outcomes=outcomes)
    built.accept(Laid(Card.parse("B3"), doubtful), replace(now, cards=Detections.of([doubtful])))
    shadowed = picture((R7, B3))
    shadowed[180:240, 170:205] //= 2
    other = Lying(Card.parse("B8"), B3.quad)
    assert built.read(look(R7, B3, found=(other,), image=shadowed)) == Unchanged()
    assert built.read(look(R7, B3, found=(Lying(Card.parse("B9"), B3.quad),), image=shadowed)) != Unchanged()


def test_an_identical_card_that_hides_the_old_one_leaves_a_doubt() -> None:
    hidden, beside = Lying.at("B3", 249, 178, 20), Lying.at("B3", 232, 186, 55)
    repeated = pile(R7, B3).read(look(R7, B3, hidden))
    assert isinstance(repeated, Laid) and repeated.again
    clear = pile(R7, B3).read(look(R7, B3, beside))
    assert isinstance(clear, Laid) and not clear.again


def test_a_card_laid_in_the_place_of_another_that_is_gone_is_an_exchange() -> None:
    other = Lying.at("G5", 225, 190, -30)
    built, now = pile(R7, B3), look(R7, other)
    reading = built.read(now)
    assert isinstance(reading, Laid) and (reading.card, reading.instead) == (other.face, B3.face)
    built.accept(reading, now)
    assert built.cards == [R7.face, other.face]
    assert isinstance(built.read(look(R7)), TakenBack)
    on_top = pile(R7, B3).read(look(R7, B3, other))
    assert isinstance(on_top, Laid) and on_top.instead is None


def test_an_exchange_is_told_by_a_sliver_when_nothing_beside_it_is_new() -> None:
    close, moved = Lying.at("G5", 249, 178, 24), Lying.at("B3", 254, 178, 18)
    built = pile(R7, B3)
    assert 0.02 < Difference(look(R7).view, look(R7).view, ZONE).within(B3.quad, close.quad)[1] < 0.06
    exchanged, dragged = built.read(look(R7, close)), built.read(look(R7, moved, close, found=(R7, close)))
    assert isinstance(exchanged, Laid) and exchanged.instead == B3.face
    assert isinstance(dragged, Laid) and dragged.instead is None


def test_a_pile_that_was_straightened_is_no_play_and_is_known_where_it_lies_now() -> None:
    built = pile(R7, B3, Lying.at("G5", 225, 190, -30))
    after = Lying.at("R7", 245, 175, -8), Lying.at("B3", 238, 186, 3), Lying.at("G5", 232, 182, -12)
    now = look(*after)
    reading = built.read(now)
    assert isinstance(reading, Nudged) and reading.seen.face == Card.parse("G5")
    built.accept(reading, now)
    assert built.read(look(*after)) == Unchanged()
    assert card_of(built.read(look(*after, Lying.at("Y1", 240, 170, 40)))) == Card.parse("Y1")
    assert [overlap(quad, card.quad) > 0.95 for quad, card in zip(built.quads, after, strict=True)] == [True] * 3


def test_another_card_of_a_face_below_was_laid_though_the_top_moved_with_it() -> None:
    below, top = Lying.at("R7", 215, 185, -8), Lying.at("B3", 240, 178, 12)
    moved, another = Lying.at("B3", 247, 180, 14), Lying.at("R7", 262, 196, 40)
    laid = pile(below, top).read(look(below, moved, another, found=(moved, another)))
    assert card_of(laid) == Card.parse("R7")


def test_a_pile_squared_up_under_its_top_is_no_play() -> None:
    built = pile(Lying.at("R7", 215, 175, 40), Lying.at("B3", 262, 190, -50), Lying.at("G5", 240, 182, 4))
    squared = look(Lying.at("G5", 244, 180, 2))
    reading = built.read(squared)
    assert isinstance(reading, Bared)
    built.accept(reading, squared)
    assert card_of(built.read(look(Lying.at("G5", 244, 180, 2), Lying.at("Y1", 238, 176, 30)))) == Card.parse("Y1")


def test_a_card_that_nobody_found_is_unclear_though_the_old_top_is_still_seen() -> None:
    new = Lying.at("Y1", 262, 182, 4)
    assert pile(R7, B3).read(look(R7, B3, new, found=(R7, B3))) == Unclear()


def in_shadow(image: Image, dark: float = 0.5) -> Image:
    """The picture with a soft shadow over the pile and beyond it."""
    rows, columns = np.mgrid[: image.shape[0], : image.shape[1]]
    depth = dark * np.exp(-(((rows - 220) / 90.0) ** 2) - ((columns - 270) / 120.0) ** 2)
    return np.asarray(image * (1 - depth[:, :, None]), np.uint8)


def test_a_shadow_over_the_pile_changes_nothing_and_hides_no_play() -> None:
    new = Lying.at("G5", 236, 170, -35)
    assert pile(R7, B3).read(look(R7, B3, image=in_shadow(picture((R7, B3))))) == Unchanged()
    assert card_of(pile(R7, B3).read(look(R7, B3, new, image=in_shadow(picture((R7, B3, new)))))) == new.face
    built, dark = pile(R7), in_shadow(picture((R7, B3)))
    built.refresh(look(R7, image=in_shadow(picture((R7,)))).view)
    assert card_of(built.read(look(R7, B3))) == B3.face, "laid in the shadow, seen in the light"
    assert card_of(built.read(look(R7, B3, image=dark))) == B3.face


def test_a_card_seen_plainly_is_a_play_whatever_else_changed() -> None:
    new = Lying.at("Y9", 236, 170, -35)
    littered = picture((R7, B3, new))
    littered[60:120, 170:330] = (30, 60, 160)
    littered[250:300, 170:330] = (160, 60, 30)
    assert card_of(pile(R7, B3).read(look(R7, B3, new, image=littered))) == new.face


def test_a_card_nudged_by_little_is_told_from_another_like_it() -> None:
    for x, y in ((252, 176), (246, 182), (241, 171)):
        moved = Lying.at("B3", x, y, 20)
        assert isinstance(pile(R7, B3).read(look(R7, moved)), Nudged)
        repeated = pile(R7, B3).read(look(R7, B3, moved))
        assert isinstance(repeated, Laid) and not repeated.again


def test_a_card_like_one_below_laid_on_the_top_that_peeps_out_is_a_play() -> None:
    top, again = Lying.at("G5", 225, 190, -30), Lying.at("R7", 244, 172, -20)
    built = pile(R7, B3, top)
    peeping = replace(Lying.at("G5", 214, 214, -28).seen(), score=0.2)
    now = replace(look(R7, B3, top, again), cards=Detections.of([again.seen(), peeping]))
    assert card_of(built.read(now)) == again.face


G5, Y2 = Lying.at("G5", 232, 188, -25), Lying.at("Y2", 240, 180, 8)


def test_the_pile_taken_away_but_for_its_top_is_told_and_the_cards_below_are_forgotten() -> None:
    whole = pile(R7, B3, G5, Y2)
    reading = whole.read(look(Y2))
    assert isinstance(reading, Bared) and not reading.moved
    whole.accept(reading, look(Y2))
    assert whole.cards == [Y2.face]
    assert card_of(whole.read(look(Y2, B3))) == B3.face


def test_a_pile_squared_up_under_a_top_that_moves_may_have_been_taken_away_and_is_remembered() -> None:
    whole, square = pile(R7, B3, G5, Y2), Lying.at("Y2", 243, 178, 1)
    reading = whole.read(look(square))
    assert isinstance(reading, Bared) and reading.moved
    whole.accept(reading, look(square))
    assert whole.cards == [R7.face, B3.face, G5.face, Y2.face]


def test_a_pile_of_which_something_still_sticks_out_is_not_gone() -> None:
    assert not isinstance(pile(R7, B3, G5, Y2).read(look(Lying.at("B3", 243, 178, 18), Y2, found=(Y2,))), Bared)
    other = Lying.at("R1", 236, 184, -20)
    assert not isinstance(pile(R7, B3, G5, Y2).read(look(Y2, other)), Bared)


def test_an_identical_card_squared_up_with_the_one_below_is_not_taken_back() -> None:
    below, above = Lying.at("B3", 240, 180, 2), Lying.at("B3", 247, 174, 22)
    assert isinstance(pile(Lying.at("R7", 240, 180, 2), below, above).read(look(below)), Nudged)
    messy = Lying.at("R7", 215, 170, 40)
    assert isinstance(pile(messy, below, above).read(look(messy, below)), TakenBack)


def test_a_card_that_shows_under_an_untouched_top_was_not_laid() -> None:
    built = pile(B3, R7)
    under = Lying.at("G9", 262, 150, 20)
    shaded = picture((B3, R7))
    shaded[110:170, 262:300] //= 3
    faint = replace(under.seen(), score=0.3)
    now = replace(look(B3, R7, image=shaded), cards=Detections.of([R7.seen(), faint]))
    assert not isinstance(built.read(now), Laid)
    plain = replace(now, cards=Detections.of([R7.seen(), under.seen()]))
    assert card_of(built.read(plain)) == under.face


def test_a_top_dragged_far_off_was_not_taken_back() -> None:
    dragged = Lying.at("B3", 205, 150, 35)
    assert overlap(B3.quad, dragged.quad) > 0
    reading = pile(R7, B3).read(look(R7, dragged))
    assert isinstance(reading, Nudged) and reading.seen.face == B3.face
    covered = replace(Lying.at("B3", 222, 170, 20).seen(), score=0.5)
    bared = look(Lying.at("B3", 215, 165, 20), R7)
    like_it = pile(Lying.at("B3", 215, 165, 20), R7, B3)
    assert isinstance(like_it.read(replace(bared, cards=Detections.of([R7.seen(), covered]))), TakenBack)


def test_a_top_nudged_over_one_that_looks_the_same_there_is_no_play() -> None:
    below, top, moved = Lying.at("G5", 244, 178, 4), Lying.at("GR", 240, 178, 4), Lying.at("GR", 240, 188, 4)
    built, now = pile(R7, below, top), look(R7, below, moved)
    assert 0.1 < Difference(built.view or now.view, now.view, ZONE).within(top.quad, moved.quad)[0] < 0.2
    assert isinstance(built.read(now), Nudged)
    another = built.read(look(R7, below, top, moved))
    assert isinstance(another, Laid) and not another.again


def test_a_card_that_still_sticks_out_is_known_ten_cards_later() -> None:
    beside, dragged = Lying.at("Y9", 285, 190, 30), Lying.at("R2", 255, 182, 8)
    others = [Lying.at(f"{colour}{rank}", 236 + rank, 178, 9 * rank) for colour in "BG" for rank in (4, 5, 6, 8)]
    built = pile(beside, *others, B3, Lying.at("R2", 240, 182, 0))
    shown = look(beside, *others, B3, dragged, found=(beside, Lying.at("B3", 246, 184, 20), dragged))
    assert isinstance(built.read(shown), Nudged)
