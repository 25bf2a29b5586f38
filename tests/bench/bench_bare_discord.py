"""discord.py and nothing else: every press gets the next of some replies that are made already.

    python tests/bench/bench_bare_discord.py BASE GATEWAY     (replies.json in its folder)

Each reply has the shape and the size of one that quizbot gave.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import sys
from pathlib import Path
from typing import Any

import discord
from child import serve
from discord_child import point

REPLIES = "replies.json"
_NOBODY = discord.AllowedMentions.none()


class Reply(discord.ui.LayoutView):
    """Made once, and finished before it is sent, so that discord.py does not keep it."""

    def __init__(self, components: list[dict[str, Any]]) -> None:
        super().__init__(timeout=None)
        self._made = components
        self.stop()

    def to_components(self) -> list[dict[str, Any]]:
        return self._made

    def has_components_v2(self) -> bool:
        return True


class Bare(discord.AutoShardedClient):
    """The same client as quizbot's, without quizbot."""

    def __init__(self, replies: list[Any]) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True),
            allowed_mentions=_NOBODY,
            chunk_guilds_at_startup=False,
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
        )
        self._replies = itertools.cycle([Reply(made) for made in replies])

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(view=next(self._replies), ephemeral=True)


async def main(base: str, gateway: str, replies: str) -> None:
    point(base, gateway)
    async with Bare(json.loads(replies)) as client:
        running = asyncio.create_task(client.start(os.environ["DISCORD_TOKEN"]))
        await serve()
        running.cancel()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], Path(REPLIES).read_text(encoding="utf-8")))
