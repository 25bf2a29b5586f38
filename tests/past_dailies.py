"""Daily quizzes that were, put there by hand: who answered on which dates."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Protocol

from conversation import Person, Stage
from sqlalchemy import Connection, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from store_world import add_version

from bot.outcomes import Draft, First, PersonKey
from bot.store import occasions
from bot.store.schema import occurrences, persons, places, rounds, schedules, steps
from bot.store.store import Store

DAY = timedelta(days=1)


class StoredStage(Stage, Protocol):
    @property
    def store(self) -> Store: ...


@dataclass(frozen=True)
class Daily:
    """A schedule of the only channel that there is."""

    stage: StoredStage
    store: Store
    schedule: int
    place: int
    community: int

    async def asked(self, day: date, *who: Person, wrong: Iterable[Person] = ()) -> None:
        """A date whose question these have answered; it is over."""
        round_id, step_id = await self.store.write(lambda c: self._ask(c, day))
        people = [(person, "a") for person in who] + [(person, "b") for person in wrong]
        for person, answer in people:
            key, now = await self._key(person), self.stage.clock.now()
            made = await self.store.record(Draft(step_id, key, (answer,), "en", now, now))
            assert isinstance(made, First)
        await self.store.write(lambda c: self._close(c, round_id, step_id))

    async def still_asks(self, day: date) -> None:
        """A date whose question can be answered still."""
        await self.store.write(lambda c: self._ask(c, day))

    async def _key(self, person: Person) -> PersonKey:
        query = select(persons.c.platform, persons.c.external_id).where(
            persons.c.name == person.name
        )

        async def read(connection: AsyncConnection) -> Any:
            return (await connection.execute(query)).one()

        platform, external_id = await self.store.read(read)
        return PersonKey(platform, external_id, person.name)

    def _ask(self, connection: Connection, day: date) -> tuple[int, int]:
        version, now = add_version(connection, f"of-{day}"), self.stage.clock.now()
        of_round = {
            "community_id": self.community,
            "place_id": self.place,
            "mode": "open",
            "state": "asking",
            "topic": "{}",
            "title": "{}",
            "language": "en",
            "started_at": now,
        }
        made = insert(rounds).values(of_round).returning(rounds.c.id)
        round_id = connection.execute(made).scalar_one()
        of_step = {
            "round_id": round_id,
            "position": 1,
            "version_id": version.version_id,
            "question_id": version.question_id,
            "option_order": "[]",
            "date": day.isoformat(),
            "opened_at": now,
        }
        step_id = connection.execute(
            insert(steps).values(of_step).returning(steps.c.id)
        ).scalar_one()
        occasions.count_step(connection, step_id)
        occurrence = {
            "schedule_id": self.schedule,
            "date": day.isoformat(),
            "round_id": round_id,
            "state": "asked",
            "posts_at": now,
            "created_at": now,
        }
        connection.execute(insert(occurrences).values(occurrence))
        return round_id, step_id

    def _close(self, connection: Connection, round_id: int, step_id: int) -> None:
        now = self.stage.clock.now()
        connection.execute(update(steps).where(steps.c.id == step_id).values(closed_at=now))
        connection.execute(
            update(rounds).where(rounds.c.id == round_id).values(ended_at=now, state="ended")
        )


async def daily(stage: StoredStage, *people: Person) -> Daily:
    """A schedule where these are, who are known from now on."""
    for person in people:
        await person.types("/language en")
    store = stage.store

    def work(connection: Connection) -> Daily:
        place = connection.execute(select(places).where(places.c.kind == "channel")).one()
        values = {
            "community_id": place.community_id,
            "place_id": place.id,
            "at": "08:00",
            "zone": "UTC",
            "weekdays": "[1,2,3,4,5,6,7]",
            "shuffled": True,
            "seed": "1",
            "count": 1,
            "created_at": stage.clock.now(),
        }
        made = insert(schedules).values(values).returning(schedules.c.id)
        schedule = connection.execute(made).scalar_one()
        return Daily(stage, store, schedule, place.id, place.community_id)

    return await store.write(work)


def today(stage: Stage) -> date:
    return stage.clock.now().date()
