"""A question that two dailies of a community have open is answered once, and counts once."""

from __future__ import annotations

import asyncio
from datetime import date, timedelta
from functools import partial

import pytest
from store_world import (
    NOON,
    SECOND,
    TODAY,
    UTC_ZONE,
    HandClock,
    add_place,
    add_step,
    add_version,
    close_step,
    draft,
    opened,
)

from bot.outcomes import Again, Attempt, First, Late
from bot.state import OwnRank
from bot.store import boards, people, streaks
from bot.store.boards import Board
from bot.store.mirrors import mirror_step
from bot.store.opening import open_store
from bot.store.rounds import open_step
from bot.store.totals import is_consistent

pytest_plugins = ["store_databases"]

TOMORROW = TODAY + timedelta(days=1)


@pytest.fixture
async def store(database_url):
    async with opened(database_url) as store:
        yield store
        assert await store.write(is_consistent)


async def ask(store, *places, day=TODAY, community="c1", **more):
    """The same question in a daily of each of these places."""

    def work(connection):
        where = [add_place(connection, community, name) for name in places]
        return [add_step(connection, place, mode="open", day=day, **more) for place in where]

    return await store.write(work)


def kind(attempt: Attempt) -> str:
    """Of what an answer counts for."""
    return str(attempt.counts).partition(":")[0]


def add_daily(connection, name):
    return add_step(connection, add_place(connection), name=name, mode="open")


async def points(store, step, period="all", who="ada"):
    """What a place's board, and the community's, say of somebody: points and answered."""
    person = draft(0, who).person
    person_id = (await store.write(lambda c: people.ensure_person(c, person, NOON))).id
    found = []
    for place_id in (step.place.id, None):
        board = Board(step.place.community_id, place_id, period, TODAY)
        own = await store.read(lambda c, b=board: boards.read_own(c, b, person_id))
        found.append((own.points, own.answered) if isinstance(own, OwnRank) else None)
    return tuple(found)


async def test_answering_once_answers_both(store):
    here, there = await ask(store, "p1", "p2")
    made = await store.record(draft(here))
    assert isinstance(made, First)
    assert made.attempt.counts == "day:2026-11-30"
    assert [(also.step_id, also.points) for also in made.also] == [(there.id, 10)]
    again = await store.record(draft(there, answer="b", after=5))
    assert isinstance(again, Again)
    assert not again.same_press
    assert again.attempt.answer == ("a",)
    assert again.attempt.practice is None


@pytest.mark.parametrize("period", ["today", "week", "month", "season", "all"])
async def test_each_places_board_counts_it_and_the_communitys_once(store, period):
    here, there = await ask(store, "p1", "p2")
    await store.record(draft(there))
    assert await points(store, here, period=period) == ((10, 1), (10, 1))
    assert await points(store, there, period=period) == ((10, 1), (10, 1))


@pytest.mark.parametrize("period", ["today", "all"])
async def test_two_dailies_of_one_place_count_it_once(store, period):
    here, beside, there, too = await ask(store, "p1", "p1", "p2", "p2")
    made = await store.record(draft(here))
    assert isinstance(made, First)
    assert [kind(also) for also in made.also] == ["too", "also", "too"]
    for step in (here, beside, there, too):
        assert await points(store, step, period=period) == ((10, 1), (10, 1))


async def test_both_dates_count_for_the_streak(store):
    (here,) = await ask(store, "p1")
    await ask(store, "p2", day=TOMORROW)
    await store.record(draft(here))

    def ada(connection):
        return people.ensure_person(connection, draft(0, "ada").person, NOON).id

    person_id = await store.write(ada)
    community_id = here.place.community_id
    answered = await store.read(lambda c: streaks.answered_dates(c, community_id, [person_id]))
    assert answered[person_id] == {TODAY, TOMORROW}


async def test_what_is_pressed_in_the_same_instant_is_answered_by_the_first_press(store):
    here, there = await ask(store, "p1", "p2")
    one, other = await asyncio.gather(
        store.record(draft(there, answer="b", after=2)), store.record(draft(here, after=3))
    )
    assert isinstance(one, First)
    assert isinstance(other, Again)
    assert other.attempt.answer == ("b",)


async def test_a_daily_that_closed_is_not_answered_along(store):
    here, closed = await ask(store, "p1", "p2")
    await store.write(lambda c: close_step(c, closed.id))
    made = await store.record(draft(here))
    assert isinstance(made, First)
    assert made.also == ()
    assert isinstance(await store.record(draft(closed)), Late)


async def test_a_press_after_the_end_of_a_window_answers_only_the_other(store):
    (over,) = await ask(store, "p1", cutoff_at=NOON + 5 * SECOND)
    (here,) = await ask(store, "p2", day=TOMORROW)
    made = await store.record(draft(here, after=6))
    assert isinstance(made, First)
    assert made.also == ()
    assert isinstance(await store.record(draft(over, after=6)), Late)


async def test_another_communitys_daily_is_another_matter(store):
    (here,) = await ask(store, "p1")
    (there,) = await ask(store, "p1", community="c2")
    assert isinstance(await store.record(draft(here)), First)
    assert isinstance(await store.record(draft(there)), First)


async def test_live_rounds_and_practice_are_not_answered_along(store):
    (here,) = await ask(store, "p1")

    def work(connection):
        return [add_step(connection, add_place(connection), mode=mode) for mode in ("live", "solo")]

    live, solo = await store.write(work)
    made = await store.record(draft(here))
    assert isinstance(made, First)
    assert made.also == ()
    assert isinstance(await store.record(draft(live)), First)
    assert isinstance(await store.record(draft(solo)), First)


async def test_both_are_marked_by_the_key_of_today(store):
    """The quiz was repaired between two posts."""

    def work(connection):
        old = add_version(connection, "q1", "a")
        here = add_step(connection, add_place(connection), version=old, mode="open")
        new = add_version(connection, "q1", "b")
        there = add_step(connection, add_place(connection, place="p2"), version=new, mode="open")
        return here, there

    here, _ = await store.write(work)
    made = await store.record(draft(here, answer="b"))
    assert isinstance(made, First)
    assert made.attempt.is_right
    assert made.also[0].is_right


# --- while one opens -------------------------------------------------------------------------


async def open_another(store, place, day=TODAY):
    def work(connection):
        step = add_step(connection, add_place(connection, place=place), mode="open", day=day)
        mirror_step(connection, step.id)
        return step

    return await store.write(work)


async def test_who_has_answered_it_elsewhere_has_answered_it_when_it_opens(store):
    (here,) = await ask(store, "p1")
    for number in range(3):
        await store.record(draft(here, f"u{number}"))
    there = await open_another(store, "p2", TOMORROW)
    again = await store.record(draft(there, "u1", "b", after=9))
    assert isinstance(again, Again)
    assert (kind(again.attempt), again.attempt.date) == ("also", "2026-12-01")
    assert isinstance(await store.record(draft(there, "new")), First)
    assert await points(store, there, who="u1") == ((10, 1), (10, 1))


async def test_where_its_place_has_counted_it_an_opening_counts_it_nowhere(store):
    here, _ = await ask(store, "p1", "p2")
    await store.record(draft(here))
    one = await open_another(store, "p2", TOMORROW)
    other = await open_another(store, "p3", TOMORROW)
    found = [await store.record(draft(step, after=9)) for step in (one, other)]
    assert [kind(again.attempt) for again in found] == ["too", "also"]
    for step in (here, one, other):
        assert await points(store, step) == ((10, 1), (10, 1))


async def test_practice_elsewhere_stays_practice(store):
    (before,) = await ask(store, "p1")
    await store.record(draft(before))
    await store.write(lambda c: close_step(c, before.id))
    (same_date,) = await ask(store, "p2")
    made = await store.record(draft(same_date))
    assert isinstance(made, First)
    assert made.attempt.practice == "again"
    there = await open_another(store, "p3", TOMORROW)
    again = await store.record(draft(there, after=9))
    assert isinstance(again, Again)
    assert (again.attempt.counts, again.attempt.practice) == (None, "again")


async def test_a_daily_that_is_pressed_before_it_is_known_to_stand_there_asks_nobody_twice(store):
    (here,) = await ask(store, "p1")
    await store.record(draft(here))
    (early,) = await ask(store, "p2", opened_at=None, day=TOMORROW)
    again = await store.record(draft(early, answer="b", after=5))
    assert isinstance(again, Again)
    assert again.attempt.answer == ("a",)
    assert isinstance(await store.record(draft(early, "new", after=5)), First)

    def stands(connection):
        open_step(
            connection, early.id, opened_at=NOON, opened_host_at=NOON, cutoff_at=None,
            date=TOMORROW.isoformat(),
        )  # fmt: skip
        mirror_step(connection, early.id)

    await store.write(stands)
    assert await points(store, early) == ((10, 1), (10, 1))


async def test_opening_with_thousands_of_answers_misses_none(store):
    (here,) = await ask(store, "p1")
    await asyncio.gather(*(store.record(draft(here, f"u{number}")) for number in range(1_200)))
    there = await open_another(store, "p2")
    board = Board(there.place.community_id, there.place.id, "all", date(2026, 11, 30))
    assert (await store.read(lambda c: boards.read_share(c, board))).answered == 1_200


async def test_whoever_answers_while_another_process_opens_the_same_is_not_missed(emptied_url):
    one, other = [await open_store(emptied_url, zone=UTC_ZONE, clock=HandClock()) for _ in range(2)]
    try:
        for number in range(6):
            name = f"q{number}"
            here = await one.write(partial(add_daily, name=name))
            pressing = [one.record(draft(here, f"u{who}")) for who in range(40)]
            crowd = [asyncio.ensure_future(press) for press in pressing]
            for _ in range(number):
                await asyncio.sleep(0)

            def work(connection, name=name):
                place = add_place(connection, place="p2")
                step = add_step(connection, place, name=name, mode="open")
                mirror_step(connection, step.id)
                return step

            there = await other.write(work)
            await asyncio.gather(*crowd)
            told = [await other.record(draft(there, f"u{who}", after=9)) for who in range(40)]
            assert {type(outcome) for outcome in told} == {Again}
        assert await one.write(is_consistent)
    finally:
        for store in (one, other):
            await store.close()
