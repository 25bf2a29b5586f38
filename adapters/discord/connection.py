"""Keeps quizbot connected to Discord, until Discord ends that for good."""

from __future__ import annotations

import asyncio
import logging

from adapters.discord.client import Client
from adapters.discord.pauses import Pauses
from adapters.discord.trouble import why_it_ended
from bot.ports import Clock

_log = logging.getLogger(__name__)


class Connection:
    def __init__(self, client: Client, clock: Clock) -> None:
        self._client = client
        self._clock = clock
        self._ended = asyncio.Event()
        self._trouble = ""

    @property
    def is_open(self) -> bool:
        """Whether every shard of this process is connected and was told where the bot is."""
        shards = self._client.shards.values()
        is_up = self._client.is_ready() and not self._client.is_closed()
        return is_up and not any(shard.is_closed() for shard in shards)

    async def keep(self) -> None:
        """Connect, until told to stop or until Discord would take no further connection."""
        try:
            await self._connect()
        except Exception as error:  # noqa: BLE001 - whatever it was, it must not end in silence
            _log.debug("the connection to Discord ended", exc_info=error)
            self._trouble = why_it_ended(error)
            self._ended.set()

    async def wait_until_ended(self) -> str:
        """Why nothing more will come in, with what to do about it; until then, nothing."""
        await self._ended.wait()
        return self._trouble

    async def stop_hearing(self) -> None:
        """Leave the gateway; what is under way can still be told."""
        for shard in self._client.shards.values():
            await shard.disconnect()

    async def _connect(self) -> None:
        """discord.py reconnects by itself; this begins again where it could not even begin."""
        pauses = Pauses(self._clock)
        while True:
            try:
                await self._client.connect(reconnect=True)
            except Exception as error:
                # Such as what a proxy says in Discord's stead, which is none of its answers.
                if self._client.is_closed():
                    raise
                _log.warning(
                    "no connection to Discord (%r); again in %.0f s", error, pauses.seconds
                )
            if self._client.is_closed():
                return
            await pauses.wait()
