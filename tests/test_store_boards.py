"""Boards as they are read."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from itertools import groupby

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, insert, update
from store_world import NOON, TODAY, add_place, add_step, draft, empty, opened

from bot.outcomes import PersonKey
from bot.state import BoardLine, BoardPage, BoardRank, OwnRank, Share
from bot.store import people
from bot.store.boards import Board, read_own, read_page, read_shares
from bot.store.schema import boards, players, rounds, totals
from bot.store.store import Store

pytest_plugins = ["store_databases"]

TOMORROW = TODAY + timedelta(days=1)


@pytest.fixture
async def store(database_url) -> AsyncIterator[Store]:
    async with opened(database_url) as store:
        yield store


class Group:
    """A community that plays, and its boards."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.asked = 0

    async def answers(
        self,
        by: dict[str, str],
        *,
        name: str | None = None,
        community: str = "c1",
        place: str = "p1",
        day: date = TODAY,
        mode: str = "live",
    ) -> None:
        """A question is asked, and these people answer it; a is right."""
        self.asked += 1
        step = await self.store.write(
            lambda c: add_step(
                c,
                add_place(c, community, place),
                name=name or f"q{self.asked}",
                day=day,
                mode=mode,
            )
        )
        await asyncio.gather(*(self.store.record(draft(step, *answer)) for answer in by.items()))

    async def board(
        self, period="month", *, community: str = "c1", place: str | None = None, day: date = TODAY
    ) -> Board:
        made = await self.store.write(lambda c: add_place(c, community, place or "p1"))
        return Board(made.community_id, made.id if place else None, period, day)

    async def page(self, board: Board | None = None, **more) -> BoardPage:
        which = board or await self.board()
        return await self.store.read(lambda c: read_page(c, which, **more))

    async def own(self, who: str, board: Board | None = None) -> OwnRank | None:
        which = board or await self.board()
        person = await self.person(who)
        return await self.store.read(lambda c: read_own(c, which, person))

    async def shares(self, board: Board | None = None) -> tuple[Share, Share | None]:
        which = board or await self.board()
        return await self.store.read(lambda c: read_shares(c, which))

    async def person(self, who: str) -> int:
        key = PersonKey("local", who, who.title())
        made = await self.store.write(lambda c: people.ensure_person(c, key, NOON))
        return made.id

    async def hide(self, who: str) -> None:
        person = await self.person(who)
        await self.store.write(lambda c: people.set_hidden(c, person, True))


@pytest.fixture
def group(store) -> Group:
    return Group(store)


def short(page: BoardPage) -> list[tuple[int, int, list[str], int]]:
    """Rank, points, names, and how many more."""
    return [(r.rank, r.points, [line.name for line in r.named], r.more) for r in page.ranks]


async def test_a_board_that_nobody_is_on_is_empty(group):
    assert await group.page() == BoardPage(0, (), None)
    assert await group.own("ada") is None
    assert await group.shares() == (Share(0, 0, 0), Share(0, 0, 0))


async def test_who_has_more_points_stands_higher_and_ties_share_a_rank(group):
    await group.answers({"ada": "a", "bob": "a", "cho": "b", "dee": "a"})
    await group.answers({"ada": "a", "bob": "b", "dee": "a"})
    await group.answers({"ada": "a"})
    page = await group.page()
    assert short(page) == [(1, 30, ["Ada"], 0), (2, 20, ["Dee"], 0), (3, 10, ["Bob"], 0)]
    await group.answers({"bob": "a"})
    assert short(await group.page()) == [(1, 30, ["Ada"], 0), (2, 20, ["Bob", "Dee"], 0)]
    await group.answers({"cho": "a"})
    assert short(await group.page())[-1] == (4, 10, ["Cho"], 0)


async def test_it_says_how_many_of_those_that_were_asked_each_has_answered(group):
    await group.answers({"ada": "a", "bob": "a"})
    await group.answers({"ada": "a"})
    await group.answers({})
    page = await group.page()
    assert page.asked == 3
    assert [line.answered for rank in page.ranks for line in rank.named] == [2, 1]


async def test_nobody_is_named_with_zero_and_each_is_told_privately(group):
    await group.answers({"ada": "a", "bob": "b"})
    assert short(await group.page()) == [(1, 10, ["Ada"], 0)]
    assert await group.own("bob") == OwnRank(rank=2, points=0, answered=1, asked=1)


async def test_who_hides_is_counted_and_not_named_but_finds_their_own_rank(group):
    await group.answers({"ada": "a", "bob": "a"})
    await group.answers({"cho": "a"})
    await group.answers({"cho": "a"})
    for who in ("ada", "cho"):
        await group.hide(who)
    assert short(await group.page()) == [(1, 20, [], 1), (2, 10, ["Bob"], 1)]
    assert await group.own("ada") == OwnRank(2, 10, 1, 3)


async def test_who_was_made_nameless_is_counted(group):
    await group.answers({"ada": "a", "bob": "a"})
    ada = await group.person("ada")
    nameless = update(players).where(players.c.person_id == ada).values(person_id=None)
    await group.store.write(lambda c: c.execute(nameless))
    assert short(await group.page()) == [(1, 10, ["Bob"], 1)]
    assert await group.own("ada") is None


async def test_a_page_never_cuts_a_tie_and_the_next_one_goes_on_below_it(group):
    await group.answers({f"u{index:02}": "a" for index in range(12)})
    await group.answers({"u00": "a", "u01": "a"})
    await group.answers({"cho": "a", "u00": "a"})
    await group.answers({"u00": "a"})
    page = await group.page(most=4)
    assert short(page) == [
        (1, 40, ["U00"], 0),
        (2, 20, ["U01"], 0),
        (3, 10, ["U02", "U03"], 9),
    ]
    assert page.below is None
    first = await group.page(most=1)
    assert (short(first), first.below) == ([(1, 40, ["U00"], 0)], 40)
    second = await group.page(most=1, below=40)
    assert (short(second), second.below) == ([(2, 20, ["U01"], 0)], 20)
    assert short(await group.page(most=1, below=20)) == [(3, 10, ["U02"], 10)]
    assert short(await group.page(most=1, below=10)) == []


async def test_each_period_has_its_own_board(group):
    for day in (date(2026, 9, 30), date(2026, 10, 1), date(2026, 11, 29), TODAY, TOMORROW):
        await group.answers({"ada": "a"}, day=day)
    points = {
        period: (await group.own("ada", await group.board(period))).points
        for period in ("today", "week", "month", "season", "all")
    }
    assert points == {"today": 10, "week": 20, "month": 20, "season": 40, "all": 50}
    before = replace(await group.board("month"), day=date(2026, 9, 1))
    assert (await group.own("ada", before)).points == 10


async def test_a_place_and_its_community_have_boards_of_their_own(group):
    await group.answers({"ada": "a"}, place="p1")
    await group.answers({"ada": "a", "bob": "a"}, place="p2")
    assert short(await group.page(await group.board(place="p1"))) == [(1, 10, ["Ada"], 0)]
    whole = await group.page(await group.board())
    assert short(whole) == [(1, 20, ["Ada"], 0), (2, 10, ["Bob"], 0)]


@pytest.mark.parametrize("period", ["today", "month"])
async def test_communities_never_see_each_others_players(group, period):
    await group.answers({"ada": "a"}, community="c1", name="q1")
    await group.answers({"bob": "a"}, community="c2", name="q1")
    for community, names in (("c1", ["Ada"]), ("c2", ["Bob"])):
        for place in (None, "p1"):
            board = await group.board(period, community=community, place=place)
            page = await group.page(board)
            assert (short(page), page.asked) == ([(1, 10, names, 0)], 1)
    theirs = await group.board(period, community="c2")
    assert await group.own("ada", theirs) is None
    # A place that is another community's shows nothing of it.
    mixed = replace(theirs, community_id=(await group.board(community="c1")).community_id)
    theirs_by_place = await group.board(period, community="c2", place="p1")
    mixed = replace(mixed, place_id=theirs_by_place.place_id)
    assert await group.page(mixed) == BoardPage(0, (), None)
    assert await group.shares(mixed) == (Share(0, 0, 0), Share(0, 0, 0))


async def test_each_day_has_its_own_board_and_stands_beside_the_day_before(group):
    await group.answers({"ada": "a", "bob": "b"}, day=TODAY)
    await group.answers({"ada": "a", "bob": "a"}, day=TOMORROW)
    board = await group.board("today")
    assert short(await group.page(board)) == [(1, 10, ["Ada"], 0)]
    assert await group.shares(board) == (Share(2, 2, 1), Share(0, 0, 0))
    tomorrow = replace(board, day=TOMORROW)
    assert short(await group.page(tomorrow)) == [(1, 10, ["Ada", "Bob"], 0)]
    assert await group.shares(tomorrow) == (Share(2, 2, 2), Share(2, 2, 1))


async def test_we_are_told_this_period_and_the_one_before(group):
    await group.answers({"ada": "a", "bob": "b", "cho": "b"}, day=TODAY - timedelta(days=1))
    await group.answers({"ada": "a", "bob": "a"}, day=TODAY)
    week = await group.board("week")
    assert await group.shares(week) == (Share(2, 2, 2), Share(3, 3, 1))
    assert await group.shares(await group.board("all")) == (Share(3, 5, 3), None)


# --- "answered 9 of 12" ----------------------------------------------------------------------


async def test_a_question_that_was_asked_twice_in_a_week_is_one_that_could_be_answered(group):
    await group.answers({"ada": "a"}, name="q1", day=TODAY)
    await group.answers({"ada": "a"}, name="q1", day=TOMORROW)
    own = await group.own("ada", await group.board("week"))
    assert (own.answered, own.asked) == (1, 1)
    await group.answers({}, name="q1", day=TODAY + timedelta(days=7))
    assert (await group.own("ada", await group.board("week"))).asked == 1
    assert (await group.own("ada", await group.board("all"))).asked == 2


async def test_a_daily_is_one_an_occurrence_and_apart_from_live_rounds(group):
    for mode, day in (("open", TODAY), ("open", TOMORROW), ("live", TODAY)):
        await group.answers({"ada": "a"}, name="q1", mode=mode, day=day)
    own = await group.own("ada", await group.board("week"))
    assert (own.answered, own.asked) == (3, 3)


async def test_practice_alone_and_what_was_not_reached_are_not_asked_of_anybody(group):
    await group.answers({"ada": "a"})
    await group.answers({"ada": "a"}, mode="solo")
    await group.store.write(lambda c: add_step(c, add_place(c), name="unreached", day=None))
    for period in ("today", "week", "month", "season", "all"):
        own = await group.own("ada", await group.board(period))
        assert (own.answered, own.asked) == (1, 1), period


async def test_a_round_that_ended_long_ago_is_not_looked_at_and_one_that_runs_is(group):
    await group.answers({"ada": "a"}, day=TODAY)
    running = update(rounds).values(ended_at=None, mode="open")
    await group.store.write(lambda c: c.execute(running))
    assert (await group.page()).asked == 1


@pytest.mark.parametrize(
    ("period", "first", "last"),
    [
        ("week", date(2026, 12, 28), date(2027, 1, 3)),
        ("month", date(2027, 2, 1), date(2027, 2, 28)),
        ("month", date(2028, 2, 1), date(2028, 2, 29)),
        ("season", date(2026, 10, 1), date(2026, 12, 31)),
        ("season", date(2026, 1, 1), date(2026, 3, 31)),
    ],
)
async def test_a_period_ends_on_its_last_day(group, period, first, last):
    day = timedelta(days=1)
    for asked in (first - day, first, last, last + day):
        await group.answers({"ada": "a"}, day=asked)
    own = await group.own("ada", await group.board(period, day=last))
    assert (own.answered, own.asked) == (2, 2)


# --- any board -------------------------------------------------------------------------------

crowds = st.lists(st.tuples(st.integers(0, 4).map(lambda n: n * 10), st.booleans()), max_size=25)


def fill(connection: Connection, crowd: list[tuple[int, bool]]) -> Board:
    place = add_place(connection)
    board_id = connection.execute(
        insert(boards)
        .values(community_id=place.community_id, place_id=0, period="all", starts="")
        .returning(boards.c.id)
    ).scalar_one()
    for index, (points, is_hidden) in enumerate(crowd):
        who = PersonKey("local", f"u{index}", f"u{index}")
        player_id = people.ensure_player(connection, who, place.community_id, NOON)
        people.set_hidden(connection, people.ensure_person(connection, who, NOON).id, is_hidden)
        row = {"board_id": board_id, "player_id": player_id, "points": points}
        connection.execute(insert(totals).values(**row, answered=1, right=1))
    return Board(place.community_id, None, "all", TODAY)


def expected(crowd: list[tuple[int, bool]]) -> list[tuple[int, int, list[str], int]]:
    """All ranks, with every name that may be shown, and how many are not."""
    ordered = sorted(enumerate(crowd), key=lambda one: (-one[1][0], one[0]))
    ranks, rank = [], 1
    for points, group in groupby(ordered, key=lambda one: one[1][0]):
        members = list(group)
        names = [f"u{index}" for index, (_, is_hidden) in members if not is_hidden]
        if points:
            ranks.append((rank, points, names, len(members) - len(names)))
        rank += len(members)
    return ranks


async def turn_all_pages(url: str, crowd: list[tuple[int, bool]], most: int) -> None:
    async with opened(url) as store:
        board = await store.write(lambda c: fill(c, crowd))
        below: int | None = None
        turned: list[BoardRank] = []
        while True:
            page = await store.read(partial(read_page, board=board, below=below, most=most))
            on_page = sum(len(rank.named) for rank in page.ranks)
            assert on_page <= most
            turned += page.ranks
            if page.below is None:
                break
            assert on_page == most or len(page.ranks) == most
            below = page.below
    for rank, (number, points, names, hidden) in zip(turned, expected(crowd), strict=True):
        assert (rank.rank, rank.points) == (number, points)
        shown = [line.name for line in rank.named]
        assert shown == names[: len(shown)]
        assert len(shown) + rank.more == len(names) + hidden
        assert all(isinstance(line, BoardLine) for line in rank.named)


@settings(
    deadline=None,
    max_examples=18,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(crowd=crowds, most=st.integers(1, 6))
def test_turning_all_pages_shows_every_rank_once(sqlite_url, crowd, most):
    empty(sqlite_url)
    asyncio.run(turn_all_pages(sqlite_url, crowd, most))
