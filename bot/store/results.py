"""What was answered: to a question, in a round, by a person."""

from __future__ import annotations

import json
from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.outcomes import Attempt
from bot.state import Standing, Step, Tally
from bot.store.given import attempt_in, given_query, is_mark_of_attempt
from bot.store.rows import players_query, step_of, step_query
from bot.store.schema import attempts, marks, persons, players, steps


async def answered_count(connection: AsyncConnection, step_id: int) -> int:
    query = select(func.count()).where(attempts.c.step_id == step_id)
    return int((await connection.execute(query)).scalar_one())


async def players_of(
    connection: AsyncConnection, round_id: int, positions: Sequence[int]
) -> frozenset[int]:
    """Who answered any of these questions."""
    return frozenset((await connection.execute(players_query(round_id, positions))).scalars())


async def tally_of(connection: AsyncConnection, step_id: int) -> Tally:
    query = (
        select(attempts.c.answer, marks.c.is_right, func.count())
        .join_from(attempts, marks, is_mark_of_attempt())
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
        .join(marks, is_mark_of_attempt())
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
    query = given_query().where(
        attempts.c.step_id == step_id,
        players.c.community_id == community_id,
        players.c.person_id == person_id,
    )
    row = (await connection.execute(query)).one_or_none()
    return None if row is None else attempt_in(row)


async def answered_among(
    connection: AsyncConnection, step_ids: Sequence[int], community_id: int, person_id: int
) -> frozenset[int]:
    """Which of these steps a person has answered."""
    query = (
        select(attempts.c.step_id)
        .join_from(attempts, players, players.c.id == attempts.c.player_id)
        .where(
            attempts.c.step_id.in_(step_ids),
            players.c.community_id == community_id,
            players.c.person_id == person_id,
        )
    )
    return frozenset((await connection.execute(query)).scalars())


async def attempts_in_round(
    connection: AsyncConnection, round_id: int, person_id: int
) -> dict[int, Attempt]:
    """A person's answers in a round, by step id."""
    query = (
        given_query()
        .join(steps, steps.c.id == attempts.c.step_id)
        .where(steps.c.round_id == round_id, players.c.person_id == person_id)
    )
    return {row.step_id: attempt_in(row) for row in await connection.execute(query)}


async def answers_of(
    connection: AsyncConnection, community_id: int, person_id: int, *, skip: int, most: int
) -> list[tuple[Step, Attempt]]:
    """A person's answers in a community, the newest first."""
    query = (
        given_query()
        .where(players.c.community_id == community_id, players.c.person_id == person_id)
        .order_by(attempts.c.pressed_at.desc(), attempts.c.step_id.desc())
        .offset(skip)
        .limit(most)
    )
    found = [attempt_in(row) for row in await connection.execute(query)]
    wanted = step_query().where(steps.c.id.in_([attempt.step_id for attempt in found]))
    by_id = {row.id: step_of(row) for row in await connection.execute(wanted)}
    return [(by_id[attempt.step_id], attempt) for attempt in found]


_INTEGER = marks.c.points.type
