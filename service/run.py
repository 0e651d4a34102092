"""One evening at the table: camera, table, voice and pages put together, and taken apart again in order.

    with Evening.open(settings, door, settings.database) as evening:
        evening.watch(source, sight)
        evening.serve()

`serve` runs in the thread that calls it until it is interrupted or `end` is called. The camera has its own thread, the
voice its own process; none of them waits for another, and each may fail without the others noticing.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import socket
import threading
import webbrowser
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Final, Self

from referee.options import MatchSettings
from service import piles
from service.api import Desk, create_app
from service.commands import grammar
from service.counting import remark
from service.counting_place import CountingPlace
from service.ears import Ears, grammars
from service.framing import Advice, framing
from service.guard import Admission
from service.kept import Kept
from service.keys import KeyDoor, Keys, Way
from service.links import Links, own_address
from service.microphone import open_ears as open_source_of_sound
from service.outputs import may_become_a_record
from service.phrases import Phrases
from service.preview import Preview
from service.recognisers import recogniser
from service.sentences import Refusal
from service.server import Server
from service.settings import Settings
from service.store import Store
from service.table import Table
from service.tokens import Tokens
from service.voice import Voice
from service.watching import Watcher
from vision.changes import CardLaid, CardsShown, CommandShown, TableChange, ViewBack, ViewLost
from vision.frames import Source
from vision.sight import Sight

log = logging.getLogger(__name__)

HERE: Final = "127.0.0.1"
EVERYWHERE: Final = "0.0.0.0"
RECORD_SECONDS: Final = 0.25
"""How soon a line stands in the file of `--record`."""


def open_door(port: int, *, lan: bool = False) -> socket.socket:
    """The port of pages and API, for this computer only or for the network; Refusal when it is taken."""
    door = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    # On Windows the option would let two programs share the port.
    if os.name == "posix":
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        door.bind((EVERYWHERE if lan else HERE, port))
    except OSError as error:
        door.close()
        reason = error.strerror or str(error)
        raise Refusal(
            f"Port {port} cannot be used ({reason}): close the other program, or choose one with --port."
        ) from None
    return door


@dataclass
class Evening:
    """All that runs while people play. `url` is where its pages are."""

    desk: Desk
    voice: Voice
    door: socket.socket
    admission: Admission | None = None
    watcher: Watcher | None = None
    recorder: Recorder | None = None
    key_door: KeyDoor | None = None
    ears: Ears | None = None
    _server: Server = field(init=False)
    _resumed: int | None = field(init=False)
    """The match that goes on from an earlier evening, until the camera has seen a card."""

    def __post_init__(self) -> None:
        self._resumed = self.desk.table.match
        self._server = Server(create_app(self.desk, self.admission))

    @classmethod
    @contextlib.contextmanager
    def open(cls, settings: Settings, door: socket.socket, database: Path) -> Iterator[Self]:
        """Store, voice and table; on leaving everything is closed. Raises StoreError, PhraseError."""
        phrases = Phrases.load(settings.lang, settings.level)
        with contextlib.ExitStack() as closing:
            closing.callback(door.close)
            store = closing.enter_context(Store.open(database))
            voice = Voice(settings)
            closing.callback(voice.stop)
            table = Table.open(store, phrases, voice)
            desk = Desk(table, store, Preview(), settings.lang, lambda: voice.status(patience=0), settings)
            desk.voice_changed = voice.change
            # a film is watched with settings and piles of its own
            desk.kept = Kept(settings.data_dir) if database == settings.database else None
            tokens = Tokens.kept_in(settings.data_dir) if settings.lan else None
            desk.links = Links(base_of(settings, door), tokens, settings.look == "open")
            evening = cls(desk, voice, door, admission_of(settings, tokens))
            desk.commands.framing = evening._framing
            desk.commands.first.lies = lambda: desk.preview.card_lies
            closing.callback(evening._stop_threads)
            if store.kept_aside is not None:
                table.notice("kept_aside", file=store.kept_aside.name)
            yield evening

    @property
    def table(self) -> Table:
        """The table."""
        return self.desk.table

    @property
    def url(self) -> str:
        """Where the pages are."""
        return f"http://{HERE}:{self.door.getsockname()[1]}"

    def play(self, match: MatchSettings) -> None:
        """The match with these settings: goes on with the one in play when its players and rules are the same."""
        state = self.table.state
        if state is not None and state.settings == match and state.winner is None:
            self.table.notice("resumed")
        else:
            self.table.new_match(match)

    def watch(self, source: Source, sight: Sight, clock: Callable[[float], object] = lambda seconds: None) -> Watcher:
        """Watch the table in a thread of its own."""

        is_set_up = is_known = False

        def passed(seconds: float) -> None:
            nonlocal is_set_up, is_known
            clock(seconds)
            self.table.tick()
            self.desk.commands.first.tick()
            is_set_up = is_set_up or piles.restore(self.desk)
            is_known = is_known or piles.remember(self.desk)

        self.watcher = Watcher(source, sight, self._see, self.desk.preview, passed)
        self.table.asking.corrected = self.watcher.corrected
        self.desk.watcher = self.watcher
        self.watcher.start()
        return self.watcher

    def count_at(self, source: Source) -> CountingPlace:
        """Hands are counted before a second camera; it is looked at only then."""

        def expected() -> tuple[int, ...]:
            state = self.table.state
            return tuple(state.counts[seat - 1] for seat in state.uncounted) if state is not None else ()

        self.desk.place = CountingPlace(source, self.desk.hands.look, expected, self._see)
        self.desk.place.start()
        return self.desk.place

    def open_ears(self, settings: Settings) -> None:
        """Listen for spoken commands as the settings say; Refusal when that cannot be."""
        if settings.ears == "off":
            return
        phrases = grammar(self.table.phrases.language)
        heard = recogniser(
            grammars(self.table.phrases.language), settings.lang, settings.ears_model, woken=settings.ears == "wake"
        )
        source = open_source_of_sound(settings.ears_source)
        self.ears = Ears(
            self.desk.commands, heard, phrases, source, lambda: self.voice.is_speaking, hold=self.voice.hold
        )
        self.desk.commands.talk = self.ears.push
        self.desk.commands.opening.by_voice = True
        if settings.ears == "wake":
            self.ears.listen()

    def listen_to_keys(self, way: Way = "auto") -> None:
        """Take keys from the terminal, or lines from standard input, where there is one."""
        door = KeyDoor(Keys(self.desk.commands), way)
        opening = self.desk.commands.opening
        opening.by_keys = door.is_open
        if self.ears is not None:
            opening.tick()
        if door.is_open:
            self.key_door = door
            door.start()

    def record(self, path: Path) -> None:
        """Keep the record of the match in the file `path`, from now on; Refusal when it cannot be written."""
        self.recorder = Recorder(self.table, path)
        self.recorder.start()

    def serve(self, page: str | None = None) -> None:
        """Serve pages and API until interrupted; opens `page`, such as `/setup`, in the browser when one is given."""
        if page is not None:
            threading.Thread(target=_browse, args=(self._address(page),), name="browser", daemon=True).start()
        with contextlib.suppress(KeyboardInterrupt), _ended_by_terminate():
            self._server.run([self.door])

    def end(self) -> None:
        """Let `serve` return, from any thread."""
        self._server.should_exit = True

    def _address(self, page: str) -> str:
        """Where a browser on this computer finds `page`; its command line is no secret, so no token is in it."""
        tokens = self.desk.links.tokens if self.desk.links else None
        return self.url + (page if tokens is None else self.desk.once.address(f"{page}#token={tokens.host}"))

    def _lay_there(self, change: TableChange) -> bool:
        """Whether this is the top card of a match that goes on: it lay there when the camera first looked."""
        if not isinstance(change, CardLaid):
            return False
        resumed, self._resumed = self._resumed, None
        state = self.table.state
        known = state is not None and self.table.match == resumed and state.top == change.card
        return known and change.card is not None and change.hand is None

    def _see(self, change: TableChange) -> object:
        if isinstance(change, CommandShown):
            return self.desk.commands.shown(change)
        self.desk.commands.first.note(change)
        if self.desk.commands.opening.step is not None and not isinstance(change, (ViewLost, ViewBack)):
            return ()  # the match in play, if there is one, is being left
        if self._lay_there(change):
            return ()
        applied = self.table.see(change)
        if isinstance(change, CardsShown) and not applied:
            self._remark(change)
        jpeg = self.desk.preview.jpeg() if applied else None
        for one in applied:
            self.desk.pictures.keep(one.version, jpeg or b"")
        return applied

    def _remark(self, change: CardsShown) -> None:
        """Say where cards lie open that are neither a play nor a hand that could be counted."""
        state = self.table.state
        said = None if state is None else remark(change, state, self.table.phrases)
        if said is not None:
            self.table.notice(said[0], **said[1])

    def _framing(self) -> Advice:
        """How the camera stands, for the hands to tell."""
        picture, zones = self.desk.preview.seen
        return framing(picture, zones.discard)

    def _stop_threads(self) -> None:
        if self.key_door is not None:
            self.key_door.stop()
        if self.ears is not None:
            self.ears.stop()
        if self.watcher is not None:
            self.watcher.stop()
        if self.desk.place is not None:
            self.desk.place.stop()
        if self.recorder is not None:
            self.recorder.stop()


def base_of(settings: Settings, door: socket.socket) -> str:
    """Where the pages are for those who get a link: the first name that was allowed, else the address."""
    address = own_address() if settings.lan else HERE
    return f"http://{next(iter(settings.allow_host), address)}:{door.getsockname()[1]}"


def admission_of(settings: Settings, tokens: Tokens | None) -> Admission:
    """Who may come in: under this computer's names, and those that were allowed."""
    name = socket.gethostname()
    own = (name, f"{name.partition('.')[0]}.local", own_address()) if settings.lan else ()
    return Admission.of((*own, *settings.allow_host), tokens, open_to_look=settings.look == "open")


class Recorder(threading.Thread):
    """Keeps a file equal to the record of the match in play. Writes nothing when nothing happens."""

    def __init__(self, table: Table, path: Path) -> None:
        super().__init__(name="record", daemon=True)
        may_become_a_record(path)
        # A link stays one: what it leads to is written.
        self._table, self._path = table, path.resolve()
        self._stopping = threading.Event()
        try:
            self._write()
        except OSError as error:
            raise Refusal(f"{path} cannot be written: {error.strerror or error}.") from None

    def run(self) -> None:
        """The thread itself."""
        written = -1
        while not self._stopping.wait(RECORD_SECONDS):
            version = self._table.version
            if version != written:
                written = version
                self._try()

    def stop(self) -> None:
        """Write once more and end."""
        self._stopping.set()
        self.join(1)
        self._try()

    def _try(self) -> None:
        try:
            self._write()
        except OSError as error:
            log.warning("%s cannot be written: %s", self._path, error)

    def _write(self) -> None:
        beside = self._path.with_name(self._path.name + ".part")
        beside.write_text(self._table.record(), encoding="utf-8", newline="\n")
        beside.replace(self._path)


def _browse(url: str) -> None:
    with contextlib.suppress(Exception):  # a computer without a browser is no fault
        webbrowser.open(url)


@contextlib.contextmanager
def _ended_by_terminate() -> Iterator[None]:
    """Lets a request of the system to end (SIGTERM) close everything in order, as Ctrl-C does."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
