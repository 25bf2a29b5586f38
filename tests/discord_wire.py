"""Presses sent by hand on the stand-in Discord, and answers that are slow to be stored."""

from __future__ import annotations

import asyncio
from typing import Any

import stand_in_discord_people as people
from conversation import Person, Seen
from discord_stage import DiscordStage
from quizzes import right
from stand_in_discord_interactions import COMPONENT, Interaction

CALLBACKS = "POST /interactions/..."
POSTS = "POST /channels/{channel}/messages"
EDITS = "PATCH /channels/{channel}/messages/{message}"

PICTURED = """\
schema: quizbot/1
language: en
title: Pipes
questions:
  - id: only
    text: Which pipe is full?
    image: {file: pipes.png, alt: Two pipes}
    options: {a: "left", b: "right"}
    correct: a
    explain: It is so.
"""


class SlowDisk:
    """Answers are stored when the test says so."""

    def __init__(self, stage: DiscordStage) -> None:
        self._store: Any = stage.up.parts.store
        self._record = self._store.record
        self.may_go = asyncio.Event()
        self.asked = asyncio.Event()
        setattr(self._store, "record", self._slowly)  # noqa: B010 - what mypy takes for a method

    async def _slowly(self, *what: Any, **more: Any) -> Any:
        self.asked.set()
        await self.may_go.wait()
        return await self._record(*what, **more)


def press_of(stage: DiscordStage, person: Person, message: Seen, option: str) -> Interaction:
    """A press on an answer that has yet to be sent."""
    pressed = stage.world.messages[int(message.id)]
    data = {"id": 1, "component_type": 2, "custom_id": message.button(message.letter_of(option))}
    owners = {"0": str(stage.guild.id)}
    return Interaction(
        stage.world, stage.member(person), stage.place, COMPONENT, data, owners, message=pressed
    )


def send(stage: DiscordStage, interaction: Interaction) -> None:
    stage.world.emit("INTERACTION_CREATE", interaction.payload(), guild=stage.guild.id)


async def answer_slowly(
    stage: DiscordStage, person: Person, question: Seen
) -> tuple[Interaction, SlowDisk]:
    """A right answer whose person is told to wait, and does."""
    disk = SlowDisk(stage)
    press = press_of(stage, person, question, right(question))
    send(stage, press)
    await disk.asked.wait()
    stage.clock.move(1)
    await stage.world.until(lambda: press.callback)
    return press, disk


async def told(interaction: Interaction) -> people.Seen:
    seen = people.Seen(interaction)
    await seen.settle()
    return seen
