"""The room as a stage: the real composition root, a socket for each person, and one onlooker."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from datetime import datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import aiohttp
from clock import StandingClock
from conversation import Person, Seen
from prepared import prepare

from adapters.running import Up, running
from adapters.settings import Settings
from bot.store import heartbeats
from bot.store.store import Store

_BLOCKS = {"h2", "p", "li", "figcaption", "pre", "div"}


class RoomStage:
    """Everybody sees the channel as the onlooker does, who got its changes over a socket."""

    name = "room"

    def __init__(self, database: str, banks: Sequence[Path]) -> None:
        self.clock = StandingClock()
        self.settings = Settings(
            QUIZBOT_DATABASE_URL=database,
            QUIZBOT_BANKS=":".join(map(str, banks)),
            # Where others than this machine could come in, not everybody is an organiser.
            QUIZBOT_HOST="0.0.0.0",
            QUIZBOT_PORT="0",
            QUIZBOT_ROOM="on",
        )
        self._stack = AsyncExitStack()
        self._up: Up | None = None
        self._tabs: dict[str, _Tab] = {}

    async def start(self) -> None:
        prepare(self.settings.database_url)
        up = running(self.settings, clock=self.clock, chance=random.Random(20))
        self._up = await self._stack.enter_async_context(up)
        self._tabs = {}
        await self.settle()
        await self._tab("", organiser=False)

    async def stop(self) -> None:
        for tab in self._tabs.values():
            await tab.close()
        await self._stack.aclose()
        self._up = None

    async def restart(self, away: float = 0.0) -> None:
        await self.stop()
        self.clock.move(away)
        await self.start()

    @property
    def store(self) -> Store:
        return self._running().parts.store

    async def live_until(self, at: datetime) -> None:
        store = self._running().parts.store
        await store.write(lambda c: heartbeats.beat(c, at), wakes=False)

    async def settle(self) -> None:
        scheduler = self._running().scheduler
        while True:
            seen = self.clock.waits
            if scheduler.is_idle and self.clock.is_waited_for:
                break
            await self.clock.next_wait(seen)

    async def type(self, person: Person, text: str) -> Seen:
        return await self._ask(person, {"do": "line", "text": text})

    async def press(self, person: Person, message: Seen, token: str, private: bool) -> Seen:
        return await self._press(person, message, token, [])

    async def choose(self, person: Person, message: Seen, token: str, value: str) -> Seen:
        return await self._press(person, message, token, [value])

    async def fill(self, person: Person, form: Seen, values: Mapping[str, str]) -> Seen:
        return await self._ask(person, {"do": "fill", "token": form.form, "values": dict(values)})

    async def channel(self) -> list[Seen]:
        onlooker = self._tabs[""]
        await onlooker.ask({"do": "ping"})
        return [read_html(html, key) for key, html in onlooker.posts.items()]

    async def _press(self, person: Person, message: Seen, token: str, values: list[str]) -> Seen:
        at = round(self.clock.now().timestamp() * 1000)
        frame = {"do": "press", "token": token, "at": at, "values": values}
        return await self._ask(person, frame | ({"message": message.id} if message.id else {}))

    async def _ask(self, person: Person, frame: dict[str, Any]) -> Seen:
        tab = await self._tab(person.name, organiser=person.organiser, locale=person.locale)
        reply = await tab.ask(frame)
        assert reply["is"] in ("reply", "form"), reply
        return read_html(reply["html"])

    async def _tab(self, name: str, *, organiser: bool, locale: str | None = None) -> _Tab:
        if name not in self._tabs:
            room = self._running().room
            assert room is not None
            assert room.codes is not None
            code = room.codes.organiser if organiser else room.codes.join
            tab = _Tab(f"http://127.0.0.1:{self._port()}")
            await tab.open(code, name, locale)
            self._tabs[name] = tab
        return self._tabs[name]

    def _port(self) -> int:
        server = self._running().server
        assert server is not None
        return server.port

    def _running(self) -> Up:
        assert self._up is not None, "it has not been started"
        return self._up


class _Tab:
    """One browser tab, as far as the socket goes."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._session = aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True))
        self._waiting: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._number = 0
        self.posts: dict[str, str] = {}

    async def open(self, code: str, name: str, locale: str | None) -> None:
        origin = {"Origin": self._address}
        join = await self._session.post(
            f"{self._address}/join", data={"code": code}, headers=origin
        )
        assert join.status == 200, await join.text()
        self._socket = await self._session.ws_connect(
            f"{self._address}/room/socket", headers=origin
        )
        self._reading = asyncio.create_task(self._read())
        hello: dict[str, Any] = {"do": "hello", "name": name, "locale": locale}
        if name:
            hello["person"] = f"secret-of-{name.encode().hex():0<20}"[:60].replace(" ", "-")
        await self.ask(hello)

    async def ask(self, frame: dict[str, Any]) -> dict[str, Any]:
        self._number += 1
        key = f"r{self._number}"
        waiting = self._waiting[key] = asyncio.get_running_loop().create_future()
        await self._socket.send_json({"id": key, **frame})
        reply: dict[str, Any] = await waiting
        return reply

    async def close(self) -> None:
        await self._socket.close()
        await self._session.close()
        self._reading.cancel()

    async def _read(self) -> None:
        async for received in self._socket:
            frame = received.json()
            if frame["is"] == "welcome":
                self.posts = {post["key"]: post["html"] for post in frame["posts"]}
            elif frame["is"] in ("post", "edit"):
                self.posts[frame["key"]] = frame["html"]
            waiting = self._waiting.get(frame.get("id") or "")
            if waiting is not None and not waiting.done():
                waiting.set_result(frame)


def read_html(html: str, key: str = "") -> Seen:
    """What somebody reads of a message that was drawn."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    text = "\n".join(line for line in map(_tidy, "".join(reader.text).split("\n")) if line)
    return Seen(text, reader.options, reader.buttons, reader.choices, key, reader.form)


class _Reader(HTMLParser):
    """Words by block; options, buttons and choices by what they carry."""

    def __init__(self) -> None:
        super().__init__()
        self.text: list[str] = []
        self.options: dict[str, str] = {}
        self.buttons: dict[str, str] = {}
        self.choices: dict[str, tuple[str, str]] = {}
        self.form = ""
        self._open: list[tuple[str, dict[str, str]]] = []
        self._values: list[tuple[str, str]] = []
        self._button = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag in _BLOCKS:
            self.text.append("\n")
        if tag == "form":
            self.form = given["data-token"]
        if given.get("class") == "points":
            self.text[-1:] = [self.text[-1].rstrip(), ": "]
        if tag == "option":
            self._values.append((given.get("value", ""), ""))
        if "data-pick" in given:
            # A list shows a choice's description behind its name.
            self.choices |= {
                name.split(" (")[0]: (given["data-pick"], value) for value, name in self._values
            }
        if tag == "br":
            self.text.append("\n")
        elif tag not in ("img", "input", "rect"):
            self._open.append((tag, given))

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass
        if tag in _BLOCKS:
            self.text.append("\n")

    def handle_data(self, data: str) -> None:
        tags = [tag for tag, _ in self._open]
        if "svg" in tags:
            return
        if "option" in tags:
            value, name = self._values[-1]
            self._values[-1] = (value, name + data)
        elif "button" in tags:
            token = next(g.get("data-token", "") for t, g in self._open if t == "button")
            self.buttons[data] = token
        else:
            self._read_option(data)
            self.text.append(data)

    def _read_option(self, data: str) -> None:
        letter = next((g["data-letter"] for t, g in self._open if "data-letter" in g), None)
        in_body = any(g.get("class") == "body" for _, g in self._open)
        if letter and in_body:
            self.options[letter] = self.options.get(letter, "") + data


def _tidy(line: str) -> str:
    return " ".join(line.split(" ")).strip()
