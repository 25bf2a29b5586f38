"""However many daily quizzes there are, and however long they last: all is reached by pressing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
from bare_stage import BareStage
from conversation import Person, Seen, Stage
from daily_story import plan, set_daily
from discord_stage import DiscordStage
from past_dailies import DAY, daily, today
from quizzes import write_banks
from sqlalchemy import Connection, select

from bot.store import schedules
from bot.store.schema import persons

MANY = 44


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Stage]:
    """Where lists are shortest, with a daily quiz for every ten minutes from noon on."""
    banks = [write_banks(tmp_path / "banks")]
    stage = DiscordStage(f"sqlite:///{tmp_path / 'quizbot.db'}", banks)
    await stage.start()
    first = await set_daily(stage, plan("12:00"))

    def work(connection: Connection) -> None:
        olga = connection.execute(select(persons.c.id)).scalars().first()
        assert olga is not None
        for number in range(1, MANY):
            at = timedelta(hours=12, minutes=10 * number)
            clock = f"{at.seconds // 3600:02}:{at.seconds // 60 % 60:02}"
            schedules.insert_schedule(
                connection, first.place, plan(clock), set_by=olga, seed="s", now=stage.clock.now()
            )

    await stage.store.write(work)
    yield stage
    await stage.stop()


async def all_choices(olga: Person, told: Seen) -> list[str]:
    """What can be chosen on all pages."""
    found = list(told.choices)
    while "Next page" in told.buttons:
        told = await olga.presses_told("Next page")
        found += told.choices
    return found


async def test_each_of_many_is_reached_from_the_list(stage: Stage) -> None:
    olga = Person(stage, "Olga", organiser=True)
    found = await all_choices(olga, await olga.types("/daily list"))
    assert len(set(found)) == len(found) == MANY
    told = await olga.chooses(found[-1])
    told.says("at 7:10", "next: ")
    (await olga.presses_told("All daily quizzes")).offers("Next page")


async def test_each_of_many_can_be_meant_by_a_command(stage: Stage) -> None:
    olga = Person(stage, "Olga", organiser=True)
    found = await all_choices(olga, await olga.types("/daily pause until 2026-12-24"))
    assert len(set(found)) == len(found) == MANY
    (await olga.chooses(found[-1])).says("Paused until Thu, Dec 24, 2026.", "at 7:10")


async def test_each_of_many_can_be_changed_by_a_command(stage: Stage) -> None:
    olga = Person(stage, "Olga", organiser=True)
    found = await all_choices(olga, await olga.types("/daily set 21:00"))
    assert len(set(found) - {"Set a new one"}) == MANY
    told = await olga.chooses(found[-2])
    told.says("The daily quiz in", "at 9:00")
    told = await olga.presses_told("Change another")
    told.says("Which one do you mean?")


async def test_what_was_asked_long_ago_is_reached_by_pressing(tmp_path: Path) -> None:
    stage = BareStage(f"sqlite:///{tmp_path / 'quizbot.db'}", [write_banks(tmp_path / "banks")])
    await stage.start()
    olga = Person(stage, "Olga", organiser=True)
    asked = await daily(stage, olga)
    for ago in range(1, 24):
        await asked.asked(today(stage) - ago * DAY)
    told = await olga.types("/daily past")
    told.says("Sun, Nov 29, 2026", "Fri, Nov 20, 2026")
    told.does_not_say("Nov 19")
    (await olga.presses_told("Next page")).says("Thu, Nov 19, 2026")
    told = await olga.presses_told("Next page")
    told.says("Sat, Nov 7, 2026")
    told.does_not_offer("Next page")
    (await olga.presses_told("Page before")).says("Thu, Nov 19, 2026")
    (await olga.presses_told("Back")).offers("Past ones")
    await stage.stop()
