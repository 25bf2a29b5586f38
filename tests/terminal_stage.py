"""The terminal as a stage: lines go in as they are typed, and what stands on the screen is read.

Everybody sits at a machine of their own, with one database: nobody shares a channel.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from datetime import datetime
from io import StringIO
from pathlib import Path

from clock import StandingClock
from conversation import Person, Seen

from adapters.local.terminal import Session, Turn, alone
from adapters.local.terminal_screen import Screen
from adapters.running import Parts, composed
from adapters.settings import Settings
from bot.store.store import Store

_OPTION = re.compile(r"^ {4}([A-J])  (.+)$", re.MULTILINE)


class TerminalStage:
    """What one person can do: there is nobody else, and nothing happens by itself."""

    name = "terminal"

    def __init__(self, database: str, banks: Sequence[Path], *, width: int = 200) -> None:
        self.clock = StandingClock()
        self.settings = Settings(
            QUIZBOT_DATABASE_URL=database, QUIZBOT_BANKS=":".join(map(str, banks))
        )
        self._width = width
        self._stack = AsyncExitStack()
        self._parts: Parts | None = None
        self._sessions: dict[str, Session] = {}

    async def start(self) -> None:
        up = composed(self.settings, {}, clock=self.clock, chance=random.Random(20))
        self._parts = await self._stack.enter_async_context(up)
        self._sessions = {}

    async def stop(self) -> None:
        await self._stack.aclose()

    async def restart(self, away: float = 0.0) -> None:
        await self.stop()
        self.clock.move(away)
        await self.start()

    async def live_until(self, at: datetime) -> None:
        """Nothing here lives by itself."""

    async def settle(self) -> None:
        """Nothing is ever under way while somebody thinks."""

    async def begin(self, person: Person, topic: str, count: int | None = None) -> Seen:
        """As `quizbot play topic` does."""
        session = self.session(person)
        person.told = self._seen(session, await session.begin(topic, count))
        return person.told

    @property
    def store(self) -> Store:
        assert self._parts is not None, "it has not been started"
        return self._parts.store

    async def type(self, person: Person, text: str) -> Seen:
        session = self.session(person)
        return self._seen(session, await session.enter(text))

    async def press(self, person: Person, message: Seen, token: str, private: bool) -> Seen:
        return await self.type(person, token)

    async def choose(self, person: Person, message: Seen, token: str, value: str) -> Seen:
        return await self.type(person, token)

    async def fill(self, person: Person, form: Seen, values: Mapping[str, str]) -> Seen:
        """A field after the other; what is not named keeps its value."""
        session, seen = self.session(person), form
        while session.filling is not None:
            seen = await self.type(person, values.get(session.filling.field.name, ""))
        return seen

    async def channel(self) -> list[Seen]:
        return []

    def session(self, person: Person) -> Session:
        assert self._parts is not None, "it has not been started"
        if person.name not in self._sessions:
            who, where = alone(person.name, person.locale)
            self._sessions[person.name] = Session(self._parts.app, self._parts.clock, who, where)
        return self._sessions[person.name]

    def _seen(self, session: Session, turn: Turn) -> Seen:
        screen = StringIO()
        Screen(screen, width=self._width).show_turn(turn, session)
        text = screen.getvalue()
        keys = session.keys
        return Seen(
            text,
            dict(_OPTION.findall(text)),
            {
                **{key.key: key.key for key in keys.of("answer")},
                **{key.label: key.key for key in keys.of("language", "other")},
            },
            {key.label: (key.key, key.key) for key in keys.of("choice")},
            form="form" if session.filling is not None else "",
        )
