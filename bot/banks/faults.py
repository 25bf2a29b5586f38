"""What is wrong with a bank's files: said once, with its place and its mend."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath
from typing import NamedTuple

Step = str | int
Loc = tuple[Step, ...]
"""The way from the top of a file to a value: keys, and positions in lists from 0."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault as an author reads it. Lines and columns count from 1; `mend` may be empty."""

    file: str
    line: int
    column: int
    what: str
    mend: str = ""


class Mark(NamedTuple):
    """A place in a file, counted from 1."""

    line: int
    column: int


TOP = Mark(1, 1)


@dataclass(frozen=True, slots=True)
class Problem:
    """A fault before its place in the file is looked up; `mark` is set where no `loc` leads."""

    loc: Loc
    what: str
    mend: str = ""
    mark: Mark | None = None


def printable(path: PurePath | str) -> str:
    """A path as it can be written anywhere: names on a disk may be no Unicode."""
    name = path if isinstance(path, str) else path.as_posix()
    return name.encode("utf-8", "backslashreplace").decode()


def shortened(text: str, most: int = 40) -> str:
    """A text as it is quoted in a fault: one line, and not the whole of a long one."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"


def listed(words: list[str], joint: str = "or") -> str:
    """`a, b or c`; of very many only the first."""
    if len(words) > 12:
        return ", ".join(words[:12]) + f" and {len(words) - 12} more"
    return f" {joint} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))
