"""A Slack of several workspaces, a quizbot that they install for themselves, and browsers."""

from __future__ import annotations

import html
import random
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import yarl
from clock import StandingClock
from quizzes import write_banks
from stand_in_slack import StandInSlack
from stand_in_slack_channels import Channel
from stand_in_slack_people import Person
from stand_in_slack_workspaces import Enterprise
from store_world import UTC_ZONE

from adapters.running import Up, running
from adapters.settings import Settings
from adapters.slack.installations import Installations
from adapters.slack.sealing import Seal
from bot.store import membership
from bot.store.opening import open_store
from bot.store.store import Store

KEY = "a passphrase of some length"
HEADERS = {"Accept-Language": "en"}


@dataclass
class Page:
    status: int
    text: str
    headers: dict[str, str]

    @property
    def words(self) -> str:
        without_style = re.sub(r"<style>.*?</style>", " ", self.text, flags=re.DOTALL)
        return html.unescape(re.sub(r"<[^>]+>", " ", without_style))

    @property
    def link(self) -> str:
        """Where its one button leads."""
        found = re.findall(r'class="deed" href="([^"]*)"', self.text)
        assert len(found) == 1, self.text
        return html.unescape(found[0])


@dataclass
class Browser:
    """One that keeps the cookie, whatever the address: in the world the server is behind TLS."""

    address: str
    cookie: str = ""
    headers: dict[str, str] = field(default_factory=lambda: dict(HEADERS))

    async def opens(self, path: str) -> Page:
        headers = dict(self.headers)
        if self.cookie:
            headers["Cookie"] = self.cookie
        url = yarl.URL(self.address.rstrip("/") + path, encoded=True)
        async with (
            aiohttp.ClientSession() as session,
            session.get(url, headers=headers, allow_redirects=False) as response,
        ):
            given = response.headers.get("Set-Cookie", "")
            if given:
                value = given.partition(";")[0]
                self.cookie = "" if "Max-Age=0" in given or "1970" in given else value
            return Page(response.status, await response.text(), dict(response.headers))

    async def goes_to_slack(self) -> str:
        """Open the page and press its button; the address of Slack's own page."""
        page = await self.opens("/slack/install")
        assert page.status == 200
        return page.link

    async def comes_back(self, where: str) -> Page:
        return await self.opens(f"/slack/oauth_redirect{where}")

    async def installs(self, person: Person, enterprise: Enterprise | None = None) -> Page:
        return await self.comes_back(person.allows(await self.goes_to_slack(), enterprise))


class Installing:
    """quizbot, up, on sockets or over HTTP, with no workspace yet."""

    def __init__(self, folder: Path, *, sockets: bool = True, **settings: str) -> None:
        self.clock = StandingClock()
        self.world = StandInSlack(now=self.clock.now)
        self.file = folder / "quizbot.db"
        way = (
            {"SLACK_APP_TOKEN": self.world.app_token}
            if sockets
            else {"SLACK_SIGNING_SECRET": self.world.signing_secret}
        )
        self.given: dict[str, Any] = {
            "QUIZBOT_DATABASE_URL": f"sqlite:///{self.file}",
            "QUIZBOT_BANKS": str(write_banks(folder / "banks")),
            "QUIZBOT_PORT": "0",
            "SLACK_CLIENT_ID": self.world.client_id,
            "SLACK_CLIENT_SECRET": self.world.client_secret,
            "QUIZBOT_SECRET_KEY": KEY,
            **way,
            **settings,
        }
        self._world = AsyncExitStack()
        self._stack = AsyncExitStack()
        self._up: Up | None = None

    @property
    def up(self) -> Up:
        assert self._up is not None, "it has not been started"
        return self._up

    def browser(self, **headers: str) -> Browser:
        return Browser(self.up.address, headers={**HEADERS, **headers})

    def settings(self, **more: str) -> Settings:
        return Settings(**{**self.given, **more})

    async def plays(self, person: Person, channel: Channel | None = None) -> None:
        """Begin a quiz, and see its first question."""
        place = channel or person.workspace.general
        before = len(place.messages)
        seen = await person.types("/quiz ports", place)
        assert seen.failed is None
        await self.world.until(lambda: len(place.messages) > before)
        await self.settle()

    async def start(self, **settings: str) -> None:
        if not self.world.base:
            await self._world.enter_async_context(self.world)
        up = running(self.settings(**settings), clock=self.clock, chance=random.Random(20))
        self._up = await self._stack.enter_async_context(up)
        if "SLACK_SIGNING_SECRET" in self.given:
            self.world.doors.address = f"{self.up.address}slack/events"
        await self.settle()

    async def restart(self, **settings: str) -> None:
        await self._stack.aclose()
        await self.start(**settings)

    async def stop(self) -> None:
        await self._stack.aclose()
        await self._world.aclose()

    async def settle(self) -> None:
        await self.world.until(lambda: self._is_settled)

    async def move(self, hours: float) -> None:
        self.clock.move(hours * 3600)
        self.world.time_passed()
        await self.settle()

    async def is_removed(self, id: str) -> bool:
        known = await self.up.parts.store.read(lambda c: membership.known_communities(c, "slack"))
        return next(one.removed for one in known if one.external_id == id)

    def kept(self) -> bytes:
        """All that is in the database's files, as who stole them has it."""
        return b"".join(each.read_bytes() for each in self.file.parent.glob("quizbot.db*"))

    @property
    def _is_settled(self) -> bool:
        slack = self.up.slack
        assert slack is not None
        return self.up.scheduler.is_idle and self.clock.is_still and slack.is_idle


@asynccontextmanager
async def installing(folder: Path, **settings: Any) -> AsyncIterator[Installing]:
    stage = Installing(folder, **settings)
    await stage.start()
    try:
        yield stage
    finally:
        await stage.stop()


@asynccontextmanager
async def another_process(stage: Installing) -> AsyncIterator[tuple[Store, Installations]]:
    """A store on the same database, as another process has it."""
    url = stage.given["QUIZBOT_DATABASE_URL"]
    store = await open_store(url, zone=UTC_ZONE, clock=stage.clock)
    try:
        yield store, Installations(store, Seal(KEY), stage.world.client_id, stage.clock)
    finally:
        await store.close()
