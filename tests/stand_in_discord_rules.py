"""The limits of a message that Discord documents and its OpenAPI description mostly lacks.

Lengths are in code points: Discord's API counts as Python does.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from stand_in_discord_component_rules import check_components, walk
from stand_in_discord_errors import Problem

SUPPRESS_EMBEDS = 1 << 2
EPHEMERAL = 1 << 6
LOADING = 1 << 7
SUPPRESS_NOTIFICATIONS = 1 << 12
COMPONENTS_V2 = 1 << 15

IN_CHANNEL = SUPPRESS_EMBEDS | SUPPRESS_NOTIFICATIONS | COMPONENTS_V2
IN_REPLY = IN_CHANNEL | EPHEMERAL
WHEN_DEFERRING = EPHEMERAL
IN_EDIT = SUPPRESS_EMBEDS | COMPONENTS_V2

EMBED_TEXTS = {"title": 256, "description": 4096}
LEGACY = ("content", "embeds", "poll", "sticker_ids")


def check_message(
    payload: Mapping[str, Any],
    *,
    flags: int,
    files: Collection[str] = (),
    was_v2: bool = False,
    was_filled: Collection[str] = (),
    may_ping: bool = False,
) -> list[Problem]:
    """What Discord refuses in a message or in an edit of one.

    `flags` are those that may be set here, `files` the names of all that will be attached,
    `was_filled` the legacy fields that the edited message has.
    """
    return [
        *_check_flags(payload, flags),
        *_check_v2(payload, was_v2, was_filled),
        *_check_text(("content",), payload.get("content"), 2000),
        *_check_embeds(payload.get("embeds") or ()),
        *check_components(
            payload.get("components") or (), v2=is_v2(payload, was_v2), files=set(files)
        ),
        *_check_attachments(payload),
        *_check_embed_files(payload, set(files)),
        *_check_nonce(payload),
        *([] if may_ping else _check_mentions(payload)),
    ]


def is_v2(payload: Mapping[str, Any], was_v2: bool = False) -> bool:
    return was_v2 or bool((payload.get("flags") or 0) & COMPONENTS_V2)


def is_empty(payload: Mapping[str, Any], files: Collection[str]) -> bool:
    filled = ("content", "embeds", "components", "poll", "sticker_ids")
    return not files and not any(payload.get(key) for key in filled)


def texts(payload: Mapping[str, Any]) -> Iterator[str]:
    """All that a reader sees of a message, but the labels on what can be pressed."""
    if payload.get("content"):
        yield payload["content"]
    for embed in payload.get("embeds") or ():
        yield from _embed_texts(embed)
    for _, component in walk(payload.get("components") or ()):
        if component.get("type") == 10:
            yield component["content"]


def _embed_texts(embed: Mapping[str, Any]) -> Iterator[str]:
    parts = [embed.get("author", {}).get("name"), embed.get("title"), embed.get("description")]
    for field in embed.get("fields") or ():
        parts += [field.get("name"), field.get("value")]
    parts.append(embed.get("footer", {}).get("text"))
    yield from (part for part in parts if part)


def _check_flags(payload: Mapping[str, Any], allowed: int) -> Iterator[Problem]:
    if (payload.get("flags") or 0) & ~allowed:
        message = f"Of these flags only {allowed:#x} can be set here."
        yield Problem(("flags",), "BASE_TYPE_INVALID_FLAGS", message)


def _check_v2(
    payload: Mapping[str, Any], was_v2: bool, was_filled: Collection[str]
) -> Iterator[Problem]:
    if not is_v2(payload, was_v2):
        return
    for key in LEGACY:
        if payload.get(key) or (key in was_filled and key not in payload):
            yield Problem(
                (key,),
                "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
                f"The '{key}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2",
            )


def _check_text(
    path: tuple[str | int, ...], text: object, most: int, *, least: int = 0
) -> Iterator[Problem]:
    if text is None:
        return
    if not isinstance(text, str):
        yield Problem(path, "BASE_TYPE_STRING", "Must be string.")
    elif len(text) > most:
        yield Problem(path, "BASE_TYPE_MAX_LENGTH", f"Must be {most} or fewer in length.")
    elif len(text.strip()) < least:
        yield Problem(path, "BASE_TYPE_REQUIRED", "This field is required")


def _check_embeds(embeds: Sequence[Mapping[str, Any]]) -> Iterator[Problem]:
    if len(embeds) > 10:
        yield Problem(("embeds",), "BASE_TYPE_MAX_LENGTH", "Must be 10 or fewer in length.")
    for number, embed in enumerate(embeds):
        path = ("embeds", number)
        for key, most in EMBED_TEXTS.items():
            yield from _check_text((*path, key), embed.get(key), most)
        footer, author = embed.get("footer") or {}, embed.get("author") or {}
        yield from _check_text((*path, "footer", "text"), footer.get("text"), 2048)
        yield from _check_text((*path, "author", "name"), author.get("name"), 256)
        fields = embed.get("fields") or ()
        if len(fields) > 25:
            yield Problem((*path, "fields"), "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer.")
        for at, field in enumerate(fields):
            for key, most in (("name", 256), ("value", 1024)):
                place = (*path, "fields", at, key)
                yield from _check_text(place, field.get(key, ""), most, least=1)
    if sum(len(text) for embed in embeds for text in _embed_texts(embed)) > 6000:
        message = "Embed size exceeds maximum size of 6000"
        yield Problem(("embeds",), "MAX_EMBED_SIZE_EXCEEDED", message)


def _check_attachments(payload: Mapping[str, Any]) -> Iterator[Problem]:
    attachments = payload.get("attachments") or ()
    if len(attachments) > 10:
        yield Problem(("attachments",), "BASE_TYPE_MAX_LENGTH", "Must be 10 or fewer in length.")
    for number, attachment in enumerate(attachments):
        path = ("attachments", number, "description")
        yield from _check_text(path, attachment.get("description"), 1024)


def _check_embed_files(payload: Mapping[str, Any], files: set[str]) -> Iterator[Problem]:
    for number, embed in enumerate(payload.get("embeds") or ()):
        for key in ("image", "thumbnail"):
            url = (embed.get(key) or {}).get("url", "")
            if url.startswith("attachment://") and url.removeprefix("attachment://") not in files:
                path = ("embeds", number, key, "url")
                yield Problem(path, "URL_TYPE_INVALID_URL", "Not a well formed URL.")


def _check_nonce(payload: Mapping[str, Any]) -> Iterator[Problem]:
    nonce = payload.get("nonce")
    if nonce is not None and len(str(nonce)) > 25:
        yield Problem(("nonce",), "NONCE_TYPE_TOO_LONG", "Nonce must be 25 or fewer in length.")


def _check_mentions(payload: Mapping[str, Any]) -> Iterator[Problem]:
    """Not a rule of Discord, but of this bot: nothing can ping but one role that it names."""
    allowed = payload.get("allowed_mentions")
    can_ping = bool(payload.get("content")) or any(
        component.get("type") == 10 for _, component in walk(payload.get("components") or ())
    )
    if allowed is None and not can_ping:
        return
    roles = [] if allowed is None else allowed.get("roles") or []
    lines = [one.get("content") for _, one in walk(payload.get("components") or ())]
    named = len(roles) < 2 and all(f"<@&{role}>" in lines for role in roles)
    if (
        allowed is None
        or not named
        or any(allowed.get(key) for key in ("parse", "users", "replied_user"))
    ):
        message = "This may ping people: say in allowed_mentions that nothing is parsed."
        yield Problem(("allowed_mentions",), "STAND_IN_MAY_PING", message)
