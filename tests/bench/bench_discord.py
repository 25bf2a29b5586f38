"""Presses through the whole of Discord: quizbot beside a bare discord.py."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from bench_banks import write_banks
from bench_bare_discord import REPLIES
from bench_race import PEOPLE, QUESTIONS, Contestant, Press, Progress, ask_all
from child_process import HERE, Process
from discord_process import QUIZBOT, started
from stand_in_discord import StandInDiscord
from stand_in_discord_channels import Channel
from stand_in_discord_guilds import Guild
from stand_in_discord_messages import Message
from stand_in_discord_people import Person
from stand_in_discord_sending import post

BARE = HERE / "bench" / "bench_bare_discord.py"


class OnDiscord(Contestant[Person, Message]):
    def __init__(self, world: StandInDiscord, process: Process, guild: Guild) -> None:
        people = [
            guild.member(f"Person {number}", locale=("en-US", "fr")[number % 2])
            for number in range(PEOPLE)
        ]
        super().__init__(process, people)
        self.world = world
        self.guild = guild

    async def press(self, person: Person, question: Message, which: int) -> Press:
        answers = question.buttons[:4]
        began = time.perf_counter()
        seen = await person.press(question, answers[which % len(answers)]["custom_id"])
        # The reply is the acknowledgement.
        took = time.perf_counter() - began
        return Press(took, took, seen.failed is not None)

    def told(self) -> list[Any]:
        told = [one.callback or {} for one in self.world.interactions.values()]
        data = [callback.get("data") or {} for callback in told]
        return [one["components"] for one in data if "components" in one]

    def forget(self) -> None:
        world = self.world
        world.rest.requests.clear()
        world.interactions.clear()
        for person in self.people:
            person.sees.clear()
        standing = {id for channel in world.channels.values() for id in _ids(channel)}
        for id in world.messages.keys() - standing:
            del world.messages[id]


@asynccontextmanager
async def quizbot(folder: Path, say: Progress) -> AsyncIterator[OnDiscord]:
    write_banks(folder / "banks", QUESTIONS)
    async with _contestant(folder, QUIZBOT, QUIZBOT_BANKS="banks") as made:
        await made.world.until(lambda: made.world.commands[None], 60)
        host = made.guild.member("Host", organiser=True)

        async def ask(topic: str, number: int) -> None:
            channel = made.guild.channel(f"room-{number}")
            # Who hears nothing in time on a busy machine has their quiz all the same.
            await host.slash(channel, "quiz", topic=topic, count=1, seconds="off")
            await made.world.until(partial(_asked, channel), 60)
            made.questions.append(_asked(channel)[0])

        await ask_all(ask, say)
        yield made


@asynccontextmanager
async def bare(folder: Path, like: OnDiscord) -> AsyncIterator[OnDiscord]:
    (folder / REPLIES).write_text(json.dumps(like.replies), encoding="utf-8")
    async with _contestant(folder, BARE) as made:
        for number, question in enumerate(like.questions):
            channel = made.guild.channel(f"room-{number}")
            message = Message(made.world.new_id(), channel, made.world.bot)
            message.change(question.history[0].payload, {})
            post(message)
            made.questions.append(message)
        yield made


@asynccontextmanager
async def _contestant(folder: Path, script: Path, **settings: str) -> AsyncIterator[OnDiscord]:
    world = StandInDiscord(patience=10)
    # Checking what is sent against the description would cost more than all that is measured.
    world.description = world.rest.description = None
    async with world:
        # As it connects, the bot is told of it: what it is not told of, it has been removed from.
        guild = world.guild("Study group")
        async with started(world, folder, script, **settings) as process:
            await world.until(lambda: world.gateway.connected, 60)
            yield OnDiscord(world, process, guild)


def _asked(channel: Channel) -> list[Message]:
    return [message for message in channel.messages if len(message.buttons) >= 4]


def _ids(channel: Channel) -> list[int]:
    return [message.id for message in channel.every_message]
