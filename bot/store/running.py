"""Live rounds that run: what they have asked, and what they ask instead or leave out."""

from __future__ import annotations

import json
from collections.abc import Collection
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    ScalarSelect,
    Select,
    func,
    literal_column,
    or_,
    select,
    update,
)

from bot.drawing import Key
from bot.state import Step
from bot.store.dialects import bank_key
from bot.store.rounds import NewStep
from bot.store.rows import step_of, step_query
from bot.store.schema import banks, questions, rounds, steps

# Said as the index of live rounds that run says it.
_RUNS = (rounds.c.mode == literal_column("'live'")) & rounds.c.ended_at.is_(None)


def keys_of(connection: Connection, round_id: int) -> dict[int, Key]:
    """The questions of a round by step, those that it has left out among them."""
    query = _keys_query().where(steps.c.round_id == round_id)
    return {row.id: (row.bank, row.name) for row in connection.execute(query)}


def asked_live(connection: Connection, community_id: int) -> set[Key]:
    """What the live rounds that run in a community have asked, or are asking."""
    asking = (rounds.c.state == "waiting") & (steps.c.position == _first_unasked())
    query = _keys_query().where(
        _RUNS, _is_in(community_id), or_(steps.c.opened_at.is_not(None), asking)
    )
    return {(row.bank, row.name) for row in connection.execute(query)}


def open_in_live(
    connection: Connection, community_id: int, question_ids: Collection[int]
) -> list[Step]:
    """The steps of a community's live rounds in which one of these questions stands open."""
    query = step_query().where(
        _RUNS,
        _is_in(community_id),
        steps.c.question_id.in_(question_ids),
        steps.c.opened_at.is_not(None),
        steps.c.closed_at.is_(None),
    )
    return [step_of(row) for row in connection.execute(query.order_by(steps.c.id))]


def closed_in_live(
    connection: Connection,
    community_id: int,
    question_ids: Collection[int],
    since: datetime,
    before: datetime,
) -> list[Step]:
    """The steps of a community's live rounds that closed in between and asked one of these."""
    closed = (
        step_query()
        .where(
            rounds.c.mode == "live",
            steps.c.question_id.in_(question_ids),
            steps.c.opened_at.is_not(None),
            steps.c.closed_at >= since,
            steps.c.closed_at < before,
        )
        .order_by(steps.c.id)
    )
    # Apart, so that each is found by an index.
    ended = closed.where(rounds.c.community_id == community_id, rounds.c.ended_at >= since)
    running = closed.where(_RUNS, _is_in(community_id))
    return [step_of(row) for query in (ended, running) for row in connection.execute(query)]


def replace_step(connection: Connection, step_id: int, new: NewStep) -> None:
    """Ask something else in the stead of what was not asked yet."""
    connection.execute(
        update(steps)
        .where(steps.c.id == step_id)
        .values(
            version_id=new.version.version_id,
            question_id=new.version.question_id,
            option_order=json.dumps(new.order),
            seconds=new.seconds,
        )
    )


def leave_out(connection: Connection, step: Step) -> None:
    """Take a question that was not asked yet out of its round; the later ones move up.

    It is kept below position 1, so that the round can say how many it has left out.
    """
    of_round = steps.c.round_id == step.round.id
    lowest = connection.execute(select(func.min(steps.c.position)).where(of_round)).scalar_one()
    _move(connection, step.id, min(lowest, 1) - 1)
    later = select(steps.c.id, steps.c.position).where(of_round, steps.c.position > step.position)
    # One after the other: two of a round never have the same position.
    for step_id, position in connection.execute(later.order_by(steps.c.position)).all():
        _move(connection, step_id, position - 1)


# --- inside ----------------------------------------------------------------------------------


@cache
def _keys_query() -> Select[Any]:
    return (
        select(steps.c.id, bank_key(banks).label("bank"), questions.c.question_id.label("name"))
        .join_from(rounds, steps, steps.c.round_id == rounds.c.id)
        .join(questions, questions.c.id == steps.c.question_id)
        .join(banks, banks.c.id == questions.c.bank)
    )


def _is_in(community_id: int) -> ColumnElement[bool]:
    """Looked at after the rest: by its own index, all the practice that nobody ended is read."""
    is_in: ColumnElement[bool] = rounds.c.community_id + literal_column("0") == community_id
    return is_in


def _first_unasked() -> ScalarSelect[Any]:
    later = steps.alias("later")
    return (
        select(func.min(later.c.position))
        .where(later.c.round_id == rounds.c.id, later.c.position > 0, later.c.opened_at.is_(None))
        .correlate(rounds)
        .scalar_subquery()
    )


def _move(connection: Connection, step_id: int, position: int) -> None:
    connection.execute(update(steps).where(steps.c.id == step_id).values(position=position))
