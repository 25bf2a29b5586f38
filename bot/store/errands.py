"""Reads from SQLite in one errand a statement to the thread that holds the connection.

aiosqlite runs four: for the cursor, the statement, its rows, and the cursor's end. Each wakes two
threads in turn, and that takes longer than most of our statements do.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from functools import partial
from typing import Any, cast

import aiosqlite

_CHUNK = 64  # rows; nothing here is read in chunks


def connect(database: str, **options: Any) -> Connection:
    """As `aiosqlite.connect` does it; to be awaited."""
    connection = Connection(partial(sqlite3.connect, database, **options), _CHUNK)
    # As SQLAlchemy has it with those of its own making: no such thread keeps a process alive.
    connection._thread.daemon = True
    return connection


class Connection(aiosqlite.Connection):
    """What SQLAlchemy asks of one that reads, with no errand for what is known here."""

    _is_clean = True
    """Whether nothing was run since the last transaction ended."""

    def cursor(self) -> Cursor:  # type: ignore[override]  # it is entered, and no more
        return Cursor(self)

    async def run(self, sql: str, parameters: Sequence[object]) -> tuple[Any, list[Any]]:
        """The description of the columns, if there are any, and all rows."""
        self._is_clean = False
        running = self._execute(self._run, sql, parameters)  # type: ignore[no-untyped-call]
        return cast(tuple[Any, list[Any]], await running)

    async def commit(self) -> None:
        await super().commit()
        self._is_clean = True

    async def rollback(self) -> None:
        """A connection is rolled back whenever it is given back, also after a commit."""
        if not self._is_clean:
            await super().rollback()
            self._is_clean = True

    def _run(self, sql: str, parameters: Sequence[object]) -> tuple[Any, list[Any]]:
        cursor = self._conn.execute(sql, parameters)
        return cursor.description, cursor.fetchall()


class Cursor:
    """Holds what its statement came to."""

    rowcount, lastrowid, arraysize = -1, None, 1

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.description: Any = None
        self._rows: list[Any] = []

    async def __aenter__(self) -> Cursor:
        return self

    async def execute(self, sql: str, parameters: Sequence[object] = ()) -> None:
        self.description, self._rows = await self._connection.run(sql, parameters)

    async def fetchall(self) -> list[Any]:
        rows, self._rows = self._rows, []
        return rows

    async def close(self) -> None:
        self._rows = []
