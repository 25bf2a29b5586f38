"""When the next work is due, of whatever kind: asked for so often that it is one statement."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import BindParameter, Connection, bindparam, select

from bot.store.claims import next_schedule
from bot.store.outbox import next_post
from bot.store.standing import next_standing
from bot.store.timers import next_timer


@dataclass(frozen=True, slots=True)
class Due:
    """When the earliest work is due, and when the earliest daily is; None if there is none."""

    at: datetime | None
    daily_at: datetime | None


def next_due(connection: Connection, platforms: Collection[str], busy: Collection[int]) -> Due:
    """Of these platforms; queues of posts in `busy` wait."""
    row = connection.execute(_NEXT, {"platforms": list(platforms), "busy": list(busy)}).one()
    return Due(min((at for at in row if at is not None), default=None), row.daily)


_PLATFORMS: BindParameter[str] = bindparam("platforms", expanding=True)
# Built once: SQLAlchemy takes longer to put it together than the database to answer it.
_NEXT = select(
    next_timer().label("timer"),
    next_post(_PLATFORMS, bindparam("busy", expanding=True)).label("post"),
    next_schedule(_PLATFORMS).label("daily"),
    next_standing(_PLATFORMS).label("board"),
)
