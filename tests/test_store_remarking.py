"""A key that was repaired marks by itself what was answered before."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from store_model import stored_answers, stored_totals
from store_world import NOON, add_place, add_step, add_version, draft, opened, question

from bot.content import Bank, BankText
from bot.store import remarking
from bot.store.remarking import bring_up_to_date, take_keys
from bot.store.store import Store
from bot.store.totals import is_consistent

pytest_plugins = ["store_databases"]

PEOPLE = [f"person {number}" for number in range(7)]


@pytest.fixture
async def store(database_url, monkeypatch):
    monkeypatch.setattr(remarking, "_CHUNK", 3)
    async with opened(database_url) as store:
        yield store


async def answered(store: Store) -> list[int]:
    """Everybody answered three questions, by turns right and wrong; one of them twice a week."""

    def ask(connection):
        place = add_place(connection)
        return [add_step(connection, place, name=name) for name in ("q1", "q2", "q1")]

    asked = await store.write(ask)
    for step in asked:
        presses = [draft(step, who, "ab"[at % 2]) for at, who in enumerate(PEOPLE)]
        await asyncio.gather(*map(store.record, presses))
    return [step.id for step in asked]


async def rekey(store: Store, right: str) -> None:
    await store.write(lambda c: add_version(c, "q1", right=right))


async def test_a_repaired_key_marks_what_was_answered_and_adds_it_up(store):
    first, other, again = await answered(store)
    before = await stored_answers(store)
    await rekey(store, "b")
    assert await bring_up_to_date(store) == 14
    after = await stored_answers(store)
    for at, who in enumerate(PEOPLE):
        assert after[other, who] == before[other, who]
        for step in (first, again):
            assert after[step, who][0] == before[step, who][0], "which one counts"
            assert after[step, who][2] == (at % 2 == 1)
    assert await store.write(is_consistent)


async def test_what_is_up_to_date_stays_as_it_is(store):
    await answered(store)
    before = await stored_totals(store), await stored_answers(store)
    assert await bring_up_to_date(store) == 0
    await rekey(store, "b")
    assert await bring_up_to_date(store) == 14
    assert await bring_up_to_date(store) == 0
    await rekey(store, "a")
    assert await bring_up_to_date(store) == 14
    assert (await stored_totals(store), await stored_answers(store)) == before


async def test_a_key_that_does_not_fit_what_was_asked_changes_nothing(store):
    await answered(store)
    before = await stored_totals(store), await stored_answers(store)
    await rekey(store, "z")
    assert await bring_up_to_date(store) == 0
    assert (await stored_totals(store), await stored_answers(store)) == before
    assert await store.write(is_consistent)


@pytest.mark.parametrize("at_once", [1, 2, 3])
async def test_every_question_is_looked_at_however_few_at_once(store, monkeypatch, at_once):
    monkeypatch.setattr(remarking, "_STEPS_AT_ONCE", at_once)
    await answered(store)
    await rekey(store, "b")
    assert await bring_up_to_date(store) == 14
    assert await store.write(is_consistent)


async def test_the_banks_of_today_are_what_it_goes_by(store):
    await answered(store)
    known = question("q1", "a")
    repaired = replace(known, correct=frozenset("b"))
    bank = Bank("b1", "en", {"en": BankText("A bank")}, (repaired,))
    await take_keys(store, [bank], NOON)
    assert await bring_up_to_date(store) == 14
    assert await store.write(is_consistent)


async def test_answers_go_on_being_taken_meanwhile(store):
    first, _, _ = await answered(store)
    await rekey(store, "b")
    late = [draft(first, f"late {number}", "b") for number in range(20)]
    changed, *_ = await asyncio.gather(
        bring_up_to_date(store), *(store.record(one) for one in late)
    )
    assert changed == 14
    assert await store.write(is_consistent)


async def test_two_processes_that_begin_at_once_correct_each_answer_once(emptied_url, monkeypatch):
    monkeypatch.setattr(remarking, "_CHUNK", 3)
    async with opened(emptied_url) as here, opened(emptied_url) as there:
        await answered(here)
        await rekey(here, "b")
        changed = await asyncio.gather(bring_up_to_date(here), bring_up_to_date(there))
        assert sum(changed) == 14
        assert await here.write(is_consistent)
