from dataclasses import replace

import numpy as np
import pytest

from referee.cards import FACES, Card
from vision.detections import BACK, Detection, Detections, Face

SQUARE = np.array([[0, 0], [10, 0], [10, 20], [0, 20]], np.float32)


def three() -> Detections:
    readings: list[tuple[Face, float]] = [(Card.parse("R7"), 0.4), (BACK, 0.9), (None, 0.1)]
    return Detections.of([Detection(SQUARE + 30 * n, 0.5, face, sure) for n, (face, sure) in enumerate(readings)])


def test_surest_first_orders_everything_together() -> None:
    ordered = three().surest_first()
    assert ordered.faces == (BACK, Card.parse("R7"), None)
    assert ordered.quads[:, 0, 0].tolist() == [30, 0, 60]
    assert ordered[0].confidence == pytest.approx(0.9)


def test_best_is_the_surest_and_nothing_for_an_empty_table() -> None:
    best = three().best()
    assert best is not None and best.face == BACK
    assert Detections.empty().best() is None
    assert len(Detections.of([])) == 0


def test_pick_takes_masks_and_indices() -> None:
    assert three().pick(np.array([False, True, False])).faces == (BACK,)
    assert three().pick(np.array([2, 0])).faces == (None, Card.parse("R7"))


def test_geometry_of_one_card() -> None:
    card = three()[1]
    assert card.centre == (35.0, 40.0)
    assert card.height == pytest.approx(20)


@pytest.mark.parametrize(
    ("quads", "scores", "confidences"),
    [((2, 4, 2), (1,), (1,)), ((1, 4, 2), (2,), (1,)), ((1, 4, 2), (1,), (0,)), ((1, 8), (1,), (1,))],
)
def test_shapes_that_do_not_agree_are_refused(
    quads: tuple[int, ...], scores: tuple[int, ...], confidences: tuple[int, ...]
) -> None:
    with pytest.raises(ValueError, match="do not go with"):
        Detections(
            np.zeros(quads, np.float32), np.zeros(scores, np.float32), (None,), np.zeros(confidences, np.float32)
        )


def test_a_confidence_above_one_is_refused() -> None:
    with pytest.raises(ValueError, match="confidences must lie between 0 and 1"):
        Detections(np.zeros((1, 4, 2), np.float32), np.zeros(1, np.float32), (None,), np.full(1, 1.5, np.float32))


def test_probabilities_of_all_faces_stay_with_their_card() -> None:
    outcomes = np.zeros((2, len(FACES) + 2), np.float32)
    outcomes[0, 3], outcomes[1, 5] = 0.75, 0.5
    both = replace(three().pick(np.array([0, 1])), outcomes=outcomes)
    assert both.pick(np.array([1])).outcomes is not None
    assert both.pick(np.array([1]))[0].shares()[5] == Detections.of(list(both))[1].shares()[5] == 0.5
    assert both.moved(np.array([3, 4], np.float32))[0].shares()[3] == 0.75
    with pytest.raises(ValueError, match="outcomes"):
        replace(both, outcomes=outcomes[:1])


def test_a_card_without_probabilities_is_its_face_as_far_as_it_is_sure() -> None:
    seen = three()[0]
    assert isinstance(seen.face, Card)
    assert seen.shares()[FACES.index(seen.face)] == pytest.approx(0.4) and seen.shares().sum() == pytest.approx(0.4)
    assert three()[1].shares().sum() == 0
