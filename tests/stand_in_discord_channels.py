"""Channels, threads, forum posts, voice channels' chats and direct messages of the stand-in."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from stand_in_discord_guilds import Guild
from stand_in_discord_permissions import IN_PRIVATE, NOTHING, Overwrite, Permission, in_channel
from stand_in_discord_world import (
    DIRECT_MESSAGES,
    DM,
    FORUM,
    GROUP,
    GUILD_MESSAGES,
    GUILDS,
    STAGE,
    THREAD,
    VOICE,
    Role,
    User,
    World,
)

if TYPE_CHECKING:
    from stand_in_discord_messages import Message


class Channel:
    """Any place where messages are, told apart by its kind, Discord's number for it."""

    def __init__(
        self,
        world: World,
        kind: int,
        name: str,
        *,
        guild: Guild | None = None,
        parent: Channel | None = None,
        owner: User | None = None,
        recipients: Sequence[User] = (),
        id: int | None = None,
    ) -> None:
        self.world = world
        self.kind = kind
        self.name = name
        self.guild = guild
        self.parent = parent
        self.owner = owner or world.owner
        self.recipients = list(recipients)
        self.id = id or world.new_id()
        self.created_at = world.now()
        self.archived_at: datetime | None = None
        self.locked = False
        self.deleted = False
        self.overwrites: list[Overwrite] = []
        self.threads: list[Channel] = []
        self.every_message: list[Message] = []
        world.channels[self.id] = self

    @property
    def messages(self) -> list[Message]:
        """What everybody sees in it, the oldest first: no deleted and no private ones."""
        return [message for message in self.every_message if not message.deleted]

    @property
    def last(self) -> Message:
        return self.messages[-1]

    @property
    def link(self) -> str:
        guild = self.guild.id if self.guild else "@me"
        return f"https://discord.com/channels/{guild}/{self.id}"

    @property
    def intent(self) -> int:
        return DIRECT_MESSAGES if self.guild is None else GUILD_MESSAGES

    def thread(self, name: str = "A thread", *, owner: User | None = None) -> Channel:
        """A thread in a text channel, or a post in a forum, that a person opens."""
        return self.open_thread(name, owner or self.world.owner, self.world.new_id())

    post = thread

    def open_thread(
        self, name: str, owner: User, id: int, auto_archive_duration: int = 1440
    ) -> Channel:
        thread = Channel(
            self.world, THREAD, name, guild=self.guild, parent=self, owner=owner, id=id
        )
        self.threads.append(thread)
        self._emit("THREAD_CREATE", {**thread.payload(), "newly_created": True})
        return thread

    def archive(self, *, locked: bool = False) -> None:
        self.archived_at, self.locked = self.world.now(), locked
        self._emit("THREAD_UPDATE", self.payload())

    def unarchive(self) -> None:
        self.archived_at = None
        self._emit("THREAD_UPDATE", self.payload())

    def allow(self, target: Role | User, permissions: Permission) -> None:
        self._overwrite(target, permissions, NOTHING)

    def deny(self, target: Role | User, permissions: Permission) -> None:
        self._overwrite(target, NOTHING, permissions)

    def delete(self) -> None:
        payload = self.payload()
        if self.parent is not None:
            self.parent.threads.remove(self)
            keys = ("id", "guild_id", "parent_id", "type")
            self._emit("THREAD_DELETE", {key: payload[key] for key in keys})
        else:
            if self.guild is not None:
                self.guild.channels.remove(self)
            self._emit("CHANNEL_DELETE", payload)
        self.forget()

    def forget(self) -> None:
        self.deleted = True
        self.world.channels.pop(self.id, None)
        for thread in self.threads:
            thread.forget()

    @property
    def is_with_bot(self) -> bool:
        return self.kind == DM and len(self.recipients) == 1

    def permissions(self, user: User | None) -> Permission:
        """What a user may do in it, or anybody who is in its server."""
        if self.guild is None:
            is_there = user in self.recipients or (user is self.world.bot and self.is_with_bot)
            return IN_PRIVATE if is_there else NOTHING
        member = self.guild.members.get(user.id) if user is not None else None
        if user is not None and member is None:
            return NOTHING
        base = self.guild.permissions(user) if user else self.guild.everyone.permissions
        return in_channel(
            base,
            (self.parent or self).overwrites,
            everyone=self.guild.id,
            roles={role.id for role in member.roles} if member else set(),
            member=user.id if user else 0,
            thread=self.kind == THREAD,
        )

    def payload(self) -> dict[str, Any]:
        last = self.every_message[-1].id if self.every_message else None
        payload: dict[str, Any] = {
            "id": str(self.id),
            "type": self.kind,
            "flags": 0,
            "last_message_id": str(last) if last else None,
        }
        if self.guild is None:
            payload["recipients"] = [user.payload() for user in self.recipients]
            if self.kind == GROUP:
                payload |= {"name": self.name, "icon": None}
                payload["owner_id"] = str(self.recipients[0].id)
            return payload
        payload |= {"guild_id": str(self.guild.id), "name": self.name}
        payload["rate_limit_per_user"] = 0
        return payload | (self._thread_parts() if self.kind == THREAD else self._channel_parts())

    def short(self, user: User) -> dict[str, Any]:
        """As interactions have it, with the person's permissions."""
        payload = self.payload()
        for key in ("permission_overwrites", "available_tags"):
            payload.pop(key, None)
        if self.guild is not None:
            payload["permissions"] = str(int(self.permissions(user)))
        return payload

    def _channel_parts(self) -> dict[str, Any]:
        assert self.guild is not None
        parts: dict[str, Any] = {
            "position": self.guild.channels.index(self) if self in self.guild.channels else 0,
            "parent_id": None,
            "topic": None,
            "nsfw": False,
            "permission_overwrites": [
                {
                    "id": str(one.target),
                    "type": one.kind,
                    "allow": str(int(one.allow)),
                    "deny": str(int(one.deny)),
                }
                for one in self.overwrites
            ],
        }
        if self.kind in (VOICE, STAGE):
            parts |= {"bitrate": 64000, "user_limit": 0, "rtc_region": None}
        if self.kind == FORUM:
            parts |= {"available_tags": [], "default_reaction_emoji": None}
            parts |= {"default_sort_order": None, "default_forum_layout": 0}
        return parts

    def _thread_parts(self) -> dict[str, Any]:
        assert self.parent is not None
        return {
            "parent_id": str(self.parent.id),
            "owner_id": str(self.owner.id),
            "message_count": len(self.messages),
            "total_message_sent": len(self.every_message),
            "member_count": 1,
            "thread_metadata": {
                "archived": self.archived_at is not None,
                "archive_timestamp": (self.archived_at or self.created_at).isoformat(),
                "auto_archive_duration": 1440,
                "locked": self.locked,
                "create_timestamp": self.created_at.isoformat(),
            },
        }

    def _overwrite(self, target: Role | User, allow: Permission, deny: Permission) -> None:
        kind = 0 if isinstance(target, Role) else 1
        self.overwrites = [one for one in self.overwrites if one.target != target.id]
        self.overwrites.append(Overwrite(target.id, kind, allow, deny))
        self._emit("CHANNEL_UPDATE", self.payload())

    def _emit(self, event: str, payload: dict[str, Any]) -> None:
        if self.guild is not None and self.guild.has_bot:
            self.world.emit(event, payload, guild=self.guild.id, intent=GUILDS)
