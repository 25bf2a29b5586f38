"""Which questions dailies ask, and until when: so long their keys are told nowhere else."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.state import Round
from bot.store.asked import IS_OPEN
from bot.store.schema import rounds, steps


def asks(connection: Connection, community_id: int, question_id: int) -> bool:
    """Whether a daily of the community asks a question."""
    return bool(which(connection, community_id, {question_id}, None))


def which(
    connection: Connection, community_id: int, question_ids: Collection[int], now: datetime | None
) -> set[int]:
    """Which of these questions dailies of the community ask, at an instant or in any case.

    A window that has ended by then asks nothing more, though its steps are closed a moment later.
    """
    query = _until_query(community_id, question_ids, now)
    return {row.question_id for row in connection.execute(query)}


def since(connection: Connection, community_id: int, question_id: int) -> datetime | None:
    """When the last daily of the community that asks a question was claimed, if any does."""
    query = (
        select(func.max(rounds.c.started_at))
        .join_from(rounds, steps, steps.c.round_id == rounds.c.id)
        .where(*_is_asked(community_id, {question_id}))
    )
    at: datetime | None = connection.execute(query).scalar()
    return at


async def read_until(
    connection: AsyncConnection,
    round_: Round,
    question_ids: Collection[int],
    now: datetime,
    *,
    begun_by: datetime | None = None,
) -> dict[int, datetime | None]:
    """As `which`, by dailies beside a round, with until when.

    `begun_by` leaves out dailies that began later.
    """
    query = _until_query(round_.place.community_id, question_ids, now)
    query = query.where(rounds.c.id != round_.id)
    if begun_by is not None:
        query = query.where(rounds.c.started_at <= begun_by)
    return {row.question_id: row.until for row in await connection.execute(query)}


# --- inside ----------------------------------------------------------------------------------


def _until_query(
    community_id: int, question_ids: Collection[int], now: datetime | None
) -> Select[Any]:
    """By question, until when: one row each, however many dailies ask it."""
    closes_at = func.coalesce(steps.c.cutoff_at, rounds.c.window_closes_at)
    query = (
        select(steps.c.question_id, func.max(closes_at).label("until"))
        .join_from(rounds, steps, steps.c.round_id == rounds.c.id)
        .where(*_is_asked(community_id, question_ids))
        .group_by(steps.c.question_id)
    )
    return query if now is None else query.where(closes_at > now)


def _is_asked(community_id: int, question_ids: Collection[int]) -> list[ColumnElement[bool]]:
    return [
        IS_OPEN,
        rounds.c.community_id == community_id,
        steps.c.closed_at.is_(None),
        steps.c.question_id.in_(question_ids),
    ]
