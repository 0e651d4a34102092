"""The documents for running it as a service, tried as far as that goes without systemd and without containers."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from service.cli import parser
from service.settings import PREFIX, load

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "docs" / "deploy"
UNIT = (DEPLOY / "tableref.service").read_text("utf-8")
CONTAINER = (DEPLOY / "Containerfile").read_text("utf-8").replace("\\\n", "")


def unit() -> dict[str, dict[str, str]]:
    """The sections of the unit file."""
    sections: dict[str, dict[str, str]] = {}
    for line in UNIT.splitlines():
        if heading := re.fullmatch(r"\[(\w+)\]", line):
            section = sections.setdefault(heading[1], {})
        elif line and not line.startswith("#"):
            key, equals, value = line.partition("=")
            assert equals and key not in section, line
            section[key] = value
    return sections


def instructions(name: str) -> list[str]:
    return [line.partition(" ")[2] for line in CONTAINER.splitlines() if line.startswith(f"{name} ")]


def test_the_unit_starts_what_the_command_understands() -> None:
    service = unit()["Service"]
    program, *arguments = shlex.split(service["ExecStart"])
    assert program.endswith("/bin/tableref") and parser().parse_args(arguments).lan
    assert service["KillSignal"] == "SIGTERM" and unit()["Install"]["WantedBy"] == "default.target"


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd here")
def test_systemd_finds_nothing_wrong_with_the_unit() -> None:
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "tableref.service"
        copy.write_text(re.sub(r"ExecStart=\S+", f"ExecStart={sys.executable}", UNIT), "utf-8")
        run = subprocess.run(["systemd-analyze", "--user", "verify", copy], capture_output=True, text=True)
    assert "Unknown" not in run.stderr and "Failed to parse" not in run.stderr


def test_the_container_starts_what_the_command_understands() -> None:
    (entry,) = instructions("ENTRYPOINT")
    program, *arguments = json.loads(entry)
    assert program.endswith("/bin/tableref") and parser().parse_args(arguments).lan
    example = re.search(r"^#   podman run .* tableref (--.*)$", CONTAINER, re.MULTILINE)
    assert example and parser().parse_args([*arguments, *shlex.split(example[1])]).allow_host == ["192.168.1.5"]


def test_the_container_s_variables_are_settings() -> None:
    pairs = dict(pair.split("=", 1) for line in instructions("ENV") for pair in shlex.split(line))
    settings = load(environment={key: value for key, value in pairs.items() if key.startswith(PREFIX)})
    assert settings.mute and str(settings.data_dir) == "/data"
    assert instructions("EXPOSE") == [str(settings.port)] and instructions("VOLUME") == ["/data"]


def test_everything_that_the_container_copies_is_there() -> None:
    for line in instructions("COPY"):
        if line.startswith("--from"):
            continue
        *sources, _ = line.split()
        assert [source for source in sources if not (ROOT / source).exists()] == []


def test_the_health_of_the_container_is_a_route() -> None:
    command = json.loads(re.search(r"CMD (\[.*?\])$", CONTAINER, re.MULTILINE)[1])  # type: ignore[index]
    compile(command[-1], "health", "exec")
    assert "/api/health" in command[-1]
