"""Signed deliveries of the stand-in Slack to the bot's own web server.

Documented: the signature, the bodies, the retry headers and reasons, `X-Slack-No-Retry`.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import aiohttp
from stand_in_slack_deliveries import COMMANDS, EVENTS, Delivery
from stand_in_slack_world import EPOCH, Json

if TYPE_CHECKING:
    from datetime import datetime

    from stand_in_slack_world import World


def signature(secret: str, timestamp: str, body: str) -> str:
    signed = hmac.new(secret.encode(), f"v0:{timestamp}:{body}".encode(), hashlib.sha256)
    return f"v0={signed.hexdigest()}"


class Doors:
    """Posts to `address`, once there is one."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.address: str | None = None
        self.statuses: list[int] = []
        """How the bot's server answered, in the order of the answers."""
        self._session: aiohttp.ClientSession | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def deliver(self, delivery: Delivery) -> None:
        task = asyncio.ensure_future(self._carry(delivery))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def headers(self, body: str, *, at: datetime | None = None, secret: str = "") -> dict[str, str]:
        """As Slack signs them; a test may give another time or secret."""
        since = (at or self.world.now()) - EPOCH
        timestamp = str(int(since.total_seconds()))
        signed = signature(secret or self.world.signing_secret, timestamp, body)
        return {
            "X-Slack-Request-Timestamp": timestamp,
            "X-Slack-Signature": signed,
            "User-Agent": "Slackbot 1.0 (+https://api.slack.com/robots)",
        }

    async def send(self, body: str, headers: dict[str, str]) -> tuple[int, str]:
        """Post anything to the bot's server, also what Slack never would."""
        assert self.address is not None, "there is no address to deliver to"
        self._session = self._session or aiohttp.ClientSession()
        async with self._session.post(self.address, data=body, headers=headers) as response:
            said = await response.text()
            self.statuses.append(response.status)
            return response.status, said

    async def verify(self) -> bool:
        """Ask the address for its challenge, as when it is entered in the app's settings."""
        challenge = self.world.new_id("challenge-")
        body = json.dumps({"token": "stand-in", "challenge": challenge, "type": "url_verification"})
        headers = {**self.headers(body), "Content-Type": "application/json"}
        status, said = await self.send(body, headers)
        return status == 200 and challenge in said

    async def end(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        if self._session is not None:
            await self._session.close()

    async def _carry(self, delivery: Delivery) -> None:
        body, kind = encoded(delivery)
        headers = {**self.headers(body), "Content-Type": kind}
        if delivery.tries:
            headers["X-Slack-Retry-Num"] = str(delivery.tries)
            headers["X-Slack-Retry-Reason"] = delivery.reason
        tries = delivery.tries
        assert self.address is not None
        self._session = self._session or aiohttp.ClientSession()
        try:
            async with self._session.post(self.address, data=body, headers=headers) as response:
                said = await response.text()
                status, told = response.status, response.headers
        except aiohttp.ClientError:
            if tries == delivery.tries:
                delivery.miss("connection_failed")
            return
        self.statuses.append(status)
        if status == 200:
            delivery.ack(_answer(said))
        elif tries == delivery.tries:
            delivery.miss("http_error", again=told.get("X-Slack-No-Retry") != "1")


def encoded(delivery: Delivery) -> tuple[str, str]:
    """The body and its content type."""
    if delivery.kind == EVENTS:
        return json.dumps(delivery.payload), "application/json"
    form: Json = delivery.payload
    if delivery.kind != COMMANDS:
        form = {"payload": json.dumps(delivery.payload)}
    return urlencode(form), "application/x-www-form-urlencoded"


def _answer(said: str) -> Json | None:
    if not said:
        return None
    if said.startswith("{"):
        answer: Json = json.loads(said)
        return answer
    return {"text": said}
