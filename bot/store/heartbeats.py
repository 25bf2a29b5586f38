"""When the scheduler was last known to live."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, select

from bot.store.dialects import insert_into
from bot.store.schema import heartbeats


def beat(connection: Connection, now: datetime) -> None:
    """Note that the scheduler lives."""
    new = insert_into(connection, heartbeats).values(name="scheduler", at=now)
    # In one statement: of two processes that begin on an empty database, both are the first.
    connection.execute(
        new.on_conflict_do_update(index_elements=[heartbeats.c.name], set_={"at": new.excluded.at})
    )


def last_beat(connection: Connection, *, lock: bool = False) -> datetime | None:
    """When one was noted last; `lock`: whoever asks as well waits until this one is noted."""
    query = select(heartbeats.c.at).where(heartbeats.c.name == "scheduler")
    if lock:
        query = query.with_for_update()
    at: datetime | None = connection.execute(query).scalar()
    return at
