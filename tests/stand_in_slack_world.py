"""The world of the stand-in Slack: its ids and instants, and what waits for something to change."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from stand_in_slack_channels import Channel
    from stand_in_slack_deliveries import Delivery
    from stand_in_slack_files import File
    from stand_in_slack_installations import Consent, Installation
    from stand_in_slack_people import Person
    from stand_in_slack_response_urls import ResponseUrl
    from stand_in_slack_views import View
    from stand_in_slack_workspaces import Enterprise, Workspace

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
ACK_WITHIN = timedelta(seconds=3)  # documented: commands, interactions, events
TRIGGER_LIVES = timedelta(seconds=3)  # documented, and that it serves once
LOOKS_EVERY = 0.01  # seconds, at what the stand-in is not told of


class Watched:
    """What somebody may wait for to change: a person, a channel, a message, a delivery."""

    def __init__(self) -> None:
        self.watchers: set[asyncio.Event] = set()

    def tell(self) -> None:
        for one in self.watchers:
            one.set()


@contextmanager
def watching(*watched: Watched | None) -> Iterator[asyncio.Event]:
    """An event that is set whenever one of them changes."""
    event = asyncio.Event()
    them = [one for one in watched if one is not None]
    for one in them:
        one.watchers.add(event)
    try:
        yield event
    finally:
        for one in them:
            one.watchers.discard(event)


def nobody_listens(delivery: Delivery) -> None:
    raise AssertionError("the stand-in has not been started")


@dataclass(eq=False)
class Trigger:
    """What lets the bot open a view for somebody, once and soon."""

    id: str
    person: Person
    workspace: Workspace
    delivery: Delivery
    at: datetime
    used: bool = False


@dataclass(eq=False, repr=False)
class World:
    """All that there is. It keeps the ids, and tells who waits that something changed."""

    now: Callable[[], datetime]
    may_ping: bool = False
    patience: float = 3.0
    deliver: Callable[[Delivery], None] = nobody_listens
    base: str = ""
    app_id: str = "A000APP"
    app_token: str = "xapp-stand-in"
    signing_secret: str = "stand-in-secret"
    client_id: str = "1.2"
    client_secret: str = "stand-in-client-secret"
    workspaces: dict[str, Workspace] = field(default_factory=dict)
    enterprises: dict[str, Enterprise] = field(default_factory=dict)
    channels: dict[str, Channel] = field(default_factory=dict)
    people: dict[str, Person] = field(default_factory=dict)
    views: dict[str, View] = field(default_factory=dict)
    triggers: dict[str, Trigger] = field(default_factory=dict)
    response_urls: dict[str, ResponseUrl] = field(default_factory=dict)
    deliveries: list[Delivery] = field(default_factory=list)
    files: dict[str, File] = field(default_factory=dict)
    installations: list[Installation] = field(default_factory=list)
    consents: dict[str, Consent] = field(default_factory=dict)
    rotates: bool = False
    """Whether the app asked for tokens that live twelve hours."""
    files_take: int = 0
    """How many uses of a new picture fail before Slack is done with it."""
    checks: bool = True
    """Whether what is sent is looked at; who measures goes without."""
    slips: list[str] = field(default_factory=list)
    """What Slack would take, but the bot must not do, and what the stand-in cannot do."""

    def __post_init__(self) -> None:
        self.changed = asyncio.Event()
        self._counter = itertools.count(1)
        self._last = 0

    def tell(self) -> None:
        """Something happened: whoever waits looks again."""
        self.changed.set()
        self.changed = asyncio.Event()

    def new_number(self) -> int:
        """What was made later has a higher one."""
        return next(self._counter)

    def new_id(self, prefix: str) -> str:
        return f"{prefix}{self.new_number():08d}"

    def new_ts(self) -> str:
        """The instant as Slack writes it; no two are the same, also while the clock stands."""
        self._last = max((self.now() - EPOCH) // MICROSECOND, self._last + 1)
        return f"{self._last // 1_000_000}.{self._last % 1_000_000:06d}"

    def new_trigger(self, person: Person, workspace: Workspace, delivery: Delivery) -> Trigger:
        trigger = Trigger(
            f"{self.new_id('')}.{workspace.id}.{self.new_id('')}",
            person, workspace, delivery, self.now(),
        )  # fmt: skip
        self.triggers[trigger.id] = trigger
        return trigger

    def usable_files(self) -> set[str]:
        return {one.id for one in self.files.values() if one.is_there}

    async def until(self, condition: Callable[[], object], seconds: float = 10) -> None:
        """Wait until something is so, here or in the bot."""
        async with asyncio.timeout(seconds):
            while not condition():
                try:
                    async with asyncio.timeout(LOOKS_EVERY):
                        await self.changed.wait()
                except TimeoutError:
                    continue


def instant(ts: str) -> datetime:
    """When something was that carries this `ts`."""
    seconds, micros = ts.split(".")
    return EPOCH + timedelta(seconds=int(seconds), microseconds=int(micros))


Json = dict[str, Any]
