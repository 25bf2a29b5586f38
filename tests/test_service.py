"""The systemd unit: systemd takes it, it leaves little open, and the README installs it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from adapters import running
from adapters.slack import client

ROOT = Path(__file__).parents[1]
UNIT = (ROOT / "docs/quizbot.service").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")

MOST_EXPOSED = 20
"""Tenths of what `systemd-analyze security` counts; a unit that closes nothing has 96."""


def value(name: str) -> str:
    (found,) = [line.partition("=")[2] for line in UNIT.splitlines() if line.startswith(f"{name}=")]
    return found


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The unit as it stands, but for the program, which is not installed here."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd is not here")
    file = tmp_path / "quizbot.service"
    file.write_text(UNIT.replace(value("ExecStart"), "/bin/true"), encoding="utf-8")
    return file


def analyze(*words: str | Path) -> None:
    done = subprocess.run(["systemd-analyze", *words], capture_output=True, text=True)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    # What it does not know is a warning to it. Of other units of this machine it may warn too.
    assert [line for line in done.stderr.splitlines() if "quizbot.service" in line] == []


def test_systemd_knows_every_line_of_the_unit(installed: Path):
    analyze("verify", "--man=no", installed)


def test_the_unit_leaves_little_open(installed: Path):
    analyze("security", "--no-pager", "--offline=true", f"--threshold={MOST_EXPOSED}", installed)


def test_the_readme_installs_what_the_unit_names():
    (folder,) = [word for word in README.split() if word.startswith("PIPX_BIN_DIR=")]
    assert value("ExecStart") == f"{folder.partition('=')[2]}/quizbot run"
    assert f".env {value('EnvironmentFile').removeprefix('-')}\n" in README
    assert "docs/quizbot.service /etc/systemd/system/quizbot.service\n" in README


def test_nobody_kills_what_stops_before_it_has_to_have_stopped():
    compose = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    assert f"stop_grace_period: {value('TimeoutStopSec')}s\n" in compose
    assert int(value("TimeoutStopSec")) > running.LONGEST_STOP


def test_a_token_that_is_exchanged_when_a_stop_begins_has_the_time_that_a_call_takes():
    assert client.TIMEOUT.total is not None
    assert client.TIMEOUT.total < running.LOGGED_OUT_BY
