"""Which communities a platform has, and in which of them the bot no longer is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select, update
from sqlalchemy.engine import Connection
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.schema import communities


@dataclass(frozen=True, slots=True)
class Known:
    """A community by the platform's id, and whether the bot was removed from it."""

    id: int
    external_id: str
    removed: bool


async def known_communities(connection: AsyncConnection, platform: str) -> tuple[Known, ...]:
    """Those that the bot can be added to and removed from, so nobody's own."""
    query = select(
        communities.c.id, communities.c.external_id, communities.c.removed_at.is_not(None)
    ).where(communities.c.platform == platform, communities.c.personal.is_(False))
    return tuple(Known(*row) for row in await connection.execute(query))


def mark_removed(connection: Connection, community_id: int, at: datetime) -> bool:
    """The bot was removed from a community; False where that had been noted before."""
    done = connection.execute(
        update(communities)
        .where(communities.c.id == community_id, communities.c.removed_at.is_(None))
        .values(removed_at=at)
    )
    return done.rowcount == 1


def mark_there(connection: Connection, community_id: int) -> bool:
    """The bot is in a community again; False where it had never been away."""
    done = connection.execute(
        update(communities)
        .where(communities.c.id == community_id, communities.c.removed_at.is_not(None))
        .values(removed_at=None)
    )
    return done.rowcount == 1
