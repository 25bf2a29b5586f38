"""Discord as a stage: real discord.py over real sockets, to a stand-in that people use."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import stand_in_discord_people as people
from clock import StandingClock
from conversation import Person, Seen
from discord_reading import Reader
from stand_in_discord import StandInDiscord
from stand_in_discord_channels import Channel
from stand_in_discord_component_rules import SELECTS
from stand_in_discord_guilds import Guild
from stand_in_discord_messages import Message
from stand_in_discord_people import Modal

from adapters.running import Up, running
from adapters.settings import Settings
from bot.commands import BY_NAME, SWITCHED_ON, Read, read_typed
from bot.wording.voice import language_codes


class DiscordStage:
    """One channel of one server. What people type is what they choose in the command's options."""

    name = "discord"

    def __init__(self, database: str, banks: Sequence[Path], **settings: str) -> None:
        self.clock = StandingClock()
        self.world = StandInDiscord(now=self.clock.now)
        self.guild: Guild = self.world.guild("Study group")
        self.place: Channel = self.guild.channel("general")
        self.settings = Settings(
            QUIZBOT_DATABASE_URL=database,
            QUIZBOT_BANKS=":".join(map(str, banks)),
            DISCORD_TOKEN=self.world.token,
            **settings,
        )
        self._world = AsyncExitStack()
        self._stack = AsyncExitStack()
        self._up: Up | None = None
        self._members: dict[str, people.Person] = {}
        self._forms: dict[str, Modal] = {}

    async def start(self) -> None:
        if not self.world.base:
            await self._world.enter_async_context(self.world)
        up = running(self.settings, clock=self.clock, chance=random.Random(20))
        self._up = await self._stack.enter_async_context(up)
        await self.world.until(lambda: self.world.gateway.connected)
        await self.world.until(lambda: self.world.commands[None])
        await self.settle()

    async def stop(self) -> None:
        await self._leave()
        await self._world.aclose()

    async def restart(self, away: float = 0.0) -> None:
        await self._leave()
        self.clock.move(away)
        await self.start()

    async def settle(self) -> None:
        scheduler = self.up.scheduler
        while not (scheduler.is_idle and self.clock.is_waited_for):
            await self.clock.next_wait()

    async def type(self, person: Person, text: str) -> Seen:
        read = read_typed(text, language_codes())
        assert isinstance(read, Read), f"Discord's client knows no command {text!r}"
        options = {key: _typed(read.name, key, value) for key, value in read.options.items()}
        return self.seen(await self.member(person).slash(self.place, read.name, **options))

    async def press(self, person: Person, message: Seen, token: str, private: bool) -> Seen:
        who, pressed = self.member(person), self._message(message)
        # Who was about to press when the message changed presses all the same.
        forged = pressed.component(token) is None
        return self.seen(await who.press(pressed, token, forged=forged))

    async def choose(self, person: Person, message: Seen, token: str, value: str) -> Seen:
        return self.seen(await self.member(person).choose(self._message(message), token, [value]))

    async def fill(self, person: Person, form: Seen, values: Mapping[str, str]) -> Seen:
        modal = self._forms[form.form]
        kinds = {field["custom_id"]: field["type"] for field in modal.fields}
        entered: dict[str, Any] = {
            name: self._chosen(value) if kinds[name] in SELECTS else value
            for name, value in values.items()
        }
        return self.seen(await self.member(person).submit(modal, entered))

    async def channel(self) -> list[Seen]:
        return [self.read(message) for message in self.place.messages]

    # --- what tests of Discord alone need ----------------------------------------------------

    @property
    def up(self) -> Up:
        assert self._up is not None, "it has not been started"
        return self._up

    def member(self, person: Person) -> people.Person:
        if person.name not in self._members:
            self._members[person.name] = self.guild.member(
                person.name, locale=person.locale or "en-US", organiser=person.organiser
            )
        return self._members[person.name]

    def seen(self, came: people.Seen) -> Seen:
        """What came of it, as the one who did it reads it."""
        assert came.failed is None, came.failed
        callback: Any = came.interaction.callback
        if callback["type"] == 9:
            modal = came.modal
            self._forms[modal.custom_id] = modal
            described = [one.get("description", "") for one in modal.components]
            lines = [modal.title, *modal.labels, *filter(None, described)]
            return Seen("\n".join(lines), form=modal.custom_id)
        if came.is_updated:
            assert came.interaction.message is not None
            return self.read(came.interaction.message)
        return self.read(came.message)

    def read(self, message: Message) -> Seen:
        reader = Reader(self.clock.now())
        return Seen(
            reader.plain(message.text),
            reader.options(message.text),
            {button["label"]: button.get("custom_id", "") for button in message.buttons},
            {
                option["label"]: (select["custom_id"], option["value"])
                for select in message.selects
                for option in select.get("options") or ()
            },
            id=str(message.id),
        )

    def _message(self, seen: Seen) -> Message:
        found = self.world.messages.get(int(seen.id))
        if found is not None:
            return found
        everything = (one for who in self._members.values() for one in who.sees)
        return next(one for one in everything if str(one.id) == seen.id)

    def _chosen(self, value: str) -> list[Any]:
        """Values of options; members and channels by their ids."""
        known: dict[str, Any] = {str(one.id): one for one in self._members.values()}
        known |= {str(one.id): one for one in self.guild.channels}
        return [known.get(part, part) for part in value.split(",") if part]

    async def _leave(self) -> None:
        await self._stack.aclose()
        self._up = None


def _typed(command: str, option: str, value: str) -> str | int | bool:
    spec = next(one for one in BY_NAME[command].options if one.name == option)
    if spec.kind == "switch":
        return value in SWITCHED_ON
    return int(value) if spec.kind == "whole" else value
