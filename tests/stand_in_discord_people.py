"""People of the stand-in Discord: what they do in their client, and what they see come of it."""

from __future__ import annotations

import asyncio
from typing import Any

from stand_in_discord_channels import Channel
from stand_in_discord_component_rules import SELECTS
from stand_in_discord_doing import command_data, modal_data, select_data
from stand_in_discord_interactions import (
    AUTOCOMPLETE,
    COMMAND,
    COMPONENT,
    SUBMIT,
    Interaction,
)
from stand_in_discord_messages import Message
from stand_in_discord_permissions import Permission
from stand_in_discord_sending import post
from stand_in_discord_world import DM, User, World

# What a person's client says where nothing came within three seconds.
FAILURES = {
    COMMAND: "The application did not respond",
    COMPONENT: "This interaction failed",
    AUTOCOMPLETE: "Loading options failed",
    SUBMIT: "Something went wrong. Try again.",
}


class Seen:
    """What came of one thing that a person did. It goes on changing with what the bot sends."""

    def __init__(self, interaction: Interaction) -> None:
        self.interaction = interaction

    @property
    def failed(self) -> str | None:
        interaction = self.interaction
        return None if interaction.callback else FAILURES[interaction.kind]

    @property
    def messages(self) -> list[Message]:
        """The messages that it brought, private and public, the oldest first."""
        interaction = self.interaction
        first = [interaction.original] if self._kind in (4, 5) and interaction.original else []
        return [one for one in (*first, *interaction.follow_ups) if not one.deleted]

    @property
    def message(self) -> Message:
        """The newest of them; if there is none, the message that it changed."""
        messages = self.messages
        if not messages and self._kind in (6, 7) and self.interaction.original:
            return self.interaction.original
        assert messages, f"no message came: {self.failed or self.interaction.callback}"
        return messages[-1]

    @property
    def private(self) -> list[Message]:
        return [one for one in self.messages if one.is_private]

    @property
    def text(self) -> str:
        """What is to be read in the newest message."""
        return self.message.text

    @property
    def is_updated(self) -> bool:
        """Whether the message that was pressed changed by it (also the form's message)."""
        return self._kind == 7

    @property
    def is_deferred(self) -> bool:
        return self._kind in (5, 6)

    @property
    def choices(self) -> list[dict[str, Any]]:
        assert self.interaction.callback is not None, self.failed
        return list(self.interaction.callback["data"]["choices"])

    @property
    def modal(self) -> Modal:
        assert self._kind == 9, f"no form came: {self.failed or self.interaction.callback}"
        assert self.interaction.callback is not None
        return Modal(self.interaction, self.interaction.callback["data"])

    @property
    def _kind(self) -> int:
        return self.interaction.callback["type"] if self.interaction.callback else 0

    async def settle(self) -> None:
        """Wait until there is an answer that is no "thinking …", or none can come any more."""
        interaction, loop = self.interaction, asyncio.get_running_loop()
        until = loop.time() + interaction.world.patience
        while not self._is_settled():
            try:
                # Not `wait_for`: before Python 3.12 that may not hear that it is to stop.
                async with asyncio.timeout_at(until):
                    await interaction.changed.wait()
            except TimeoutError:
                break
        if interaction.callback is None:
            interaction.is_over = True

    def _is_settled(self) -> bool:
        if self.interaction.callback is None:
            return self.interaction.is_late
        original = self.interaction.original
        return self._kind != 5 or original is None or not original.is_loading


class Modal:
    """A form that came up."""

    def __init__(self, interaction: Interaction, data: dict[str, Any]) -> None:
        self.interaction = interaction
        self.title: str = data["title"]
        self.custom_id: str = data["custom_id"]
        self.components: list[dict[str, Any]] = data["components"]

    @property
    def fields(self) -> list[dict[str, Any]]:
        """What can be filled in, by itself."""
        inner = [one.get("component") or one.get("components") for one in self.components]
        return [one[0] if isinstance(one, list) else one for one in inner if one]

    @property
    def labels(self) -> list[str]:
        return [one["label"] for one in (*self.components, *self.fields) if one.get("label")]


class Person(User):
    """Somebody with a Discord client. `sees` has the private messages that they were sent."""

    def __init__(self, world: World, name: str, locale: str = "en-US") -> None:
        super().__init__(world.new_id(), name)
        self.world = world
        self.locale = locale
        self.has_installed = False
        self.sees: list[Message] = []
        self._dm: Channel | None = None
        world.people[self.id] = self

    @property
    def dm(self) -> Channel:
        """The direct messages with the bot."""
        if self._dm is None:
            self._dm = Channel(self.world, DM, self.name, recipients=[self])
        return self._dm

    def install(self) -> None:
        """Install the bot for themselves, to use it everywhere."""
        self.has_installed = True

    def close_dm(self) -> None:
        """Let the bot send no direct messages."""
        self.world.closed_to_bot.add(self.id)

    def says(self, channel: Channel, text: str) -> Message:
        message = Message(self.world.new_id(), channel, self)
        message.change({"content": text}, {})
        post(message)
        return message

    async def slash(self, channel: Channel, command: str, /, **options: Any) -> Seen:
        """Type `/command`; a subcommand after a space; people, channels and roles as themselves."""
        data, owners = command_data(self, channel, command, options)
        return await self._do(Interaction(self.world, self, channel, COMMAND, data, owners))

    async def autocomplete(
        self, channel: Channel, command: str, option: str, typed: str, /, **options: Any
    ) -> list[dict[str, Any]]:
        """Type into an option; what is offered, as the bot sent it."""
        given = {**options, option: typed}
        data, owners = command_data(self, channel, command, given, focused=option)
        seen = await self._do(Interaction(self.world, self, channel, AUTOCOMPLETE, data, owners))
        assert seen.failed is None, seen.failed
        return seen.choices

    async def press(self, message: Message, custom_id: str, *, forged: bool = False) -> Seen:
        """Press a button, by its custom id; `forged`: also one that cannot be pressed there."""
        if not forged:
            component = self._usable(message, custom_id)
            assert component["type"] == 2, f"{custom_id} is no button"
        return await self._use(message, {"component_type": 2, "custom_id": custom_id})

    async def choose(self, message: Message, custom_id: str, values: list[Any]) -> Seen:
        """Choose in a select: values of its options, or people, channels, roles as themselves."""
        component = self._usable(message, custom_id)
        assert component["type"] in SELECTS, f"{custom_id} is no select"
        return await self._use(message, select_data(message.channel, component, values))

    async def submit(self, modal: Modal, values: dict[str, Any] | None = None) -> Seen:
        """Send a form, with values by custom id; what is left out stays as it came up."""
        opened_by = modal.interaction
        data = modal_data(opened_by.channel, modal.custom_id, modal.components, values or {})
        interaction = Interaction(
            self.world, self, opened_by.channel, SUBMIT, data, opened_by.owners,
            message=opened_by.message, opened_by=opened_by,
        )  # fmt: skip
        return await self._do(interaction)

    def _usable(self, message: Message, custom_id: str) -> dict[str, Any]:
        component = message.component(custom_id)
        assert component is not None, f"there is no {custom_id} on it: {message.labels}"
        assert not component.get("disabled"), f"{custom_id} is disabled"
        return component

    async def _use(self, message: Message, data: dict[str, Any]) -> Seen:
        gone = message.deleted or message.channel.deleted
        assert not gone, "that message was deleted"
        assert message.for_person in (None, self), "only somebody else sees that message"
        channel = message.channel
        assert Permission.VIEW_CHANNEL in channel.permissions(self), f"{self.name} is not there"
        component = message.component(data["custom_id"])
        data = {"id": component["id"] if component else 1, **data}
        if message.interaction is not None:
            owners = message.interaction.owners
        else:
            owners = {"0": str(channel.guild.id if channel.guild else 0)}
        return await self._do(
            Interaction(self.world, self, channel, COMPONENT, data, owners, message=message)
        )

    async def _do(self, interaction: Interaction) -> Seen:
        channel = interaction.channel
        guild = channel.guild.id if channel.guild and channel.guild.has_bot else None
        self.world.emit("INTERACTION_CREATE", interaction.payload(), guild=guild)
        seen = Seen(interaction)
        await seen.settle()
        return seen
