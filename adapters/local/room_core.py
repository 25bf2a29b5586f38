"""What the room needs of the product: the front door, as far as it uses it."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from bot.calls import Click, Command, Submission, Typed, Where, Who
from bot.messages import Choice, Message, Reply

HERE = Where("room", community="room", place="room")
"""The room is one community with one place."""


class CommandLine(Protocol):
    """A command as the menu shows it."""

    @property
    def name(self) -> str: ...
    @property
    def usage(self) -> str: ...
    @property
    def description(self) -> str: ...


class Post(Protocol):
    """A message of the channel, as it stands now."""

    @property
    def id(self) -> int: ...
    @property
    def message_id(self) -> str: ...
    @property
    def posted_at(self) -> datetime: ...
    @property
    def message(self) -> Message: ...


class App(Protocol):
    """The front door. It answers always: a bug becomes a polite sentence in there."""

    async def typed(self, typed: Typed) -> Reply: ...
    async def command(self, command: Command) -> Reply: ...
    async def click(self, click: Click) -> Reply: ...
    async def submit(self, submission: Submission) -> Reply: ...
    async def suggest(
        self, source: str, typed: str, who: Who, where: Where
    ) -> tuple[Choice, ...]: ...
    def menu(self, language: str) -> tuple[CommandLine, ...]: ...
    async def posts(
        self, where: Where, *, before: int | None = None, limit: int = 50
    ) -> tuple[Post, ...]: ...
    def languages(self) -> tuple[tuple[str, str], ...]: ...
    async def language_of(self, who: Who, where: Where) -> str: ...
