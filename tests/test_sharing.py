"""Who asks for the same at once waits together, and nobody takes it from the others."""

from __future__ import annotations

import asyncio

import pytest

from bot.sharing import Shared


class Kitchen:
    """Work that ends when it is let; it counts how often it was begun."""

    def __init__(self) -> None:
        self.begun = 0
        self.gate = asyncio.Event()
        self.fault: Exception | None = None
        self.kept: list[int] = []

    async def cook(self) -> int:
        self.begun += 1
        number = self.begun
        await self.gate.wait()
        if self.fault is not None:
            raise self.fault
        return number


@pytest.fixture
def kitchen() -> Kitchen:
    return Kitchen()


async def ask(shared: Shared[str, int], kitchen: Kitchen, key: str = "soup") -> asyncio.Task[int]:
    """Somebody who waits by now."""
    asking = asyncio.create_task(shared.get(key, kitchen.cook, kitchen.kept.append))
    begun = kitchen.begun
    for _ in range(3):
        await asyncio.sleep(0)
    assert kitchen.begun in (begun, begun + 1)
    return asking


async def test_who_asks_meanwhile_gets_what_was_begun(kitchen: Kitchen) -> None:
    shared: Shared[str, int] = Shared()
    asking = [await ask(shared, kitchen) for _ in range(5)]
    assert len(shared.under_way) == 1
    kitchen.gate.set()
    assert await asyncio.gather(*asking) == [1] * 5
    assert kitchen.kept == [1]
    assert not shared.under_way


async def test_who_asks_for_something_else_waits_for_nobody(kitchen: Kitchen) -> None:
    shared: Shared[str, int] = Shared()
    asking = [await ask(shared, kitchen, key) for key in ("soup", "bread")]
    kitchen.gate.set()
    assert await asyncio.gather(*asking) == [1, 2]


async def test_who_asks_after_it_has_ended_begins_anew(kitchen: Kitchen) -> None:
    shared: Shared[str, int] = Shared()
    kitchen.gate.set()
    assert [await shared.get("soup", kitchen.cook) for _ in range(2)] == [1, 2]


async def test_who_gives_up_takes_nothing_from_the_others(kitchen: Kitchen) -> None:
    shared: Shared[str, int] = Shared()
    first, second = await ask(shared, kitchen), await ask(shared, kitchen)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    kitchen.gate.set()
    assert await second == 1


async def test_what_fails_fails_for_all_who_wait_and_is_kept_by_nobody(kitchen: Kitchen) -> None:
    shared: Shared[str, int] = Shared()
    asking = [await ask(shared, kitchen) for _ in range(2)]
    kitchen.fault = ValueError("it burnt")
    kitchen.gate.set()
    assert await asyncio.gather(*asking, return_exceptions=True) == [kitchen.fault] * 2
    assert not kitchen.kept
    kitchen.fault = None
    assert await shared.get("soup", kitchen.cook) == 2


@pytest.mark.parametrize("every", [False, True])
async def test_what_was_forgotten_is_told_to_who_waits_for_it_alone(
    kitchen: Kitchen, every: bool
) -> None:
    shared: Shared[str, int] = Shared()
    old = await ask(shared, kitchen)
    if every:
        shared.clear()
    else:
        shared.forget("soup")
    new = await ask(shared, kitchen)
    kitchen.gate.set()
    assert (await old, await new) == (1, 2)
    assert kitchen.kept == [2]
    assert not shared.under_way
