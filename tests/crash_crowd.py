"""People who press on whatever stands open while quizbot is killed, and what they were told."""

from __future__ import annotations

import asyncio
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

from child_process import Process

from bot import tokens

PEOPLE, CHANNELS = 24, 4

_JUDGED = {"Right": True, "Not this time": False}
_BEFORE = "You already answered"
_NOT_TAKEN = (
    "This question closed",
    "This button is too old",
    "What I have stored is out of reach",
    "This quiz is over",
)

Key = tuple[str, int]  # a person's id as it is stored, and a step
Person = TypeVar("Person")
Channel = TypeVar("Channel")
Message = TypeVar("Message")


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


class Crowd(ABC, Generic[Person, Channel, Message]):
    """Players, and a host who leads; what they do on a platform is told by what stands on this."""

    def __init__(
        self,
        chance: random.Random,
        host: Person,
        people: Sequence[Person],
        channels: Sequence[Channel],
    ) -> None:
        self.found = Found()
        self.chance = chance
        self._host = host
        self._people = people
        self._channels = channels
        self._presses: dict[Key, set[str]] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._last_kill = 0

    # --- the platform --------------------------------------------------------------------

    @abstractmethod
    def up(self, folder: Path) -> AbstractAsyncContextManager[Process]:
        """quizbot with its data in that folder, connected; killed at the end of the block."""

    @abstractmethod
    async def until(self, condition: Callable[[], object], seconds: float) -> None:
        """Wait until something is so."""

    @abstractmethod
    def new_number(self) -> int:
        """Higher than that of every message so far."""

    @abstractmethod
    def number(self, message: Message) -> int: ...

    @abstractmethod
    def id(self, person: Person) -> str:
        """As quizbot stores it."""

    @abstractmethod
    def newest(self, channel: Channel) -> Sequence[Message]:
        """The newest messages of a channel, the oldest of them first."""

    @abstractmethod
    def buttons(self, message: Message) -> Mapping[str, str]:
        """The labels of the buttons, by their tokens."""

    @abstractmethod
    async def ask(self, host: Person, channel: Channel) -> None:
        """Have a quiz begin there."""

    @abstractmethod
    async def press(self, person: Person, message: Message, token: str) -> str:
        """Press a button, also one that is gone by now; what is told for it, if anything is."""

    # --- what they do --------------------------------------------------------------------

    def remember_kill(self) -> None:
        self.found.kills += 1
        self._last_kill = self.new_number()

    async def begin(self) -> None:
        jobs = [self._press_on(person) for person in self._people]
        jobs += [self._lead(channel) for channel in self._channels]
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
        await self.until(lambda: len(self.found.told) >= wanted, 60)

    async def _press_on(self, person: Person) -> None:
        while True:
            await asyncio.sleep(self.chance.uniform(0, 0.05))
            channel = self.chance.choice(self._channels)
            open_ = [message for message in self.newest(channel)[-3:] if self._answers(message)]
            if open_ and not await self._answer(person, open_[-1]):
                # Who sees that it failed takes a moment.
                await asyncio.sleep(self.chance.uniform(0.3, 0.8))

    async def _answer(self, person: Person, question: Message) -> bool:
        """Whether anything was told."""
        token = self.chance.choice(self._answers(question))
        choice = tokens.read(token)
        assert isinstance(choice, tokens.Answer)
        key = self.id(person), choice.step
        self._presses.setdefault(key, set()).add(choice.option)
        self.found.presses += 1
        text = await self.press(person, question, token)
        if text:
            self._hear(key, choice.option, text, question)
        else:
            self.found.unanswered += 1
        return bool(text)

    def _hear(self, key: Key, option: str, text: str, question: Message) -> None:
        faults = self.found.faults
        began = next((begin for begin in _JUDGED if text.startswith(begin)), None)
        if began is not None:
            if key in self.found.told:
                faults.append(f"{key} was taken twice: {text!r}")
            if _JUDGED[began] != (option == "a"):
                faults.append(f"{key} chose {option} and was told {text!r}")
            self.found.told[key] = option
            self.found.across += self.number(question) < self._last_kill
            if _JUDGED[began]:
                self.found.points[key] = 10 if text.startswith("Right, 10 points") else 0
        elif text.startswith(_BEFORE):
            letter = text.removeprefix(_BEFORE).strip()[0]
            stands = self._option_of(question, letter)
            if stands is not None and stands != self.found.told.setdefault(key, stands):
                faults.append(f"{key} answered {self.found.told[key]} and was told {text!r}")
            if stands is not None and stands not in self._presses[key]:
                faults.append(f"{key} never pressed {stands}, and was told {text!r}")
        elif key in self.found.told or not text.startswith(_NOT_TAKEN):
            faults.append(f"{key} was told {text!r}")

    async def _lead(self, channel: Channel) -> None:
        """A question is closed and the next one asked as soon as people had time for it."""
        while True:
            await asyncio.sleep(self.chance.uniform(0.2, 0.6))
            message = next(iter(self.newest(channel)[-1:]), None)
            answers = [] if message is None else self._answers(message)
            leads = [] if message is None else self._leads(message)
            if message is None or not (answers or leads):
                await self.ask(self._host, channel)
            elif answers:
                step = tokens.read(answers[0])
                assert isinstance(step, tokens.Answer)
                await self.press(self._host, message, tokens.write(tokens.Next(step.step)))
            else:
                await self.press(self._host, message, leads[0])

    def _answers(self, message: Message) -> list[str]:
        """The tokens of the buttons that answer."""
        found = self.buttons(message)
        return [token for token in found if isinstance(tokens.read(token), tokens.Answer)]

    def _leads(self, message: Message) -> list[str]:
        """Of the button that goes on after the answer."""
        found = self.buttons(message)
        return [token for token in found if isinstance(tokens.read(token), tokens.GoOn)]

    def _option_of(self, question: Message, letter: str) -> str | None:
        """The option behind a letter, as long as its button is there."""
        for token, label in self.buttons(question).items():
            choice = tokens.read(token)
            if isinstance(choice, tokens.Answer) and label.startswith(letter):
                return choice.option
        return None
