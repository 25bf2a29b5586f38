"""Schedules: what is due when, that each date is taken once, and what is known of past ones."""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from zoneinfo import ZoneInfo

import pytest
from store_world import (
    NOON,
    TODAY,
    UTC_ZONE,
    HandClock,
    add_place,
    add_step,
    close_step,
    draft,
    opened,
    table,
)

from bot.calendar import Occasion, Recurrence
from bot.drawing import Past
from bot.schedules import Plan, Schedule
from bot.store import (
    claims,
    notices,
    occurrences,
    outbox,
    people,
    schedules,
    standing,
    streaks,
    turnout,
)
from bot.store.crowd import ensure_players
from bot.store.due import Due, next_due
from bot.store.membership import mark_removed
from bot.store.opening import open_store
from bot.store.schema import rounds
from bot.store.standing import NewBoard
from bot.streaks import streak_of

pytest_plugins = ["store_databases"]

HARARE = ZoneInfo("Africa/Harare")
DAY = timedelta(days=1)
HERE = {"local"}


def at(day: int, hour: int, minute: int = 0, month: int = 12) -> datetime:
    return datetime(2026, month, day, hour, minute, tzinfo=UTC)


async def next_of_all(store) -> Due:
    found: Due = await store.read(lambda c: c.run_sync(next_due, HERE, []))
    return found


def plan(hour: int = 9, **more) -> Plan:
    """Nine o'clock in Harare is seven by UTC."""
    return Plan(Recurrence(time(hour), HARARE, **more))


@pytest.fixture
async def store(database_url):
    async with opened(database_url) as store:
        yield store


def add_schedule(connection, wanted: Plan | None = None, place: str = "p1") -> Schedule:
    organiser = people.ensure_person(connection, draft(0, "ada").person, NOON)
    return schedules.insert_schedule(
        connection,
        add_place(connection, place=place),
        plan() if wanted is None else wanted,
        set_by=organiser.id,
        seed="s",
        now=NOON,
    )


def take(connection, schedule_id: int, now: datetime, state="asked"):
    """Whoever looks at that instant takes the date that is due, if one is."""
    schedule = claims.take_due(connection, schedule_id, now)
    if schedule is None:
        return None
    assert schedule.next_date is not None
    assert schedule.next_at is not None
    occasion = Occasion(schedule.next_date, schedule.next_at)
    return occasion, claims.claim(connection, schedule, occasion, state, now)


# --- what is set -----------------------------------------------------------------------------


async def test_what_was_set_reads_back_with_who_set_it(store):
    wanted = Plan(
        Recurrence(time(7, 30), HARARE, frozenset({1, 5}), "ZW"),
        topics=("ports", "networks"),
        shuffled=False,
        count=3,
        languages=("fr", "sn"),
        open_for=timedelta(hours=36),
        mention="&17",
    )
    made = await store.write(lambda c: add_schedule(c, wanted))
    read = await store.read(lambda c: schedules.find_schedule(c, made.place.community_id, made.id))
    assert read == made
    assert (read.plan, read.set_by_name, read.draw_seed) == (wanted, "Ada", None)
    assert (read.next_date, read.next_at) == (date(2026, 12, 4), at(4, 5, 30))


async def test_another_community_does_not_see_it(store):
    made = await store.write(add_schedule)
    other = await store.write(lambda c: add_place(c, "c2"))
    read = await store.read(lambda c: schedules.find_schedule(c, other.community_id, made.id))
    assert read is None


async def test_a_place_lists_its_own_and_a_community_all_that_were_not_removed(store):
    def work(connection):
        made = [add_schedule(connection, place=place) for place in ("p1", "p1", "p2")]
        assert schedules.remove_schedule(connection, made[0].id, NOON)
        assert not schedules.remove_schedule(connection, made[0].id, NOON)
        schedules.skip(connection, made[2].id, [date(2026, 12, 24)], NOON)
        return made

    gone, here, there = await store.write(work)
    community_id = here.place.community_id
    of_place = await store.read(
        lambda c: schedules.schedules_of(c, community_id, place_id=here.place.id)
    )
    of_all = await store.read(lambda c: schedules.schedules_of(c, community_id))
    assert [one.id for one in of_place] == [here.id]
    assert [one.id for one in of_all] == [here.id, there.id]
    assert of_all[1].skips == {date(2026, 12, 24)}
    removed = await store.read(lambda c: schedules.find_schedule(c, community_id, gone.id))
    assert (removed.removed, removed.next_at) == (True, None)


async def test_dates_that_are_left_out_are_not_asked(store):
    def work(connection):
        made = add_schedule(connection)
        left_out = schedules.skip(connection, made.id, [TODAY + DAY, TODAY + 2 * DAY], NOON)
        back = schedules.unskip(connection, made.id, [TODAY + DAY], NOON)
        return made.next_date, left_out.next_date, back.next_date

    assert await store.write(work) == (TODAY + DAY, TODAY + 3 * DAY, TODAY + DAY)


async def test_a_pause_lasts_until_its_date_or_until_somebody_ends_it(store):
    def work(connection):
        made = add_schedule(connection)
        for_long = schedules.pause(connection, made.id, NOON)
        until = schedules.pause(connection, made.id, NOON, until=date(2027, 1, 4))
        resumed = schedules.resume(connection, made.id, at(1, 12))
        return for_long, until, resumed

    for_long, until, resumed = await store.write(work)
    assert (for_long.next_at, for_long.paused_at) == (None, NOON)
    assert (until.next_date, until.paused_until) == (date(2027, 1, 4), date(2027, 1, 4))
    assert (resumed.next_date, resumed.paused_at) == (date(2026, 12, 2), None)


async def test_what_is_due_this_moment_is_not_lost_by_a_change(store):
    def work(connection):
        made = add_schedule(connection)
        return schedules.change_schedule(connection, made.id, plan(10), at(1, 7, 5))

    changed = await store.write(work)
    assert (changed.next_date, changed.next_at) == (date(2026, 12, 1), at(1, 8))


async def test_a_zone_that_is_changed_asks_no_date_twice(store):
    def work(connection):
        made = add_schedule(connection)
        take(connection, made.id, at(1, 7))
        # Where it is still the same morning of that date.
        west = Plan(Recurrence(time(9), ZoneInfo("America/Bogota")))
        return schedules.change_schedule(connection, made.id, west, at(1, 8))

    changed = await store.write(work)
    assert (changed.last_date, changed.next_date) == (date(2026, 12, 1), date(2026, 12, 2))


# --- what is due -----------------------------------------------------------------------------


async def test_a_date_is_due_at_its_hour_and_taken_once(store):
    def work(connection):
        made = add_schedule(connection)
        early = claims.due_schedules(connection, HERE, at(1, 6, 59))
        due = claims.due_schedules(connection, HERE, at(1, 7))
        elsewhere = claims.due_schedules(connection, {"slack"}, at(1, 7))
        occasion, claimed = take(connection, made.id, at(1, 7))
        again = claims.claim(connection, made, occasion, "asked", at(1, 7))
        after = claims.due_schedules(connection, HERE, at(1, 7))
        return made, early, due, elsewhere, occasion, claimed, again, after

    made, early, due, elsewhere, occasion, claimed, again, after = await store.write(work)
    assert (early, due, elsewhere, after) == ([], [made.id], [], [])
    assert occasion == Occasion(date(2026, 12, 1), at(1, 7))
    assert claimed.following == Occasion(date(2026, 12, 2), at(2, 7))
    assert again is None
    assert (await next_of_all(store)).daily_at == at(2, 7)


async def test_dates_that_passed_fall_due_one_after_the_other(store):
    def work(connection):
        made = add_schedule(connection)
        missed = []
        while (found := take(connection, made.id, at(4, 12), "missed")) is not None:
            missed.append(found[0].date.day)
        return missed, schedules.schedule_in(connection, made.id).next_date

    assert await store.write(work) == ([1, 2, 3, 4], date(2026, 12, 5))


async def test_what_is_asked_before_its_hour_is_not_asked_again_at_it(store):
    def work(connection):
        made = add_schedule(connection)
        now = Occasion(date(2026, 12, 1), at(1, 5))
        return claims.claim(connection, made, now, "asked", at(1, 5))

    claimed = await store.write(work)
    assert claimed.following.date == date(2026, 12, 2)


async def test_nothing_is_due_where_the_bot_was_removed(store):
    def work(connection):
        made = add_schedule(connection)
        mark_removed(connection, made.place.community_id, NOON)
        return claims.due_schedules(connection, HERE, at(1, 7))

    assert await store.write(work) == []
    assert await next_of_all(store) == Due(None, None)


async def test_two_processes_take_a_date_once(emptied_url):
    stores = [await open_store(emptied_url, zone=UTC_ZONE, clock=HandClock()) for _ in range(2)]
    try:
        made = await stores[0].write(add_schedule)
        for day in range(1, 6):
            work = partial(take, schedule_id=made.id, now=at(day, 7))
            taken = await asyncio.gather(*(store.write(work) for store in stores))
            assert sum(one is not None and one[1] is not None for one in taken) == 1
        assert len(await table(stores[1], "occurrences")) == 5
    finally:
        for store in stores:
            await store.close()


# --- what was asked --------------------------------------------------------------------------


def ask(connection, schedule: Schedule, day: date, *names: str, place="p1"):
    """What was asked on a date of a schedule; each question in a round of its own."""
    steps = [
        add_step(connection, add_place(connection, place=place), name=name, mode="open", day=None)
        for name in names
    ]
    for step in steps:
        occasion = Occasion(day, NOON)
        claimed = claims.claim(connection, schedule, occasion, "asked", NOON)
        assert claimed is not None
        occurrences.set_round(
            connection, claimed.occurrence_id, step.round_id, closes_at=NOON + DAY, again=[1]
        )
    return steps


async def test_what_a_schedule_has_asked_is_known_with_how_it_went(store):
    def work(connection):
        made, other = add_schedule(connection), add_schedule(connection)
        (one,) = ask(connection, made, TODAY - 2 * DAY, "q1")
        (two,) = ask(connection, made, TODAY - DAY, "q2")
        close_step(connection, one.id)
        (again,) = ask(connection, made, TODAY, "q1")
        ask(connection, other, TODAY, "q3")
        return made, two, again

    made, two, again = await store.write(work)
    for step, who, answer in ((two, "ada", "a"), (again, "ada", "b"), (again, "bob", "a")):
        await store.record(draft(step, who, answer))
    past = {("b1", "q1"): Past(TODAY, 2, 1), ("b2", "q2"): Past(TODAY - DAY, 1, 0)}
    assert await store.read(lambda c: occurrences.read_past(c, made.id)) == past
    listed = await store.read(lambda c: turnout.read_past_occurrences(c, made.id, most=2))
    assert [one.occurrence.date for one in listed] == [TODAY, TODAY - DAY]
    went = listed[0].went
    assert (went.started, went.finished, went.answered, went.right) == (2, 2, 2, 1)
    assert listed[0].occurrence.again == (1,)


async def test_an_answer_is_of_the_date_of_its_daily_before_its_post_is_known_to_stand(store):
    def work(connection):
        return ask(connection, add_schedule(connection), TODAY + 3 * DAY, "q1")

    (step,) = await store.write(work)
    made = await store.record(draft(step))
    assert made.attempt.counts == "day:2026-12-03"


async def test_what_stands_open_is_known_until_it_closes(store):
    def work(connection):
        made = add_schedule(connection)
        steps = [*ask(connection, made, TODAY, "q1"), *ask(connection, made, TODAY + DAY, "q2")]
        add_step(connection, add_place(connection), name="q3", mode="live")
        add_step(connection, add_place(connection, "c2"), name="q4", mode="open")
        close_step(connection, steps[0].id)
        return made, steps[1]

    made, step = await store.write(work)
    community_id = made.place.community_id
    still = await store.read(lambda c: occurrences.read_open_questions(c, community_id))
    assert [(one.key, one.step_id) for one in still] == [(("b2", "q2"), step.id)]
    assert await store.write(lambda c: occurrences.open_questions(c, community_id)) == still


# --- streaks ---------------------------------------------------------------------------------


async def test_a_streak_goes_over_dates_that_had_a_daily_and_over_time_away(store):
    def work(connection):
        made = add_schedule(connection)
        steps = {}
        for back in (8, 6, 5, 3, 0):
            (steps[back],) = ask(connection, made, TODAY - back * DAY, f"q{back}")
            if back:
                end = rounds.update().where(rounds.c.id == steps[back].round_id)
                connection.execute(end.values(ended_at=NOON))
        lost = Occasion(TODAY - 4 * DAY, NOON)
        claims.claim(connection, made, lost, "missed", NOON)
        return made, steps

    made, steps = await store.write(work)
    for back in (8, 6, 3):
        await store.record(draft(steps[back]))

    def leave(connection):
        ada = draft(0, "ada").person
        person = people.ensure_person(connection, ada, NOON)
        (player,) = ensure_players(connection, [(ada, made.place.community_id, NOON)])
        streaks.set_away(connection, player, TODAY - 5 * DAY, TODAY - 5 * DAY)
        return person.id

    ada = await store.write(leave)
    community_id = made.place.community_id
    dates, still_open = await store.read(lambda c: streaks.daily_dates(c, community_id))
    assert dates == [TODAY - back * DAY for back in (8, 6, 5, 3, 0)]
    assert still_open == {TODAY}
    answered = await store.read(lambda c: streaks.answered_dates(c, community_id, [ada]))
    away = await store.read(lambda c: streaks.away_of(c, community_id, [ada]))
    assert away[ada] == [(TODAY - 5 * DAY, TODAY - 5 * DAY)]
    streak = streak_of(dates, answered[ada], still_open=still_open, away=away[ada])
    assert streak.days == 3


# --- what organisers are told, and what stands -----------------------------------------------


async def test_a_matter_is_noted_once_and_told_once(store):
    def work(connection):
        community_id = add_place(connection).community_id
        one = notices.note(connection, community_id, "missed", "1", NOON, args={"day": "x"})
        same = notices.note(connection, community_id, "missed", "1", NOON)
        other = notices.note(connection, community_id, "missed", "2", NOON)
        assert one is not None
        assert other is not None
        told = [notices.set_told(connection, one.id, NOON) for _ in range(2)]
        return community_id, one, same, other, told

    community_id, one, same, other, told = await store.write(work)
    assert (one.args, one.told, same, told) == ({"day": "x"}, False, None, [True, False])
    untold = await store.read(lambda c: notices.untold_notices(c, community_id))
    assert [notice.id for notice in untold] == [other.id]


async def test_a_standing_board_is_due_when_somebody_answers_and_at_most_each_ten_minutes(store):
    def work(connection):
        here, there = add_place(connection), add_place(connection, place="p2")
        for place, new in (
            (here, NewBoard("place", "month")),
            (there, NewBoard("community", "month")),
        ):
            post = outbox.enqueue(connection, "standing", place, due_at=NOON, nonce="n")
            standing.set_standing(connection, place, new, post, NOON - timedelta(minutes=11))
            outbox.mark_sent(connection, post, f"m{post}", NOON - timedelta(minutes=11))
        return here, there, [add_step(connection, place) for place in (here, there)]

    here, there, steps = await store.write(work)
    assert await next_of_all(store) == Due(None, None)
    await store.record(draft(steps[1]))

    def due(connection, now):
        return {board.place.id for board in standing.take_dirty(connection, HERE, now)}

    # An answer there is none to what the other place shows of itself.
    assert await store.write(lambda c: due(c, NOON + timedelta(minutes=1))) == {there.id}
    await store.record(draft(steps[0], "bob"))
    assert await store.write(lambda c: due(c, NOON + timedelta(minutes=10))) == {here.id}
    waits = (await next_of_all(store)).at
    assert waits == NOON + timedelta(minutes=11)
    assert await store.write(lambda c: due(c, waits)) == {there.id}
    gone = await store.write(lambda c: standing.remove_standing(c, here.id))
    assert gone.place.id == here.id
    assert len(await table(store, "standing_boards")) == 1
