"""Steps as a batch of answers finds them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import Connection, func, select

from bot import rules
from bot.content import Question
from bot.outcomes import Draft
from bot.store.schema import communities, question_versions, questions, rounds, steps
from bot.store.versions import load

_REMEMBERED = 4_096


@dataclass(frozen=True, slots=True)
class Asked:
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


class Keys:
    """Questions by version id; forget them when the transaction that made some is undone."""

    def __init__(self) -> None:
        self._known: OrderedDict[int, Question] = OrderedDict()

    def forget(self) -> None:
        self._known.clear()

    def of(self, connection: Connection, version_ids: set[int]) -> dict[int, Question]:
        missing = version_ids - self._known.keys()
        if missing:
            query = select(question_versions.c.id, question_versions.c.content).where(
                question_versions.c.id.in_(sorted(missing))
            )
            self._known |= {row.id: load(row.content) for row in connection.execute(query)}
        found = {version_id: self._known[version_id] for version_id in version_ids}
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)
        return found


def read_asked(connection: Connection, keys: Keys, step_ids: Iterable[int]) -> dict[int, Asked]:
    """The steps as they are now; on PostgreSQL they, and their keys, stay so until the commit."""
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
            # Not joined to its version: PostgreSQL, where it had to wait for the lock, would
            # look for the new version in the row that it had found for the old one.
            func.coalesce(questions.c.current_version, steps.c.version_id),
        )
        .join_from(steps, rounds, rounds.c.id == steps.c.round_id)
        .join(communities, communities.c.id == rounds.c.community_id)
        .join(questions, questions.c.id == steps.c.question_id)
        .where(steps.c.id.in_(sorted(step_ids)))
        .order_by(steps.c.id)
        # A close updates the row, so it waits for these answers, or they see it.
        .with_for_update(read=True, of=[steps, questions])
    )
    rows: list[list[Any]] = [list(row) for row in connection.execute(query)]
    known = keys.of(connection, {row[-1] for row in rows})
    for row in rows:
        row.append(known[row[-1]])
    return {row[0]: Asked(*row) for row in rows}


def closed_at(step: Asked, draft: Draft) -> datetime | None:
    """When it was too late for this answer; None if it is in time."""
    if step.closed_at is not None:
        return step.closed_at
    if step.cutoff_at is not None and draft.pressed_at > step.cutoff_at:
        return step.cutoff_at
    return None


def occasion_of(mode: str, day: str) -> str | None:
    """What a first attempt of this date counts for; None where it is practice."""
    if mode == "live":
        return rules.iso_week(date.fromisoformat(day))
    return f"day:{day}" if mode == "open" else None
