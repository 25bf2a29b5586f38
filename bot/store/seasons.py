"""Seasons: calendar quarters, or what begins on the dates that an organiser chose."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import date
from itertools import product
from typing import Any

from sqlalchemy import Connection, Select, case, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot import rules
from bot.store.dialects import bank_key
from bot.store.given import is_mark_of_attempt
from bot.store.occasions import recount_seasons
from bot.store.schema import (
    attempts,
    banks,
    boards,
    communities,
    marks,
    questions,
    rounds,
    steps,
    totals,
)
from bot.store.scores import TOTALS, WHOLE_COMMUNITY, BoardKey, ensure_boards, read_seasons


def begin_season(connection: Connection, community_id: int, starts: date) -> bool:
    """Let one begin on a date; whether none did. What was answered since then goes over to it."""
    known = _hold(connection, community_id)
    if starts in known:
        return False
    seasons = tuple(sorted((*known, starts)))
    values = {"seasons": json.dumps([day.isoformat() for day in seasons])}
    connection.execute(update(communities).where(communities.c.id == community_id).values(values))
    # Before the season in which it lay until now nothing changes.
    first = rules.season(starts, known)[0]
    _add_up(connection, community_id, first, seasons)
    recount_seasons(connection, community_id, first)
    return True


def keep_seasons(connection: Connection, community_ids: Iterable[int] | None = None) -> None:
    """Let none begin in these communities, or anywhere, until the commit.

    Whoever is letting one begin at this moment is waited for; what is read after it is theirs.
    """
    query = select(communities.c.id).order_by(communities.c.id).with_for_update(read=True)
    if community_ids is not None:
        query = query.where(communities.c.id.in_(community_ids))
    connection.execute(query).all()


async def find_seasons(connection: AsyncConnection, community_id: int) -> tuple[date, ...]:
    """The dates on which organisers let seasons begin, in order."""
    query = select(communities.c.seasons).where(communities.c.id == community_id)
    return read_seasons((await connection.execute(query)).scalar_one())


async def played_seasons(
    connection: AsyncConnection, community_id: int, place_id: int | None
) -> list[date]:
    """The first days of the seasons whose board has anybody on it, the newest first."""
    query = (
        select(boards.c.starts)
        .where(
            boards.c.community_id == community_id,
            boards.c.place_id == (place_id or WHOLE_COMMUNITY),
            boards.c.topic == "",
            boards.c.period == "season",
            select(totals.c.player_id).where(totals.c.board_id == boards.c.id).exists(),
        )
        .order_by(boards.c.starts.desc())
    )
    return [date.fromisoformat(starts) for starts in (await connection.execute(query)).scalars()]


def _hold(connection: Connection, community_id: int) -> tuple[date, ...]:
    """Those that there are, while answers of other processes wait."""
    query = select(communities.c.seasons).where(communities.c.id == community_id).with_for_update()
    return read_seasons(connection.execute(query).scalar_one())


# --- what was answered goes over -------------------------------------------------------------


def _add_up(
    connection: Connection, community_id: int, first: date, seasons: tuple[date, ...]
) -> None:
    """Make the totals of seasons anew, from the one that begins on a date on."""
    later = select(boards.c.id).where(
        boards.c.community_id == community_id,
        boards.c.period == "season",
        boards.c.starts >= first.isoformat(),
    )
    connection.execute(delete(totals).where(totals.c.board_id.in_(later)))
    sums: dict[tuple[BoardKey, int], tuple[int, int, int]] = {}
    for row in connection.execute(_answered_since(community_id, first)):
        starts = rules.season(date.fromisoformat(row.date), seasons)[0].isoformat()
        places = (WHOLE_COMMUNITY, row.place_id) if row.everywhere else (row.place_id,)
        for place_id, topic in product(places, ("", row.topic)):
            key = (place_id, topic, "season", starts), row.player_id
            points, answered, right = sums.get(key, (0, 0, 0))
            sums[key] = points + row.points, answered + row.answered, right + row.right
    wanted = sorted({board for board, _ in sums})
    ids = dict(zip(wanted, ensure_boards(connection, community_id, wanted), strict=True))
    rows = sorted((ids[board], player_id, *total) for (board, player_id), total in sums.items())
    TOTALS.run(connection, rows)


def _answered_since(community_id: int, first: date) -> Select[Any]:
    """What each player has answered that counts, by place, topic and date."""
    everywhere, topic = attempts.c.counts.not_like("also:%"), bank_key(banks)
    return (
        select(
            rounds.c.place_id,
            topic.label("topic"),
            attempts.c.date,
            attempts.c.player_id,
            everywhere.label("everywhere"),
            func.sum(marks.c.points).label("points"),
            func.count().label("answered"),
            func.sum(case((marks.c.is_right, 1), else_=0)).label("right"),
        )
        .join_from(rounds, steps, steps.c.round_id == rounds.c.id)
        .join(attempts, attempts.c.step_id == steps.c.id)
        .join(marks, is_mark_of_attempt())
        .join(questions, questions.c.id == steps.c.question_id)
        .join(banks, banks.c.id == questions.c.bank)
        .where(
            rounds.c.community_id == community_id,
            attempts.c.date >= first.isoformat(),
            attempts.c.counts.is_not(None),
            attempts.c.counts.not_like("too:%"),
        )
        .group_by(rounds.c.place_id, topic, attempts.c.date, attempts.c.player_id, everywhere)
    )
