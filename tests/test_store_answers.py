"""What a batch of answers comes to: first, again, late; what counts, and for what."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from store_world import (
    NOON,
    SECOND,
    add_place,
    add_step,
    add_version,
    close_step,
    draft,
    opened,
    table,
    totals_by_board,
)

from bot.outcomes import Again, First, Late, NoStep, PersonKey, Recorded
from bot.store import people
from bot.store.store import Store
from bot.store.totals import is_consistent

pytest_plugins = ["store_databases"]


@pytest.fixture
async def store(database_url) -> AsyncIterator[Store]:
    async with opened(database_url) as store:
        yield store
        assert await store.write(is_consistent)


def first(recorded: Recorded):
    assert isinstance(recorded, First), recorded
    return recorded.attempt


async def test_a_right_answer_counts_for_its_week_and_gives_ten_points(store):
    step = await store.write(lambda c: add_step(c, add_place(c)))
    attempt = first(await store.record(draft(step)))
    assert (attempt.is_right, attempt.points) == (True, 10)
    assert (attempt.counts, attempt.practice, attempt.date) == ("2026-W49", None, "2026-11-30")


async def test_a_wrong_answer_counts_and_gives_nothing(store):
    step = await store.write(lambda c: add_step(c, add_place(c)))
    attempt = first(await store.record(draft(step, answer="b")))
    assert (attempt.is_right, attempt.points, attempt.counts) == (False, 0, "2026-W49")


async def test_the_second_press_is_told_what_the_first_was_and_changes_nothing(store):
    step = await store.write(lambda c: add_step(c, add_place(c)))
    made = first(await store.record(draft(step, answer="b", after=1)))
    again = await store.record(draft(step, answer="a", after=2))
    assert again == Again(made, same_press=False)
    assert len(await table(store, "attempts")) == 1


async def test_the_same_press_delivered_again_gets_the_same_verdict(store):
    step = await store.write(lambda c: add_step(c, add_place(c)))
    made = first(await store.record(draft(step)))
    assert await store.record(draft(step)) == Again(made, same_press=True)


async def test_of_two_presses_in_one_batch_the_earlier_is_first(store):
    step = await store.write(lambda c: add_step(c, add_place(c)))
    presses = [draft(step, answer="b", after=2), draft(step, answer="a", after=1)]
    one, two = await asyncio.gather(*map(store.record, presses))
    assert first(one).answer == ("b",)
    assert two == Again(first(one), same_press=False)


async def test_a_press_after_the_close_is_too_late(store):
    step = await store.write(lambda c: add_step(c, add_place(c)))
    closed = NOON + 30 * SECOND
    await store.write(lambda c: close_step(c, step.id, closed))
    assert await store.record(draft(step)) == Late(closed)
    assert await table(store, "attempts") == []
    assert await table(store, "players") == []


async def test_a_press_made_in_time_counts_until_the_close_is_committed(store):
    cutoff = NOON + 10 * SECOND
    step = await store.write(lambda c: add_step(c, add_place(c), cutoff_at=cutoff))
    in_time, too_late = await asyncio.gather(
        store.record(draft(step, "ada", after=10)), store.record(draft(step, "bob", after=10.001))
    )
    assert first(in_time).counts
    assert too_late == Late(cutoff)


async def test_who_had_answered_is_told_their_answer_also_after_the_close(store):
    step = await store.write(lambda c: add_step(c, add_place(c)))
    made = first(await store.record(draft(step)))
    await store.write(lambda c: close_step(c, step.id))
    assert await store.record(draft(step)) == Again(made, same_press=True)
    assert await store.record(draft(step, after=99)) == Again(made, same_press=False)


@pytest.mark.parametrize(("seconds", "told"), [((1, 99), [First, Again]), ((99, 1), [Late, First])])
async def test_a_late_press_is_told_what_was_answered_before_it_and_not_after(store, seconds, told):
    cutoff = NOON + 10 * SECOND
    step = await store.write(lambda c: add_step(c, add_place(c), cutoff_at=cutoff))
    presses = [draft(step, after=after) for after in seconds]
    made = await asyncio.gather(*map(store.record, presses))
    assert [type(recorded) for recorded in made] == told


async def test_answers_queued_before_a_close_are_recorded_before_it(store):
    step = await store.write(lambda c: add_step(c, add_place(c)))
    before, _, after = await asyncio.gather(
        store.record(draft(step, "ada")),
        store.write(lambda c: close_step(c, step.id)),
        store.record(draft(step, "bob")),
    )
    assert first(before).points == 10
    assert after == Late(NOON)


async def test_a_step_that_does_not_exist_is_an_outcome(store):
    step = await store.write(lambda c: add_step(c, add_place(c)))
    known, unknown = await asyncio.gather(
        store.record(draft(step)), store.record(draft(step.id + 1))
    )
    assert first(known)
    assert unknown == NoStep()


async def test_a_question_counts_once_a_week_over_all_live_rounds_of_the_community(store):
    def ask(connection):
        here, there = add_place(connection, place="p1"), add_place(connection, place="p2")
        days = [date(2026, 11, 30), date(2026, 12, 6), date(2026, 12, 7)]
        return [
            add_step(connection, place, day=day)
            for place, day in zip((here, there, here), days, strict=True)
        ]

    steps = await store.write(ask)
    made = [first(await store.record(draft(step, answer="b"))) for step in steps]
    assert [(a.counts, a.practice) for a in made] == [
        ("2026-W49", None),
        (None, "again"),
        ("2026-W50", None),
    ]


async def test_in_one_batch_too_only_the_first_answer_to_a_question_counts(store):
    def ask(connection):
        place = add_place(connection)
        return add_step(connection, place), add_step(connection, place)

    one, two = await store.write(ask)
    later, earlier = await asyncio.gather(store.record(draft(two)), store.record(draft(one)))
    assert (first(later).counts, first(later).points) == ("2026-W49", 10)
    assert (first(earlier).practice, first(earlier).is_right) == ("again", True)
    assert first(earlier).points == 0


async def test_another_community_counts_apart(store):
    def ask(connection):
        places = add_place(connection, "c1"), add_place(connection, "c2")
        return [add_step(connection, place) for place in places]

    attempts = [first(await store.record(draft(step))) for step in await store.write(ask)]
    assert [attempt.counts for attempt in attempts] == ["2026-W49", "2026-W49"]
    assert attempts[0].player_id != attempts[1].player_id
    assert len(await table(store, "persons")) == 1


async def test_a_daily_counts_for_its_occurrence_and_apart_from_live_rounds(store):
    def ask(connection):
        place = add_place(connection)
        return [
            add_step(connection, place, mode="open"),
            add_step(connection, place, mode="live"),
        ]

    def ask_next_day(connection):
        close_step(connection, daily.id)
        return add_step(connection, daily.place, mode="open", day=date(2026, 12, 1))

    daily, live = await store.write(ask)
    made = [first(await store.record(draft(step))) for step in (daily, live)]
    made.append(first(await store.record(draft(await store.write(ask_next_day)))))
    assert [a.counts for a in made] == ["day:2026-11-30", "2026-W49", "day:2026-12-01"]


async def test_practice_alone_never_counts_and_says_whether_it_was_right(store):
    step = await store.write(lambda c: add_step(c, add_place(c), mode="solo"))
    attempt = first(await store.record(draft(step)))
    assert (attempt.counts, attempt.practice) == (None, "solo")
    assert (attempt.is_right, attempt.points) == (True, 0)
    assert await totals_by_board(store) == {}


@pytest.mark.parametrize(
    ("zone", "expected"),
    [("Africa/Harare", "2026-12-01"), ("America/Bogota", "2026-11-30"), (None, "2026-11-30")],
)
async def test_practice_alone_is_dated_where_the_community_is(store, zone, expected):
    step = await store.write(lambda c: add_step(c, add_place(c, zone=zone), mode="solo"))
    late_evening = 10.5 * 3600
    assert first(await store.record(draft(step, after=late_evening))).date == expected


async def test_without_a_zone_of_its_own_a_community_has_the_instances(database_url):
    async with opened(database_url, zone=ZoneInfo("Africa/Harare")) as store:
        step = await store.write(lambda c: add_step(c, add_place(c), mode="solo"))
        assert first(await store.record(draft(step, after=10.5 * 3600))).date == "2026-12-01"
        assert store.today(None) == date(2026, 11, 30)
        assert store.today("Pacific/Kiritimati") == date(2026, 12, 1)


async def test_a_fast_answer_is_worth_more_where_speed_is_on(store):
    step = await store.write(lambda c: add_step(c, add_place(c), speed=True, seconds=60))
    fast, slow = await asyncio.gather(
        store.record(draft(step, "ada", after=0.4)), store.record(draft(step, "bob", after=60))
    )
    assert (first(fast).points, first(slow).points) == (10, 5)


async def test_a_press_before_the_opening_is_known_counts_as_at_opening(store):
    step = await store.write(
        lambda c: add_step(c, add_place(c), speed=True, opened_at=None, cutoff_at=None)
    )
    assert first(await store.record(draft(step, after=59))).points == 10


async def test_an_answer_is_marked_by_the_key_of_today(store):
    step = await store.write(lambda c: add_step(c, add_place(c)))
    await store.write(lambda c: add_version(c, "q1", right="b"))
    by_old, by_new = await asyncio.gather(
        store.record(draft(step, "ada", "a")), store.record(draft(step, "bob", "b"))
    )
    assert (first(by_old).points, first(by_new).points) == (0, 10)


async def test_a_counting_answer_stands_on_ten_boards_and_on_those_of_its_topic(store):
    step = await store.write(lambda c: add_step(c, add_place(c)))
    player = first(await store.record(draft(step))).player_id
    totals = await totals_by_board(store)
    assert {key[1:4] for key in totals} == {
        (place, period, starts)
        for place in (0, step.place.id)
        for period, starts in (
            ("today", "2026-11-30"),
            ("week", "2026-11-30"),
            ("month", "2026-11-01"),
            ("season", "2026-10-01"),
            ("all", ""),
        )
    }
    assert {key[4] for key in totals} == {player}
    assert set(totals.values()) == {(10, 1, 1)}


async def test_a_changed_name_is_learned_from_the_next_answer(store):
    def ask(connection):
        place = add_place(connection)
        return add_step(connection, place, name="q1"), add_step(connection, place, name="q2")

    one, two = await store.write(ask)
    await store.record(draft(one, "ada", name="Ada"))
    await store.record(draft(two, "ada", name="Ada L."))
    assert [row["name"] for row in await table(store, "persons")] == ["Ada L."]


async def test_the_same_id_on_another_platform_is_somebody_else(store):
    step = await store.write(lambda c: add_step(c, add_place(c)))
    there = replace(draft(step), person=PersonKey("other", "ada", "Ada"))
    attempts = await asyncio.gather(store.record(draft(step)), store.record(there))
    assert len({first(attempt).player_id for attempt in attempts}) == 2


async def test_a_hundred_people_in_one_batch_are_all_made_and_told_apart(store):
    step = await store.write(lambda c: add_step(c, add_place(c)))
    presses = [draft(step, f"u{index}", "ab"[index % 2]) for index in range(100)]
    made = [first(recorded) for recorded in await asyncio.gather(*map(store.record, presses))]
    assert [attempt.answer for attempt in made] == [press.answer for press in presses]
    assert len({attempt.player_id for attempt in made}) == 100


async def test_instants_come_back_to_the_microsecond(store):
    step = await store.write(lambda c: add_step(c, add_place(c)))
    at = datetime.fromisoformat("2026-11-30T12:00:03.123457+00:00")
    press = replace(draft(step), pressed_at=at, received_at=at + timedelta(microseconds=1))
    await store.record(press)
    [row] = await table(store, "attempts")
    assert (row["pressed_at"], row["received_at"]) == (press.pressed_at, press.received_at)


async def test_a_player_made_here_is_the_one_who_answers(store):
    step = await store.write(lambda c: add_step(c, add_place(c)))
    who = PersonKey("local", "ada", "Ada")
    community = step.place.community_id
    player = await store.write(lambda c: people.ensure_player(c, who, community, NOON))
    assert first(await store.record(draft(step))).player_id == player
