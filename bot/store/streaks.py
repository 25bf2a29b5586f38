"""What a streak is made of: dates with a daily quiz, dates that a player answered, time away."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import date, timedelta
from typing import NamedTuple

from sqlalchemy import Connection, case, delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.dialects import insert_into, listed
from bot.store.schema import attempts, away, occurrences, players, rounds, schedules, steps

_DAY = timedelta(days=1)


class DailyDates(NamedTuple):
    """`asked` are the dates with a daily quiz in a community, the first one first.

    One that was left out, refused or lost is none, unless somebody answered it all the same.
    `still_open` are those that can be answered still, or soon.
    """

    asked: list[date]
    still_open: frozenset[date]


async def daily_dates(connection: AsyncConnection, community_id: int) -> DailyDates:
    was_answered = (
        select(attempts.c.step_id)
        .join_from(steps, attempts, attempts.c.step_id == steps.c.id)
        .where(steps.c.round_id == occurrences.c.round_id)
        .correlate(occurrences)
        .exists()
    )
    is_one = (occurrences.c.state == "asked") | ((occurrences.c.state == "unknown") & was_answered)
    is_open = rounds.c.id.is_not(None) & rounds.c.ended_at.is_(None)
    query = (
        select(
            listed(case((is_one, occurrences.c.date))), listed(case((is_open, occurrences.c.date)))
        )
        .join_from(schedules, occurrences, occurrences.c.schedule_id == schedules.c.id)
        .join(rounds, rounds.c.id == occurrences.c.round_id, isouter=True)
        .where(schedules.c.community_id == community_id)
    )
    asked, still_open = (await connection.execute(query)).one()
    return DailyDates(sorted(_dates_in(asked)), _dates_in(still_open))


async def answered_dates(
    connection: AsyncConnection, community_id: int, person_ids: Collection[int]
) -> Mapping[int, frozenset[date]]:
    """By person, the dates of dailies of which they have answered a question in time."""
    query = (
        select(players.c.person_id, listed(attempts.c.date))
        .join_from(players, attempts, attempts.c.player_id == players.c.id)
        .join(steps, steps.c.id == attempts.c.step_id)
        .join(rounds, rounds.c.id == steps.c.round_id)
        .where(
            players.c.community_id == community_id,
            players.c.person_id.in_(person_ids),
            rounds.c.mode == "open",
        )
        .group_by(players.c.person_id)
    )
    found = dict.fromkeys(person_ids, frozenset[date]())
    for person_id, days in await connection.execute(query):
        found[person_id] = _dates_in(days)
    return found


# --- time away -------------------------------------------------------------------------------


def set_away(connection: Connection, player_id: int, starts: date, ends: date) -> None:
    """A player is away between these dates, both included; what was to come anew is replaced."""
    end_away(connection, player_id, starts)
    values = {"player_id": player_id, "starts": starts.isoformat(), "ends": ends.isoformat()}
    connection.execute(insert_into(connection, away).values(values))


def end_away(connection: Connection, player_id: int, today: date) -> bool:
    """A player is back on this date; whether they were away, or about to be."""
    of_player = away.c.player_id == player_id
    later = delete(away).where(of_player, away.c.starts >= today.isoformat())
    ahead = connection.execute(later).rowcount
    running = (
        update(away)
        .where(of_player, away.c.ends >= today.isoformat())
        .values(ends=(today - _DAY).isoformat())
    )
    return ahead + connection.execute(running).rowcount > 0


async def away_of(
    connection: AsyncConnection, community_id: int, person_ids: Collection[int]
) -> Mapping[int, list[tuple[date, date]]]:
    """By person, when they were or will be away: first and last days."""
    query = (
        select(players.c.person_id, away.c.starts, away.c.ends)
        .join_from(away, players, players.c.id == away.c.player_id)
        .where(players.c.community_id == community_id, players.c.person_id.in_(person_ids))
        .order_by(away.c.starts)
    )
    found: dict[int, list[tuple[date, date]]] = {person_id: [] for person_id in person_ids}
    for person_id, starts, ends in await connection.execute(query):
        found[person_id].append((date.fromisoformat(starts), date.fromisoformat(ends)))
    return found


# --- inside ----------------------------------------------------------------------------------


def _dates_in(days: str | None) -> frozenset[date]:
    """As `listed`, which has nothing to say of no rows."""
    return frozenset(map(date.fromisoformat, days.split(",") if days else ()))
