"""Servers of the stand-in Discord: who is there, what they may do, and how servers come and go."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from stand_in_discord_permissions import EVERYBODY, NOTHING, Permission, granted
from stand_in_discord_world import FORUM, GUILDS, TEXT, THREAD, VOICE, Member, Role, User, World

if TYPE_CHECKING:
    from stand_in_discord_channels import Channel
    from stand_in_discord_people import Person

# The permissions that quizbot asks for.
INVITED_WITH = (
    Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.SEND_MESSAGES_IN_THREADS
)


# Of a server, what no bot of ours looks at.
EMPTY: dict[str, Any] = {
    **dict.fromkeys(["emojis", "stickers", "voice_states", "presences", "features"], ()),
    **dict.fromkeys(["stage_instances", "guild_scheduled_events", "soundboard_sounds"], ()),
    **dict.fromkeys(["icon", "banner", "splash", "discovery_splash", "description", "home_header"]),
    **dict.fromkeys(
        ["afk_channel_id", "system_channel_id", "rules_channel_id", "widget_channel_id"]
    ),
    **dict.fromkeys(["public_updates_channel_id", "safety_alerts_channel_id"]),
    **dict.fromkeys(["application_id", "vanity_url_code", "max_presences", "incidents_data"]),
    **dict.fromkeys(["widget_enabled", "premium_progress_bar_enabled", "nsfw"], False),
    **dict.fromkeys(["verification_level", "default_message_notifications"], 0),
    **dict.fromkeys(["explicit_content_filter", "mfa_level", "nsfw_level", "premium_tier"], 0),
    **dict.fromkeys(["system_channel_flags", "premium_subscription_count"], 0),
    **dict.fromkeys(["max_video_channel_users", "max_stage_video_channel_users"], 25),
    "region": "deprecated",
}


class Guild:
    """A server. Where `with_bot` is false, only people who installed the bot can use it there."""

    def __init__(self, world: World, name: str, *, locale: str, with_bot: bool) -> None:
        self.world = world
        self.id = world.new_id()
        self.name = name
        self.locale = locale
        self.available = True
        self.everyone = Role(self.id, "@everyone", EVERYBODY)
        self.roles = [self.everyone]
        self.members: dict[int, Member] = {}
        self.channels: list[Channel] = []
        self.system_channel: Channel | None = None
        self.organisers = self._new_role("Organisers", Permission.MANAGE_GUILD)
        self.owner = self._join(world.owner)
        world.guilds[self.id] = self
        if with_bot:
            self._join(world.bot, self._new_role(world.bot.name, INVITED_WITH, of_bot=world.bot.id))

    @property
    def has_bot(self) -> bool:
        return self.world.bot.id in self.members

    def member(
        self,
        person: str | Person,
        *,
        locale: str = "en-US",
        organiser: bool = False,
        nick: str | None = None,
    ) -> Person:
        """Somebody of that name joins; a person who exists joins this server too."""
        from stand_in_discord_people import Person

        if isinstance(person, str):
            person = Person(self.world, person, locale)
        member = self._join(person, *([self.organisers] if organiser else []))
        member.nick = nick
        return person

    def leave(self, person: Person) -> None:
        del self.members[person.id]

    def role(
        self, name: str, permissions: Permission = NOTHING, *, mentionable: bool = False
    ) -> Role:
        role = self._new_role(name, permissions)
        role.mentionable = mentionable
        self._emit("GUILD_ROLE_CREATE", {"guild_id": str(self.id), "role": role.payload(1)})
        return role

    def give(self, user: User, role: Role) -> None:
        self.members[user.id].roles.append(role)
        self._tell_own_member(user)

    def allow_everybody(self, permissions: Permission) -> None:
        """What @everyone may do in this server."""
        self.everyone.permissions = permissions
        role = self.everyone.payload(0)
        self._emit("GUILD_ROLE_UPDATE", {"guild_id": str(self.id), "role": role})

    def allow_bot(self, permissions: Permission) -> None:
        """What the bot's own role may do in this server."""
        role = self.members[self.world.bot.id].roles[0]
        role.permissions = permissions
        self._emit("GUILD_ROLE_UPDATE", {"guild_id": str(self.id), "role": role.payload(2)})

    def channel(self, name: str = "general", kind: int = TEXT) -> Channel:
        from stand_in_discord_channels import Channel

        channel = Channel(self.world, kind, name, guild=self)
        self.channels.append(channel)
        self._emit("CHANNEL_CREATE", channel.payload())
        return channel

    def voice(self, name: str = "Voice") -> Channel:
        return self.channel(name, VOICE)

    def forum(self, name: str = "help") -> Channel:
        return self.channel(name, FORUM)

    def invite_bot(self) -> None:
        bot = self.world.bot
        role = self._new_role(bot.name, INVITED_WITH, of_bot=bot.id)
        self._join(bot, role)
        payload = self.payload()
        del payload["unavailable"]  # which is how a bot knows that it is new there
        self._emit("GUILD_CREATE", payload)

    def remove_bot(self) -> None:
        member = self.members.pop(self.world.bot.id)
        self.roles.remove(member.roles[0])
        self.world.commands.pop(self.id, None)
        self.world.emit("GUILD_DELETE", {"id": str(self.id)}, guild=self.id, intent=GUILDS)

    def delete(self) -> None:
        del self.world.guilds[self.id]
        for channel in self.every_channel():
            channel.forget()
        self._emit("GUILD_DELETE", {"id": str(self.id)})

    def fall_out(self) -> None:
        """An outage: the server is unavailable, and the bot still a member."""
        self.available = False
        self._emit("GUILD_DELETE", {"id": str(self.id), "unavailable": True})

    def come_back(self) -> None:
        self.available = True
        self._emit("GUILD_CREATE", self.payload())

    def permissions(self, user: User) -> Permission:
        member = self.members.get(user.id)
        if member is None:
            return NOTHING
        roles = (role.permissions for role in (self.everyone, *member.roles))
        return granted(roles, owner=member is self.owner)

    def every_channel(self) -> Iterator[Channel]:
        for channel in self.channels:
            yield channel
            yield from channel.threads

    def payload(self) -> dict[str, Any]:
        """As GUILD_CREATE has it, for a bot without the Members intent."""
        own = self.members[self.world.bot.id]
        channels = list(self.every_channel())
        threads = [one for one in channels if one.kind == THREAD and one.archived_at is None]
        return {
            "id": str(self.id),
            "name": self.name,
            "unavailable": False,
            "owner_id": str(self.owner.user.id),
            "preferred_locale": self.locale,
            "member_count": len(self.members),
            "joined_at": own.joined_at.isoformat(),
            "large": False,
            "roles": [role.payload(at) for at, role in enumerate(self.roles)],
            "members": [own.payload()],
            "channels": [one.payload() for one in channels if one.kind != THREAD],
            "threads": [one.payload() for one in threads],
            **EMPTY,
            "system_channel_id": str(self.system_channel.id) if self.system_channel else None,
            "afk_timeout": 300,
            "max_members": 500000,
        }

    def short(self) -> dict[str, Any]:
        """As interactions have it."""
        return {"id": str(self.id), "locale": self.locale, "features": []}

    def _new_role(self, name: str, permissions: Permission, *, of_bot: int | None = None) -> Role:
        role = Role(self.world.new_id(), name, permissions, of_bot)
        self.roles.append(role)
        return role

    def _join(self, user: User, *roles: Role) -> Member:
        member = self.members[user.id] = Member(user, self.world.now(), roles=list(roles))
        return member

    def _tell_own_member(self, user: User) -> None:
        if user is self.world.bot:
            payload = self.members[user.id].payload()
            self._emit("GUILD_MEMBER_UPDATE", {"guild_id": str(self.id), **payload})

    def _emit(self, event: str, payload: dict[str, Any]) -> None:
        if self.has_bot:
            self.world.emit(event, payload, guild=self.id, intent=GUILDS)
