"""Rounds and steps: how their rows are asked for, and read as values."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, FromClause, Row, Select, func, select

from bot.state import BrokenOff, Round, Step
from bot.store.places import place_columns, place_of
from bot.store.schema import (
    attempts,
    banks,
    communities,
    outbox,
    places,
    question_versions,
    questions,
    rounds,
    steps,
)
from bot.store.versions import fits_key, load, with_key


# A query never changes once it is made, and making one takes longer than SQLite takes to run it.
@cache
def round_query() -> Select[Any]:
    """Rows for `round_of`."""
    length = (
        select(func.count())
        # Below position 1 stands what was left out.
        .where(steps.c.round_id == rounds.c.id, steps.c.position > 0)
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


@cache
def step_query() -> Select[Any]:
    """Rows for `step_of`, and so for `round_of`."""
    post, today = outbox.alias("post"), question_versions.alias("today")
    return (
        round_query()
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
        .outerjoin(post, is_post_of_step(post))
    )


def is_post_of_step(post: FromClause) -> ColumnElement[bool]:
    """Whether a row of the outbox is the message of a step: its own, or that of its daily."""
    own = (post.c.step_id == steps.c.id) & (post.c.kind == "question")
    of_daily = (post.c.round_id == steps.c.round_id) & (post.c.kind == "daily")
    return (own | of_daily) & (post.c.op == "post")


def players_query(round_id: int, positions: Sequence[int]) -> Select[Any]:
    """The ids of the players who answered any of these steps."""
    return (
        select(attempts.c.player_id)
        .join_from(attempts, steps, steps.c.id == attempts.c.step_id)
        .where(steps.c.round_id == round_id, steps.c.position.in_(positions))
    )


def round_of(row: Row[Any]) -> Round:
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
        broken_off=_broken_off(row),
        closes_at=row.window_closes_at,
    )


def step_of(row: Row[Any]) -> Step:
    asked = load(row.content)
    today = asked if row.content_today is None else load(row.content_today)
    return Step(
        id=row.id,
        round=round_of(row),
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
    rounds.c.window_closes_at,
    rounds.c.ended_at,
    rounds.c.ended_why,
    rounds.c.ended_lacking,
)


def _broken_off(row: Row[Any]) -> BrokenOff | None:
    if row.ended_why is None:
        return None
    return BrokenOff(row.ended_why, tuple(json.loads(row.ended_lacking)))
