"""How one person does in a community: by quiz, and on which days."""

from __future__ import annotations

from datetime import date

from sqlalchemy import Connection, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.state import TopicShare
from bot.store.schema import attempts, boards, players, totals
from bot.store.scores import WHOLE_COMMUNITY


async def read_topics(
    connection: AsyncConnection, community_id: int, person_id: int
) -> list[TopicShare]:
    """What counted of each quiz since the beginning; the most answered first."""
    query = (
        select(boards.c.topic, totals.c.answered, totals.c.right)
        .join_from(players, totals, totals.c.player_id == players.c.id)
        .join(boards, boards.c.id == totals.c.board_id)
        .where(
            players.c.person_id == person_id,
            players.c.community_id == community_id,
            boards.c.community_id == community_id,
            boards.c.place_id == WHOLE_COMMUNITY,
            boards.c.topic != "",
            boards.c.period == "all",
            boards.c.starts == "",
        )
        .order_by(totals.c.answered.desc(), boards.c.topic)
    )
    return [TopicShare(*row) for row in await connection.execute(query)]


async def active_dates(
    connection: AsyncConnection, community_id: int, person_id: int, since: date
) -> frozenset[date]:
    """The dates from this one on of which a person answered anything, also in practice."""
    query = (
        select(attempts.c.date)
        .distinct()
        .join_from(players, attempts, attempts.c.player_id == players.c.id)
        .where(
            players.c.person_id == person_id,
            players.c.community_id == community_id,
            attempts.c.date >= since.isoformat(),
        )
    )
    return frozenset(map(date.fromisoformat, (await connection.execute(query)).scalars()))


async def last_freeze_told(
    connection: AsyncConnection, community_id: int, person_id: int
) -> date | None:
    """The newest date that a freeze stood in for and that this person was told of."""
    query = select(players.c.freeze_told).where(
        players.c.person_id == person_id, players.c.community_id == community_id
    )
    day = (await connection.execute(query)).scalar_one_or_none()
    return None if day is None else date.fromisoformat(day)


def set_freeze_told(connection: Connection, community_id: int, person_id: int, day: date) -> bool:
    """Whether this is news: told of none so late before."""
    told = players.c.freeze_told
    done = connection.execute(
        update(players)
        .where(
            players.c.person_id == person_id,
            players.c.community_id == community_id,
            told.is_(None) | (told < day.isoformat()),
        )
        .values(freeze_told=day.isoformat())
    )
    return done.rowcount == 1
