"""Whether camera, voice and store work: one truth, which the state, `/api/health` and the doctor all tell."""

from __future__ import annotations

import time
from dataclasses import asdict
from functools import lru_cache
from typing import Any, Final

from service.cli_doctor import Finding, Teller
from service.desk import Desk
from service.store import Store, StoreError
from service.version import VERSION

LOOKED_SECONDS: Final = 60.0
"""For how long a look at all stored lines holds."""


def health(desk: Desk) -> dict[str, Any]:
    """What `/api/health` says; silence that was chosen is no fault."""
    camera, voice, reason = camera_of(desk), voice_of(desk), why_not_stored(desk)
    works = camera["works"] and reason is None and (voice["sound"] or voice["by_choice"])
    snapshot = desk.table.snapshot()
    return {
        "status": "ok" if works else "degraded",
        "program": VERSION,
        "uptime": round(time.monotonic() - desk.opened, 1),
        "version": snapshot["version"],
        "match": snapshot["match"],
        "camera": camera,
        "voice": voice,
        "store": {"works": reason is None, "reason": reason},
        "listeners": desk.table.listeners,
    }


def why_not_stored(desk: Desk) -> str | None:
    """None when matches can be stored and read, all of them; else the reason."""
    try:
        return desk.store.works() or _damage(desk, int(time.monotonic() // LOOKED_SECONDS))
    except StoreError as error:
        return error.sentence


def _damage(desk: Desk, when: int) -> str | None:
    """What is told of damaged matches."""
    numbers = _damaged(desk.store, when)
    return Teller(desk.language).text("doctor.altered", numbers=numbers) if numbers else None


@lru_cache(maxsize=4)
def _damaged(store: Store, _when: int) -> str:
    """Their numbers; every line is looked at, so that this is remembered for a while."""
    return ", ".join(map(str, store.damaged()))


def camera_of(desk: Desk) -> dict[str, Any]:
    """`works` and `reason` as the state has them, and how many pictures came, the last one when."""
    return {
        **desk.table.snapshot()["camera"],
        "frames": desk.preview.number,
        "seconds_ago": desk.preview.seconds_ago,
    }


def voice_of(desk: Desk) -> dict[str, Any]:
    """`sound` and `reason` as the state has them, what speaks, and whether silence was chosen (`by_choice`).

    Technical reasons, and the file that takes the sound, are for the doctor.
    """
    status, told = desk.voice(), desk.table.snapshot()["voice"]
    fault = desk.table.senses.silence or status.get("fault")
    heard = told["sound"] and fault is None
    device = "" if desk.settings.sound.startswith("file:") else status.get("device", "")
    return {
        **{key: status[key] for key in ("muted", "engine", "player", "starts", "waiting") if key in status},
        "device": device,
        "sound": heard,
        "works": heard,
        "reason": None if heard else told["reason"] or desk.table.phrases.unheard(fault),
        "fault": fault,
        "by_choice": desk.table.senses.silence is not None,
    }


def findings(desk: Desk) -> list[dict[str, Any]]:
    """The same as the doctor tells the host: `what`, `works`, what was `found`, and what to do (`advice`)."""
    tell, camera, reason = Teller(desk.language), camera_of(desk), why_not_stored(desk)
    frames = camera["frames"]
    stored = tell.text("doctor.stored")
    pictures = tell.text("doctor.pictures", count=frames) if frames else tell.text("doctor.pictures_none")
    found = (
        tell.finding("camera", camera["works"], camera["reason"] or pictures, tell.text("doctor.camera_advice")),
        _voice(desk, tell),
        tell.finding("matches", reason is None, reason or stored, tell.text("doctor.stored_advice")),
    )
    return [asdict(finding) for finding in found]


def _voice(desk: Desk, tell: Teller) -> Finding:
    voice, status = voice_of(desk), desk.voice()
    parts = ", ".join(str(status[part]) for part in ("engine", "player", "device") if status.get(part))
    why = voice["reason"] if voice["by_choice"] else status.get("reason") or voice["reason"]
    works = voice["works"] or voice["by_choice"]
    return tell.finding(
        "voice", works, str(why or parts or tell.text("doctor.voice_unknown")), tell.text("doctor.voice_louder")
    )
