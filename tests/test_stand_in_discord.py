"""The stand-in Discord, with a small bot of real discord.py: who does what sees what of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import discord
import pytest
from clock import StandingClock
from discord import app_commands
from stand_in_discord import StandInDiscord
from stand_in_discord_bot import CALLBACKS, COMMANDS, Bot, Stage, options, question, running, staged
from stand_in_discord_interactions import COMPONENT, Interaction
from stand_in_discord_people import Seen
from stand_in_discord_permissions import Permission


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async with staged() as stage:
        yield stage


async def test_a_bot_connects_and_sees_its_servers(stage: Stage):
    guild = stage.bot.get_guild(stage.guild.id)
    assert guild is not None
    assert [channel.name for channel in guild.text_channels] == ["general"]
    assert guild.preferred_locale is discord.Locale.french
    channel = guild.text_channels[0]
    assert channel.permissions_for(guild.me).create_public_threads


async def test_a_command_gets_a_private_reply(stage: Stage):
    async def reply(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Only you see this", ephemeral=True)

    stage.bot.on["quiz"] = reply
    seen = await stage.ana.slash(stage.channel, "quiz", topic="pipeline", count=3)
    assert seen.failed is None
    assert [message.text for message in seen.private] == ["Only you see this"]
    assert stage.ana.sees == seen.private
    assert stage.channel.messages == []
    assert stage.world.sent(CALLBACKS)[-1].json["data"]["flags"] == 64
    interaction = stage.bot.seen[-1]
    assert interaction.locale is discord.Locale.french
    assert interaction.guild_locale is discord.Locale.french
    assert isinstance(interaction.user, discord.Member)
    assert interaction.permissions.send_messages
    assert interaction.app_permissions.embed_links
    assert options(interaction) == {"topic": "pipeline", "count": 3}
    assert interaction.context.guild
    assert interaction.is_guild_integration()


async def test_a_button_changes_its_message(stage: Stage):
    async def update(interaction: discord.Interaction) -> None:
        await interaction.response.edit_message(content="It is idle time", view=None)

    stage.bot.on["b0"] = update
    await question(stage)
    message = stage.channel.last
    seen = await stage.ana.press(message, message.button("A"))
    assert seen.is_updated
    assert message.text == "It is idle time"
    assert message.buttons == []
    assert len(message.history) == 2


async def test_a_select_and_a_form(stage: Stage):
    async def show(interaction: discord.Interaction) -> None:
        modal = discord.ui.Modal(title="Settings", custom_id="form")
        text = discord.ui.TextInput[Any](custom_id="name", max_length=20)
        modal.add_item(discord.ui.Label(text="Your name", component=text))
        radio = discord.ui.RadioGroup[Any](custom_id="mode")
        radio.add_option(label="Live", value="live", default=True)
        radio.add_option(label="Solo", value="solo")
        modal.add_item(discord.ui.Label(text="Mode", component=radio))
        await interaction.response.send_modal(modal)

    async def take(interaction: discord.Interaction) -> None:
        data: Any = interaction.data
        values = [one["component"] for one in data["components"]]
        text = f"{values[0]['value']} {values[1]['value']}"
        await interaction.response.send_message(text, ephemeral=True)

    stage.bot.on |= {"choice": show, "form": take}
    view = discord.ui.View(timeout=None)
    options = [discord.SelectOption(label=text, value=text) for text in ("one", "two")]
    view.add_item(discord.ui.Select(custom_id="choice", options=options))
    await stage.bot.get_partial_messageable(stage.channel.id).send("Choose", view=view)
    seen = await stage.ana.choose(stage.channel.last, "choice", ["two"])
    assert seen.modal.labels == ["Your name", "Mode"]
    answer = await stage.ana.submit(seen.modal, {"name": "Ana"})
    assert answer.text == "Ana live"


async def test_autocomplete(stage: Stage):
    async def offer(interaction: discord.Interaction) -> None:
        name = f"{options(interaction)['topic']}line parallelism"
        choice = app_commands.Choice(name=name, value="pipeline")
        await interaction.response.autocomplete([choice])

    stage.bot.on["quiz"] = offer
    choices = await stage.ana.autocomplete(stage.channel, "quiz", "topic", "pipe")
    assert choices == [{"name": "pipeline parallelism", "value": "pipeline"}]


async def test_the_first_follow_up_takes_the_place_of_what_was_deferred(stage: Stage):
    async def later(interaction: discord.Interaction) -> None:
        await interaction.response.defer()
        await interaction.followup.send("Meant for one, seen by all", ephemeral=True)
        await interaction.followup.send("For one", ephemeral=True)

    stage.bot.on["quiz"] = later
    seen = await stage.ana.slash(stage.channel, "quiz", topic="x")
    await stage.world.until(lambda: len(seen.messages) == 2)
    assert [message.text for message in stage.channel.messages] == ["Meant for one, seen by all"]
    assert [message.text for message in seen.private] == ["For one"]


async def test_the_original_can_be_changed_read_and_deleted(stage: Stage):
    async def change(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("First", ephemeral=True)
        await interaction.edit_original_response(content="Second")
        found = await interaction.original_response()
        assert found.content == "Second"
        assert found.flags.ephemeral
        await interaction.delete_original_response()

    stage.bot.on["quiz"] = change
    seen = await stage.ana.slash(stage.channel, "quiz", topic="x")
    await stage.world.until(lambda: seen.messages == [])
    assert stage.bot.errors == []


async def test_what_was_missed_is_replayed_after_a_cut(stage: Stage):
    async def reply(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Right", ephemeral=True)

    stage.bot.on["b0"] = reply
    await question(stage)
    stage.world.gateway.cut()
    seen = await stage.ana.press(stage.channel.last, "b0")
    assert seen.text == "Right"
    assert stage.world.gateway.log[-1] == "resume 0/1"
    stage.world.repeat(seen.interaction)
    await stage.world.until(lambda: stage.bot.errors)
    assert stage.bot.errors[0].code == 40060
    assert [one.id for one in stage.bot.seen] == [seen.interaction.id] * 2


async def test_it_asks_to_reconnect_and_to_identify_anew(stage: Stage):
    gateway = stage.world.gateway
    gateway.reconnect()
    await stage.world.until(lambda: gateway.log[-1].startswith("resume"))
    gateway.invalidate(resumable=True)
    await stage.world.until(lambda: gateway.log.count("resume 0/1") == 2)
    gateway.invalidate(resumable=False)
    await stage.world.until(lambda: gateway.log.count("identify 0/1") == 2)
    gateway.cut(forget=True)
    await stage.world.until(lambda: gateway.log.count("identify 0/1") == 3)
    assert "resume refused" in gateway.log


async def test_a_wrong_token_and_a_privileged_intent_are_refused():
    async with StandInDiscord() as world:
        async with Bot() as bot:
            with pytest.raises(discord.LoginFailure):
                await bot.start("wrong")
        async with discord.Client(intents=discord.Intents.all()) as client:
            with pytest.raises(discord.PrivilegedIntentsRequired):
                await client.start(world.token)


async def test_shards_get_the_events_of_their_servers():
    async with StandInDiscord(shards=2) as world:
        guilds = [world.guild(f"Server {number}") for number in range(6)]
        async with running(world) as bot:
            assert bot.shard_count == 2
            assert len(bot.guilds) == 6
            for guild in guilds:
                known = bot.get_guild(guild.id)
                assert known is not None
                assert known.shard_id == (guild.id >> 22) % 2


async def test_an_outage_is_no_removal(stage: Stage):
    stage.guild.fall_out()
    await stage.world.until(lambda: stage.bot.guilds[0].unavailable)
    stage.guild.come_back()
    await stage.world.until(lambda: not stage.bot.guilds[0].unavailable)
    stage.guild.remove_bot()
    await stage.world.until(lambda: not stage.bot.guilds)


async def test_what_is_not_answered_in_three_seconds_failed():
    clock = StandingClock()
    async with staged(clock.now) as stage:
        await question(stage)
        arrived, go = asyncio.Event(), asyncio.Event()

        async def slowly(interaction: discord.Interaction) -> None:
            arrived.set()
            await go.wait()
            await interaction.response.send_message("Late")

        stage.bot.on["b0"] = slowly
        pressing = asyncio.create_task(stage.ana.press(stage.channel.last, "b0"))
        await arrived.wait()
        clock.move_to(clock.now() + timedelta(seconds=3.1))
        stage.world.time_passed()
        seen = await pressing
        assert seen.failed == "This interaction failed"
        go.set()
        await stage.world.until(lambda: stage.bot.errors)
        assert stage.bot.errors[0].code == 10062


async def test_a_token_lives_fifteen_minutes():
    clock = StandingClock()
    async with staged(clock.now) as stage:
        await question(stage)

        async def reply(interaction: discord.Interaction) -> None:
            await interaction.response.send_message("Right", ephemeral=True)
            clock.move_to(clock.now() + timedelta(minutes=15, seconds=1))
            await interaction.edit_original_response(content="Changed")

        stage.bot.on["b0"] = reply
        await stage.ana.press(stage.channel.last, "b0")
        await stage.world.until(lambda: stage.bot.errors)
        assert stage.bot.errors[0].code == 50027


async def test_nobody_listens_and_the_person_is_told(stage: Stage):
    stage.world.patience = 0.05
    seen = await stage.ana.slash(stage.channel, "quiz", topic="x")
    assert seen.failed == "The application did not respond"


async def test_threads_forum_posts_and_voice_channels_take_quizzes(stage: Stage):
    async def reply(interaction: discord.Interaction) -> None:
        assert interaction.channel is not None
        await interaction.response.send_message(str(interaction.channel.type))

    stage.bot.on["quiz"] = reply
    await question(stage)
    known = stage.bot.get_channel(stage.channel.id)
    assert isinstance(known, discord.TextChannel)
    sent = await known.fetch_message(stage.channel.last.id)
    thread = await sent.create_thread(name="Quiz")
    assert stage.channel.last.thread is not None
    assert thread.id == sent.id
    await thread.send("In it")
    assert stage.channel.last.thread.last.text == "In it"
    places = {
        stage.channel.thread("Talk"): "public_thread",
        stage.guild.forum().post("Help me"): "public_thread",
        stage.guild.voice(): "voice",
        stage.ana.dm: "private",
    }
    for place, kind in places.items():
        seen = await stage.ana.slash(place, "quiz", topic="x")
        assert seen.text == kind
        assert place.last is seen.message


async def test_a_user_install_works_where_the_bot_is_no_member(stage: Stage):
    async def reply(interaction: discord.Interaction) -> None:
        assert not interaction.is_guild_integration()
        await interaction.response.send_message("Solo")
        for _ in range(6):
            await interaction.followup.send("More", ephemeral=True)

    stage.bot.on["quiz"] = reply
    elsewhere = stage.world.guild("Elsewhere", with_bot=False)
    channel = elsewhere.channel()
    ben = elsewhere.member("Ben")
    with pytest.raises(AssertionError, match="installed neither there nor for Ben"):
        await ben.slash(channel, "quiz", topic="x")
    ben.install()
    elsewhere.allow_everybody(Permission.VIEW_CHANNEL | Permission.USE_APPLICATION_COMMANDS)
    seen = await ben.slash(channel, "quiz", topic="x")
    await stage.world.until(lambda: stage.bot.errors)
    assert stage.bot.errors[0].code == 40094
    assert channel.messages == []
    assert seen.messages[0].is_private
    assert stage.bot.seen[-1].context.guild
    cleo = stage.world.person("Cleo")
    await ben.slash(stage.world.private_channel(ben, cleo), "quiz", topic="x")
    assert stage.bot.seen[-1].context.private_channel
    with pytest.raises(discord.Forbidden):
        await stage.bot.get_partial_messageable(channel.id).send("No member")


async def test_commands_are_offered_to_whom_they_are_for(stage: Stage):
    async def reply(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Settings", ephemeral=True)

    stage.bot.on["settings"] = reply
    with pytest.raises(AssertionError, match="Ana may not use /settings"):
        await stage.ana.slash(stage.channel, "settings")
    with pytest.raises(AssertionError, match="not offered there"):
        await stage.ana.slash(stage.ana.dm, "settings")
    organiser = stage.guild.member("Olu", organiser=True)
    assert (await organiser.slash(stage.channel, "settings")).text == "Settings"
    with pytest.raises(AssertionError, match="requires topic"):
        await stage.ana.slash(stage.channel, "quiz")
    with pytest.raises(discord.HTTPException):
        await stage.sync([COMMANDS[0], COMMANDS[0]])
    with pytest.raises(discord.HTTPException):
        await stage.sync([{**COMMANDS[1], "description_localizations": {"sn": "Zvirongwa"}}])


async def test_who_is_told_to_stop_stops_though_something_comes_at_that_instant(stage: Stage):
    pressed = Interaction(stage.world, stage.ana, stage.channel, COMPONENT, {}, {})
    waiting = asyncio.create_task(Seen(pressed).settle())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    pressed.tell()
    await asyncio.sleep(0)
    waiting.cancel()
    done, _ = await asyncio.wait({waiting}, timeout=1)
    assert done
    assert waiting.cancelled()
