"""Where stories are told: on the bare core, in the room, on Discord, on Slack, in the terminal."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from bare_stage import BareStage
from conversation import Stage
from discord_stage import DiscordStage
from quizzes import write_banks
from room_stage import RoomStage
from slack_stage import SlackStage
from terminal_stage import TerminalStage

Kind = Callable[[str, list[Path]], Any]

SHARED: dict[str, Kind] = {
    "bare": BareStage,
    "room": RoomStage,
    "discord": DiscordStage,
    "slack": SlackStage,
}
"""Where a group plays."""


@asynccontextmanager
async def _begun(kind: Kind, folder: Path) -> AsyncIterator[Any]:
    stage = kind(f"sqlite:///{folder / 'quizbot.db'}", [write_banks(folder / "banks")])
    await stage.start()
    yield stage
    await stage.stop()


@pytest.fixture(params=SHARED)
async def stage(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stage]:
    async with _begun(SHARED[request.param], tmp_path) as stage:
        yield stage


@pytest.fixture(params=[*SHARED.values(), TerminalStage])
async def alone(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stage]:
    """For what one person does with nobody else about: in the terminal too."""
    async with _begun(request.param, tmp_path) as stage:
        yield stage


@pytest.fixture
async def bare(tmp_path: Path) -> AsyncIterator[BareStage]:
    async with _begun(BareStage, tmp_path) as stage:
        yield stage


@pytest.fixture
async def discord(tmp_path: Path) -> AsyncIterator[DiscordStage]:
    async with _begun(DiscordStage, tmp_path) as stage:
        yield stage


@pytest.fixture
async def slack(tmp_path: Path) -> AsyncIterator[SlackStage]:
    async with _begun(SlackStage, tmp_path) as stage:
        yield stage
