"""SQLite in the tests' own process does not wait for the disk: nobody cuts the power here.

Programs that tests start, and kill, store as they always do.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import event
from sqlalchemy.pool import Pool


def spare_the_disk() -> None:
    event.listen(Pool, "checkout", _spare)


@contextmanager
def in_earnest() -> Iterator[None]:
    """As the product has it."""
    event.remove(Pool, "checkout", _spare)
    try:
        yield
    finally:
        spare_the_disk()


def _spare(connection: object, *_: object) -> None:
    if isinstance(connection, sqlite3.Connection):
        connection.execute("PRAGMA synchronous = OFF")
