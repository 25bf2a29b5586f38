"""What stands in places, or is about to: the posts of questions, rounds and places."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, exists, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.state import Place
from bot.store.entries import Entry, OutboxKind, entry_of, entry_query
from bot.store.rows import is_post_of_step
from bot.store.schema import communities, occurrences, outbox, rounds, steps


def post_of_step(connection: Connection, step_id: int) -> Row[Any] | None:
    """The row of the message in which a step stands, if it was enqueued."""
    query = select(outbox).where(
        outbox.c.step_id == step_id, outbox.c.op == "post", outbox.c.kind == "question"
    )
    return connection.execute(query).one_or_none()


def post_of_round(connection: Connection, round_id: int) -> Row[Any] | None:
    """The row of the message of a daily, if it was enqueued."""
    query = select(outbox).where(
        outbox.c.round_id == round_id, outbox.c.op == "post", outbox.c.kind == "daily"
    )
    return connection.execute(query).one_or_none()


def result_of_round(connection: Connection, round_id: int) -> Row[Any] | None:
    """The row of the message that tells how a live round went, if it was enqueued."""
    query = select(outbox).where(
        outbox.c.round_id == round_id, outbox.c.op == "post", outbox.c.kind == "result"
    )
    return connection.execute(query).one_or_none()


def learn_daily(connection: Connection, round_id: int, message_id: str) -> None:
    """A press told where a daily stands whose fate was unknown."""
    found = connection.execute(
        update(outbox)
        .where(
            outbox.c.round_id == round_id,
            outbox.c.op == "post",
            outbox.c.kind == "daily",
            outbox.c.state == "unknown",
            outbox.c.message_id.is_(None),
        )
        .values(state="sent", message_id=message_id)
    )
    if found.rowcount:
        connection.execute(
            update(occurrences)
            .where(occurrences.c.round_id == round_id, occurrences.c.state == "unknown")
            .values(state="asked")
        )


def learn_post(connection: Connection, post_id: int, message_id: str) -> bool:
    """A press told where a post stands; False unless its fate was unknown until now."""
    found = connection.execute(
        update(outbox)
        .where(outbox.c.id == post_id, outbox.c.state == "unknown", outbox.c.message_id.is_(None))
        .values(state="sent", message_id=message_id)
    )
    return found.rowcount > 0


def is_known(connection: Connection, place_id: int, message_id: str) -> bool:
    """Whether a message of a place is in the outbox."""
    query = select(outbox.c.id).where(
        outbox.c.place_id == place_id, outbox.c.message_id == message_id
    )
    return connection.execute(query.limit(1)).first() is not None


def note(
    connection: Connection,
    kind: OutboxKind,
    place: Place,
    message_id: str,
    args: Mapping[str, Any],
    nonce: str,
    now: datetime,
) -> int:
    """A message turned out to stand in a place; the id of the row that it has from now on."""
    values = {
        "op": "post",
        "kind": kind,
        "platform": place.platform,
        "community_id": place.community_id,
        "place_id": place.id,
        "args": json.dumps(args, ensure_ascii=False),
        "due_at": now,
        "state": "sent",
        "nonce": nonce,
        "message_id": message_id,
        "posted_at": now,
    }
    return int(
        connection.execute(insert(outbox).values(values).returning(outbox.c.id)).scalar_one()
    )


def send_again(connection: Connection, post_id: int, nonce: str, now: datetime) -> None:
    """A post of unknown fate is made once more, as another message."""
    connection.execute(
        update(outbox)
        .where(outbox.c.id == post_id)
        .values(state="due", nonce=nonce, due_at=now, tries=0, claimed_by=None, claimed_at=None)
    )


def shown_since(
    connection: Connection, question_ids: Collection[int], since: datetime
) -> list[int]:
    """The steps that asked one of these questions and have closed since then, where the bot is."""
    query = (
        select(steps.c.id)
        .join_from(steps, rounds, rounds.c.id == steps.c.round_id)
        .join(communities, communities.c.id == rounds.c.community_id)
        .where(
            steps.c.question_id.in_(question_ids),
            steps.c.closed_at >= since,
            rounds.c.mode != "solo",
            communities.c.removed_at.is_(None),
        )
        .order_by(steps.c.id)
    )
    return list(connection.execute(query).scalars())


def unrevealed(connection: Connection, schedule_id: int, since: datetime) -> list[int]:
    """The rounds of a daily that ended since then and whose messages still stand as if open.

    The place took no change at the time, or the bot was not there to make it.
    """
    change = outbox.alias("change")
    told = (
        exists()
        .where(change.c.edits == outbox.c.id, change.c.due_at >= rounds.c.ended_at)
        .where(change.c.state.in_(("due", "claimed", "sent")))
    )
    query = (
        select(rounds.c.id)
        .join_from(rounds, occurrences, occurrences.c.round_id == rounds.c.id)
        .join(outbox, outbox.c.round_id == rounds.c.id)
        .where(
            occurrences.c.schedule_id == schedule_id,
            rounds.c.ended_at >= since,
            outbox.c.op == "post",
            outbox.c.kind == "daily",
            outbox.c.state == "sent",
            ~told,
        )
        .order_by(rounds.c.id)
    )
    return list(connection.execute(query).scalars())


def last_posted(connection: Connection, place_id: int, kind: OutboxKind) -> datetime | None:
    """When something of this kind was last put into a place."""
    query = select(func.max(outbox.c.due_at)).where(
        outbox.c.place_id == place_id, outbox.c.op == "post", outbox.c.kind == kind
    )
    at: datetime | None = connection.execute(query).scalar()
    return at


async def find_entry_of_step(connection: AsyncConnection, step_id: int) -> Entry | None:
    """The post in which a step stands."""
    query = entry_query().join(steps, steps.c.id == step_id).where(is_post_of_step(outbox))
    row = (await connection.execute(query)).one_or_none()
    return None if row is None else entry_of(row)


async def find_entry_of_round(connection: AsyncConnection, round_id: int) -> Entry | None:
    """The post of a daily."""
    query = entry_query().where(
        outbox.c.round_id == round_id, outbox.c.op == "post", outbox.c.kind == "daily"
    )
    row = (await connection.execute(query)).one_or_none()
    return None if row is None else entry_of(row)


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
        entry_query()
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
    return None if row is None else entry_of(row)


async def posts_in(
    connection: AsyncConnection, place_id: int, *, before: int | None, most: int
) -> list[Entry]:
    """What stands in a place, oldest first: the newest `most`, or those before a row."""
    query = entry_query().where(
        outbox.c.place_id == place_id,
        outbox.c.op == "post",
        outbox.c.state == "sent",
        outbox.c.person_id.is_(None),
    )
    if before is not None:
        query = query.where(outbox.c.id < before)
    rows = (await connection.execute(query.order_by(outbox.c.id.desc()).limit(most))).all()
    return [entry_of(row) for row in reversed(rows)]


def set_args(connection: Connection, post_id: int, args: Mapping[str, Any]) -> None:
    """From now on a post says this, wherever it is drawn anew."""
    said = json.dumps(args, ensure_ascii=False)
    connection.execute(update(outbox).where(outbox.c.id == post_id).values(args=said))
