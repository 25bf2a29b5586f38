"""What a read of SQLite asks of the thread that holds its connection."""

from __future__ import annotations

import asyncio
import logging

import pytest
from sqlalchemy import select, text
from store_world import add_place, opened, table

from bot.store.schema import heartbeats, places

pytest_plugins = ["store_databases"]

FOREVER = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :most)
    SELECT count(*) FROM n
"""


@pytest.fixture
async def store(sqlite_url):
    async with opened(sqlite_url) as store:
        yield store


async def test_a_read_asks_once_for_each_statement(store, caplog):
    async def twice(connection):
        for _ in range(2):
            (await connection.execute(select(heartbeats.c.at))).all()

    await store.read(twice)
    with caplog.at_level(logging.DEBUG, "aiosqlite"):
        await store.read(twice)
    asked = [one for one in caplog.messages if one.startswith("executing")]
    assert len(asked) == 4, "it begins, reads twice and ends"


async def test_a_statement_that_fails_leaves_its_connection_good(store):
    async def fail(connection):
        await connection.execute(text("SELECT x FROM nowhere"))

    for _ in range(10):
        with pytest.raises(Exception, match="no such table"):
            await store.read(fail)
    await store.ping()


async def test_who_no_longer_waits_for_a_read_leaves_nothing_open_behind(store):
    """Of a transaction left open, the next read on that connection would see the old state."""

    async def long(connection):
        await connection.execute(select(places.c.id))
        begun.set()
        await connection.execute(text(FOREVER), {"most": 300_000})

    for number in range(6):
        begun = asyncio.Event()
        reading = asyncio.create_task(store.read(long))
        await begun.wait()
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)
        await store.write(lambda c, n=number: add_place(c, place=f"p{n}"))
        seen = await asyncio.gather(*(table(store, "places") for _ in range(4)))
        assert [len(rows) for rows in seen] == [number + 1] * 4


async def test_a_read_that_breaks_off_between_statements_leaves_nothing_open_either(store):
    async def broken(connection):
        await connection.execute(select(places.c.id))
        raise LookupError

    for number in range(6):
        with pytest.raises(LookupError):
            await store.read(broken)
        await store.write(lambda c, n=number: add_place(c, place=f"p{n}"))
        seen = await asyncio.gather(*(table(store, "places") for _ in range(4)))
        assert [len(rows) for rows in seen] == [number + 1] * 4
