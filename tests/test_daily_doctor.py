"""What the doctor finds of daily quizzes, on the stand-ins of both platforms."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest
from conversation import Person, Stage
from discord_stage import DiscordStage
from quizzes import write_banks
from slack_stage import SlackStage
from stand_in_discord_permissions import Permission

from adapters.accounts import discord_account
from adapters.commands.dailies import look_at_dailies
from adapters.commands.slack import slack_accesses
from adapters.discord.channels import accesses
from adapters.settings import Settings


@pytest.fixture
async def discord(tmp_path: Path) -> AsyncIterator[DiscordStage]:
    stage = DiscordStage(f"sqlite:///{tmp_path / 'quizbot.db'}", [write_banks(tmp_path / "banks")])
    await stage.start()
    yield stage
    await stage.stop()


@pytest.fixture
async def slack(tmp_path: Path) -> AsyncIterator[SlackStage]:
    stage = SlackStage(f"sqlite:///{tmp_path / 'quizbot.db'}", [write_banks(tmp_path / "banks")])
    await stage.start()
    yield stage
    await stage.stop()


async def set_one(stage: Stage) -> None:
    olga = Person(stage, "Olga", organiser=True)
    await olga.types("/daily set 07:30 UTC ports")
    await olga.presses_told("Save")


async def found(settings: Settings, platform: str) -> list[str]:
    account = discord_account(settings)
    asked = partial(slack_accesses, settings) if account is None else partial(accesses, account)
    return [f"{one.state} {one.what}" async for one in look_at_dailies(settings, platform, asked)]


async def test_nothing_is_said_where_there_is_no_daily_quiz(discord: DiscordStage) -> None:
    assert await found(discord.settings, "discord") == []


async def test_nothing_is_made_where_there_is_no_database(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'none.db'}"
    settings = Settings(QUIZBOT_DATABASE_URL=url, DISCORD_TOKEN="a.b.c")
    assert await found(settings, "discord") == []
    assert not (tmp_path / "none.db").exists()


async def test_on_discord_it_says_what_the_bot_lacks_in_a_channel(discord: DiscordStage) -> None:
    await set_one(discord)
    name = "daily quiz in #general at 07:30 (UTC)"
    assert await found(discord.settings, "discord") == [f"well {name}: all is well"]
    discord.place.deny(discord.world.bot, Permission.SEND_MESSAGES)
    (line,) = await found(discord.settings, "discord")
    assert line == f"fault {name}: quizbot lacks Send Messages there"


async def test_on_slack_it_says_that_the_bot_is_not_in_a_channel(slack: SlackStage) -> None:
    await set_one(slack)
    name = "daily quiz in #general at 07:30 (UTC)"
    assert await found(slack.settings, "slack") == [f"well {name}: all is well"]
    slack.place.archived = True
    (line,) = await found(slack.settings, "slack")
    assert line == f"fault {name}: the channel is archived"


async def test_it_says_which_quiz_is_gone(discord: DiscordStage) -> None:
    await set_one(discord)
    for folder in discord.settings.banks:
        (folder / "ports" / "bank.yaml").unlink()
    (line,) = await found(discord.settings, "discord")
    assert line.endswith("there is no quiz ports with a question any more")
