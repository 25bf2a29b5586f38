"""A bot in a process of its own, on a stand-in Discord in this one."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from pathlib import Path

from child_process import HERE, Process, started_child
from stand_in_discord import StandInDiscord

QUIZBOT = HERE / "discord_child.py"


def started(
    world: StandInDiscord, folder: Path, script: Path = QUIZBOT, **settings: str
) -> AbstractAsyncContextManager[Process]:
    """A bot on that stand-in, up and at work in that folder; killed at the end of the block.

    What it logs is added to `bot.log` there.
    """
    settings = {"DISCORD_TOKEN": world.token, **settings}
    return started_child(script, world.base, world.gateway_at, folder=folder, **settings)
