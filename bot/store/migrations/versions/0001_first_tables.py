"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

# Spelt out once more, not taken from the schema: that one moves on, this stays what it was.
ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
INSTANT = sa.BigInteger()


def upgrade() -> None:
    op.create_table(
        "banks",
        sa.Column("id", ID, nullable=False),
        sa.Column("owner", sa.Text(), server_default="", nullable=False),
        sa.Column("bank_id", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_banks"),
        sa.UniqueConstraint("owner", "bank_id", name="uq_banks_owner_bank_id"),
    )
    op.create_table(
        "communities",
        sa.Column("id", ID, nullable=False),
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("external_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), server_default="", nullable=False),
        sa.Column("personal", sa.Boolean(), nullable=False),
        sa.Column("zone", sa.Text()),
        sa.Column("language", sa.Text()),
        sa.Column("names", sa.Text(), server_default="shown", nullable=False),
        sa.Column("organisers", sa.Text(), server_default="[]", nullable=False),
        sa.Column("starters", sa.Text(), server_default="everyone", nullable=False),
        sa.Column("start_places", sa.Text(), server_default="[]", nullable=False),
        sa.Column("threads", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("organisers_place", sa.Text()),
        sa.Column("welcomed_at", INSTANT),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("removed_at", INSTANT),
        sa.PrimaryKeyConstraint("id", name="pk_communities"),
        sa.UniqueConstraint("platform", "external_id", name="uq_communities_platform_external_id"),
    )
    op.create_table(
        "heartbeats",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_heartbeats"),
    )
    op.create_table(
        "persons",
        sa.Column("id", ID, nullable=False),
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("external_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("language", sa.Text()),
        sa.Column("hidden", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("introduced_at", INSTANT),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_persons"),
        sa.UniqueConstraint("platform", "external_id", name="uq_persons_platform_external_id"),
    )
    op.create_table(
        "boards",
        sa.Column("id", ID, nullable=False),
        sa.Column("community_id", ID, nullable=False),
        sa.Column("place_id", ID, nullable=False),
        sa.Column("topic", sa.Text(), server_default="", nullable=False),
        sa.Column("period", sa.Text(), nullable=False),
        sa.Column("starts", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["community_id"], ["communities.id"], name="fk_boards_community_id"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_boards"),
        sa.UniqueConstraint(
            "community_id",
            "place_id",
            "topic",
            "period",
            "starts",
            name="uq_boards_community_id_place_id_topic_period_starts",
        ),
    )
    op.create_table(
        "places",
        sa.Column("id", ID, nullable=False),
        sa.Column("community_id", ID, nullable=False),
        sa.Column("external_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), server_default="", nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["community_id"], ["communities.id"], name="fk_places_community_id"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_places"),
        sa.UniqueConstraint(
            "community_id", "external_id", name="uq_places_community_id_external_id"
        ),
    )
    op.create_table(
        "players",
        sa.Column("id", ID, nullable=False),
        sa.Column("community_id", ID, nullable=False),
        sa.Column("person_id", ID),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.ForeignKeyConstraint(
            ["community_id"], ["communities.id"], name="fk_players_community_id"
        ),
        sa.ForeignKeyConstraint(["person_id"], ["persons.id"], name="fk_players_person_id"),
        sa.PrimaryKeyConstraint("id", name="pk_players"),
        sa.UniqueConstraint("person_id", "community_id", name="uq_players_person_id_community_id"),
    )
    op.create_table(
        "questions",
        sa.Column("id", ID, nullable=False),
        sa.Column("bank", ID, nullable=False),
        sa.Column("question_id", sa.Text(), nullable=False),
        sa.Column("current_version", ID),
        sa.ForeignKeyConstraint(["bank"], ["banks.id"], name="fk_questions_bank"),
        sa.PrimaryKeyConstraint("id", name="pk_questions"),
        sa.UniqueConstraint("bank", "question_id", name="uq_questions_bank_question_id"),
    )
    op.create_table(
        "question_versions",
        sa.Column("id", ID, nullable=False),
        sa.Column("question", ID, nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.ForeignKeyConstraint(
            ["question"], ["questions.id"], name="fk_question_versions_question"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_question_versions"),
        sa.UniqueConstraint(
            "question", "fingerprint", name="uq_question_versions_question_fingerprint"
        ),
    )
    op.create_table(
        "rounds",
        sa.Column("id", ID, nullable=False),
        sa.Column("community_id", ID, nullable=False),
        sa.Column("place_id", ID, nullable=False),
        sa.Column("mode", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("starter_id", ID),
        sa.Column("topic", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("seconds", sa.Integer()),
        sa.Column("speed", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("thread", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("window_opens_at", INSTANT),
        sa.Column("window_closes_at", INSTANT),
        sa.Column("quiet_from", sa.Integer(), server_default="1", nullable=False),
        sa.Column("started_at", INSTANT, nullable=False),
        sa.Column("paused_at", INSTANT),
        sa.Column("ended_at", INSTANT),
        sa.ForeignKeyConstraint(
            ["community_id"], ["communities.id"], name="fk_rounds_community_id"
        ),
        sa.ForeignKeyConstraint(["place_id"], ["places.id"], name="fk_rounds_place_id"),
        sa.ForeignKeyConstraint(["starter_id"], ["persons.id"], name="fk_rounds_starter_id"),
        sa.PrimaryKeyConstraint("id", name="pk_rounds"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_rounds_community", "rounds", ["community_id", "ended_at"])
    op.create_index("ix_rounds_place", "rounds", ["place_id", "id"])
    op.create_index("ix_rounds_starter", "rounds", ["starter_id", "mode", "ended_at"])
    op.create_index(
        "one_live_round_in_a_place",
        "rounds",
        ["place_id"],
        unique=True,
        sqlite_where=sa.text("mode = 'live' AND ended_at IS NULL"),
        postgresql_where=sa.text("mode = 'live' AND ended_at IS NULL"),
    )
    op.create_table(
        "totals",
        sa.Column("board_id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("answered", sa.Integer(), nullable=False),
        sa.Column("right", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["board_id"], ["boards.id"], name="fk_totals_board_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_totals_player_id"),
        sa.PrimaryKeyConstraint("board_id", "player_id", name="pk_totals"),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_totals_ranking", "totals", ["board_id", sa.text("points DESC"), "player_id"]
    )
    op.create_table(
        "round_banks",
        sa.Column("round_id", ID, nullable=False),
        sa.Column("bank", ID, nullable=False),
        sa.ForeignKeyConstraint(["bank"], ["banks.id"], name="fk_round_banks_bank"),
        sa.ForeignKeyConstraint(["round_id"], ["rounds.id"], name="fk_round_banks_round_id"),
        sa.PrimaryKeyConstraint("round_id", "bank", name="pk_round_banks"),
    )
    op.create_table(
        "steps",
        sa.Column("id", ID, nullable=False),
        sa.Column("round_id", ID, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("version_id", ID, nullable=False),
        sa.Column("question_id", ID, nullable=False),
        sa.Column("option_order", sa.Text(), nullable=False),
        sa.Column("seconds", sa.Integer()),
        sa.Column("date", sa.Text()),
        sa.Column("opened_at", INSTANT),
        sa.Column("opened_host_at", INSTANT),
        sa.Column("cutoff_at", INSTANT),
        sa.Column("more_time", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("closed_at", INSTANT),
        sa.ForeignKeyConstraint(["question_id"], ["questions.id"], name="fk_steps_question_id"),
        sa.ForeignKeyConstraint(["round_id"], ["rounds.id"], name="fk_steps_round_id"),
        sa.ForeignKeyConstraint(
            ["version_id"], ["question_versions.id"], name="fk_steps_version_id"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_steps"),
        sa.UniqueConstraint("round_id", "position", name="uq_steps_round_id_position"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "attempts",
        sa.Column("step_id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("question_id", ID, nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("pressed_at", INSTANT, nullable=False),
        sa.Column("received_at", INSTANT, nullable=False),
        sa.Column("date", sa.Text(), nullable=False),
        sa.Column("counts", sa.Text()),
        sa.Column("practice", sa.Text()),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_attempts_player_id"),
        sa.ForeignKeyConstraint(["question_id"], ["questions.id"], name="fk_attempts_question_id"),
        sa.ForeignKeyConstraint(["step_id"], ["steps.id"], name="fk_attempts_step_id"),
        sa.PrimaryKeyConstraint("step_id", "player_id", name="pk_attempts"),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "one_that_counts", "attempts", ["player_id", "question_id", "counts"], unique=True
    )
    op.create_table(
        "marks",
        sa.Column("step_id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("version_id", ID, nullable=False),
        sa.Column("is_right", sa.Boolean(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_marks_player_id"),
        sa.ForeignKeyConstraint(["step_id"], ["steps.id"], name="fk_marks_step_id"),
        sa.ForeignKeyConstraint(
            ["version_id"], ["question_versions.id"], name="fk_marks_version_id"
        ),
        sa.PrimaryKeyConstraint("step_id", "player_id", name="pk_marks"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "outbox",
        sa.Column("id", ID, nullable=False),
        sa.Column("op", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("community_id", ID, nullable=False),
        sa.Column("place_id", ID, nullable=False),
        sa.Column("person_id", ID),
        sa.Column("round_id", ID),
        sa.Column("step_id", ID),
        sa.Column("edits", ID),
        sa.Column("args", sa.Text(), server_default="{}", nullable=False),
        sa.Column("silent", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        sa.Column("due_at", INSTANT, nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("claimed_by", sa.Text()),
        sa.Column("claimed_at", INSTANT),
        sa.Column("tries", sa.Integer(), server_default="0", nullable=False),
        sa.Column("nonce", sa.Text(), nullable=False),
        sa.Column("message_id", sa.Text()),
        sa.Column("posted_at", INSTANT),
        sa.Column("reason", sa.Text()),
        sa.ForeignKeyConstraint(
            ["community_id"], ["communities.id"], name="fk_outbox_community_id"
        ),
        sa.ForeignKeyConstraint(["edits"], ["outbox.id"], name="fk_outbox_edits"),
        sa.ForeignKeyConstraint(["person_id"], ["persons.id"], name="fk_outbox_person_id"),
        sa.ForeignKeyConstraint(["place_id"], ["places.id"], name="fk_outbox_place_id"),
        sa.ForeignKeyConstraint(["round_id"], ["rounds.id"], name="fk_outbox_round_id"),
        sa.ForeignKeyConstraint(["step_id"], ["steps.id"], name="fk_outbox_step_id"),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
    )
    op.create_index(
        "ix_outbox_due",
        "outbox",
        ["due_at"],
        sqlite_where=sa.text("state IN ('due', 'claimed')"),
        postgresql_where=sa.text("state IN ('due', 'claimed')"),
    )
    op.create_index("ix_outbox_place", "outbox", ["place_id", "id"])
    op.create_index("ix_outbox_round", "outbox", ["round_id"])
    op.create_index("ix_outbox_edits", "outbox", ["edits"])
    op.create_index("ix_outbox_step", "outbox", ["step_id"])
    op.create_table(
        "timers",
        sa.Column("id", ID, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("round_id", ID, nullable=False),
        sa.Column("step_id", ID),
        sa.Column("due_at", INSTANT, nullable=False),
        sa.Column("failures", sa.Integer(), server_default="0", nullable=False),
        sa.Column("done_at", INSTANT),
        sa.ForeignKeyConstraint(["round_id"], ["rounds.id"], name="fk_timers_round_id"),
        sa.ForeignKeyConstraint(["step_id"], ["steps.id"], name="fk_timers_step_id"),
        sa.PrimaryKeyConstraint("id", name="pk_timers"),
    )
    op.create_index(
        "ix_timers_due",
        "timers",
        ["due_at"],
        sqlite_where=sa.text("done_at IS NULL"),
        postgresql_where=sa.text("done_at IS NULL"),
    )
    op.create_index("ix_timers_round", "timers", ["round_id"])
