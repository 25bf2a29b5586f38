"""The gateway of the stand-in Discord, version 10: sessions, events, resuming, and its outages."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import itertools
import json
import zlib
from collections import deque
from collections.abc import Iterator
from typing import Any, Protocol

from aiohttp import WSCloseCode, web
from stand_in_discord_world import World

DISPATCH, HEARTBEAT, IDENTIFY, RESUME, RECONNECT, INVALID, HELLO, ACK = 0, 1, 2, 6, 7, 9, 10, 11
HEARTBEAT_MILLISECONDS = 41_250
PRIVILEGED = (1 << 1) | (1 << 8) | (1 << 15)  # members, presences, message content
EVENTS_KEPT = 10_000
ENDS_SESSION = (1000, 1001)


class Compressor(Protocol):
    def __call__(self, text: str) -> bytes: ...


class Link:
    """One connection. What is sent goes out in order, by a task of its own."""

    def __init__(self, socket: web.WebSocketResponse, http: web.Request) -> None:
        self.socket = socket
        self.session: Session | None = None
        self._transport = http.transport
        self._compress = _compressor(http.query.get("compress"))
        self._texts: asyncio.Queue[str] = asyncio.Queue()

    def send(self, text: str) -> None:
        self._texts.put_nowait(text)

    async def write(self) -> None:
        with contextlib.suppress(ConnectionError):
            while True:
                text = await self._texts.get()
                if self._compress is None:
                    await self.socket.send_str(text)
                else:
                    await self.socket.send_bytes(self._compress(text))

    def end(self, code: int) -> None:
        self._ending = asyncio.create_task(self.socket.close(code=code))

    def cut(self) -> None:
        if self._transport is not None:
            self._transport.abort()


class Session:
    """What one shard of one process was told; it outlives its connection, to be resumed."""

    def __init__(self, id: str, shard: tuple[int, int], intents: int, link: Link) -> None:
        self.id = id
        self.shard = shard
        self.intents = intents
        self.link: Link | None = link
        self.number = 0
        self._told: deque[tuple[int, str]] = deque(maxlen=EVENTS_KEPT)

    def dispatch(self, event: str, payload: Any) -> None:
        self.number += 1
        text = json.dumps({"op": DISPATCH, "t": event, "s": self.number, "d": payload})
        self._told.append((self.number, text))
        if self.link is not None:
            self.link.send(text)

    def concerns(self, guild: int | None) -> bool:
        number, count = self.shard
        return number == (0 if guild is None else (guild >> 22) % count)

    def can_resume_after(self, number: int) -> bool:
        first = self._told[0][0] if self._told else self.number + 1
        return first - 1 <= number <= self.number

    def after(self, number: int) -> Iterator[str]:
        return (text for at, text in self._told if at > number)


class Gateway:
    def __init__(self, world: World, token: str) -> None:
        self.world = world
        self.token = token
        self.sessions: dict[str, Session] = {}
        self.links: set[Link] = set()
        self.log: list[str] = []
        self._refusals = 0
        self._empty_greetings = 0
        self._counter = itertools.count(1)
        world.emit = self.emit

    @property
    def connected(self) -> list[Session]:
        return [one for one in self.sessions.values() if one.link is not None]

    def emit(
        self, event: str, payload: dict[str, Any], *, guild: int | None = None, intent: int = 0
    ) -> None:
        for session in self.sessions.values():
            if session.concerns(guild) and (not intent or session.intents & intent):
                session.dispatch(event, payload)

    def cut(self, *, forget: bool = False) -> None:
        """Cut every connection; `forget` the sessions too, so that none can be resumed."""
        for link in list(self.links):
            self._part(link)
            link.cut()
        if forget:
            self.sessions.clear()

    def reconnect(self) -> None:
        """Ask everybody to connect anew and to resume (op 7)."""
        for session in self.connected:
            self._send(session, RECONNECT, None)

    def invalidate(self, *, resumable: bool) -> None:
        """Tell everybody that their session is no good (op 9)."""
        for session in self.connected:
            self._send(session, INVALID, resumable)
            if not resumable:
                del self.sessions[session.id]

    def end(self, code: int) -> None:
        """Close every connection with this code, as where the token was taken back (4004)."""
        for link in list(self.links):
            link.end(code)

    def refuse(self, times: int) -> None:
        """Take none of the next connections."""
        self._refusals = times

    def say(self, text: str) -> None:
        """Send this to everybody, whatever it is."""
        for link in self.links:
            link.send(text)

    def greet_emptily(self, times: int) -> None:
        """Tell the next sessions nothing at their beginning."""
        self._empty_greetings = times

    async def serve(self, http: web.Request) -> web.StreamResponse:
        if self._refusals > 0:
            self._refusals -= 1
            return web.Response(status=503)
        socket = web.WebSocketResponse(max_msg_size=0)
        await socket.prepare(http)
        link = Link(socket, http)
        self.links.add(link)
        link.send(json.dumps({"op": HELLO, "d": {"heartbeat_interval": HEARTBEAT_MILLISECONDS}}))
        writer = asyncio.create_task(link.write())
        try:
            async for message in socket:
                code = self._take(link, json.loads(message.data))
                if code is not None:
                    self.log.append(f"close {code}")
                    await socket.close(code=code)
        finally:
            writer.cancel()
            self._part(link, ends=socket.close_code in ENDS_SESSION)
            self.world.tell()
        return socket

    async def stop(self) -> None:
        for link in list(self.links):
            await link.socket.close(code=WSCloseCode.GOING_AWAY)

    def _take(self, link: Link, message: dict[str, Any]) -> int | None:
        """Take one message; the code to close the connection with, if it is no good."""
        data = message.get("d")
        match message["op"]:
            case 1:
                link.send(json.dumps({"op": ACK}))
            case 2:
                return self._identify(link, data)
            case 6:
                return self._resume(link, data)
            case 3 | 4 | 8:
                return None if link.session else 4003
            case _:
                return 4001
        return None

    def _identify(self, link: Link, data: Any) -> int | None:
        if link.session is not None:
            return 4005
        if data["token"] != self.token:
            return 4004
        number, count = data.get("shard") or (0, 1)
        if not 0 <= number < count:
            return 4010
        if "intents" not in data:
            return 4013
        if data["intents"] & PRIVILEGED & ~self.world.privileged:
            return 4014
        # A process that died never resumes: whoever identifies as its shard is its successor.
        for id, old in list(self.sessions.items()):
            if old.shard == (number, count) and old.link is None:
                del self.sessions[id]
        session = Session(f"session{next(self._counter)}", (number, count), data["intents"], link)
        self.sessions[session.id] = link_session(link, session)
        self.log.append(f"identify {number}/{count}")
        self._greet(session)
        return None

    def _greet(self, session: Session) -> None:
        world = self.world
        guilds = [one for one in world.guilds.values() if one.has_bot and session.concerns(one.id)]
        ready = {
            "v": 10,
            "user": world.bot.payload() | {"verified": True, "mfa_enabled": False, "email": None},
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
            "session_id": session.id,
            "resume_gateway_url": world.gateway_at,
            "shard": list(session.shard),
            "application": {"id": str(world.application_id), "flags": 0},
            "private_channels": [],
        }
        if self._empty_greetings > 0:
            self._empty_greetings -= 1
            ready = {}
        session.dispatch("READY", ready)
        for guild in guilds:
            if guild.available and session.intents & 1:
                session.dispatch("GUILD_CREATE", guild.payload())
        world.tell()

    def _resume(self, link: Link, data: Any) -> int | None:
        if data["token"] != self.token:
            return 4004
        session = self.sessions.get(data["session_id"] or "")
        if session is None or not session.can_resume_after(data["seq"] or 0):
            self.log.append("resume refused")
            link.send(json.dumps({"op": INVALID, "d": False}))
            return None
        if session.link is not None:
            self._part(session.link)
        self.log.append(f"resume {session.shard[0]}/{session.shard[1]}")
        missed = list(session.after(data["seq"]))
        for text in missed:
            link.send(text)
        link_session(link, session)
        session.dispatch("RESUMED", {})
        self.world.tell()
        return None

    def _part(self, link: Link, *, ends: bool = False) -> None:
        self.links.discard(link)
        session, link.session = link.session, None
        if session is not None and session.link is link:
            session.link = None
            if ends:
                self.sessions.pop(session.id, None)

    def _send(self, session: Session, op: int, data: object) -> None:
        if session.link is not None:
            session.link.send(json.dumps({"op": op, "d": data}))


def link_session(link: Link, session: Session) -> Session:
    link.session, session.link = session, link
    return session


def _compressor(asked: str | None) -> Compressor | None:
    match asked:
        case None:
            return None
        case "zlib-stream":
            deflate = zlib.compressobj()
            return lambda text: deflate.compress(text.encode()) + deflate.flush(zlib.Z_SYNC_FLUSH)
        case "zstd-stream":
            # Since Python 3.14, which is when discord.py asks for it by itself.
            zstd = importlib.import_module("compression.zstd")
            squeeze = zstd.ZstdCompressor()
            return lambda text: bytes(squeeze.compress(text.encode(), squeeze.FLUSH_BLOCK))
        case _:
            raise ValueError(f"the stand-in gateway knows no {asked}")
