"""A daily quiz for stories on every stage: set without its forms, and hours that pass."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from conversation import Person, Stage, jump
from sqlalchemy import Connection, select

from bot.calendar import EVERY_DAY, Recurrence
from bot.schedules import Plan, Schedule
from bot.store import schedules
from bot.store.places import place_columns, place_of
from bot.store.schema import communities, occurrences, persons, places


def plan(
    at: str = "10:00",
    zone: str = "UTC",
    *,
    weekdays: frozenset[int] = EVERY_DAY,
    days_off: str | None = None,
    **more: Any,
) -> Plan:
    """Each day at ten, an hour after stories begin: one question, in the order of its quiz."""
    recurrence = Recurrence(time.fromisoformat(at), ZoneInfo(zone), weekdays, days_off)
    return replace(Plan(recurrence, topics=("ports",), shuffled=False), **more)


async def set_daily(stage: Stage, what: Plan | None = None) -> Schedule:
    """As an organiser sets it, in the place of the stage."""
    await Person(stage, "Olga", organiser=True).types("/language en")
    now = stage.clock.now()

    def work(connection: Connection) -> Schedule:
        query = select(*place_columns()).join_from(
            places, communities, communities.c.id == places.c.community_id
        )
        rows = connection.execute(query.where(communities.c.personal.is_(False))).all()
        olga = select(persons.c.id).where(persons.c.name == "Olga")
        return schedules.insert_schedule(
            connection,
            place_of(rows[0]),
            what or plan(),
            set_by=connection.execute(olga).scalar_one(),
            seed="seed",
            now=now,
        )

    schedule = await stage.store.write(work)
    await stage.settle()
    return schedule


async def pass_to(stage: Stage, clock: str, *, days: int = 0, seconds: float = 0) -> None:
    """It is so late (UTC), some midnights on; what falls due on the way happens then."""
    now = stage.clock.now()
    at = datetime.combine(now.date(), time.fromisoformat(clock), now.tzinfo)
    at += timedelta(days=days, seconds=seconds)
    assert at >= now, "time goes one way"
    await jump(stage, (at - now).total_seconds())


async def states(stage: Stage) -> list[tuple[str, str]]:
    """What came of each date."""

    def work(connection: Connection) -> list[tuple[str, str]]:
        query = select(occurrences.c.date, occurrences.c.state).order_by(occurrences.c.id)
        return [(row.date, row.state) for row in connection.execute(query)]

    return await stage.store.write(work)
