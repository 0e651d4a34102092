import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.changes import ViewLost
from vision.frames import Frame, SourceError, VideoSource, open_source, read_picture


class HandClock:
    """A clock that moves only when somebody sleeps or works."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float, /) -> None:
        self.now += seconds


def film(path: Path, frames: int = 20, rate: float = 10) -> Path:
    fourcc = cv2.VideoWriter.fourcc(*("mp4v" if path.suffix == ".mp4" else "MJPG"))
    writer = cv2.VideoWriter(str(path), fourcc, rate, (64, 48))
    for index in range(frames):
        writer.write(np.full((48, 64, 3), 10 * (index % 25), np.uint8))
    writer.release()
    return path


def frames_of(path: Path) -> list[Frame]:
    with open_source(str(path)) as source:
        return [glimpse for glimpse in source if isinstance(glimpse, Frame)]


def test_a_video_gives_its_frames_with_its_own_times(tmp_path: Path) -> None:
    frames = frames_of(film(tmp_path / "a.mp4"))
    assert [frame.index for frame in frames] == list(range(20))
    assert [frame.seconds for frame in frames] == pytest.approx([index / 10 for index in range(20)])
    assert frames[12].image.shape == (48, 64, 3)
    assert abs(int(frames[12].image.mean()) - 120) < 6


def test_a_video_that_breaks_off_says_so_and_keeps_what_there_was(tmp_path: Path) -> None:
    whole = film(tmp_path / "a.avi", frames=40)
    broken = tmp_path / "broken.avi"
    broken.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    with open_source(str(broken)) as source:
        glimpses = list(source)
    *frames, notice = glimpses
    assert len(frames) >= 8 and all(isinstance(frame, Frame) for frame in frames)
    assert isinstance(notice, ViewLost)
    assert notice.reason.startswith("broken.avi breaks off after ")


def test_a_whole_video_ends_without_a_notice(tmp_path: Path) -> None:
    with open_source(str(film(tmp_path / "a.avi"))) as source:
        assert all(isinstance(glimpse, Frame) for glimpse in source)


def test_live_pace_waits_for_the_time_of_each_frame(tmp_path: Path) -> None:
    clock = HandClock()
    source = VideoSource(film(tmp_path / "a.mp4"), pace="live", clock=clock)
    shown = [(clock.now - 100, glimpse.seconds) for glimpse in source]
    assert len(shown) == 20
    assert all(now == pytest.approx(seconds) for now, seconds in shown)


def test_live_pace_leaves_out_frames_when_the_reader_is_late(tmp_path: Path) -> None:
    clock = HandClock()
    source = VideoSource(film(tmp_path / "a.mp4"), pace="live", clock=clock)
    shown = []
    for glimpse in source:
        shown.append(glimpse.seconds)
        clock.now += 0.35
    assert len(shown) < 10
    assert shown == sorted(shown)
    assert clock.now - 100 < 3.0


def test_live_pace_shows_the_newest_frame_after_a_slow_look(tmp_path: Path) -> None:
    clock = HandClock()
    source = VideoSource(film(tmp_path / "a.mp4", frames=60, rate=30), pace="live", clock=clock)
    late = []
    for glimpse in source:
        late.append(clock.now - 100 - glimpse.seconds)
        clock.now += 0.23 if glimpse.seconds < 0.5 else 0.0
    assert max(late) < 1 / source.frames_per_second
    assert late[-1] == pytest.approx(0)


def test_live_pace_shows_something_even_where_the_computer_is_too_slow_for_the_film(tmp_path: Path) -> None:
    clock = HandClock()
    source = VideoSource(film(tmp_path / "a.mp4", frames=100), pace="live", clock=clock)
    began, shown = clock.now, []
    for glimpse in source:
        shown.append(glimpse.seconds)
        clock.now = began + 60.0
    assert len(shown) >= shown[-1] >= 2.0


def test_a_shown_film_waits_for_a_slow_reader_and_leaves_nothing_out(tmp_path: Path) -> None:
    clock = HandClock()
    source = VideoSource(film(tmp_path / "a.mp4"), pace="shown", clock=clock)
    began = []
    for glimpse in source:
        began.append((clock.now - 100, glimpse.seconds))
        clock.now += 0.35
    assert len(began) == 20
    assert all(now >= seconds for now, seconds in began)


def test_closing_ends_the_iteration(tmp_path: Path) -> None:
    source = open_source(str(film(tmp_path / "a.mp4")))
    seen = []
    for glimpse in source:
        seen.append(glimpse)
        source.close()
    assert len(seen) == 1


def test_a_folder_gives_its_pictures_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    for number in (10, 9, 1):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.full((8, 8, 3), number, np.uint8))
    (tmp_path / "notes.txt").write_text("none")
    assert [int(frame.image[0, 0, 0]) for frame in frames_of(tmp_path)] == [1, 9, 10]


def test_one_picture_is_a_source(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.full((8, 8, 3), 7, np.uint8))
    assert len(frames_of(tmp_path / "a.png")) == 1


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("a.jpg", b"no picture", "is no picture that can be read"),
        ("a.jpg", b"", "is no picture that can be read"),
        ("a.mp4", b"no film", "is no video that can be played"),
    ],
)
def test_a_file_that_is_not_what_it_says_is_refused_in_one_sentence(
    tmp_path: Path, name: str, content: bytes, sentence: str, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(SourceError, match=sentence):
        frames_of(tmp_path / name)
    assert capfd.readouterr().err == ""


def test_what_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"There is no file or folder .*: give a video"):
        open_source(str(tmp_path / "nowhere"))
    for spec in ("", "x" * 300, "a\0b"):
        with pytest.raises(SourceError, match=r"There is no file or folder"):
            open_source(spec)
    with pytest.raises(SourceError, match="There is no picture in"):
        open_source(str(tmp_path))
    with pytest.raises(SourceError, match="cannot be read: No such file"):
        read_picture(tmp_path / "a.png")


def test_a_camera_that_is_not_there_is_refused_in_one_sentence(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SourceError, match=r"No camera answers as camera:97: plug one in"):
        open_source("camera:97")
    with pytest.raises(SourceError, match="No camera is called Nosuchcamera"):
        open_source("camera:Nosuchcamera")
    for index in ("99999999999999999999", "²", "", "-1", "x" * 300):
        with pytest.raises(SourceError, match=r"give its number, such as camera:0\.$"):
            open_source(f"camera:{index}")
    assert capfd.readouterr().err == ""


def test_a_picture_of_more_pixels_than_can_be_read_is_refused(tmp_path: Path) -> None:
    size = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", size), (b"IDAT", zlib.compress(bytes(1000))), (b"IEND", b""))
    coded = b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )
    (tmp_path / "huge.png").write_bytes(b"\x89PNG\r\n\x1a\n" + coded)
    with pytest.raises(SourceError, match="is no picture that can be read"):
        read_picture(tmp_path / "huge.png")


def test_a_stream_that_is_not_there_is_refused_in_one_sentence(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SourceError, match=r"No pictures come from http://127.0.0.1:9/film"):
        open_source("http://127.0.0.1:9/film")
    assert capfd.readouterr().err == ""
