"""Discord as a stage: real discord.py over real sockets, to a stand-in that people use."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import stand_in_discord_people as people
from clock import StandingClock
from conversation import Person, Seen
from discord_reading import Reader
from prepared import prepare
from stand_in_discord import StandInDiscord
from stand_in_discord_channels import Channel
from stand_in_discord_component_rules import SELECTS
from stand_in_discord_doing import BOOLEAN, INTEGER
from stand_in_discord_guilds import Guild
from stand_in_discord_interactions import COMMAND, COMPONENT, Interaction
from stand_in_discord_messages import Message
from stand_in_discord_people import Modal

from adapters.running import Up, running
from adapters.settings import Settings
from bot.commands import SWITCHED_ON, Read, read_typed
from bot.daily_lines import read_line
from bot.store import heartbeats
from bot.store.store import Store
from bot.wording.voice import Voice, language_codes


class DiscordStage:
    """One channel of one server. What people type is what they choose in the command's options."""

    name = "discord"

    def __init__(self, database: str, banks: Sequence[Path], **settings: str) -> None:
        self.clock = StandingClock()
        # The clock stands still: how long it takes says what else the machine does.
        self.world = StandInDiscord(now=self.clock.now, patience=15)
        self.guild: Guild = self.world.guild("Study group")
        self.place: Channel = self.guild.channel("general")
        given: dict[str, Any] = {
            "QUIZBOT_DATABASE_URL": database,
            "QUIZBOT_BANKS": ":".join(map(str, banks)),
            "DISCORD_TOKEN": self.world.token,
            **settings,
        }
        self.settings = Settings(**given)
        self._world = AsyncExitStack()
        self._stack = AsyncExitStack()
        self._up: Up | None = None
        self._members: dict[str, people.Person] = {}
        self._forms: dict[str, Modal] = {}

    async def start(self) -> None:
        if not self.world.base:
            await self._world.enter_async_context(self.world)
        prepare(self.settings.database_url)
        up = running(self.settings, clock=self.clock, chance=random.Random(20))
        self._up = await self._stack.enter_async_context(up)
        await self.world.until(lambda: self.world.gateway.connected)
        await self.world.until(lambda: any(self.world.commands.values()))
        await self.settle()

    async def stop(self) -> None:
        await self._leave()
        await self._world.aclose()

    async def restart(
        self, away: float = 0.0, meanwhile: Callable[[], object] = lambda: None
    ) -> None:
        """`meanwhile` happens on Discord while quizbot is off."""
        await self._leave()
        self.clock.move(away)
        meanwhile()
        await self.start()

    @property
    def store(self) -> Store:
        return self.up.parts.store

    async def live_until(self, at: datetime) -> None:
        await self.up.parts.store.write(lambda c: heartbeats.beat(c, at), wakes=False)

    async def settle(self) -> None:
        scheduler = self.up.scheduler
        while True:
            seen = self.clock.waits
            if scheduler.is_idle and self.clock.is_waited_for:
                break
            await self.clock.next_wait(seen)

    async def type(self, person: Person, text: str) -> Seen:
        read = read_typed(text, language_codes() | self._languages())
        if not isinstance(read, Read):
            pytest.skip(f"a client of Discord sends no command {text!r}")
        data, owners = self._command(read)
        return await self._do(person, COMMAND, data, owners)

    async def press(self, person: Person, message: Seen, token: str, private: bool) -> Seen:
        # Who was about to press when the message changed presses all the same.
        pressed = self._message(message)
        data = {"id": 1, "component_type": 2, "custom_id": token}
        owners = {"0": str(self.guild.id)}
        return await self._do(person, COMPONENT, data, owners, pressed)

    async def choose(self, person: Person, message: Seen, token: str, value: str) -> Seen:
        return self.seen(await self.member(person).choose(self._message(message), token, [value]))

    async def fill(self, person: Person, form: Seen, values: Mapping[str, str]) -> Seen:
        if not form.form:
            # Discord opens no form from a form: a button does.
            form = await self.press(person, form, next(iter(form.buttons.values())), True)
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

    async def _do(
        self,
        person: Person,
        kind: int,
        data: dict[str, Any],
        owners: dict[str, str],
        message: Message | None = None,
    ) -> Seen:
        """What a client sends, also one that holds nobody back."""
        interaction = Interaction(
            self.world, self.member(person), self.place, kind, data, owners, message=message
        )
        self.world.emit("INTERACTION_CREATE", interaction.payload(), guild=self.guild.id)
        came = people.Seen(interaction)
        await came.settle()
        return self.seen(came)

    def _languages(self) -> set[str]:
        """The names by which a quiz's language can be typed."""
        return {word.casefold() for pair in self.up.app.languages() for word in pair}

    def _command(self, read: Read) -> tuple[dict[str, Any], dict[str, str]]:
        name, _, part = read.name.partition(" ")
        known = next(one for one in self.world.commands[None] if one["name"] == name)
        data = {"id": known["id"], "name": name, "type": 1}
        if not part:
            data["options"] = self._options(known, read.options)
            return data, {"0": str(self.guild.id)}
        inner = next((one for one in known["options"] if one["name"] == part), None)
        if inner is None:
            pytest.skip(f"a client of Discord sends no command {read.name!r}")
        options = self._options(inner, _of_part(part, read.options.get("words", "")))
        data["options"] = [{"name": part, "type": 1, "options": options}]
        return data, {"0": str(self.guild.id)}

    def _options(self, command: dict[str, Any], given: Mapping[str, str]) -> list[dict[str, Any]]:
        kinds = {option["name"]: option["type"] for option in command["options"]}
        return [
            {"name": key, "type": kinds[key], "value": _typed(kinds[key], self._id_of(value))}
            for key, value in given.items()
        ]

    def _id_of(self, value: str) -> str:
        """Of a channel or a role that is called so; anything else is what it is."""
        known = {f"#{one.name}": str(one.id) for one in self.guild.channels}
        known |= {f"@{one.name}": str(one.id) for one in self.guild.roles}
        return known.get(value, value)

    def _message(self, seen: Seen) -> Message:
        if not seen.id:
            return self.place.last if self.place.messages else self._newest_private()
        found = self.world.messages.get(int(seen.id))
        if found is not None:
            return found
        everything = (one for who in self._members.values() for one in who.sees)
        return next(one for one in everything if str(one.id) == seen.id)

    def _newest_private(self) -> Message:
        return max((one for who in self._members.values() for one in who.sees), key=lambda m: m.id)

    def _chosen(self, value: str) -> list[Any]:
        """Values of options; members and channels by their ids."""
        known: dict[str, Any] = {str(one.id): one for one in self._members.values()}
        known |= {str(one.id): one for one in self.guild.channels}
        return [known.get(part, part) for part in value.split(",") if part]

    async def _leave(self) -> None:
        await self._stack.aclose()
        self._up = None


def _of_part(part: str, words: str) -> Mapping[str, str]:
    """What somebody chooses in the options of a part who would type these words elsewhere."""
    match part:
        case "set":
            return read_line(words, Voice.of("en"))
        case "pause" if words:
            return {"until": words.removeprefix("until ")}
        case "skip":
            return {"dates": words}
        case _:
            if words:
                pytest.skip(f"a client of Discord sends nothing behind {part!r}")
            return {}


def _typed(kind: int, value: str) -> str | int | bool:
    if kind == BOOLEAN:
        return value in SWITCHED_ON
    return int(value) if kind == INTEGER else value
