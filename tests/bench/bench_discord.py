"""Presses through the whole of Discord: quizbot beside a bare discord.py, each a process.

The stand-in Discord and the people who press are in this process, so that they share no
interpreter with either bot. The two take turns, so that what else the machine does hits both.
"""

from __future__ import annotations

import asyncio
import gc
import json
import sqlite3
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from bench_banks import name, write_banks
from bench_bare import REPLIES
from bench_figures import percentile
from child_process import HERE, Process
from discord_process import QUIZBOT, started
from stand_in_discord import StandInDiscord
from stand_in_discord_channels import Channel
from stand_in_discord_guilds import Guild
from stand_in_discord_messages import Message
from stand_in_discord_people import Person
from stand_in_discord_sending import post

BARE = HERE / "bench" / "bench_bare.py"

PEOPLE = 100
TURNS = 5
IN_A_BLOCK = 10  # questions that everybody answers in one turn
WARM_UP = 3
RATE = 100  # presses a second
PACED_TURNS = 2
IN_A_PACED_BLOCK = 5
AFTERWARDS = 2.5  # seconds in which the counts on the questions are brought up to date
QUESTIONS = WARM_UP + TURNS * IN_A_BLOCK + PACED_TURNS * IN_A_PACED_BLOCK

Progress = Callable[[str], None]


@dataclass
class Turn:
    """One block of presses."""

    presses: int
    seconds: float
    cpu_ms: float
    """Of the bot, a press."""

    cpu_ms_with_counts: float
    """The same, with what the bot did for them afterwards."""

    cpu_ms_stand_in: float
    memory: float
    latencies: list[float]
    failed: int

    @property
    def per_second(self) -> float:
        return self.presses / self.seconds

    def latency_ms(self, percent: float) -> float:
        return 1000 * percentile(self.latencies, percent)


class Contestant:
    """A bot, its world, and a hundred people before open questions."""

    def __init__(self, world: StandInDiscord, process: Process, guild: Guild) -> None:
        self.world = world
        self.process = process
        self.guild = guild
        self.people = [
            self.guild.member(f"Person {number}", locale=("en-US", "fr")[number % 2])
            for number in range(PEOPLE)
        ]
        self.questions: list[Message] = []
        self.replies: list[Any] = []
        self.turns: list[Turn] = []
        self.paced: list[Turn] = []
        self._used = 0
        self._latencies: list[float] = []
        self._failed = 0

    async def warm_up(self) -> None:
        for _ in range(WARM_UP):
            await self._rush(self._take(1))
        told = [one.callback or {} for one in self.world.interactions.values()]
        data = [callback.get("data") or {} for callback in told]
        self.replies = [one["components"] for one in data if "components" in one]
        self._forget()

    async def rush(self) -> None:
        """A hundred outstanding: who has an answer presses on the next question."""
        self.turns.append(await self._measured(self._rush, self._take(IN_A_BLOCK)))

    async def walk(self) -> None:
        """At a fixed rate, whatever the bot does."""
        self.paced.append(await self._measured(self._walk, self._take(IN_A_PACED_BLOCK)))

    def _take(self, count: int) -> list[Message]:
        self._used += count
        return self.questions[self._used - count : self._used]

    async def _measured(self, press: Callable[..., Any], questions: list[Message]) -> Turn:
        self._latencies, self._failed = [], 0
        before, own = await self.process.used(), time.process_time()
        began = time.perf_counter()
        await press(questions)
        seconds, own = time.perf_counter() - began, time.process_time() - own
        after = await self.process.used()
        await asyncio.sleep(AFTERWARDS)
        later = await self.process.used()
        self._forget()
        presses = len(self._latencies)
        return Turn(
            presses=presses,
            seconds=seconds,
            cpu_ms=1000 * (after.cpu - before.cpu) / presses,
            cpu_ms_with_counts=1000 * (later.cpu - before.cpu) / presses,
            cpu_ms_stand_in=1000 * own / presses,
            memory=later.memory,
            latencies=self._latencies,
            failed=self._failed,
        )

    async def _rush(self, questions: list[Message]) -> None:
        async def press_all(at: int, person: Person) -> None:
            for question in questions:
                await self._press(person, question, at)

        await asyncio.gather(*(press_all(at, who) for at, who in enumerate(self.people)))

    async def _walk(self, questions: list[Message]) -> None:
        loop, pressing = asyncio.get_running_loop(), []
        began, number = loop.time(), 0
        for question in questions:
            for at, person in enumerate(self.people):
                await asyncio.sleep(began + number / RATE - loop.time())
                pressing.append(asyncio.create_task(self._press(person, question, at)))
                number += 1
        await asyncio.gather(*pressing)

    async def _press(self, person: Person, question: Message, which: int) -> None:
        answers = question.buttons[:4]
        began = time.perf_counter()
        seen = await person.press(question, answers[which % len(answers)]["custom_id"])
        self._latencies.append(time.perf_counter() - began)
        self._failed += seen.failed is not None

    def _forget(self) -> None:
        """What the stand-in keeps for tests, and would drag along here."""
        world = self.world
        world.rest.requests.clear()
        world.interactions.clear()
        for person in self.people:
            person.sees.clear()
        standing = {id for channel in world.channels.values() for id in _ids(channel)}
        for id in world.messages.keys() - standing:
            del world.messages[id]
        gc.collect()


@asynccontextmanager
async def quizbot(folder: Path, say: Progress) -> AsyncIterator[Contestant]:
    write_banks(folder / "banks", QUESTIONS)
    async with _contestant(folder, QUIZBOT, QUIZBOT_BANKS="banks") as made:
        await made.world.until(lambda: made.world.commands[None], 60)
        host = made.guild.member("Host", organiser=True)
        for number in range(QUESTIONS):
            channel = made.guild.channel(f"room-{number}")
            said = await host.slash(channel, "quiz", topic=name(number), count=1, seconds="off")
            assert said.failed is None, said.failed
            if number % 20 == 0:
                say(f"{number} of {QUESTIONS} questions are asked")
            await made.world.until(partial(_asked, channel), 60)
            made.questions.append(_asked(channel)[0])
        await made.warm_up()
        yield made
        presses = PEOPLE * WARM_UP + sum(turn.presses for turn in (*made.turns, *made.paced))
    # Who is told that they came too late is told less, and nothing is stored.
    with closing(sqlite3.connect(folder / "quizbot.db")) as connection:
        stored = connection.execute("SELECT count(*) FROM attempts").fetchone()[0]
    assert stored == presses, f"{stored} of {presses} answers were stored"


@asynccontextmanager
async def bare(folder: Path, like: Contestant) -> AsyncIterator[Contestant]:
    (folder / REPLIES).write_text(json.dumps(like.replies), encoding="utf-8")
    async with _contestant(folder, BARE) as made:
        for number, question in enumerate(like.questions):
            channel = made.guild.channel(f"room-{number}")
            message = Message(made.world.new_id(), channel, made.world.bot)
            message.change(question.history[0].payload, {})
            post(message)
            made.questions.append(message)
        await made.warm_up()
        yield made


@dataclass
class Race:
    quizbot: Contestant
    bare: Contestant


async def race(folder: Path, say: Progress) -> Race:
    """All turns of both; a turn of one is followed by a turn of the other."""
    async with AsyncExitStack() as stack:
        ours_in, theirs_in = folder / "ours", folder / "theirs"
        ours_in.mkdir()
        theirs_in.mkdir()
        ours = await stack.enter_async_context(quizbot(ours_in, say))
        theirs = await stack.enter_async_context(bare(theirs_in, ours))
        gc.collect()
        gc.freeze()
        gc.disable()
        for turn in range(TURNS):
            for one in (ours, theirs):
                await one.rush()
            say(f"turn {turn + 1} of {TURNS}, {PEOPLE} at a time")
        for turn in range(PACED_TURNS):
            for one in (ours, theirs):
                await one.walk()
            say(f"turn {turn + 1} of {PACED_TURNS}, {RATE} a second")
        return Race(ours, theirs)


@asynccontextmanager
async def _contestant(folder: Path, script: Path, **settings: str) -> AsyncIterator[Contestant]:
    world = StandInDiscord(patience=10)
    # Checking what is sent against the description would cost more than all that is measured.
    world.description = world.rest.description = None
    async with world:
        # As it connects, the bot is told of it: what it is not told of, it has been removed from.
        guild = world.guild("Study group")
        async with started(world, folder, script, **settings) as process:
            await world.until(lambda: world.gateway.connected, 60)
            yield Contestant(world, process, guild)


def _asked(channel: Channel) -> list[Message]:
    return [message for message in channel.messages if len(message.buttons) >= 4]


def _ids(channel: Channel) -> list[int]:
    return [message.id for message in channel.every_message]
