"""Schedules of the daily quiz: set, changed, paused and read."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, Row, Select, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.calendar import Occasion, Recurrence, next_after
from bot.schedules import Plan, Schedule
from bot.state import Place
from bot.store.dialects import insert_into
from bot.store.people import person_now
from bot.store.places import place_columns, place_of
from bot.store.schema import communities, occurrences, persons, places, schedule_skips, schedules

_DAY = timedelta(days=1)
_MINUTE = timedelta(minutes=1)

# --- what organisers do ----------------------------------------------------------------------


def insert_schedule(
    connection: Connection, place: Place, plan: Plan, *, set_by: int, seed: str, now: datetime
) -> Schedule:
    """A new one, due next as its recurrence says; `set_by` is a person's row id."""
    values = {
        "community_id": place.community_id,
        "place_id": place.id,
        "set_by": person_now(connection, set_by),
        "seed": seed,
        "created_at": now,
        **_values(plan),
    }
    made = connection.execute(insert(schedules).values(values).returning(schedules.c.id))
    return plan_next(connection, made.scalar_one(), now)


def same_schedule(
    connection: Connection, place: Place, plan: Plan, since: datetime
) -> Schedule | None:
    """The one of this place that was set since then and asks the very same, if there is one."""
    same = [schedules.c[name].is_not_distinct_from(value) for name, value in _values(plan).items()]
    query = select(schedules.c.id).where(
        schedules.c.place_id == place.id,
        schedules.c.removed_at.is_(None),
        schedules.c.created_at > since,
        *same,
    )
    found = connection.execute(query.order_by(schedules.c.id).limit(1)).scalar_one_or_none()
    return None if found is None else schedule_in(connection, found)


def change_schedule(
    connection: Connection, schedule_id: int, plan: Plan, now: datetime
) -> Schedule:
    """What it is from now on; what it has asked stays known, and no date is asked twice."""
    _set(connection, schedule_id, _values(plan))
    return plan_next(connection, schedule_id, _not_yet_asked(connection, schedule_id, now))


def move_schedule(connection: Connection, schedule_id: int, place: Place) -> None:
    """It posts in another place of its community from now on; the old one's refusals are over."""
    _set(connection, schedule_id, {"place_id": place.id, "refusals": 0})


def remove_schedule(connection: Connection, schedule_id: int, now: datetime) -> bool:
    """Mark it: it asks nothing more. Whether this call did."""
    done = connection.execute(
        update(schedules)
        .where(schedules.c.id == schedule_id, schedules.c.removed_at.is_(None))
        .values(removed_at=now, next_date=None, next_at=None)
    )
    return done.rowcount == 1


def pause(
    connection: Connection, schedule_id: int, now: datetime, *, until: date | None = None
) -> Schedule:
    """Ask nothing before this date, or None: until it is resumed."""
    value = None if until is None else until.isoformat()
    _set(connection, schedule_id, {"paused_at": now, "paused_until": value})
    return plan_next(connection, schedule_id, now)


def end_pause(connection: Connection, schedule_id: int) -> None:
    """Its date has come: from now on it is paused no more."""
    _set(connection, schedule_id, {"paused_at": None, "paused_until": None})


def resume(connection: Connection, schedule_id: int, now: datetime) -> Schedule:
    """Ask again; refusals count anew."""
    _set(connection, schedule_id, {"paused_at": None, "paused_until": None, "refusals": 0})
    return plan_next(connection, schedule_id, now)


def skip(
    connection: Connection, schedule_id: int, dates: Collection[date], now: datetime
) -> Schedule:
    """Leave these dates out."""
    rows = [{"schedule_id": schedule_id, "date": day.isoformat()} for day in sorted(dates)]
    if rows:
        connection.execute(insert_into(connection, schedule_skips).on_conflict_do_nothing(), rows)
    return plan_next(connection, schedule_id, _not_yet_asked(connection, schedule_id, now))


def unskip(
    connection: Connection, schedule_id: int, dates: Collection[date], now: datetime
) -> Schedule:
    """Leave these dates out no longer."""
    connection.execute(
        delete(schedule_skips).where(
            schedule_skips.c.schedule_id == schedule_id,
            schedule_skips.c.date.in_({day.isoformat() for day in dates}),
        )
    )
    return plan_next(connection, schedule_id, _not_yet_asked(connection, schedule_id, now))


def plan_next(connection: Connection, schedule_id: int, after: datetime) -> Schedule:
    """Set what falls due next after an instant."""
    schedule = schedule_in(connection, schedule_id)
    following = _following(schedule, after)
    values = {
        "next_date": None if following is None else following.date.isoformat(),
        "next_at": None if following is None else following.at,
    }
    _set(connection, schedule_id, values)
    return replace(
        schedule,
        next_date=None if following is None else following.date,
        next_at=None if following is None else following.at,
    )


# --- reading ---------------------------------------------------------------------------------


def schedule_in(connection: Connection, schedule_id: int) -> Schedule:
    """One that is known to exist, removed or not."""
    row = connection.execute(schedule_query().where(schedules.c.id == schedule_id)).one()
    skipped = select(schedule_skips.c.date).where(schedule_skips.c.schedule_id == schedule_id)
    return _schedule_of(row, connection.execute(skipped).scalars().all())


async def find_schedule(
    connection: AsyncConnection, community_id: int, schedule_id: int
) -> Schedule | None:
    """One of a community, also one that was removed."""
    query = schedule_query().where(
        schedules.c.id == schedule_id, schedules.c.community_id == community_id
    )
    found = await _schedules(connection, query)
    return found[0] if found else None


async def find_own_schedule(
    connection: AsyncConnection, schedule_id: int, person_id: int
) -> Schedule | None:
    """One that this person has set, in whatever community."""
    query = schedule_query().where(schedules.c.id == schedule_id, schedules.c.set_by == person_id)
    found = await _schedules(connection, query)
    return found[0] if found else None


async def schedules_of(
    connection: AsyncConnection, community_id: int, *, place_id: int | None = None
) -> list[Schedule]:
    """Those of a community, or of one place in it, that were not removed, the oldest first."""
    query = schedule_query().where(
        schedules.c.community_id == community_id, schedules.c.removed_at.is_(None)
    )
    if place_id is not None:
        query = query.where(schedules.c.place_id == place_id)
    return await _schedules(connection, query.order_by(schedules.c.id))


async def all_schedules(connection: AsyncConnection, platform: str) -> list[Schedule]:
    """Every one of a platform that was not removed, for `quizbot doctor`."""
    query = schedule_query().where(
        communities.c.platform == platform,
        communities.c.removed_at.is_(None),
        schedules.c.removed_at.is_(None),
    )
    return await _schedules(connection, query.order_by(schedules.c.id))


@cache
def schedule_query() -> Select[Any]:
    """Rows for a schedule, with its place and who set it."""
    last = (
        select(func.max(occurrences.c.date))
        .where(occurrences.c.schedule_id == schedules.c.id)
        .correlate(schedules)
        .scalar_subquery()
    )
    columns = [column.label(f"schedule_{column.name}") for column in schedules.c]
    return (
        select(*columns, last.label("last_date"), persons.c.name.label("set_by_name"))
        .add_columns(*place_columns())
        .join_from(schedules, places, places.c.id == schedules.c.place_id)
        .join(communities, communities.c.id == schedules.c.community_id)
        .outerjoin(persons, persons.c.id == schedules.c.set_by)
    )


# --- inside ----------------------------------------------------------------------------------


def _not_yet_asked(connection: Connection, schedule_id: int, now: datetime) -> datetime:
    """Now; but what is due this very moment, and not asked yet, must not get lost by a change."""
    query = select(schedules.c.next_at).where(schedules.c.id == schedule_id)
    due: datetime | None = connection.execute(query).scalar_one()
    return now if due is None else min(now, due - timedelta(seconds=1))


def _following(schedule: Schedule, after: datetime) -> Occasion | None:
    if schedule.removed or (schedule.paused_at is not None and schedule.paused_until is None):
        return None
    last = schedule.last_date
    if schedule.paused_until is not None:
        rest = schedule.paused_until - _DAY
        last = rest if last is None else max(last, rest)
        after = max(after, _noon(last, schedule.plan.recurrence.zone) - 2 * _DAY)
    return next_after(schedule.plan.recurrence, after, last=last, skips=schedule.skips)


def _noon(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(12), zone)


def _set(connection: Connection, schedule_id: int, values: dict[str, Any]) -> None:
    connection.execute(update(schedules).where(schedules.c.id == schedule_id).values(values))


def _values(plan: Plan) -> dict[str, Any]:
    when = plan.recurrence
    return {
        "at": when.at.isoformat("minutes"),
        "zone": when.zone.key,
        "weekdays": json.dumps(sorted(when.weekdays)),
        "days_off": when.days_off,
        "topics": json.dumps(plan.topics, ensure_ascii=False),
        "shuffled": plan.shuffled,
        "count": plan.count,
        "languages": json.dumps(plan.languages),
        "open_minutes": None if plan.open_for is None else plan.open_for // _MINUTE,
        "mention": plan.mention,
    }


async def _schedules(connection: AsyncConnection, query: Select[Any]) -> list[Schedule]:
    rows = (await connection.execute(query)).all()
    skipped: dict[int, list[str]] = {row.schedule_id: [] for row in rows}
    query = select(schedule_skips).where(schedule_skips.c.schedule_id.in_(skipped))
    for schedule_id, day in await connection.execute(query):
        skipped[schedule_id].append(day)
    return [_schedule_of(row, skipped[row.schedule_id]) for row in rows]


def _schedule_of(row: Row[Any], skipped: Sequence[str]) -> Schedule:
    return Schedule(
        id=row.schedule_id,
        place=place_of(row),
        plan=_plan_of(row),
        seed=row.schedule_seed,
        set_by=row.schedule_set_by,
        set_by_name=row.set_by_name,
        created_at=row.schedule_created_at,
        paused_at=row.schedule_paused_at,
        paused_until=day_of(row.schedule_paused_until),
        skips=frozenset(map(date.fromisoformat, skipped)),
        last_date=day_of(row.last_date),
        next_date=day_of(row.schedule_next_date),
        next_at=row.schedule_next_at,
        refusals=row.schedule_refusals,
        removed=row.schedule_removed_at is not None,
    )


def _plan_of(row: Row[Any]) -> Plan:
    minutes = row.schedule_open_minutes
    return Plan(
        recurrence=Recurrence(
            at=time.fromisoformat(row.schedule_at),
            zone=ZoneInfo(row.schedule_zone),
            weekdays=frozenset(json.loads(row.schedule_weekdays)),
            days_off=row.schedule_days_off,
        ),
        topics=tuple(json.loads(row.schedule_topics)),
        shuffled=row.schedule_shuffled,
        count=row.schedule_count,
        languages=tuple(json.loads(row.schedule_languages)),
        open_for=None if minutes is None else minutes * _MINUTE,
        mention=row.schedule_mention,
    )


def day_of(value: str | None) -> date | None:
    """A date out of its column."""
    return None if value is None else date.fromisoformat(value)
