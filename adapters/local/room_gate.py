"""Who may come in: the names this server answers to, the join code, and the safe headers."""

from __future__ import annotations

import hmac
import ipaddress
import re
import secrets
import socket
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256
from http import HTTPStatus

from aiohttp import web

from bot.ports import Clock

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    # Other sites learn nothing. `no-referrer` would also take the Origin away from our own
    # forms, by which we know that they are ours.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}

_COOKIE = "quizbot_room"
_WRONG_CODES = 20  # of one address
_WRONG_CODES_OF_ALL = 2000
_WRONG_WITHIN = timedelta(minutes=5)
_SIGNS = "ABCDEFGHJKMNPQRSTVWXYZ23456789"
"""No signs that are mistaken for one another when a code is read aloud."""


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches a server that is bound to this host."""
    address = _address(host)
    return host.lower() == "localhost" or (address is not None and address.is_loopback)


def new_code() -> str:
    """A code to be read from a screen: ten signs, 49 bits."""
    return "".join(secrets.choice(_SIGNS) for _ in range(10))


@dataclass(frozen=True, slots=True)
class Codes:
    """What opens the room where others reach it. Never in logs but by the one who starts it."""

    join: str = field(default_factory=new_code, repr=False)
    organiser: str = field(default_factory=new_code, repr=False)


class Gate:
    """Decides on every request. `codes` is None on loopback, where everyone is organiser."""

    def __init__(self, clock: Clock, host: str, codes: Codes | None, names: Iterable[str]) -> None:
        self._clock = clock
        self._codes = codes
        self._wrong: deque[tuple[datetime, str]] = deque(maxlen=_WRONG_CODES_OF_ALL)
        own = {"localhost", host, *names}
        if codes is not None:
            own |= {socket.gethostname(), f"{socket.gethostname()}.local"}
        self._names = {name.lower().rstrip(".") for name in own}

    def open(self, handler: Handler) -> Handler:
        """Guard a handler that needs no join code."""

        async def guarded(request: web.Request) -> web.StreamResponse:
            return self._refusal(request) or _dressed(await handler(request))

        return guarded

    def members(self, handler: Handler) -> Handler:
        """Guard a handler that is for who has joined; others are led to the join page."""

        async def guarded(request: web.Request) -> web.StreamResponse:
            refusal = self._refusal(request)
            if refusal is None and not self.is_member(request):
                return self._unjoined(request)
            return refusal or _dressed(await handler(request))

        return guarded

    def is_member(self, request: web.Request) -> bool:
        """Whether the join code or the organiser's was given in this browser."""
        if self._codes is None:
            return True
        return self._holds(request, self._codes.join) or self.is_organiser(request)

    def is_organiser(self, request: web.Request) -> bool:
        """Whether whoever sits there may organise."""
        return self._codes is None or self._holds(request, self._codes.organiser)

    def try_code(self, given: str, request: web.Request) -> str | None:
        """The cookie that a right code earns; None if it is wrong or too many were tried."""
        if self._codes is None or self.is_tired_of(request):
            return None
        folded = re.sub(r"[^A-Z0-9]", "", given[:100].upper())
        for code in (self._codes.organiser, self._codes.join):
            if hmac.compare_digest(folded, code):
                return _proof(code)
        self._wrong.append((self._clock.now(), _network(request)))
        return None

    def is_tired_of(self, request: web.Request) -> bool:
        """Whether so many wrong codes came lately that none from there is looked at for a while.

        One from where no wrong one came always is: guessers lock out nobody but themselves.
        """
        since = self._clock.now() - _WRONG_WITHIN
        while self._wrong and self._wrong[0][0] <= since:
            self._wrong.popleft()
        network = _network(request)
        of_it = sum(where == network for _, where in self._wrong)
        most = 1 if len(self._wrong) == _WRONG_CODES_OF_ALL else _WRONG_CODES
        return of_it >= most

    def _refusal(self, request: web.Request) -> web.Response | None:
        host = request.headers.get("Host", "")
        if not self._knows(host):
            # Else a page of another site could have its own name point here (DNS rebinding).
            return _said(421, "quizbot does not answer to this name: open it by its own address.")
        origin = request.headers.get("Origin")
        is_socket = request.headers.get("Upgrade", "").lower() == "websocket"
        must_match = is_socket or request.method not in ("GET", "HEAD")
        if must_match and (origin is not None or is_socket) and not _same(origin, host):
            return _said(403, "This came from another site; quizbot listens to its own pages only.")
        return None

    def _knows(self, host: str) -> bool:
        name = re.sub(r":\d{1,5}$", "", host).strip("[]").lower().rstrip(".")
        address = _address(name)
        if address is None:
            return name in self._names
        # An address as a name cannot be made to point elsewhere.
        return self._codes is not None or address.is_loopback or name in self._names

    def _unjoined(self, request: web.Request) -> web.Response:
        if request.method == "GET" and "text/html" in request.headers.get("Accept", ""):
            return web.Response(status=303, headers={**HEADERS, "Location": "/join"})
        return _said(403, "Give the join code first: open this room's page.")

    def _holds(self, request: web.Request, code: str) -> bool:
        return hmac.compare_digest(request.cookies.get(_COOKIE, "").encode(), _proof(code).encode())


def let_in(response: web.StreamResponse, proof: str) -> None:
    """Set the cookie that a right code earned."""
    response.set_cookie(
        _COOKIE, proof, httponly=True, samesite="Strict", path="/", max_age=90 * 24 * 3600
    )


def _proof(code: str) -> str:
    return sha256(b"quizbot-join:" + code.encode()).hexdigest()


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return None


def _network(request: web.Request) -> str:
    """Where somebody sits: who has one IPv6 address has billions beside it."""
    address = _address(request.remote or "")
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is None:
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


def _same(origin: str | None, host: str) -> bool:
    return origin is not None and origin.lower() in (
        f"http://{host.lower()}",
        f"https://{host.lower()}",
    )


def _said(status: int, sentence: str) -> web.Response:
    reason = HTTPStatus(status).phrase
    return web.Response(status=status, reason=reason, text=f"{sentence}\n", headers=HEADERS)


def _dressed(response: web.StreamResponse) -> web.StreamResponse:
    if not response.prepared:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
    return response
