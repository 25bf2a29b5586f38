"""Interactions of the stand-in Discord: one thing that somebody does, and what comes of it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from stand_in_discord_channels import Channel
from stand_in_discord_permissions import NOTHING, OF_THE_APP_IN_PRIVATE, Permission
from stand_in_discord_world import World

if TYPE_CHECKING:
    from stand_in_discord_messages import Message
    from stand_in_discord_people import Person

COMMAND, COMPONENT, AUTOCOMPLETE, SUBMIT = 2, 3, 4, 5
IN_SERVER, WITH_BOT, ELSEWHERE = 0, 1, 2
TO_ANSWER = timedelta(seconds=3)
TO_FOLLOW_UP = timedelta(minutes=15)


@dataclass(eq=False)
class Interaction:
    """What was done, and what the bot answered."""

    world: World
    person: Person
    channel: Channel
    kind: int
    data: dict[str, Any]
    owners: dict[str, str]
    message: Message | None = None
    opened_by: Interaction | None = None
    id: int = 0
    token: str = ""
    created_at: datetime = field(init=False)
    callback: dict[str, Any] | None = None
    is_over: bool = False
    original: Message | None = None
    follow_ups: list[Message] = field(default_factory=list)
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.id = self.world.new_id()
        self.token = f"token-of-{self.id}"
        self.created_at = self.world.now()
        self.world.interactions[self.token] = self

    @property
    def is_late(self) -> bool:
        """Whether it is too late for a first answer."""
        return self.is_over or self.world.now() - self.created_at > TO_ANSWER

    @property
    def is_expired(self) -> bool:
        return self.world.now() - self.created_at > TO_FOLLOW_UP

    @property
    def by_user_install_only(self) -> bool:
        return "0" not in self.owners

    def tell(self) -> None:
        """Something came of it: whoever waits looks again."""
        self.changed.set()
        self.changed = asyncio.Event()
        self.world.tell()

    def metadata(self) -> dict[str, Any]:
        """As messages that came of it have it."""
        parts: dict[str, Any] = {
            "id": str(self.id),
            "type": self.kind,
            "user": self.person.payload(),
            "authorizing_integration_owners": self.owners,
        }
        if self.kind == COMPONENT and self.message is not None:
            parts["interacted_message_id"] = str(self.message.id)
        if self.kind == SUBMIT and self.opened_by is not None:
            parts["triggering_interaction_metadata"] = self.opened_by.metadata()
        return parts

    def payload(self) -> dict[str, Any]:
        """As INTERACTION_CREATE has it."""
        channel, guild = self.channel, self.channel.guild
        payload: dict[str, Any] = {
            "id": str(self.id),
            "application_id": str(self.world.application_id),
            "type": self.kind,
            "token": self.token,
            "version": 1,
            "data": self.data,
            "channel_id": str(channel.id),
            "channel": channel.short(self.person),
            "locale": self.person.locale,
            "app_permissions": str(int(self._app_permissions())),
            "entitlements": [],
            "entitlement_sku_ids": [],
            "authorizing_integration_owners": self.owners,
            "context": context(channel),
            "attachment_size_limit": 10 * 1024 * 1024,
        }
        if guild is None:
            payload["user"] = self.person.payload()
        else:
            payload |= {"guild_id": str(guild.id), "guild": guild.short()}
            payload["guild_locale"] = guild.locale
            member = guild.members[self.person.id]
            payload["member"] = member.payload(channel.permissions(self.person))
        if self.message is not None:
            payload["message"] = self.message.payload()
        return payload

    def _app_permissions(self) -> Permission:
        guild = self.channel.guild
        if guild is None:
            more = Permission.USE_EXTERNAL_EMOJIS if self.channel.is_with_bot else NOTHING
            return OF_THE_APP_IN_PRIVATE | more
        # Where the bot is no member, it may do what everybody may.
        user = self.world.bot if guild.has_bot else None
        return self.channel.permissions(user)


def context(channel: Channel) -> int:
    if channel.guild is not None:
        return IN_SERVER
    return WITH_BOT if channel.is_with_bot else ELSEWHERE
