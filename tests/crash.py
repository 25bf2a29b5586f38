"""quizbot on Discord is killed again and again while people press, and loses nothing.

    python tests/crash.py [KILLS]

The program is real, and so are discord.py, the sockets and the SQLite file; Discord is a stand-in.
Afterwards every press whose person was told of it is in the database, once, as they were told.
Exits with 1 where one is not.
"""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path

from child_process import Process
from discord_process import started
from sqlalchemy import NullPool, create_engine
from stand_in_discord import StandInDiscord
from stand_in_discord_channels import Channel
from stand_in_discord_messages import Message
from stand_in_discord_people import Person

from bot import tokens
from bot.store import totals

KILLS = 20
PEOPLE, CHANNELS = 24, 4
UNDER_LOAD = 0.3, 1.2  # seconds from the first answer to a kill
SUBJECTS = ("SSH", "SMTP", "DNS", "HTTP", "NTP", "LDAP")

_BANK = """\
schema: quizbot/1
language: en
title: Ports
questions:
"""
_QUESTION = """\
  - id: {id}
    text: On which port does a server of {name} listen?
    options: {{a: Port 22, b: Port 53, c: Port 80}}
    correct: a
    explain: It is so.
"""
_JUDGED = {"Right": True, "Not this time": False}
_BEFORE = "You already answered"
_NOT_TAKEN = ("This question closed", "This button is too old", "The database", "This quiz is over")

Say = Callable[[str], None]
Key = tuple[int, int]  # a person's id on Discord, and a step


@dataclass
class Found:
    """What people were told, and what is wrong with that."""

    kills: int = 0
    presses: int = 0
    unanswered: int = 0
    across: int = 0
    """Answers that were taken by a button from before the last kill."""

    told: dict[Key, str] = field(default_factory=dict)
    """The option under which somebody's answer stands, as far as they know."""

    points: dict[Key, int] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def summary(self) -> str:
        state = "nothing lost or doubled" if not self.faults else f"{len(self.faults)} FAULTS"
        return (
            f"{self.kills} kills, {self.presses} presses ({self.unanswered} heard nothing), "
            f"{len(self.told)} answers acknowledged ({self.across} by a button from before a "
            f"kill): {state}"
        )


class Crowd:
    """People who press on whatever stands open, and an organiser who leads."""

    def __init__(self, world: StandInDiscord, chance: random.Random) -> None:
        self.found = Found()
        self._world = world
        self._chance = chance
        guild = world.guild("Study group")
        self._host = guild.member("Host", organiser=True)
        self._people = [guild.member(f"Person {number}") for number in range(PEOPLE)]
        self.channels = [guild.channel(f"room-{number}") for number in range(CHANNELS)]
        self._presses: dict[Key, set[str]] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._last_kill = 0

    def remember_kill(self) -> None:
        self.found.kills += 1
        self._last_kill = self._world.new_id()

    async def begin(self) -> None:
        jobs = [self._press_on(person) for person in self._people]
        jobs += [self._lead(channel) for channel in self.channels]
        self._tasks = [asyncio.create_task(job) for job in jobs]

    async def end(self) -> None:
        for task in self._tasks:
            task.cancel()
        for came in await asyncio.gather(*self._tasks, return_exceptions=True):
            if isinstance(came, Exception):
                self.found.faults.append(f"somebody gave up: {came!r}")

    async def answered(self, more: int) -> None:
        """Until so many more answers were acknowledged: it is up, and rounds go on."""
        wanted = len(self.found.told) + more
        await self._world.until(lambda: len(self.found.told) >= wanted, 60)

    async def _press_on(self, person: Person) -> None:
        while True:
            await asyncio.sleep(self._chance.uniform(0, 0.05))
            channel = self._chance.choice(self.channels)
            open_ = [message for message in channel.messages[-3:] if _answers(message)]
            if open_:
                await self._press(person, open_[-1])

    async def _press(self, person: Person, question: Message) -> None:
        token = self._chance.choice(_answers(question))
        choice = tokens.read(token)
        assert isinstance(choice, tokens.Answer)
        key = person.id, choice.step
        self._presses.setdefault(key, set()).add(choice.option)
        self.found.presses += 1
        seen = await person.press(question, token, forged=True)
        if seen.failed or not seen.messages or not seen.text:
            self.found.unanswered += 1
            return
        self._hear(key, choice.option, seen.text.replace("**", "").replace("\\", ""), question)

    def _hear(self, key: Key, option: str, text: str, question: Message) -> None:
        faults = self.found.faults
        began = next((begin for begin in _JUDGED if text.startswith(begin)), None)
        if began is not None:
            if key in self.found.told:
                faults.append(f"{key} was taken twice: {text!r}")
            if _JUDGED[began] != (option == "a"):
                faults.append(f"{key} chose {option} and was told {text!r}")
            self.found.told[key] = option
            self.found.across += question.id < self._last_kill
            if _JUDGED[began]:
                self.found.points[key] = 10 if text.startswith("Right, 10 points") else 0
        elif text.startswith(_BEFORE):
            letter = text.removeprefix(_BEFORE).strip()[0]
            stands = _option_of(question, letter)
            if stands is not None and stands != self.found.told.setdefault(key, stands):
                faults.append(f"{key} answered {self.found.told[key]} and was told {text!r}")
            if stands is not None and stands not in self._presses[key]:
                faults.append(f"{key} never pressed {stands}, and was told {text!r}")
        elif key in self.found.told or not text.startswith(_NOT_TAKEN):
            faults.append(f"{key} was told {text!r}")

    async def _lead(self, channel: Channel) -> None:
        """A question is closed and the next one asked as soon as people had time for it."""
        while True:
            await asyncio.sleep(self._chance.uniform(0.2, 0.6))
            message = next(iter(channel.messages[-1:]), None)
            answers = [] if message is None else _answers(message)
            if message is None or not (answers or _leads(message)):
                await self._host.slash(channel, "quiz", topic="ports", seconds="off")
            elif answers:
                step = tokens.read(answers[0])
                assert isinstance(step, tokens.Answer)
                closing = tokens.write(tokens.Next(step.step))
                await self._host.press(message, closing, forged=True)
            else:
                await self._host.press(message, _leads(message)[0], forged=True)


async def play(kills: int, folder: Path, say: Say, seed: int) -> Found:
    """Kill it so many times, then let it end by itself, and compare."""
    _write_bank(folder / "banks")
    chance = random.Random(seed)
    async with StandInDiscord(patience=3) as world:
        crowd = Crowd(world, chance)
        async with _up(world, folder):
            await world.until(lambda: world.commands[None], 60)
            await crowd.begin()
            await crowd.answered(1)
        for _ in range(kills):
            async with _up(world, folder) as process:
                await crowd.answered(PEOPLE)
                await asyncio.sleep(chance.uniform(*UNDER_LOAD))
                await process.kill()
            crowd.remember_kill()
            say(crowd.found.summary())
        async with _up(world, folder):
            await crowd.answered(PEOPLE)
            await crowd.end()
    _compare(folder / "quizbot.db", crowd.found)
    return crowd.found


@asynccontextmanager
async def _up(world: StandInDiscord, folder: Path) -> AsyncIterator[Process]:
    async with started(world, folder, QUIZBOT_BANKS="banks") as process:
        await world.until(lambda: world.gateway.connected, 60)
        yield process


def _answers(message: Message) -> list[str]:
    """The custom ids of the buttons that answer."""
    ids = [button.get("custom_id", "") for button in message.buttons]
    return [id for id in ids if isinstance(tokens.read(id), tokens.Answer)]


def _leads(message: Message) -> list[str]:
    """Of the button that goes on after the answer."""
    ids = [button.get("custom_id", "") for button in message.buttons]
    return [id for id in ids if isinstance(tokens.read(id), tokens.GoOn)]


def _option_of(question: Message, letter: str) -> str | None:
    """The option behind a letter, as long as its button is there."""
    for button in question.buttons:
        choice = tokens.read(button.get("custom_id", ""))
        if isinstance(choice, tokens.Answer) and button["label"].startswith(letter):
            return choice.option
    return None


def _compare(file: Path, found: Found) -> None:
    with closing(sqlite3.connect(file)) as connection:
        rows = connection.execute(
            "SELECT persons.external_id, attempts.step_id, attempts.answer, attempts.counts,"
            " marks.points FROM attempts"
            " JOIN marks USING (step_id, player_id)"
            " JOIN players ON players.id = attempts.player_id"
            " JOIN persons ON persons.id = players.person_id"
        ).fetchall()
        alone = connection.execute("SELECT count(*) FROM attempts").fetchone()[0]
        intact = connection.execute("PRAGMA integrity_check").fetchone()[0]
        twice = connection.execute(
            "SELECT count(*) FROM (SELECT 1 FROM attempts WHERE counts IS NOT NULL"
            " GROUP BY player_id, question_id, counts HAVING count(*) > 1)"
        ).fetchone()[0]
    stored = {(int(row[0]), row[1]): row for row in rows}
    if intact != "ok":
        found.faults.append(f"the database is not intact: {intact}")
    if twice or len(stored) != len(rows) or len(rows) != alone:
        found.faults.append(f"answers are stored twice: {alone}, {len(rows)}, {len(stored)}")
    for key, option in found.told.items():
        row = stored.get(key)
        if row is None:
            found.faults.append(f"{key} was told of an answer that is not there")
        elif json.loads(row[2]) != {"options": [option]}:
            found.faults.append(f"{key} was told {option}, and {row[2]} is there")
        elif key in found.points and found.points[key] != row[4]:
            found.faults.append(f"{key} was told {found.points[key]} points, and has {row[4]}")
    engine = create_engine(f"sqlite:///{file}", poolclass=NullPool)
    with engine.connect() as reading:
        if not totals.is_consistent(reading):
            found.faults.append("the totals are not what the answers come to")


def _write_bank(folder: Path) -> None:
    questions = "".join(_QUESTION.format(id=name.lower(), name=name) for name in SUBJECTS)
    (folder / "ports").mkdir(parents=True)
    (folder / "ports" / "bank.yaml").write_text(_BANK + questions, encoding="utf-8")


def main(kills: int) -> int:
    def say(line: str) -> None:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()

    with tempfile.TemporaryDirectory() as folder:
        seed = random.SystemRandom().getrandbits(32)
        found = asyncio.run(play(kills, Path(folder), say, seed))
    for fault in found.faults:
        say(fault)
    say(found.summary())
    return 1 if found.faults else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else KILLS))
