"""Answers as they were stored: how their rows are asked for, and read as values."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, bindparam, select

from bot.outcomes import Attempt
from bot.store.dialects import among, several
from bot.store.schema import attempts, marks, players


def is_mark_of_attempt() -> ColumnElement[bool]:
    return (marks.c.step_id == attempts.c.step_id) & (marks.c.player_id == attempts.c.player_id)


_COLUMNS = (
    *attempts.c,
    marks.c.is_right,
    marks.c.points,
    marks.c.version_id.label("marked_by"),
)
_GIVEN = (
    select(*_COLUMNS)
    .join_from(attempts, marks, is_mark_of_attempt())
    .where(attempts.c.step_id == bindparam("step"), among(attempts.c.player_id, bindparam("ids")))
)


def read_given(
    connection: Connection, keys: Iterable[tuple[int, int]]
) -> dict[tuple[int, int], Attempt]:
    """The attempts of these (step, player), where there are some."""
    # Not by pairs: SQLite would read the whole table to find them.
    by_step: dict[int, set[int]] = {}
    for step_id, player_id in keys:
        by_step.setdefault(step_id, set()).add(player_id)
    found: dict[tuple[int, int], Attempt] = {}
    for step_id, player_ids in by_step.items():
        values = {"step": step_id, "ids": several(connection, player_ids)}
        for row in connection.execute(_GIVEN, values):
            found[step_id, row.player_id] = attempt_in(row)
    return found


@cache
def given_query() -> Select[Any]:
    """Rows for `attempt_in`, each with who its player is."""
    return (
        select(*_COLUMNS)
        .join_from(attempts, marks, is_mark_of_attempt())
        .join(players, players.c.id == attempts.c.player_id)
    )


def attempt_in(row: Row[Any]) -> Attempt:
    """An attempt out of a row."""
    return Attempt(
        step_id=row.step_id,
        player_id=row.player_id,
        answer=read_answer(row.answer),
        language=row.language,
        pressed_at=row.pressed_at,
        date=row.date,
        counts=row.counts,
        practice=row.practice,
        is_right=row.is_right,
        points=row.points,
        marked_by=row.marked_by,
    )


@lru_cache(maxsize=4096)
def dump_answer(answer: tuple[str, ...]) -> str:
    """An answer as its column holds it."""
    return json.dumps({"options": answer}, ensure_ascii=False)


@lru_cache(maxsize=4096)
def read_answer(column: str) -> tuple[str, ...]:
    """An answer out of its column."""
    return tuple(json.loads(column)["options"])
