"""Daily quizzes to measure with: one in each place, and a term of days that everybody answered."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, select, text

from bot.calendar import Recurrence
from bot.schedules import Plan
from bot.store import schedules
from bot.store.places import place_columns, place_of
from bot.store.schema import communities, persons, places

PAST = 100


def set_dailies(connection: Connection, topics: Sequence[str], now: datetime) -> None:
    """In the places of groups that there are, one quiz each, in the order of both."""
    host = connection.execute(select(persons.c.id)).scalar_one()
    query = (
        select(*place_columns())
        .join_from(places, communities, communities.c.id == places.c.community_id)
        .where(communities.c.personal.is_(False))
        .order_by(places.c.id)
    )
    for row, topic in zip(connection.execute(query).all(), topics, strict=True):
        recurrence = Recurrence(time(0), ZoneInfo("UTC"))
        plan = Plan(recurrence, topics=(topic,), shuffled=False)
        schedules.insert_schedule(
            connection, place_of(row), plan, set_by=host, seed="bench", now=now
        )


def add_past(connection: Connection, today: date) -> None:
    """What the first place was asked on the days before, once more on each."""
    days = [
        {"id": 1_000_000 + number, "day": (today - timedelta(days=number)).isoformat()}
        for number in range(1, PAST + 1)
    ]
    for statement in _DAY:
        connection.execute(text(statement), days)
    for statement in _ANSWERED:
        connection.execute(text(statement))


_DAY = (
    """
    INSERT INTO rounds (id, community_id, place_id, mode, state, topic, title, language,
        started_at, ended_at)
    SELECT :id, community_id, place_id, mode, 'ended', topic, title, language, started_at,
        started_at
    FROM rounds WHERE id = (SELECT min(id) FROM rounds)
    """,
    """
    INSERT INTO steps (id, round_id, position, version_id, question_id, option_order, date,
        opened_at, opened_host_at, closed_at)
    SELECT :id, :id, 1, version_id, question_id, option_order, :day, opened_at, opened_host_at,
        opened_at
    FROM steps WHERE id = (SELECT min(id) FROM steps)
    """,
    """
    INSERT INTO occurrences (schedule_id, date, state, round_id, posts_at, created_at)
    SELECT schedule_id, :day, state, :id, posts_at, created_at
    FROM occurrences WHERE id = (SELECT min(id) FROM occurrences)
    """,
)
_ANSWERED = (
    """
    INSERT INTO attempts (step_id, player_id, question_id, answer, language, pressed_at,
        received_at, date, counts)
    SELECT steps.id, players.id, question_id, '{"options": ["a"]}', 'en', opened_at, opened_at,
        date, 'day:' || date
    FROM steps CROSS JOIN players WHERE steps.id > 1000000
    """,
    """
    INSERT INTO marks (step_id, player_id, version_id, is_right, points)
    SELECT attempts.step_id, player_id, version_id, 1, 10
    FROM attempts JOIN steps ON steps.id = attempts.step_id WHERE steps.id > 1000000
    """,
)
