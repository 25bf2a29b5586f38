"""How the bot answers interactions: the callback, follow-ups, and the original message."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stand_in_discord_command_rules import check_choices
from stand_in_discord_component_rules import check_modal
from stand_in_discord_errors import (
    Problem,
    already_acknowledged,
    empty_message,
    invalid_form,
    invalid_token,
    too_many_follow_ups,
    unknown,
)
from stand_in_discord_interactions import AUTOCOMPLETE, COMMAND, COMPONENT, SUBMIT, Interaction
from stand_in_discord_messages import Message
from stand_in_discord_permissions import Permission
from stand_in_discord_requests import Request
from stand_in_discord_rules import (
    EPHEMERAL,
    IN_REPLY,
    LOADING,
    WHEN_DEFERRING,
    check_message,
    is_empty,
)
from stand_in_discord_sending import check_edit, edit
from stand_in_discord_world import World

REPLY, DEFER, DEFER_UPDATE, UPDATE, CHOICES, MODAL = 4, 5, 6, 7, 8, 9
MOST_FOLLOW_UPS = 5  # where only the person installed the bot

Answer = tuple[int, Any]


def create_interaction_response(world: World, request: Request) -> Answer:
    interaction = world.interactions.get(request.names["interaction_token"])
    if interaction is None or interaction.id != request.number("interaction_id"):
        raise unknown("interaction")
    if interaction.callback is not None:
        raise already_acknowledged()
    if interaction.is_late:
        raise unknown("interaction")
    _check_kind(interaction, request.json.get("type"))
    kind: int = request.json["type"]
    message = _answer(interaction, request, kind)
    interaction.callback = request.json
    interaction.original = message
    interaction.tell()
    if message is not None and kind == REPLY:
        message.tell()
    if request.query.get("with_response") not in ("1", "true"):
        return 204, None
    return 200, _with_response(interaction, kind, message)


def _answer(interaction: Interaction, request: Request, kind: int) -> Message | None:
    """Do what a callback of this kind does; the message that it is about."""
    world, data = interaction.world, request.json.get("data") or {}
    under = ("data",)
    if kind == REPLY:
        _check_new(world, request, data, under=under)
        return _reply(interaction, data, request.files)
    if kind == DEFER:
        request.accept(check_message(data, flags=WHEN_DEFERRING), under=under)
        return _reply(interaction, {"flags": data.get("flags", 0)}, {}, loading=True)
    if kind == UPDATE:
        message = _told(interaction)
        check_edit(message, request, data, under=under)
        edit(message, data, request.files)
        return message
    if kind == CHOICES:
        request.accept(check_choices(data.get("choices") or (), ("choices",)), under=under)
        return None
    if kind == MODAL:
        request.accept(check_modal(data), under=under)
        return None
    request.accept()
    return interaction.message


def execute_webhook(world: World, request: Request) -> Answer:
    """A follow-up. The first one after a deferral takes the place of what was deferred."""
    interaction = _followed(world, request)
    payload = request.json
    _check_new(world, request, payload)
    original = interaction.original
    if original is not None and original.is_loading and not original.deleted:
        _fill(original, payload, request.files)
        interaction.tell()
        return 200, original.payload()
    if interaction.by_user_install_only and len(interaction.follow_ups) >= MOST_FOLLOW_UPS:
        raise too_many_follow_ups()
    message = _new(interaction, payload, request.files)
    message.refers_to = original
    interaction.follow_ups.append(message)
    message.tell()
    interaction.tell()
    return (200, message.payload()) if request.query.get("wait") in ("1", "true") else (204, None)


def get_original_webhook_message(world: World, request: Request) -> Answer:
    return 200, _message(world, request).payload()


def update_original_webhook_message(world: World, request: Request) -> Answer:
    message = _message(world, request)
    check_edit(message, request, request.json)
    if message.is_loading:
        _fill(message, request.json, request.files)
    else:
        edit(message, request.json, request.files)
    _followed(world, request).tell()
    return 200, message.payload()


def delete_original_webhook_message(world: World, request: Request) -> Answer:
    _message(world, request).delete()
    _followed(world, request).tell()
    return 204, None


def _check_kind(interaction: Interaction, answer: object) -> None:
    allowed = {
        COMMAND: {REPLY, DEFER, MODAL},
        COMPONENT: {REPLY, DEFER, DEFER_UPDATE, UPDATE, MODAL},
        AUTOCOMPLETE: {CHOICES},
        SUBMIT: {REPLY, DEFER} | ({DEFER_UPDATE, UPDATE} if interaction.message else set()),
    }[interaction.kind]
    if answer not in allowed:
        message = f"Value must be one of {tuple(sorted(allowed))}."
        raise invalid_form([Problem(("type",), "BASE_TYPE_CHOICES", message)])


def _check_new(
    world: World, request: Request, payload: Mapping[str, Any], *, under: tuple[str, ...] = ()
) -> None:
    names = request.file_names
    problems = check_message(payload, flags=IN_REPLY, files=names, may_ping=world.may_ping)
    request.accept(problems, under=under)
    if is_empty(payload, names):
        raise empty_message()


def _reply(
    interaction: Interaction,
    payload: Mapping[str, Any],
    files: Mapping[str, tuple[str, bytes]],
    *,
    loading: bool = False,
) -> Message:
    message = _new(interaction, payload, files)
    message.kind = 20 if interaction.kind == COMMAND else 19
    message.refers_to = interaction.message
    message.flags |= LOADING if loading else 0
    return message


def _new(
    interaction: Interaction,
    payload: Mapping[str, Any],
    files: Mapping[str, tuple[str, bytes]],
) -> Message:
    """A message that comes of an interaction, before anybody is told of it."""
    world, channel, person = interaction.world, interaction.channel, interaction.person
    forced = interaction.by_user_install_only and channel.guild is not None
    if forced and Permission.USE_EXTERNAL_APPS in channel.permissions(person):
        forced = False
    is_private = forced or bool((payload.get("flags") or 0) & EPHEMERAL)
    message = Message(
        world.new_id(), channel, world.bot, kind=19, interaction=interaction,
        for_person=person if is_private else None,
    )  # fmt: skip
    message.change(payload, files)
    message.flags |= EPHEMERAL if is_private else 0
    world.messages[message.id] = message
    (person.sees if is_private else channel.every_message).append(message)
    return message


def _fill(
    message: Message, payload: Mapping[str, Any], files: Mapping[str, tuple[str, bytes]]
) -> None:
    """Put something where "thinking …" was; who sees it was settled by the deferral."""
    flags = (payload.get("flags") or 0) & ~EPHEMERAL
    message.change({**payload, "flags": flags}, files)
    message.flags &= ~LOADING
    message.tell()


def _told(interaction: Interaction) -> Message:
    if interaction.message is None or interaction.message.deleted:
        raise unknown("Message")
    return interaction.message


def _followed(world: World, request: Request) -> Interaction:
    interaction = world.interactions.get(request.names["webhook_token"])
    if interaction is None or request.number("webhook_id") != world.application_id:
        raise unknown("Webhook")
    if interaction.is_expired:
        raise invalid_token()
    if interaction.callback is None or interaction.kind == AUTOCOMPLETE:
        raise unknown("Webhook")
    return interaction


def _message(world: World, request: Request) -> Message:
    interaction = _followed(world, request)
    if "message_id" not in request.names:
        message = interaction.original
    else:
        mine = (one for one in interaction.follow_ups if one.id == request.number("message_id"))
        message = next(mine, None)
        if interaction.original and interaction.original.id == request.number("message_id"):
            message = interaction.original
    if message is None or message.deleted:
        raise unknown("Message")
    return message


def _with_response(interaction: Interaction, kind: int, message: Message | None) -> dict[str, Any]:
    told: dict[str, Any] = {"id": str(interaction.id), "type": interaction.kind}
    if message is None:
        return {"interaction": told}
    told |= {
        "response_message_id": str(message.id),
        "response_message_loading": message.is_loading,
        "response_message_ephemeral": message.is_private,
    }
    resource: dict[str, Any] = {"type": kind}
    if kind in (REPLY, UPDATE):
        resource["message"] = message.payload()
        return {"interaction": told, "resource": resource}
    return {"interaction": told}
