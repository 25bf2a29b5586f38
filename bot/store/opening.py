"""From the setting to a store that is ready: upgraded, and alone on its file."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from zoneinfo import ZoneInfo

from filelock import FileLock, Timeout

from bot.ports import Clock
from bot.store.addresses import StoreUnavailable, WrongAddress, check_file, read_address
from bot.store.failures import unopened
from bot.store.store import Store
from bot.store.upgrades import upgrade

__all__ = ["StoreUnavailable", "WrongAddress", "open_store", "run_lock"]


async def open_store(url: str, *, zone: ZoneInfo, clock: Clock) -> Store:
    """Upgrade the schema and open it. Raises StoreUnavailable, with one sentence.

    `zone` is that of communities that have set none.
    """
    address = read_address(url)
    upgrading = asyncio.create_task(asyncio.to_thread(upgrade, address))
    try:
        await asyncio.shield(upgrading)
    finally:
        # Who is told to stop meanwhile keeps the file until it is whole.
        await asyncio.gather(upgrading, return_exceptions=True)
    return Store(address, zone=zone, clock=clock)


@contextmanager
def run_lock(url: str) -> Iterator[None]:
    """Keep a second process from running on the same SQLite file; the system frees it at death.

    PostgreSQL serves any number of processes. Raises StoreUnavailable.
    """
    address = read_address(url)
    if address.file is None:
        yield
        return
    check_file(address)
    # Through links, so that two names of one file are one.
    file = address.file.resolve()
    lock = FileLock(f"{file}.lock", timeout=0, thread_local=False)
    try:
        lock.acquire()
    except Timeout:
        raise StoreUnavailable(
            f"Another quizbot runs on {address.shown}: stop that one, or give this one another "
            "file in QUIZBOT_DATABASE_URL."
        ) from None
    except OSError as error:
        raise unopened(error, address) or error from error
    try:
        yield
    finally:
        lock.release()
