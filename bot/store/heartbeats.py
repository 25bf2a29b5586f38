"""When the scheduler was last known to live."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, insert, select, update

from bot.store.schema import heartbeats


def beat(connection: Connection, now: datetime) -> None:
    """Note that the scheduler lives."""
    done = connection.execute(
        update(heartbeats).where(heartbeats.c.name == "scheduler").values(at=now)
    )
    if done.rowcount == 0:
        connection.execute(insert(heartbeats).values(name="scheduler", at=now))


def last_beat(connection: Connection, *, lock: bool = False) -> datetime | None:
    """When one was noted last; `lock`: whoever asks as well waits until this one is noted."""
    query = select(heartbeats.c.at).where(heartbeats.c.name == "scheduler")
    if lock:
        query = query.with_for_update()
    at: datetime | None = connection.execute(query).scalar()
    return at
