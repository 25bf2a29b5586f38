"""What many ask for at once is read for all of them together, and is never old."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping

import pytest

from bot.shared_reads import SharedReads


class Told:
    """A slow source: each read waits to be let through, and tells what holds when it began."""

    def __init__(self) -> None:
        self.holds = 1
        self.asked: list[set[str]] = []
        self.gate = asyncio.Event()
        self.fails = False

    async def read(self, keys: Collection[str]) -> Mapping[str, int]:
        self.asked.append(set(keys))
        holds = self.holds
        await self.gate.wait()
        fails, self.fails = self.fails, False
        if fails:
            raise OSError
        return dict.fromkeys(keys, holds)

    def let_through(self) -> None:
        """The read that is under way; the next one waits again."""
        gate, self.gate = self.gate, asyncio.Event()
        gate.set()


async def begin(reads: SharedReads[str, int], *keys: str) -> list[asyncio.Task[int]]:
    tasks = [asyncio.create_task(reads.get(key)) for key in keys]
    await asyncio.sleep(0)
    return tasks


async def test_who_asks_while_a_read_is_under_way_shares_the_next_one() -> None:
    told = Told()
    reads = SharedReads(told.read)
    first = await begin(reads, "ada")
    told.holds = 2
    # Ada has answered once more since that read began.
    others = await begin(reads, "ada", "bob", "cho", "bob")
    told.gate.set()
    assert await asyncio.gather(*first) == [1]
    assert await asyncio.gather(*others) == [2, 2, 2, 2]
    assert told.asked == [{"ada"}, {"ada", "bob", "cho"}]


@pytest.mark.parametrize("is_cut_off", [False, True])
async def test_a_read_that_fails_or_is_cut_off_is_begun_again_by_who_waits(
    is_cut_off: bool,
) -> None:
    told = Told()
    told.fails = not is_cut_off
    reads = SharedReads(told.read)
    (first,) = await begin(reads, "ada")
    (second,) = await begin(reads, "bob")
    if is_cut_off:
        first.cancel()
    told.gate.set()
    with pytest.raises((OSError, asyncio.CancelledError)):
        await first
    assert await second == 1
    assert await reads.get("ada") == 1


@pytest.mark.parametrize("is_cut_off", [False, True])
async def test_a_read_that_fails_leaves_nobody_who_asked_for_the_same_without_an_answer(
    is_cut_off: bool,
) -> None:
    told = Told()
    reads = SharedReads(told.read)
    (first,) = await begin(reads, "zoe")
    before = await begin(reads, "ada", "ada", "bob")
    told.let_through()
    await first
    told.fails = not is_cut_off
    await asyncio.sleep(0)
    since = await begin(reads, "ada", "cho")
    if is_cut_off:
        before[0].cancel()
    told.let_through()
    with pytest.raises((OSError, asyncio.CancelledError)):
        await before[0]
    told.gate.set()
    assert await asyncio.gather(*before[1:], *since) == [1, 1, 1, 1]
    assert told.asked == [{"zoe"}, {"ada", "bob"}, {"ada", "bob", "cho"}]
