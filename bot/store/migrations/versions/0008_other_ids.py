"""By which other ids a platform calls the same person."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.add_column("persons", sa.Column("same_as", number))
    some = sa.text("same_as IS NOT NULL")
    op.create_index(
        "ix_persons_same", "persons", ["same_as"], sqlite_where=some, postgresql_where=some
    )
