"""What SQLite and PostgreSQL share and SQLAlchemy's core says differently for each."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Boolean, ColumnElement, Connection, FromClause, Table, Text, case
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import GenericFunction
from sqlalchemy.sql.operators import OperatorType

Upsert = postgresql.Insert | sqlite.Insert


def insert_into(connection: Connection, table: Table) -> Upsert:
    """An INSERT that knows ON CONFLICT."""
    if connection.dialect.name == "postgresql":
        return postgresql.insert(table)
    return sqlite.insert(table)


def several(connection: Connection, values: Iterable[int | str]) -> object:
    """Values as one parameter, for `among`."""
    listed = sorted(values)
    return listed if connection.dialect.name == "postgresql" else json.dumps(listed)


def bank_key(banks: FromClause) -> ColumnElement[str]:
    """`bot.content.Bank.key` of a row of banks."""
    owned = banks.c.owner + "/" + banks.c.bank_id
    return case((banks.c.owner == "", banks.c.bank_id), else_=owned)


class among(GenericFunction[bool]):
    """Whether a column is one of several, given as one parameter.

    The statement is the same for one value and for a thousand, so that neither SQLAlchemy nor
    the database has to make it anew.
    """

    type = Boolean()
    inherit_cache = True

    def self_group(self, against: OperatorType | None = None) -> among:
        """As it stands: with the `= 1` of any other truth, SQLite would use no index for it."""
        return self


@compiles(among, "sqlite")
def _among_on_sqlite(element: among, compiler: Any, **more: Any) -> str:
    column, values = (compiler.process(clause, **more) for clause in element.clauses)
    return f"{column} IN (SELECT value FROM json_each({values}))"  # noqa: S608 - names of ours


@compiles(among, "postgresql")
def _among_on_postgresql(element: among, compiler: Any, **more: Any) -> str:
    column, values = (compiler.process(clause, **more) for clause in element.clauses)
    kind = next(iter(element.clauses)).type.compile(compiler.dialect)
    return f"{column} = ANY(CAST({values} AS {kind}[]))"


class listed(GenericFunction[str]):
    """The different values of a column in a group, with commas between them, in no order.

    A row of values costs several times less than as many rows with one.
    """

    type = Text()
    inherit_cache = True


@compiles(listed, "sqlite")
def _listed_on_sqlite(element: listed, compiler: Any, **more: Any) -> str:
    (column,) = (compiler.process(clause, **more) for clause in element.clauses)
    return f"group_concat(DISTINCT {column})"


@compiles(listed, "postgresql")
def _listed_on_postgresql(element: listed, compiler: Any, **more: Any) -> str:
    (column,) = (compiler.process(clause, **more) for clause in element.clauses)
    return f"string_agg(DISTINCT {column}, ',')"
