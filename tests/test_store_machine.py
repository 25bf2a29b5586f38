"""Presses, closes, failures and restarts in any order, against a model of a few dictionaries."""

from __future__ import annotations

import asyncio
from datetime import date, timedelta

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import event, func, select
from store_model import (
    Asked,
    Model,
    expected_answers,
    stored_answers,
    stored_totals,
    verdict,
)
from store_world import (
    NOON,
    TODAY,
    UTC_ZONE,
    HandClock,
    add_place,
    add_step,
    add_version,
    close_step,
    draft,
    empty,
)

from bot.outcomes import Draft
from bot.store.mirrors import mirror_step
from bot.store.opening import StoreUnavailable, open_store
from bot.store.schema import attempts, persons
from bot.store.seasons import begin_season
from bot.store.store import Store
from bot.store.totals import is_consistent, regrade

pytest_plugins = ["store_databases"]

PEOPLE = ["ada", "bob", "cho", "dee"]
QUESTIONS = ["q1", "q2"]

steps = st.integers(0, 9)
people = st.sampled_from(PEOPLE)
seconds = st.sampled_from([1.0, 9.0, 10.0, 11.0, 30.0])
presses = st.lists(st.tuples(steps, people, st.sampled_from("ab"), seconds), min_size=1, max_size=6)


Presses = list[tuple[int, str, str, float]]


class StoreMachine(RuleBasedStateMachine):
    """Every rule does one thing to a real store and the same to the model."""

    url: str

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.model = Model()
        self.ids: list[int] = []
        self.drafts: list[Draft] = []
        empty(self.url)
        self.store = self.run(self.open())

    def run(self, coroutine):
        return self.runner.run(coroutine)

    async def open(self) -> Store:
        return await open_store(self.url, zone=UTC_ZONE, clock=HandClock())

    def teardown(self) -> None:
        try:
            assert self.run(stored_totals(self.store)) == self.model.totals()
            assert self.run(self.store.write(is_consistent))
        finally:
            self.run(self.store.close())
            self.runner.close()

    # --- what happens ------------------------------------------------------------------------

    @initialize()
    def begin(self) -> None:
        self.ask("c1", "p1", "live", "q1", 0, None)

    @rule(
        community=st.sampled_from(["c1", "c2"]),
        place=st.sampled_from(["p1", "p2"]),
        mode=st.sampled_from(["live", "open", "solo"]),
        question=st.sampled_from(QUESTIONS),
        days=st.integers(0, 8),
        cutoff=st.sampled_from([None, 10.0]),
    )
    def ask(
        self, community: str, place: str, mode: str, question: str, days: int, cutoff: float | None
    ) -> None:
        day: date = TODAY + timedelta(days=days)
        right = self.model.keys.get(question, "a")

        def happen(connection):
            step = add_step(
                connection,
                add_place(connection, community, place),
                version=add_version(connection, question, right),
                mode=mode,
                day=day,
                cutoff_at=None if cutoff is None else NOON + timedelta(seconds=cutoff),
            )
            if mode == "open":
                mirror_step(connection, step.id)
            return step

        step = self.run(self.store.write(happen))
        of_day = None if mode == "solo" else day
        self.model.open(Asked(step.id, community, place, mode, question, of_day, False, 60, cutoff))
        self.ids.append(step.id)

    @rule(presses=presses)
    def press(self, presses: Presses) -> None:
        drafts = [self.draft(*press) for press in presses]
        self.drafts += drafts
        self.told(drafts)

    @rule(which=st.lists(st.integers(0, 30), min_size=1, max_size=4))
    def deliver_again(self, which: list[int]) -> None:
        if self.drafts:
            self.told([self.drafts[index % len(self.drafts)] for index in which])

    @rule(step=steps, before=presses, after=presses)
    def close_between(self, step: int, before: Presses, after: Presses) -> None:
        """What is queued before the close is in time, what is queued after it is late."""
        early, late = ([self.draft(*press) for press in some] for some in (before, after))
        self.drafts += early + late
        closed = self.ids[step % len(self.ids)]

        async def happen():
            return await asyncio.gather(
                *map(self.store.record, early),
                self.store.write(lambda c: close_step(c, closed)),
                *map(self.store.record, late),
            )

        results = [result for result in self.run(happen()) if result is not None]
        expected = [self.model.press(draft) for draft in early]
        self.model.close(closed)
        expected += [self.model.press(draft) for draft in late]
        assert [verdict(result) for result in results] == expected

    @rule(before=presses, after=presses)
    def something_fails_between(self, before: Presses, after: Presses) -> None:
        early, late = ([self.draft(*press) for press in some] for some in (before, after))
        self.drafts += early + late

        def fail(connection):
            add_place(connection, "undone")
            raise LookupError

        async def happen():
            return await asyncio.gather(
                *map(self.store.record, early),
                self.store.write(fail),
                *map(self.store.record, late),
                return_exceptions=True,
            )

        results = self.run(happen())
        assert isinstance(results.pop(len(early)), LookupError)
        expected = [self.model.press(draft) for draft in early + late]
        assert [verdict(result) for result in results] == expected

    @rule(presses=presses)
    def a_commit_fails(self, presses: Presses) -> None:
        """Nobody is told that it was stored, and it was not."""
        drafts = [self.draft(*press) for press in presses]

        def refuse(connection):
            raise RuntimeError("no commit today")

        async def happen():
            return await asyncio.gather(
                *map(self.store.record, drafts), self.store.write(add_place), return_exceptions=True
            )

        engine = self.store._writer._engine
        event.listen(engine, "commit", refuse)
        try:
            results = self.run(happen())
        finally:
            event.remove(engine, "commit", refuse)
        assert {type(result) for result in results} == {StoreUnavailable}

    @rule(question=st.sampled_from(QUESTIONS), right=st.sampled_from("ab"))
    def repair(self, question: str, right: str) -> None:
        self.run(self.store.write(lambda c: add_version(c, question, right)))
        self.model.keys[question] = right
        self.run(self.store.write(regrade))
        self.model.regrade()

    @rule(community=st.sampled_from(["c1", "c2"]), days=st.integers(-40, 8))
    def a_season_begins(self, community: str, days: int) -> None:
        day = TODAY + timedelta(days=days)
        known = self.model.seasons.setdefault(community, set())

        def happen(connection):
            return begin_season(connection, add_place(connection, community).community_id, day)

        assert self.run(self.store.write(happen)) == (day not in known)
        known.add(day)

    @rule()
    def restart(self) -> None:
        self.run(self.store.close())
        self.store = self.run(self.open())

    # --- what holds --------------------------------------------------------------------------

    @invariant()
    def answers_are_the_models(self) -> None:
        assert self.run(stored_answers(self.store)) == expected_answers(self.model)

    def draft(self, step: int, who: str, answer: str, after: float) -> Draft:
        return draft(self.ids[step % len(self.ids)], who, answer, after=after)

    def told(self, drafts: list[Draft]) -> None:
        async def happen():
            return await asyncio.gather(*map(self.store.record, drafts))

        results = self.run(happen())
        assert [verdict(result) for result in results] == [
            self.model.press(draft) for draft in drafts
        ]


LIMITS = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def test_on_sqlite_a_store_does_what_the_model_does(sqlite_url):
    machine = type("OnSqlite", (StoreMachine,), {"url": sqlite_url})
    limits = settings(LIMITS, max_examples=18, stateful_step_count=15)
    run_state_machine_as_test(machine, settings=limits)


def test_on_postgresql_a_store_does_what_the_model_does(emptied_url):
    machine = type("OnPostgres", (StoreMachine,), {"url": emptied_url})
    limits = settings(LIMITS, max_examples=6, stateful_step_count=12)
    run_state_machine_as_test(machine, settings=limits)


# --- two processes ---------------------------------------------------------------------------


@pytest.fixture
async def two(emptied_url):
    stores = [await open_store(emptied_url, zone=UTC_ZONE, clock=HandClock()) for _ in range(2)]
    yield stores
    assert await stores[0].write(is_consistent)
    for store in stores:
        await store.close()


async def test_nothing_counts_after_the_close_is_committed(two):
    one, other = two
    counted = select(func.count()).select_from(attempts)
    outcomes = []
    for number in range(12):
        step = await one.write(lambda c, n=number: add_step(c, add_place(c), name=f"q{n}"))
        outcomes.append(verdict(await one.record(draft(step, "early"))))
        crowd = [
            asyncio.ensure_future(two[index % 2].record(draft(step, f"u{index}")))
            for index in range(60)
        ]
        # Somewhere in the middle of them, and from either side.
        for _ in range(number):
            await asyncio.sleep(0)
        closer, witness = (one, other) if number % 2 else (other, one)
        await closer.write(lambda c, s=step.id: close_step(c, s))
        at_close = await witness.write(lambda c: c.execute(counted).scalar_one())
        told = [verdict(made) for made in await asyncio.gather(*crowd)]
        assert await witness.write(lambda c: c.execute(counted).scalar_one()) == at_close
        outcomes += told
        stored = select(func.count()).where(attempts.c.step_id == step.id)
        kept = await one.write(lambda c, q=stored: c.execute(q).scalar_one())
        assert kept == 1 + told.count("first")
        outcomes.append(verdict(await other.record(draft(step, "tardy"))))
    assert set(outcomes) == {"first", "late"}


async def test_of_two_first_answers_to_a_question_in_two_processes_one_counts(two):
    def ask(connection):
        here, there = add_place(connection, place="p1"), add_place(connection, place="p2")
        return [
            [add_step(connection, place, name=f"q{number}") for place in (here, there)]
            for number in range(4)
        ]

    crowd = [f"u{index}" for index in range(40)]
    for pair in await two[0].write(ask):
        made = await asyncio.gather(
            *(
                store.record(draft(step, who))
                for step, store in zip(pair, two, strict=True)
                for who in crowd
            )
        )
        for index in range(len(crowd)):
            pair_of_one = made[index].attempt, made[index + len(crowd)].attempt
            assert sorted(str(attempt.practice) for attempt in pair_of_one) == ["None", "again"]


async def test_one_press_delivered_to_two_processes_is_stored_once(two):
    step = await two[0].write(lambda c: add_step(c, add_place(c)))
    presses = [draft(step, f"u{index}") for index in range(60)]
    made = await asyncio.gather(*(store.record(press) for store in two for press in presses))
    told = [verdict(recorded) for recorded in made]
    assert sorted(told) == ["first"] * 60 + ["same"] * 60
    people_made = select(func.count()).select_from(persons)
    assert await two[0].write(lambda c: c.execute(people_made).scalar_one()) == 60
