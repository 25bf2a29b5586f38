"""Dates of a daily quiz: what was asked, what came of it, and what can still be answered."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from datetime import date, datetime
from functools import cache
from typing import Any

from sqlalchemy import Connection, Row, Select, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.drawing import Key, Past
from bot.schedules import Occurrence, OccurrenceState, OpenQuestion
from bot.store.asked import IS_OPEN
from bot.store.dialects import bank_key
from bot.store.schema import (
    banks,
    marks,
    occurrences,
    questions,
    rounds,
    steps,
)


def set_round(
    connection: Connection,
    occurrence_id: int,
    round_id: int,
    *,
    closes_at: datetime,
    again: Sequence[int] = (),
) -> None:
    """What is asked on this date; `again` are the positions of questions for another time."""
    values = {"round_id": round_id, "closes_at": closes_at, "again": json.dumps(list(again))}
    _set(connection, occurrence_id, values)
    # It may be pressed before it is known to stand there, and counts for this date all the same.
    day = select(occurrences.c.date).where(occurrences.c.id == occurrence_id).scalar_subquery()
    connection.execute(update(steps).where(steps.c.round_id == round_id).values(date=day))


def set_occurrence_state(
    connection: Connection, occurrence_id: int, state: OccurrenceState
) -> None:
    """What has come of it."""
    _set(connection, occurrence_id, {"state": state})


def extend(connection: Connection, occurrence_id: int, closes_at: datetime, now: datetime) -> None:
    """It stays open until then, since it should have closed while nobody could press."""
    _set(connection, occurrence_id, {"closes_at": closes_at, "extended_at": now})


def occurrence_of_round(connection: Connection, round_id: int) -> Occurrence | None:
    """The date for which a round was made."""
    query = select(occurrences).where(occurrences.c.round_id == round_id)
    row = connection.execute(query).one_or_none()
    return None if row is None else occurrence_in(row)


async def find_occurrence_of_round(connection: AsyncConnection, round_id: int) -> Occurrence | None:
    """The date for which a round was made."""
    query = select(occurrences).where(occurrences.c.round_id == round_id)
    row = (await connection.execute(query)).one_or_none()
    return None if row is None else occurrence_in(row)


def occurrence_before(connection: Connection, schedule_id: int, day: date) -> Occurrence | None:
    """The last one before a date whose questions were asked: the next post opens with it."""
    row = connection.execute(_before_query(schedule_id, day)).one_or_none()
    return None if row is None else occurrence_in(row)


def occurrences_after(connection: Connection, schedule_id: int, day: date) -> list[Occurrence]:
    """Those after a date, the next first: their posts may say how the one of that date went."""
    query = (
        select(occurrences)
        .where(occurrences.c.schedule_id == schedule_id, occurrences.c.date > day.isoformat())
        # Of what came to no post there is none to say it.
        .where(occurrences.c.state.in_(("asked", "unknown")))
        .order_by(occurrences.c.date)
        .limit(2)
    )
    return [occurrence_in(row) for row in connection.execute(query)]


async def find_occurrence_before(
    connection: AsyncConnection, schedule_id: int, day: date
) -> Occurrence | None:
    """As `occurrence_before`."""
    row = (await connection.execute(_before_query(schedule_id, day))).one_or_none()
    return None if row is None else occurrence_in(row)


def occurrence_in(row: Row[Any]) -> Occurrence:
    """A date out of its row."""
    return Occurrence(
        id=row.id,
        schedule_id=row.schedule_id,
        date=date.fromisoformat(row.date),
        state=row.state,
        round_id=row.round_id,
        again=tuple(json.loads(row.again)),
        posts_at=row.posts_at,
        closes_at=row.closes_at,
        extended_at=row.extended_at,
    )


# --- what to ask -----------------------------------------------------------------------------


async def read_past(connection: AsyncConnection, schedule_id: int) -> dict[Key, Past]:
    """What a schedule has asked, for `draw_daily`: it reads every answer to it."""
    query = _past_query().where(occurrences.c.schedule_id == schedule_id)
    return _past(await connection.execute(query))


@cache
def _past_query() -> Select[Any]:
    """By question: when it was asked last, and how the answers to it were."""
    # The answers of a step are added up before its question is looked for: few rows, not many.
    of_step = select(func.count()).where(marks.c.step_id == steps.c.id).correlate(steps)
    answered = of_step.scalar_subquery()
    missed = of_step.where(marks.c.is_right.is_(False)).scalar_subquery()
    return (
        select(
            bank_key(banks).label("bank"),
            questions.c.question_id,
            func.max(occurrences.c.date).label("last"),
            func.sum(answered).label("answered"),
            func.sum(missed).label("missed"),
        )
        .join_from(occurrences, steps, steps.c.round_id == occurrences.c.round_id)
        .join(questions, questions.c.id == steps.c.question_id)
        .join(banks, banks.c.id == questions.c.bank)
        # What a place refused, or what never came there, nobody has seen.
        .where(occurrences.c.state.not_in(("refused", "missed")))
        .group_by(banks.c.owner, banks.c.bank_id, questions.c.question_id)
    )


def _past(rows: Any) -> dict[Key, Past]:
    return {
        (row.bank, row.question_id): Past(
            date.fromisoformat(row.last), int(row.answered), int(row.missed)
        )
        for row in rows
    }


# --- what is open ----------------------------------------------------------------------------


def open_questions(connection: Connection, community_id: int) -> list[OpenQuestion]:
    """The questions of a community's dailies that can be answered now, or are about to be.

    The key of none of them is shown anywhere else meanwhile.
    """
    query = _open_query().where(rounds.c.community_id == community_id)
    return [_open_of(row) for row in connection.execute(query)]


def open_keys(connection: Connection, community_id: int) -> set[Key]:
    """As `open_questions`, each question once."""
    query = _open_keys_query().where(rounds.c.community_id == community_id)
    return {(row.bank, row.name) for row in connection.execute(query)}


async def read_open_questions(connection: AsyncConnection, community_id: int) -> list[OpenQuestion]:
    """As `open_questions`."""
    query = _open_query().where(rounds.c.community_id == community_id)
    return [_open_of(row) for row in await connection.execute(query)]


def open_rounds(connection: Connection) -> list[int]:
    """The rounds of all dailies that have not closed."""
    query = select(rounds.c.id).where(IS_OPEN)
    return list(connection.execute(query.order_by(rounds.c.id)).scalars())


def closed_with(
    connection: Connection,
    community_id: int,
    question_ids: Collection[int],
    since: datetime,
    before: datetime,
) -> dict[int, datetime]:
    """The dailies of a community that closed in between and had one of these questions.

    With the instants at which they began.
    """
    query = (
        select(rounds.c.id, rounds.c.started_at)
        .distinct()
        .join_from(rounds, steps, steps.c.round_id == rounds.c.id)
        .where(
            rounds.c.community_id == community_id,
            rounds.c.mode == "open",
            rounds.c.ended_at >= since,
            rounds.c.ended_at < before,
            steps.c.question_id.in_(question_ids),
        )
        .order_by(rounds.c.id)
    )
    return {row.id: row.started_at for row in connection.execute(query)}


def begun_at(connection: Connection, round_id: int) -> datetime:
    """When the date of a round was claimed: since then it asks its questions."""
    at: datetime = connection.execute(
        select(rounds.c.started_at).where(rounds.c.id == round_id)
    ).scalar_one()
    return at


@cache
def _open_keys_query() -> Select[Any]:
    return (
        select(bank_key(banks).label("bank"), questions.c.question_id.label("name"))
        .distinct()
        .join_from(rounds, steps, steps.c.round_id == rounds.c.id)
        .join(questions, questions.c.id == steps.c.question_id)
        .join(banks, banks.c.id == questions.c.bank)
        .where(IS_OPEN, steps.c.closed_at.is_(None))
    )


@cache
def _open_query() -> Select[Any]:
    return (
        select(
            bank_key(banks).label("bank"),
            questions.c.question_id.label("name"),
            steps.c.question_id,
            steps.c.id,
            func.coalesce(steps.c.cutoff_at, rounds.c.window_closes_at).label("closes_at"),
        )
        .join_from(rounds, steps, steps.c.round_id == rounds.c.id)
        .join(questions, questions.c.id == steps.c.question_id)
        .join(banks, banks.c.id == questions.c.bank)
        .where(IS_OPEN, steps.c.closed_at.is_(None))
        .order_by(steps.c.id)
    )


def _open_of(row: Row[Any]) -> OpenQuestion:
    return OpenQuestion((row.bank, row.name), row.question_id, row.id, row.closes_at)


# --- inside ----------------------------------------------------------------------------------


def _before_query(schedule_id: int, day: date) -> Select[Any]:
    return (
        select(occurrences)
        .where(
            occurrences.c.schedule_id == schedule_id,
            occurrences.c.date < day.isoformat(),
            occurrences.c.state == "asked",
        )
        .order_by(occurrences.c.date.desc())
        .limit(1)
    )


def _set(connection: Connection, occurrence_id: int, values: dict[str, Any]) -> None:
    done = update(occurrences).where(occurrences.c.id == occurrence_id)
    connection.execute(done.values(values))
