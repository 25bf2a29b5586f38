"""In which language people read, as their platform said last."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("persons", sa.Column("locale", sa.Text()))
