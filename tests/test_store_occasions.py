"""How much a board counts as asked, while several processes ask."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from functools import partial

from sqlalchemy import Connection, create_engine, text
from sqlalchemy.ext.asyncio import AsyncConnection
from store_model import stored_asked
from store_world import NOON, TODAY, AskedStep, add_place, add_step, add_version, opened

from bot.store import rounds
from bot.store.addresses import read_address
from bot.store.totals import is_consistent, regrade

pytest_plugins = ["store_databases"]

QUESTIONS = [f"q{number}" for number in range(3, 13)]
PLACES = ("p1", "p2")
HOLDS = text("SELECT id FROM communities FOR NO KEY UPDATE")  # as a regrade does first
WAITS = text("SELECT count(*) FROM pg_locks WHERE NOT granted")


def waiting(connection: Connection) -> dict[str, list[AskedStep]]:
    """By place, the same questions, none of which has been posted yet."""
    versions = [add_version(connection, name) for name in QUESTIONS]
    return {
        place: [
            add_step(
                connection, add_place(connection, place=place), version=version, opened_at=None
            )
            for version in versions
        ]
        for place in PLACES
    }


def open_it(connection: Connection, step: AskedStep) -> None:
    rounds.open_step(
        connection,
        step.id,
        opened_at=NOON,
        opened_host_at=NOON,
        cutoff_at=None,
        date=TODAY.isoformat(),
    )


async def test_what_two_processes_ask_at_once_in_two_channels_is_one_question(emptied_url):
    async with AsyncExitStack() as stack:
        stores = [await stack.enter_async_context(opened(emptied_url)) for _ in PLACES]
        steps = await stores[0].write(waiting)
        for pair in zip(*steps.values(), strict=True):
            opening = zip(stores, pair, strict=True)
            await asyncio.gather(
                *(store.write(partial(open_it, step=step)) for store, step in opening)
            )
        asked = await stored_asked(stores[0])
        assert {asked["c1", place, "", "all", ""] for place in ("", *PLACES)} == {len(QUESTIONS)}
        assert await stores[1].write(is_consistent)


async def test_what_is_asked_while_all_is_counted_anew_is_counted_after_it(emptied_url):
    async with opened(emptied_url) as store:
        first, second, *_ = (await store.write(waiting))["p1"]
        await store.write(partial(open_it, step=first))
        engine = create_engine(read_address(emptied_url).writer)
        with engine.connect() as other:
            other.execute(HOLDS)
            opening = asyncio.create_task(store.write(partial(open_it, step=second)))
            while not (opening.done() or await store.read(_somebody_waits)):
                pass
            assert not opening.done()
            # Who waits holds nothing that is wanted here.
            regrade(other)
            other.commit()
        await opening
        engine.dispose()
        assert (await stored_asked(store))["c1", "", "", "all", ""] == 2
        assert await store.write(is_consistent)


async def _somebody_waits(connection: AsyncConnection) -> bool:
    return bool((await connection.execute(WAITS)).scalar_one())
