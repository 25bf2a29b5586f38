"""Boards by topic, and of seasons: quarters, or what organisers let begin."""

from __future__ import annotations

from datetime import date

import pytest
from store_world import TODAY, UTC_ZONE, HandClock, add_place, add_step, draft, opened

from bot.store.boards import Board, read_page, read_share
from bot.store.opening import open_store
from bot.store.seasons import begin_season, played_seasons
from bot.store.totals import is_consistent

pytest_plugins = ["store_databases"]

OCTOBER, NOVEMBER = date(2026, 10, 5), date(2026, 11, 20)


@pytest.fixture
async def store(database_url):
    async with opened(database_url) as store:
        yield store
        assert await store.write(is_consistent)


async def answered(store, *days, name="q1", who="ada", place="p1"):
    """Somebody answers a question on each of these dates; the community's id."""

    def ask(connection):
        return [
            add_step(connection, add_place(connection, place=place), name=name, day=day)
            for day in days
        ]

    steps = await store.write(ask)
    for step in steps:
        await store.record(draft(step, who))
    return steps[0].place.community_id


async def share(store, community_id, period, day=TODAY, topic=None):
    """How many answers a community's board shows, of how many questions."""
    board = Board(community_id, None, period, day, topic)
    there = await store.read(lambda c: read_share(c, board))
    page = await store.read(lambda c: read_page(c, board))
    return there.answered, page.asked


@pytest.mark.parametrize("period", ["today", "week", "month", "season", "all"])
async def test_a_topics_board_counts_the_questions_of_its_quiz_alone(store, period):
    community_id = await answered(store, TODAY, name="q1")
    await answered(store, TODAY, name="q3")
    await answered(store, TODAY, name="q2")
    assert await share(store, community_id, period) == (3, 3)
    assert await share(store, community_id, period, topic="b1") == (2, 2)
    assert await share(store, community_id, period, topic="b2") == (1, 1)
    assert await share(store, community_id, period, topic="nothing") == (0, 0)


async def test_a_season_is_a_quarter_until_somebody_lets_one_begin(store):
    community_id = await answered(store, OCTOBER, NOVEMBER, TODAY)
    assert await share(store, community_id, "season") == (3, 3)
    begun = await store.write(lambda c: begin_season(c, community_id, NOVEMBER))
    assert begun
    assert not await store.write(lambda c: begin_season(c, community_id, NOVEMBER))
    # What was answered since then has gone over to it; the one before stays readable.
    assert await share(store, community_id, "season") == (2, 2)
    assert await share(store, community_id, "season", OCTOBER) == (1, 1)
    assert await share(store, community_id, "season", date(2027, 6, 1)) == (2, 2)
    played = await store.read(lambda c: played_seasons(c, community_id, None))
    assert played == [NOVEMBER, date(2026, 10, 1)]


async def test_what_is_answered_later_stands_in_the_season_that_has_begun(store):
    community_id = await answered(store, OCTOBER)
    await store.write(lambda c: begin_season(c, community_id, NOVEMBER))
    await answered(store, TODAY, who="bob")
    await answered(store, OCTOBER, who="bob", name="q2")
    assert await share(store, community_id, "season") == (1, 1)
    assert (await share(store, community_id, "season", OCTOBER))[0] == 2


async def test_a_season_of_one_community_is_none_of_another(store):
    community_id = await answered(store, OCTOBER, TODAY)
    other = (await store.write(lambda c: add_place(c, "c2"))).community_id
    await store.write(lambda c: begin_season(c, other, NOVEMBER))
    assert await share(store, community_id, "season") == (2, 2)


async def test_a_season_that_another_process_lets_begin_is_known_at_once(emptied_url):
    one, other = [await open_store(emptied_url, zone=UTC_ZONE, clock=HandClock()) for _ in range(2)]
    try:
        community_id = await answered(one, TODAY)
        await other.write(lambda c: begin_season(c, community_id, NOVEMBER))
        await answered(one, TODAY, name="q2")
        assert await share(other, community_id, "season") == (2, 2)
        assert await one.write(is_consistent)
    finally:
        for store in (one, other):
            await store.close()
