"""Persons whom a platform says to be one: what both had is theirs, and nothing counts twice."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Iterable
from datetime import time, timedelta
from functools import partial
from itertools import groupby
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import insert, update
from store_world import (
    NOON,
    SECOND,
    TODAY,
    UTC_ZONE,
    add_place,
    add_step,
    add_version,
    draft,
    opened,
    table,
)

from bot.calendar import Recurrence
from bot.calls import Identity, Who
from bot.schedules import Plan
from bot.store import people, streaks, uniting
from bot.store.mirrors import mirror_step
from bot.store.outbox import enqueue
from bot.store.proposals import begin_proposal
from bot.store.rounds import NewRound, NewStep, insert_round
from bot.store.schedules import insert_schedule
from bot.store.schema import (
    communities,
    outbox,
    persons,
    places,
    players,
    proposals,
    rounds,
    schedules,
)
from bot.store.scores import reach_of
from bot.store.store import Store
from bot.store.totals import is_consistent

pytest_plugins = ["store_databases"]

ADA = Identity("local", "W", frozenset({"ada"}), "c1", "W", frozenset({"ada"}))
AT_NINE = Recurrence(time(9), UTC_ZONE)
TABLES = ("attempts", "marks", "totals", "players", "persons", "boards", "away", "rounds")


@pytest.fixture
async def store(database_url: str) -> AsyncIterator[Store]:
    async with opened(database_url) as store:
        yield store
        assert await store.write(is_consistent)


async def unite(store: Store, identity: Identity = ADA) -> None:
    await store.write(lambda c: uniting.unite(c, identity, NOON))


async def answers_of(store: Store, name: str) -> list[dict[str, Any]]:
    """Those of the person who is called so."""
    found = await store.read(lambda c: people.find_person(c, "local", name))
    if found is None:
        return []
    own = {row["id"] for row in await table(store, "players") if row["person_id"] == found.id}
    return [row for row in await table(store, "attempts") if row["player_id"] in own]


async def everything(store: Store) -> dict[str, list[Any]]:
    return {name: sorted(map(repr, await table(store, name))) for name in TABLES}


# --- answers ---------------------------------------------------------------------------------


async def test_the_first_answer_to_a_question_stays_and_counts(store: Store) -> None:
    step = await store.write(lambda c: add_step(c, add_place(c)))
    await store.record(draft(step, "ada", "b", after=1))
    await store.record(draft(step, "W", "a", after=2))
    await unite(store)
    (kept,) = await answers_of(store, "W")
    assert json.loads(kept["answer"]) == {"options": ["b"]}
    assert kept["counts"] == "2026-W49"
    assert await answers_of(store, "ada") == [kept]


async def test_a_later_answer_that_came_by_the_older_id_gives_way(store: Store) -> None:
    step = await store.write(lambda c: add_step(c, add_place(c)))
    await store.record(draft(step, "ada", "b", after=9))
    await store.record(draft(step, "W", "a", after=2))
    await unite(store)
    (kept,) = await answers_of(store, "ada")
    assert json.loads(kept["answer"]) == {"options": ["a"]}


async def test_of_two_that_count_for_one_week_the_later_becomes_practice(store: Store) -> None:
    def ask(connection: Any) -> list[Any]:
        return [add_step(connection, add_place(connection, place=name)) for name in ("p1", "p2")]

    one, two = await store.write(ask)
    await store.record(draft(one, "ada", "a", after=5))
    await store.record(draft(two, "W", "a", after=3))
    await unite(store)
    known = {row["step_id"]: row for row in await answers_of(store, "W")}
    assert (known[one.id]["counts"], known[one.id]["practice"]) == (None, "again")
    assert known[two.id]["counts"] == "2026-W49"
    assert sum(int(str(row["points"])) for row in await table(store, "marks")) == 10


STEPS = st.tuples(
    st.sampled_from(["live", "open", "solo"]),
    st.sampled_from(["q1", "q2"]),
    st.sampled_from(["p1", "p2"]),
    st.integers(0, 1),
)
PRESSES = st.tuples(
    st.integers(0, 7), st.sampled_from(["ada", "W", "bob"]), st.sampled_from("ab"),
    st.integers(1, 20),
)  # fmt: skip
EXAMPLES = st.tuples(
    st.lists(STEPS, min_size=2, max_size=5), st.lists(PRESSES, min_size=2, max_size=12)
)


async def play_and_unite(store: Store, example: int, asked: list[Any], pressed: list[Any]) -> None:
    """In a community and with people of its own."""
    ids: list[int] = []
    half = len(pressed) // 2

    async def press(some: list[Any]) -> None:
        drafts = [
            draft(ids[step % len(ids)], f"{who}{example}", answer, after=after)
            for step, who, answer, after in some
        ]
        await asyncio.gather(*map(store.record, drafts))

    def ask(connection: Any, some: list[Any]) -> None:
        for mode, name, place, days in some:
            where, day = add_place(connection, f"c{example}", place), TODAY + timedelta(days=days)
            step = add_step(connection, where, name=name, mode=mode, day=day)
            if mode == "open":
                mirror_step(connection, step.id)
            ids.append(step.id)

    await store.write(lambda c: ask(c, asked[:2]))
    await press(pressed[:half])
    # Dailies that open later take over what was answered by then.
    await store.write(lambda c: ask(c, asked[2:]))
    await press(pressed[half:])
    before = {name: await answers_of(store, f"{name}{example}") for name in ("ada", "W", "bob")}
    ada = Identity("local", f"W{example}", frozenset({f"ada{example}"}))
    await unite(store, ada)
    assert await store.write(is_consistent)
    _check([*before["ada"], *before["W"]], await answers_of(store, ada.id))
    assert await answers_of(store, f"bob{example}") == before["bob"]
    seen = await everything(store)
    assert not await store.read(lambda c: uniting.is_to_unite(c, ada))
    await unite(store, ada)
    assert await everything(store) == seen


def weeks(counted: Iterable[tuple[int, str]]) -> set[tuple[int, str]]:
    return {(question, counts) for question, counts in counted if not counts.startswith("day:")}


def _check(before: list[Any], after: list[Any]) -> None:
    given_ = sorted(before, key=lambda row: row["step_id"])
    # Each question that was answered by either stays answered, by the first answer to it.
    first = {
        step: min(row["pressed_at"] for row in rows)
        for step, rows in groupby(given_, key=lambda row: row["step_id"])
    }
    assert {row["step_id"]: row["pressed_at"] for row in after} == first
    # A day or week that counted a question counts it once for the whole community.
    everywhere = [
        (row["question_id"], row["counts"])
        for row in after
        if row["counts"] and reach_of(row["counts"]) == "all"
    ]
    assert len(everywhere) == len(set(everywhere))
    counted = {
        (row["question_id"], row["counts"])
        for row in given_
        if row["counts"] and reach_of(row["counts"]) == "all"
    }
    assert set(everywhere) <= counted
    # What was answered along with a daily of another day had been counted by that one.
    assert weeks(everywhere) == weeks(counted)
    assert {question for question, _ in everywhere} == {question for question, _ in counted}
    assert all((row["counts"] is None) != (row["practice"] is None) for row in after)


@pytest.mark.parametrize(("url", "examples"), [("sqlite_url", 15), ("emptied_url", 5)])
def test_whatever_both_answered_the_first_stay_and_the_totals_agree(
    url: str, examples: int, request: pytest.FixtureRequest
) -> None:
    numbers = itertools.count()
    limits = settings(deadline=None, max_examples=examples, suppress_health_check=list(HealthCheck))
    with asyncio.Runner() as runner:
        world = opened(request.getfixturevalue(url))
        store = runner.run(world.__aenter__())

        @limits
        @given(example=EXAMPLES)
        def holds(example: Any) -> None:
            runner.run(play_and_unite(store, next(numbers), *example))

        try:
            holds()
        finally:
            runner.run(store.close())


async def test_who_answers_while_both_become_one_loses_no_answer(emptied_url: str) -> None:
    async with opened(emptied_url) as one, opened(emptied_url) as other:

        def ask(connection: Any) -> list[Any]:
            here = add_place(connection)
            return [add_step(connection, here, name=f"q{number}") for number in range(13)]

        asked = await one.write(ask)
        await one.record(draft(asked[0], "ada"))
        await other.record(draft(asked[0], "W", after=2))
        presses = [
            store.record(draft(step, name, after=3))
            for step, (store, name) in zip(
                asked[1:], [(one, "ada"), (other, "W"), (other, "ada")] * 4, strict=False
            )
        ]
        await asyncio.gather(*presses[:5], unite(one), *presses[5:], unite(other))
        await unite(one)
        assert len(await answers_of(one, "W")) == 13
        assert len({row["player_id"] for row in await table(one, "attempts")}) == 1
        assert await one.write(is_consistent)


# --- all else --------------------------------------------------------------------------------


async def meet(store: Store, *ids: str) -> list[int]:
    """Each a second later than the one before."""
    made = []
    for number, id in enumerate(ids):
        at = NOON + number * SECOND
        who = Who("local", id, id.title())
        made.append(await store.write(partial(people.ensure_person, who=who, now=at)))
    return [person.id for person in made]


async def test_the_last_choice_holds_and_who_hid_stays_hidden(store: Store) -> None:
    old, new = await meet(store, "ada", "W")
    await store.write(lambda c: people.set_language(c, old, "fr"))
    await store.write(lambda c: people.set_hidden(c, old, True))
    await store.write(lambda c: people.set_introduced(c, old, NOON))
    await unite(store)
    found = await store.read(lambda c: people.find_person(c, "local", "W"))
    assert found is not None
    assert (found.id, found.external_id, found.name) == (old, "W", "W")
    assert (found.language, found.hidden, found.introduced) == ("fr", True, True)
    # Who had been found by the other id a moment before chooses for both.
    await store.write(lambda c: people.set_language(c, new, "sn"))
    for name in ("ada", "W"):
        found = await store.read(partial(people.find_person, platform="local", external_id=name))
        assert found is not None
        assert (found.id, found.language) == (old, "sn")


async def test_what_they_began_set_and_lead_is_theirs_by_the_new_id(store: Store) -> None:
    old, new = await meet(store, "ada", "W")

    def begin(connection: Any) -> None:
        step = add_step(connection, add_place(connection), mode="open", day=TODAY)
        place = step.place
        connection.execute(update(rounds).values(starter_id=new))
        connection.execute(update(schedules).values(set_by=new))
        connection.execute(update(places).values(brought_by="ada"))
        connection.execute(update(communities).values(organisers='["ada", "bob", "W"]'))
        base = {"community_id": place.community_id, "place_id": place.id}
        for number, person in enumerate((old, new)):
            values = {**base, "person_id": person, "entered": "{}"}
            at = NOON + number * SECOND
            connection.execute(insert(proposals).values(**values, created_at=at))
        said = {"op": "post", "kind": "notice", "platform": "local", "nonce": "1"}
        values = {**base, **said, "person_id": new, "due_at": NOON, "state": "due"}
        connection.execute(insert(outbox).values(values))
        for name, days in (("ada", 2), ("W", 5)):
            player = people.ensure_player(
                connection, Who("local", name, name), place.community_id, NOON
            )
            streaks.set_away(connection, player, TODAY, TODAY + timedelta(days=days))

    await store.write(begin)
    for _ in range(2):
        await unite(store)
    assert {row["starter_id"] for row in await table(store, "rounds")} == {old}
    assert {row["set_by"] for row in await table(store, "schedules")} == {old}
    assert {row["person_id"] for row in await table(store, "outbox")} == {old}
    assert {row["brought_by"] for row in await table(store, "places")} == {"W"}
    (community,) = await table(store, "communities")
    assert json.loads(str(community["organisers"])) == ["W", "bob"]
    (proposal,) = await table(store, "proposals")
    assert (proposal["person_id"], proposal["created_at"]) == (old, NOON + SECOND)
    (away,) = await table(store, "away")
    assert (away["starts"], away["ends"]) == (f"{TODAY}", f"{TODAY + timedelta(days=5)}")


async def test_who_was_found_a_moment_ago_begins_sets_and_drafts_as_the_one(store: Store) -> None:
    old, new = await meet(store, "ada", "W")
    where = await store.write(add_place)
    await unite(store)

    def begin(connection: Any) -> None:
        begun = begin_proposal(connection, where, new, {"hour": "9"}, NOON)
        assert begun.id
        insert_schedule(connection, where, Plan(AT_NINE), set_by=new, seed="", now=NOON)
        steps = [NewStep(add_version(connection), ("a", "b"), 60)]
        new_round = NewRound(where, "live", new, "", {}, "en", 60, False, False, steps)
        insert_round(connection, new_round, NOON)

    await store.write(begin)
    assert {row["starter_id"] for row in await table(store, "rounds")} == {old}
    assert {row["set_by"] for row in await table(store, "schedules")} == {old}
    assert {row["person_id"] for row in await table(store, "proposals")} == {old}


LEFT = {
    "rounds": lambda person: update(rounds).values(starter_id=person),
    "schedules": lambda person: update(schedules).values(set_by=person),
    "proposals": lambda person: update(proposals).values(person_id=person),
    "outbox": lambda person: update(outbox).values(person_id=person),
}


@pytest.mark.parametrize("name", [*LEFT, "away"])
async def test_what_was_stored_for_the_other_id_meanwhile_is_theirs_when_they_are_next_met(
    store: Store, name: str
) -> None:
    old, new = await meet(store, "ada", "W")
    where = (await store.write(lambda c: add_step(c, add_place(c), mode="open", day=TODAY))).place

    def begin(connection: Any) -> None:
        begin_proposal(connection, where, old, {}, NOON)
        enqueue(connection, "notice", where, due_at=NOON, nonce="1", person_id=old)
        people.ensure_player(connection, Who("local", "W", "W"), where.community_id, NOON)

    await store.write(begin)
    await unite(store)

    def meanwhile(connection: Any) -> None:
        if name in LEFT:
            connection.execute(LEFT[name](new))
            return
        theirs = {"person_id": new, "community_id": where.community_id, "created_at": NOON}
        made = connection.execute(insert(players).values(theirs).returning(players.c.id))
        streaks.set_away(connection, made.scalar_one(), TODAY, TODAY)

    await store.write(meanwhile)
    assert await store.read(lambda c: uniting.is_to_unite(c, ADA))
    await unite(store)
    assert not await store.read(lambda c: uniting.is_to_unite(c, ADA))
    stored = {row["id"]: row["person_id"] for row in await table(store, "players")}
    assert [stored[row["player_id"]] for row in await table(store, "away")] == [old] * (
        name == "away"
    )


async def test_a_third_id_leads_to_the_oldest_too(store: Store) -> None:
    old, *_ = await meet(store, "ada", "W", "U")
    await unite(store, Identity("local", "U", frozenset({"W"})))
    await unite(store, Identity("local", "U", frozenset({"ada"})))
    for name in ("ada", "W", "U"):
        found = await store.read(partial(people.find_person, platform="local", external_id=name))
        assert found is not None
        assert found.id == old
    step = await store.write(lambda c: add_step(c, add_place(c)))
    told = [await store.record(draft(step, name)) for name in ("W", "ada", "U")]
    assert [type(one).__name__ for one in told] == ["First", "Again", "Again"]


async def test_nobody_is_made_of_ids_that_nobody_was_met_under(store: Store) -> None:
    await unite(store)
    assert await table(store, "persons") == []


async def test_what_fails_on_the_way_leaves_two_as_they_were(store: Store) -> None:
    step = await store.write(lambda c: add_step(c, add_place(c)))
    for name in ("ada", "W"):
        await store.record(draft(step, name))
    before = await everything(store)

    def fail(connection: Any) -> None:
        uniting.unite(connection, ADA, NOON)
        raise LookupError

    with pytest.raises(LookupError):
        await store.write(fail)
    assert await everything(store) == before
    await unite(store)
    assert len(await answers_of(store, "W")) == 1
    own = [row for row in await table(store, persons.name) if row["same_as"] is None]
    assert len(own) == 1
