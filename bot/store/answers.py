"""Answers, many at once: which is first, which counts, and what it is worth."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, Row, func, select

from bot import rules
from bot.content import Question
from bot.outcomes import Again, Attempt, Draft, First, Late, NoStep, Practice, Recorded
from bot.store import scores
from bot.store.bulk import Bulk
from bot.store.crowd import ensure_players, find_players
from bot.store.schema import (
    attempts,
    communities,
    marks,
    microseconds,
    question_versions,
    questions,
    rounds,
    steps,
)
from bot.store.versions import load


@dataclass(frozen=True, slots=True)
class _Asked:
    """A step as it stands in this transaction; `version_id` is the one whose key holds today."""

    step_id: int
    question_id: int
    community_id: int
    place_id: int
    mode: str
    speed: bool
    seconds: int | None
    date: str | None
    zone: str | None
    opened_at: datetime | None
    cutoff_at: datetime | None
    closed_at: datetime | None
    version_id: int
    question: Question


@dataclass(frozen=True, slots=True)
class _Press:
    """A draft that is in time; `index` is its place in the batch."""

    index: int
    draft: Draft
    step: _Asked
    player_id: int
    date: str
    counts: str | None

    @property
    def key(self) -> tuple[int, int]:
        return self.step.step_id, self.player_id


class Answers:
    """Records batches of answers; remembers nothing but the ids of boards."""

    def __init__(self, zone: ZoneInfo) -> None:
        self._zone = zone
        self._boards = scores.Boards()

    def forget(self) -> None:
        """The transaction was undone, and ids that were given out in it with it."""
        self._boards.forget()

    def record(self, connection: Connection, drafts: Sequence[Draft]) -> list[Recorded]:
        """What came of each, in the same order; of equal ones the earlier draft is first."""
        asked = _asked(connection, {draft.step_id for draft in drafts})
        done: dict[int, Recorded] = {}
        in_time: list[tuple[int, Draft, _Asked]] = []
        late: list[tuple[int, Draft, _Asked]] = []
        for index, draft in enumerate(drafts):
            step = asked.get(draft.step_id)
            if step is None:
                done[index] = NoStep()
            else:
                (in_time if _closed_at(step, draft) is None else late).append((index, draft, step))
        if in_time:
            done |= self._take(connection, in_time)
        if late:
            done |= _refuse(connection, late)
        return [done[index] for index in range(len(drafts))]

    def _take(
        self, connection: Connection, in_time: Sequence[tuple[int, Draft, _Asked]]
    ) -> dict[int, Recorded]:
        players = ensure_players(
            connection,
            [(draft.person, step.community_id, draft.received_at) for _, draft, step in in_time],
        )
        presses = [
            self._press(index, draft, step, player)
            for (index, draft, step), player in zip(in_time, players, strict=True)
        ]
        firsts = _insert_first(connection, presses)
        done: dict[int, Recorded] = {press.index: First(made) for press, made in firsts}
        self._add_up(connection, firsts)
        done |= _again(connection, [press for press in presses if press.index not in done])
        return done

    def _press(self, index: int, draft: Draft, step: _Asked, player_id: int) -> _Press:
        day = step.date or self._local_date(step, draft.pressed_at)
        return _Press(index, draft, step, player_id, day, _counts(step.mode, day))

    def _local_date(self, step: _Asked, at: datetime) -> str:
        zone = self._zone if step.zone is None else ZoneInfo(step.zone)
        return at.astimezone(zone).date().isoformat()

    def _add_up(self, connection: Connection, firsts: Sequence[tuple[_Press, Attempt]]) -> None:
        rows = [
            (made.step_id, made.player_id, press.step.version_id, made.is_right, made.points)
            for press, made in firsts
        ]
        _MARKS.run(connection, rows)
        sums = scores.Sums()
        for press, made in firsts:
            if made.counts is not None:
                step = press.step
                boards = self._boards.of(connection, step.community_id, step.place_id, made.date)
                sums.add(boards, made.player_id, made.points, made.is_right)
        sums.save(connection)


# --- judging ---------------------------------------------------------------------------------


def _asked(connection: Connection, step_ids: Iterable[int]) -> dict[int, _Asked]:
    """The steps as they are now; on PostgreSQL they, and their keys, stay so until the commit."""
    version = func.coalesce(questions.c.current_version, steps.c.version_id)
    query = (
        select(
            steps.c.id,
            steps.c.question_id,
            rounds.c.community_id,
            rounds.c.place_id,
            rounds.c.mode,
            rounds.c.speed,
            steps.c.seconds,
            steps.c.date,
            communities.c.zone,
            steps.c.opened_at,
            steps.c.cutoff_at,
            steps.c.closed_at,
            question_versions.c.id,
            question_versions.c.content,
        )
        .join_from(steps, rounds, rounds.c.id == steps.c.round_id)
        .join(communities, communities.c.id == rounds.c.community_id)
        .join(questions, questions.c.id == steps.c.question_id)
        .join(question_versions, question_versions.c.id == version)
        .where(steps.c.id.in_(sorted(step_ids)))
        .order_by(steps.c.id)
        # A close updates the row, so it waits for these answers, or they see it.
        .with_for_update(read=True, of=[steps, questions])
    )
    found: dict[int, _Asked] = {}
    for row in connection.execute(query):
        values: list[Any] = [*row[:-1], load(row[-1])]
        found[row[0]] = _Asked(*values)
    return found


def _closed_at(step: _Asked, draft: Draft) -> datetime | None:
    if step.closed_at is not None:
        return step.closed_at
    if step.cutoff_at is not None and draft.pressed_at > step.cutoff_at:
        return step.cutoff_at
    return None


def _counts(mode: str, day: str) -> str | None:
    if mode == "live":
        return rules.iso_week(date.fromisoformat(day))
    return f"day:{day}" if mode == "open" else None


# --- inserting -------------------------------------------------------------------------------


def _insert_first(
    connection: Connection, presses: Sequence[_Press]
) -> list[tuple[_Press, Attempt]]:
    """Those that were stored: the first of each player on each step.

    First as counting; the database refuses that to one whose player has a counting answer to
    the question already, and then it is stored as practice. Another process may be inserting
    at this moment: the unique index decides, and neither answer is lost.
    """
    firsts: dict[tuple[int, int], _Press] = {}
    for press in presses:
        firsts.setdefault(press.key, press)
    counting: dict[object, _Press] = {}
    for press in firsts.values():
        claim = (press.player_id, press.step.question_id, press.counts)
        counting.setdefault(press.key if press.counts is None else claim, press)
    made = _insert(connection, list(counting.values()), _as_counting)
    stored = {press.key for press, _ in made}
    left = [press for press in firsts.values() if press.key not in stored and press.counts]
    return made + _insert(connection, left, _as_repeated)


def _insert(
    connection: Connection,
    presses: Sequence[_Press],
    as_attempt: Callable[[_Press], Attempt],
) -> list[tuple[_Press, Attempt]]:
    # Two processes that insert in the same order of players and questions wait for each
    # other only in a line, never in a circle.
    ordered = sorted(presses, key=lambda press: (press.player_id, press.step.question_id))
    made = {press.key: (press, as_attempt(press)) for press in ordered}
    rows = [_row(press, attempt) for press, attempt in made.values()]
    stored = _ATTEMPTS.run(connection, rows)
    return [made[step_id, player_id] for step_id, player_id in stored]


_ATTEMPTS = Bulk(
    attempts,
    lambda new: new.on_conflict_do_nothing().returning(attempts.c.step_id, attempts.c.player_id),
)
_MARKS = Bulk(marks, lambda new: new)


def _row(press: _Press, attempt: Attempt) -> tuple[object, ...]:
    return (
        attempt.step_id,
        attempt.player_id,
        press.step.question_id,
        dump_answer(attempt.answer),
        attempt.language,
        microseconds(attempt.pressed_at),
        microseconds(press.draft.received_at),
        attempt.date,
        attempt.counts,
        attempt.practice,
    )


def _as_counting(press: _Press) -> Attempt:
    return _attempt(press, press.counts, None if press.counts else "solo")


def _as_repeated(press: _Press) -> Attempt:
    return _attempt(press, None, "again")


def _attempt(press: _Press, counts: str | None, practice: Practice | None) -> Attempt:
    step, draft = press.step, press.draft
    mark = rules.mark(
        step.question,
        draft.answer,
        speed=step.speed,
        elapsed=rules.elapsed_seconds(draft.pressed_at, step.opened_at),
        seconds=step.seconds,
    )
    return Attempt(
        step_id=step.step_id,
        player_id=press.player_id,
        answer=draft.answer,
        language=draft.language,
        pressed_at=draft.pressed_at,
        date=press.date,
        counts=counts,
        practice=practice,
        is_right=mark.is_right,
        points=0 if counts is None else mark.points,
    )


# --- what stands already ---------------------------------------------------------------------


def _again(connection: Connection, presses: Sequence[_Press]) -> dict[int, Recorded]:
    standing = _standing(connection, {press.key for press in presses})
    return {press.index: _seen(press.draft, standing[press.key]) for press in presses}


def _refuse(
    connection: Connection, late: Sequence[tuple[int, Draft, _Asked]]
) -> dict[int, Recorded]:
    """Too late; but who had answered in time is told what they answered, as at any time."""
    found = find_players(connection, [(draft.person, step.community_id) for _, draft, step in late])
    keys = [
        (step.step_id, player) for (_, _, step), player in zip(late, found, strict=True) if player
    ]
    standing = _standing(connection, keys)
    done: dict[int, Recorded] = {}
    for (index, draft, step), player in zip(late, found, strict=True):
        attempt = None if player is None else standing.get((step.step_id, player))
        if attempt is not None:
            done[index] = _seen(draft, attempt)
        else:
            done[index] = Late(_closed_at(step, draft) or draft.received_at)
    return done


def _seen(draft: Draft, attempt: Attempt) -> Again:
    return Again(attempt, same_press=attempt.pressed_at == draft.pressed_at)


def _standing(
    connection: Connection, keys: Iterable[tuple[int, int]]
) -> dict[tuple[int, int], Attempt]:
    by_step: dict[int, set[int]] = {}
    for step_id, player_id in keys:
        by_step.setdefault(step_id, set()).add(player_id)
    found: dict[tuple[int, int], Attempt] = {}
    for step_id, player_ids in by_step.items():
        query = (
            select(attempts, marks.c.is_right, marks.c.points)
            .join_from(
                attempts,
                marks,
                (marks.c.step_id == attempts.c.step_id)
                & (marks.c.player_id == attempts.c.player_id),
            )
            .where(attempts.c.step_id == step_id, attempts.c.player_id.in_(sorted(player_ids)))
        )
        for row in connection.execute(query):
            found[step_id, row.player_id] = _stored(row)
    return found


def _stored(row: Row[Any]) -> Attempt:
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
    )


@lru_cache(maxsize=4096)
def dump_answer(answer: tuple[str, ...]) -> str:
    """An answer as its column holds it."""
    return json.dumps({"options": answer}, ensure_ascii=False)
