"""Dates of schedules that are due: each is claimed once, whoever finds it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import BindParameter, Connection, ScalarSelect, select, update

from bot.calendar import Occasion
from bot.schedules import OccurrenceState, Schedule
from bot.store.dialects import insert_into
from bot.store.schedules import end_pause, plan_next, schedule_in
from bot.store.schema import communities, occurrences, schedules


def due_schedules(
    connection: Connection, platforms: Collection[str], now: datetime, most: int = 100
) -> list[int]:
    """The ids of those whose next date is due, the earliest first.

    None of a community that has removed the bot.
    """
    query = (
        select(schedules.c.id)
        .join_from(schedules, communities, communities.c.id == schedules.c.community_id)
        .where(
            schedules.c.next_at <= now,
            communities.c.removed_at.is_(None),
            communities.c.platform.in_(platforms),
        )
        .order_by(schedules.c.next_at, schedules.c.id)
        .limit(most)
    )
    return list(connection.execute(query).scalars())


def take_due(connection: Connection, schedule_id: int, now: datetime) -> Schedule | None:
    """A due one, for the transaction that claims its date.

    None where it is not due any more, or another process has it in hand.
    """
    query = (
        select(schedules.c.id)
        .where(schedules.c.id == schedule_id, schedules.c.next_at <= now)
        .with_for_update(skip_locked=True)
    )
    if connection.execute(query).first() is None:
        return None
    return schedule_in(connection, schedule_id)


@dataclass(frozen=True, slots=True)
class Claimed:
    """This transaction has the occurrence, and no other will; `following` is the one after it."""

    occurrence_id: int
    following: Occasion | None


def claim(
    connection: Connection,
    schedule: Schedule,
    occasion: Occasion,
    state: OccurrenceState,
    now: datetime,
) -> Claimed | None:
    """Take a date of a schedule, and set what is due after it; None if it was taken before.

    Dates that passed while nobody was there fall due one after the other. A date that is asked
    before its hour ("now") is not asked once more at its hour.
    """
    values = {
        "schedule_id": schedule.id,
        "date": occasion.date.isoformat(),
        "state": state,
        "posts_at": occasion.at,
        "created_at": now,
    }
    new = insert_into(connection, occurrences).values(values).on_conflict_do_nothing()
    occurrence_id = connection.execute(new.returning(occurrences.c.id)).scalar_one_or_none()
    if occurrence_id is None:
        return None
    if schedule.paused_until is not None and schedule.paused_until <= occasion.date:
        end_pause(connection, schedule.id)
    planned = plan_next(connection, schedule.id, occasion.at)
    if planned.next_date is None or planned.next_at is None:
        return Claimed(occurrence_id, None)
    return Claimed(occurrence_id, Occasion(planned.next_date, planned.next_at))


def claim_lost(
    connection: Connection, schedule: Schedule, occasion: Occasion, state: OccurrenceState
) -> Claimed | None:
    """Take a date that was claimed and never stood anywhere; None where it did, or may."""
    found = connection.execute(
        update(occurrences)
        .where(
            occurrences.c.schedule_id == schedule.id,
            occurrences.c.date == occasion.date.isoformat(),
            occurrences.c.state.in_(("missed", "refused", "empty")),
        )
        .values(state=state, posts_at=occasion.at, round_id=None, again="[]", extended_at=None)
        .returning(occurrences.c.id)
    ).scalar_one_or_none()
    if found is None:
        return None
    if schedule.next_date is None or schedule.next_at is None:
        return Claimed(found, None)
    return Claimed(found, Occasion(schedule.next_date, schedule.next_at))


def next_schedule(platforms: Collection[str] | BindParameter[Any]) -> ScalarSelect[datetime]:
    """When the earliest is due, if there is any."""
    return (
        select(schedules.c.next_at)
        .join_from(schedules, communities, communities.c.id == schedules.c.community_id)
        .where(
            schedules.c.next_at.is_not(None),
            communities.c.removed_at.is_(None),
            communities.c.platform.in_(platforms),
        )
        .order_by(schedules.c.next_at)
        .limit(1)
        .scalar_subquery()
    )


def note_refusal(connection: Connection, schedule_id: int) -> int:
    """Its place took no post; how many it refused one after the other."""
    done = connection.execute(
        update(schedules)
        .where(schedules.c.id == schedule_id)
        .values(refusals=schedules.c.refusals + 1)
        .returning(schedules.c.refusals)
    )
    return int(done.scalar_one())


def forget_refusals(connection: Connection, schedule_id: int) -> None:
    """Its place took a post."""
    connection.execute(
        update(schedules)
        .where(schedules.c.id == schedule_id, schedules.c.refusals > 0)
        .values(refusals=0)
    )
