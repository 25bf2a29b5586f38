"""Discord's interactions as calls: ids are copied, nothing is decided."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

import discord

from adapters.discord.forms import LONGEST, values
from adapters.discord.invitation import invite
from bot.calls import Click, Command, Submission, Where, Who

PLATFORM = "discord"

# In Discord's own words, in which an admin finds them in the channel's settings.
VIEW, SEND, SEND_IN_THREADS = "View Channel", "Send Messages", "Send Messages in Threads"
EMBED, ATTACH, CREATE_THREADS = "Embed Links", "Attach Files", "Create Public Threads"
DIRECT = "Direct Messages"

# Not the chats of voice channels and stages.
_WITH_THREADS = (discord.ChannelType.text, discord.ChannelType.news)

_THREADS = (
    discord.ChannelType.public_thread,
    discord.ChannelType.private_thread,
    discord.ChannelType.news_thread,
)
_PART = 1
_SWITCH = {True: "on", False: "off"}


@dataclass(frozen=True, slots=True)
class Typing:
    """An option that is being typed: the command, the option, and what there is of it."""

    command: str
    option: str
    text: str


def who(interaction: discord.Interaction) -> Who:
    user = interaction.user
    roles = user.roles if isinstance(user, discord.Member) else ()
    return Who(
        PLATFORM,
        str(user.id),
        user.display_name,
        locale=interaction.locale.value,
        organiser=interaction.permissions.manage_guild and not is_personal(interaction),
        groups=frozenset(str(role.id) for role in roles),
    )


def member_of(member: discord.Member) -> Who:
    """Somebody who is not doing anything there at this moment."""
    return Who(
        PLATFORM,
        str(member.id),
        member.display_name,
        organiser=member.guild_permissions.manage_guild,
        groups=frozenset(str(role.id) for role in member.roles),
    )


def where(interaction: discord.Interaction) -> Where:
    channel = interaction.channel
    place = str(channel.id if channel is not None else interaction.guild_id or interaction.user.id)
    is_thread = channel is not None and channel.type in _THREADS
    kind: Literal["channel", "thread"] = "thread" if is_thread else "channel"
    if is_personal(interaction):
        absent = _absent_from(interaction)
        return Where(
            PLATFORM,
            personal_community(interaction.user.id),
            place,
            kind="direct" if interaction.guild_id is None else kind,
            personal=True,
            absent=absent,
            invite=invite(interaction.application_id) if absent == "server" else None,
        )
    # Discord may have kinds of channels that the library does not know: nothing is posted there.
    may = interaction.app_permissions if channel is not None else discord.Permissions.none()
    parent = getattr(channel, "parent_id", None) if is_thread else None
    guild = interaction.guild
    return Where(
        PLATFORM,
        str(interaction.guild_id),
        place,
        community_name=guild.name if guild is not None and guild.name else "",
        place_name=str(getattr(channel, "name", None) or ""),
        kind=kind,
        locale=interaction.guild_locale.value if interaction.guild_locale else None,
        parent=None if parent is None else str(parent),
        takes_threads=channel is not None and channel.type in _WITH_THREADS,
        lacking=lacking(may, in_thread=is_thread),
        lacking_in_threads=_lacking_in_threads(may),
        lacking_for_pictures=() if may.attach_files else (ATTACH,),
    )


def is_whole(interaction: discord.Interaction) -> bool:
    """Whether it tells who did something, and what: all that the functions here rely on."""
    data = interaction.data
    # Not `discord.abc.User`: a protocol is looked at anew, attribute by attribute, each time.
    is_user = isinstance(interaction.user, discord.User | discord.Member)
    if not is_user or not isinstance(data, Mapping):
        return False
    return "name" in data or "custom_id" in data


def is_personal(interaction: discord.Interaction) -> bool:
    """Direct messages, and servers where only the person who asks has installed the bot."""
    return interaction.guild_id is None or not interaction.is_guild_integration()


def _absent_from(interaction: discord.Interaction) -> Literal["", "server", "conversation"]:
    """A server, or the direct messages of people with each other, where one of them brought it."""
    if interaction.guild_id is not None:
        return "server"
    return "conversation" if interaction.context.private_channel else ""


def personal_community(user_id: int) -> str:
    return f"user:{user_id}"


def lacking(has: discord.Permissions, *, in_thread: bool) -> tuple[str, ...]:
    """The first permission that posting questions takes and that is not there, by name.

    Whoever may not see a channel may do nothing in it, and whoever may not send sends no links:
    Discord takes those that follow away too, so whether they were given cannot be told.
    """
    needed = {
        VIEW: has.view_channel,
        SEND_IN_THREADS if in_thread else SEND: (
            has.send_messages_in_threads if in_thread else has.send_messages
        ),
        EMBED: has.embed_links,
    }
    return tuple(name for name, is_there in needed.items() if not is_there)[:1]


def _lacking_in_threads(has: discord.Permissions) -> tuple[str, ...]:
    needed = {
        CREATE_THREADS: has.create_public_threads,
        SEND_IN_THREADS: has.send_messages_in_threads,
    }
    return tuple(name for name, is_there in needed.items() if not is_there)


def command(interaction: discord.Interaction, prefix: str) -> Command:
    name, given = _named(_data(interaction), prefix)
    options = {name: _text(option.get("value")) for name, option in _options(given)}
    return Command(who(interaction), where(interaction), name, options, str(interaction.id))


def typing(interaction: discord.Interaction, prefix: str) -> Typing | None:
    command, given = _named(_data(interaction), prefix)
    for name, option in _options(given):
        if option.get("focused"):
            return Typing(command, name, _text(option.get("value")))
    return None


def click(interaction: discord.Interaction, received_at: datetime) -> Click:
    data, message = _data(interaction), interaction.message
    return Click(
        who(interaction),
        where(interaction),
        token(interaction),
        made_at=interaction.created_at,
        received_at=received_at,
        message=None if message is None else str(message.id),
        on_private=on_private(interaction),
        values=tuple(map(_text, data.get("values") or ())),
        id=str(interaction.id),
    )


def submission(interaction: discord.Interaction) -> Submission:
    data = _data(interaction)
    entered = values(data.get("components"))
    return Submission(
        who(interaction), where(interaction), token(interaction), entered, str(interaction.id)
    )


def token(interaction: discord.Interaction) -> str:
    """Of the button, select or form; a command has none."""
    return _text(_data(interaction).get("custom_id"))


def on_private(interaction: discord.Interaction) -> bool:
    """Whether what was pressed was seen by the presser alone."""
    message = interaction.message
    return message is not None and (message.flags.ephemeral or interaction.guild_id is None)


def _data(interaction: discord.Interaction) -> Mapping[str, Any]:
    return interaction.data or {}


def _named(data: Mapping[str, Any], prefix: str) -> tuple[str, Mapping[str, Any]]:
    """A command as the table calls it, and what its options are in: a part of it has its own."""
    name = _text(data.get("name")).removeprefix(prefix)
    first = next(iter(data.get("options") or ()), None)
    if isinstance(first, Mapping) and first.get("type") == _PART:
        return f"{name} {_text(first.get('name'))}", first
    return name, data


def _options(data: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for option in data.get("options") or ():
        yield _text(option.get("name")), option


def _text(value: object) -> str:
    if isinstance(value, bool):
        return _SWITCH[value]
    return str(value)[:LONGEST] if isinstance(value, str | int | float) else ""
