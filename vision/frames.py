"""Pictures with their times, wherever they come from: cameras, streams, videos, folders of pictures.

`open_source(spec)` gives a `Source`: a context manager that is iterated. It yields `Frame`s and, when the view breaks
off, `ViewLost` and `ViewBack` between them. A source that cannot be opened raises `SourceError`, whose text is one
sentence that says what to do. The exceptions:

    SourceError      no such camera, file, folder or picture, or it cannot be read
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Literal, Protocol, Self

import cv2
import numpy as np

from vision.changes import ViewBack, ViewLost
from vision.detections import Image
from vision.quiet import quiet

# FFmpeg reads this when the first video is opened; its complaints would stand beside our sentences.
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")

PICTURES: Final = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"})
PICTURE_SECONDS: Final = 0.5
"""The time between two pictures of a folder."""

Pace = Literal["fast", "live", "shown"]


class SourceError(Exception):
    """A source of pictures that cannot be used; the text is one sentence for a person."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture: `image` (H, W, 3) uint8 BGR, `seconds` since the source began (its own clock), `index` from 0."""

    image: Image
    seconds: float
    index: int


Glimpse = Frame | ViewLost | ViewBack


class Source(Protocol):
    """Where frames come from. Leaving the context ends the iteration and frees the device, from any thread."""

    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
    def __iter__(self) -> Iterator[Glimpse]: ...
    def close(self) -> None:
        """End the iteration at its next frame and free the device."""
        ...


class Clock(Protocol):
    """The time, and waiting for it: `time` for programs, a hand-driven one for tests."""

    def monotonic(self) -> float:
        """Seconds on a clock that never goes back."""
        ...

    def sleep(self, seconds: float, /) -> None:
        """Wait that long."""
        ...


def open_source(spec: str, *, pace: Pace = "fast") -> Source:
    """The source that `spec` names: `camera:0`, `camera:NAME`, a URL, a video file, a picture, a folder of pictures.

    pace: "fast" gives every frame of a file as soon as it is wanted; "live" gives it when its time has come and leaves
    frames out when the reader is late, as a camera would; "shown" gives every frame, and later when the reader is late.
    Cameras and streams are always live.
    Raises SourceError.
    """
    # Cameras are frames too: they import this module.
    from vision.cameras import open_camera, open_stream

    if spec.startswith("camera:"):
        return open_camera(spec.removeprefix("camera:"))
    if re.match(r"(rtsp|rtsps|rtmp|http|https|udp|tcp)://", spec):
        return open_stream(spec)
    path = Path(spec)
    if not spec or not is_there(path):
        raise SourceError(
            f"There is no file or folder {spec or 'without a name'}: "
            "give a video, a folder of pictures, a URL or camera:0."
        )
    if path.is_dir():
        return PictureSource(pictures_in(path), pace=pace)
    if not path.is_file():
        raise SourceError(f"{spec} is neither a file nor a folder: give a video or a folder of pictures, or camera:0.")
    if path.suffix.lower() in PICTURES:
        return PictureSource([path], pace=pace)
    try:
        path.open("rb").close()
    except OSError as error:
        raise SourceError(f"{spec} cannot be read: {error.strerror or error}.") from None
    return VideoSource(path, pace=pace)


def is_there(path: Path) -> bool:
    """Whether there is something at `path`; not where the system refuses even the question (a name too long)."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def read_picture(path: Path) -> Image:
    """The picture in a file, upright (EXIF orientation applied), (H, W, 3) uint8 BGR. Raises SourceError."""
    try:
        coded = path.read_bytes()
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror or error}.") from None
    image = None
    with quiet(), contextlib.suppress(cv2.error):  # its word for a picture with more pixels than it takes
        image = cv2.imdecode(np.frombuffer(coded, np.uint8), cv2.IMREAD_COLOR) if coded else None
    if image is None:
        raise SourceError(f"{path} is no picture that can be read: give a JPEG, PNG, WebP, BMP or TIFF file.")
    return image.astype(np.uint8, copy=False)


class _FileSource:
    """What files share: the context, the pacing, the early end."""

    def __init__(self, pace: Pace, clock: Clock) -> None:
        self._pace, self._clock, self._closed = pace, clock, False
        self._began: float | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the iteration at its next frame."""
        self._closed = True

    def _lateness(self, seconds: float) -> float:
        """Seconds by which the frame of that time is late (never negative); waits for it when it is early."""
        if self._pace == "fast":
            return 0.0
        now = self._clock.monotonic()
        if self._began is None:
            self._began = now - seconds
        early = self._began + seconds - now
        if early > 0:
            self._clock.sleep(early)
        return max(0.0, -early) if self._pace == "live" else 0.0


class PictureSource(_FileSource):
    """Pictures as frames, one every `PICTURE_SECONDS`. Raises SourceError at one that cannot be read."""

    def __init__(self, paths: list[Path], *, pace: Pace = "fast", clock: Clock = time) -> None:
        super().__init__(pace, clock)
        self.paths = paths

    def __iter__(self) -> Iterator[Glimpse]:
        for index, path in enumerate(self.paths):
            if self._closed:
                return
            self._lateness(index * PICTURE_SECONDS)
            yield Frame(self._read(path), index * PICTURE_SECONDS, index)

    @staticmethod
    def _read(path: Path) -> Image:
        """The picture; where the folder lies is not told, for everybody at the table reads why there is no picture."""
        try:
            return read_picture(path)
        except SourceError as error:
            raise SourceError(str(error).replace(str(path), path.name)) from None


class VideoSource(_FileSource):
    """A video file. Frames carry the times of the file; one that breaks off ends with a `ViewLost` that says so.

    Raises SourceError when the file is no video, or holds no picture.
    """

    LEAST: Final = 1.0
    """Seconds of film of which one frame at least is shown in live pace, however slow the computer is."""

    def __init__(self, path: Path, *, pace: Pace = "fast", clock: Clock = time) -> None:
        super().__init__(pace, clock)
        self._path = path
        with quiet():
            self._capture = cv2.VideoCapture(str(path))
            playable = self._capture.isOpened() and self._capture.grab()
        if not playable:
            self._capture.release()
            raise SourceError(f"{path} is no video that can be played: give an MP4, MKV, AVI or WebM file.")
        rate = self._capture.get(cv2.CAP_PROP_FPS)
        self._rate = rate if 1 <= rate <= 240 else 25.0
        self._promised = int(self._capture.get(cv2.CAP_PROP_FRAME_COUNT))

    @property
    def frames_per_second(self) -> float:
        """The frame rate that the file states, or 25 when it states none."""
        return self._rate

    def __iter__(self) -> Iterator[Glimpse]:
        index, seconds, shown, grabbed = 0, 0.0, -self.LEAST, True
        while grabbed and not self._closed:
            seconds = self._time_of(index, seconds)
            # As with a camera the newest frame wins: one after which the next is due already is left out.
            if self._lateness(seconds) < 1 / self._rate or seconds - shown >= self.LEAST:
                shown = seconds
                done, image = self._capture.retrieve()
                if done:
                    yield Frame(image.astype(np.uint8, copy=False), seconds, index)
            grabbed = not self._closed and self._capture.grab()
            index += 1
        if not self._closed and index < 0.97 * self._promised - 2:
            broken = f"{self._path.name} breaks off after {seconds:.1f} seconds."
            yield ViewLost(seconds, broken, "ended", self._path.name)
        self._capture.release()

    def _time_of(self, index: int, before: float) -> float:
        """The time of the frame just grabbed; counted from the frame rate where the file's own does not rise."""
        stated = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
        return stated if index == 0 or stated > before else before + 1 / self._rate


def pictures_in(folder: Path) -> list[Path]:
    """The pictures of a folder, `2.jpg` before `10.jpg`. Raises SourceError when there is none."""
    try:
        paths = [path for path in folder.iterdir() if path.suffix.lower() in PICTURES]
    except OSError as error:
        raise SourceError(f"{folder} cannot be read: {error.strerror or error}.") from None
    if not paths:
        raise SourceError(f"There is no picture in {folder}: put JPEG or PNG files into it.")
    return sorted(paths, key=_natural)


def _natural(path: Path) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d+)", path.name)]
