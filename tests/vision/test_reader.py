import numpy as np
import numpy.typing as npt
import pytest

from referee.cards import FACES, Card, Rank
from vision.detections import BACK
from vision.reader import OUTCOMES, Reader, joined, softmax
from vision.rectify import quad_of


def sure(index: int, count: int) -> npt.NDArray[np.float32]:
    row = np.full((1, count), 0.01, np.float32)
    row[0, index] = 1
    return np.asarray(row / row.sum(), np.float32)


def test_outcomes_are_all_faces_a_back_and_nothing() -> None:
    assert OUTCOMES[: len(FACES)] == FACES
    assert OUTCOMES[-2:] == (BACK, None)


@pytest.mark.parametrize(
    ("colour", "rank", "face"),
    [(0, 7, Card.parse("R7")), (3, 12, Card.parse("BD")), (4, 14, Card.parse("W4")), (2, 17, BACK), (1, 18, None)],
)
def test_colour_and_rank_join_to_a_face(colour: int, rank: int, face: object) -> None:
    table = joined(sure(colour, 5), sure(rank, 19))
    assert OUTCOMES[int(table.argmax())] == face
    assert table.sum() == pytest.approx(1)


def test_a_coloured_wild_is_impossible() -> None:
    table = joined(sure(0, 5), sure(list(Rank).index(Rank.WILD), 19))[0]
    assert table[FACES.index(Card.parse("W"))] > 0
    assert sum(table[i] for i, card in enumerate(FACES) if card.rank is Rank.WILD) == pytest.approx(
        table[FACES.index(Card.parse("W"))]
    )


def test_softmax_does_not_overflow() -> None:
    assert softmax(np.array([[1000.0, 0.0]], np.float32)).tolist() == [[1.0, 0.0]]


class UpsideDownBlind:
    """Reads a seven only when the bright end is up; otherwise it sees nothing of use."""

    def outputs(self, batch: npt.NDArray[np.uint8]) -> list[npt.NDArray[np.float32]]:
        out = np.zeros((len(batch), 24), np.float32)
        up = batch[:, :60].mean(axis=(1, 2, 3)) > batch[:, 60:].mean(axis=(1, 2, 3))
        out[up, 0] = out[up, 5 + 7] = 12
        return [out]


@pytest.mark.parametrize("angle", [0.0, np.pi])
def test_cards_are_read_both_ways_up(angle: float) -> None:
    image = np.zeros((200, 200, 3), np.uint8)
    image[:100] = 200
    reader = Reader(UpsideDownBlind())  # type: ignore[arg-type]
    readings = reader.read(image, quad_of(100, 100, 80, 120, angle)[None])
    assert readings.faces == (Card.parse("R7"),)
    assert readings.sure[0, 0] > 0.9, "the two ways together are sure"
    assert readings.turned[0, 0] < 0.1, "the way that sees nothing is not"


def test_no_quads_no_readings() -> None:
    reader = Reader(UpsideDownBlind())  # type: ignore[arg-type]
    readings = reader.read(np.zeros((8, 8, 3), np.uint8), np.zeros((0, 4, 2), np.float32))
    assert readings.faces == () and readings.sure.shape == (0, 3)
