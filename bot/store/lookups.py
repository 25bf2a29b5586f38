"""Rounds and steps as they stand, for whoever only reads."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.state import Round, Step
from bot.store.rows import round_of, round_query, step_of, step_query
from bot.store.schema import persons, places, rounds, steps


async def find_round(connection: AsyncConnection, round_id: int) -> Round | None:
    row = (await connection.execute(round_query().where(rounds.c.id == round_id))).one_or_none()
    return None if row is None else round_of(row)


async def find_live_round(
    connection: AsyncConnection, community_id: int, place: str, parent: str | None
) -> Round | None:
    """The one that runs in a place; in a thread also the one that asks its questions there."""
    query = _live_in(community_id, place, parent).where(rounds.c.ended_at.is_(None))
    row = (await connection.execute(query)).one_or_none()
    return None if row is None else round_of(row)


async def find_last_live_round(
    connection: AsyncConnection, community_id: int, place: str, parent: str | None
) -> Round | None:
    """The last one that ran in a place, or runs there still."""
    row = (await connection.execute(_live_in(community_id, place, parent))).one_or_none()
    return None if row is None else round_of(row)


async def find_untold(
    connection: AsyncConnection, community_id: int, person_id: int
) -> Round | None:
    """The last round that a person began and that broke off, unless they know why."""
    query = (
        round_query()
        .where(
            rounds.c.starter_id == person_id,
            rounds.c.mode == "live",
            rounds.c.community_id == community_id,
            rounds.c.ended_why.is_not(None),
            rounds.c.ended_told_at.is_(None),
        )
        .order_by(rounds.c.id.desc())
        .limit(1)
    )
    row = (await connection.execute(query)).one_or_none()
    return None if row is None else round_of(row)


async def find_round_of_call(
    connection: AsyncConnection, community_id: int, call: str
) -> Round | None:
    """What a call has begun, if it was delivered before."""
    query = round_query().where(rounds.c.community_id == community_id, rounds.c.call_id == call)
    row = (await connection.execute(query)).one_or_none()
    return None if row is None else round_of(row)


async def find_unfinished_solo(
    connection: AsyncConnection, community_id: int, person_id: int, topic: str
) -> Round | None:
    """The latest practice of this person on this topic that has not ended."""
    query = (
        round_query()
        .where(
            rounds.c.mode == "solo",
            rounds.c.starter_id == person_id,
            rounds.c.community_id == community_id,
            rounds.c.topic == topic,
            rounds.c.ended_at.is_(None),
        )
        .order_by(rounds.c.id.desc())
        .limit(1)
    )
    row = (await connection.execute(query)).one_or_none()
    return None if row is None else round_of(row)


async def find_step(connection: AsyncConnection, step_id: int) -> Step | None:
    row = (await connection.execute(step_query().where(steps.c.id == step_id))).one_or_none()
    return None if row is None else step_of(row)


async def steps_of(connection: AsyncConnection, round_id: int) -> list[Step]:
    query = step_query().where(steps.c.round_id == round_id).order_by(steps.c.position)
    return [step_of(row) for row in await connection.execute(query)]


async def last_asked(connection: AsyncConnection, round_id: int) -> int:
    """The position of the last step that was opened; 0 before the first."""
    query = select(func.max(steps.c.position)).where(
        steps.c.round_id == round_id, steps.c.opened_at.is_not(None)
    )
    return (await connection.execute(query)).scalar() or 0


async def started_by(connection: AsyncConnection, round_id: int) -> str | None:
    """The name of who began a round."""
    query = (
        select(persons.c.name)
        .join_from(rounds, persons, persons.c.id == rounds.c.starter_id)
        .where(rounds.c.id == round_id)
    )
    return (await connection.execute(query)).scalar()


def _live_in(community_id: int, place: str, parent: str | None) -> Select[Any]:
    """The newest live round of a place; in a thread also that which asks its questions there."""
    here = places.c.external_id == place
    if parent is not None:
        here |= (places.c.external_id == parent) & rounds.c.thread
    return (
        round_query()
        .where(places.c.community_id == community_id, here, rounds.c.mode == "live")
        .order_by(rounds.c.id.desc())
        .limit(1)
    )
