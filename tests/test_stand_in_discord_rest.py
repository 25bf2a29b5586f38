"""REST of the stand-in Discord: what it refuses, what goes wrong on demand, what it keeps."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import discord
import pytest
import stand_in_discord_description as description
from stand_in_discord import StandInDiscord
from stand_in_discord_bot import CALLBACKS, QUIET, Stage, by_hand, path, question, staged
from stand_in_discord_permissions import Permission


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async with staged() as stage:
        yield stage


async def test_too_many_requests_are_waited_out(stage: Stage):
    stage.world.fail_next("POST /channels/{id}/messages", status=429, retry_after=0.02)
    await question(stage)
    statuses = [one.status for one in stage.world.sent("POST /channels/...")]
    assert statuses == [429, 200]
    stage.world.fail_next("POST /channels/{id}/messages", status=429, via=False)
    with pytest.raises(discord.HTTPException):
        await question(stage)


async def test_a_bucket_is_filled_and_its_headers_are_heeded(stage: Stage):
    stage.world.limit("POST /channels/{id}/messages", 2, 0.1)
    await asyncio.gather(*(question(stage) for _ in range(5)))
    assert len(stage.channel.messages) == 5
    async with by_hand(stage.world) as session:
        answers = [await session.post(path(stage.channel), json=QUIET) for _ in range(3)]
    assert 429 in [answer.status for answer in answers]
    assert answers[0].headers["X-RateLimit-Limit"] == "2"
    refused = next(answer for answer in answers if answer.status == 429)
    assert refused.headers["Via"]
    assert (await refused.json())["retry_after"] <= 0.1


async def test_a_callback_that_failed_is_repeated(stage: Stage):
    """discord.py repeats it after a second: it was lost, or it had been done already."""

    async def reply(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Right", ephemeral=True)

    stage.bot.on |= {"b0": reply, "b1": reply}
    await question(stage)
    message = stage.channel.last
    stage.world.fail_next(CALLBACKS, status=503)
    first = asyncio.create_task(stage.ana.press(message, "b0"))
    await stage.world.until(lambda: stage.world.sent(CALLBACKS))
    stage.world.fail_next(CALLBACKS, status=503, after_effect=True)
    second = await stage.ana.press(message, "b1")
    assert (await first).text == second.text == "Right"
    await stage.world.until(lambda: stage.bot.errors)
    assert [error.code for error in stage.bot.errors] == [40060]


async def test_an_effect_without_an_answer(stage: Stage):
    stage.world.fail_next("POST /channels/...", status=503, after_effect=True)
    with pytest.raises(discord.DiscordServerError):
        await question(stage)
    assert len(stage.channel.messages) == 1
    stage.world.fail_next("POST /channels/...", status=None)
    with pytest.raises(aiohttp.ClientError):
        await question(stage)
    assert len(stage.channel.messages) == 1


async def test_a_request_is_held_until_it_is_released(stage: Stage):
    hold = stage.world.hold("POST /channels/...", after_effect=True)
    sending = asyncio.create_task(question(stage))
    await hold.arrived.wait()
    await stage.world.until(lambda: stage.channel.messages)
    assert not sending.done()
    hold.release()
    await sending


async def test_a_label_that_is_too_long_is_refused_by_its_place(stage: Stage):
    with pytest.raises(discord.HTTPException) as caught:
        await question(stage, "A" * 81)
    assert caught.value.status == 400
    assert caught.value.code == 50035
    assert "In components.0.components.0.label: Must be between 1 and 80" in str(caught.value)
    assert stage.channel.messages == []


async def test_what_is_gone_has_codes_of_its_own(stage: Stage):
    message = await question(stage)
    stage.channel.last.delete()
    with pytest.raises(discord.NotFound) as caught:
        await message.edit(content="x")
    assert caught.value.code == 10008
    stage.channel.delete()
    with pytest.raises(discord.NotFound) as caught:
        await question(stage)
    assert caught.value.code == 10003
    stage.guild.delete()
    with pytest.raises(discord.NotFound) as caught:
        await stage.bot.fetch_guild(stage.guild.id)
    assert caught.value.code == 10004


@pytest.mark.parametrize(
    ("denied", "code"), [(Permission.VIEW_CHANNEL, 50001), (Permission.SEND_MESSAGES, 50013)]
)
async def test_what_is_forbidden_has_codes_of_its_own(stage: Stage, denied: Permission, code: int):
    stage.channel.deny(stage.world.bot, denied)
    with pytest.raises(discord.Forbidden) as caught:
        await question(stage)
    assert caught.value.code == code


async def test_threads_begin_in_text_channels_alone(stage: Stage):
    voice = stage.guild.voice()
    sent = await stage.bot.get_partial_messageable(voice.id).send("x")
    with pytest.raises(discord.HTTPException, match="50024"):
        await stage.bot.http.start_thread_with_message(
            voice.id, sent.id, name="Quiz", auto_archive_duration=60
        )


async def test_files_and_embeds_need_permissions_and_come_back(stage: Stage):
    channel = stage.bot.get_partial_messageable(stage.channel.id)
    embed = discord.Embed(title="A picture").set_image(url="attachment://dot.png")
    file = discord.File(io.BytesIO(b"dot"), "dot.png", description="A dot")
    sent = await channel.send(embed=embed, file=file)
    assert await sent.attachments[0].read() == b"dot"
    assert sent.attachments[0].description == "A dot"
    assert stage.channel.last.text == "A picture"
    stage.channel.deny(stage.world.bot, Permission.ATTACH_FILES)
    with pytest.raises(discord.Forbidden):
        await channel.send(file=discord.File(io.BytesIO(b"dot"), "dot.png"))


async def test_a_nonce_brings_back_the_earlier_message(stage: Stage):
    channel = stage.bot.get_partial_messageable(stage.channel.id)
    first = await channel.send("Today’s quiz", nonce="daily-1")
    again = await channel.send("Today’s quiz", nonce="daily-1")
    assert first.id == again.id
    assert len(stage.channel.messages) == 1


async def test_layouts_are_taken_and_filled_in(stage: Stage):
    view = discord.ui.LayoutView(timeout=None)
    container = discord.ui.Container[Any](discord.ui.TextDisplay("What is the bubble?"))
    container.add_item(discord.ui.Separator())
    row = discord.ui.ActionRow[Any]()
    row.add_item(discord.ui.Button(label="A", custom_id="a"))
    container.add_item(row)
    view.add_item(container)
    view.stop()
    channel = stage.bot.get_partial_messageable(stage.channel.id)
    sent = await channel.send(view=view)
    assert sent.flags.components_v2
    assert stage.channel.last.text == "What is the bubble?"
    assert stage.channel.last.labels == ["A"]
    with pytest.raises(discord.HTTPException) as caught:
        await sent.edit(content="No text beside a layout")
    assert caught.value.code == 50035


async def test_what_could_ping_is_refused_unless_told():
    async with StandInDiscord() as world:
        guild = world.guild("Study group")
        channel = guild.channel()
        loud: list[Any] = [{"parse": ["everyone"]}, {"parse": [], "replied_user": True}, None]
        async with by_hand(world) as session:
            for allowed in loud:
                body = {"content": "@everyone", "allowed_mentions": allowed}
                answer = await session.post(path(channel), json=body)
                assert list((await answer.json())["errors"]) == ["allowed_mentions"]
            world.may_ping = True
            assert (await session.post(path(channel), json=body)).status == 200


async def test_payloads_are_checked_against_the_description(stage: Stage):
    if stage.world.description is None:
        pytest.skip(description.MISSING)
    body = QUIET | {"tts": "perhaps"}
    async with by_hand(stage.world) as session:
        answer = await (await session.post(path(stage.channel), json=body)).json()
    assert answer["code"] == 50035
    assert list(answer["errors"]) == ["tts"]


async def test_the_stand_in_fails_for_what_it_does_not_know():
    with pytest.raises(AssertionError, match="does not know GET /guilds/1/emojis"):
        async with StandInDiscord() as world, aiohttp.ClientSession() as session:
            await session.get(f"{world.base}/guilds/1/emojis")


async def test_direct_messages_arrive_unless_they_are_closed(stage: Stage):
    user = await (await stage.bot.fetch_guild(stage.guild.id)).fetch_member(stage.ana.id)
    await user.send("Your daily quiz")
    assert stage.ana.dm.last.text == "Your daily quiz"
    stage.ana.close_dm()
    with pytest.raises(discord.Forbidden) as caught:
        await user.send("Again")
    assert caught.value.code == 50007
    stage.guild.leave(stage.ana)
    with pytest.raises(discord.NotFound):
        await (await stage.bot.fetch_guild(stage.guild.id)).fetch_member(stage.ana.id)


async def test_commands_of_one_server_keep_their_ids(stage: Stage):
    assert stage.bot.application_id is not None
    where = stage.bot.application_id, stage.guild.id
    names: Any = [{"name": "here", "description": "x", "name_localizations": {"fr": "ici"}}]
    first = await stage.bot.http.bulk_upsert_guild_commands(*where, names)
    again = await stage.bot.http.bulk_upsert_guild_commands(*where, names)
    assert first[0]["id"] == again[0]["id"]
    known = await stage.bot.http.get_guild_commands(*where)
    assert [command["name"] for command in known] == ["here"]
    async with by_hand(stage.world) as session:
        plain = await session.get(f"applications/{where[0]}/guilds/{where[1]}/commands")
        assert "name_localizations" not in (await plain.json())[0]


async def test_an_edit_that_leaves_nothing_is_refused(stage: Stage):
    sent = await question(stage)
    with pytest.raises(discord.HTTPException) as caught:
        await sent.edit(content=None, view=None)
    assert caught.value.code == 50006
    assert stage.channel.last.text == "What is the bubble?"


async def test_an_archived_thread_is_not_edited(stage: Stage):
    thread = stage.channel.thread("Quiz")
    place = stage.bot.get_partial_messageable(thread.id)
    sent = await place.send("In it")
    thread.archive(locked=True)
    for refused in (sent.edit(content="x"), place.send("x")):
        with pytest.raises(discord.HTTPException) as caught:
            await refused
        assert caught.value.code == 50083
