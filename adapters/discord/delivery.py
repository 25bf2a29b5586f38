"""Sends something to Discord once, and says what came of it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

import aiohttp
import discord

from adapters.discord.read import SEND, VIEW, lacking
from bot.ports import Clock, Failed, Later, Posted, PostResult, Refused, Unknown

SOON = 5.0
TIMEOUT = 25.0

_GONE = {10003, 10004, 10008}
_NO_ACCESS, _NO_PERMISSION, _ARCHIVED, _THREAD_EXISTS = 50001, 50013, 50083, 160004
_CLOSED_FOR = timedelta(minutes=10)
_ENDED = 300.0
_MOST_REMEMBERED = 10_000

_log = logging.getLogger(__name__)


class Delivery:
    """Where Discord refused something, it is not asked again for a while."""

    def __init__(self, client: discord.Client, clock: Clock) -> None:
        self._client = client
        self._clock = clock
        self._closed: dict[int, datetime] = {}

    def opened(self, channel_id: int) -> None:
        """The bot may post there: what was refused before is worth another try."""
        self._closed.pop(channel_id, None)

    async def tried(
        self,
        send: Callable[..., Awaitable[PostResult]],
        channel_id: int,
        *,
        needs: str = SEND,
        pictures: bool = False,
        again: bool = True,
    ) -> PostResult:
        """Send, and say what came of it. A second try where the first tells what to change."""
        if self._client.is_closed():
            # Discord has ended the connection: whoever mends that starts quizbot again.
            return Later(_ENDED)
        until = self._closed.get(channel_id)
        if until is not None and self._clock.now() < until:
            return _forbidden(self._missing(channel_id, needs))
        try:
            async with asyncio.timeout(TIMEOUT):
                return await send(pictures=pictures)
        except discord.RateLimited as error:
            return Later(error.retry_after)
        except discord.HTTPException as error:
            if again and error.code == _ARCHIVED:
                refused = await self._unarchived(channel_id)
                if refused is not None:
                    return refused
            # Without Attach Files, or where the picture was never sent, its description is.
            described = pictures and (error.code == _NO_PERMISSION or error.status == 400)
            if again and (error.code == _ARCHIVED or described):
                return await self.tried(send, channel_id, needs=needs, pictures=False, again=False)
            return self._result_of(error, channel_id, needs)
        except aiohttp.ClientConnectorError:
            return Later(SOON)
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            _log.warning("Discord may or may not have taken a message: %r", error)
            return Unknown()

    async def _unarchived(self, thread: int) -> PostResult | None:
        """Open a thread again; if that fails, what comes of the message."""
        try:
            async with asyncio.timeout(TIMEOUT):
                await self._client.http.edit_channel(thread, archived=False)
        except discord.RateLimited as error:
            return Later(error.retry_after)
        except discord.HTTPException as error:
            if error.status == 403:
                self._close(thread)
                return _locked(thread)
            return Failed(SOON) if error.status >= 500 else self._result_of(error, thread, SEND)
        except (aiohttp.ClientError, OSError, TimeoutError):
            # Nothing was posted, and a thread may be opened twice.
            return Failed(SOON)
        return None

    # --- what came of it -----------------------------------------------------------------

    def _result_of(self, error: discord.HTTPException, channel_id: int, needs: str) -> PostResult:
        if error.code == _THREAD_EXISTS:
            return Posted(str(channel_id), self._clock.now())
        if error.code == _ARCHIVED:
            return _locked(channel_id)
        if error.code in _GONE:
            return Refused(f"{error.code} {error.text}", gone=True)
        if error.status == 403:
            # Asking again and again for what is refused makes Discord lock out the whole host.
            self._close(channel_id)
            no_access = error.code == _NO_ACCESS
            return _forbidden(self._missing(channel_id, needs, no_access=no_access))
        if error.status == 401:
            # The token was taken back. No message is lost for that.
            return Later(_ENDED)
        if error.status == 429:
            return Later(float(error.response.headers.get("Retry-After", 60)))
        if error.status >= 500:
            return Unknown()
        _log.error("Discord refused a message", exc_info=error)
        return Refused(f"{error.code} {error.text}"[:200])

    def _close(self, id: int) -> None:
        """A channel, or the direct messages of a person."""
        if len(self._closed) >= _MOST_REMEMBERED:
            self._closed.clear()
        self._closed[id] = self._clock.now() + _CLOSED_FOR

    def _missing(self, channel_id: int, needs: str, *, no_access: bool = False) -> tuple[str, ...]:
        """The permissions that are missing, by name."""
        channel = self._client.get_channel(channel_id)
        if isinstance(channel, discord.abc.GuildChannel | discord.Thread):
            is_thread = isinstance(channel, discord.Thread)
            names = lacking(channel.permissions_for(channel.guild.me), in_thread=is_thread)
            if names:
                return names
        return (VIEW if no_access else needs,)


def _forbidden(lacking: tuple[str, ...]) -> Refused:
    return Refused(f"it lacks {', '.join(lacking)}", lacking=lacking)


def _locked(thread: int) -> Refused:
    _log.warning("thread %s is locked, and quizbot may not open it", thread)
    return Refused("the thread is locked", archived=True)
