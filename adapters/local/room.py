"""The local room's server: the channel's page with its socket, and the quiz pages."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import socket
from collections.abc import Awaitable, Callable, Iterable, Mapping
from importlib.resources import files
from mimetypes import guess_type

from aiohttp import web

from adapters.local import room_frames as f
from adapters.local.pages import Pages
from adapters.local.room_channel import Channel
from adapters.local.room_core import App
from adapters.local.room_gate import Codes, Gate, is_loopback, let_in
from adapters.local.room_page import join_page, room_page
from adapters.local.room_pictures import Pictures
from adapters.local.room_tab import Tab
from adapters.local.room_words import preferred, translator
from bot.library import Library
from bot.ports import Clock

log = logging.getLogger(__name__)

MOST_TABS = 300

LONGEST_PROBE = 5.0
"""Seconds after which a database that says nothing is taken to be away."""


class PortTaken(Exception):
    """The host and port cannot be listened on; the message is one sentence for people."""


class Room:
    """Everything that is served to browsers. `channel` is the surface for the scheduler.

    `codes` guard the room where others than this machine reach it; there they are made
    if none are given, and whoever starts the room prints them. `names` are further host
    names that the server answers to. `probe` raises while the program takes no calls.
    """

    def __init__(
        self,
        app: App,
        library: Library,
        clock: Clock,
        *,
        host: str = "127.0.0.1",
        port: int = 8080,
        codes: Codes | None = None,
        names: Iterable[str] = (),
        probe: Callable[[], Awaitable[object]] | None = None,
    ) -> None:
        self.host, self.port = host, port
        self.codes = None if is_loopback(host) else codes or Codes()
        self._gate = Gate(clock, host, self.codes, names)
        self._pictures = Pictures(library)
        self.channel = Channel(app, clock, self._pictures.address)
        self._pages = Pages(library, self._pictures.address)
        self._static = _static_files()
        self._probe = probe
        self._probing: asyncio.Task[bool] | None = None
        self._runner: web.AppRunner | None = None
        self._is_stopping = False

    def routes(self) -> list[web.RouteDef]:
        """What the server answers, to be put beside other adapters' routes."""
        gate = self._gate
        return [
            web.get("/", gate.members(self._room)),
            web.get("/room/socket", gate.members(self._socket)),
            web.get("/quiz", gate.members(self._pages.index)),
            web.get("/quiz/", gate.members(self._pages.index)),
            web.get("/quiz/{bank}", gate.members(self._pages.quiz)),
            web.post("/quiz/{bank}", gate.members(self._pages.answer)),
            web.get("/picture/{bank}/{file:.+}", gate.members(self._pictures.serve)),
            web.get("/static/{name}", gate.open(self._file)),
            web.get("/join", gate.open(self._join)),
            web.post("/join", gate.open(self._joined)),
            web.get("/healthz", _healthy),
            web.get("/readyz", self._ready),
        ]

    def application(self) -> web.Application:
        """The server's application; on its shutdown the tabs are told and closed."""
        application = web.Application(client_max_size=f.LARGEST)
        application.add_routes(self.routes())
        application.on_shutdown.append(self._shut)
        return application

    async def start(self, application: web.Application | None = None) -> str:
        """Listen, and return the address to open. Raises `PortTaken`."""
        runner = web.AppRunner(
            application or self.application(), access_log=None, shutdown_timeout=3
        )
        await runner.setup()
        try:
            site = web.TCPSite(runner, self.host, self.port)
            await site.start()
        except OSError as fault:
            await runner.cleanup()
            raise PortTaken(_why(fault, self.host, self.port)) from fault
        self._runner = runner
        self.port = runner.addresses[0][1]
        return f"http://{_written(self.host)}:{self.port}/"

    async def stop(self) -> None:
        """Tell the open tabs, close their sockets and stop listening."""
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def _shut(self, _: web.Application) -> None:
        self._is_stopping = True
        await self.channel.close()

    # --- handlers ------------------------------------------------------------------------------

    def _language(self, request: web.Request) -> str:
        return preferred(request.headers.get("Accept-Language", ""))

    async def _room(self, request: web.Request) -> web.StreamResponse:
        return _page(room_page(self._language(request)))

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        if self._is_stopping or self.channel.tabs >= MOST_TABS:
            return web.Response(status=503, text="The room is full; try again in a minute.\n")
        socket = web.WebSocketResponse(max_msg_size=f.LARGEST, heartbeat=25, compress=False)
        await socket.prepare(request)
        organiser = self._gate.is_organiser(request)
        await self.channel.hold(Tab(socket, organiser=organiser, language=self._language(request)))
        return socket

    async def _file(self, request: web.Request) -> web.StreamResponse:
        found = self._static.get(request.match_info["name"])
        if found is None:
            return web.Response(status=404, text="There is no such file.\n")
        body, kind = found
        # Always asked for anew: after an upgrade no old script talks to a new server.
        return web.Response(body=body, content_type=kind, headers={"Cache-Control": "no-cache"})

    async def _join(self, request: web.Request) -> web.StreamResponse:
        return _page(join_page(self._language(request), None))

    async def _joined(self, request: web.Request) -> web.StreamResponse:
        proof = self._gate.try_code(f.fields(await request.read()).get("code", ""), request)
        if proof is not None:
            response = web.Response(status=303, headers={"Location": "/"})
            let_in(response, proof)
            return response
        t = translator(self._language(request))
        if self._gate.is_tired_of(request):
            wrong = t.gettext("Too many wrong codes were tried; wait five minutes.")
            return _page(join_page(self._language(request), wrong), 429)
        wrong = t.gettext("That is not the code: look again where quizbot was started.")
        return _page(join_page(self._language(request), wrong), 403)

    async def _ready(self, _: web.Request) -> web.StreamResponse:
        if self._is_stopping:
            return web.Response(status=503, text="stopping\n")
        # However many ask at once, one look serves them all.
        if self._probing is None or self._probing.done():
            self._probing = asyncio.create_task(self._takes_calls())
        if not await asyncio.shield(self._probing):
            return web.Response(status=503, text="the database takes no calls\n")
        return web.Response(text="ok\n")

    async def _takes_calls(self) -> bool:
        if self._probe is None:
            return True
        try:
            async with asyncio.timeout(LONGEST_PROBE):
                await self._probe()
        except Exception as fault:  # noqa: BLE001 - whatever it was, no call would fare better
            log.warning("not ready: %r", fault)
            return False
        return True


async def _healthy(_: web.Request) -> web.StreamResponse:
    return web.Response(text="ok\n")


def _page(html: str, status: int = 200) -> web.Response:
    headers = {"Cache-Control": "no-store"}
    return web.Response(text=html, content_type="text/html", status=status, headers=headers)


def _static_files() -> Mapping[str, tuple[bytes, str]]:
    """Read once: only what is in the folder has an address."""
    folder = files("adapters.local") / "static"
    return {
        file.name: (file.read_bytes(), guess_type(file.name)[0] or "application/octet-stream")
        for file in folder.iterdir()
        if file.is_file()
    }


def _written(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _why(fault: OSError, host: str, port: int) -> str:
    if fault.errno == errno.EADDRINUSE:
        return f"Port {port} is in use: stop what uses it, or set QUIZBOT_PORT to another."
    if fault.errno in (errno.EACCES, errno.EPERM):
        return f"Port {port} may not be used by this account: set QUIZBOT_PORT to one above 1023."
    # From Python 3.13 on, asyncio passes an address by that is not there, and then says this.
    is_nowhere = fault.errno is None and "any address out of" in str(fault)
    if fault.errno == errno.EADDRNOTAVAIL or is_nowhere or isinstance(fault, socket.gaierror):
        return (
            f"quizbot cannot listen on {host}: this machine has no such address; set QUIZBOT_HOST "
            "to one that it has, or to 0.0.0.0 for every network."
        )
    # What asyncio says of it names the address as Python writes it.
    why = os.strerror(fault.errno) if fault.errno else str(fault)
    return f"quizbot cannot listen on {_written(host)}:{port}: {why}."
