"""Communities, places, persons and players: made once, and what they chose."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from store_world import NOON, SECOND, opened, table

from bot.calls import Where, Who
from bot.store import people
from bot.store.store import Store

pytest_plugins = ["store_databases"]

HERE = Where("local", "c1", "p1", community_name="A school", place_name="Room 1")
ADA = Who("local", "ada", "Ada")


@pytest.fixture
async def store(database_url) -> AsyncIterator[Store]:
    async with opened(database_url) as store:
        yield store


async def test_a_place_is_made_with_its_community_and_once(store):
    one = await store.write(lambda c: people.ensure_place(c, HERE, NOON))
    two = await store.write(lambda c: people.ensure_place(c, HERE, NOON + SECOND))
    assert one == two
    assert (one.community, one.place, one.name, one.kind) == ("c1", "p1", "Room 1", "channel")
    assert (one.zone, one.language, one.names_shown, one.personal) == (None, None, True, False)
    assert await store.read(lambda c: people.find_place(c, HERE)) == one
    assert len(await table(store, "communities")) == 1


async def test_what_was_never_seen_is_not_found_and_not_made_by_looking(store):
    assert await store.read(lambda c: people.find_place(c, HERE)) is None
    assert await store.read(lambda c: people.find_person(c, "local", "ada")) is None
    assert await table(store, "communities") == []


async def test_names_are_kept_fresh_and_an_empty_one_changes_nothing(store):
    renamed = replace(HERE, community_name="A college", place_name="Room 2")
    unnamed = replace(HERE, community_name="", place_name="")
    for where in (HERE, renamed, unnamed):
        place = await store.write(lambda c, w=where: people.ensure_place(c, w, NOON))
    assert place.name == "Room 2"
    assert [row["name"] for row in await table(store, "communities")] == ["A college"]
    for name in ("Ada", "Ada L.", ""):
        who = replace(ADA, name=name)
        person = await store.write(lambda c, w=who: people.ensure_person(c, w, NOON))
    assert person.name == "Ada L."


async def test_the_same_place_in_another_community_or_platform_is_another(store):
    wheres = [HERE, replace(HERE, community="c2"), replace(HERE, platform="other")]
    made = [await store.write(lambda c, w=w: people.ensure_place(c, w, NOON)) for w in wheres]
    assert len({place.id for place in made}) == len({place.community_id for place in made}) == 3


async def test_what_a_person_chose_is_kept(store):
    person = await store.write(lambda c: people.ensure_person(c, ADA, NOON))
    assert (person.language, person.hidden, person.introduced) == (None, False, False)
    await store.write(lambda c: people.set_language(c, person.id, "sn"))
    await store.write(lambda c: people.set_hidden(c, person.id, True))
    assert await store.write(lambda c: people.set_introduced(c, person.id, NOON))
    assert not await store.write(lambda c: people.set_introduced(c, person.id, NOON))
    found = await store.read(lambda c: people.find_person(c, "local", "ada"))
    assert found == replace(person, language="sn", hidden=True, introduced=True)


async def test_what_a_community_chose_is_kept(store):
    place = await store.write(lambda c: people.ensure_place(c, HERE, NOON))
    community = place.community_id
    await store.write(lambda c: people.set_zone(c, community, "Africa/Harare"))
    await store.write(lambda c: people.set_post_language(c, community, "fr"))
    await store.write(lambda c: people.set_names(c, community, "hidden"))
    found = await store.read(lambda c: people.find_place(c, HERE))
    assert found == replace(place, zone="Africa/Harare", language="fr", names_shown=False)


async def test_a_player_is_a_person_in_a_community(store):
    def join(connection, community):
        place = people.ensure_place(connection, replace(HERE, community=community), NOON)
        player = people.ensure_player(connection, ADA, place.community_id, NOON)
        return place.community_id, player

    here, one = await store.write(lambda c: join(c, "c1"))
    _, two = await store.write(lambda c: join(c, "c2"))
    assert one != two
    assert (await store.write(lambda c: join(c, "c1"))) == (here, one)
    person = await store.read(lambda c: people.find_person(c, "local", "ada"))
    assert await store.read(lambda c: people.find_player(c, here, person.id)) == one
    assert await store.read(lambda c: people.find_player(c, here, person.id + 1)) is None


async def test_two_processes_that_meet_somebody_new_make_them_once(emptied_url):
    async with opened(emptied_url) as one, opened(emptied_url) as two:
        for number in range(10):
            where = replace(HERE, community=f"c{number}")
            who = replace(ADA, id=f"u{number}")

            def meet(connection, where=where, who=who):
                place = people.ensure_place(connection, where, NOON)
                return people.ensure_player(connection, who, place.community_id, NOON)

            players = await asyncio.gather(one.write(meet), two.write(meet))
            assert len(set(players)) == 1
