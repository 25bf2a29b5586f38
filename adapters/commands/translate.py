"""`quizbot banks translate`: what is missing, what has changed since, what is accepted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from adapters.commands.base import UNAVAILABLE, WRONG_USE, Failed, columns, configured, say, tell
from bot.banks import translation
from bot.banks.checks import BANK_ENTRY
from bot.banks.translation import Item, Located, Progress, Refused

translate = typer.Typer(help="See what is missing or outdated, accept what is done.")

Value = TypeVar("Value")


class Status(StrEnum):
    """Who stands for a translation."""

    MACHINE = "machine"
    HUMAN = "human"
    REVIEWED = "reviewed"


Language = Annotated[str, typer.Argument(metavar="LANG", hidden=True)]
Id = Annotated[str, typer.Argument(metavar="ID", hidden=True)]


@translate.command("status")
def status(context: typer.Context) -> None:
    """Tell how far each language of each bank is."""
    rows: list[tuple[str, ...]] = [
        ("BANK", "LANGUAGE", "DONE", "MISSING", "OUTDATED", "ACCEPTED AS")
    ]
    for folder, languages in _of_each(context, translation.status):
        rows += [(folder.name, *_progress(language)) for language in languages]
    say(columns(rows))


@translate.command("todo")
def todo(context: typer.Context, language: Language) -> None:
    """Tell what is still to do in a language.

    LANG is its tag, for example sn; a new one has everything to do.
    """
    rows = [
        (f"{folder.name}/{item.id}", _left(item))
        for folder, items in _of_each(context, lambda folder: translation.todo(folder, language))
        for item in items
    ]
    say(columns(rows) if rows else f"Nothing is left to do in {language}.")


@translate.command("diff")
def diff(context: typer.Context, language: Language, id_: Id) -> None:
    """Show each text of a question and its translation.

    ID is QUESTION, BANK/QUESTION, or BANK/bank for the bank's own texts.
    """
    located = _located(context, id_)
    if located.id is None:
        mend = f"write {located.bank}/QUESTION, or {located.bank}/{BANK_ENTRY} for its own texts"
        raise Failed(f"{id_} is a whole bank: {mend}.", WRONG_USE)
    item = _or_fail(translation.diff(located.folder, language, located.id))
    say("\n\n".join(_field_lines(item, "source", language)))


@translate.command("accept")
def accept(
    context: typer.Context,
    language: Language,
    id_: Id,
    status: Annotated[
        Status, typer.Option(metavar="STATUS", help="machine, human or reviewed.")
    ] = Status.REVIEWED,
) -> None:
    """Record that a translation is up to date.

    ID is QUESTION, BANK/QUESTION, BANK/bank for the bank's own texts, or BANK for all that there
    is in it. The file state.yaml beside the texts keeps it.
    """
    located = _located(context, id_)
    try:
        accepted = _or_fail(translation.accept(located.folder, language, located.id, status.value))
    except OSError as error:
        why = error.strerror or str(error)
        raise Failed(f"{located.folder} cannot be written: {why}.", UNAVAILABLE) from None
    count = len(accepted.ids)
    what = accepted.ids[0] if count == 1 else f"{count} translations"
    say(f"{located.bank}, {language}: {what} accepted as {status.value}.")


def _of_each(
    context: typer.Context, look: Callable[[Path], Value | Refused]
) -> list[tuple[Path, Value]]:
    """What is found in each bank; one that refuses does not keep the others from being told."""
    found: list[tuple[Path, Value]] = []
    refusals: list[Refused] = []
    for folder in translation.folders(configured(context, quiet=True).banks):
        result = look(folder)
        if isinstance(result, Refused):
            refusals.append(result)
        else:
            found.append((folder, result))
    if refusals and not found:
        _or_fail(refusals[0])
    for refused in refusals:
        tell(_sentence(refused))
    return found


def _located(context: typer.Context, name: str) -> Located:
    return _or_fail(translation.locate(configured(context, quiet=True).banks, name))


def _or_fail(result: Value | Refused) -> Value:
    if isinstance(result, Refused):
        raise Failed(_sentence(result), WRONG_USE)
    return result


def _sentence(refused: Refused) -> str:
    # Others begin with an id or a tag, which stay as they are written.
    what = refused.what.replace("unknown ", "Unknown ", 1)
    said = f"{what}: {refused.mend}" if refused.mend else what
    return said if said.endswith("?") else f"{said}."


def _progress(language: Progress) -> tuple[str, ...]:
    accepted = [f"{count} {name}" for name, count in sorted(language.by_status.items())]
    return (
        language.language,
        f"{language.done} of {language.items}",
        str(language.missing),
        str(language.outdated),
        ", ".join(accepted) or "nothing yet",
    )


def _left(item: Item) -> str:
    parts = []
    if item.missing:
        parts.append("all of it" if not item.is_begun else f"missing: {', '.join(item.missing)}")
    if item.outdated:
        parts.append(f"changed since: {', '.join(item.outdated)}")
    if item.key_changed:
        parts.append("another option is right now")
    return "; ".join(parts)


def _field_lines(item: Item, source: str, language: str) -> Iterator[str]:
    width = max(len(source), len(language))
    for field in item.fields:
        note = " (changed since)" if field.outdated else ""
        yield "\n".join(
            [
                f"{field.name}{note}",
                *_indented(source.ljust(width), field.source),
                *_indented(language.ljust(width), field.translation or "(missing)"),
            ]
        )


def _indented(tag: str, text: str) -> Iterator[str]:
    first, *others = text.splitlines() or [""]
    yield f"  {tag}  {first}"
    yield from (f"  {'':{len(tag)}}  {line}" for line in others)
