"""The stand-in Discord, with a small bot of real discord.py: it answers as Discord does."""

from __future__ import annotations

import asyncio
import contextlib
import io
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta
from typing import Any

import aiohttp
import discord
import pytest
import stand_in_discord_description as description
from clock import StandingClock
from discord import app_commands
from stand_in_discord import StandInDiscord
from stand_in_discord_channels import Channel
from stand_in_discord_guilds import Guild
from stand_in_discord_permissions import Permission

CALLBACKS = "POST /interactions/..."
QUIET = {"content": "x", "allowed_mentions": {"parse": []}}
Handle = Callable[[discord.Interaction], Awaitable[Any]]


class Bot(discord.AutoShardedClient):
    """It hands every interaction to what the test wants done with it."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True, guild_messages=True),
            allowed_mentions=discord.AllowedMentions.none(),
            guild_ready_timeout=0.01,
            **options,
        )
        self.on: dict[str, Handle] = {}
        self.seen: list[discord.Interaction] = []
        self.errors: list[discord.HTTPException] = []
        self.told: list[str] = []

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """At once, where the library waits five seconds before it identifies again."""

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        self.seen.append(interaction)
        data: Any = interaction.data
        handle = self.on.get(data.get("name") or data.get("custom_id"))
        if handle is not None:
            try:
                await handle(interaction)
            except discord.HTTPException as error:
                self.errors.append(error)

    async def on_socket_event_type(self, event: str) -> None:
        self.told.append(event)


@contextlib.asynccontextmanager
async def running(world: StandInDiscord, **options: Any) -> AsyncIterator[Bot]:
    bot = Bot(**options)
    async with bot:
        task = asyncio.create_task(bot.start(world.token))
        await asyncio.wait(
            [task, asyncio.ensure_future(bot.wait_for("ready"))],
            return_when=asyncio.FIRST_COMPLETED,
        )
        if task.done():
            await task
        yield bot
        await bot.close()
        await task


class Stage:
    """A server with a channel, somebody in it, and the bot."""

    def __init__(self, world: StandInDiscord, guild: Guild, channel: Channel, bot: Bot) -> None:
        self.world = world
        self.guild = guild
        self.channel = channel
        self.bot = bot
        self.ana = guild.member("Ana", locale="fr")

    async def sync(self, commands: list[dict[str, Any]]) -> None:
        assert self.bot.application_id is not None
        payload: Any = commands
        await self.bot.http.bulk_upsert_global_commands(self.bot.application_id, payload)


def options(interaction: discord.Interaction) -> dict[str, Any]:
    data: Any = interaction.data
    return {option["name"]: option["value"] for option in data["options"]}


COMMANDS: list[dict[str, Any]] = [
    {
        "name": "quiz",
        "description": "Start a quiz",
        "name_localizations": {"fr": "quiz"},
        "integration_types": [0, 1],
        "contexts": [0, 1, 2],
        "options": [
            {
                "type": 3,
                "name": "topic",
                "description": "Which",
                "required": True,
                "autocomplete": True,
            },
            {"type": 4, "name": "count", "description": "How many", "min_value": 1},
        ],
    },
    {
        "name": "settings",
        "description": "For organisers",
        "default_member_permissions": int(Permission.MANAGE_GUILD),
        "contexts": [0],
    },
]


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async with StandInDiscord() as world:
        guild = world.guild("Study group", locale="fr")
        channel = guild.channel("general")
        async with running(world) as bot:
            stage = Stage(world, guild, channel, bot)
            await stage.sync(COMMANDS)
            yield stage


def buttons(*labels: str, style: discord.ButtonStyle = discord.ButtonStyle.primary) -> Any:
    view = discord.ui.View(timeout=None)
    for number, label in enumerate(labels):
        view.add_item(discord.ui.Button(label=label, custom_id=f"b{number}", style=style))
    view.stop()
    return view


async def question(stage: Stage, *labels: str) -> discord.Message:
    channel = stage.bot.get_partial_messageable(stage.channel.id)
    return await channel.send("What is the bubble?", view=buttons(*labels or ("A", "B")))


def by_hand(world: StandInDiscord) -> aiohttp.ClientSession:
    """Requests as the bot, but without the library that would wait and mend."""
    headers = {"Authorization": f"Bot {world.token}"}
    return aiohttp.ClientSession(world.base + "/", headers=headers)


def path(channel: Channel) -> str:
    return f"channels/{channel.id}/messages"


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


async def test_what_is_not_answered_in_three_seconds_failed():
    clock = StandingClock()
    async with StandInDiscord(now=clock.now) as world:
        guild = world.guild("Study group")
        channel = guild.channel()
        async with running(world) as bot:
            stage = Stage(world, guild, channel, bot)
            await question(stage)
            arrived, go = asyncio.Event(), asyncio.Event()

            async def slowly(interaction: discord.Interaction) -> None:
                arrived.set()
                await go.wait()
                await interaction.response.send_message("Late")

            bot.on["b0"] = slowly
            pressing = asyncio.create_task(stage.ana.press(channel.last, "b0"))
            await arrived.wait()
            clock.move_to(clock.now() + timedelta(seconds=3.1))
            world.time_passed()
            seen = await pressing
            assert seen.failed == "This interaction failed"
            go.set()
            await world.until(lambda: bot.errors)
            assert bot.errors[0].code == 10062


async def test_a_token_lives_fifteen_minutes():
    clock = StandingClock()
    async with StandInDiscord(now=clock.now) as world:
        guild = world.guild("Study group")
        channel = guild.channel()
        async with running(world) as bot:
            stage = Stage(world, guild, channel, bot)
            await question(stage)

            async def reply(interaction: discord.Interaction) -> None:
                await interaction.response.send_message("Right", ephemeral=True)
                clock.move_to(clock.now() + timedelta(minutes=15, seconds=1))
                await interaction.edit_original_response(content="Changed")

            bot.on["b0"] = reply
            await stage.ana.press(channel.last, "b0")
            await world.until(lambda: bot.errors)
            assert bot.errors[0].code == 50027


async def test_nobody_listens_and_the_person_is_told(stage: Stage):
    stage.world.patience = 0.05
    seen = await stage.ana.slash(stage.channel, "quiz", topic="x")
    assert seen.failed == "The application did not respond"


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
