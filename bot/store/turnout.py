"""How many took part in a date of a daily quiz, and what they made of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import ColumnElement, case, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.schedules import PastOccurrence, Went
from bot.store.given import is_mark_of_attempt
from bot.store.occurrences import occurrence_in
from bot.store.schema import attempts, marks, occurrences, outbox, steps


async def went(connection: AsyncConnection, round_id: int) -> Went:
    """How many began and finished it, and what they made of it."""
    return (await _went_by_round(connection, [round_id])).get(round_id, Went())


async def read_past_occurrences(
    connection: AsyncConnection, schedule_id: int, *, skip: int = 0, most: int = 10
) -> list[PastOccurrence]:
    """The dates of a schedule, the newest first."""
    query = (
        select(occurrences, outbox.c.message_id)
        .outerjoin(
            outbox,
            (outbox.c.round_id == occurrences.c.round_id)
            & (outbox.c.op == "post")
            & (outbox.c.kind == "daily"),
        )
        .where(occurrences.c.schedule_id == schedule_id)
        .order_by(occurrences.c.date.desc())
        .offset(skip)
        .limit(most)
    )
    rows = (await connection.execute(query)).all()
    by_round = await _went_by_round(connection, [row.round_id for row in rows if row.round_id])
    return [
        PastOccurrence(occurrence_in(row), by_round.get(row.round_id, Went()), row.message_id)
        for row in rows
    ]


async def _went_by_round(
    connection: AsyncConnection, round_ids: Sequence[int]
) -> Mapping[int, Went]:
    length = (
        select(steps.c.round_id, func.count().label("length"))
        .where(steps.c.round_id.in_(round_ids))
        .group_by(steps.c.round_id)
        .subquery("lengths")
    )
    by_player = (
        select(
            steps.c.round_id,
            func.count().label("answered"),
            func.sum(_one_if(marks.c.is_right)).label("right"),
        )
        .join_from(steps, attempts, attempts.c.step_id == steps.c.id)
        .join(marks, is_mark_of_attempt())
        .where(steps.c.round_id.in_(round_ids))
        .group_by(steps.c.round_id, attempts.c.player_id)
        .subquery("by_player")
    )
    query = (
        select(
            by_player.c.round_id,
            func.count(),
            func.sum(_one_if(by_player.c.answered == length.c.length)),
            func.sum(by_player.c.answered),
            func.sum(by_player.c.right),
        )
        .join_from(by_player, length, length.c.round_id == by_player.c.round_id)
        .group_by(by_player.c.round_id)
    )
    return {
        round_id: Went(started, int(finished), int(answered), int(right))
        for round_id, started, finished, answered, right in await connection.execute(query)
    }


def _one_if(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return case((condition, 1), else_=0)
