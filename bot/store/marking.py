"""What an attempt is worth under the key of today, by its row."""

from __future__ import annotations

from functools import cache
from typing import Any

from sqlalchemy import Row, Select, func, select

from bot import rules
from bot.content import Question
from bot.store.bulk import Bulk
from bot.store.dialects import Upsert, bank_key
from bot.store.given import is_mark_of_attempt, read_answer
from bot.store.schema import (
    attempts,
    banks,
    communities,
    marks,
    questions,
    rounds,
    steps,
)
from bot.store.scores import Spot, reach_of


@cache
def marked_query() -> Select[Any]:
    """Rows for `mark_of`: attempts with their marks, and the version whose key holds today."""
    today = func.coalesce(questions.c.current_version, steps.c.version_id)
    return (
        select(
            attempts.c.step_id,
            attempts.c.player_id,
            attempts.c.answer,
            attempts.c.pressed_at,
            attempts.c.date,
            attempts.c.counts,
            steps.c.opened_at,
            steps.c.seconds,
            rounds.c.speed,
            rounds.c.community_id,
            rounds.c.place_id,
            bank_key(banks).label("topic"),
            communities.c.seasons,
            steps.c.version_id,
            today.label("today"),
            marks.c.version_id.label("marked_by"),
            marks.c.is_right,
            marks.c.points,
        )
        .join_from(attempts, steps, steps.c.id == attempts.c.step_id)
        .join(rounds, rounds.c.id == steps.c.round_id)
        .join(communities, communities.c.id == rounds.c.community_id)
        .join(questions, questions.c.id == steps.c.question_id)
        .join(banks, banks.c.id == questions.c.bank)
        .outerjoin(marks, is_mark_of_attempt())
        .order_by(attempts.c.step_id, attempts.c.player_id)
    )


def mark_of(row: Row[Any], question: Question) -> rules.Mark:
    """What an attempt is worth under a key."""
    return rules.mark(
        question,
        read_answer(row.answer),
        speed=row.speed,
        elapsed=rules.elapsed_seconds(row.pressed_at, row.opened_at),
        seconds=row.seconds,
    )


def spot_in(row: Row[Any]) -> Spot:
    """On which boards an attempt that counts stands, by its row."""
    reach = reach_of(row.counts)
    return Spot(row.community_id, row.place_id, row.date, row.topic, row.seasons, reach)


def _replacing(new: Upsert) -> Upsert:
    return new.on_conflict_do_update(
        index_elements=[marks.c.step_id, marks.c.player_id],
        set_={
            "version_id": new.excluded.version_id,
            "is_right": new.excluded.is_right,
            "points": new.excluded.points,
        },
    )


MARKS = Bulk(marks, _replacing)
