"""An image without an engine: the instructions of a Dockerfile, carried out in a folder.

What the image has at `/` is in that folder; absolute paths are rewritten to lie in it. The base
image is stood in for by a new environment of the Python that runs the tests. A stage is left at
another path than the one that it was built at, so that nothing of it can be used but what is
copied.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from command_line import as_anybody

_OF_THE_SYSTEM = ("bin", "dev", "etc", "proc", "usr")
_ABSOLUTE = re.compile(rf"(?<![\w./}}*-])/(?!(?:{'|'.join(_OF_THE_SYSTEM)})/)(?=\w)")


@dataclass
class Image:
    """What a Dockerfile's last stage comes to."""

    root: Path
    environment: dict[str, str]
    folder: str = "/"
    user: str = ""
    labels: dict[str, str] = field(default_factory=dict)
    volumes: list[str] = field(default_factory=list)
    health: list[str] = field(default_factory=list)
    entrypoint: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)
    given_away: str = ""
    """What `chown` was asked for, where it could not be done."""

    def at(self, path: str) -> Path:
        return self.root / path.lstrip("/")


@dataclass(frozen=True)
class Becoming:
    """As whom a program of the image runs: the image's own user, where that can be done."""

    user: int | None

    def __call__(self) -> None:
        if self.user is None:
            as_anybody()
            return
        os.setgroups([])
        os.setgid(self.user)
        os.setuid(self.user)


def becoming(user: int) -> Becoming:
    """Only root may become somebody else, who must then still reach the interpreter."""
    if os.geteuid() != 0:
        return Becoming(None)
    try:
        subprocess.run([os.path.realpath(sys.executable), "-c", ""], user=user, check=True)
    except (OSError, subprocess.SubprocessError):
        return Becoming(None)
    return Becoming(user)


def context_of(checkout: Path) -> Iterator[str]:
    """The files that an engine is sent: all but those that .dockerignore leaves out."""
    lines = (checkout / ".dockerignore").read_text(encoding="utf-8").splitlines()
    patterns = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    for file in sorted(checkout.rglob("*")):
        path = file.relative_to(checkout).as_posix()
        if file.is_file() and not _is_left_out(path, patterns):
            yield path


def _is_left_out(path: str, patterns: list[str]) -> bool:
    """The last pattern that names it, or a folder that it is in, decides."""
    parts = path.split("/")
    ways = ["/".join(parts[:length]) for length in range(1, len(parts) + 1)]
    is_out = False
    for pattern in patterns:
        named = _pattern(pattern.removeprefix("!"))
        if any(named.fullmatch(way) for way in ways):
            is_out = not pattern.startswith("!")
    return is_out


def _pattern(pattern: str) -> re.Pattern[str]:
    signs = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    pieces = re.split(r"(\*\*/|\*\*|\*|\?|\[[^\]]+\])", pattern)
    return re.compile(
        "".join(
            signs.get(piece, piece if piece.startswith("[") else re.escape(piece))
            for piece in pieces
        )
    )


def build(dockerfile: Path, context: Path, folder: Path, *, owns: bool) -> Image:
    """Carry out every instruction. Where the tests cannot give files away, `owns` is False."""
    return _Build(context, folder, owns=owns).build(_instructions(dockerfile))


class _Build:
    def __init__(self, context: Path, folder: Path, *, owns: bool) -> None:
        self._context = context
        self._folder = folder
        self._current = folder / "image"
        self._stages: dict[str, Path] = {}
        self._stage = ""
        self._image = Image(self._current, {})
        self._chowned = folder / "chowned"
        self._path = self._base(owns=owns)

    def build(self, instructions: list[tuple[str, str]]) -> Image:
        for name, rest in instructions:
            getattr(self, f"_{name.lower()}")(rest)
        if self._chowned.exists():
            self._image.given_away = self._chowned.read_text(encoding="utf-8")
        return self._image

    def _base(self, *, owns: bool) -> str:
        """What python:3.13-slim brings: a Python with pip, and the tools of Debian."""
        base = self._folder / "base"
        subprocess.run([sys.executable, "-m", "venv", base], check=True)
        if not owns:
            shim = base / "bin" / "chown"
            shim.write_text(f'#!/bin/sh\necho "$@" >> "{self._chowned}"\n', encoding="utf-8")
            shim.chmod(0o755)
        return f"{base / 'bin'}:/usr/bin:/bin"

    def _inside(self, text: str) -> str:
        return _ABSOLUTE.sub(f"{self._current}/", text)

    # --- the instructions, by their names --------------------------------------------------

    def _from(self, rest: str) -> None:
        words = rest.split()
        assert words[0].startswith("python:3.13-slim"), words[0]
        if self._stage:
            left = self._folder / f"stage-{len(self._stages)}"
            self._current.rename(left)
            self._stages[self._stage] = left
        self._stage = words[2] if words[1:2] == ["AS"] else "last"
        for name in ("", "tmp"):
            (self._current / name).mkdir()
        self._image = Image(self._current, {"PATH": self._path})

    def _workdir(self, rest: str) -> None:
        self._image.folder = rest
        self._image.at(rest).mkdir(parents=True, exist_ok=True)

    def _copy(self, rest: str) -> None:
        words = shlex.split(rest)
        sources = self._context
        if words[0].startswith("--from="):
            sources = self._stages[words.pop(0).removeprefix("--from=")]
        *names, to = words
        there = self._image.at(to if to.startswith("/") else f"{self._image.folder}/{to}")
        for name in names:
            source = sources / name.lstrip("/")
            if source.is_dir():
                shutil.copytree(source, there, symlinks=True, dirs_exist_ok=True)
            else:
                shutil.copy2(source, there)

    def _run(self, rest: str) -> None:
        ours = ("PYTHON", "QUIZBOT_", "VIRTUAL_ENV")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
        done = subprocess.run(
            ["sh", "-euc", self._inside(rest)],
            cwd=self._image.at(self._image.folder),
            env={**kept, **self._image.environment},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, f"{rest}\n{done.stdout}\n{done.stderr}"

    def _env(self, rest: str) -> None:
        known = self._image.environment
        for name, value in _pairs(rest):
            known[name] = re.sub(r"\$(\w+)", lambda of: known[of[1]], self._inside(value))

    def _label(self, rest: str) -> None:
        self._image.labels |= dict(_pairs(rest))

    def _user(self, rest: str) -> None:
        self._image.user = rest

    def _volume(self, rest: str) -> None:
        self._image.volumes.append(rest)

    def _expose(self, rest: str) -> None:
        assert rest == self._image.environment["QUIZBOT_PORT"]

    def _stopsignal(self, rest: str) -> None:
        assert rest == "SIGTERM"

    def _healthcheck(self, rest: str) -> None:
        self._image.health = json.loads(rest.partition(" CMD ")[2])

    def _entrypoint(self, rest: str) -> None:
        self._image.entrypoint = json.loads(rest)

    def _cmd(self, rest: str) -> None:
        self._image.command = json.loads(rest)


def _instructions(dockerfile: Path) -> list[tuple[str, str]]:
    lines = dockerfile.read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if line.strip() and not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(kept)).splitlines()
    return [(name, rest.strip()) for name, _, rest in (line.partition(" ") for line in joined)]


def _pairs(rest: str) -> list[tuple[str, str]]:
    return [(name, value) for name, _, value in (w.partition("=") for w in shlex.split(rest))]
