"""Daily quizzes that are being set: one for each person in a community, until it is saved."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.proposals import Proposal
from bot.state import Place
from bot.store.people import person_now
from bot.store.schema import proposals


def begin_proposal(
    connection: Connection,
    place: Place,
    person_id: int,
    entered: Mapping[str, str],
    now: datetime,
    *,
    schedule_id: int | None = None,
) -> Proposal:
    """A new one; what the person had begun before is forgotten."""
    person_id = person_now(connection, person_id)
    connection.execute(
        delete(proposals).where(
            proposals.c.community_id == place.community_id, proposals.c.person_id == person_id
        )
    )
    values = {
        "community_id": place.community_id,
        "person_id": person_id,
        "place_id": place.id,
        "schedule_id": schedule_id,
        "entered": _written(entered),
        "created_at": now,
    }
    made = connection.execute(insert(proposals).values(values).returning(proposals.c.id))
    return Proposal(made.scalar_one(), place.id, schedule_id, dict(entered), now)


async def find_proposal(
    connection: AsyncConnection, proposal_id: int, community_id: int, person_id: int
) -> Proposal | None:
    """One's own, as far as it is not saved."""
    query = select(proposals).where(
        proposals.c.id == proposal_id,
        proposals.c.community_id == community_id,
        proposals.c.person_id == person_id,
    )
    row = (await connection.execute(query)).one_or_none()
    if row is None:
        return None
    return Proposal(row.id, row.place_id, row.schedule_id, json.loads(row.entered), row.created_at)


def enter(connection: Connection, proposal_id: int, entered: Mapping[str, str]) -> None:
    """All that is entered now."""
    _set(connection, proposal_id, {"entered": _written(entered)})


def let_change(connection: Connection, proposal_id: int, schedule_id: int | None) -> None:
    """Which schedule it changes; None: it is a new one."""
    _set(connection, proposal_id, {"schedule_id": schedule_id})


def end_proposal(connection: Connection, proposal_id: int) -> bool:
    """It is saved; False where it had been, or was begun anew."""
    return connection.execute(delete(proposals).where(proposals.c.id == proposal_id)).rowcount == 1


def _set(connection: Connection, proposal_id: int, values: Mapping[str, object]) -> None:
    connection.execute(update(proposals).where(proposals.c.id == proposal_id).values(**values))


def _written(entered: Mapping[str, str]) -> str:
    return json.dumps(dict(entered), ensure_ascii=False)
