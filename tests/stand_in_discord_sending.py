"""What the bot sends on its own: messages in channels, their edits, threads, direct messages."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import Any

from stand_in_discord_channels import Channel
from stand_in_discord_errors import (
    cannot_message_this_user,
    empty_message,
    missing_access,
    missing_permissions,
    not_for_text,
    someone_elses_message,
    thread_exists,
    thread_is_archived,
    unknown,
    wrong_kind_of_channel,
)
from stand_in_discord_messages import Message
from stand_in_discord_permissions import Permission
from stand_in_discord_requests import Request
from stand_in_discord_rules import IN_CHANNEL, IN_EDIT, check_message, is_empty
from stand_in_discord_world import DM, FORUM, GROUP, NEWS, TEXT, THREAD, World

NONCES_KEPT = timedelta(minutes=2)

Answer = tuple[int, Any]


def create_message(world: World, request: Request) -> Answer:
    channel = _channel(world, request)
    payload = request.json
    names = request.file_names
    request.accept(check_message(payload, flags=IN_CHANNEL, files=names, may_ping=world.may_ping))
    if channel.kind == FORUM:
        raise not_for_text()
    if channel.kind == DM and channel.recipients[0].id in world.closed_to_bot:
        raise cannot_message_this_user()
    _check_may_send(channel, payload, names)
    if is_empty(payload, names):
        raise empty_message()
    earlier = _sent_before(channel, payload)
    if earlier is not None:
        return 200, earlier.payload()
    message = Message(world.new_id(), channel, world.bot)
    if payload.get("nonce") is not None:
        message.nonce = str(payload["nonce"])
        message.enforces_nonce = bool(payload.get("enforce_nonce"))
    reference = payload.get("message_reference") or {}
    message.refers_to = world.messages.get(int(reference.get("message_id") or 0))
    message.change(payload, request.files)
    if channel.archived_at is not None:
        channel.unarchive()
    post(message)
    return 200, message.payload()


def post(message: Message) -> None:
    """Put a message into its channel and tell it."""
    world = message.channel.world
    world.messages[message.id] = message
    message.channel.every_message.append(message)
    message.tell()


def update_message(world: World, request: Request) -> Answer:
    message = _message(world, request)
    if message.author is not world.bot:
        raise someone_elses_message()
    _check_open(message.channel)
    check_edit(message, request, request.json)
    edit(message, request.json, request.files)
    return 200, message.payload()


def edit(
    message: Message, payload: Mapping[str, Any], files: Mapping[str, tuple[str, bytes]]
) -> None:
    message.change(payload, files)
    message.edited_at = message.channel.world.now()
    message.tell("MESSAGE_UPDATE")


def check_edit(
    message: Message, request: Request, payload: Mapping[str, Any], *, under: tuple[str, ...] = ()
) -> None:
    """Refuse an edit that is no good, or that leaves nothing."""
    names = _names_after(message, payload, request.file_names)
    seen = {"content": message.content, "embeds": message.embeds, "components": message.components}
    problems = check_message(
        payload,
        flags=IN_EDIT,
        files=names,
        was_v2=message.is_v2,
        was_filled=[key for key in ("content", "embeds") if seen[key]],
        may_ping=message.channel.world.may_ping,
    )
    request.accept(problems, under=under)
    if is_empty({**seen, **payload}, names):
        raise empty_message()


def _names_after(
    message: Message, payload: Mapping[str, Any], new: Collection[str]
) -> Collection[str]:
    """The names of the files that a message has once a payload has edited it."""
    kept = message.attachments
    if payload.get("attachments") is not None:
        ids = {str(one.get("id")) for one in payload["attachments"]}
        kept = [one for one in kept if str(one.id) in ids]
    return [*new, *(one.name for one in kept)]


def delete_message(world: World, request: Request) -> Answer:
    message = _message(world, request)
    moderates = Permission.MANAGE_MESSAGES in message.channel.permissions(world.bot)
    if message.author is not world.bot and not moderates:
        raise missing_permissions()
    message.delete()
    return 204, None


def pin_message(world: World, request: Request) -> Answer:
    message = _message(world, request)
    if Permission.PIN_MESSAGES not in message.channel.permissions(world.bot):
        raise missing_permissions()
    message.pinned = request.method == "PUT"
    message.tell("MESSAGE_UPDATE")
    return 204, None


def get_message(world: World, request: Request) -> Answer:
    message = _message(world, request)
    if Permission.READ_MESSAGE_HISTORY not in message.channel.permissions(world.bot):
        raise missing_access()
    return 200, message.payload()


def list_messages(world: World, request: Request) -> Answer:
    """The newest first; nothing without the right to read what was there before."""
    channel = _channel(world, request)
    if Permission.READ_MESSAGE_HISTORY not in channel.permissions(world.bot):
        return 200, []
    after, before = int(request.query.get("after", 0)), int(request.query.get("before", 1 << 63))
    found = [one for one in channel.messages if after < one.id < before]
    limit = int(request.query.get("limit", 50))
    return 200, [one.payload() for one in reversed(found[-limit:])]


def create_thread_from_message(world: World, request: Request) -> Answer:
    message = _message(world, request)
    request.accept()
    allowed = message.channel.permissions(world.bot)
    if message.channel.kind not in (TEXT, NEWS):
        raise wrong_kind_of_channel()
    if Permission.CREATE_PUBLIC_THREADS not in allowed:
        raise missing_permissions()
    if message.thread is not None:
        raise thread_exists()
    # A thread has the id of the message that it starts from.
    message.thread = message.channel.open_thread(request.json["name"], world.bot, message.id)
    message.tell("MESSAGE_UPDATE")
    return 201, message.thread.payload()


def get_channel(world: World, request: Request) -> Answer:
    return 200, _channel(world, request).payload()


def update_channel(world: World, request: Request) -> Answer:
    """Only what a bot that may not manage threads can do: to open an archived one again."""
    channel = _channel(world, request)
    request.accept()
    if channel.kind != THREAD or set(request.json) != {"archived"} or request.json["archived"]:
        raise missing_permissions()
    if channel.locked or Permission.SEND_MESSAGES_IN_THREADS not in channel.permissions(world.bot):
        raise missing_permissions()
    channel.unarchive()
    return 200, channel.payload()


def create_dm(world: World, request: Request) -> Answer:
    request.accept()
    person = world.people.get(int(request.json.get("recipient_id") or 0))
    if person is None:
        raise unknown("User")
    return 200, person.dm.payload()


def _channel(world: World, request: Request) -> Channel:
    channel = world.channels.get(request.number("channel_id"))
    if channel is None:
        raise unknown("Channel")
    if Permission.VIEW_CHANNEL not in channel.permissions(world.bot) or channel.kind == GROUP:
        raise missing_access()
    return channel


def _message(world: World, request: Request) -> Message:
    channel = _channel(world, request)
    message = world.messages.get(request.number("message_id"))
    is_there = message is not None and message.channel is channel and not message.for_person
    if message is None or not is_there or message.deleted:
        raise unknown("Message")
    return message


def _check_may_send(channel: Channel, payload: Mapping[str, Any], names: Collection[str]) -> None:
    allowed = channel.permissions(channel.world.bot)
    send = Permission.SEND_MESSAGES
    if channel.kind == THREAD:
        send = Permission.SEND_MESSAGES_IN_THREADS
        if channel.locked and Permission.MANAGE_THREADS not in allowed:
            raise thread_is_archived()
    embeds = bool(payload.get("embeds")) and Permission.EMBED_LINKS not in allowed
    attaches = bool(names) and Permission.ATTACH_FILES not in allowed
    if send not in allowed or embeds or attaches:
        raise missing_permissions()


def _check_open(channel: Channel) -> None:
    if channel.archived_at is not None:
        raise thread_is_archived()


def _sent_before(channel: Channel, payload: Mapping[str, Any]) -> Message | None:
    """The message that was sent with this nonce in the past few minutes, if it is to be found."""
    if not payload.get("enforce_nonce") or payload.get("nonce") is None:
        return None
    for message in reversed(channel.every_message):
        if channel.world.now() - message.history[0].at > NONCES_KEPT:
            return None
        if message.author is channel.world.bot and message.nonce == str(payload["nonce"]):
            return message
    return None
