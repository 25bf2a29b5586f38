"""A small world in a store: what other parts will insert, put there by hand."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, NullPool, create_engine, insert, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.calls import Where
from bot.content import Bank, BankText, Question, QuestionText
from bot.outcomes import Draft, PersonKey
from bot.state import Place
from bot.store import occasions, people
from bot.store.addresses import read_address
from bot.store.opening import open_store
from bot.store.schema import metadata, occurrences, rounds, schedules, steps
from bot.store.store import Store
from bot.store.upgrades import upgrade
from bot.store.versions import Version, ensure_versions
from bot.store.writer import Committed

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
"""A Monday, in the ISO week 2026-W49."""

TODAY = NOON.date()
SECOND = timedelta(seconds=1)
UTC_ZONE = ZoneInfo("UTC")
BANKS = {"q2": "b2"}
"""Which quiz a question is out of; b1 for the others."""

OPTIONS = ("a", "b", "c")


class HandClock:
    """Time that moves when a test moves it."""

    def __init__(self, now: datetime = NOON) -> None:
        self.time = now

    def now(self) -> datetime:
        return self.time

    async def wait(self, event: asyncio.Event, until: datetime | None) -> None:
        await event.wait()


@asynccontextmanager
async def opened(url: str, zone: ZoneInfo = UTC_ZONE) -> AsyncIterator[Store]:
    store = await open_store(url, zone=zone, clock=HandClock())
    try:
        yield store
    finally:
        await store.close()


def empty(url: str) -> None:
    """Take everything out of a database, for the next example of a property."""
    address = read_address(url)
    upgrade(address)
    engine = create_engine(address.writer, poolclass=NullPool)
    with engine.begin() as connection:
        for table in reversed(metadata.sorted_tables):
            connection.execute(table.delete())


@dataclass(frozen=True)
class AskedStep:
    """A step that stands open, and what a test wants to know of it."""

    id: int
    round_id: int
    place: Place
    version: Version


def add_place(
    connection: Connection, community: str = "c1", place: str = "p1", *, zone: str | None = None
) -> Place:
    where = Where("local", community, place, community_name=f"The {community}", place_name=place)
    made = people.ensure_place(connection, where, NOON)
    if zone is not None:
        people.set_zone(connection, made.community_id, zone)
    return made


def question(name: str = "q1", right: str = "a") -> Question:
    texts = QuestionText(f"What is {name}?", {key: f"Option {key}" for key in OPTIONS})
    return Question(name, "en", OPTIONS, frozenset({right}), {"en": texts})


def add_version(connection: Connection, name: str = "q1", right: str = "a") -> Version:
    """Store a question with this key, and make it today's."""
    asked = question(name, right)
    bank = Bank(BANKS.get(name, "b1"), "en", {"en": BankText("A bank")}, (asked,))
    return ensure_versions(connection, [(bank, asked)], NOON)[0]


def add_step(
    connection: Connection,
    place: Place,
    *,
    name: str = "q1",
    version: Version | None = None,
    mode: str = "live",
    day: date | None = TODAY,
    speed: bool = False,
    seconds: int | None = 60,
    opened_at: datetime | None = NOON,
    cutoff_at: datetime | None = None,
) -> AskedStep:
    """A round of one question, open; it has ended, so that the place can have more."""
    version = version or add_version(connection, name)
    ended_at = None if day is None else datetime.combine(day, NOON.timetz()) + timedelta(days=1)
    of_round = {
        "community_id": place.community_id,
        "place_id": place.id,
        "mode": mode,
        "state": "asking",
        "topic": "{}",
        "title": "{}",
        "language": "en",
        "speed": speed,
        "started_at": NOON,
        "ended_at": ended_at if mode == "live" else None,
    }
    round_id = connection.execute(
        insert(rounds).values(of_round).returning(rounds.c.id)
    ).scalar_one()
    of_step = {
        "round_id": round_id,
        "position": 1,
        "version_id": version.version_id,
        "question_id": version.question_id,
        "option_order": "[]",
        "seconds": seconds,
        "date": None if mode == "solo" or day is None else day.isoformat(),
        "opened_at": opened_at,
        "cutoff_at": cutoff_at,
    }
    step_id = connection.execute(insert(steps).values(of_step).returning(steps.c.id)).scalar_one()
    if mode != "solo" and day is not None and opened_at is not None:
        occasions.count_step(connection, step_id)
    if mode == "open" and day is not None:
        add_occurrence(connection, round_id, place, day)
    return AskedStep(step_id, round_id, place, version)


def add_occurrence(connection: Connection, round_id: int, place: Place, day: date) -> int:
    """The date of a schedule of its own, whose round this is; the schedule's id."""
    of_schedule = {
        "community_id": place.community_id,
        "place_id": place.id,
        "at": "12:00",
        "zone": "UTC",
        "weekdays": "[1, 2, 3, 4, 5, 6, 7]",
        "shuffled": True,
        "seed": "seed",
        "count": 1,
        "created_at": NOON,
    }
    schedule_id = connection.execute(
        insert(schedules).values(of_schedule).returning(schedules.c.id)
    ).scalar_one()
    of_date = {
        "schedule_id": schedule_id,
        "date": day.isoformat(),
        "round_id": round_id,
        "state": "asked",
        "posts_at": NOON,
        "created_at": NOON,
    }
    connection.execute(insert(occurrences).values(of_date))
    return int(schedule_id)


def close_step(connection: Connection, step_id: int, at: datetime = NOON) -> None:
    connection.execute(update(steps).where(steps.c.id == step_id).values(closed_at=at))


def draft(
    step: AskedStep | int,
    who: str = "ada",
    answer: str = "a",
    *,
    after: float = 1.0,
    name: str | None = None,
) -> Draft:
    """A press so many seconds after noon."""
    at = NOON + after * SECOND
    person = PersonKey("local", who, who.title() if name is None else name)
    step_id = step if isinstance(step, int) else step.id
    return Draft(step_id, person, (answer,), "en", at, at)


@dataclass
class Commits:
    """Counts commits, and keeps which steps they told of."""

    told: list[frozenset[int]] = field(default_factory=list)

    def __call__(self, committed: Committed) -> None:
        self.told.append(frozenset(attempt.step_id for attempt in committed.first))

    def __len__(self) -> int:
        return len(self.told)


async def table(store: Store, name: str) -> list[dict[str, object]]:
    """All rows of a table, by its columns' names."""

    async def read(connection: AsyncConnection) -> list[dict[str, object]]:
        rows = await connection.execute(select(metadata.tables[name]))
        return [dict(row._mapping) for row in rows]

    return await store.read(read)


async def totals_by_board(store: Store) -> dict[tuple[object, ...], tuple[int, int, int]]:
    """(community, place or 0, period, starts, player) to points, answered and right."""

    async def read(connection: AsyncConnection) -> dict[tuple[object, ...], tuple[int, int, int]]:
        rows = await connection.execute(
            text(
                "SELECT community_id, place_id, period, starts, player_id, points, answered,"
                ' "right" FROM totals JOIN boards ON boards.id = totals.board_id'
            )
        )
        return {tuple(row[:5]): (row[5], row[6], row[7]) for row in rows}

    return await store.read(read)
