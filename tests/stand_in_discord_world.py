"""The world of the stand-in Discord, and who is in it: users, members, roles."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Protocol

from stand_in_discord_permissions import Permission

if TYPE_CHECKING:
    from stand_in_discord_channels import Channel
    from stand_in_discord_guilds import Guild
    from stand_in_discord_interactions import Interaction
    from stand_in_discord_messages import Message
    from stand_in_discord_people import Person

EPOCH = datetime(2015, 1, 1, tzinfo=UTC)
TEXT, DM, VOICE, GROUP, NEWS, THREAD, STAGE, FORUM = 0, 1, 2, 3, 5, 11, 13, 15
GUILDS, GUILD_MESSAGES, DIRECT_MESSAGES, MESSAGE_CONTENT = 1, 1 << 9, 1 << 12, 1 << 15


class Emit(Protocol):
    def __call__(
        self, event: str, payload: dict[str, Any], *, guild: int | None = None, intent: int = 0
    ) -> None: ...


def nobody_listens(
    event: str, payload: dict[str, Any], *, guild: int | None = None, intent: int = 0
) -> None:
    pass


class World:
    """All that there is. It keeps the ids, and tells the gateway what changes."""

    def __init__(self, now: Callable[[], datetime], *, may_ping: bool) -> None:
        self.now = now
        self.may_ping = may_ping
        self.emit: Emit = nobody_listens
        self.changed = asyncio.Event()
        self.files_at = ""
        self.gateway_at = ""
        self.shards = 1
        self.privileged = 0
        self.patience = 3.0
        self.closed_to_bot: set[int] = set()
        self._counter = itertools.count(1)
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.people: dict[int, Person] = {}
        self.messages: dict[int, Message] = {}
        self.interactions: dict[str, Interaction] = {}
        self.commands: dict[int | None, list[dict[str, Any]]] = {None: []}
        self.files: dict[str, bytes] = {}
        self.application_id = self.new_id()
        self.bot = User(self.application_id, "quizbot", is_bot=True)
        self.owner = User(self.new_id(), "The operator")

    def tell(self) -> None:
        """Something happened: whoever waits looks again."""
        self.changed.set()
        self.changed = asyncio.Event()

    def new_id(self) -> int:
        """A snowflake: the time by this world's clock, and a number."""
        since = (self.now() - EPOCH) // timedelta(milliseconds=1)
        return (since << 22) | (next(self._counter) % (1 << 22))


@dataclass(eq=False)
class User:
    id: int
    name: str
    is_bot: bool = False

    def payload(self) -> dict[str, Any]:
        return {
            "id": str(self.id),
            "username": self.name.lower().replace(" ", "_"),
            "global_name": None if self.is_bot else self.name,
            "discriminator": "0000" if self.is_bot else "0",
            "avatar": None,
            "bot": self.is_bot,
            "public_flags": 0,
            "flags": 0,
            "primary_guild": None,
        }


@dataclass(eq=False)
class Role:
    id: int
    name: str
    permissions: Permission
    of_bot: int | None = None
    """Which bot came with it; nobody else has it."""
    mentionable: bool = False

    def payload(self, position: int) -> dict[str, Any]:
        tags = {} if self.of_bot is None else {"tags": {"bot_id": str(self.of_bot)}}
        return {
            "id": str(self.id),
            "name": self.name,
            "permissions": str(int(self.permissions)),
            "position": position,
            "color": 0,
            "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
            "hoist": False,
            "managed": self.of_bot is not None,
            "mentionable": self.mentionable,
            "icon": None,
            "unicode_emoji": None,
            "flags": 0,
            **tags,
        }


@dataclass(eq=False)
class Member:
    user: User
    joined_at: datetime
    nick: str | None = None
    roles: list[Role] = field(default_factory=list)

    def payload(self, permissions: Permission | None = None) -> dict[str, Any]:
        """As REST and events have it; with the permissions in a channel, as interactions do."""
        payload: dict[str, Any] = {
            "user": self.user.payload(),
            "nick": self.nick,
            "roles": [str(role.id) for role in self.roles],
            "joined_at": self.joined_at.isoformat(),
            "avatar": None,
            "banner": None,
            "premium_since": None,
            "communication_disabled_until": None,
            "pending": False,
            "deaf": False,
            "mute": False,
            "flags": 0,
        }
        if permissions is not None:
            payload["permissions"] = str(int(permissions))
        return payload
