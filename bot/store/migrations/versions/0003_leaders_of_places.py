"""Who brought the bot into a place, and whether who leads a place organises there."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("places", sa.Column("brought_by", sa.Text()))
    op.add_column(
        "communities",
        sa.Column("leaders", sa.Boolean(), server_default=sa.text("true"), nullable=False),
    )
