"""Who may do what in a channel of the stand-in Discord, computed as Discord documents it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntFlag


class Permission(IntFlag):
    ADMINISTRATOR = 1 << 3
    MANAGE_CHANNELS = 1 << 4
    MANAGE_GUILD = 1 << 5
    ADD_REACTIONS = 1 << 6
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    USE_EXTERNAL_EMOJIS = 1 << 18
    CONNECT = 1 << 20
    SPEAK = 1 << 21
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    SEND_MESSAGES_IN_THREADS = 1 << 38
    USE_EXTERNAL_APPS = 1 << 50
    PIN_MESSAGES = 1 << 51


P = Permission
NOTHING = Permission(0)
EVERYTHING = Permission((1 << 53) - 1)

# What a new server lets everybody do.
EVERYBODY = (
    P.ADD_REACTIONS
    | P.VIEW_CHANNEL
    | P.SEND_MESSAGES
    | P.EMBED_LINKS
    | P.ATTACH_FILES
    | P.READ_MESSAGE_HISTORY
    | P.CONNECT
    | P.SPEAK
    | P.USE_APPLICATION_COMMANDS
    | P.CREATE_PUBLIC_THREADS
    | P.SEND_MESSAGES_IN_THREADS
    | P.USE_EXTERNAL_APPS
)
# What interactions say of the app in direct messages and groups.
OF_THE_APP_IN_PRIVATE = P.ATTACH_FILES | P.EMBED_LINKS | P.MENTION_EVERYONE
IN_PRIVATE = (
    P.VIEW_CHANNEL
    | P.SEND_MESSAGES
    | P.EMBED_LINKS
    | P.ATTACH_FILES
    | P.READ_MESSAGE_HISTORY
    | P.ADD_REACTIONS
)


@dataclass(frozen=True, slots=True)
class Overwrite:
    """What a channel changes for a role (kind 0) or a member (kind 1)."""

    target: int
    kind: int
    allow: Permission = NOTHING
    deny: Permission = NOTHING


def granted(roles: Iterable[Permission], *, owner: bool) -> Permission:
    """What a member's roles, @everyone among them, give in the whole server."""
    total = NOTHING
    for permissions in roles:
        total |= permissions
    return EVERYTHING if owner or Permission.ADMINISTRATOR in total else total


def in_channel(
    base: Permission,
    overwrites: Iterable[Overwrite],
    *,
    everyone: int,
    roles: set[int],
    member: int,
    thread: bool,
) -> Permission:
    if Permission.ADMINISTRATOR in base:
        return EVERYTHING
    permissions = base
    allow = deny = NOTHING
    for overwrite in overwrites:
        if overwrite.target == everyone:
            permissions = permissions & ~overwrite.deny | overwrite.allow
        elif overwrite.kind == 0 and overwrite.target in roles:
            allow |= overwrite.allow
            deny |= overwrite.deny
    permissions = permissions & ~deny | allow
    for overwrite in overwrites:
        if overwrite.kind == 1 and overwrite.target == member:
            permissions = permissions & ~overwrite.deny | overwrite.allow
    if Permission.VIEW_CHANNEL not in permissions:
        return NOTHING
    send = Permission.SEND_MESSAGES_IN_THREADS if thread else Permission.SEND_MESSAGES
    if send not in permissions:
        permissions &= ~(Permission.EMBED_LINKS | Permission.ATTACH_FILES)
    return permissions
