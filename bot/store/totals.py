"""Marks and totals worked out anew from the attempts, which are the truth."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import Connection, Row, Select, delete, exists, func, select, text, tuple_

from bot import rules
from bot.content import Question
from bot.store.asked import Keys
from bot.store.bulk import Bulk
from bot.store.dialects import Upsert, bank_key
from bot.store.given import is_mark_of_attempt, read_answer
from bot.store.occasions import recount
from bot.store.schema import (
    attempts,
    banks,
    communities,
    marks,
    occasions,
    questions,
    rounds,
    steps,
    totals,
)
from bot.store.schema import boards as board_rows
from bot.store.scores import Boards, Spot, Sums, reach_of
from bot.store.seasons import keep_seasons

_CHUNK = 2_000


@dataclass(frozen=True, slots=True)
class Regraded:
    """How many attempts there are, how many of them got another mark, and whether totals differ."""

    attempts: int
    changed: int
    totals_changed: bool


def regrade(connection: Connection) -> Regraded:
    """Mark every attempt under its question's key of today, and make all boards anew.

    What counts stays what it was when the answer was given. Nobody's answer is recorded while
    it runs; it holds a few thousand attempts in memory at most.
    """
    if connection.dialect.name == "postgresql":
        _wait_for_others(connection)
    before = _digest(connection)
    connection.execute(delete(totals))
    connection.execute(delete(marks).where(~exists().where(is_mark_of_attempt())))
    boards, keys, seen, changed = Boards(), Keys(), 0, 0
    for rows in _chunks(connection):
        changed += _mark(connection, boards, keys, rows)
        seen += len(rows)
    recount(connection)
    return Regraded(seen, changed, _digest(connection) != before)


def is_consistent(connection: Connection) -> bool:
    """Whether marks and totals are what the attempts come to; as long as a regrade."""
    savepoint = connection.begin_nested()
    try:
        regraded = regrade(connection)
        return regraded.changed == 0 and not regraded.totals_changed
    finally:
        savepoint.rollback()


@cache
def marked_query() -> Select[Any]:
    """Rows for `mark_of`: attempts with their marks, and the version whose key holds today."""
    today = func.coalesce(questions.c.current_version, steps.c.version_id)
    return (
        select(
            attempts.c.step_id,
            attempts.c.player_id,
            attempts.c.answer,
            attempts.c.pressed_at,
            attempts.c.date,
            attempts.c.counts,
            steps.c.opened_at,
            steps.c.seconds,
            rounds.c.speed,
            rounds.c.community_id,
            rounds.c.place_id,
            bank_key(banks).label("topic"),
            communities.c.seasons,
            steps.c.version_id,
            today.label("today"),
            marks.c.version_id.label("marked_by"),
            marks.c.is_right,
            marks.c.points,
        )
        .join_from(attempts, steps, steps.c.id == attempts.c.step_id)
        .join(rounds, rounds.c.id == steps.c.round_id)
        .join(communities, communities.c.id == rounds.c.community_id)
        .join(questions, questions.c.id == steps.c.question_id)
        .join(banks, banks.c.id == questions.c.bank)
        .outerjoin(marks, is_mark_of_attempt())
        .order_by(attempts.c.step_id, attempts.c.player_id)
    )


def mark_of(row: Row[Any], question: Question) -> rules.Mark:
    """What an attempt is worth under a key."""
    return rules.mark(
        question,
        read_answer(row.answer),
        speed=row.speed,
        elapsed=rules.elapsed_seconds(row.pressed_at, row.opened_at),
        seconds=row.seconds,
    )


def spot_in(row: Row[Any]) -> Spot:
    """On which boards an attempt that counts stands, by its row."""
    reach = reach_of(row.counts)
    return Spot(row.community_id, row.place_id, row.date, row.topic, row.seasons, reach)


def _wait_for_others(connection: Connection) -> None:
    """Whatever another process would add to totals that are being made, it adds before or after.

    In the order in which answers take the same, or each would wait for the other.
    """
    # Who records answers or marks them anew holds their questions first.
    connection.execute(text("LOCK TABLE questions IN EXCLUSIVE MODE"))
    connection.execute(text("LOCK TABLE attempts IN SHARE ROW EXCLUSIVE MODE"))
    keep_seasons(connection)


def _chunks(connection: Connection) -> Iterator[Sequence[Any]]:
    query = marked_query().limit(_CHUNK)
    after = (0, 0)
    key = tuple_(attempts.c.step_id, attempts.c.player_id)
    while rows := connection.execute(query.where(key > after)).all():
        yield rows
        after = (rows[-1].step_id, rows[-1].player_id)


def _mark(connection: Connection, boards: Boards, keys: Keys, rows: Sequence[Any]) -> int:
    """How many marks are new."""
    held = keys.held(connection, {(row.version_id, row.today) for row in rows})
    sums = Sums()
    new = []
    for row in rows:
        version_id, question = held[row.version_id, row.today]
        mark = mark_of(row, question)
        points = 0 if row.counts is None else mark.points
        if (row.marked_by, row.is_right, row.points) != (version_id, mark.is_right, points):
            new.append((row.step_id, row.player_id, version_id, mark.is_right, points))
        if row.counts is not None:
            sums.add(boards.of(connection, spot_in(row)), row.player_id, points, mark.is_right)
    sums.save(connection)
    MARKS.run(connection, new)
    return len(new)


def _replacing(new: Upsert) -> Upsert:
    return new.on_conflict_do_update(
        index_elements=[marks.c.step_id, marks.c.player_id],
        set_={
            "version_id": new.excluded.version_id,
            "is_right": new.excluded.is_right,
            "points": new.excluded.points,
        },
    )


MARKS = Bulk(marks, _replacing)


_KEPT: tuple[Select[Any], ...] = (
    select(totals).order_by(*totals.primary_key),
    select(occasions).order_by(*occasions.primary_key),
    select(board_rows.c.id, board_rows.c.asked)
    .where(board_rows.c.asked != 0)
    .order_by(board_rows.c.id),
)


def _digest(connection: Connection) -> bytes:
    """Of all totals, and of what was asked."""
    digest = hashlib.sha256()
    for query in _KEPT:
        with connection.execute(query, execution_options={"yield_per": _CHUNK}) as rows:
            for row in rows:
                digest.update(repr(tuple(row)).encode())
    return digest.digest()
