"""Whether a database is whole and its totals agree with the answers, changing nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.schedules import Schedule
from bot.store.addresses import Address, StoreUnavailable, check_file
from bot.store.engines import reader_engine, writer_engine
from bot.store.failures import unopened
from bot.store.schedules import all_schedules
from bot.store.totals import is_consistent
from bot.store.upgrades import check_ours, head, revision_of

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Inspected:
    """`revision` is None for a database without tables; each of `faults` says what is to be done.

    A fault goes on where "The database FILE" begins.
    """

    revision: str | None
    faults: tuple[str, ...]


def inspect(address: Address) -> Inspected:
    """Look at all of it. Raises StoreUnavailable, also for one that is not this version's."""
    must_exist(address)
    try:
        check_ours(address)
        engine = writer_engine(address)
        try:
            with engine.connect() as connection:
                return _inspect(connection, address)
        finally:
            engine.dispose()
    except Exception as error:
        failure = unopened(error, address)
        if failure is None:
            raise
        raise failure from error


async def is_there(address: Address) -> bool:
    """Whether there is a database to be read; False where there is none yet.

    Raises StoreUnavailable where it cannot be read, or is not this version's.
    """
    try:
        check_file(address)
        if address.file is not None and not address.file.exists():
            return False
        check_ours(address)
        revision = await _read(
            address, lambda c: c.run_sync(lambda sync: revision_of(sync, address))
        )
    except (OSError, sqlite3.Error) as error:
        raise unopened(error, address) or error from error
    if revision != head():
        raise StoreUnavailable(f"The database {address.shown} {_stands(revision)}.")
    return True


async def read_schedules(address: Address, platform: str) -> list[Schedule]:
    """The daily quizzes of a platform; none where there is no database yet.

    Raises StoreUnavailable, as `is_there`.
    """
    if not await is_there(address):
        return []
    return await _read(address, lambda c: all_schedules(c, platform))


def must_exist(address: Address) -> None:
    """For who wants to look, and to make none by that. Raises StoreUnavailable."""
    if address.file is not None and not address.file.exists():
        raise StoreUnavailable(
            f"There is no database {address.shown} yet: quizbot run or quizbot db upgrade makes it."
        )


async def _read(address: Address, work: Callable[[AsyncConnection], Awaitable[Value]]) -> Value:
    engine = reader_engine(address)
    try:
        async with engine.connect() as connection, connection.begin():
            return await work(connection)
    except Exception as error:
        failure = unopened(error, address)
        if failure is None:
            raise
        raise failure from error
    finally:
        await engine.dispose()


def _inspect(connection: Connection, address: Address) -> Inspected:
    faults = _damage(connection)
    revision = revision_of(connection, address)
    if revision != head():
        faults.append(_stands(revision))
    elif not faults and not is_consistent(connection):
        faults.append("has points that are not what the answers come to: run quizbot regrade")
    return Inspected(revision, tuple(faults))


def _stands(revision: str | None) -> str:
    stands = "has no tables yet" if revision is None else f"is at revision {revision}"
    return f"{stands}, and this version needs {head()}: run quizbot db upgrade"


def _damage(connection: Connection) -> list[str]:
    if connection.dialect.name != "sqlite":
        return []
    told = [str(row[0]) for row in connection.execute(text("PRAGMA integrity_check(5)"))]
    faults = [f"is damaged ({line}): put a copy back in its place" for line in told if line != "ok"]
    if connection.execute(text("PRAGMA foreign_key_check")).first() is not None:
        faults.append("refers to rows that are not there: put a copy back in its place")
    return faults
