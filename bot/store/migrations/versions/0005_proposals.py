"""Daily quizzes that are being set, kept until they are saved."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "proposals",
        sa.Column("id", ID, nullable=False),
        sa.Column("community_id", ID, nullable=False),
        sa.Column("person_id", ID, nullable=False),
        sa.Column("place_id", ID, nullable=False),
        sa.Column("schedule_id", ID),
        sa.Column("entered", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        _refers("community_id", "communities"),
        _refers("person_id", "persons"),
        _refers("place_id", "places"),
        _refers("schedule_id", "schedules"),
        sa.PrimaryKeyConstraint("id", name="pk_proposals"),
        sa.UniqueConstraint(
            "community_id", "person_id", name="uq_proposals_community_id_person_id"
        ),
    )


def _refers(column: str, target: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{target}.id"], name=f"fk_proposals_{column}")
