"""Rounds and steps: the SQL behind starting, opening, closing and ending."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import Connection, Row, Select, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.outcomes import Attempt
from bot.state import Mode, Place, Round, RoundState, Standing, Step, Tally
from bot.store.places import place_columns, place_of
from bot.store.schema import (
    attempts,
    banks,
    communities,
    marks,
    outbox,
    persons,
    places,
    players,
    question_versions,
    questions,
    round_banks,
    rounds,
    steps,
)
from bot.store.versions import Version, fits_key, load, with_key


@dataclass(frozen=True, slots=True)
class NewStep:
    version: Version
    order: tuple[str, ...]
    seconds: int | None


@dataclass(frozen=True, slots=True)
class NewRound:
    """A round that is drawn and not yet stored; `starter` is a person's id."""

    place: Place
    mode: Mode
    starter: int | None
    topic: str
    title: Mapping[str, str]
    language: str
    seconds: int | None
    speed: bool
    thread: bool
    steps: Sequence[NewStep]


# --- writing ---------------------------------------------------------------------------------


def insert_round(connection: Connection, new: NewRound, now: datetime) -> int | None:
    """The id of the stored round, or None where the place has a live one already."""
    values = {
        "community_id": new.place.community_id,
        "place_id": new.place.id,
        "mode": new.mode,
        "state": "waiting",
        "starter_id": new.starter,
        "topic": new.topic,
        "title": json.dumps(dict(new.title), ensure_ascii=False),
        "language": new.language,
        "seconds": new.seconds,
        "speed": new.speed,
        "thread": new.thread,
        "started_at": now,
    }
    try:
        with connection.begin_nested():
            round_id = connection.execute(
                insert(rounds).values(values).returning(rounds.c.id)
            ).scalar_one()
    except IntegrityError:
        if new.mode != "live" or live_round_of(connection, new.place.id) is None:
            raise
        return None
    _insert_steps(connection, round_id, new.steps)
    return int(round_id)


def set_state(
    connection: Connection, round_id: int, state: RoundState, *, at: datetime | None = None
) -> None:
    """`at` is the instant of a pause or of the end."""
    values: dict[str, object] = {"state": state, "paused_at": at if state == "paused" else None}
    if state == "ended":
        values["ended_at"] = at
    connection.execute(update(rounds).where(rounds.c.id == round_id).values(values))


def set_language(connection: Connection, round_id: int, language: str) -> None:
    connection.execute(update(rounds).where(rounds.c.id == round_id).values(language=language))


def set_quiet_from(connection: Connection, round_id: int, position: int) -> None:
    """Somebody went on after a pause: questions without an answer count anew from here."""
    connection.execute(update(rounds).where(rounds.c.id == round_id).values(quiet_from=position))


def open_step(
    connection: Connection,
    step_id: int,
    *,
    opened_at: datetime,
    opened_host_at: datetime,
    cutoff_at: datetime | None,
    date: str | None,
) -> None:
    connection.execute(
        update(steps)
        .where(steps.c.id == step_id)
        .values(opened_at=opened_at, opened_host_at=opened_host_at, cutoff_at=cutoff_at, date=date)
    )


def close_step(connection: Connection, step_id: int, now: datetime) -> bool:
    """Whether this call closed it. On PostgreSQL it waits for the answers that are under way."""
    done = connection.execute(
        update(steps)
        .where(steps.c.id == step_id, steps.c.closed_at.is_(None))
        .values(closed_at=now)
    )
    return done.rowcount == 1


def set_cutoff(
    connection: Connection, step_id: int, cutoff_at: datetime, *, more_time: bool
) -> None:
    connection.execute(
        update(steps).where(steps.c.id == step_id).values(cutoff_at=cutoff_at, more_time=more_time)
    )


# --- reading, inside a write -----------------------------------------------------------------


def round_in(connection: Connection, round_id: int, *, lock: bool = False) -> Round | None:
    """`lock` keeps other processes from changing it until the transaction ends."""
    query = _round_query().where(rounds.c.id == round_id)
    if lock:
        query = query.with_for_update(of=rounds)
    row = connection.execute(query).one_or_none()
    return None if row is None else _round(row)


def step_in(connection: Connection, step_id: int) -> Step | None:
    row = connection.execute(_step_query().where(steps.c.id == step_id)).one_or_none()
    return None if row is None else _step(row)


def step_at(connection: Connection, round_id: int, position: int) -> Step | None:
    query = _step_query().where(steps.c.round_id == round_id, steps.c.position == position)
    row = connection.execute(query).one_or_none()
    return None if row is None else _step(row)


def current_step(connection: Connection, round_id: int) -> Step | None:
    """The last step that was opened."""
    query = (
        _step_query()
        .where(steps.c.round_id == round_id, steps.c.opened_at.is_not(None))
        .order_by(steps.c.position.desc())
        .limit(1)
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else _step(row)


def open_live_steps(connection: Connection) -> list[Step]:
    """Every question of a live round that stands open."""
    query = _step_query().where(
        rounds.c.mode == "live", steps.c.opened_at.is_not(None), steps.c.closed_at.is_(None)
    )
    return [_step(row) for row in connection.execute(query)]


def live_round_of(connection: Connection, place_id: int) -> Round | None:
    query = _round_query().where(
        rounds.c.place_id == place_id, rounds.c.mode == "live", rounds.c.ended_at.is_(None)
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else _round(row)


def live_rounds_of(connection: Connection, community_id: int) -> list[Round]:
    """Every live round of a community that has not ended."""
    query = _round_query().where(
        places.c.community_id == community_id,
        rounds.c.mode == "live",
        rounds.c.ended_at.is_(None),
    )
    return [_round(row) for row in connection.execute(query)]


def players_of(connection: Connection, round_id: int, positions: Sequence[int]) -> frozenset[int]:
    """Who answered any of these steps."""
    query = (
        select(attempts.c.player_id)
        .join_from(attempts, steps, steps.c.id == attempts.c.step_id)
        .where(steps.c.round_id == round_id, steps.c.position.in_(positions))
    )
    return frozenset(connection.execute(query).scalars())


# --- reading ---------------------------------------------------------------------------------


async def find_round(connection: AsyncConnection, round_id: int) -> Round | None:
    row = (await connection.execute(_round_query().where(rounds.c.id == round_id))).one_or_none()
    return None if row is None else _round(row)


async def find_live_round(
    connection: AsyncConnection, community_id: int, place: str, parent: str | None
) -> Round | None:
    """The one that runs in a place; in a thread also the one that asks its questions there."""
    here = places.c.external_id == place
    if parent is not None:
        here |= (places.c.external_id == parent) & rounds.c.thread
    query = (
        _round_query()
        .where(places.c.community_id == community_id, here)
        .where(rounds.c.mode == "live", rounds.c.ended_at.is_(None))
        .order_by(rounds.c.id.desc())
        .limit(1)
    )
    row = (await connection.execute(query)).one_or_none()
    return None if row is None else _round(row)


async def find_step(connection: AsyncConnection, step_id: int) -> Step | None:
    row = (await connection.execute(_step_query().where(steps.c.id == step_id))).one_or_none()
    return None if row is None else _step(row)


async def steps_of(connection: AsyncConnection, round_id: int) -> list[Step]:
    query = _step_query().where(steps.c.round_id == round_id).order_by(steps.c.position)
    return [_step(row) for row in await connection.execute(query)]


async def find_unfinished_solo(
    connection: AsyncConnection, community_id: int, person_id: int, topic: str
) -> Round | None:
    """The latest practice of this person on this topic that has not ended."""
    query = (
        _round_query()
        .where(
            rounds.c.mode == "solo",
            rounds.c.starter_id == person_id,
            rounds.c.community_id == community_id,
            rounds.c.topic == topic,
            rounds.c.ended_at.is_(None),
        )
        .order_by(rounds.c.id.desc())
        .limit(1)
    )
    row = (await connection.execute(query)).one_or_none()
    return None if row is None else _round(row)


async def last_asked(connection: AsyncConnection, round_id: int) -> int:
    """The position of the last step that was opened; 0 before the first."""
    query = select(func.max(steps.c.position)).where(
        steps.c.round_id == round_id, steps.c.opened_at.is_not(None)
    )
    return (await connection.execute(query)).scalar() or 0


async def tally_of(connection: AsyncConnection, step_id: int) -> Tally:
    query = (
        select(attempts.c.answer, marks.c.is_right, func.count())
        .join_from(attempts, marks, _mark_of_attempt())
        .where(attempts.c.step_id == step_id)
        .group_by(attempts.c.answer, marks.c.is_right)
    )
    answered = right = 0
    chosen: dict[str, int] = {}
    for answer, is_right, count in await connection.execute(query):
        answered += count
        right += count if is_right else 0
        for key in json.loads(answer)["options"]:
            chosen[key] = chosen.get(key, 0) + count
    return Tally(answered, chosen, right)


async def answered_count(connection: AsyncConnection, step_id: int) -> int:
    query = select(func.count()).where(attempts.c.step_id == step_id)
    return int((await connection.execute(query)).scalar_one())


async def standings_of(connection: AsyncConnection, round_id: int) -> list[Standing]:
    """Everybody who answered in a round, best first."""
    points = func.sum(marks.c.points)
    query = (
        select(
            attempts.c.player_id,
            persons.c.name,
            persons.c.hidden,
            points,
            func.sum(marks.c.is_right.cast(_INTEGER)),
            func.count(),
        )
        .join_from(steps, attempts, attempts.c.step_id == steps.c.id)
        .join(marks, _mark_of_attempt())
        .join(players, players.c.id == attempts.c.player_id)
        .outerjoin(persons, persons.c.id == players.c.person_id)
        .where(steps.c.round_id == round_id)
        .group_by(attempts.c.player_id, persons.c.name, persons.c.hidden)
        .order_by(points.desc(), attempts.c.player_id)
    )
    return [
        Standing(player, name, bool(hidden), int(total), int(right), int(answered))
        for player, name, hidden, total, right, answered in await connection.execute(query)
    ]


async def attempt_of(
    connection: AsyncConnection, step_id: int, community_id: int, person_id: int
) -> Attempt | None:
    """What a person answered to a step, if anything."""
    query = _attempt_query().where(
        attempts.c.step_id == step_id,
        players.c.community_id == community_id,
        players.c.person_id == person_id,
    )
    row = (await connection.execute(query)).one_or_none()
    return None if row is None else _attempt(row)


async def attempts_in_round(
    connection: AsyncConnection, round_id: int, person_id: int
) -> dict[int, Attempt]:
    """A person's answers in a round, by step id."""
    query = (
        _attempt_query()
        .join(steps, steps.c.id == attempts.c.step_id)
        .where(steps.c.round_id == round_id, players.c.person_id == person_id)
    )
    return {row.step_id: _attempt(row) for row in await connection.execute(query)}


async def answers_of(
    connection: AsyncConnection, community_id: int, person_id: int, *, skip: int, most: int
) -> list[tuple[Step, Attempt]]:
    """A person's answers in a community, the newest first."""
    query = (
        _attempt_query()
        .where(players.c.community_id == community_id, players.c.person_id == person_id)
        .order_by(attempts.c.pressed_at.desc(), attempts.c.step_id.desc())
        .offset(skip)
        .limit(most)
    )
    found = [_attempt(row) for row in await connection.execute(query)]
    wanted = _step_query().where(steps.c.id.in_([attempt.step_id for attempt in found]))
    by_id = {row.id: _step(row) for row in await connection.execute(wanted)}
    return [(by_id[attempt.step_id], attempt) for attempt in found]


async def started_by(connection: AsyncConnection, round_id: int) -> str | None:
    """The name of who began a round."""
    query = (
        select(persons.c.name)
        .join_from(rounds, persons, persons.c.id == rounds.c.starter_id)
        .where(rounds.c.id == round_id)
    )
    return (await connection.execute(query)).scalar()


# --- rows to types ---------------------------------------------------------------------------

_INTEGER = marks.c.points.type


def _mark_of_attempt() -> Any:
    return (marks.c.step_id == attempts.c.step_id) & (marks.c.player_id == attempts.c.player_id)


def _insert_steps(connection: Connection, round_id: int, new: Sequence[NewStep]) -> None:
    rows = [
        {
            "round_id": round_id,
            "position": position,
            "version_id": step.version.version_id,
            "question_id": step.version.question_id,
            "option_order": json.dumps(step.order),
            "seconds": step.seconds,
        }
        for position, step in enumerate(new, start=1)
    ]
    connection.execute(insert(steps), rows)
    asked = select(questions.c.bank).where(
        questions.c.id.in_({step.version.question_id for step in new})
    )
    bank_rows = set(connection.execute(asked).scalars())
    connection.execute(
        insert(round_banks), [{"round_id": round_id, "bank": bank} for bank in sorted(bank_rows)]
    )


# A query never changes once it is made, and making one takes longer than SQLite takes to run it.
@cache
def _round_query() -> Select[Any]:
    length = (
        select(func.count())
        .where(steps.c.round_id == rounds.c.id)
        .correlate(rounds)
        .scalar_subquery()
    )
    return (
        select(
            *_ROUND_COLUMNS,
            length.label("length"),
            *place_columns(),
        )
        .join_from(rounds, places, places.c.id == rounds.c.place_id)
        .join(communities, communities.c.id == places.c.community_id)
    )


_ROUND_COLUMNS = (
    rounds.c.id.label("round_id"),
    rounds.c.mode,
    rounds.c.state.label("round_state"),
    rounds.c.starter_id,
    rounds.c.topic,
    rounds.c.title,
    rounds.c.language.label("round_language"),
    rounds.c.seconds.label("round_seconds"),
    rounds.c.speed,
    rounds.c.thread,
    rounds.c.quiet_from,
    rounds.c.ended_at,
)


@cache
def _step_query() -> Select[Any]:
    post, today = outbox.alias("post"), question_versions.alias("today")
    return (
        _round_query()
        .add_columns(
            steps,
            question_versions.c.content,
            func.coalesce(questions.c.current_version, steps.c.version_id).label("current_version"),
            today.c.content.label("content_today"),
            banks.c.bank_id,
            post.c.message_id,
        )
        .join(steps, steps.c.round_id == rounds.c.id)
        .join(question_versions, question_versions.c.id == steps.c.version_id)
        .join(questions, questions.c.id == steps.c.question_id)
        .join(banks, banks.c.id == questions.c.bank)
        .outerjoin(today, today.c.id == questions.c.current_version)
        .outerjoin(
            post,
            (post.c.step_id == steps.c.id) & (post.c.op == "post") & (post.c.kind == "question"),
        )
    )


def _round(row: Row[Any]) -> Round:
    return Round(
        id=row.round_id,
        place=place_of(row),
        mode=row.mode,
        state=row.round_state,
        starter=row.starter_id,
        topic=row.topic,
        title=json.loads(row.title),
        language=row.round_language,
        seconds=row.round_seconds,
        speed=row.speed,
        thread=row.thread,
        length=row.length,
        quiet_from=row.quiet_from,
        ended_at=row.ended_at,
    )


def _step(row: Row[Any]) -> Step:
    asked = load(row.content)
    today = asked if row.content_today is None else load(row.content_today)
    return Step(
        id=row.id,
        round=_round(row),
        position=row.position,
        question_id=row.question_id,
        version_id=row.version_id,
        key_version=row.current_version if fits_key(asked, today) else row.version_id,
        question=with_key(asked, today),
        bank=row.bank_id,
        order=tuple(json.loads(row.option_order)),
        seconds=row.seconds,
        opened_at=row.opened_at,
        opened_host_at=row.opened_host_at,
        cutoff_at=row.cutoff_at,
        more_time=row.more_time,
        closed_at=row.closed_at,
        message=row.message_id,
    )


@cache
def _attempt_query() -> Select[Any]:
    return (
        select(attempts, marks.c.is_right, marks.c.points, marks.c.version_id.label("marked_by"))
        .join_from(attempts, marks, _mark_of_attempt())
        .join(players, players.c.id == attempts.c.player_id)
    )


def _attempt(row: Row[Any]) -> Attempt:
    return Attempt(
        step_id=row.step_id,
        player_id=row.player_id,
        answer=tuple(json.loads(row.answer)["options"]),
        language=row.language,
        pressed_at=row.pressed_at,
        date=row.date,
        counts=row.counts,
        practice=row.practice,
        is_right=row.is_right,
        points=row.points,
        marked_by=row.marked_by,
    )
