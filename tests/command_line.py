"""The command line as tests use it: in this process, and as a program of its own."""

from __future__ import annotations

import ctypes
import logging
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from quizzes import write_banks

from adapters.main import perform

PROGRAM = str(Path(sys.executable).with_name("quizbot"))
_SETTINGS = ("QUIZBOT_", "DISCORD_", "SLACK_")
_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")


@dataclass(frozen=True)
class Done:
    """What a command line came to."""

    code: int
    out: str
    err: str


def environment(**more: str) -> dict[str, str]:
    """This process's, without settings of whoever runs the tests."""
    others = ("NO_COLOR", "FORCE_COLOR", "LC_", "LANG")
    not_ours = _SETTINGS + others
    kept = {name: value for name, value in os.environ.items() if not name.startswith(not_ours)}
    return {**kept, "LANG": "en_US.UTF-8", "PYTHONUTF8": "1", **more}


def as_anybody() -> None:
    """Take from root, in a new process, that nothing is closed to it; on Linux alone."""
    if os.geteuid() == 0:
        drop_from_bounding_set, may_write_everything = 24, 1
        ctypes.CDLL(None).prctl(drop_from_bounding_set, may_write_everything, 0, 0, 0)


def call(
    folder: Path,
    *words: str,
    typed: str = "",
    first: Callable[[], None] | None = None,
    **more: str,
) -> Done:
    """Run the program to its end; `first` is done in its process before."""
    done = subprocess.run(
        [PROGRAM, *words],
        cwd=folder,
        env=environment(**more),
        input=typed,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        preexec_fn=first,
    )
    return Done(done.returncode, done.stdout, done.stderr)


@contextmanager
def own_logging() -> Iterator[None]:
    """Logging as it was found, whatever is done to it in between."""
    root = logging.getLogger()
    level, handlers = root.level, list(root.handlers)
    try:
        yield
    finally:
        logging.captureWarnings(False)
        root.setLevel(level)
        root.handlers[:] = handlers


class Prompt:
    """A prompt in a folder: commands are run in this process, which is quick."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *words: str) -> Done:
        self._capsys.readouterr()
        with own_logging():
            code = perform(words)
        said = self._capsys.readouterr()
        return Done(code, said.out, said.err)


def settle_in(folder: Path, patch: pytest.MonkeyPatch) -> Path:
    """Make it the working directory, with two banks, and nothing set but where they are."""
    for name in [name for name in os.environ if name.startswith(_SETTINGS)]:
        patch.delenv(name)
    patch.chdir(folder)
    patch.setenv("QUIZBOT_BANKS", "banks")
    return write_banks(folder / "banks").parent


class Running:
    """`quizbot run` in a process of its own, up and serving."""

    def __init__(self, folder: Path, settings: dict[str, str]) -> None:
        self._err = (folder / "run.err").open("w+", encoding="utf-8")
        self._process = subprocess.Popen(
            [PROGRAM, "run"],
            cwd=folder,
            env=environment(**settings),
            stdout=subprocess.PIPE,
            stderr=self._err,
            encoding="utf-8",
        )
        assert self._process.stdout is not None
        self.greeting = self._process.stdout.readline()
        found = _ADDRESS.search(self.greeting)
        assert found, f"it did not come up: {self.greeting}{self._said()}"
        self.address = found[0]

    def end(self, how: signal.Signals) -> Done:
        """Send a signal, and wait for the end."""
        self._process.send_signal(how)
        assert self._process.stdout is not None
        with self._process.stdout as rest:
            out = rest.read()
        return Done(self._process.wait(timeout=30), self.greeting + out, self._said())

    def kill(self) -> None:
        if self._process.poll() is None:
            self.end(signal.SIGKILL)
        self._err.close()

    def _said(self) -> str:
        self._err.seek(0)
        return self._err.read()


@contextmanager
def running(folder: Path, **settings: str) -> Iterator[Running]:
    """Ends by itself at the end of the block, if the test has not ended it."""
    up = Running(folder, {"QUIZBOT_PORT": "0", **settings})
    try:
        yield up
    finally:
        up.kill()
