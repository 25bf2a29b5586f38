"""What all commands share: their exit codes, where they speak, and how they come to settings."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.cells import cell_len

from adapters.logs import as_line
from bot.banks import Loaded
from bot.banks.report import check, summary

# Importing what runs takes longer than most commands do; each imports it where it needs it.
if TYPE_CHECKING:
    from adapters.settings import Settings

DONE, FAULTS, WRONG_USE, UNAVAILABLE = 0, 1, 2, 3


class Failed(Exception):
    """The command ends with this sentence on standard error, and with this exit code."""

    def __init__(self, sentence: str, code: int) -> None:
        super().__init__(sentence)
        self.code = code


@dataclass(frozen=True, slots=True)
class Invocation:
    """What was asked for before the command's name."""

    debug: bool = False


def say(text: str) -> None:
    """A result, on standard output."""
    typer.echo(text)


def tell(text: str, level: int = logging.INFO) -> None:
    """Everything else, on standard error; where that is full, nobody can be told."""
    with contextlib.suppress(OSError):
        typer.echo(as_line(text, level), err=True)


def warn(text: str) -> None:
    tell(f"Warning: {text}", logging.WARNING)


def configured(context: typer.Context, *, quiet: bool = False) -> Settings:
    """The settings, with logging begun. Raises WrongSettings.

    `quiet` logs nothing but at `debug`: for commands that tell what happens themselves.
    """
    from adapters.logs import start_logging
    from adapters.settings import read_settings

    read = read_settings()
    settings = read.settings
    is_debug = isinstance(context.obj, Invocation) and context.obj.debug
    level: str = "debug" if is_debug else settings.log
    if quiet and level != "debug":
        level = "none"
    start_logging(level, settings.log_format, settings.secrets)
    for warning in read.warnings:
        warn(warning)
    return settings


def warn_of_faults(loaded: Loaded, settings: Settings) -> None:
    """In a line: the good banks are played all the same. Another where there are none."""
    if loaded.faults:
        report = check(settings.banks)
        them = "it" if len(report.faults) == 1 else "them"
        warn(f"{summary(report)}. To see {them}: quizbot banks check")
    if not any(bank.playable for bank in loaded.banks):
        folders = " or ".join(f"{each}{_absent(each)}" for each in settings.banks)
        warn(f"Nothing can be played: there is no quiz that can be asked in {folders}.")


def _absent(folder: Path) -> str:
    return "" if folder.exists() else ", which does not exist"


def counted(number: int, noun: str) -> str:
    """`1 answer`, `1,200 answers`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def columns(rows: Iterable[Sequence[str]]) -> str:
    """Rows as lines with aligned columns, whatever the width: a pipe reads whole lines."""
    rows = [tuple(row) for row in rows]
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(map(_padded, row, widths)).rstrip() for row in rows)


def _padded(text: str, width: int) -> str:
    return text + " " * (width - cell_len(text))
