"""Presses through the whole of Slack, over Socket Mode: quizbot beside a bare slack-bolt."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from bench_banks import write_banks
from bench_bare_slack import REPLIES
from bench_race import PEOPLE, QUESTIONS, Contestant, Press, Progress, ask_all
from child_process import HERE, Process
from slack_process import QUIZBOT, started
from stand_in_slack import StandInSlack
from stand_in_slack_channels import Channel
from stand_in_slack_messages import Message
from stand_in_slack_people import Person
from stand_in_slack_workspaces import Workspace
from stand_in_slack_world import Json

BARE = HERE / "bench" / "bench_bare_slack.py"


class OnSlack(Contestant[Person, Message]):
    def __init__(self, world: StandInSlack, process: Process, workspace: Workspace) -> None:
        people = [
            workspace.person(f"Person {number}", locale=("en-US", "fr-FR")[number % 2])
            for number in range(PEOPLE)
        ]
        super().__init__(process, people)
        self.world = world
        self.workspace = workspace

    async def press(self, person: Person, question: Message, which: int) -> Press:
        answers = question.buttons[:4]
        began = time.perf_counter()
        seen = person.begins_to_press(question, answers[which % len(answers)]["action_id"])
        acknowledged: list[float] = []

        def heard(_: Json) -> None:
            acknowledged.append(time.perf_counter() - began)

        seen.delivery.takes = heard
        await seen.settle()
        took = time.perf_counter() - began
        failed = seen.failed is not None or not seen.private
        return Press(next(iter(acknowledged), took), took, failed)

    def told(self) -> list[Any]:
        return [call.args for call in self.world.called("response_url")]

    def forget(self) -> None:
        world = self.world
        world.calls.clear()
        world.deliveries.clear()
        world.sockets.forget()
        world.response_urls.clear()
        world.triggers.clear()
        for channel in world.channels.values():
            channel.all = channel.messages
        for person in self.people:
            person.received.clear()


@asynccontextmanager
async def quizbot(folder: Path, say: Progress) -> AsyncIterator[OnSlack]:
    write_banks(folder / "banks", QUESTIONS)
    settings = {
        "QUIZBOT_BANKS": "banks",
        "QUIZBOT_DATABASE_URL": f"sqlite:///{folder / 'quizbot.db'}",
    }
    async with _contestant(folder, QUIZBOT, **settings) as made:
        host = made.workspace.person("Host", admin=True)

        async def ask(topic: str, number: int) -> None:
            channel = made.workspace.channel(f"room-{number}")
            # Who hears nothing in time on a busy machine has their quiz all the same.
            await host.types(f"/quiz {topic} 1 off", channel)
            await made.world.until(partial(_asked, channel), 60)
            made.questions.append(_asked(channel)[0])

        await ask_all(ask, say)
        yield made


@asynccontextmanager
async def bare(folder: Path, like: OnSlack) -> AsyncIterator[OnSlack]:
    (folder / REPLIES).write_text(json.dumps(like.replies), encoding="utf-8")
    async with _contestant(folder, BARE) as made:
        for number, question in enumerate(like.questions):
            channel = made.workspace.channel(f"room-{number}")
            message = Message(
                channel, made.world.new_ts(), question.fallback, question.blocks, by=made.workspace
            )
            channel.add(message)
            made.questions.append(message)
        yield made


@asynccontextmanager
async def _contestant(folder: Path, script: Path, **settings: str) -> AsyncIterator[OnSlack]:
    # Checking what is sent would cost more than all that is measured.
    world = StandInSlack(patience=10)
    world.checks = False
    async with world:
        workspace = world.workspace("Study group")
        async with started(world, workspace, folder, script, **settings) as process:
            await world.until(lambda: world.sockets.connected, 60)
            yield OnSlack(world, process, workspace)


def _asked(channel: Channel) -> list[Message]:
    return [message for message in channel.messages if len(message.buttons) >= 4]
