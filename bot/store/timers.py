"""What is to happen to rounds at an instant, whoever is there to do it then."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import Connection, ScalarSelect, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.schema import rounds, timers

TimerKind = Literal["close", "early", "next", "give-up", "window"]


@dataclass(frozen=True, slots=True)
class Timer:
    id: int
    kind: TimerKind
    round_id: int
    step_id: int | None
    due_at: datetime


def set_timer(
    connection: Connection, kind: TimerKind, round_id: int, step_id: int | None, due_at: datetime
) -> None:
    values = {"kind": kind, "round_id": round_id, "step_id": step_id, "due_at": due_at}
    connection.execute(insert(timers).values(values))


def clear_timers(connection: Connection, round_id: int, now: datetime) -> None:
    """Nothing of this round is due any more."""
    connection.execute(
        update(timers)
        .where(timers.c.round_id == round_id, timers.c.done_at.is_(None))
        .values(done_at=now)
    )


def delay_timers(connection: Connection, by: timedelta, *, step_id: int | None = None) -> None:
    """Move what is due to later: of one step, or everything (after a time away).

    But windows, which end when it was said that they do.
    """
    waiting = select(timers.c.id, timers.c.due_at).where(
        timers.c.done_at.is_(None), timers.c.kind != "window"
    )
    if step_id is not None:
        waiting = waiting.where(timers.c.step_id == step_id)
    rows = connection.execute(waiting).all()
    for timer_id, due_at in rows:
        connection.execute(update(timers).where(timers.c.id == timer_id).values(due_at=due_at + by))


def move_timer(connection: Connection, kind: TimerKind, step_id: int, due_at: datetime) -> None:
    """It is due at another instant."""
    connection.execute(
        update(timers)
        .where(timers.c.kind == kind, timers.c.step_id == step_id, timers.c.done_at.is_(None))
        .values(due_at=due_at)
    )


def move_window(connection: Connection, round_id: int, due_at: datetime) -> None:
    """The window of a round ends at another instant."""
    connection.execute(
        update(timers)
        .where(timers.c.kind == "window", timers.c.round_id == round_id, timers.c.done_at.is_(None))
        .values(due_at=due_at)
    )


def due_timers(connection: Connection, now: datetime, most: int = 100) -> list[int]:
    """The ids of the timers that are due, the earliest first."""
    query = (
        select(timers.c.id)
        .where(timers.c.done_at.is_(None), timers.c.due_at <= now)
        .order_by(timers.c.due_at, timers.c.id)
        .limit(most)
    )
    return list(connection.execute(query).scalars())


def take_timer(connection: Connection, timer_id: int, now: datetime) -> Timer | None:
    """A due timer, marked done: its effect belongs into the same transaction.

    None where it is done, was put off, or another process has it in hand, or its round: who leads
    that ends its timers, and would wait for this one while this one waits for the round.
    """
    query = (
        select(timers)
        .join(rounds, rounds.c.id == timers.c.round_id)
        .where(timers.c.id == timer_id, timers.c.done_at.is_(None), timers.c.due_at <= now)
        .with_for_update(of=[timers, rounds], skip_locked=True)
    )
    row = connection.execute(query).one_or_none()
    if row is None:
        return None
    connection.execute(update(timers).where(timers.c.id == timer_id).values(done_at=now))
    return Timer(row.id, row.kind, row.round_id, row.step_id, row.due_at)


def put_off_timer(connection: Connection, timer_id: int, due_at: datetime) -> tuple[int, int]:
    """Its effect failed: it is tried again. How often it failed, and its round."""
    row = connection.execute(
        update(timers)
        .where(timers.c.id == timer_id)
        .values(due_at=due_at, failures=timers.c.failures + 1)
        .returning(timers.c.failures, timers.c.round_id)
    ).one()
    return int(row.failures), int(row.round_id)


def next_timer() -> ScalarSelect[datetime]:
    """When the earliest timer is due, if there is any."""
    return select(func.min(timers.c.due_at)).where(timers.c.done_at.is_(None)).scalar_subquery()


async def next_timer_of(
    connection: AsyncConnection, round_id: int, step_id: int
) -> datetime | None:
    """When the pause after a step ends."""
    query = select(func.min(timers.c.due_at)).where(
        timers.c.round_id == round_id,
        timers.c.step_id == step_id,
        timers.c.kind == "next",
        timers.c.done_at.is_(None),
    )
    due: datetime | None = (await connection.execute(query)).scalar()
    return due
