"""`tableref learn-deck` and `decks`: remember how the cards of a deck look, list and forget decks."""

from __future__ import annotations

import argparse
import contextlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from referee.cards import Card
from service import settings as configuration
from service.audible import may_speak
from service.cli import complain, language_of
from service.phrases import Phrases
from service.sentences import Refusal
from service.settings import Settings
from service.telling import Priority, Utterance
from service.voice import Voice
from vision import decks as shelf
from vision.decks import Deck
from vision.detections import BACK, Face
from vision.eyes import Eyes
from vision.frames import PICTURES, Frame, PictureSource, Source, SourceError, open_source
from vision.lessons import CLASSIC, Lesson, Shown, taught_by
from vision.twins import Twins

SPOKEN: Final = 6
"""So many missing cards are named aloud; more only on the screen."""


def learn_deck(options: argparse.Namespace) -> int:
    """Learn a deck from a folder of pictures, a film or a camera, and store it."""
    settings = settings_from(options)
    shelf.checked(options.name)
    order = order_of(options.order)
    if is_live(settings.source):
        may_speak(settings)
    eyes, told = Eyes.load(), Teacher.of(settings)
    with told.speaking(live=is_live(settings.source)):
        pictures = pictures_of(settings.source)
        unread: list[SourceError] = []
        if pictures:
            shown = from_pictures(eyes, pictures, order, told, unread)
        else:
            shown, stopped = from_view(eyes, settings, order, told)
            if stopped and options.name in shelf.stored(settings.decks):
                told.say("learn.kept", name=options.name)
                return 0
        deck = Deck.of(options.name, shown)
        path = deck.save(settings.decks)
        told.say("learn.learnt", name=deck.name, cards=told.phrases.cards(len(set(deck.faces))), path=path)
        missing = [face for face in order if face not in deck.faces]
        if missing:
            told.say("learn.missing", len(missing) <= SPOKEN, cards=", ".join(told.called(face) for face in missing))
    return 2 if unread else 0


def decks(options: argparse.Namespace) -> int:
    """List the learnt decks, or forget one."""
    folder = settings_from(options).decks
    if options.remove is not None:
        shelf.removed(options.remove, folder)
        return 0
    found, damaged = shelf.counted(folder)
    for sentence in damaged:
        complain(sentence, language_of(options))
    rc = 2 if damaged else 0
    if options.json:
        print(json.dumps([{"name": name, "cards": count} for name, count in found]))
        return rc
    phrases = Phrases.load(settings_from(options).lang)
    for name, count in found:
        print(f"{name}: {phrases.cards(count)}")
    if not found and not damaged:
        print(phrases.text("learn.none"))
    return rc


def settings_from(options: argparse.Namespace) -> Settings:
    """The settings of this run."""
    flags = {name: getattr(options, name, None) for name in ("source", "lang", "mute")}
    return configuration.load(flags, file=options.settings)


def remembered(settings: Settings) -> Deck | None:
    """The deck that the settings name, or None; raises DeckError."""
    return Deck.load(settings.deck, settings.decks) if settings.deck else None


def order_of(given: str | None) -> Sequence[Face]:
    """The cards in the order in which they are shown: codes by commas or spaces, or those of the classic deck."""
    if given is None:
        return CLASSIC
    codes = [code for code in re.split(r"[,\s]+", given) if code]
    try:
        faces: list[Face] = [BACK if code == BACK else Card.parse(code) for code in codes]
    except ValueError as error:
        raise Refusal(f"--order: {error}.") from None
    if not faces:
        raise Refusal('--order names no card; give codes such as "R0,R1,R2,back".')
    return faces


def is_live(source: str) -> bool:
    """Whether somebody lays cards down while we look."""
    return source.startswith("camera:") or "://" in source


def pictures_of(source: str) -> list[Path]:
    """The pictures of a folder, or the one picture, that `source` is; none for a film or a camera."""
    if is_live(source) or not (Path(source).is_dir() or Path(source).suffix.lower() in PICTURES):
        return []
    opened = open_source(source)
    return opened.paths if isinstance(opened, PictureSource) else []


@dataclass(frozen=True, slots=True)
class Teacher:
    """Who asks for the cards, on the screen and aloud."""

    phrases: Phrases
    settings: Settings
    voices: list[Voice]

    @classmethod
    def of(cls, settings: Settings) -> Teacher:
        """In the language of the settings."""
        return cls(Phrases.load(settings.lang), settings, [])

    @contextlib.contextmanager
    def speaking(self, *, live: bool) -> Iterator[None]:
        """With a voice, where somebody listens."""
        if live and not self.settings.mute:
            self.voices.append(Voice(self.settings))
        try:
            yield
            for voice in self.voices:
                voice.wait(10)
        finally:
            for voice in self.voices:
                voice.stop()

    def say(self, key: str, aloud: bool = True, /, **fields: object) -> None:
        """Prints a phrase, and says it `aloud`."""
        text = self.phrases.text(key, **fields)
        print(text, flush=True)
        for voice in self.voices if aloud else ():
            voice.say([Utterance(text, Priority.URGENT, key)])

    def ask_for(self, face: Face) -> None:
        """Names the card to lay down next."""
        if face is not None:
            self.say("learn.next", card=self.called(face))

    def called(self, face: Face) -> str:
        """A card or a back by its name."""
        return self.phrases.card(face) if isinstance(face, Card) else self.phrases.text("learn.back")


def from_pictures(
    eyes: Eyes, pictures: list[Path], order: Sequence[Face], told: Teacher, unread: list[SourceError]
) -> list[Shown]:
    """What a folder of pictures teaches; one line for each picture, also for those that cannot be read."""
    shown, twins = list[Shown](), Twins()
    for path, learnt in taught_by(eyes, pictures, order, unread):
        faces = [told.called(face) for face in dict.fromkeys(face for face, _ in learnt)]
        names = ", ".join(faces) or told.phrases.text("learn.nothing")
        print(f"{path.name}: {names}", flush=True)
        shown += learnt
        for face, picture in dict(reversed(learnt)).items():
            twin = twins.of(picture, face)
            if twin is not None:
                told.say("learn.twins", card=told.called(face), other=told.called(twin))
            twins.add(face, picture)
    for error in unread:
        complain(str(error), told.settings.lang)
    return shown


def from_view(eyes: Eyes, settings: Settings, order: Sequence[Face], told: Teacher) -> tuple[list[Shown], bool]:
    """What a camera or a film teaches, and whether Ctrl-C ended it before all was shown: asks for card after card."""
    lesson, stopped = Lesson(eyes, order), False
    with open_source(settings.source, pace="live" if is_live(settings.source) else "fast") as source:
        told.say("learn.begin")
        told.ask_for(lesson.next)
        try:
            _follow(lesson, source, told)
        except KeyboardInterrupt:
            stopped = lesson.next is not None
    return lesson.shown, stopped


def _follow(lesson: Lesson, source: Source, told: Teacher) -> None:
    for glimpse in source:
        if isinstance(glimpse, Frame) and lesson.see(glimpse):
            told.ask_for(lesson.next)
        if lesson.twin is not None:
            card, other = (told.called(face) for face in lesson.twin)
            told.say("learn.twin", card=card, other=other)
        if lesson.next is None:
            return
