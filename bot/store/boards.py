"""Boards as they are read: ranks, one's own rank, and what the group made of it together."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any, assert_never

from sqlalchemy import Row, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot import rules
from bot.state import BoardLine, BoardPage, BoardRank, OwnRank, Period, Share
from bot.store.schema import boards, persons, players, totals
from bot.store.scores import WHOLE_COMMUNITY
from bot.store.seasons import find_seasons

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Board:
    """Which ranking: of a place, or of a whole community where `place_id` is None.

    `day` is any date of the period; the one that it is now where the community is. `topic` is the
    key of a bank whose questions alone count.
    """

    community_id: int
    place_id: int | None
    period: Period
    day: date
    topic: str | None = None


async def read_page(
    connection: AsyncConnection, board: Board, *, below: int | None = None, most: int = 10
) -> BoardPage:
    """The ranks below these points (None: from the top), with at most so many names.

    Nobody is named with zero, and nobody who hides; they are counted in their ranks. A page
    never cuts a tie: whom it has no room for is counted too.
    """
    kept = await _kept(connection, board)
    if kept is None:
        return BoardPage(0, (), None)
    groups = await _groups(connection, kept.id, below, most + 1)
    if not groups:
        return BoardPage(kept.asked, (), None)
    first = 1 if below is None else await _rank_of(connection, kept.id, groups[0][0])
    named = await _named(connection, kept.id, groups[0][0], groups[-1][0], most)
    ranks = _ranks(groups[:most], named, first, most)
    is_last = len(ranks) == len(groups)
    return BoardPage(kept.asked, ranks, None if is_last else ranks[-1].points)


async def read_own(connection: AsyncConnection, board: Board, person_id: int) -> OwnRank | None:
    """Where a person stands, also who hides; None for who has no answer that counts there."""
    kept = await _kept(connection, board)
    if kept is None:
        return None
    query = (
        select(totals.c.points, totals.c.answered)
        .join_from(players, totals, totals.c.player_id == players.c.id)
        .where(
            players.c.person_id == person_id,
            players.c.community_id == board.community_id,
            totals.c.board_id == kept.id,
        )
    )
    found = (await connection.execute(query)).one_or_none()
    if found is None:
        return None
    rank = await _rank_of(connection, kept.id, found.points)
    return OwnRank(rank, found.points, found.answered, kept.asked)


async def read_share(connection: AsyncConnection, board: Board) -> Share:
    """What the group made of this period."""
    kept = await _kept(connection, board)
    if kept is None:
        return Share(0, 0, 0)
    query = select(
        func.count(),
        func.coalesce(func.sum(totals.c.answered), 0),
        func.coalesce(func.sum(totals.c.right), 0),
    ).where(totals.c.board_id == kept.id)
    players_, answered, right = (await connection.execute(query)).one()
    return Share(players_, int(answered), int(right))


async def read_shares(connection: AsyncConnection, board: Board) -> tuple[Share, Share | None]:
    """What the group made of this period and of the one before; there is none before `all`."""
    now = await read_share(connection, board)
    first, _ = await _span(connection, board)
    if first is None:
        return now, None
    return now, await read_share(connection, replace(board, day=first - _DAY))


# --- what is kept of a board -----------------------------------------------------------------


async def _kept(connection: AsyncConnection, board: Board) -> Row[Any, Any] | None:
    """Its id, and how much was asked; None for one on which nothing was."""
    first, _ = await _span(connection, board)
    query = select(boards.c.id, boards.c.asked).where(
        boards.c.community_id == board.community_id,
        boards.c.place_id == (board.place_id or WHOLE_COMMUNITY),
        boards.c.topic == (board.topic or ""),
        boards.c.period == board.period,
        boards.c.starts == ("" if first is None else first.isoformat()),
    )
    return (await connection.execute(query)).one_or_none()


async def _groups(
    connection: AsyncConnection, board_id: int, below: int | None, most: int
) -> list[tuple[int, int]]:
    """The next points, and how many players have each."""
    points = totals.c.points
    query = select(points, func.count()).where(totals.c.board_id == board_id, points > 0)
    if below is not None:
        query = query.where(points < below)
    query = query.group_by(points).order_by(points.desc()).limit(most)
    return [(earned, count) for earned, count in await connection.execute(query)]


async def _named(
    connection: AsyncConnection, board_id: int, highest: int, lowest: int, most: int
) -> Sequence[Any]:
    query = (
        select(totals.c.points, totals.c.player_id, totals.c.answered, persons.c.name)
        .join_from(totals, players, players.c.id == totals.c.player_id)
        .join(persons, persons.c.id == players.c.person_id)
        .where(
            totals.c.board_id == board_id,
            totals.c.points.between(lowest, highest),
            persons.c.hidden.is_(False),
        )
        .order_by(totals.c.points.desc(), totals.c.player_id)
        .limit(most)
    )
    return (await connection.execute(query)).all()


def _ranks(
    groups: Sequence[tuple[int, int]], named: Sequence[Any], rank: int, room: int
) -> tuple[BoardRank, ...]:
    ranks = []
    for points, count in groups:
        if room == 0:
            break
        lines = tuple(
            BoardLine(row.player_id, row.name, row.answered)
            for row in named
            if row.points == points
        )
        ranks.append(BoardRank(rank, points, lines, count - len(lines)))
        room -= len(lines)
        rank += count
    return tuple(ranks)


async def _rank_of(connection: AsyncConnection, board_id: int, points: int) -> int:
    query = select(func.count()).where(totals.c.board_id == board_id, totals.c.points > points)
    return 1 + (await connection.execute(query)).scalar_one()


# --- periods ---------------------------------------------------------------------------------


async def _span(connection: AsyncConnection, board: Board) -> tuple[date | None, date | None]:
    """The first and the last date of the period; None where there is none."""
    day = board.day
    match board.period:
        case "today":
            return day, day
        case "week":
            monday = day - _DAY * day.weekday()
            return monday, monday + 6 * _DAY
        case "month":
            return day.replace(day=1), day.replace(day=monthrange(day.year, day.month)[1])
        case "season":
            return rules.season(day, await find_seasons(connection, board.community_id))
        case "all":
            return None, None
        case _:
            assert_never(board.period)
