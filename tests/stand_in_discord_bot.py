"""A small bot of real discord.py and a server for it, to try the stand-in Discord with."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import datetime
from typing import Any

import aiohttp
import discord
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


@contextlib.asynccontextmanager
async def staged(now: Callable[[], datetime] | None = None) -> AsyncIterator[Stage]:
    async with StandInDiscord(now=now) as world:
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
