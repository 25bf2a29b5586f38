"""Two processes that do the same things at the same time leave what one would have left."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from datetime import date
from itertools import permutations
from typing import Any

import psycopg
import pytest
from sqlalchemy import Connection, select
from store_world import NOON, TODAY, add_place, add_step, add_version, draft, opened

from bot.store import heartbeats, rounds, timers
from bot.store.remarking import remark
from bot.store.schema import steps
from bot.store.seasons import begin_season
from bot.store.store import Store
from bot.store.totals import is_consistent, regrade

pytest_plugins = ["store_databases"]

Work = Callable[[Connection], Any]

DAYS = (date(2026, 10, 5), date(2026, 11, 20), TODAY)
SOON = 30  # seconds, within which a test has gone on


def a_regrade(connection: Connection) -> None:
    regrade(connection)


def a_new_season(connection: Connection) -> None:
    assert begin_season(connection, add_place(connection).community_id, DAYS[1])


def a_repaired_key(connection: Connection) -> None:
    newest_first = select(steps.c.id).order_by(steps.c.id.desc())
    for step_id in connection.execute(newest_first).scalars().all():
        remark(connection, step_id)


async def answered(store: Store) -> None:
    """Two people answered a question in each of three weeks; then its key was repaired."""

    def ask(connection: Connection) -> list[int]:
        return [add_step(connection, add_place(connection), day=day).id for day in DAYS]

    for step_id in await store.write(ask):
        for who, answer in (("ada", "a"), ("bob", "b")):
            await store.record(draft(step_id, who, answer))
    await store.write(lambda c: add_version(c, "q1", right="b"))


async def overlap(url: str, one: Store, first: Work, other: Store, second: Work) -> None:
    """The second begins when the first has done all its work, and before that is committed."""
    has_worked, may_commit = threading.Event(), threading.Event()

    def held(connection: Connection) -> None:
        first(connection)
        has_worked.set()
        assert may_commit.wait(SOON)

    async with asyncio.timeout(2 * SOON):
        holding = asyncio.create_task(one.write(held))
        assert await asyncio.to_thread(has_worked.wait, SOON)
        waiting = asyncio.create_task(other.write(second))
        async with await psycopg.AsyncConnection.connect(url, autocommit=True) as witness:
            while not waiting.done() and not await _somebody_waits(witness):
                pass  # until it does, or has found nothing to wait for
        may_commit.set()
        await asyncio.gather(holding, waiting)


async def _somebody_waits(witness: psycopg.AsyncConnection[Any]) -> bool:
    found = await witness.execute(
        "SELECT count(*) FROM pg_stat_activity"
        " WHERE datname = current_database() AND wait_event_type = 'Lock'"
    )
    row = await found.fetchone()
    return row is not None and row[0] > 0


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param(*pair, id=f"{pair[1].__name__}_during_{pair[0].__name__}")
        for pair in permutations((a_regrade, a_new_season, a_repaired_key), 2)
    ],
)
async def test_each_total_is_right_after(emptied_url: str, first: Work, second: Work) -> None:
    async with opened(emptied_url) as one, opened(emptied_url) as other:
        await answered(one)
        await overlap(emptied_url, one, first, other, second)
        assert await one.write(is_consistent)


async def test_processes_that_lead_the_same_rounds_never_wait_in_a_circle(emptied_url: str) -> None:
    both_lead = threading.Barrier(2)

    async with opened(emptied_url) as one, opened(emptied_url) as other:
        first, second = await one.write(two_rounds)

        def lead(connection: Connection, round_id: int) -> None:
            rounds.hold(connection, round_id)
            both_lead.wait(SOON)

        async with asyncio.timeout(2 * SOON):
            await asyncio.gather(
                one.write(lambda c: lead(c, first)),
                one.write(lambda c: rounds.hold(c, second)),
                other.write(lambda c: lead(c, second)),
                other.write(lambda c: rounds.hold(c, first)),
            )


async def test_a_timer_whose_round_somebody_leads_is_not_waited_for(emptied_url: str) -> None:
    def waits(connection: Connection) -> tuple[int, int]:
        round_id, _ = two_rounds(connection)
        timers.set_timer(connection, "close", round_id, None, NOON)
        return round_id, timers.due_timers(connection, NOON)[0]

    async with opened(emptied_url) as one, opened(emptied_url) as other:
        round_id, timer_id = await one.write(waits)
        found: list[timers.Timer | None] = []

        def lead(connection: Connection) -> None:
            rounds.hold(connection, round_id)
            fires = other.write(lambda c: timers.take_timer(c, timer_id, NOON))
            found.append(asyncio.run_coroutine_threadsafe(fires, loop).result(SOON))
            timers.clear_timers(connection, round_id, NOON)

        loop = asyncio.get_running_loop()
        await one.write(lead)
        assert found == [None]
        assert await other.write(lambda c: timers.take_timer(c, timer_id, NOON)) is None


async def test_processes_that_begin_on_an_empty_database_both_live(emptied_url: str) -> None:
    def begin(connection: Connection) -> None:
        assert heartbeats.last_beat(connection, lock=True) is None
        heartbeats.beat(connection, NOON)

    async with opened(emptied_url) as one, opened(emptied_url) as other:
        await overlap(emptied_url, one, begin, other, lambda c: heartbeats.beat(c, NOON))
        assert await one.write(heartbeats.last_beat) == NOON


def two_rounds(connection: Connection) -> tuple[int, int]:
    first, second = (add_step(connection, add_place(connection, name)) for name in ("c1", "c2"))
    return first.round_id, second.round_id
