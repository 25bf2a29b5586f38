"""A crowd on a stand-in Slack, where some presses are delivered twice or acknowledged in vain.

What an envelope is acknowledged with says nothing to the person who pressed: they know of their
answer when its verdict has come to the reply's address, whatever became of the acknowledgement.
"""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from child_process import Process
from crash_crowd import CHANNELS, PEOPLE, Crowd
from slack_process import started
from stand_in_slack import StandInSlack
from stand_in_slack_channels import Channel
from stand_in_slack_messages import Message
from stand_in_slack_people import Person

from bot import tokens

TWICE, IN_VAIN = 0.05, 0.01


@asynccontextmanager
async def on_slack(chance: random.Random) -> AsyncIterator[OnSlack]:
    async with StandInSlack(patience=3) as world:
        yield OnSlack(world, chance)


class OnSlack(Crowd[Person, Channel, Message]):
    def __init__(self, world: StandInSlack, chance: random.Random) -> None:
        self._world = world
        self._workspace = world.workspace("Study group")
        host = self._workspace.person("Host", admin=True)
        people = [self._workspace.person(f"Person {number}") for number in range(PEOPLE)]
        channels = [self._workspace.channel(f"room-{number}") for number in range(CHANNELS)]
        super().__init__(chance, host, people, channels)

    @asynccontextmanager
    async def up(self, folder: Path) -> AsyncIterator[Process]:
        database = f"sqlite:///{folder / 'quizbot.db'}"
        async with started(
            self._world,
            self._workspace,
            folder,
            QUIZBOT_BANKS="banks",
            QUIZBOT_DATABASE_URL=database,
        ) as process:
            await self._world.until(lambda: self._world.sockets.connected, 60)
            yield process

    async def until(self, condition: Callable[[], object], seconds: float) -> None:
        await self._world.until(condition, seconds)

    def new_number(self) -> int:
        return self._world.new_number()

    def number(self, message: Message) -> int:
        return message.number

    def id(self, person: Person) -> str:
        return f"{self._workspace.id}:{person.id}"

    def newest(self, channel: Channel) -> Sequence[Message]:
        return channel.messages

    def buttons(self, message: Message) -> Mapping[str, str]:
        return {one["action_id"]: one["text"]["text"] for one in message.buttons}

    async def ask(self, host: Person, channel: Channel) -> None:
        await host.types("/quiz ports off", channel)

    async def press(self, person: Person, message: Message, token: str) -> str:
        sockets, chance = self._world.sockets, self.chance.random()
        sockets.duplicates += chance < TWICE
        sockets.deaf += 1 - chance < IN_VAIN
        seen = person.begins_to_press(message, token, forged=True)
        if not isinstance(tokens.read(token), tokens.Answer):
            await seen.settle()
            return ""
        # Not whatever comes meanwhile: that may be the late verdict of a press before.
        await seen.until(lambda: seen.url.messages)
        told = [one.text for one in seen.url.messages if one.is_private]
        return told[0] if told else ""
