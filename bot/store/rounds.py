"""Rounds and steps inside a transaction that changes them: starting, opening, closing, ending."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, insert, literal_column, select, update
from sqlalchemy.exc import IntegrityError

from bot.state import BrokenOff, Mode, Place, Round, RoundState, Step
from bot.store import occasions
from bot.store.people import person_now
from bot.store.rows import players_query, round_of, round_query, step_of, step_query
from bot.store.schema import places, questions, round_banks, rounds, steps
from bot.store.versions import Version


@dataclass(frozen=True, slots=True)
class NewStep:
    version: Version
    order: tuple[str, ...]
    seconds: int | None


@dataclass(frozen=True, slots=True)
class NewRound:
    """A round that is drawn and not yet stored; `starter` is a person's id.

    `call` is the platform's id of the call that begins it. `window` is when an open one can be
    answered.
    """

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
    call: str | None = None
    window: tuple[datetime, datetime] | None = None


def insert_round(connection: Connection, new: NewRound, now: datetime) -> int | None:
    """The id of the stored round, or None: its place has a live one, or its call has begun one."""
    values = {
        "community_id": new.place.community_id,
        "place_id": new.place.id,
        "mode": new.mode,
        "state": "waiting",
        "starter_id": None if new.starter is None else person_now(connection, new.starter),
        "topic": new.topic,
        "title": json.dumps(dict(new.title), ensure_ascii=False),
        "language": new.language,
        "seconds": new.seconds,
        "speed": new.speed,
        "thread": new.thread,
        "started_at": now,
        "call_id": new.call,
        "window_opens_at": None if new.window is None else new.window[0],
        "window_closes_at": None if new.window is None else new.window[1],
    }
    try:
        with connection.begin_nested():
            round_id = connection.execute(
                insert(rounds).values(values).returning(rounds.c.id)
            ).scalar_one()
    except IntegrityError:
        if round_of_call(connection, new.place.community_id, new.call) is not None:
            return None
        if new.mode == "live" and live_round_of(connection, new.place.id) is not None:
            return None
        raise
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


def set_broken_off(connection: Connection, round_id: int, broken_off: BrokenOff) -> None:
    """Why it ended before its end."""
    connection.execute(
        update(rounds)
        .where(rounds.c.id == round_id)
        .values(
            ended_why=broken_off.why,
            ended_lacking=json.dumps(broken_off.lacking, ensure_ascii=False),
        )
    )


def set_told_why(connection: Connection, round_id: int, now: datetime) -> None:
    """Who began it knows why it broke off."""
    connection.execute(
        update(rounds)
        .where(rounds.c.id == round_id, rounds.c.ended_told_at.is_(None))
        .values(ended_told_at=now)
    )


def set_window_end(connection: Connection, round_id: int, closes_at: datetime) -> None:
    """An open round, and every question of it, can be answered until then."""
    connection.execute(
        update(rounds).where(rounds.c.id == round_id).values(window_closes_at=closes_at)
    )
    connection.execute(
        update(steps)
        .where(steps.c.round_id == round_id, steps.c.opened_at.is_not(None))
        .values(cutoff_at=closes_at)
    )


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
    """`date` is that of answers that count; None where none does."""
    connection.execute(
        update(steps)
        .where(steps.c.id == step_id)
        .values(opened_at=opened_at, opened_host_at=opened_host_at, cutoff_at=cutoff_at, date=date)
    )
    if date is not None:
        occasions.count_step(connection, step_id)


def close_step(connection: Connection, step_id: int, now: datetime) -> bool:
    """Whether this call closed it. On PostgreSQL it waits for the answers that are under way."""
    done = connection.execute(
        update(steps)
        .where(steps.c.id == step_id, steps.c.closed_at.is_(None))
        .values(closed_at=now)
    )
    return done.rowcount == 1


def move_openings(connection: Connection, by: timedelta) -> None:
    """When open live questions opened, by a host's clock that has jumped; a platform's has not."""
    for step in open_live_steps(connection):
        if step.opened_host_at is not None:
            moved = update(steps).where(steps.c.id == step.id)
            connection.execute(moved.values(opened_host_at=step.opened_host_at + by))


def set_cutoff(
    connection: Connection, step_id: int, cutoff_at: datetime, *, more_time: bool
) -> None:
    connection.execute(
        update(steps).where(steps.c.id == step_id).values(cutoff_at=cutoff_at, more_time=more_time)
    )


# --- reading, for a change --------------------------------------------------------------------


def round_in(connection: Connection, round_id: int, *, lock: bool = False) -> Round | None:
    """`lock` keeps other processes from changing it until the transaction ends."""
    query = round_query().where(rounds.c.id == round_id)
    if lock:
        query = query.with_for_update(of=rounds)
    row = connection.execute(query).one_or_none()
    return None if row is None else round_of(row)


def hold(connection: Connection, round_id: int) -> None:
    """Keep other processes from changing it until the transaction ends.

    Whoever changes questions of it too holds it first: none waits for it with a question in hand.
    """
    query = select(rounds.c.id).where(rounds.c.id == round_id).with_for_update()
    connection.execute(query).all()


def step_in(connection: Connection, step_id: int) -> Step | None:
    row = connection.execute(step_query().where(steps.c.id == step_id)).one_or_none()
    return None if row is None else step_of(row)


def step_at(connection: Connection, round_id: int, position: int) -> Step | None:
    query = step_query().where(steps.c.round_id == round_id, steps.c.position == position)
    row = connection.execute(query).one_or_none()
    return None if row is None else step_of(row)


def steps_in(connection: Connection, round_id: int) -> list[Step]:
    """All steps of a round, in order."""
    query = step_query().where(steps.c.round_id == round_id).order_by(steps.c.position)
    return [step_of(row) for row in connection.execute(query)]


def current_step(connection: Connection, round_id: int) -> Step | None:
    """The last step that was opened."""
    query = (
        step_query()
        .where(steps.c.round_id == round_id, steps.c.opened_at.is_not(None))
        .order_by(steps.c.position.desc())
        .limit(1)
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else step_of(row)


def open_live_steps(connection: Connection) -> list[Step]:
    """Every question of a live round that stands open."""
    # Said as the index of rounds that run says it: not every question ever asked is looked at.
    runs = (rounds.c.mode == literal_column("'live'")) & rounds.c.ended_at.is_(None)
    query = step_query().where(runs, steps.c.opened_at.is_not(None), steps.c.closed_at.is_(None))
    return [step_of(row) for row in connection.execute(query)]


def live_round_of(connection: Connection, place_id: int) -> Round | None:
    query = round_query().where(
        rounds.c.place_id == place_id, rounds.c.mode == "live", rounds.c.ended_at.is_(None)
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else round_of(row)


def round_of_call(connection: Connection, community_id: int, call: str | None) -> Round | None:
    """What a call has begun, if it has an id and was delivered before."""
    if call is None:
        return None
    query = round_query().where(rounds.c.community_id == community_id, rounds.c.call_id == call)
    row = connection.execute(query).one_or_none()
    return None if row is None else round_of(row)


def live_rounds_of(connection: Connection, community_id: int) -> list[Round]:
    """Every live round of a community that has not ended."""
    query = round_query().where(
        places.c.community_id == community_id,
        rounds.c.mode == "live",
        rounds.c.ended_at.is_(None),
    )
    return [round_of(row) for row in connection.execute(query)]


def open_rounds_of(connection: Connection, community_id: int) -> list[Round]:
    """Every daily of a community that has not closed."""
    query = round_query().where(
        places.c.community_id == community_id,
        rounds.c.mode == "open",
        rounds.c.ended_at.is_(None),
    )
    return [round_of(row) for row in connection.execute(query)]


def players_of(connection: Connection, round_id: int, positions: Sequence[int]) -> frozenset[int]:
    """Who answered any of these steps."""
    return frozenset(connection.execute(players_query(round_id, positions)).scalars())


# --- inside -----------------------------------------------------------------------------------


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
