"""Steps as a batch of answers finds them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import (
    Connection,
    Select,
    bindparam,
    func,
    literal_column,
    select,
)

from bot import rules
from bot.content import Question
from bot.outcomes import Draft
from bot.store.dialects import among, bank_key, several
from bot.store.schema import (
    banks,
    communities,
    question_versions,
    questions,
    rounds,
    standing_boards,
    steps,
)
from bot.store.scores import Reach, Spot
from bot.store.versions import fits_key, load, with_key

_REMEMBERED = 4_096


@dataclass(frozen=True, slots=True)
class Asked:
    """A step as it stands in this transaction.

    `topic` is the key of its question's bank, `seasons` the column of its community.
    `is_shown`: some standing board shows less than there is once an answer is added.
    `version_id` is the version whose key holds today, `question` the one that was asked, under it.
    """

    step_id: int
    question_id: int
    community_id: int
    place_id: int
    topic: str
    seasons: str
    is_shown: bool
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


_VERSIONS = select(question_versions.c.id, question_versions.c.content).where(
    among(question_versions.c.id, bindparam("ids"))
)


class Keys:
    """Questions by version id; forget them when the transaction that made some is undone."""

    def __init__(self) -> None:
        self._known: OrderedDict[int, Question] = OrderedDict()

    def forget(self) -> None:
        self._known.clear()

    def of(self, connection: Connection, version_ids: set[int]) -> dict[int, Question]:
        missing = version_ids - self._known.keys()
        if missing:
            rows = connection.execute(_VERSIONS, {"ids": several(connection, missing)})
            self._known |= {row.id: load(row.content) for row in rows}
        found = {version_id: self._known[version_id] for version_id in version_ids}
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)
        return found

    def held(
        self, connection: Connection, pairs: Iterable[tuple[int, int]]
    ) -> dict[tuple[int, int], tuple[int, Question]]:
        """By a version and today's of its question: whose key holds, and the version under it."""
        wanted = set(pairs)
        known = self.of(connection, {version_id for pair in wanted for version_id in pair})
        return {
            (asked, today): (
                today if fits_key(known[asked], known[today]) else asked,
                with_key(known[asked], known[today]),
            )
            for asked, today in wanted
        }


_IS_SHOWN = (
    select(standing_boards.c.place_id)
    .where(
        standing_boards.c.community_id == rounds.c.community_id,
        standing_boards.c.dirty_at.is_(None),
    )
    .correlate(rounds)
    .exists()
)
_STEPS = (
    select(
        steps.c.id,
        steps.c.question_id,
        rounds.c.community_id,
        rounds.c.place_id,
        bank_key(banks),
        communities.c.seasons,
        _IS_SHOWN,
        rounds.c.mode,
        rounds.c.speed,
        steps.c.seconds,
        steps.c.date,
        communities.c.zone,
        steps.c.opened_at,
        steps.c.cutoff_at,
        steps.c.closed_at,
        steps.c.version_id,
        # Not joined to its version: PostgreSQL, where it had to wait for the lock, would
        # look for the new version in the row that it had found for the old one.
        func.coalesce(questions.c.current_version, steps.c.version_id),
    )
    .join_from(steps, rounds, rounds.c.id == steps.c.round_id)
    .join(communities, communities.c.id == rounds.c.community_id)
    .join(questions, questions.c.id == steps.c.question_id)
    .join(banks, banks.c.id == questions.c.bank)
    .order_by(steps.c.id)
    # A close updates the row, so it waits for these answers, or they see it; so do a key that is
    # repaired and a season that begins.
    .with_for_update(read=True, of=[steps, questions, communities])
)
_ASKED = _STEPS.where(among(steps.c.id, bindparam("ids")))
IS_OPEN = (rounds.c.mode == literal_column("'open'")) & rounds.c.ended_at.is_(None)
"""Rounds of dailies that have not ended; said as the index says it, so that it is used."""

_TWINS = _STEPS.where(
    IS_OPEN,
    among(rounds.c.community_id, bindparam("communities")),
    among(steps.c.question_id, bindparam("questions")),
    steps.c.opened_at.is_not(None),
    steps.c.closed_at.is_(None),
)


def read_asked(connection: Connection, keys: Keys, step_ids: Iterable[int]) -> dict[int, Asked]:
    """The steps as they are now; on PostgreSQL they, and their keys, stay so until the commit."""
    return _read(connection, keys, _ASKED, {"ids": several(connection, step_ids)})


def read_twins(connection: Connection, keys: Keys, of: Iterable[Asked]) -> dict[int, list[Asked]]:
    """By step, the others of its community in which the same question stands open.

    They stay so until the commit. Ask for those of dailies only.
    """
    wanted = list(of)
    values = {
        "communities": several(connection, {step.community_id for step in wanted}),
        "questions": several(connection, {step.question_id for step in wanted}),
    }
    found = _read(connection, keys, _TWINS, values).values()
    return {
        step.step_id: [
            other
            for other in found
            if other.step_id != step.step_id
            and (other.community_id, other.question_id) == (step.community_id, step.question_id)
        ]
        for step in wanted
    }


def _read(
    connection: Connection, keys: Keys, query: Select[Any], values: dict[str, object]
) -> dict[int, Asked]:
    found = connection.execute(query, values)
    rows: list[list[Any]] = [list(row) for row in found]
    held = keys.held(connection, {(row[-2], row[-1]) for row in rows})
    for row in rows:
        row[-2:] = held[row[-2], row[-1]]
    return {row[0]: Asked(*row) for row in rows}


def spot_of(step: Asked, day: str, reach: Reach) -> Spot:
    """On which boards an answer to it stands."""
    return Spot(step.community_id, step.place_id, day, step.topic, step.seasons, reach)


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
