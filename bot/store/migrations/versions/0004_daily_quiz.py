"""Schedules of the daily quiz, notices, standing boards, seasons, time away; more boards."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

# Spelt out once more, not taken from the schema: that one moves on, this stays what it was.
ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
INSTANT = sa.BigInteger()


def upgrade() -> None:
    op.add_column(
        "communities", sa.Column("seasons", sa.Text(), server_default="[]", nullable=False)
    )
    op.add_column("players", sa.Column("freeze_told", sa.Text()))
    _create_index_where(
        "ix_rounds_open", "rounds", ["community_id", "mode"], "mode = 'open' AND ended_at IS NULL"
    )
    _create_schedules()
    _create_what_is_told()
    _add_up_topics_and_days()


def _create_schedules() -> None:
    op.create_table(
        "schedules",
        sa.Column("id", ID, nullable=False),
        sa.Column("community_id", ID, nullable=False),
        sa.Column("place_id", ID, nullable=False),
        sa.Column("set_by", ID),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("zone", sa.Text(), nullable=False),
        sa.Column("weekdays", sa.Text(), nullable=False),
        sa.Column("days_off", sa.Text()),
        sa.Column("topics", sa.Text(), server_default="[]", nullable=False),
        sa.Column("shuffled", sa.Boolean(), nullable=False),
        sa.Column("seed", sa.Text(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("languages", sa.Text(), server_default="[]", nullable=False),
        sa.Column("open_minutes", sa.Integer()),
        sa.Column("mention", sa.Text()),
        sa.Column("paused_at", INSTANT),
        sa.Column("paused_until", sa.Text()),
        sa.Column("refusals", sa.Integer(), server_default="0", nullable=False),
        sa.Column("next_date", sa.Text()),
        sa.Column("next_at", INSTANT),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("removed_at", INSTANT),
        _refers("schedules", "community_id", "communities"),
        _refers("schedules", "place_id", "places"),
        _refers("schedules", "set_by", "persons"),
        sa.PrimaryKeyConstraint("id", name="pk_schedules"),
    )
    _create_index_where("ix_schedules_due", "schedules", ["next_at"], "next_at IS NOT NULL")
    op.create_index("ix_schedules_community", "schedules", ["community_id"])
    op.create_table(
        "schedule_skips",
        sa.Column("schedule_id", ID, nullable=False),
        sa.Column("date", sa.Text(), nullable=False),
        _refers("schedule_skips", "schedule_id", "schedules"),
        sa.PrimaryKeyConstraint("schedule_id", "date", name="pk_schedule_skips"),
    )
    op.create_table(
        "occurrences",
        sa.Column("id", ID, nullable=False),
        sa.Column("schedule_id", ID, nullable=False),
        sa.Column("date", sa.Text(), nullable=False),
        sa.Column("round_id", ID),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("again", sa.Text(), server_default="[]", nullable=False),
        sa.Column("posts_at", INSTANT, nullable=False),
        sa.Column("closes_at", INSTANT),
        sa.Column("extended_at", INSTANT),
        sa.Column("created_at", INSTANT, nullable=False),
        _refers("occurrences", "schedule_id", "schedules"),
        _refers("occurrences", "round_id", "rounds"),
        sa.PrimaryKeyConstraint("id", name="pk_occurrences"),
        sa.UniqueConstraint("schedule_id", "date", name="uq_occurrences_schedule_id_date"),
        sa.UniqueConstraint("round_id", name="uq_occurrences_round_id"),
    )


def _create_what_is_told() -> None:
    op.create_table(
        "notices",
        sa.Column("id", ID, nullable=False),
        sa.Column("community_id", ID, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("matter", sa.Text(), nullable=False),
        sa.Column("args", sa.Text(), server_default="{}", nullable=False),
        sa.Column("outbox_id", ID),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("told_at", INSTANT),
        _refers("notices", "community_id", "communities"),
        _refers("notices", "outbox_id", "outbox"),
        sa.PrimaryKeyConstraint("id", name="pk_notices"),
        sa.UniqueConstraint(
            "community_id", "kind", "matter", name="uq_notices_community_id_kind_matter"
        ),
    )
    op.create_table(
        "standing_boards",
        sa.Column("place_id", ID, autoincrement=False, nullable=False),
        sa.Column("community_id", ID, nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("period", sa.Text(), nullable=False),
        sa.Column("topic", sa.Text(), server_default="", nullable=False),
        sa.Column("language", sa.Text()),
        sa.Column("outbox_id", ID),
        sa.Column("pinned", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("dirty_at", INSTANT),
        sa.Column("edited_at", INSTANT),
        _refers("standing_boards", "place_id", "places"),
        _refers("standing_boards", "community_id", "communities"),
        _refers("standing_boards", "outbox_id", "outbox"),
        sa.PrimaryKeyConstraint("place_id", name="pk_standing_boards"),
    )
    op.create_index("ix_standing_boards_community", "standing_boards", ["community_id"])
    op.create_table(
        "away",
        sa.Column("player_id", ID, autoincrement=False, nullable=False),
        sa.Column("starts", sa.Text(), nullable=False),
        sa.Column("ends", sa.Text(), nullable=False),
        _refers("away", "player_id", "players"),
        sa.PrimaryKeyConstraint("player_id", "starts", name="pk_away"),
    )


# What was answered before stands on the boards of its topic and its day, as if they had been there.
_ANSWERED = """
    CREATE TEMPORARY TABLE answered AS
    SELECT rounds.community_id AS community_id, spots.place_id AS place_id,
        CASE WHEN periods.period = 'today' THEN ''
            WHEN banks.owner = '' THEN banks.bank_id
            ELSE banks.owner || '/' || banks.bank_id END AS topic,
        periods.period AS period,
        CASE periods.period WHEN 'all' THEN '' WHEN 'today' THEN attempts.date
            ELSE substr(attempts.date, 1, 7) || '-01' END AS starts,
        attempts.player_id AS player_id,
        sum(marks.points) AS points,
        count(*) AS answered,
        sum(CASE WHEN marks.is_right THEN 1 ELSE 0 END) AS is_right
    FROM attempts
    JOIN marks ON marks.step_id = attempts.step_id AND marks.player_id = attempts.player_id
    JOIN steps ON steps.id = attempts.step_id
    JOIN rounds ON rounds.id = steps.round_id
    JOIN questions ON questions.id = steps.question_id
    JOIN banks ON banks.id = questions.bank
    JOIN (SELECT id, id AS place_id FROM places UNION ALL SELECT id, 0 FROM places) spots
        ON spots.id = rounds.place_id
    CROSS JOIN (SELECT 'month' AS period UNION ALL SELECT 'all' UNION ALL SELECT 'today') periods
    WHERE attempts.counts IS NOT NULL
    GROUP BY 1, 2, 3, 4, 5, 6
"""
_BOARDS = """
    INSERT INTO boards (community_id, place_id, topic, period, starts)
    SELECT DISTINCT community_id, place_id, topic, period, starts FROM answered
    ORDER BY community_id, place_id, topic, period, starts
"""
_TOTALS = """
    INSERT INTO totals (board_id, player_id, points, answered, "right")
    SELECT boards.id, answered.player_id, answered.points, answered.answered, answered.is_right
    FROM answered
    JOIN boards ON boards.community_id = answered.community_id
        AND boards.place_id = answered.place_id AND boards.topic = answered.topic
        AND boards.period = answered.period AND boards.starts = answered.starts
"""


def _add_up_topics_and_days() -> None:
    for statement in (_ANSWERED, _BOARDS, _TOTALS, "DROP TABLE answered"):
        op.execute(statement)


def _refers(table: str, column: str, target: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{target}.id"], name=f"fk_{table}_{column}")


def _create_index_where(name: str, table: str, columns: list[str], where: str) -> None:
    op.create_index(
        name, table, columns, sqlite_where=sa.text(where), postgresql_where=sa.text(where)
    )
