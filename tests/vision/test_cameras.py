import itertools
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from vision.cameras import LiveSource, Patience, Picture, open_stream
from vision.changes import ViewBack, ViewLost
from vision.detections import Image
from vision.frames import Frame, Glimpse, SourceError

QUICK = Patience(lost=0.15, first_pause=0.01, longest_pause=0.04, dark=0.0)


class Plug:
    """A camera whose cable can be pulled: opens and delivers while `there`, then fails; `stuck` reads hang."""

    def __init__(self, pause: float = 0.005) -> None:
        self.there, self.stuck, self.pause = True, threading.Event(), pause
        self.count, self.opened, self.released = 0, 1, 0
        self.stuck.set()

    def read(self) -> tuple[bool, Image | None]:
        self.stuck.wait(5)
        time.sleep(self.pause)
        self.count += 1
        return (True, np.full((4, 4, 3), self.count % 256, np.uint8)) if self.there else (False, None)

    def release(self) -> None:
        self.released += 1

    def reopen(self) -> "Plug | None":
        self.opened += 1
        return self if self.there else None


@pytest.fixture
def plug() -> Iterator[Plug]:
    plug = Plug()
    yield plug
    plug.stuck.set()


def until(source: LiveSource, kind: type[Glimpse]) -> Glimpse:
    began = time.monotonic()
    for glimpse in source:
        if isinstance(glimpse, kind):
            return glimpse
        assert time.monotonic() - began < 5
    raise AssertionError("the source ended")


def test_the_newest_frame_wins_and_the_queue_never_grows(plug: Plug) -> None:
    with LiveSource("camera 0", plug, plug.reopen, QUICK) as source:
        indices = []
        for glimpse in source:
            assert isinstance(glimpse, Frame)
            indices.append(glimpse.index)
            time.sleep(0.05)
            if len(indices) == 6:
                break
        assert all(later - earlier > 2 for earlier, later in itertools.pairwise(indices))
        assert plug.count - indices[-1] < 30


def test_a_camera_pulled_out_is_said_once_and_waited_for(plug: Plug) -> None:
    with LiveSource("camera 0", plug, plug.reopen, QUICK) as source:
        until(source, Frame)
        plug.there = False
        lost = until(source, ViewLost)
        assert isinstance(lost, ViewLost)
        assert lost.reason == "No picture comes from camera 0: check its cable; I go on when it is back."
        assert (lost.key, lost.name) == ("silent", "camera 0")
        threading.Timer(0.4, lambda: setattr(plug, "there", True)).start()
        seen = []
        for glimpse in source:
            seen.append(glimpse)
            if isinstance(glimpse, Frame):
                break
        assert [type(glimpse) for glimpse in seen] == [ViewBack, Frame]
        assert seen[0].seconds > lost.seconds
    assert 3 < plug.opened < 40
    assert plug.released >= 2


def test_a_driver_that_hangs_is_noticed_too(plug: Plug) -> None:
    with LiveSource("camera 0", plug, plug.reopen, QUICK) as source:
        until(source, Frame)
        plug.stuck.clear()
        until(source, ViewLost)
        plug.stuck.set()
        until(source, ViewBack)


def test_closing_from_another_thread_ends_the_iteration_and_frees_the_device(plug: Plug) -> None:
    source = LiveSource("camera 0", plug, plug.reopen, QUICK)
    threading.Timer(0.1, source.close).start()
    for _ in source:
        pass
    source.close()
    assert plug.released == 1


def test_times_rise(plug: Plug) -> None:
    with LiveSource("camera 0", plug, plug.reopen, QUICK) as source:
        frames = [frame for frame, _ in zip(source, range(5), strict=False)]
    times = [frame.seconds for frame in frames]
    assert times == sorted(times) and 0 <= times[0] < 1


def faults(pictures: list[Image], may_freeze: bool = True) -> list[str | None]:
    """What is said of pictures that come ten a second."""
    picture = Picture(Patience(lost=1.0, frozen=2.0), may_freeze)
    return [picture.fault(Frame(image, index / 10, index)) for index, image in enumerate(pictures)]


def test_black_is_no_picture_after_a_while_and_one_bright_place_is_enough() -> None:
    black, dim = np.full((64, 64, 3), 3, np.uint8), np.full((64, 64, 3), 3, np.uint8)
    dim[16, 16] = 60
    noisy = [black + np.uint8(index % 2) for index in range(15)]
    assert faults(noisy).index("black") == 10
    assert set(faults([dim + np.uint8(index % 2) for index in range(30)])) == {None}
    assert faults([*noisy, dim])[-1] is None


def test_a_camera_that_sends_one_picture_for_ever_hangs_and_a_stream_may() -> None:
    grey = [np.full((64, 64, 3), 90, np.uint8)] * 30
    assert faults(grey).index("frozen") == 20
    assert set(faults(grey, may_freeze=False)) == {None}
    assert faults([*grey, np.full((64, 64, 3), 91, np.uint8)])[-1] is None


class Locked(BaseHTTPRequestHandler):
    """A stream that wants a password."""

    def do_GET(self) -> None:
        self.send_response(401)
        self.end_headers()

    def log_message(self, *args: object) -> None:
        pass


def test_a_stream_behind_a_password_says_so_and_never_shows_one() -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Locked) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"127.0.0.1:{server.server_port}/video"
        with pytest.raises(SourceError, match=f"wants a name and a password: .*NAME:PASSWORD@{address}"):
            open_stream(f"http://{address}")
        with pytest.raises(SourceError, match="check the address, its name and password") as refused:
            open_stream(f"http://anna:secret@{address}")
        server.shutdown()
    assert "secret" not in str(refused.value)
