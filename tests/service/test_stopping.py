"""A clean end: whatever is open, the program is gone within two seconds and has nothing to complain about."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import cv2
import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
SECONDS = 2.0

SERVING = """
import signal, socket, sys, threading, time
from pathlib import Path
import numpy as np
from service import logs
from service.reading import HandReader
from service.run import Evening
from service.settings import Settings
from service.start import end
from vision.detections import Detections
from vision.zones import Zones

class Slow:
    def see(self, image, *, near=None):
        print("reading", flush=True)
        time.sleep(6)
        return Detections.empty()

logs.set_up()
settings = Settings(mute=True, data_dir=Path(sys.argv[1]))
with Evening.open(settings, socket.create_server(("127.0.0.1", 0)), settings.database) as evening:
    evening.desk.hands = HandReader(Slow)
    evening.desk.preview.show(np.full((90, 160, 3), 90, np.uint8), Detections.empty(), Zones())
    print(evening.url, flush=True)
    try:
        evening.serve()
    finally:
        print("closing", flush=True)
print("closed", flush=True)
end(0)
"""
PICTURE = bytes(np.asarray(cv2.imencode(".png", np.full((60, 80, 3), 90, np.uint8))[1]))

OPEN = {
    "nothing": b"",
    "a stream of events": b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "a stream of pictures": b"GET /api/preview.mjpeg HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "half a body": b"POST /api/actions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{",
    "half a picture": b"POST /api/read HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n\xff",
    "half a head": b"GET /api/state HT",
    "a hand being read": b"POST /api/read HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%b"
    % (len(PICTURE), PICTURE),
}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals to end a program with")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("what", OPEN)
def test_a_signal_ends_everything_at_once_and_without_a_word(tmp_path: Path, what: str, number: int) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", SERVING, str(tmp_path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        port = int(process.stdout.readline().rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port), timeout=10) as line:
            line.sendall(OPEN[what])
            if "stream" in what:
                assert line.recv(1000).startswith(b"HTTP/1.1 200")
            elif "read" in what:
                assert process.stdout.readline() == "reading\n"
            time.sleep(0.3)
            began = time.monotonic()
            process.send_signal(number)
            out, err = process.communicate(timeout=15)
    finally:
        process.kill()
    assert out == "closing\nclosed\n"
    assert time.monotonic() - began < SECONDS, err
    assert (err, process.returncode) == ("", 0)
