"""Question versions: what a step asked stays what it was, whatever becomes of the bank."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache

from pydantic import TypeAdapter
from sqlalchemy import Connection, Table, select, update
from sqlalchemy.dialects import postgresql, sqlite

from bot.content import Bank, Question
from bot.store.schema import banks, question_versions, questions

_QUESTION = TypeAdapter(Question)


@dataclass(frozen=True, slots=True)
class Version:
    """The ids of a question as it stands today."""

    question_id: int
    version_id: int


def dump(question: Question) -> str:
    """A question as JSON that reads back equal."""
    return _QUESTION.dump_json(question).decode()


@lru_cache(maxsize=4096)
def load(content: str) -> Question:
    """The question of a stored version."""
    return _QUESTION.validate_json(content)


def fits_key(question: Question, today: Question) -> bool:
    """Whether today's key can be read on an earlier version: it has the options that are right."""
    return bool(today.correct) and today.correct.issubset(question.keys)


def with_key(question: Question, today: Question) -> Question:
    """An earlier version under today's key, where that fits; else under its own."""
    return replace(question, correct=today.correct) if fits_key(question, today) else question


def ensure_versions(
    connection: Connection, drawn: Iterable[tuple[Bank, Question]], now: datetime
) -> list[Version]:
    """The versions of these questions, stored where they are new, and made today's."""
    return [_ensure_version(connection, bank, question, now) for bank, question in drawn]


@dataclass(frozen=True, slots=True)
class Refreshed:
    """How many questions were read anew, and the ids of those of which other options are right."""

    count: int
    rekeyed: frozenset[int]


def refresh(connection: Connection, library: Iterable[Bank], now: datetime) -> Refreshed:
    """Make the library's wording today's for every question that was ever asked."""
    name = banks.c.owner, banks.c.bank_id, questions.c.question_id
    known = select(*name, questions.c.current_version).join_from(
        banks, questions, questions.c.bank == banks.c.id
    )
    asked = {tuple(row): version for *row, version in connection.execute(known)}
    count, rekeyed = 0, set()
    for bank in library:
        for question in bank.questions:
            key = bank.owner, bank.id, question.id
            if key not in asked or question.is_draft:
                continue
            count += 1
            new, before = _ensure_version(connection, bank, question, now), asked[key]
            if before not in (None, new.version_id) and _differs(connection, before, question):
                rekeyed.add(new.question_id)
    return Refreshed(count, frozenset(rekeyed))


def _differs(connection: Connection, version_id: int, question: Question) -> bool:
    """Whether other options were right in a version."""
    content = select(question_versions.c.content).where(question_versions.c.id == version_id)
    return load(connection.execute(content).scalar_one()).correct != question.correct


def _ensure_version(
    connection: Connection, bank: Bank, question: Question, now: datetime
) -> Version:
    bank_row = get_or_insert(connection, banks, {"owner": bank.owner, "bank_id": bank.id})
    question_row = get_or_insert(
        connection, questions, {"bank": bank_row, "question_id": question.id}
    )
    content = dump(question)
    version = get_or_insert(
        connection,
        question_versions,
        {"question": question_row, "fingerprint": hashlib.sha256(content.encode()).hexdigest()},
        {"content": content, "created_at": now},
    )
    connection.execute(
        update(questions)
        # An update locks the row against answers, also where it changes nothing.
        .where(
            questions.c.id == question_row, questions.c.current_version.is_distinct_from(version)
        )
        .values(current_version=version)
    )
    return Version(question_row, version)


def get_or_insert(
    connection: Connection,
    table: Table,
    key: dict[str, object],
    more: dict[str, object] | None = None,
) -> int:
    """The id of the row with this unique key, inserted where there is none."""
    find = select(table.c.id).filter_by(**key)
    found = connection.execute(find).scalar()
    if found is not None:
        return int(found)
    kind = postgresql if connection.dialect.name == "postgresql" else sqlite
    values = {**key, **(more or {})}
    connection.execute(kind.insert(table).values(values).on_conflict_do_nothing())
    return int(connection.execute(find).scalar_one())
