"""Who somebody is: the tokens of host, seats and displays, kept in one file that only its owner reads.

They are made once, so that a page opened from a link works on the next evening, too; a new file of them ends all links
given out before. Without tokens (the service listens on this computer alone) everybody is the host.
"""

from __future__ import annotations

import contextlib
import hmac
import json
import logging
import os
import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from service.sentences import Refusal

log = logging.getLogger(__name__)

SEATS: Final = 10
FILE_NAME: Final = "tokens.json"

Role = Literal["host", "seat", "viewer", "nobody"]


@dataclass(frozen=True, slots=True)
class Who:
    """Who makes a request: the host, a seat, somebody who may only look, or nobody known. `seat` is set for a seat."""

    role: Role
    seat: int | None = None

    @property
    def name(self) -> str:
        """`host`, `seat-2`, `viewer` or `nobody`."""
        return self.role if self.seat is None else f"seat-{self.seat}"


HOST: Final = Who("host")
VIEWER: Final = Who("viewer")
NOBODY: Final = Who("nobody")


@dataclass(frozen=True, slots=True)
class Tokens:
    """One token for the host, one for displays, one for each seat from 1; they show in no text of this value."""

    host: str = field(repr=False)
    look: str = field(repr=False)
    seats: tuple[str, ...] = field(repr=False)

    @classmethod
    def new(cls) -> Tokens:
        """Tokens that nobody has seen."""
        host, look, *seats = (secrets.token_urlsafe(24) for _ in range(2 + SEATS))
        return cls(host, look, tuple(seats))

    @classmethod
    def kept_in(cls, folder: Path, *, anew: bool = False) -> Tokens:
        """The tokens of a data folder, made when there are none, or `anew`. Refusal when they cannot be kept."""
        path = folder / FILE_NAME
        known = None if anew else _read(path)
        if known is not None:
            return known
        tokens = cls.new()
        try:
            write_private(path, json.dumps({"host": tokens.host, "look": tokens.look, "seats": tokens.seats}))
        except OSError as error:
            raise Refusal(f"{path} cannot be written ({error.strerror}); choose another data_dir.") from None
        return tokens

    def who(self, token: str) -> Who | None:
        """Whose token it is; None when it is nobody's. Takes the same time whatever is given."""
        given = token.encode("utf-8", "surrogatepass")
        found = None
        for known, who in self._holders():
            if hmac.compare_digest(known.encode(), given):
                found = who
        return found

    def _holders(self) -> tuple[tuple[str, Who], ...]:
        seats = ((token, Who("seat", seat)) for seat, token in enumerate(self.seats, start=1))
        return (self.host, HOST), (self.look, VIEWER), *seats


def _read(path: Path) -> Tokens | None:
    """The tokens in a file; None when there are none, or none that can be read."""
    try:
        kept = json.loads(path.read_text("utf-8"))
        tokens = Tokens(str(kept["host"]), str(kept["look"]), tuple(map(str, kept["seats"])))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError):
        log.warning("the tokens in %s cannot be read: new ones are made, links given out before end", path)
        return None
    if len(tokens.seats) != SEATS or min(map(len, (tokens.host, tokens.look, *tokens.seats))) < 16:
        return None
    with contextlib.suppress(OSError):
        path.chmod(0o600)
    return tokens


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner reads. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.{os.getpid()}")
    beside.unlink(missing_ok=True)
    file = os.open(beside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(file, "w", encoding="utf-8") as out:
        out.write(text)
    beside.replace(path)
