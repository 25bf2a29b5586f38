"""Which communities a platform has, and in which of them the bot no longer is."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select, update
from sqlalchemy.engine import Connection
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.calls import Where
from bot.store.schema import communities, places


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


def move_place(connection: Connection, where: Where, to: str) -> None:
    """A place is known by another id from now on, also in what its community has set."""
    query = select(
        communities.c.id, communities.c.start_places, communities.c.organisers_place
    ).where(communities.c.platform == where.platform, communities.c.external_id == where.community)
    found = connection.execute(query).one_or_none()
    if found is None:
        return
    starts = [to if one == where.place else one for one in json.loads(found.start_places)]
    told = to if found.organisers_place == where.place else found.organisers_place
    connection.execute(
        update(communities)
        .where(communities.c.id == found.id)
        .values(start_places=json.dumps(starts), organisers_place=told)
    )
    _rename_place(connection, found.id, where.place, to)


def _rename_place(connection: Connection, community_id: int, before: str, to: str) -> None:
    """Where somebody was there before the news, the row they made gives way to the older one."""
    query = select(places.c.external_id, places.c.id).where(
        places.c.community_id == community_id, places.c.external_id.in_([before, to])
    )
    rows = {external_id: id for external_id, id in connection.execute(query)}
    if before not in rows or rows[before] > rows.get(to, rows[before]):
        return
    if to in rows:
        # No platform has such an id: news that comes twice must not bring it back.
        aside = f"{before}/{to}"
        connection.execute(update(places).where(places.c.id == rows[to]).values(external_id=aside))
    connection.execute(update(places).where(places.c.id == rows[before]).values(external_id=to))
