"""Whether a database is whole and its totals agree with the answers, changing nothing."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, text

from bot.schedules import Schedule
from bot.store.addresses import Address, StoreUnavailable
from bot.store.engines import reader_engine, writer_engine
from bot.store.failures import unopened
from bot.store.schedules import all_schedules
from bot.store.totals import is_consistent
from bot.store.upgrades import check_ours, head, revision_of


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


async def read_schedules(address: Address, platform: str) -> list[Schedule]:
    """The daily quizzes of a platform; none where there is no database of this version yet.

    Raises StoreUnavailable.
    """
    if address.file is not None and not address.file.exists():
        return []
    engine = reader_engine(address)
    try:
        async with engine.connect() as connection, connection.begin():
            revision = await connection.run_sync(lambda sync: revision_of(sync, address))
            return [] if revision != head() else await all_schedules(connection, platform)
    except Exception as error:
        failure = unopened(error, address)
        if failure is None:
            raise
        raise failure from error
    finally:
        await engine.dispose()


def must_exist(address: Address) -> None:
    """For who wants to look, and to make none by that. Raises StoreUnavailable."""
    if address.file is not None and not address.file.exists():
        raise StoreUnavailable(
            f"There is no database {address.shown} yet: quizbot run or quizbot db upgrade makes it."
        )


def _inspect(connection: Connection, address: Address) -> Inspected:
    faults = _damage(connection)
    revision = revision_of(connection, address)
    if revision != head():
        stands = "has no tables yet" if revision is None else f"is at revision {revision}"
        faults.append(f"{stands}, and this version needs {head()}: run quizbot db upgrade")
    elif not faults and not is_consistent(connection):
        faults.append("has points that are not what the answers come to: run quizbot regrade")
    return Inspected(revision, tuple(faults))


def _damage(connection: Connection) -> list[str]:
    if connection.dialect.name != "sqlite":
        return []
    told = [str(row[0]) for row in connection.execute(text("PRAGMA integrity_check(5)"))]
    faults = [f"is damaged ({line}): put a copy back in its place" for line in told if line != "ok"]
    if connection.execute(text("PRAGMA foreign_key_check")).first() is not None:
        faults.append("refers to rows that are not there: put a copy back in its place")
    return faults
