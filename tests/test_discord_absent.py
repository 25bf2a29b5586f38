"""Where the bot is no member: who brought it there plays alone, and is told why and what to do."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from conversation import Person
from discord_stage import DiscordStage
from quizzes import write_banks
from stand_in_discord_channels import Channel
from stand_in_discord_people import Person as Account
from stand_in_discord_people import Seen
from stand_in_discord_world import GROUP

WHY = "quizbot is not on this server: only you see this, and you play alone."


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[DiscordStage]:
    stage = DiscordStage(f"sqlite:///{tmp_path / 'quizbot.db'}", [write_banks(tmp_path / "banks")])
    await stage.start()
    yield stage
    await stage.stop()


@pytest.fixture
def ana(stage: DiscordStage) -> Account:
    ana = stage.member(Person(stage, "Ana"))
    ana.install()
    return ana


def link(seen: Seen) -> str:
    return str(next(one["url"] for one in seen.message.buttons if one["label"] == "Add quizbot"))


async def test_on_a_server_one_is_told_why_and_how_to_add_it_once(
    stage: DiscordStage, ana: Account
):
    elsewhere = stage.world.guild("Elsewhere", with_bot=False)
    elsewhere.members[ana.id] = stage.guild.members[ana.id]
    room = elsewhere.channel()
    first = await ana.slash(room, "quiz", topic="ports")
    assert WHY in first.text
    assert first.message.is_private
    assert f"client_id={stage.world.application_id}" in link(first)
    assert WHY not in (await ana.slash(room, "quiz", topic="ports")).text
    together = await ana.slash(room, "quiz", topic="ports", mode="live")
    assert together.text.count(WHY) == 1
    assert link(together) == link(first)
    assert "alone:" not in together.text
    alone = await ana.press(together.message, together.message.button("Play it alone"))
    assert "Question 1 of 3" in alone.text


async def test_where_one_plays_alone_no_points_are_promised(stage: DiscordStage, ana: Account):
    elsewhere = stage.world.guild("Elsewhere", with_bot=False)
    elsewhere.members[ana.id] = stage.guild.members[ana.id]
    for place in (elsewhere.channel(), ana.dm):
        told = await ana.slash(place, "leaderboard")
        assert "Playing alone gives no points" in told.text
        assert "first quiz" not in told.text


async def test_among_friends_one_is_told_that_a_group_needs_a_server(
    stage: DiscordStage, ana: Account
):
    friends = Channel(stage.world, GROUP, "Friends", recipients=[ana])
    told = await ana.slash(friends, "quiz", topic="ports", mode="live")
    assert "quizbot is no part of this conversation" in told.text
    assert told.message.labels == ["Play it alone"]


async def test_with_the_bot_itself_one_is_alone_with_it(stage: DiscordStage, ana: Account):
    told = await ana.slash(ana.dm, "quiz", topic="ports", mode="live")
    assert "Here we are alone: a quiz for a group needs a channel." in told.text
