"""Which call began a round and why one broke off; where an app is installed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

# Spelt out once more, not taken from the schema: that one moves on, this stays what it was.
ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
INSTANT = sa.BigInteger()


def upgrade() -> None:
    op.add_column("rounds", sa.Column("call_id", sa.Text()))
    op.add_column("rounds", sa.Column("ended_why", sa.Text()))
    op.add_column(
        "rounds", sa.Column("ended_lacking", sa.Text(), server_default="[]", nullable=False)
    )
    op.add_column("rounds", sa.Column("ended_told_at", INSTANT))
    op.create_index("one_round_of_a_call", "rounds", ["community_id", "call_id"], unique=True)
    op.create_table(
        "installations",
        sa.Column("id", ID, nullable=False),
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("enterprise_id", sa.Text(), server_default="", nullable=False),
        sa.Column("team_id", sa.Text(), server_default="", nullable=False),
        sa.Column("user_id", sa.Text(), server_default="", nullable=False),
        sa.Column(
            "is_enterprise_install", sa.Boolean(), server_default=sa.text("false"), nullable=False
        ),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("installed_at", INSTANT, nullable=False),
        sa.Column("bot_token_expires_at", INSTANT),
        sa.Column("refresh_by", sa.Text()),
        sa.Column("refresh_until", INSTANT),
        sa.Column("revoked_at", INSTANT),
        sa.PrimaryKeyConstraint("id", name="pk_installations"),
        sa.UniqueConstraint(
            "platform",
            "enterprise_id",
            "team_id",
            "user_id",
            name="uq_installations_platform_enterprise_id_team_id_user_id",
        ),
    )
    op.create_table(
        "oauth_states",
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("expires_at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("state", name="pk_oauth_states"),
    )
