"""Conversations as scripts: who types or presses what, and what who then sees.

A script knows no surface. A `Stage` is one: it brings calls to the product and reads what came
of them, so that the same scripts run on every surface.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Protocol

import pytest
from clock import StandingClock

from bot.store.store import Store

at_the_core = pytest.mark.parametrize("stage", ["bare"], indirect=True)
"""For a story that the core decides alone: what surfaces show and send is told in others."""


@dataclass(frozen=True)
class Seen:
    """A message as somebody sees it: its words, its options by letter, its buttons by label.

    A button's value is whatever the stage needs to press it. `choices` are those of a select,
    by label. `form` is set where a form was opened, with its fields by name.
    """

    text: str
    options: Mapping[str, str] = field(default_factory=dict)
    buttons: Mapping[str, str] = field(default_factory=dict)
    choices: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    id: str = ""
    form: str = ""

    def says(self, *parts: str) -> None:
        """Every part stands in it, whatever kind of space is between its words."""
        for part in parts:
            assert part in self._spaced, f"{part!r} is not in:\n{self.text}"

    def does_not_say(self, *parts: str) -> None:
        for part in parts:
            assert part not in self._spaced, f"{part!r} is in:\n{self.text}"

    @property
    def _spaced(self) -> str:
        return self.text.replace("\u00a0", " ").replace("\u202f", " ")

    def offers(self, *labels: str) -> None:
        for label in labels:
            assert self.button(label) is not None, f"{label!r} is not among {list(self.buttons)}"

    def does_not_offer(self, *labels: str) -> None:
        for label in labels:
            assert self.button(label) is None, f"{label!r} is among {list(self.buttons)}"

    def button(self, label: str) -> str | None:
        """By its label, or by the letter that a label such as `A · 22` begins with."""
        for known, token in self.buttons.items():
            if known == label or known.startswith(f"{label} · "):
                return token
        return None

    def letter_of(self, option: str) -> str:
        found = [letter for letter, text in self.options.items() if text == option]
        assert found, f"{option!r} is not among {dict(self.options)}"
        return found[0]


class Stage(Protocol):
    """A surface with people on it."""

    name: str
    clock: StandingClock

    @property
    def store(self) -> Store:
        """What is kept, for what was there before a story begins."""
        ...

    async def type(self, person: Person, text: str) -> Seen: ...

    async def press(self, person: Person, message: Seen, token: str, private: bool) -> Seen: ...

    async def choose(self, person: Person, message: Seen, token: str, value: str) -> Seen: ...

    async def fill(self, person: Person, form: Seen, values: Mapping[str, str]) -> Seen: ...

    async def channel(self) -> list[Seen]:
        """What stands in the place, oldest first."""
        ...

    async def settle(self) -> None:
        """Until nothing is under way."""
        ...

    async def live_until(self, at: datetime) -> None:
        """Nobody will be told that the time until then was slept through."""
        ...

    async def restart(self, away: float = 0.0) -> None:
        """Stop, stay away for so many seconds, and start again on the same database."""
        ...


@dataclass
class Person:
    """Somebody on a stage. `told` is what they were told privately last."""

    stage: Stage
    name: str
    locale: str | None = None
    organiser: bool = False
    told: Seen = field(default_factory=lambda: Seen(""))

    async def types(self, text: str) -> Seen:
        await self.asks(text)
        await self.stage.settle()
        return self.told

    async def asks(self, text: str) -> Seen:
        """Types, and does not wait for what comes of it in the channel."""
        self.told = await self.stage.type(self, text)
        return self.told

    async def presses(self, label: str, on: Seen | None = None) -> Seen:
        """A button of a message; of the newest in the channel that has it, if none is named."""
        message = on or await self._newest_with(label)
        token = message.button(label)
        assert token is not None, f"no button {label!r} among {list(message.buttons)}"
        return await self._press(message, token, private=on is not None and on is self.told)

    async def presses_told(self, label: str) -> Seen:
        """A button of what they were told last."""
        token = self.told.button(label)
        assert token is not None, f"no button {label!r} among {list(self.told.buttons)}"
        return await self._press(self.told, token, private=True)

    async def answers(self, option: str, on: Seen | None = None) -> Seen:
        """Presses the letter of the option with these words."""
        message = on or await newest_question(self.stage)
        return await self.presses(message.letter_of(option), on=message)

    async def chooses(self, label: str) -> Seen:
        """A choice of a select in what they were told last."""
        token, value = self.told.choices[label]
        self.told = await self.stage.choose(self, self.told, token, value)
        await self.stage.settle()
        return self.told

    async def fills(self, **values: str) -> Seen:
        self.told = await self.stage.fill(self, self.told, values)
        await self.stage.settle()
        return self.told

    async def _press(self, message: Seen, token: str, *, private: bool) -> Seen:
        self.told = await self.stage.press(self, message, token, private)
        await self.stage.settle()
        return self.told

    async def _newest_with(self, label: str) -> Seen:
        for message in reversed(await self.stage.channel()):
            if message.button(label) is not None:
                return message
        raise AssertionError(f"no message in the channel has a button {label!r}")


async def newest_question(stage: Stage) -> Seen:
    for message in reversed(await stage.channel()):
        if message.options:
            return message
    raise AssertionError("no question stands open in the channel")


async def last(stage: Stage) -> Seen:
    """The newest message of the channel."""
    messages = await stage.channel()
    assert messages, "the channel is empty"
    return messages[-1]


async def pass_time(stage: Stage, seconds: float) -> None:
    """Time goes by, and whatever falls due in it happens at its instant."""
    end = stage.clock.now() + timedelta(seconds=seconds)
    await stage.settle()
    while stage.clock.now() < end:
        stage.clock.move_to(stage.clock.next_stop(end))
        await stage.settle()


async def until(stage: Stage, words: str) -> Seen:
    """Time goes by until the newest message says this; five minutes at most."""
    for _ in range(300):
        message = await last(stage)
        if words in message.text:
            return message
        await pass_time(stage, 1)
    raise AssertionError(f"nobody said {words!r}; the last was:\n{(await last(stage)).text}")


async def jump(stage: Stage, seconds: float, *, settled: bool = True) -> None:
    """Time goes by at once, with nothing in between."""
    if settled:
        await stage.settle()
    await stage.live_until(stage.clock.now() + timedelta(seconds=seconds))
    stage.clock.move(seconds)
    await stage.settle()
