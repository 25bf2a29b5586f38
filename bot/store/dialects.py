"""What SQLite and PostgreSQL share and SQLAlchemy's core says differently for each."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Table, Text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import GenericFunction

Upsert = postgresql.Insert | sqlite.Insert


def insert_into(connection: Connection, table: Table) -> Upsert:
    """An INSERT that knows ON CONFLICT."""
    if connection.dialect.name == "postgresql":
        return postgresql.insert(table)
    return sqlite.insert(table)


class monday_of(GenericFunction[str]):
    """The first day of the week of an ISO date."""

    type = Text()
    inherit_cache = True


@compiles(monday_of, "sqlite")
def _on_sqlite(element: monday_of, compiler: Any, **more: Any) -> str:
    return f"date({compiler.process(element.clauses, **more)}, 'weekday 0', '-6 days')"


@compiles(monday_of, "postgresql")
def _on_postgresql(element: monday_of, compiler: Any, **more: Any) -> str:
    day = compiler.process(element.clauses, **more)
    return f"to_char(date_trunc('week', CAST({day} AS date)), 'YYYY-MM-DD')"
