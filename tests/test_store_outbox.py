"""What is said in a place is said in order, and so is what is said to a person alone."""

from __future__ import annotations

import pytest
from store_world import NOON, add_place, draft, opened

from bot.store import outbox, people

pytest_plugins = ["store_databases"]


@pytest.fixture
async def store(database_url):
    async with opened(database_url) as store:
        yield store


def put(connection, place, nonce, who=None, kind="result"):
    person_id = None
    if who is not None:
        person_id = people.ensure_person(connection, draft(0, who).person, NOON).id
    return outbox.enqueue(connection, kind, place, due_at=NOON, nonce=nonce, person_id=person_id)


def claim(connection, busy=(), most=100):
    claimed = outbox.claim(connection, {"local"}, NOON, "me", busy, most)
    return {entry.nonce: entry for entry in claimed}


async def test_a_private_delivery_waits_for_no_place_and_for_nobody_else(store):
    def work(connection):
        here, there = add_place(connection), add_place(connection, place="p2")
        put(connection, here, "here")
        put(connection, here, "to ada", "ada")
        put(connection, there, "to ada from there", "ada")
        put(connection, here, "to bob", "bob")
        put(connection, here, "here next")
        return claim(connection)

    claimed = await store.write(work)
    assert set(claimed) == {"here", "to ada", "to bob"}
    assert len({entry.queue for entry in claimed.values()}) == 3
    assert claimed["to ada"].recipient == "ada"


async def test_what_is_next_for_a_person_waits_until_the_first_has_arrived(store):
    def work(connection):
        here = add_place(connection)
        for nonce in ("one", "two"):
            put(connection, here, nonce, "ada")
        first = claim(connection)["one"]
        assert claim(connection) == {}
        outbox.mark_sent(connection, first.id, "m1", NOON)
        assert claim(connection, busy=[first.queue]) == {}
        return claim(connection, busy=[here.id])

    assert set(await store.write(work)) == {"two"}


async def test_who_cannot_be_reached_keeps_no_place_waiting(store):
    def work(connection):
        here = add_place(connection)
        lost = put(connection, here, "to ada", "ada")
        claim(connection)
        outbox.mark(connection, lost, "due", due_at=NOON.replace(year=2027))
        put(connection, here, "here")
        return claim(connection), outbox.stale_claims(connection, {"local"}, None)

    claimed, stale = await store.write(work)
    assert set(claimed) == {"here"}
    assert [entry.nonce for entry in stale] == ["here"]


async def test_a_board_that_stands_somewhere_steps_back_behind_all_that_people_wait_for(store):
    def work(connection):
        here, there = add_place(connection), add_place(connection, place="p2")
        put(connection, here, "board", kind="standing")
        put(connection, there, "board there", kind="standing")
        put(connection, here, "answer")
        put(connection, there, "question")
        put(connection, here, "board again", kind="standing")
        order = []
        while claimed := claim(connection, most=1):
            [(nonce, entry)] = claimed.items()
            order.append(nonce)
            outbox.mark_sent(connection, entry.id, nonce, NOON)
        return order

    in_turn = ["answer", "question", "board", "board there", "board again"]
    assert await store.write(work) == in_turn


async def test_a_board_that_is_on_its_way_is_waited_for(store):
    def work(connection):
        here = add_place(connection)
        put(connection, here, "board", kind="standing")
        assert set(claim(connection)) == {"board"}
        put(connection, here, "answer")
        return claim(connection)

    assert await store.write(work) == {}
