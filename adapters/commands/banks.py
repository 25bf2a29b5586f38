"""`quizbot banks`: look at quizzes, find their faults, and see to their translations."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from adapters.commands.base import (
    FAULTS,
    WRONG_USE,
    Failed,
    columns,
    configured,
    say,
    tell,
    warn_of_faults,
)
from adapters.commands.translate import translate
from bot.banks import load
from bot.banks.report import as_github, as_json, as_text, check, summary
from bot.banks.schema import schema
from bot.library import Found, Library
from bot.reading import read_bank
from bot.spelling import nearest

banks = typer.Typer(help="Look at quizzes, check and translate them.", rich_markup_mode=None)
banks.add_typer(translate, name="translate")


class Written(StrEnum):
    """What an author writes, each with a schema of its own."""

    BANK = "bank"
    OVERLAY = "overlay"


Paths = Annotated[list[Path] | None, typer.Argument(metavar="PATH", hidden=True)]
Name = Annotated[str, typer.Argument(metavar="BANK", hidden=True)]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Github = Annotated[bool, typer.Option("--github", help="Print annotations for GitHub.")]
Lang = Annotated[str | None, typer.Option("--lang", metavar="TAG", help="In this language.")]


@banks.command("check")
def check_banks(
    context: typer.Context, paths: Paths = None, json_: Json = False, github: Github = False
) -> None:
    """Tell all faults, each with file, line and mend.

    PATH is a folder of banks, a bank's folder or its file; without it, what QUIZBOT_BANKS names.
    """
    if json_ and github:
        raise Failed("Take --json or --github, not both.", WRONG_USE)
    report = check(_named(paths) or configured(context, quiet=True).banks, Path.cwd())
    if json_:
        say(as_json(report))
    elif github:
        if not report.is_fine:
            say(as_github(report))
        tell(summary(report))
    else:
        say(as_text(report))
    if not report.is_fine:
        raise typer.Exit(FAULTS)


@banks.command("list")
def list_banks(context: typer.Context) -> None:
    """List the quizzes that can be played."""
    library = _library(context)
    rows = [("ID", "TITLE", "QUESTIONS", "LEVEL", "LANGUAGES")]
    for bank in library.banks:
        title = read_bank(bank, bank.language).title.text
        count = str(len(bank.playable))
        rows.append((bank.id, title, count, bank.level or "", " ".join(bank.languages)))
    say(columns(rows))


@banks.command("show")
def show_bank(context: typer.Context, name: Name, lang: Lang = None) -> None:
    """Show a quiz with its answers.

    BANK is its id, or any other name that it has.
    """
    from adapters.local.terminal_bank import whole_bank
    from adapters.local.terminal_screen import Screen

    library = _library(context)
    found = library.find(name)
    bank = library.bank(found.id) if isinstance(found, Found) else None
    if bank is None:
        meant = nearest(name, [bank.id for bank in library.banks])
        hint = f"Did you mean {meant}?" if meant else "quizbot banks list names them all."
        raise Failed(f"There is no bank {name}. {hint}", WRONG_USE)
    Screen().show(whole_bank(bank, lang or bank.language))


@banks.command("schema")
def print_schema(
    of: Annotated[Written, typer.Argument(metavar="bank|overlay", hidden=True)] = Written.BANK,
) -> None:
    """Print the JSON Schema of a bank's files, for editors.

    That of bank.yaml, or with overlay that of another language's file.
    """
    say(json.dumps(schema()[of], ensure_ascii=False, indent=2))


def _library(context: typer.Context) -> Library:
    settings = configured(context, quiet=True)
    loaded = load(settings.banks)
    warn_of_faults(loaded, settings)
    return Library(loaded.banks)


def _named(paths: list[Path] | None) -> list[Path]:
    """What was named, without the LICENSE that a shell's * finds beside the banks."""
    named = paths or []
    return [path for path in named if not _is_other_file(path)] or named


def _is_other_file(path: Path) -> bool:
    return path.is_file() and path.suffix not in (".yaml", ".yml")
