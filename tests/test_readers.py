"""People and places are looked up once for all who ask, and never told of as they were before."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, cast

import pytest
from sqlalchemy import Connection
from store_world import NOON, SECOND, UTC_ZONE, HandClock, opened

from bot.calls import Where, Who
from bot.readers import Readers
from bot.store import people
from bot.store.store import Store

HERE = Where("bare", "group", "room", "Study group", "room")
ANA = Who("bare", "ana", "Ana")


@dataclass
class GatedStore:
    """A store whose reads end when they are let; it counts what it is asked for."""

    store: Store
    reads: int = 0
    writes: int = 0
    zone = UTC_ZONE
    broken: bool = False
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    write_gate: asyncio.Event = field(default_factory=asyncio.Event)
    waiting: asyncio.Event = field(default_factory=asyncio.Event)

    async def read(self, work: Callable[..., Awaitable[Any]]) -> Any:
        self.reads += 1
        found = await self.store.read(work)
        self.waiting.set()
        await self.gate.wait()
        if self.broken:
            raise OSError("the disk is away")
        return found

    async def write(self, work: Callable[[Connection], Any], *, wakes: bool = True) -> Any:
        self.writes += 1
        await self.write_gate.wait()
        return await self.store.write(work, wakes=wakes)

    def shut(self) -> None:
        self.gate.clear()
        self.waiting.clear()


@pytest.fixture
async def store(tmp_path) -> AsyncIterator[GatedStore]:
    async with opened(f"sqlite:///{tmp_path}/quiz.db") as inner:
        store = GatedStore(inner)
        store.gate.set()
        store.write_gate.set()
        yield store


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
async def readers(store: GatedStore, clock: HandClock) -> Readers:
    """Who know Ana and her place, since more than half a minute ago."""
    readers = Readers(cast(Store, store), clock)
    await readers.place(HERE)
    await readers.known_person(ANA)
    clock.time = NOON + timedelta(minutes=1)
    store.reads = store.writes = 0
    return readers


async def test_a_rush_after_half_a_minute_reads_its_place_once(readers, store, clock):
    store.shut()
    rush = [asyncio.create_task(readers.place(HERE)) for _ in range(100)]
    await store.waiting.wait()
    store.gate.set()
    found = await asyncio.gather(*rush)
    assert store.reads == 1
    assert len(set(map(id, found))) == 1
    clock.time += SECOND
    await readers.place(HERE)
    assert store.reads == 1


async def test_a_rush_in_a_new_place_makes_it_once(readers, store):
    new = Where("bare", "group", "garden", "Study group", "garden")
    found = await asyncio.gather(*(readers.place(new) for _ in range(100)))
    assert (store.reads, store.writes) == (1, 1)
    assert {place.name for place in found} == {"garden"}


async def test_a_rush_in_a_place_that_was_renamed_notes_it_once(readers, store):
    new = Where("bare", "group", "room", "Study group", "library")
    found = await asyncio.gather(*(readers.place(new) for _ in range(100)))
    assert (store.reads, store.writes) == (1, 1)
    assert {place.name for place in found} == {"library"}


async def test_one_person_who_does_much_at_once_is_looked_up_once(readers, store):
    await asyncio.gather(*(readers.person(ANA) for _ in range(20)))
    assert store.reads == 1


async def test_who_asks_after_a_setting_changed_is_told_the_new_one_whatever_is_under_way(
    readers, store, clock
):
    store.shut()
    before = asyncio.create_task(readers.place(HERE))
    await store.waiting.wait()  # it has read the old setting, and has not said so yet
    place_id = (await store.store.read(lambda c: people.find_place(c, HERE))).community_id
    await store.write(lambda c: people.set_zone(c, place_id, "Africa/Harare"))
    readers.forget_places()
    after = asyncio.create_task(readers.place(HERE))
    await asyncio.sleep(0)
    store.gate.set()
    assert (await before).zone is None
    assert (await after).zone == "Africa/Harare"
    clock.time += SECOND
    assert (await readers.place(HERE)).zone == "Africa/Harare"


async def test_a_language_that_was_chosen_during_a_look_up_stays_chosen(readers, store, clock):
    await readers.person(ANA)
    store.write_gate.clear()
    choosing = asyncio.create_task(readers.set_language(ANA, "fr"))
    await asyncio.sleep(0)
    clock.time += timedelta(minutes=1)
    store.shut()
    before = asyncio.create_task(readers.person(ANA))
    await store.waiting.wait()  # it has read that she chose none
    store.write_gate.set()
    await choosing
    store.gate.set()
    assert (await before).language is None
    assert (await readers.person(ANA)).language == "fr"


async def test_who_gives_up_waiting_takes_nothing_from_the_others(readers, store):
    store.shut()
    first, second = (asyncio.create_task(readers.place(HERE)) for _ in range(2))
    await store.waiting.wait()
    first.cancel()
    store.gate.set()
    assert (await second).name == "room"
    assert store.reads == 1


async def test_a_look_up_that_failed_is_made_again(readers, store):
    store.broken = True
    failed = await asyncio.gather(*(readers.place(HERE) for _ in range(3)), return_exceptions=True)
    assert [type(one) for one in failed] == [OSError] * 3
    assert store.reads == 1
    store.broken = False
    assert (await readers.place(HERE)).name == "room"
