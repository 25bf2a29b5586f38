"""Work that is due: timers, and the outbox of everything that is said without being asked."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, Row, Select, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.state import Place
from bot.store.places import place_columns, place_of
from bot.store.schema import communities, heartbeats, outbox, persons, places, rounds, steps, timers

TimerKind = Literal["close", "early", "next", "give-up"]
OutboxKind = Literal["question", "result", "board", "welcome"]


@dataclass(frozen=True, slots=True)
class Timer:
    id: int
    kind: TimerKind
    round_id: int
    step_id: int | None
    due_at: datetime


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of the outbox. `standing` is the platform's id of the message that it edits.

    `thread` is that of the message in whose thread it stands, if it stands in one.
    """

    id: int
    op: Literal["post", "edit"]
    kind: OutboxKind
    place: Place
    recipient: str | None
    round_id: int | None
    step_id: int | None
    edits: int | None
    standing: str | None
    thread: str | None
    args: Mapping[str, Any]
    silent: bool
    nonce: str
    message_id: str | None
    posted_at: datetime | None
    claimed_at: datetime | None
    tries: int


# --- timers ----------------------------------------------------------------------------------


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
    """Move what is due to later: of one step, or everything (after a time away)."""
    waiting = select(timers.c.id, timers.c.due_at).where(timers.c.done_at.is_(None))
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

    None where it is done, was put off, or another process has it in hand.
    """
    query = (
        select(timers)
        .where(timers.c.id == timer_id, timers.c.done_at.is_(None), timers.c.due_at <= now)
        .with_for_update(skip_locked=True)
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


# --- the outbox ------------------------------------------------------------------------------


def enqueue(
    connection: Connection,
    kind: OutboxKind,
    place: Place,
    *,
    due_at: datetime,
    nonce: str,
    round_id: int | None = None,
    step_id: int | None = None,
    edits: int | None = None,
    args: Mapping[str, Any] | None = None,
    silent: bool = True,
) -> int:
    """Put a post, or with `edits` the change of one, on its way; the id of the row."""
    values = {
        "op": "post" if edits is None else "edit",
        "kind": kind,
        "platform": place.platform,
        "community_id": place.community_id,
        "place_id": place.id,
        "round_id": round_id,
        "step_id": step_id,
        "edits": edits,
        "args": json.dumps(args or {}, ensure_ascii=False),
        "silent": silent,
        "due_at": due_at,
        "state": "due",
        "nonce": nonce,
    }
    return int(
        connection.execute(insert(outbox).values(values).returning(outbox.c.id)).scalar_one()
    )


def _is_next(platforms: Collection[str], busy: Collection[int]) -> list[ColumnElement[bool]]:
    """A row whose turn it is: the first of its place, and not in anybody's hand."""
    first = (
        select(func.min(outbox.c.id))
        .where(outbox.c.state.in_(("due", "claimed")), outbox.c.platform.in_(platforms))
        .group_by(outbox.c.place_id)
    )
    return [
        outbox.c.id.in_(first),
        outbox.c.state == "due",
        outbox.c.place_id.not_in(busy),
    ]


def is_edit_waiting(connection: Connection, post_id: int) -> bool:
    """Whether the change of a post is on its way already: it will be composed when it is sent."""
    query = select(outbox.c.id).where(outbox.c.edits == post_id, outbox.c.state == "due").limit(1)
    return connection.execute(query).first() is not None


def claim(
    connection: Connection,
    platforms: Collection[str],
    now: datetime,
    by: str,
    busy: Collection[int] = (),
    most: int = 100,
) -> list[Entry]:
    """What is due on these platforms, oldest first, at most one row a place, now `by`'s.

    Places in `busy` wait: what is said in a place is said in order.
    """
    query = (
        select(outbox.c.id)
        .where(*_is_next(platforms, busy), outbox.c.due_at <= now)
        .order_by(outbox.c.id)
        .limit(most)
        .with_for_update(skip_locked=True)
    )
    ids = list(connection.execute(query).scalars())
    if not ids:
        return []
    connection.execute(
        update(outbox)
        .where(outbox.c.id.in_(ids))
        .values(state="claimed", claimed_by=by, claimed_at=now, tries=outbox.c.tries + 1)
    )
    rows = connection.execute(_entry_query().where(outbox.c.id.in_(ids)).order_by(outbox.c.id))
    return [_entry(row) for row in rows]


def mark_sent(
    connection: Connection, entry_id: int, message_id: str | None, posted_at: datetime
) -> None:
    connection.execute(
        update(outbox)
        .where(outbox.c.id == entry_id)
        .values(state="sent", message_id=message_id, posted_at=posted_at)
    )


def mark(
    connection: Connection,
    entry_id: int,
    state: Literal["due", "unknown", "refused", "dropped"],
    *,
    reason: str | None = None,
    due_at: datetime | None = None,
    failed: bool = True,
) -> None:
    """`failed` False: it was told to wait, which does not count as a try."""
    values: dict[str, object] = {"state": state, "reason": reason}
    if due_at is not None:
        values["due_at"] = due_at
    if not failed:
        values["tries"] = outbox.c.tries - 1
    connection.execute(update(outbox).where(outbox.c.id == entry_id).values(values))


def drop_waiting(connection: Connection, round_id: int) -> None:
    """Posts of a round that are not under way yet will not be made."""
    connection.execute(
        update(outbox)
        .where(outbox.c.round_id == round_id, outbox.c.op == "post", outbox.c.state == "due")
        .values(state="dropped")
    )


def post_of_step(connection: Connection, step_id: int) -> Row[Any] | None:
    """The row of the message in which a step stands, if it was enqueued."""
    query = select(outbox).where(
        outbox.c.step_id == step_id, outbox.c.op == "post", outbox.c.kind == "question"
    )
    return connection.execute(query).one_or_none()


def last_posted(connection: Connection, place_id: int, kind: OutboxKind) -> datetime | None:
    """When something of this kind was last put into a place."""
    query = select(func.max(outbox.c.due_at)).where(
        outbox.c.place_id == place_id, outbox.c.op == "post", outbox.c.kind == kind
    )
    at: datetime | None = connection.execute(query).scalar()
    return at


def stale_claims(
    connection: Connection,
    platforms: Collection[str],
    before: datetime | None,
    busy: Collection[int] = (),
) -> list[Entry]:
    """Rows that a process claimed and never finished; `before` None takes every one.

    In places that are `busy` somebody is at it.
    """
    query = _entry_query().where(
        outbox.c.state == "claimed",
        outbox.c.platform.in_(platforms),
        outbox.c.place_id.not_in(busy),
    )
    if before is not None:
        query = query.where(outbox.c.claimed_at < before)
    return [_entry(row) for row in connection.execute(query.order_by(outbox.c.id))]


def set_message(connection: Connection, post_id: int, message_id: str) -> None:
    """Where a post of unknown fate stands now: what changed it was said anew."""
    connection.execute(
        update(outbox)
        .where(outbox.c.id == post_id, outbox.c.message_id.is_(None))
        .values(state="sent", message_id=message_id)
    )


def learn_message(connection: Connection, step_id: int, message_id: str) -> None:
    """A press told the id of a post whose fate was unknown."""
    connection.execute(
        update(outbox)
        .where(
            outbox.c.step_id == step_id,
            outbox.c.op == "post",
            outbox.c.state == "unknown",
            outbox.c.message_id.is_(None),
        )
        .values(state="sent", message_id=message_id)
    )


async def next_due(
    connection: AsyncConnection, platforms: Collection[str], busy: Collection[int]
) -> datetime | None:
    """When the earliest work is due, if there is any; places in `busy` wait."""
    timer = await connection.execute(
        select(func.min(timers.c.due_at)).where(timers.c.done_at.is_(None))
    )
    post = await connection.execute(
        select(func.min(outbox.c.due_at)).where(*_is_next(platforms, busy))
    )
    dues = [due for due in (timer.scalar(), post.scalar()) if due is not None]
    return min(dues, default=None)


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


async def find_entry_of_step(connection: AsyncConnection, step_id: int) -> Entry | None:
    """The post in which a step stands."""
    query = _entry_query().where(
        outbox.c.step_id == step_id, outbox.c.op == "post", outbox.c.kind == "question"
    )
    row = (await connection.execute(query)).one_or_none()
    return None if row is None else _entry(row)


async def questions_of(connection: AsyncConnection, round_id: int) -> list[tuple[int, str]]:
    """The questions of a round that stand in its place: position and the platform's id."""
    query = (
        select(steps.c.position, outbox.c.message_id)
        .join_from(outbox, steps, steps.c.id == outbox.c.step_id)
        .where(
            outbox.c.round_id == round_id,
            outbox.c.op == "post",
            outbox.c.kind == "question",
            outbox.c.message_id.is_not(None),
        )
    )
    return [(position, message) for position, message in await connection.execute(query)]


async def last_question_of(connection: AsyncConnection, round_id: int) -> Entry | None:
    """The newest question of a round that stands in its place."""
    query = (
        _entry_query()
        .where(
            outbox.c.round_id == round_id,
            outbox.c.op == "post",
            outbox.c.kind == "question",
            outbox.c.state == "sent",
        )
        .order_by(outbox.c.id.desc())
        .limit(1)
    )
    row = (await connection.execute(query)).one_or_none()
    return None if row is None else _entry(row)


async def posts_in(
    connection: AsyncConnection, place_id: int, *, before: int | None, most: int
) -> list[Entry]:
    """What stands in a place, oldest first: the newest `most`, or those before a row."""
    query = _entry_query().where(
        outbox.c.place_id == place_id,
        outbox.c.op == "post",
        outbox.c.state == "sent",
        outbox.c.person_id.is_(None),
    )
    if before is not None:
        query = query.where(outbox.c.id < before)
    rows = (await connection.execute(query.order_by(outbox.c.id.desc()).limit(most))).all()
    return [_entry(row) for row in reversed(rows)]


# --- the heartbeat ---------------------------------------------------------------------------


def beat(connection: Connection, now: datetime) -> None:
    """Note that the scheduler lives."""
    done = connection.execute(
        update(heartbeats).where(heartbeats.c.name == "scheduler").values(at=now)
    )
    if done.rowcount == 0:
        connection.execute(insert(heartbeats).values(name="scheduler", at=now))


def last_beat(connection: Connection) -> datetime | None:
    query = select(heartbeats.c.at).where(heartbeats.c.name == "scheduler")
    at: datetime | None = connection.execute(query).scalar()
    return at


# --- rows to types ---------------------------------------------------------------------------


@cache
def _entry_query() -> Select[Any]:
    edited = outbox.alias("edited")
    first = outbox.alias("first")
    # The first question of a round is the parent of its thread, and stands in the place itself.
    first_id = (
        select(func.min(first.c.id))
        .where(first.c.round_id == outbox.c.round_id, first.c.op == "post")
        .correlate(outbox)
        .scalar_subquery()
    )
    parent = outbox.alias("parent")
    return (
        select(
            outbox,
            parent.c.id.label("parent_id"),
            parent.c.message_id.label("parent_message"),
            edited.c.message_id.label("standing"),
            persons.c.external_id.label("recipient"),
            *place_columns(),
        )
        .join_from(outbox, places, places.c.id == outbox.c.place_id)
        .join(communities, communities.c.id == places.c.community_id)
        .outerjoin(edited, edited.c.id == outbox.c.edits)
        .outerjoin(persons, persons.c.id == outbox.c.person_id)
        .outerjoin(rounds, (rounds.c.id == outbox.c.round_id) & rounds.c.thread)
        .outerjoin(parent, (parent.c.id == first_id) & rounds.c.id.is_not(None))
    )


def _entry(row: Row[Any]) -> Entry:
    return Entry(
        id=row.id,
        op=row.op,
        kind=row.kind,
        place=place_of(row),
        recipient=row.recipient,
        round_id=row.round_id,
        step_id=row.step_id,
        edits=row.edits,
        standing=row.standing,
        thread=None if row.parent_id in (row.edits, row.id) else row.parent_message,
        args=json.loads(row.args),
        silent=row.silent,
        nonce=row.nonce,
        message_id=row.message_id,
        posted_at=row.posted_at,
        claimed_at=row.claimed_at,
        tries=row.tries,
    )
