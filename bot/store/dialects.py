"""The one statement that SQLite and PostgreSQL share and SQLAlchemy's core does not."""

from __future__ import annotations

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite

Upsert = postgresql.Insert | sqlite.Insert


def insert_into(connection: Connection, table: Table) -> Upsert:
    """An INSERT that knows ON CONFLICT."""
    if connection.dialect.name == "postgresql":
        return postgresql.insert(table)
    return sqlite.insert(table)
