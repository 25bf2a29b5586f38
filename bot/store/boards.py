"""Boards as they are read: ranks, one's own rank, and what the group made of it together."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, assert_never

from sqlalchemy import ColumnElement, Select, Subquery, case, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot import rules
from bot.state import BoardLine, BoardPage, BoardRank, OwnRank, Period, Share
from bot.store.asked import rounds_since
from bot.store.dialects import bank_key, monday_of
from bot.store.given import is_mark_of_attempt
from bot.store.schema import (
    attempts,
    banks,
    boards,
    marks,
    persons,
    players,
    questions,
    rounds,
    steps,
    totals,
)
from bot.store.scores import TOPIC_PERIODS, WHOLE_COMMUNITY
from bot.store.seasons import find_seasons

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Board:
    """Which ranking: of a place, or of a whole community where `place_id` is None.

    `day` is any date of the period; the one that it is now where the community is. `topic` is the
    key of a bank whose questions alone count; there are totals of it for months and for all time.
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
    asked = await _count_asked(connection, board)
    sums = await _sums_of(connection, board)
    if sums is None:
        return BoardPage(asked, (), None)
    groups = await _groups(connection, sums, below, most + 1)
    if not groups:
        return BoardPage(asked, (), None)
    first = 1 if below is None else await _rank_of(connection, sums, groups[0][0])
    named = await _named(connection, sums, groups[0][0], groups[-1][0], most)
    ranks = _ranks(groups[:most], named, first, most)
    is_last = len(ranks) == len(groups)
    return BoardPage(asked, ranks, None if is_last else ranks[-1].points)


async def read_own(connection: AsyncConnection, board: Board, person_id: int) -> OwnRank | None:
    """Where a person stands, also who hides; None for who has no answer that counts there."""
    sums = await _sums_of(connection, board)
    if sums is None:
        return None
    query = (
        select(sums.c.points, sums.c.answered)
        .join_from(sums, players, players.c.id == sums.c.player_id)
        .where(players.c.person_id == person_id, players.c.community_id == board.community_id)
    )
    found = (await connection.execute(query)).one_or_none()
    if found is None:
        return None
    rank = await _rank_of(connection, sums, found.points)
    return OwnRank(rank, found.points, found.answered, await _count_asked(connection, board))


async def read_share(connection: AsyncConnection, board: Board) -> Share:
    """What the group made of this period."""
    sums = await _sums_of(connection, board)
    if sums is None:
        return Share(0, 0, 0)
    query = select(
        func.count(),
        func.coalesce(func.sum(sums.c.answered), 0),
        func.coalesce(func.sum(sums.c.right), 0),
    ).select_from(sums)
    players_, answered, right = (await connection.execute(query)).one()
    return Share(players_, int(answered), int(right))


async def read_shares(connection: AsyncConnection, board: Board) -> tuple[Share, Share | None]:
    """What the group made of this period and of the one before; there is none before `all`."""
    now = await read_share(connection, board)
    first, _ = await _span(connection, board)
    if first is None:
        return now, None
    return now, await read_share(connection, replace(board, day=first - _DAY))


# --- the sums of a board ---------------------------------------------------------------------


async def _sums_of(connection: AsyncConnection, board: Board) -> Subquery | None:
    """Player, points, answered and right of everybody on it; None for one that nobody is on."""
    first, last = await _span(connection, board)
    if board.topic and board.period not in TOPIC_PERIODS:
        return _sums_of_answers(board, first, last).subquery("sums")
    known = select(boards.c.id).where(
        boards.c.community_id == board.community_id,
        boards.c.place_id == (board.place_id or WHOLE_COMMUNITY),
        boards.c.topic == (board.topic or ""),
        boards.c.period == board.period,
        boards.c.starts == ("" if first is None else first.isoformat()),
    )
    board_id = (await connection.execute(known)).scalar_one_or_none()
    if board_id is None:
        return None
    return (
        select(totals.c.player_id, totals.c.points, totals.c.answered, totals.c.right)
        .where(totals.c.board_id == board_id)
        .subquery("sums")
    )


def _sums_of_answers(board: Board, first: date | None, last: date | None) -> Select[Any]:
    """A topic has no totals for this period; its steps are added up when somebody asks."""
    is_right = case((marks.c.is_right, 1), else_=0)
    query = (
        select(
            attempts.c.player_id,
            func.sum(marks.c.points).label("points"),
            func.count().label("answered"),
            func.sum(is_right).label("right"),
        )
        .join_from(rounds, steps, steps.c.round_id == rounds.c.id)
        .join(attempts, attempts.c.step_id == steps.c.id)
        .join(marks, is_mark_of_attempt())
        .where(
            *_rounds_of(board, first),
            *_within(attempts.c.date, first, last),
            *_of_topic(board),
            attempts.c.counts.is_not(None),
            attempts.c.counts.not_like("too:%"),
        )
        .group_by(attempts.c.player_id)
    )
    # What was answered along with another daily is on the boards of its place alone.
    return query.where(attempts.c.counts.not_like("also:%")) if board.place_id is None else query


async def _groups(
    connection: AsyncConnection, sums: Subquery, below: int | None, most: int
) -> list[tuple[int, int]]:
    """The next points, and how many players have each."""
    query = select(sums.c.points, func.count()).where(sums.c.points > 0)
    if below is not None:
        query = query.where(sums.c.points < below)
    query = query.group_by(sums.c.points).order_by(sums.c.points.desc()).limit(most)
    return [(points, count) for points, count in await connection.execute(query)]


async def _named(
    connection: AsyncConnection, sums: Subquery, highest: int, lowest: int, most: int
) -> Sequence[Any]:
    query = (
        select(sums.c.points, sums.c.player_id, sums.c.answered, persons.c.name)
        .join_from(sums, players, players.c.id == sums.c.player_id)
        .join(persons, persons.c.id == players.c.person_id)
        .where(sums.c.points.between(lowest, highest), persons.c.hidden.is_(False))
        .order_by(sums.c.points.desc(), sums.c.player_id)
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


async def _rank_of(connection: AsyncConnection, sums: Subquery, points: int) -> int:
    query = select(func.count()).select_from(sums).where(sums.c.points > points)
    return 1 + (await connection.execute(query)).scalar_one()


# --- periods ---------------------------------------------------------------------------------


async def _count_asked(connection: AsyncConnection, board: Board) -> int:
    """The "12" of "answered 9 of 12": what a player could have had counted there and then.

    A question that was asked twice in a week in live rounds is one, as only the first answer
    to it counts; a daily is one an occurrence. Practice alone asks nothing.
    """
    once = case((rounds.c.mode == "open", steps.c.date), else_=monday_of(steps.c.date))
    first, last = await _span(connection, board)
    query = (
        select(steps.c.question_id, rounds.c.mode, once.label("once"))
        .join_from(rounds, steps, steps.c.round_id == rounds.c.id)
        .where(
            *_rounds_of(board, first),
            *_within(steps.c.date, first, last),
            *_of_topic(board),
            rounds.c.mode != "solo",
            steps.c.date.is_not(None),
            steps.c.opened_at.is_not(None),
        )
        .distinct()
    )
    counted = select(func.count()).select_from(query.subquery())
    return (await connection.execute(counted)).scalar_one()


def _rounds_of(board: Board, first: date | None) -> list[ColumnElement[bool]]:
    """The rounds of the board that had not ended when this date began anywhere on Earth."""
    if first is None:
        wanted = [rounds.c.community_id == board.community_id]
    else:
        begin = datetime.combine(first, time(), UTC) - _DAY
        wanted = [rounds.c.id.in_(rounds_since(board.community_id, begin))]
    return wanted if board.place_id is None else [*wanted, rounds.c.place_id == board.place_id]


def _within(
    column: ColumnElement[str], first: date | None, last: date | None
) -> list[ColumnElement[bool]]:
    wanted = [] if first is None else [column >= first.isoformat()]
    return wanted if last is None else [*wanted, column <= last.isoformat()]


def _of_topic(board: Board) -> list[ColumnElement[bool]]:
    if board.topic is None:
        return []
    bank = select(banks.c.id).where(bank_key(banks) == board.topic)
    return [steps.c.question_id.in_(select(questions.c.id).where(questions.c.bank.in_(bank)))]


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
