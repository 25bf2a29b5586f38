"""Discord and Slack as stages whose quizbot is a program of its own, which can be killed.

Nobody sees into it, so that nothing is ever known to be settled: stories wait for what they expect
to see. Its clock runs, and is moved by the story.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

import discord_process
import slack_process
from child_process import Process
from clock import StandingClock
from conversation import Person, Seen
from discord_stage import DiscordStage
from moved_clock import MovedClock
from slack_stage import SlackStage
from stand_in_discord import StandInDiscord
from stand_in_slack import StandInSlack

SECONDS = 15


class Held(Protocol):
    """A request that has arrived, or will."""

    arrived: asyncio.Event

    def release(self) -> None: ...


class _Killed:
    """What a stage of either platform has when its quizbot is another program."""

    clock: StandingClock
    world: Any
    place: Any
    member: Any
    read: Any
    _leave: Any
    _process: Process

    def __init__(self, folder: Path, start: datetime) -> None:
        super().__init__(f"sqlite:///{folder / 'quizbot.db'}", [folder / "banks"])  # type: ignore[call-arg]
        self.folder, self._moved = folder, MovedClock(folder / "clock")
        self.move_to(start)
        self.world.now = self._moved.now
        self.world.patience = 3

    async def kill(self) -> None:
        await self._process.kill()
        await self._leave()

    async def settle(self) -> None:
        """Nobody can tell."""

    def move_to(self, at: datetime) -> None:
        self.clock.move_to(at)
        self._moved.move_to(at)

    async def until(self, condition: Callable[[], object]) -> None:
        await self.world.until(condition, SECONDS)

    def shown(self) -> list[Seen]:
        """What stands in the channel."""
        return [self.read(message) for message in self.place.messages]

    def direct(self, person: Person) -> list[Seen]:
        return [self.read(message) for message in self.member(person).dm.messages]


class KilledDiscord(_Killed, DiscordStage):
    world: StandInDiscord
    posts_once = True
    """A post is told from the one before by its nonce."""

    async def start(self) -> None:
        if not self.world.base:
            await self._world.enter_async_context(self.world)
        process = discord_process.started(self.world, self.folder, QUIZBOT_BANKS="banks")
        self._process = await self._stack.enter_async_context(process)
        await self.world.until(lambda: self.world.gateway.connected, 30)
        await self.world.until(lambda: self.world.commands[None], 30)

    def holds_post(self, *, after_effect: bool) -> Held:
        line = f"POST /channels/{self.place.id}/messages"
        return self.world.hold(line, after_effect=after_effect)

    def holds_reply(self) -> Held:
        return self.world.hold("POST /interactions/...")

    async def presses_direct(self, person: Person, on: Seen, label: str) -> None:
        token = on.button(label)
        assert token is not None
        await self.member(person).press(self._message(on), token)

    def _languages(self) -> set[str]:
        return set()


class KilledSlack(_Killed, SlackStage):
    world: StandInSlack
    posts_once = False
    """Nothing tells a post from the one before, so that it is not known whether it arrived."""

    async def start(self) -> None:
        if not self.world.base:
            await self._world.enter_async_context(self.world)
        process = slack_process.started(
            self.world,
            self.workspace,
            self.folder,
            QUIZBOT_BANKS="banks",
            QUIZBOT_DATABASE_URL=f"sqlite:///{self.folder / 'quizbot.db'}",
        )
        self._process = await self._stack.enter_async_context(process)
        await self.world.until(lambda: self.world.sockets.connected, 30)

    def holds_post(self, *, after_effect: bool) -> Held:
        return self.world.hold("chat.postMessage", after_effect=after_effect)

    def holds_reply(self) -> Held:
        return self.world.hold("response_url")

    async def presses_direct(self, person: Person, on: Seen, label: str) -> None:
        token = on.button(label)
        assert token is not None
        member = self.member(person)
        message = next(one for one in member.dm.messages if one.ts == on.id)
        await member.presses(message, token)
