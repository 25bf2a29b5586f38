"""What a platform delivers twice happens once, and is replied to as it was the first time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import pytest
from bare_stage import BareStage, seen
from conversation import Person, Seen, last, newest_question, pass_time
from quizzes import right, write_banks
from sqlalchemy import func, select
from store_world import NOON, opened
from test_store_rounds import new_round

from bot import tokens
from bot.calls import Click, Command, Typed
from bot.store.rounds import insert_round
from bot.store.schema import outbox, rounds

pytest_plugins = ["store_databases"]

Delivery: TypeAlias = Callable[[BareStage, Person, str | None], Awaitable[Seen]]


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[BareStage]:
    stage = BareStage(f"sqlite:///{tmp_path / 'quizbot.db'}", [write_banks(tmp_path / "banks")])
    await stage.start()
    yield stage
    await stage.stop()


def typed(text: str) -> Delivery:
    async def deliver(stage: BareStage, person: Person, call: str | None) -> Seen:
        return seen(await stage.app.typed(Typed(stage.who(person), stage.where, text, call)))

    return deliver


def command(**options: str) -> Delivery:
    async def deliver(stage: BareStage, person: Person, call: str | None) -> Seen:
        asked = Command(stage.who(person), stage.where, "quiz", options, call)
        return seen(await stage.app.command(asked))

    return deliver


def press(choice: tokens.Choice) -> Delivery:
    async def deliver(stage: BareStage, person: Person, call: str | None) -> Seen:
        now, token = stage.clock.now(), tokens.write(choice)
        click = Click(stage.who(person), stage.where, token, now, now, id=call)
        return seen(await stage.app.click(click))

    return deliver


async def count(stage: BareStage, what=rounds) -> int:
    query = select(func.count()).select_from(what)
    return int(await stage.store.write(lambda c: c.execute(query).scalar_one(), wakes=False))


WAYS = {
    "typed, for all": typed("/quiz ports"),
    "typed, alone": typed("/quiz ports solo"),
    "typed, alone with a number": typed("/quiz ports 2 solo"),
    "a command, for all": command(topic="ports"),
    "a command, alone": command(topic="ports", count="2", mode="solo"),
    "a button, for all": press(tokens.Start("live", "ports")),
    "a button, alone": press(tokens.Start("solo", "ports")),
    "a try": press(tokens.TryOne()),
}


@pytest.mark.parametrize("deliver", WAYS.values(), ids=WAYS.keys())
async def test_a_start_that_is_delivered_twice_begins_one_quiz(
    stage: BareStage, deliver: Delivery
) -> None:
    ana = Person(stage, "Ana")
    await ana.types("/answers")  # so that neither reply is her first
    first = await deliver(stage, ana, "call 1")
    await stage.settle()
    assert await deliver(stage, ana, "call 1") == first
    await stage.settle()
    assert await count(stage) == 1
    assert len(await stage.channel()) == await count(stage, outbox) <= 1


@pytest.mark.parametrize("deliver", WAYS.values(), ids=WAYS.keys())
async def test_a_start_that_is_delivered_twice_at_once_begins_one_quiz(
    stage: BareStage, deliver: Delivery
) -> None:
    ana = Person(stage, "Ana")
    await ana.types("/answers")
    first, second = await asyncio.gather(
        deliver(stage, ana, "call 1"), deliver(stage, ana, "call 1")
    )
    assert first == second
    assert await count(stage) == 1


async def test_a_start_that_is_delivered_again_much_later_still_finds_its_quiz(
    stage: BareStage,
) -> None:
    ana = Person(stage, "Ana")
    await ana.types("/answers")
    first = await typed("/quiz ports 1")(stage, ana, "call 1")
    await stage.settle()
    await ana.answers(right(await newest_question(stage)))
    await pass_time(stage, 50)
    (await last(stage)).says("Ports: 1 person")
    await stage.restart()
    assert await typed("/quiz ports 1")(stage, ana, "call 1") == first
    await stage.settle()
    assert await count(stage) == 1


async def test_two_calls_are_two_wishes(stage: BareStage) -> None:
    ana = Person(stage, "Ana")
    await typed("/quiz ports 1 solo")(stage, ana, "call 1")
    await typed("/quiz ports 1 solo")(stage, ana, "call 2")
    await typed("/quiz ports 1 solo")(stage, ana, None)
    await typed("/quiz ports 1 solo")(stage, ana, None)
    assert await count(stage) == 4


async def test_a_call_of_another_group_by_the_same_id_is_another(stage: BareStage) -> None:
    ana = Person(stage, "Ana")
    (await typed("/quiz ports")(stage, ana, "call 1")).says("Ports begins here.")
    other = stage.beside("elsewhere")
    other.where = replace(other.where, community="other")
    (await typed("/quiz ports")(other, ana, "call 1")).says("Ports begins here.")
    assert await count(stage) == 2


async def test_what_leads_a_quiz_and_is_delivered_twice_takes_effect_once(
    stage: BareStage,
) -> None:
    ana = Person(stage, "Ana", organiser=True)
    await ana.types("/quiz ports")
    await ana.presses("More")
    token = ana.told.button("A minute more")
    assert token is not None
    minute = press(tokens.read(token) or tokens.TryOne())
    before = await newest_question(stage)
    before.says("closes in 45 s")
    for _ in range(2):
        await minute(stage, ana, "call 2")
    await stage.settle()
    (await newest_question(stage)).says("closes in 105 s")
    choice = tokens.read(token)
    assert isinstance(choice, tokens.MoreTime)
    for _ in range(2):
        await press(tokens.Next(choice.step))(stage, ana, "call 3")
    await stage.settle()
    for _ in range(2):
        await press(tokens.GoOn(choice.step))(stage, ana, "call 4")
    await stage.settle()
    (await newest_question(stage)).says("question 2 of 3")
    for _ in range(2):
        await typed("/leaderboard")(stage, ana, "call 5")
        await press(tokens.ShowBoard("place", "week"))(stage, ana, "call 6")
    await stage.settle()
    shown = [message for message in await stage.channel() if not message.options]
    assert len(shown) == 2, "the answer of the first question, and the board once"


async def test_a_call_begins_one_round_whichever_process_was_faster(database_url: str) -> None:
    async with opened(database_url) as here, opened(database_url) as there:
        begun = [
            await store.write(
                lambda c: insert_round(c, replace(new_round(c), mode="solo", call="1"), NOON)
            )
            for store in (here, there)
        ]
    assert begun[0] is not None
    assert begun[1] is None
