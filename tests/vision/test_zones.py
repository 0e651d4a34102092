import numpy as np
import pytest

from tests.vision.scene import HEIGHT, Lying, seen
from vision.detections import Detections
from vision.zones import Zone, Zones

PILE, STOCK = Lying.at("R7", 150, 180), Lying.at("back", 330, 180)


def test_faces_tell_the_discard_pile_and_backs_the_draw_pile() -> None:
    zones = Zones().found_in(seen(PILE, STOCK))
    assert zones.discard is not None and zones.draw is not None
    assert (zones.discard.x, zones.discard.y) == pytest.approx((150, 180), abs=0.5)
    assert (zones.draw.x, zones.draw.card) == pytest.approx((330, HEIGHT), abs=0.5)


def test_nothing_seen_tells_nothing() -> None:
    assert Zones().found_in(Detections.empty()) == Zones()


def test_an_unsure_face_tells_nothing() -> None:
    assert Zones().found_in(Detections.of([PILE.seen(confidence=0.3)])).discard is None


def test_a_face_of_another_size_is_no_card_of_this_table() -> None:
    poster = Lying(PILE.face, PILE.quad * 3)
    assert Zones().found_in(seen(STOCK)).found_in(seen(poster, STOCK)).discard is None


def test_zones_are_kept() -> None:
    zones = Zones().found_in(seen(PILE, STOCK))
    assert zones.found_in(seen(Lying.at("B3", 400, 300))).discard == zones.discard
    assert zones.found_in(Detections.empty()) == zones


def test_the_discard_pile_follows_its_cards_slowly() -> None:
    zones = Zones().found_in(seen(PILE, STOCK)).follow(Lying.at("B3", 160, 180).seen())
    assert zones.discard is not None and zones.discard.x == pytest.approx(152, abs=0.1)


def test_a_zone_put_by_hand_stays() -> None:
    zones = Zones(discard=Zone(100, 100, 80), discard_by_hand=True).found_in(seen(PILE, STOCK))
    assert zones.follow(PILE.seen()).discard == Zone(100, 100, 80)
    assert zones.lost().discard == Zone(100, 100, 80)
    assert zones.lost().draw is None


def test_distances_are_heights_of_a_card() -> None:
    assert Zone(100, 100, 80).distance((180, 100)) == 1


def test_a_disc_covers_what_is_near() -> None:
    disc = Zone(100, 50, 40).disc((60, 80), scale=2.0, radius=1.0)
    assert disc[25, 50] and disc[25, 69] and not disc[25, 71]
    assert disc.sum() == pytest.approx(np.pi * 20**2, rel=0.03)


def test_a_window_stays_within_the_picture() -> None:
    rows, columns = Zone(10, 350, 80).window((360, 480, 3), 1.0)
    assert (rows.start, rows.stop, columns.start, columns.stop) == (270, 360, 0, 91)


def test_cards_that_lie_about_tell_of_no_discard_pile_and_a_messy_pile_does() -> None:
    about = seen(Lying.at("back", 350, 180), Lying.at("R7", 100, 80), Lying.at("G5", 120, 300))
    assert Zones().found_in(about).discard is None and Zones().found_in(about).draw is not None
    messy = seen(Lying.at("back", 350, 180), Lying.at("R7", 150, 180), Lying.at("G5", 170, 200, 40))
    assert Zones().found_in(messy).discard is not None


def test_a_back_that_nobody_knows_is_taken_for_the_draw_pile_when_there_is_one_only() -> None:
    zones = Zones().found_in(seen(PILE))
    found = zones.with_strange(seen(STOCK)).draw
    assert found is not None and found.x == pytest.approx(330, abs=0.5)
    assert zones.with_strange(seen(STOCK, Lying.at("back", 330, 60))).draw is None
    assert zones.with_strange(seen(Lying.at("back", 170, 190))).draw is None, "it lies on the discard pile"
    assert zones.with_strange(seen(Lying(STOCK.face, STOCK.quad * 1.5))).draw is None, "a book"
    assert Zones().with_strange(seen(STOCK)).draw is None and zones.with_strange(Detections.empty()) == zones
