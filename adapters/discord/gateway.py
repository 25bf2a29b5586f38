"""The socket to Discord, which one message that discord.py cannot read does not end."""

from __future__ import annotations

import logging
from typing import Any

import aiohttp
from discord import DiscordException, shard
from discord.gateway import DiscordWebSocket, ReconnectWebSocket

_BEGIN_ANEW = 4000

_log = logging.getLogger(__name__)


class Gateway(DiscordWebSocket):
    """discord.py takes whatever fails in reading for a fault of its own, and connects no more.

    Discord counts the events that it tells, and discord.py notes the number before it reads one:
    what was counted can be skipped. Else nothing that follows could be trusted, so the connection
    begins anew, after discord.py's own pauses, which grow; and so it does if the first event of a
    session, which says who the bot is, cannot be read.
    """

    async def received_message(self, msg: Any, /) -> None:
        before = self.sequence
        try:
            await super().received_message(msg)
        except (ReconnectWebSocket, DiscordException, aiohttp.ClientError, OSError):
            raise
        except Exception as error:
            if before is None or self.sequence == before:
                await self.close(code=_BEGIN_ANEW)
                raise ConnectionError("Discord could not be understood") from error
            _log.exception("Discord told of something that cannot be read; it is skipped")


def use() -> None:
    """discord.py has no setting for the class of its sockets."""
    shard.DiscordWebSocket = Gateway  # type: ignore[misc]
