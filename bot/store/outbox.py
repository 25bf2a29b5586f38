"""The outbox as a queue: posts and edits are put in, claimed, and marked with their fate."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    ScalarSelect,
    case,
    func,
    insert,
    literal_column,
    select,
    update,
)

from bot.state import Place
from bot.store.entries import Entry, OutboxKind, entry_of, entry_query
from bot.store.schema import outbox

# As `Entry.queue`: somebody who cannot be written to must not keep a place waiting.
_QUEUE = func.coalesce(-outbox.c.person_id, outbox.c.place_id)

_WAITS = outbox.c.state.in_([literal_column("'due'"), literal_column("'claimed'")])
"""What is not over; said as the index says it, so that of all that was ever sent none is read."""

_STEPS_BACK = (outbox.c.kind == "standing") & (outbox.c.state == "due")
"""Nobody waits for a leaderboard that stands somewhere, as they do for a question or an answer."""

_LAST = 2**40
"""More than there will ever be rows."""

Names = Collection[str] | BindParameter[Any]
Numbers = Collection[int] | BindParameter[Any]
"""Themselves, or a parameter that is given them when the statement runs."""


def enqueue(
    connection: Connection,
    kind: OutboxKind,
    place: Place,
    *,
    due_at: datetime,
    nonce: str,
    person_id: int | None = None,
    round_id: int | None = None,
    step_id: int | None = None,
    edits: int | None = None,
    args: Mapping[str, Any] | None = None,
    silent: bool = True,
) -> int:
    """Put a post, or with `edits` the change of one, on its way; the id of the row.

    With `person_id`, a person's row id, it is a private delivery.
    """
    values = {
        "op": "post" if edits is None else "edit",
        "kind": kind,
        "platform": place.platform,
        "community_id": place.community_id,
        "place_id": place.id,
        "person_id": person_id,
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


def drop_waiting(connection: Connection, round_id: int) -> None:
    """Posts of a round that are not under way yet will not be made."""
    connection.execute(
        update(outbox)
        .where(outbox.c.round_id == round_id, outbox.c.op == "post", outbox.c.state == "due")
        .values(state="dropped")
    )


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
    """What is due on these platforms, oldest first, at most one row a queue, now `by`'s.

    Boards that stand somewhere come after everything else. Queues in `busy` wait: what is said in a
    place, or to a person, is said in order.
    """
    query = (
        select(outbox.c.id)
        .where(*_is_next(platforms, busy), outbox.c.due_at <= now)
        .order_by(_STEPS_BACK, outbox.c.id)
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
    rows = connection.execute(entry_query().where(outbox.c.id.in_(ids)).order_by(outbox.c.id))
    return [entry_of(row) for row in rows]


def stale_claims(
    connection: Connection,
    platforms: Collection[str],
    before: datetime | None,
    busy: Collection[int] = (),
) -> list[Entry]:
    """Rows that a process claimed and never finished; `before` None takes every one.

    In queues that are `busy` somebody is at it.
    """
    query = entry_query().where(
        _WAITS,
        outbox.c.state == "claimed",
        outbox.c.platform.in_(platforms),
        _QUEUE.not_in(busy),
    )
    if before is not None:
        query = query.where(outbox.c.claimed_at < before)
    # Sorted here: asked for in order, SQLite would rather go through all that was ever sent.
    return sorted(map(entry_of, connection.execute(query)), key=lambda entry: entry.id)


def delay_waiting(connection: Connection, by: timedelta) -> None:
    """Move what is due to later, or with less than nothing to earlier."""
    waiting = select(outbox.c.id, outbox.c.due_at).where(_WAITS, outbox.c.state == "due")
    for entry_id, due_at in connection.execute(waiting).all():
        row = update(outbox).where(outbox.c.id == entry_id)
        connection.execute(row.values(due_at=due_at + by))


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


def next_post(platforms: Names, busy: Numbers) -> ScalarSelect[datetime]:
    """When the earliest row is due, if there is any; queues in `busy` wait."""
    query = select(func.min(outbox.c.due_at)).where(*_is_next(platforms, busy))
    return query.scalar_subquery()


def _is_next(platforms: Names, busy: Numbers) -> list[ColumnElement[bool]]:
    """A row whose turn it is: the first of its queue, and not in anybody's hand."""
    turn = outbox.c.id + case((_STEPS_BACK, _LAST), else_=0)
    first = (
        select(func.min(turn) % _LAST)
        .where(_WAITS, outbox.c.platform.in_(platforms))
        .group_by(_QUEUE)
    )
    return [
        outbox.c.id.in_(first),
        outbox.c.state == "due",
        _QUEUE.not_in(busy),
    ]
