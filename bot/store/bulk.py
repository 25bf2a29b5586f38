"""Many rows in few statements: what a press costs is mostly what its rows cost."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from sqlalchemy import ClauseElement, Connection, Table, literal_column

from bot.store.dialects import Upsert, insert_into

_Row = tuple[Any, ...]

# SQLite takes twice as many in a statement.
_PARAMETERS = 15_000


class Bulk:
    """An INSERT of Core, compiled once, run with many rows.

    SQLAlchemy and psycopg can do so themselves, and spend several times more on a row than the
    database does. A row is a tuple in the order of the table's columns, of values as the driver
    takes them: instants are microseconds.
    """

    def __init__(self, table: Table, refine: Callable[[Upsert], ClauseElement]) -> None:
        self._table = table
        self._refine = refine
        self._compiled: dict[str, _Parts] = {}

    def run(self, connection: Connection, rows: Iterable[_Row]) -> list[Any]:
        """Insert them, in this order; what comes back if the statement is RETURNING."""
        dialect = connection.dialect
        if dialect.name not in self._compiled:
            self._compiled[dialect.name] = self._compile(connection)
        parts = self._compiled[dialect.name]
        bind = _by_column if dialect.name == "postgresql" else _by_row
        # Taken apart as they come: no thousands of tuples wait, for memory and its collector.
        values, width = chain.from_iterable(rows), len(parts.types)
        returned: list[Any] = []
        while some := tuple(islice(values, _PARAMETERS // width * width)):
            result = connection.exec_driver_sql(*bind(parts, some))
            if result.returns_rows:
                returned += result.fetchall()
        return returned

    def _compile(self, connection: Connection) -> _Parts:
        dialect = connection.dialect
        # A row that is known to have no bracket in it, to be cut out again.
        row: dict[str, Any] = {column.name: literal_column("0") for column in self._table.columns}
        statement = self._refine(insert_into(connection, self._table).values(row))
        head, _, rest = str(statement.compile(dialect=dialect)).partition("VALUES (")
        types = [column.type.compile(dialect) for column in self._table.columns]
        return _Parts(head, types, rest.partition(")")[2])


@dataclass(frozen=True, slots=True)
class _Parts:
    """What stands before the values and after them, and the values' types."""

    head: str
    types: list[str]
    tail: str


def _by_row(parts: _Parts, values: _Row) -> tuple[str, _Row]:
    width = len(parts.types)
    row = f"({', '.join('?' * width)})"
    sql = f"{parts.head} VALUES {', '.join([row] * (len(values) // width))} {parts.tail}"
    return sql, values


def _by_column(parts: _Parts, values: _Row) -> tuple[str, _Row]:
    """An array a column: psycopg takes long to read a statement with thousands of parameters."""
    width = len(parts.types)
    arrays = ", ".join(f"%s::{kind}[]" for kind in parts.types)
    sql = f"{parts.head} SELECT * FROM unnest({arrays}) {parts.tail}"  # noqa: S608 - names of ours
    return sql, tuple(list(values[column::width]) for column in range(width))
