"""Rows of the outbox, which holds everything that is said without being asked, as values."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, Literal

from sqlalchemy import Row, Select, func, select

from bot.state import Place
from bot.store.places import place_columns, place_of
from bot.store.schema import communities, outbox, persons, places, rounds

OutboxKind = Literal["question", "result", "board", "welcome", "daily", "notice", "standing"]


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of the outbox. `standing` is the platform's id of the message that it edits: the post,
    or what the last change of it was said in where that could be changed no more.

    `thread` is that of the message in whose thread it stands, if it stands in one. `queue` is the
    place's row id, or for a private delivery the recipient's, negative: what is said there is said
    in order.
    """

    id: int
    op: Literal["post", "edit"]
    kind: OutboxKind
    place: Place
    recipient: str | None
    queue: int
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


@cache
def entry_query() -> Select[Any]:
    """Rows for `entry_of`."""
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
    changed = outbox.alias("changed")
    changed_in = (
        select(changed.c.message_id)
        .where(
            changed.c.edits == outbox.c.edits,
            changed.c.state == "sent",
            changed.c.message_id.is_not(None),
        )
        .order_by(changed.c.id.desc())
        .limit(1)
        .correlate(outbox)
        .scalar_subquery()
    )
    return (
        select(
            outbox,
            parent.c.id.label("parent_id"),
            parent.c.message_id.label("parent_message"),
            func.coalesce(changed_in, edited.c.message_id).label("standing"),
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


def entry_of(row: Row[Any]) -> Entry:
    return Entry(
        id=row.id,
        op=row.op,
        kind=row.kind,
        place=place_of(row),
        recipient=row.recipient,
        queue=row.place_id if row.person_id is None else -row.person_id,
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
