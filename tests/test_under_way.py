"""Work that goes on by itself: what a stop waits for, and for how long."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from clock import START, StandingClock

from adapters.under_way import UnderWay, done_by


async def test_a_stop_waits_also_for_what_begins_meanwhile() -> None:
    under_way, told = UnderWay(), []

    async def tell() -> None:
        await asyncio.sleep(0)
        told.append("told")

    async def work() -> None:
        await asyncio.sleep(0)
        under_way.begin(tell())

    under_way.begin(work())
    assert await under_way.ended(within=5)
    assert told == ["told"]
    assert len(under_way) == 0


async def test_what_does_not_end_is_waited_for_no_longer_and_then_cut_off() -> None:
    under_way, noticed = UnderWay(), []

    async def never() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            noticed.append("noticed")

    under_way.begin(never())
    assert not await under_way.ended(within=0)
    assert len(under_way) == 1
    await under_way.give_up()
    assert noticed == ["noticed"]
    assert len(under_way) == 0


async def test_what_is_waited_for_too_long_goes_on() -> None:
    clock, under_way, may_end = StandingClock(), UnderWay(), asyncio.Event()

    async def work() -> str:
        await may_end.wait()
        return "done"

    task = under_way.begin(work())
    waiting = asyncio.create_task(done_by(START + timedelta(seconds=2), task, clock))
    await clock.next_wait(after=0)
    clock.move(2)
    assert not await waiting
    may_end.set()
    assert await done_by(START + timedelta(seconds=9), task, clock)
    assert task.result() == "done"
