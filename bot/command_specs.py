"""What a command is, for every surface: its name, what it does, and what can be said with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


def N_(sentence: str) -> str:
    """Marks a sentence for the catalogues; it is translated where it is shown."""
    return sentence


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """An option of a command: `choices` are the only values, `suggests` where to look for some.

    A `place` or `group` is one of the platform's, by its id. `needs` is the ability of a surface
    without which there is no such option.
    """

    name: str
    description: str
    kind: Literal["text", "whole", "switch", "place", "group"] = "text"
    required: bool = False
    choices: tuple[str, ...] = ()
    suggests: str = ""
    least: int | None = None
    most: int | None = None
    needs: Literal["", "threads"] = ""


@dataclass(frozen=True, slots=True)
class CommandSpec:
    """`usage` is the typed form after the name; `organiser` commands do something for them alone.

    Others are not shown these, and are told so by the command itself. A command with `parts` is
    followed by the name of one, whose options it then has: `daily set` is one of `daily`.
    `for_groups`: it does nothing for who plays alone where no group can be.
    """

    name: str
    description: str
    usage: str = ""
    options: tuple[OptionSpec, ...] = ()
    organiser: bool = False
    for_groups: bool = False
    parts: tuple[CommandSpec, ...] = ()
