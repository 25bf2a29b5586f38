"""`quizbot play` as a program: on a real terminal, and where lines come through a pipe."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import PROGRAM, call, environment
from quizzes import write_banks

if sys.platform == "win32":
    pytest.skip("terminals as POSIX has them", allow_module_level=True)

import fcntl
import select
import struct
import termios

_OBEYED = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\r")


class Terminal:
    """A terminal of 80 columns with the program in it, which has it to itself."""

    def __init__(self, folder: Path, *words: str, **more: str) -> None:
        self._ours, theirs = os.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self._process = subprocess.Popen(
            [PROGRAM, *words],
            cwd=folder,
            env=environment(TERM="xterm-256color", **more),
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            # So that Ctrl-C reaches it.
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(theirs)
        self.raw = ""

    def types(self, text: str) -> None:
        os.write(self._ours, text.encode())

    def sees(self, words: str) -> str:
        """Wait until the words stand there, then what came since they were last waited for."""
        begun = time.monotonic()
        while words not in _OBEYED.sub("", self.raw):
            assert time.monotonic() - begun < 20, f"{words!r} did not come:\n{self.raw}"
            if not self._read():
                break
        seen, self.raw = self.raw, ""
        assert words in _OBEYED.sub("", seen), seen
        return seen

    def ends(self) -> int:
        """Read to its end; its exit code."""
        while self._read():
            pass
        return self._process.wait(timeout=10)

    def close(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        os.close(self._ours)

    def _read(self) -> bool:
        if not select.select([self._ours], [], [], 20)[0]:
            return False
        try:
            read = os.read(self._ours, 65536)
        except OSError:  # the other side is closed
            return False
        self.raw += read.decode()
        return bool(read)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_banks(tmp_path / "banks")
    (tmp_path / ".env").write_text("QUIZBOT_BANKS=banks\n", encoding="utf-8")
    return tmp_path


@pytest.fixture
def terminal(folder: Path) -> Iterator[Terminal]:
    terminal = Terminal(folder, "play", "water")
    yield terminal
    terminal.close()


def test_on_a_terminal_a_quiz_is_played_in_colour_to_its_end(terminal):
    assert "\x1b[1mIs water wet?" in terminal.sees("> ")
    terminal.types("a\n")
    terminal.sees("Enter How it went")
    terminal.types("\n")
    terminal.sees("Water: ")
    terminal.types("q\n")
    assert terminal.ends() == 0
    assert "Stopped" not in terminal.raw


@pytest.mark.parametrize("key", ["\x03", "\x04"], ids=["ctrl-c", "ctrl-d"])
def test_on_a_terminal_it_ends_politely_when_it_is_left(terminal, key):
    terminal.sees("> ")
    # Readline misses a signal between its prompt and its wait; no hand is as quick as that.
    time.sleep(0.5)
    terminal.types(key)
    try:
        terminal.sees("Stopped. What you answered is kept")
    except AssertionError:
        # On a busy machine that instant can be longer; then a person presses again.
        terminal.types(key)
        terminal.sees("Stopped. What you answered is kept")
    assert terminal.ends() == 0
    assert "Traceback" not in terminal.raw


def test_a_terminal_whose_user_wants_no_colours_shows_none(folder):
    terminal = Terminal(folder, "play", "water", NO_COLOR="1")
    seen = terminal.sees("> ")
    terminal.close()
    assert not re.search(r"\x1b\[(\d+;)*[34]\d", seen)


def test_through_a_pipe_it_reads_as_a_dialogue(folder):
    done = call(folder, "play", "water", typed="yes\n\n")
    assert (done.code, done.err) == (0, "")
    assert "> yes\n\n  Right: " in done.out
    assert done.out.rstrip().endswith("q stop")
    assert "\x1b" not in done.out


def test_at_the_end_of_its_input_it_says_that_the_quiz_goes_on(folder):
    done = call(folder, "play", "ports", typed="")
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith(
        "Stopped. What you answered is kept, and the quiz goes on from here.\n"
    )


def test_what_is_no_text_comes_through_a_pipe_unharmed(folder):
    done = subprocess.run(
        [PROGRAM, "play", "water"],
        cwd=folder,
        env=environment(),
        input=b"\xff\xfe\n\x00\x1b[2J\nno\n",
        capture_output=True,
        timeout=60,
    )
    assert done.returncode == 0
    assert b"Not this time" in done.stdout
    assert b"\x1b" not in done.stdout
    assert done.stderr == b""


def test_who_reads_only_the_first_lines_gets_no_complaint(folder):
    program = subprocess.Popen(
        [PROGRAM, "banks", "schema"],
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert program.stdout is not None
    program.stdout.close()
    _, err = program.communicate(timeout=60)
    assert err == b""


def test_where_there_are_only_simple_letters_nothing_fails(folder):
    done = call(folder, "play", "water", "--lang", "fr", typed="a\n", PYTHONIOENCODING="ascii")
    assert (done.code, done.err) == (0, "")
