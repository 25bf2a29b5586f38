"""Slack as a stage: real slack_bolt and slack_sdk over real sockets, to a stand-in people use."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import slack_reading as reading
import stand_in_slack_people as people
from clock import StandingClock
from conversation import Person, Seen
from prepared import prepare
from quizzes import write_banks
from stand_in_slack import StandInSlack
from stand_in_slack_channels import Channel
from stand_in_slack_messages import Message
from stand_in_slack_seen import Seen as Came
from stand_in_slack_views import View
from stand_in_slack_workspaces import Workspace

from adapters.running import Up, running
from adapters.settings import Settings
from adapters.slack.app import SlackBot
from adapters.slack.manifest import BOT_SCOPES
from bot.commands import Read, read_typed
from bot.store import heartbeats
from bot.store.store import Store


@asynccontextmanager
async def on_slack(folder: Path, **settings: str) -> AsyncIterator[SlackStage]:
    """A stage with the small quizzes, up until the block ends."""
    banks = write_banks(folder / "banks")
    stage = SlackStage(f"sqlite:///{folder / 'quizbot.db'}", [banks], **settings)
    await stage.start()
    try:
        yield stage
    finally:
        await stage.stop()


class SlackStage:
    """One channel of one workspace; `/x` is typed as `/quiz x`."""

    name = "slack"

    def __init__(self, database: str, banks: Sequence[Path], **settings: str) -> None:
        self.clock = StandingClock()
        # The clock stands still: how long it takes says what else the machine does.
        self.world = StandInSlack(now=self.clock.now, patience=15)
        # What the manifest asks for has to be enough for everything that people do.
        self.workspace: Workspace = self.world.workspace("Study group", scopes=BOT_SCOPES)
        self.place: Channel = self.workspace.channel("general")
        given: dict[str, Any] = {
            "QUIZBOT_DATABASE_URL": database,
            "QUIZBOT_BANKS": ":".join(map(str, banks)),
            "SLACK_BOT_TOKEN": self.workspace.token,
            "SLACK_APP_TOKEN": self.world.app_token,
            **settings,
        }
        self.settings = Settings(**given)
        self._world = AsyncExitStack()
        self._stack = AsyncExitStack()
        self._up: Up | None = None
        self._members: dict[str, people.Person] = {}
        self._forms: dict[str, View] = {}

    async def start(self) -> None:
        if not self.world.base:
            await self._world.enter_async_context(self.world)
        prepare(self.settings.database_url)
        up = running(self.settings, clock=self.clock, chance=random.Random(20))
        self._up = await self._stack.enter_async_context(up)
        await self.settle()

    async def stop(self) -> None:
        await self._leave()
        await self._world.aclose()
        if self.workspace.app.scopes >= set(BOT_SCOPES):
            assert [call for call in self.world.calls if call.error == "missing_scope"] == []

    async def restart(self, away: float = 0.0) -> None:
        await self._leave()
        self.clock.move(away)
        await self.start()

    @property
    def store(self) -> Store:
        return self.up.parts.store

    async def live_until(self, at: datetime) -> None:
        await self.up.parts.store.write(lambda c: heartbeats.beat(c, at), wakes=False)

    async def settle(self) -> None:
        await self.world.until(lambda: self._is_settled)

    async def type(self, person: Person, text: str) -> Seen:
        if not isinstance(read_typed(text, ()), Read):
            pytest.skip(f"a client of Slack sends no command {text!r}")
        if text == "/quiz":
            pytest.skip("the command alone opens a form on Slack")
        name, _, rest = text.partition(" ")
        line = text if name == "/quiz" else f"/quiz {name.removeprefix('/')} {rest}"
        member = await self.present(person)
        return await self.seen(member.begins_to_type(line, self.place))

    async def press(self, person: Person, message: Seen, token: str, private: bool) -> Seen:
        # Who was about to press when the message changed presses all the same.
        pressed, member = self._message(message), await self.present(person)
        if pressed.for_person not in (None, member):
            pytest.skip("nobody can press what only somebody else sees on Slack")
        is_there = any(one["action_id"] == token for one in pressed.elements)
        return await self.seen(member.begins_to_press(pressed, token, forged=not is_there))

    async def choose(self, person: Person, message: Seen, token: str, value: str) -> Seen:
        member = await self.present(person)
        # A choice is told to the one who made it before this returns.
        chosen = await member.chooses(self._message(message), token, value)
        return await self.seen(chosen)

    async def fill(self, person: Person, form: Seen, values: Mapping[str, str]) -> Seen:
        if not form.form:
            # A form that could not open: a button does.
            form = await self.press(person, form, next(iter(form.buttons.values())), True)
        view, member = self._forms[form.form], await self.present(person)
        elements = {one["block_id"]: one["element"] for one in view.fields}
        entered = {
            name: await self._entered(member, view, elements[name], value)
            for name, value in values.items()
        }
        return await self.seen(member.begins_to_fill(view, entered))

    async def channel(self) -> list[Seen]:
        return [self.read(message) for message in self.place.messages]

    # --- what tests of Slack alone need ------------------------------------------------------

    async def pass_until(self, condition: Callable[[], object]) -> None:
        """Time goes by, a little at each look, until something is so."""

        def look() -> bool:
            if condition():
                return True
            self.clock.move(0.1)
            return False

        await self.world.until(look)

    @property
    def up(self) -> Up:
        assert self._up is not None, "it has not been started"
        return self._up

    @property
    def bot(self) -> SlackBot:
        assert self.up.slack is not None
        return self.up.slack

    def member(self, person: Person) -> people.Person:
        if person.name not in self._members:
            member = self.workspace.person(
                person.name, locale=_locale(person.locale), admin=person.organiser
            )
            self._members[person.name] = member
            self.place.members.add(member)
        return self._members[person.name]

    async def present(self, person: Person) -> people.Person:
        """A member; who reads another language has been met before, as Slack says it too late."""
        is_new = person.name not in self._members
        member = self.member(person)
        if is_new and person.locale:
            await member.opens_home()
        return member

    async def seen(self, came: Came) -> Seen:
        """What came of it, as the one who did it reads it."""
        edits = {one.ts: one.edits for one in came.person.sees}

        def own() -> list[Message]:
            """What is new to them, or is another by now."""
            changed = [one for one in came.person.sees if one.edits > edits.get(one.ts, one.edits)]
            return [*changed, *came.private]

        await came.until(lambda: came.has_modal or came.errors or own() or _private(came))
        assert came.failed is None, came.failed
        if came.has_modal:
            return self._form(came.modal)
        if came.errors:
            assert came.view is not None
            return self._form(came.view, *came.errors.values())
        message = _private(came) or next(iter(own()), None)
        assert message is not None, "nothing private came"
        return self.read(message)

    def read(self, message: Message | View) -> Seen:
        selects = [one for one in message.elements if one["type"] == "static_select"]
        return Seen(
            reading.words(message.blocks),
            reading.options(message.blocks),
            {one["text"]["text"]: one["action_id"] for one in message.buttons},
            {
                option["text"]["text"]: (select["action_id"], option["value"])
                for select in selects
                for option in select["options"]
            },
            id=message.id if isinstance(message, View) else message.ts,
        )

    @property
    def _is_settled(self) -> bool:
        scheduler = self.up.scheduler
        return scheduler.is_idle and self.clock.is_still and self.bot.is_idle

    def _form(self, view: View, *more: str) -> Seen:
        self._forms[view.id] = view
        labels = [one["label"]["text"] for one in view.fields]
        hints = [one["hint"]["text"] for one in view.fields if "hint" in one]
        return Seen("\n".join([view.title, view.text, *labels, *hints, *more]), form=view.id)

    def _message(self, seen: Seen) -> Message:
        everything = [
            *self.place.messages,
            *(one for member in self._members.values() for one in member.sees),
        ]
        if seen.id:
            return next(one for one in everything if one.ts == seen.id)
        return max(everything, key=lambda one: float(one.ts))

    async def _entered(
        self, member: people.Person, view: View, element: dict[str, Any], value: str
    ) -> object:
        """As the client has it: options that were looked up, people and channels by their ids."""
        if element["type"] == "external_select":
            found = await member.looks_up(view, element["action_id"], value)
            names = [(one["value"].casefold(), one["text"]["text"].casefold()) for one in found]
            return next(
                one for one, both in zip(found, names, strict=True) if value.casefold() in both
            )
        if element["type"].startswith("multi_"):
            known = {one.name: one.id for one in self._members.values()}
            return [known.get(part, part) for part in value.split(",") if part]
        return value

    async def _leave(self) -> None:
        await self._stack.aclose()
        self._up = None


def _private(came: Came) -> Message | None:
    if came.private:
        return came.private[-1]
    pressed = came.pressed
    is_own = pressed is not None and pressed.is_private and came.is_updated
    return pressed if is_own else None


def _locale(tag: str | None) -> str:
    """As Slack's clients report it: always with a country."""
    return {"fr": "fr-FR", "en": "en-US"}.get(tag or "en", tag or "en-US")
