"""What was asked is counted on each board, and a topic has boards for every period."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import groupby
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

# Spelt out once more, not taken from the program: that moves on, this stays what it was.
ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

_Key = tuple[int, str, str, str]  # place or 0, topic or "", period, first day


def upgrade() -> None:
    connection = op.get_bind()
    seasons = {
        community_id: [date.fromisoformat(day) for day in json.loads(begun)]
        for community_id, begun in connection.execute(
            sa.text("SELECT id, seasons FROM communities ORDER BY id")
        )
    }
    # What takes long comes first, also before the revisions after this one: a process of before may
    # be taking answers, and from where a table is changed up to the commit it waits.
    _add_up_topics(connection, seasons)
    _change_tables()
    for community_id, begun in seasons.items():
        _count_asked(connection, community_id, begun)


def _change_tables() -> None:
    op.create_table(
        "occasions",
        sa.Column("community_id", ID, nullable=False),
        sa.Column("question_id", ID, nullable=False),
        sa.Column("occasion", sa.Text(), nullable=False),
        sa.Column("place_id", ID, nullable=False),
        sa.Column("date", sa.Text(), nullable=False),
        *(_refers(column) for column in ("community", "question", "place")),
        sa.PrimaryKeyConstraint(
            "community_id", "question_id", "occasion", "place_id", "date", name="pk_occasions"
        ),
        sqlite_with_rowid=False,
    )
    op.add_column("boards", sa.Column("asked", sa.Integer(), server_default="0", nullable=False))
    op.create_index("ix_boards_period", "boards", ["community_id", "place_id", "period", "starts"])


def _refers(what: str) -> sa.ForeignKeyConstraint:
    target = {"community": "communities", "question": "questions", "place": "places"}[what]
    name = f"fk_occasions_{what}_id"
    return sa.ForeignKeyConstraint([f"{what}_id"], [f"{target}.id"], name=name)


# --- what was asked --------------------------------------------------------------------------

_ASKED = sa.text(
    """
    SELECT DISTINCT steps.question_id, rounds.mode, rounds.place_id, steps.date,
        CASE WHEN banks.owner = '' THEN banks.bank_id
            ELSE banks.owner || '/' || banks.bank_id END AS topic
    FROM rounds
    JOIN steps ON steps.round_id = rounds.id
    JOIN questions ON questions.id = steps.question_id
    JOIN banks ON banks.id = questions.bank
    WHERE rounds.community_id = :community AND rounds.mode <> 'solo'
        AND steps.date IS NOT NULL AND steps.opened_at IS NOT NULL
    """
)
_OCCASION = sa.text("INSERT INTO occasions VALUES (:community, :question, :occasion, :place, :day)")
_BOARD = sa.text(
    """
    INSERT INTO boards (community_id, place_id, topic, period, starts, asked)
    VALUES (:community, :place, :topic, :period, :starts, :asked)
    ON CONFLICT (community_id, place_id, topic, period, starts)
    DO UPDATE SET asked = excluded.asked
    """
)


def _count_asked(connection: sa.Connection, community_id: int, begun: Sequence[date]) -> None:
    """A board counts a question once a date of a daily, and once a week of live rounds."""
    rows = connection.execute(_ASKED, {"community": community_id}).all()
    known = sorted((row.question_id, _occasion(row), row) for row in rows)
    asked: dict[_Key, int] = defaultdict(int)
    for _, same in groupby(known, lambda one: one[:2]):
        for key in {key for _, _, row in same for key in _boards_of(row, begun)}:
            asked[key] += 1
    if not known:
        return
    connection.execute(
        _OCCASION,
        [
            {"community": community_id, "question": question, "occasion": occasion}
            | {"place": row.place_id, "day": row.date}
            for question, occasion, row in known
        ],
    )
    connection.execute(
        _BOARD,
        [
            {"community": community_id, "place": place, "topic": topic}
            | {"period": period, "starts": starts, "asked": count}
            for (place, topic, period, starts), count in sorted(asked.items())
        ],
    )


def _occasion(row: sa.Row[Any]) -> str:
    if row.mode == "open":
        return f"day:{row.date}"
    year, week, _ = date.fromisoformat(row.date).isocalendar()
    return f"{year}-W{week:02d}"


def _boards_of(row: sa.Row[Any], begun: Sequence[date]) -> Iterator[_Key]:
    day = date.fromisoformat(row.date)
    periods = [*_periods(day, begun), ("month", f"{day:%Y-%m}-01"), ("all", "")]
    for place in (0, row.place_id):
        for topic in ("", row.topic):
            for period, starts in periods:
                yield place, topic, period, starts


def _periods(day: date, begun: Sequence[date]) -> Iterator[tuple[str, str]]:
    """Those of which a topic had no boards."""
    yield "today", day.isoformat()
    yield "week", (day - timedelta(days=day.weekday())).isoformat()
    quarter = date(day.year, (day.month - 1) // 3 * 3 + 1, 1)
    yield "season", max((one for one in begun if one <= day), default=quarter).isoformat()


# --- what was answered -----------------------------------------------------------------------

_ANSWERED = """
    CREATE TEMPORARY TABLE answered AS
    SELECT rounds.community_id AS community_id, rounds.place_id AS place_id,
        CASE WHEN banks.owner = '' THEN banks.bank_id
            ELSE banks.owner || '/' || banks.bank_id END AS topic,
        attempts.date AS date, attempts.player_id AS player_id,
        attempts.counts LIKE 'also:%' AS in_place_alone,
        sum(marks.points) AS points,
        count(*) AS answered,
        sum(CASE WHEN marks.is_right THEN 1 ELSE 0 END) AS is_right
    FROM attempts
    JOIN marks ON marks.step_id = attempts.step_id AND marks.player_id = attempts.player_id
    JOIN steps ON steps.id = attempts.step_id
    JOIN rounds ON rounds.id = steps.round_id
    JOIN questions ON questions.id = steps.question_id
    JOIN banks ON banks.id = questions.bank
    WHERE attempts.counts IS NOT NULL AND attempts.counts NOT LIKE 'too:%'
    GROUP BY 1, 2, 3, 4, 5, 6
"""
_PERIODS = """
    CREATE TEMPORARY TABLE periods (
        community_id BIGINT NOT NULL, date TEXT NOT NULL, period TEXT NOT NULL,
        starts TEXT NOT NULL, PRIMARY KEY (community_id, date, period)
    )
"""
_SPREAD = """
    CREATE TEMPORARY TABLE spread AS
    SELECT community_id, place_id, topic, period, starts, player_id, sum(points) AS points,
        sum(answered) AS answered, sum(is_right) AS is_right
    FROM (
        SELECT community_id, place_id, topic, date, player_id, points, answered, is_right
        FROM answered
        UNION ALL
        SELECT community_id, 0, topic, date, player_id, points, answered, is_right
        FROM answered WHERE NOT in_place_alone
    ) everywhere
    JOIN periods USING (community_id, date)
    GROUP BY 1, 2, 3, 4, 5, 6
"""
_BOARDS = """
    INSERT INTO boards (community_id, place_id, topic, period, starts)
    SELECT DISTINCT community_id, place_id, topic, period, starts FROM spread
    ORDER BY community_id, place_id, topic, period, starts
    ON CONFLICT DO NOTHING
"""
_TOTALS = """
    INSERT INTO totals (board_id, player_id, points, answered, "right")
    SELECT boards.id, player_id, points, answered, is_right
    FROM spread
    JOIN boards USING (community_id, place_id, topic, period, starts)
    ORDER BY 1, 2
"""


def _add_up_topics(connection: sa.Connection, seasons: dict[int, list[date]]) -> None:
    """What was answered before stands on the boards of its topic, as if they had been there."""
    for statement in (_ANSWERED, _PERIODS):
        connection.execute(sa.text(statement))
    days = connection.execute(sa.text("SELECT DISTINCT community_id, date FROM answered")).all()
    periods = [
        {"community": community_id, "day": day, "period": period, "starts": starts}
        for community_id, day in days
        for period, starts in _periods(date.fromisoformat(day), seasons[community_id])
    ]
    if periods:
        one = sa.text("INSERT INTO periods VALUES (:community, :day, :period, :starts)")
        connection.execute(one, periods)
    for statement in (_SPREAD, _BOARDS, _TOTALS):
        connection.execute(sa.text(statement))
    for table in ("answered", "periods", "spread"):
        connection.execute(sa.text(f"DROP TABLE {table}"))
