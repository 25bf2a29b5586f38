"""The writer: what shares a commit, what fails alone, and who is told."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest
from sqlalchemy import Connection, event, insert, select, text
from sqlalchemy.exc import IntegrityError
from store_world import (
    NOON,
    SECOND,
    Commits,
    add_place,
    add_step,
    draft,
    opened,
    question,
    table,
)

from bot.outcomes import Again, First
from bot.store import people
from bot.store.opening import StoreUnavailable
from bot.store.schema import communities, persons, question_versions
from bot.store.store import Store
from bot.store.totals import is_consistent
from bot.store.versions import dump
from bot.store.writer import Committed

pytest_plugins = ["store_databases"]


@pytest.fixture
async def store(database_url) -> AsyncIterator[Store]:
    async with opened(database_url) as store:
        yield store
        assert await store.write(is_consistent)


class Gate:
    """Work that stands in the writer until it is let go, so that a queue forms behind it."""

    def __init__(self) -> None:
        self.entered = threading.Event()
        self.let_go = threading.Event()

    def __call__(self, connection: Connection) -> None:
        self.entered.set()
        assert self.let_go.wait(10)

    async def stand(self, store: Store) -> asyncio.Task[None]:
        task = asyncio.ensure_future(store.write(self))
        await asyncio.to_thread(self.entered.wait, 10)
        return task


def new_person(connection: Connection, name: str) -> int:
    values = {"platform": "local", "external_id": name, "name": name, "created_at": NOON}
    return int(
        connection.execute(insert(persons).values(values).returning(persons.c.id)).scalar_one()
    )


async def test_a_write_gives_back_what_its_function_returns(store):
    assert await store.write(lambda c: c.execute(text("SELECT 41 + 1")).scalar_one()) == 42


async def test_a_thousand_outstanding_presses_cost_a_handful_of_commits(store):
    step = await store.write(lambda c: add_step(c, add_place(c)))
    store.after_commit(commits := Commits())
    recorded = await asyncio.gather(
        *(store.record(draft(step, f"u{index}")) for index in range(1_000))
    )
    assert all(isinstance(made, First) for made in recorded)
    assert len(commits) <= 5


async def test_what_is_queued_during_a_commit_shares_the_next_one(store):
    step = await store.write(lambda c: add_step(c, add_place(c)))
    store.after_commit(commits := Commits())
    gate = Gate()
    standing = await gate.stand(store)
    queued = [asyncio.ensure_future(store.record(draft(step, f"u{index}"))) for index in range(50)]
    bob = store.write(lambda c: new_person(c, "bob"), apart=False)
    queued.append(asyncio.ensure_future(bob))
    await asyncio.sleep(0)
    gate.let_go.set()
    await asyncio.gather(standing, *queued)
    assert len(commits) == 2


async def test_after_a_commit_it_is_told_which_steps_got_first_answers(store):
    def ask(connection):
        place = add_place(connection)
        return add_step(connection, place, name="q1"), add_step(connection, place, name="q2")

    one, two = await store.write(ask)
    store.after_commit(commits := Commits())
    await asyncio.gather(store.record(draft(one)), store.record(draft(two)))
    await store.record(draft(one, after=5))
    await store.write(lambda c: new_person(c, "bob"))
    assert commits.told == [frozenset({one.id, two.id}), frozenset()]


async def test_nobody_is_woken_by_what_changed_nothing_or_asks_not_to(store):
    def fail(connection):
        raise LookupError

    store.after_commit(commits := Commits())
    await store.write(lambda c: new_person(c, "bob"), wakes=False)
    with pytest.raises(LookupError):
        await store.write(fail)
    assert len(commits) == 0


async def test_a_callback_that_fails_keeps_nobody_else_from_being_told(store, caplog):
    def fail(committed: Committed) -> None:
        raise RuntimeError("a bug elsewhere")

    store.after_commit(fail)
    store.after_commit(commits := Commits())
    await store.write(lambda c: None)
    assert len(commits) == 1
    assert "a callback after a commit failed" in caplog.text


async def test_what_fails_is_undone_and_told_to_its_caller_alone(store):
    def fail(connection):
        new_person(connection, "undone")
        raise LookupError("no such thing")

    step = await store.write(lambda c: add_step(c, add_place(c)))
    results = await asyncio.gather(
        store.write(lambda c: new_person(c, "before")),
        store.write(fail),
        store.write(lambda c: new_person(c, "after")),
        store.record(draft(step)),
        return_exceptions=True,
    )
    assert [type(result) for result in results] == [int, LookupError, int, First]
    names = {row["external_id"] for row in await table(store, "persons")}
    assert names == {"before", "after", "ada"}


async def test_a_broken_constraint_is_told_to_its_caller_alone(store):
    results = await asyncio.gather(
        *(store.write(lambda c: new_person(c, "twice")) for _ in range(2)),
        store.write(lambda c: new_person(c, "once")),
        return_exceptions=True,
    )
    assert isinstance(results[1], IntegrityError)
    assert [isinstance(result, int) for result in results] == [True, False, True]


async def test_a_reference_to_nothing_is_refused(store):
    def orphan(connection):
        connection.execute(
            text("INSERT INTO places (community_id, external_id, kind) VALUES (99, 'x', 'channel')")
        )

    with pytest.raises(IntegrityError):
        await store.write(orphan)


async def test_an_answer_that_cannot_be_recorded_takes_no_other_with_it(store):
    """A version whose content cannot be read any more: a bug, but of one step."""

    def ask(connection):
        place = add_place(connection)
        return add_step(connection, place, name="q1"), add_step(connection, place, name="broken")

    good, broken = await store.write(ask)
    spoil = question_versions.update().where(question_versions.c.id == broken.version.version_id)
    await store.write(lambda c: c.execute(spoil.values(content="{}")))
    results = await asyncio.gather(
        store.record(draft(good, "ada")),
        store.record(draft(broken, "ada")),
        store.record(draft(good, "bob")),
        return_exceptions=True,
    )
    assert isinstance(results[0], First)
    assert isinstance(results[1], ValueError)
    assert isinstance(results[2], First)
    mend = spoil.values(content=dump(question("broken")))
    await store.write(lambda c: c.execute(mend))
    assert isinstance(await store.record(draft(broken, "ada")), First)


async def test_what_was_made_in_an_undone_transaction_is_forgotten_with_it(store):
    """Board ids that a failing batch had given out must not be used by the next one."""

    def answer_then_fail(connection):
        store._writer._answers.record(connection, [draft(step)])
        raise LookupError

    # It has no date yet, so that it is the answer that makes its boards.
    step = await store.write(lambda c: add_step(c, add_place(c), day=None))
    with pytest.raises(LookupError):
        await store.write(answer_then_fail)
    assert await table(store, "boards") == []
    assert isinstance(await store.record(draft(step)), First)


async def test_a_waiter_that_is_cancelled_cancels_neither_the_work_nor_the_batch(store):
    step = await store.write(lambda c: add_step(c, add_place(c)))
    gate = Gate()
    standing = await gate.stand(store)
    impatient = asyncio.ensure_future(asyncio.wait_for(store.record(draft(step, "ada")), 0.001))
    patient = asyncio.ensure_future(store.record(draft(step, "bob")))
    with pytest.raises(TimeoutError):
        await impatient
    gate.let_go.set()
    await standing
    assert isinstance(await patient, First)
    assert isinstance(again := await store.record(draft(step, "ada")), Again)
    assert again.same_press


async def test_a_failure_that_nobody_waits_for_any_more_is_no_failure_of_others(store):
    def fail(connection):
        raise LookupError

    gate = Gate()
    standing = await gate.stand(store)
    abandoned = asyncio.ensure_future(store.write(fail))
    await asyncio.sleep(0)
    abandoned.cancel()
    with suppress(asyncio.CancelledError):
        await abandoned
    gate.let_go.set()
    await standing
    assert await store.write(lambda c: 1) == 1


async def test_more_than_a_batch_is_taken_in_several_in_order(store):
    order: list[int] = []
    gate = Gate()
    standing = await gate.stand(store)
    store.after_commit(commits := Commits())
    works = [
        asyncio.ensure_future(store.write(lambda c, index=index: order.append(index), apart=False))
        for index in range(2_500)
    ]
    await asyncio.sleep(0)
    gate.let_go.set()
    await asyncio.gather(standing, *works)
    assert order == list(range(2_500))
    assert len(commits) == 4


async def test_closing_commits_what_is_queued(database_url):
    async with opened(database_url) as store:
        step = await store.write(lambda c: add_step(c, add_place(c)))
        queued = [asyncio.ensure_future(store.record(draft(step, f"u{i}"))) for i in range(20)]
        await asyncio.sleep(0)
    assert all(isinstance(task.result(), First) for task in queued)


async def test_a_closed_store_takes_nothing_more_and_says_so(database_url):
    async with opened(database_url) as store:
        pass
    with pytest.raises(StoreUnavailable, match="stopping"):
        await store.write(lambda c: None)
    await store.close()


async def test_readers_cannot_write(store):
    async def write(connection):
        await connection.execute(insert(communities).values(platform="x"))

    with pytest.raises(Exception, match="read"):
        await store.read(write)


async def test_a_reader_sees_one_state_whatever_is_committed_meanwhile(store):
    async def read_twice(connection):
        query = select(persons.c.external_id)
        before = (await connection.execute(query)).scalars().all()
        await store.write(lambda c: new_person(c, "meanwhile"))
        return before, (await connection.execute(query)).scalars().all()

    await store.write(lambda c: new_person(c, "early"))
    before, after = await store.read(read_twice)
    assert before == after == ["early"]
    assert len(await table(store, "persons")) == 2


async def test_a_reader_that_is_cancelled_leaves_the_others_whole(store):
    async def wait(connection):
        await connection.execute(select(persons.c.id))
        await asyncio.Event().wait()

    for _ in range(6):
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(store.read(wait), 0.01)
    tables = await asyncio.gather(*(table(store, "persons") for _ in range(10)))
    assert tables == [[]] * 10


async def test_many_readers_and_a_writer_do_not_stand_in_each_others_way(store):
    step = await store.write(lambda c: add_step(c, add_place(c)))
    results = await asyncio.gather(
        *(store.record(draft(step, f"u{index}")) for index in range(30)),
        *(table(store, "attempts") for _ in range(30)),
    )
    assert len(results) == 60


async def test_a_commit_that_the_database_refuses_fails_every_one_in_it_and_no_other(store):
    step = await store.write(lambda c: add_step(c, add_place(c)))
    engine = store._writer._engine
    gate = Gate()
    standing = await gate.stand(store)
    gate.let_go.set()
    await standing

    def refuse(connection):
        raise RuntimeError("the disk fell out")

    event.listen(engine, "commit", refuse)
    results = await asyncio.gather(
        store.record(draft(step)), store.write(lambda c: new_person(c, "x")), return_exceptions=True
    )
    event.remove(engine, "commit", refuse)
    assert [type(result) for result in results] == [StoreUnavailable] * 2
    assert await table(store, "attempts") == []
    assert isinstance(await store.record(draft(step)), First)


async def test_work_that_swallows_a_failed_statement_on_its_savepoint_is_told_of_it(store):
    """On PostgreSQL a failed statement spoils what follows; its caller hears of that, alone."""

    def swallow(connection):
        with suppress(IntegrityError):
            connection.execute(insert(persons).values(id=1))
        return connection.execute(select(persons.c.id)).all()

    results = await asyncio.gather(
        store.write(swallow), store.write(lambda c: new_person(c, "x")), return_exceptions=True
    )
    assert isinstance(results[1], int)


async def test_people_are_made_once_and_their_names_kept_fresh(store):
    who = draft(1, "ada").person
    one = await store.write(lambda c: people.ensure_person(c, who, NOON))
    two = await store.write(lambda c: people.ensure_person(c, who, NOON + SECOND))
    assert one == two
