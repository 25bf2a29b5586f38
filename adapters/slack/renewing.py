"""Gets new tokens before the old ones end: one at a time for an installation, wherever it runs."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from slack_sdk.oauth.installation_store import Installation

from adapters.slack.client import Answer, Client, Denied, Done, Limited
from adapters.slack.installations import Held, Installations
from bot.ports import Clock
from bot.sharing import Shared
from bot.store.addresses import StoreUnavailable

BEFORE = timedelta(hours=2)
"""So long before a token ends a new one is got; Slack gives them for twelve hours."""

_HOLD_LASTS = timedelta(seconds=60)
"""Longer than a call can take: then whoever held it is taken to have died."""

_PAUSE = timedelta(minutes=5)
"""After it was not given: Slack may be away, or somebody has to mend the settings."""

# The refresh token is of no use any more, and only a new installation brings another.
_SPENT = {"invalid_refresh_token", "token_revoked", "account_inactive"}

_STORED_AGAIN = timedelta(seconds=1)
_LOOK_EVERY = timedelta(seconds=0.5)

_log = logging.getLogger(__name__)


class Renewing:
    """Slack takes a refresh token once, so two who used the same would leave one with nothing."""

    def __init__(
        self,
        client: Client,
        installations: Installations,
        client_id: str,
        client_secret: str,
        clock: Clock,
    ) -> None:
        self._client = client
        self._installations = installations
        self._client_id = client_id
        self._client_secret = client_secret
        self._clock = clock
        self._name = secrets.token_hex(8)
        self._renewing: Shared[str, Held] = Shared()
        self._ending = asyncio.Event()
        self._paused: dict[str, datetime] = {}
        self._spent: set[str] = set()

    def is_due(self, held: Held) -> bool:
        until = held.kept.expires_at
        return until is not None and self._clock.now() >= until - BEFORE and not self._waits(held)

    def has_ended(self, held: Held) -> bool:
        until = held.kept.expires_at
        return until is not None and self._clock.now() >= until

    def is_hopeless(self, held: Held) -> bool:
        """Slack takes its refresh token no more."""
        return held.kept.data in self._spent

    async def renewed(self, held: Held) -> Held:
        """The installation with tokens that work, or as it is now where there are none to be had.

        Whoever asks while it is under way shares it.
        """
        return await self._renewing.get(held.id, lambda: self._renewed(held))

    async def finish(self) -> None:
        """New tokens that are on their way are stored; nobody waits for what another gets."""
        self._ending.set()
        under_way = self._renewing.under_way
        try:
            if under_way:
                await asyncio.wait(under_way)
        finally:
            # Where a stop has no more time for it.
            for renewing in under_way:
                renewing.cancel()

    def _waits(self, held: Held) -> bool:
        until = self._paused.get(held.id)
        return until is not None and self._clock.now() < until

    async def _renewed(self, held: Held) -> Held:
        if self._waits(held) or self._ending.is_set():
            return held
        mine = await self._installations.hold(held, self._name, _HOLD_LASTS)
        if mine is None:
            return await self._of_another(held)
        if mine.kept.data != held.kept.data and not self.is_due(mine):
            # Another had finished just before.
            await self._installations.let_go(mine, self._name)
            return mine
        answer = await self._ask(mine.installation.bot_refresh_token or "")
        if isinstance(answer, Done) and answer.data.get("access_token"):
            await self._keep(mine, self._changed(mine.installation, answer.data))
        else:
            _log.warning("Slack gave no new token for %s: %s", mine.id, _word(answer))
            self._paused[mine.id] = self._clock.now() + _pause_after(answer)
            if _word(answer) in _SPENT:
                self._spent.add(mine.kept.data)
            await self._installations.let_go(mine, self._name)
        return await self._installations.find(mine.id) or mine

    async def _keep(self, mine: Held, changed: Installation) -> None:
        """Slack gives it once: while the database is away it waits here until it is stored."""
        is_told = False
        try:
            while True:
                try:
                    await self._installations.renew(mine, changed)
                    return
                except StoreUnavailable as error:
                    if not is_told:
                        _log.warning("a new token for %s is stored later: %s", mine.id, error)
                        is_told = True
                await self._clock.wait(asyncio.Event(), self._clock.now() + _STORED_AGAIN)
        except asyncio.CancelledError:
            _log.error(
                "a new token for %s could not be stored; should Slack not take the old one any "
                "more, have quizbot installed there anew", mine.id,
            )  # fmt: skip
            raise

    async def _of_another(self, held: Held) -> Held:
        """What another process gets: waited for only where the old token has ended."""
        until = self._clock.now() + _HOLD_LASTS
        while True:
            found = await self._installations.find(held.id)
            is_over = self._clock.now() >= until or self._ending.is_set()
            if found is None or not self.has_ended(found) or is_over:
                return found or held
            await self._clock.wait(self._ending, self._clock.now() + _LOOK_EVERY)

    async def _ask(self, refresh_token: str) -> Answer:
        body = {
            "client_id": self._client_id,
            "client_secret": self._client_secret,
            "grant_type": "refresh_token",
            "refresh_token": refresh_token,
        }
        # Not urgent: whoever stops quizbot waits for one call and no more.
        return await self._client.call("oauth.v2.access", body, token="")

    def _changed(self, installation: Installation, data: Mapping[str, Any]) -> Installation:
        values = installation.to_dict_for_copying()
        values["bot_token"] = data["access_token"]
        values["bot_refresh_token"] = data.get("refresh_token") or installation.bot_refresh_token
        values["bot_token_expires_at"] = ends_at(data, self._clock.now())
        return Installation(**values)


def ends_at(data: Mapping[str, Any], now: datetime) -> datetime | None:
    """When the token in an answer of `oauth.v2.access` ends; None: never."""
    lives = data.get("expires_in")
    return None if not lives else now + timedelta(seconds=int(lives))


def _pause_after(answer: Answer) -> timedelta:
    """Where Slack says how long, it is not asked later than that."""
    if isinstance(answer, Limited):
        return min(_PAUSE, timedelta(seconds=answer.seconds))
    return _PAUSE


def _word(answer: Answer) -> str:
    """Why not; what Slack said of a token is no part of it."""
    return answer.error if isinstance(answer, Denied) else type(answer).__name__
