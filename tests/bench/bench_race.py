"""A race of presses: quizbot and a bare bot on the same platform, each a process, in turns.

The stand-in and the people who press are in this process, so that they share no interpreter with
either bot. The two take turns, so that what else the machine does hits both.
"""

from __future__ import annotations

import asyncio
import gc
import sqlite3
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from bench_banks import name
from bench_figures import percentile
from child_process import Process

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
Person = TypeVar("Person")
Question = TypeVar("Question")


@dataclass(frozen=True)
class Press:
    """What one press came to: the seconds until it was acknowledged, and until it was told."""

    acknowledged: float
    told: float
    failed: bool


@dataclass
class Turn:
    """One block of presses."""

    presses: list[Press]
    seconds: float
    cpu_ms: float
    """Of the bot, a press."""

    cpu_ms_with_counts: float
    """The same, with what the bot did for them afterwards."""

    cpu_ms_stand_in: float
    memory: float

    @property
    def per_second(self) -> float:
        return len(self.presses) / self.seconds

    @property
    def failed(self) -> int:
        return sum(press.failed for press in self.presses)

    def told_ms(self, percent: float) -> float:
        return 1000 * percentile([press.told for press in self.presses], percent)

    def acknowledged_ms(self, percent: float) -> float:
        return 1000 * percentile([press.acknowledged for press in self.presses], percent)


class Contestant(ABC, Generic[Person, Question]):
    """A bot, its world, and a hundred people before open questions."""

    def __init__(self, process: Process, people: list[Person]) -> None:
        self.process = process
        self.people = people
        self.questions: list[Question] = []
        self.replies: list[Any] = []
        """What people were told while it warmed up, as it was sent."""
        self.turns: list[Turn] = []
        self.paced: list[Turn] = []
        self._used = 0
        self._presses: list[Press] = []

    @abstractmethod
    async def press(self, person: Person, question: Question, which: int) -> Press:
        """One of the answers, by its number."""

    @abstractmethod
    def told(self) -> list[Any]:
        """What people were told since it was forgotten last, as it was sent."""

    @abstractmethod
    def forget(self) -> None:
        """What the stand-in keeps for tests, and would drag along here."""

    async def warm_up(self) -> None:
        for _ in range(WARM_UP):
            await self._rush(self._take(1))
        self.replies = self.told()
        self._forget()

    async def rush(self) -> None:
        """A hundred outstanding: who has an answer presses on the next question."""
        self.turns.append(await self._measured(self._rush, self._take(IN_A_BLOCK)))

    async def walk(self) -> None:
        """At a fixed rate, whatever the bot does."""
        self.paced.append(await self._measured(self._walk, self._take(IN_A_PACED_BLOCK)))

    def _take(self, count: int) -> list[Question]:
        self._used += count
        return self.questions[self._used - count : self._used]

    async def _measured(
        self, press: Callable[[list[Question]], Awaitable[None]], questions: list[Question]
    ) -> Turn:
        self._presses = []
        before, own = await self.process.used(), time.process_time()
        began = time.perf_counter()
        await press(questions)
        seconds, own = time.perf_counter() - began, time.process_time() - own
        after = await self.process.used()
        await asyncio.sleep(AFTERWARDS)
        later = await self.process.used()
        self._forget()
        presses = len(self._presses)
        return Turn(
            presses=self._presses,
            seconds=seconds,
            cpu_ms=1000 * (after.cpu - before.cpu) / presses,
            cpu_ms_with_counts=1000 * (later.cpu - before.cpu) / presses,
            cpu_ms_stand_in=1000 * own / presses,
            memory=later.memory,
        )

    async def _rush(self, questions: list[Question]) -> None:
        async def press_all(at: int, person: Person) -> None:
            for question in questions:
                await self._press(person, question, at)

        await asyncio.gather(*(press_all(at, who) for at, who in enumerate(self.people)))

    async def _walk(self, questions: list[Question]) -> None:
        loop, pressing = asyncio.get_running_loop(), []
        began, number = loop.time(), 0
        for question in questions:
            for at, person in enumerate(self.people):
                await asyncio.sleep(began + number / RATE - loop.time())
                pressing.append(asyncio.create_task(self._press(person, question, at)))
                number += 1
        await asyncio.gather(*pressing)

    async def _press(self, person: Person, question: Question, which: int) -> None:
        self._presses.append(await self.press(person, question, which))

    def _forget(self) -> None:
        self.forget()
        gc.collect()


AnyContestant = Contestant[Any, Any]


@dataclass
class Race:
    quizbot: AnyContestant
    bare: AnyContestant


Enters = Callable[[Path, Progress], AbstractAsyncContextManager[AnyContestant]]
"""quizbot, up with its questions asked, until the block ends."""

EntersBare = Callable[[Path, Any], AbstractAsyncContextManager[AnyContestant]]
"""A bare bot with questions and replies like those of quizbot."""


async def race(folder: Path, quizbot: Enters, bare: EntersBare, say: Progress) -> Race:
    """All turns of both; a turn of one is followed by a turn of the other."""
    async with AsyncExitStack() as stack:
        ours_in, theirs_in = folder / "ours", folder / "theirs"
        ours_in.mkdir()
        theirs_in.mkdir()
        ours = await stack.enter_async_context(_counted(quizbot(ours_in, say), ours_in))
        theirs = await stack.enter_async_context(bare(theirs_in, ours))
        await theirs.warm_up()
        stack.callback(gc.enable)
        stack.callback(gc.unfreeze)
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


async def ask_all(ask: Callable[[str, int], Awaitable[None]], say: Progress) -> None:
    """Let a host ask each of the questions, by the topic of its quiz and its number."""
    for number in range(QUESTIONS):
        if number % 20 == 0:
            say(f"{number} of {QUESTIONS} questions are asked")
        await ask(name(number), number)


@asynccontextmanager
async def _counted(
    entered: AbstractAsyncContextManager[AnyContestant], folder: Path
) -> AsyncIterator[AnyContestant]:
    """Warmed up; once it has ended, every press has to be in its database.

    Who is told that they came too late is told less, and nothing is stored.
    """
    async with entered as made:
        await made.warm_up()
        yield made
        turns = (*made.turns, *made.paced)
        presses = PEOPLE * WARM_UP + sum(len(turn.presses) for turn in turns)
    with closing(sqlite3.connect(folder / "quizbot.db")) as connection:
        stored = connection.execute("SELECT count(*) FROM attempts").fetchone()[0]
    assert stored == presses, f"{stored} of {presses} answers were stored"
