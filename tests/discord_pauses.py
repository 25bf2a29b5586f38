"""discord.py's own pauses, cut short: it asks no clock that could be given to it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from types import ModuleType
from typing import Any

import discord.client
import discord.http
import discord.shard
import discord.state
import discord.webhook.async_
import pytest

TIMES = 50


def shorten_pauses(patch: pytest.MonkeyPatch) -> None:
    """Before it identifies or connects anew, and until it takes its servers to be all there."""
    for module in (discord.client, discord.shard):
        patch.setattr(module, "asyncio", _Hasty())
    patch.setattr(discord.state, "asyncio", _Impatient())


def shorten_retries(patch: pytest.MonkeyPatch) -> None:
    """Before it asks again what Discord failed at: its limits, too, are waited out no longer."""
    for module in (discord.http, discord.webhook.async_):
        patch.setattr(module, "asyncio", _Hasty())


class _Hasty(ModuleType):
    """asyncio, whose sleeps are short."""

    def __init__(self) -> None:
        super().__init__(asyncio.__name__)

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    async def sleep(self, delay: float) -> None:
        await asyncio.sleep(delay / TIMES)


class _Impatient(_Hasty):
    async def wait_for(self, what: Awaitable[Any], timeout: float) -> Any:  # noqa: ASYNC109 - theirs
        return await asyncio.wait_for(what, timeout / TIMES)
