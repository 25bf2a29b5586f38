"""HTTP mode: what Slack delivers signed, on the one server, to the same app as over sockets."""

from __future__ import annotations

import logging
from secrets import token_urlsafe

from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_sdk.signature import Clock as SlackClock
from slack_sdk.signature import SignatureVerifier

from bot.ports import Clock

PATH = "/slack/events"

_log = logging.getLogger(__name__)


def routes(app: AsyncApp, signing_secret: str, clock: Clock) -> list[web.RouteDef]:
    """The signature is checked before anything else is looked at: bolt would parse first."""
    # Without a secret nobody may come in.
    verifier = SignatureVerifier(signing_secret or token_urlsafe(), clock=_Time(clock))

    async def deliver(request: web.Request) -> web.Response:
        body = _signed(request, await request.read(), verifier)
        if body is None:
            return web.json_response({"error": "invalid request"}, status=401)
        try:
            # bolt takes for granted what some fields are.
            asked = AsyncBoltRequest(
                body=body, query=request.query_string, headers=dict(request.headers)
            )
        except Exception:  # noqa: BLE001 - whatever it is, there is nothing to be done with it
            _log.exception("what Slack delivered cannot be read")
            return web.json_response({"error": "invalid request"}, status=400)
        return await to_aiohttp_response(await app.async_dispatch(asked))

    return [web.post(PATH, deliver)]


def _signed(request: web.Request, raw: bytes, verifier: SignatureVerifier) -> str | None:
    """The text that Slack signed a moment ago; None for anybody else's."""
    stamp = request.headers.get("X-Slack-Request-Timestamp", "")
    signature = request.headers.get("X-Slack-Signature", "")
    if not (stamp.isascii() and stamp.isdigit() and len(stamp) <= _LONGEST_STAMP):
        return None
    if not signature.isascii():
        return None
    try:
        body = raw.decode()
    except UnicodeDecodeError:
        return None
    return body if verifier.is_valid(body, stamp, signature) else None


_LONGEST_STAMP = 15


class _Time(SlackClock):
    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def now(self) -> float:
        return self._clock.now().timestamp()
