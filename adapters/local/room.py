"""The local room, as routes of a server: the channel's page with its socket, and the quizzes'."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.resources import files
from mimetypes import guess_type

from aiohttp import web

from adapters.local import room_frames as f
from adapters.local.pages import Pages
from adapters.local.room_channel import Channel
from adapters.local.room_core import HERE, App
from adapters.local.room_gate import Codes, Gate, is_loopback, let_in
from adapters.local.room_page import join_page, room_page
from adapters.local.room_pictures import Pictures
from adapters.local.room_tab import Tab
from adapters.local.room_words import preferred, translator
from bot.library import Library
from bot.ports import Clock

MOST_TABS = 300


class Room:
    """Everything that is served to browsers. `channel` is the surface for the scheduler.

    `codes` guard the room where others than this machine reach `host`; there they are made
    if none are given, and whoever starts the room prints them. `names` are further host
    names that the server answers to.
    """

    def __init__(
        self,
        app: App,
        library: Library,
        clock: Clock,
        *,
        host: str = "127.0.0.1",
        codes: Codes | None = None,
        names: Iterable[str] = (),
    ) -> None:
        self.codes = None if is_loopback(host) else codes or Codes()
        self._gate = Gate(clock, host, self.codes, names)
        self._pictures = Pictures(library)
        self.channel = Channel(app, clock, self._pictures.address)
        self._pages = Pages(library, self._pictures.address, lambda: app.asked_now(HERE))
        self._static = _static_files()
        self._is_stopping = False

    def routes(self) -> list[web.RouteDef]:
        """What the server answers to browsers."""
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
        ]

    async def finish(self) -> None:
        """Let in no further tabs; tell the open ones what is under way, and close them."""
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
