"""A crowd on a stand-in Discord."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from child_process import Process
from crash_crowd import CHANNELS, PEOPLE, Crowd
from discord_process import started
from stand_in_discord import StandInDiscord
from stand_in_discord_channels import Channel
from stand_in_discord_messages import Message
from stand_in_discord_people import Person


@asynccontextmanager
async def on_discord(chance: random.Random) -> AsyncIterator[OnDiscord]:
    async with StandInDiscord(patience=3) as world:
        yield OnDiscord(world, chance)


class OnDiscord(Crowd[Person, Channel, Message]):
    def __init__(self, world: StandInDiscord, chance: random.Random) -> None:
        self._world = world
        guild = world.guild("Study group")
        host = guild.member("Host", organiser=True)
        people = [guild.member(f"Person {number}") for number in range(PEOPLE)]
        channels = [guild.channel(f"room-{number}") for number in range(CHANNELS)]
        super().__init__(chance, host, people, channels)

    @asynccontextmanager
    async def up(self, folder: Path) -> AsyncIterator[Process]:
        async with started(self._world, folder, QUIZBOT_BANKS="banks") as process:
            await self._world.until(
                lambda: self._world.gateway.connected and self._world.commands[None], 60
            )
            yield process

    async def until(self, condition: Callable[[], object], seconds: float) -> None:
        await self._world.until(condition, seconds)

    def new_number(self) -> int:
        return self._world.new_id()

    def number(self, message: Message) -> int:
        return message.id

    def id(self, person: Person) -> str:
        return str(person.id)

    def newest(self, channel: Channel) -> Sequence[Message]:
        return channel.messages

    def buttons(self, message: Message) -> Mapping[str, str]:
        return {one.get("custom_id", ""): one.get("label", "") for one in message.buttons}

    async def ask(self, host: Person, channel: Channel) -> None:
        await host.slash(channel, "quiz", topic="ports", seconds="off")

    async def press(self, person: Person, message: Message, token: str) -> str:
        seen = await person.press(message, token, forged=True)
        if seen.failed or not seen.messages:
            return ""
        return seen.text.replace("**", "").replace("\\", "")
