"""Rounds as they are stored."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy.exc import IntegrityError
from store_world import NOON, add_place, add_version, opened

from bot.store.rounds import NewRound, NewStep, insert_round

pytest_plugins = ["store_databases"]


def new_round(connection) -> NewRound:
    steps = [NewStep(add_version(connection), ("a", "b", "c"), 60)]
    return NewRound(
        place=add_place(connection),
        mode="live",
        starter=None,
        topic="b1",
        title={"en": "A bank"},
        language="en",
        seconds=60,
        speed=False,
        thread=False,
        steps=steps,
    )


async def test_a_second_live_round_in_a_place_is_no_error(database_url):
    async with opened(database_url) as store:
        assert await store.write(lambda c: insert_round(c, new_round(c), NOON)) is not None
        assert await store.write(lambda c: insert_round(c, new_round(c), NOON)) is None


async def test_a_round_that_cannot_be_stored_is_an_error(database_url):
    def work(connection):
        new = new_round(connection)
        return insert_round(connection, replace(new, place=replace(new.place, id=999)), NOON)

    async with opened(database_url) as store:
        with pytest.raises(IntegrityError):
            await store.write(work)
