"""New answers as rows: stored where there is none yet, marked, and added to the totals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection

from bot import rules
from bot.outcomes import Attempt, Practice
from bot.store import standing
from bot.store.asked import Asked, spot_of
from bot.store.bulk import Bulk
from bot.store.given import dump_answer
from bot.store.schema import attempts, marks, microseconds
from bot.store.scores import Boards, Sums, reach_of


class Fresh(NamedTuple):
    """An answer to a step that is about to be stored."""

    step: Asked
    attempt: Attempt
    received_at: datetime


class Given(NamedTuple):
    """What somebody answered, to whatever step."""

    player_id: int
    answer: tuple[str, ...]
    language: str
    pressed_at: datetime
    received_at: datetime


def attempt_at(
    step: Asked, given: Given, day: str, counts: str | None, practice: Practice | None
) -> Attempt:
    """It as an attempt at a step, with its mark there."""
    mark = rules.mark(
        step.question,
        given.answer,
        speed=step.speed,
        elapsed=rules.elapsed_seconds(given.pressed_at, step.opened_at),
        seconds=step.seconds,
    )
    return Attempt(
        step_id=step.step_id,
        player_id=given.player_id,
        answer=given.answer,
        language=given.language,
        pressed_at=given.pressed_at,
        date=day,
        counts=counts,
        practice=practice,
        is_right=mark.is_right,
        points=0 if counts is None else mark.points,
        marked_by=step.version_id,
    )


def insert_fresh(connection: Connection, fresh: Iterable[Fresh]) -> list[Fresh]:
    """Those that were stored, in this order; the database refuses what must not be there twice."""
    made = {(new.attempt.step_id, new.attempt.player_id): new for new in fresh}
    stored = _ATTEMPTS.run(connection, [_row(new) for new in made.values()])
    return [made[step_id, player_id] for step_id, player_id in stored]


def add_up(connection: Connection, boards: Boards, stored: Sequence[Fresh]) -> None:
    """Their marks, and what they add to totals."""
    rows = [
        (made.step_id, made.player_id, made.marked_by, made.is_right, made.points)
        for _, made, _ in stored
    ]
    _MARKS.run(connection, rows)
    counting = [
        (spot_of(step, made.date, reach_of(made.counts)), made)
        for step, made, _ in stored
        if made.counts is not None
    ]
    # In order, as everything that two processes may be making at the same time.
    ids = {spot: boards.of(connection, spot) for spot in sorted({spot for spot, _ in counting})}
    sums = Sums()
    for spot, made in counting:
        sums.add(ids[spot], made.player_id, made.points, made.is_right)
    sums.save(connection)
    _show(connection, stored)


def _show(connection: Connection, stored: Sequence[Fresh]) -> None:
    """Let the standing boards know that may show less now than there is."""
    changed = [step for step, made, _ in stored if step.is_shown and made.counts is not None]
    if changed:
        standing.mark_dirty(
            connection,
            {step.community_id for step in changed},
            {step.place_id for step in changed},
            max(new.received_at for new in stored),
        )


_ATTEMPTS = Bulk(
    attempts,
    lambda new: new.on_conflict_do_nothing().returning(attempts.c.step_id, attempts.c.player_id),
)
_MARKS = Bulk(marks, lambda new: new)


def _row(new: Fresh) -> tuple[object, ...]:
    attempt = new.attempt
    return (
        attempt.step_id,
        attempt.player_id,
        new.step.question_id,
        dump_answer(attempt.answer),
        attempt.language,
        microseconds(attempt.pressed_at),
        microseconds(new.received_at),
        attempt.date,
        attempt.counts,
        attempt.practice,
    )
