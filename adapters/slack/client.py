"""Calls Slack's methods and reply addresses through one session; what comes of it is a value.

slack_sdk would send again what may have had an effect, and sleep where it is asked to wait. Here
nothing is repeated but what may be, and verdicts go before everything else.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from json import JSONDecodeError, loads
from typing import Any
from urllib.request import getproxies

import aiohttp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.ports import Clock

BASE = "https://slack.com/api/"

TIMEOUT = aiohttp.ClientTimeout(total=20)
_MOST_CLIENTS = 2_000
_PATIENCE = timedelta(seconds=30)
_AFTER_VERDICTS = 1.0
_LEAST_WAIT = 1.0
_PAUSES = (1.0, 3.0)

# Slack's own trouble, in which a part of what was asked may have been done.
_ITS_OWN = {"fatal_error", "internal_error", "request_timeout", "service_unavailable"}
# What is read takes no JSON.
_READS = (
    "auth.test", "users.info", "conversations.info", "conversations.open",
    "files.getUploadURLExternal", "apps.connections.open", "oauth.v2.access", "migration.exchange",
)  # fmt: skip

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Done:
    """It was taken; `data` is what Slack says to it."""

    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Denied:
    """It was refused, with Slack's word for why; asking again changes nothing."""

    error: str


@dataclass(frozen=True, slots=True)
class Limited:
    """Nothing was done: it may be asked again after this many seconds."""

    seconds: float

    def __str__(self) -> str:
        return f"it asks to wait {self.seconds:.0f} s"


@dataclass(frozen=True, slots=True)
class Lost:
    """No word came back; `sent`: it may have been done all the same."""

    sent: bool
    why: str

    def __str__(self) -> str:
        return self.why


Answer = Done | Denied | Limited | Lost


class Client:
    """One session for everything. `of` names the workspace whose limits a call counts against."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._base = BASE
        self._session: aiohttp.ClientSession | None = None
        self._clients: dict[str, AsyncWebClient] = {}
        self._closed: dict[tuple[str, str], datetime] = {}
        self._held: Counter[str] = Counter()
        self._is_closed = False
        self.refused: Callable[[str, str], None] | None = None
        """Told the token and Slack's word when a call is refused."""

    @property
    def session(self) -> aiohttp.ClientSession:
        """Made when it is first asked for; from then on it is to be closed."""
        if self._session is None or self._session.closed:
            connector = aiohttp.TCPConnector(limit=0, limit_per_host=100)
            # aiohttp would look for a proxy at each request anew, and in a thread.
            self._session = aiohttp.ClientSession(
                connector=connector, timeout=TIMEOUT, trust_env=bool(getproxies())
            )
            self._clients = {}
        return self._session

    async def close(self) -> None:
        """For good: whoever still asks gets no word."""
        self._is_closed = True
        if self._session is not None:
            await self._session.close()

    def web(self, token: str | None = None) -> AsyncWebClient:
        """slack_sdk's client, which sends nothing twice."""
        return AsyncWebClient(token, base_url=self._base, session=self.session, retry_handlers=[])

    async def call(
        self,
        method: str,
        body: Mapping[str, Any],
        *,
        token: str,
        of: str = "",
        urgent: bool = False,
        patience: timedelta = _PATIENCE,
    ) -> Answer:
        """Call a method, and what is `urgent` again when Slack has had the wait that it asked for.

        That one waits within its `patience`; the rest steps back.
        """
        until = self._clock.now() + patience
        while True:
            while (wait := self._wait(of, method)) or (self._held[of] and not urgent):
                if not urgent or self._clock.now() + timedelta(seconds=wait) > until:
                    return Limited(wait if urgent else wait + _AFTER_VERDICTS)
                await self._hold(wait, of)
            answer = await self._send(method, body, token)
            if isinstance(answer, Limited):
                wait = max(_LEAST_WAIT, answer.seconds)
                self._closed[of, method] = self._clock.now() + timedelta(seconds=wait)
                if urgent:
                    continue
            if isinstance(answer, Denied) and self.refused is not None:
                self.refused(token, answer.error)
            return answer

    async def respond(self, url: str, body: Mapping[str, Any], *, of: str = "") -> Answer:
        """Send a private reply to the address that came with a press or a command.

        A reply that may have arrived is sent again: the same verdict twice is better than none.
        """
        answer = await self._post(url, body)
        for pause in _PAUSES:
            if isinstance(answer, Limited) and answer.seconds <= _PATIENCE.total_seconds():
                await self._hold(answer.seconds, of)
            elif isinstance(answer, Lost):
                await self.pause(pause)
            else:
                break
            answer = await self._post(url, body)
        return answer

    async def upload(self, url: str, content: bytes) -> bool:
        """Whether a file was taken at the address that Slack gave for it."""
        try:
            async with self.session.post(url, data=content) as response:
                return response.status == 200
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            _log.warning("a picture was not uploaded: %r", error)
            return False

    async def pause(self, seconds: float) -> None:
        """Wait, and hold up nobody else."""
        await self._clock.wait(asyncio.Event(), self._clock.now() + timedelta(seconds=seconds))

    # --- inside --------------------------------------------------------------------------

    async def _send(self, method: str, body: Mapping[str, Any], token: str) -> Answer:
        if self._is_closed:
            return Lost(False, "quizbot stops")
        client = self._clients.get(token)
        if client is None or client.session is not self.session:
            if len(self._clients) >= _MOST_CLIENTS:
                # Tokens that are renewed are not used again.
                self._clients.clear()
            client = self._clients[token] = self.web(token)
        given = {key: value for key, value in body.items() if value is not None}
        try:
            if method in _READS:
                response = await client.api_call(method, data=given)
            else:
                response = await client.api_call(method, json=given)
        except SlackApiError as error:
            return _refusal(error)
        except aiohttp.ClientConnectorError as error:
            return Lost(False, _words(error))
        except (aiohttp.ClientError, OSError, TimeoutError, AttributeError) as error:
            # AttributeError: slack_sdk, where a proxy answered in plain text.
            return Lost(True, _words(error))
        return Done(response.data if isinstance(response.data, dict) else {})

    async def _post(self, url: str, body: Mapping[str, Any]) -> Answer:
        if self._is_closed:
            return Lost(False, "quizbot stops")
        try:
            async with self.session.post(url, json=body) as response:
                text = await response.text()
                if response.status == 429:
                    return Limited(_retry_after(response.headers))
                if response.status >= 500:
                    return Lost(True, f"status {response.status}")
                error = _error_in(text)
                if response.status != 200:
                    return Denied(error or f"status {response.status}")
                return Denied(error) if error else Done({})
        except aiohttp.ClientConnectorError as error:
            return Lost(False, _words(error))
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            return Lost(True, _words(error))

    def _wait(self, of: str, method: str) -> float:
        until = self._closed.get((of, method))
        if until is None:
            return 0.0
        left = (until - self._clock.now()).total_seconds()
        if left <= 0:
            del self._closed[of, method]
        return max(0.0, left)

    async def _hold(self, seconds: float, of: str) -> None:
        """Wait as long as Slack asks to; what is not urgent there comes afterwards."""
        self._held[of] += 1
        try:
            await self.pause(seconds)
        finally:
            self._held[of] -= 1


def _words(error: BaseException) -> str:
    return str(error) or type(error).__name__


def _refusal(error: SlackApiError) -> Answer:
    response: Any = error.response
    status = int(getattr(response, "status_code", 0) or getattr(response, "status", 0))
    data = getattr(response, "data", None)
    word = str(data.get("error") or "") if isinstance(data, dict) else ""
    if status == 429 or word in ("ratelimited", "rate_limited"):
        return Limited(_retry_after(getattr(response, "headers", {}) or {}))
    if status >= 500 or word in _ITS_OWN or not word:
        return Lost(True, word or f"status {status}")
    return Denied(word)


def _retry_after(headers: Mapping[str, Any]) -> float:
    found = next((value for key, value in headers.items() if key.lower() == "retry-after"), "")
    text = str(found[0] if isinstance(found, list) and found else found)
    return float(text) if text.isascii() and text.isdigit() else _PAUSES[0]


def _error_in(text: str) -> str:
    """Slack's word for what was wrong, where the answer has one: `ok`, or JSON."""
    if text.strip() in ("ok", ""):
        return ""
    try:
        data = loads(text)
    except JSONDecodeError:
        return text[:80]
    if isinstance(data, dict) and data.get("ok") is False:
        return str(data.get("error") or "refused")
    return ""
