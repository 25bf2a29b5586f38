"""What Slack refuses in a message or a view, and what quizbot must not send besides.

Documented: the counts and lengths (facts, slack_sdk's models, docs.slack.dev). Seen by others: a
message whose blocks hold 13,200 characters of text is refused as `msg_blocks_too_long`; what
exactly is counted is assumed. Stricter than Slack: unknown keys, a message without text for
screen readers, links that unfurl, mentions, ids that are missing.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from stand_in_slack_block_rules import check_blocks, words
from stand_in_slack_checks import (
    STRICT,
    Fault,
    Faults,
    Shape,
    check_flags,
    check_keys,
    check_length,
    check_mrkdwn,
    check_text,
    items,
    objects,
)

if TYPE_CHECKING:
    from stand_in_slack_world import Json, World

POST, EPHEMERAL, UPDATE = "chat.postMessage", "chat.postEphemeral", "chat.update"
RESPONSE, ACK = "response_url", "ack"

SAID, PARSED = "text blocks", "parse link_names"
WHERE = {
    POST: Shape.of(
        "channel", f"{SAID} {PARSED} thread_ts reply_broadcast unfurl_links unfurl_media mrkdwn"
    ),
    EPHEMERAL: Shape.of("channel user", f"{SAID} {PARSED} thread_ts"),
    UPDATE: Shape.of("channel ts", f"{SAID} {PARSED} reply_broadcast"),
    RESPONSE: Shape.of(
        "",
        f"{SAID} response_type replace_original delete_original thread_ts"
        " unfurl_links unfurl_media",
    ),
    ACK: Shape.of("", f"{SAID} response_type"),
}
MODAL = Shape.of(
    "title blocks",
    "close submit private_metadata callback_id clear_on_close notify_on_close external_id",
)
HOME = Shape.of("blocks", "private_metadata callback_id external_id")
MOST_BLOCKS, MOST_IN_VIEW = 50, 100
LONGEST_TEXT, LONGEST_IN_BLOCKS = 40_000, 13_200
HEAVIEST_VIEW = 250_000
INVALID = "invalid_arguments"


def faults_of_message(
    payload: Mapping[str, Any],
    *,
    where: str = POST,
    files: Collection[str] | None = None,
    may_ping: bool = False,
) -> list[str]:
    """All that is wrong with the arguments of a call, each with where it is; `channel` and the
    like may be left out."""
    shape = WHERE[where]
    whole = {**dict.fromkeys(shape.needs, "C1"), **payload}
    return [str(one) for one in _message(whole, where, files, may_ping)]


def faults_of_view(
    view: Mapping[str, Any], *, files: Collection[str] | None = None, may_ping: bool = False
) -> list[str]:
    """All that is wrong with a modal or a home."""
    return [str(one) for one in _view(view, files, may_ping)]


def refusal_of_message(world: World, payload: Json, *, where: str) -> tuple[str, list[str]]:
    """The error that Slack answers, and all that is wrong; what only quizbot must not is a slip."""
    if not world.checks:
        return "", []
    faults = list(_message(payload, where, world.usable_files(), world.may_ping))
    return _refusal(world, where, faults)


def refusal_of_view(world: World, view: Json) -> tuple[str, list[str]]:
    return _refusal(world, "a view", list(_view(view, world.usable_files(), world.may_ping)))


def _refusal(world: World, where: str, faults: list[Fault]) -> tuple[str, list[str]]:
    world.slips += [f"{where}: {one}" for one in faults if not one.is_refused]
    refused = [one for one in faults if one.is_refused]
    said = [f"{one.said} [json-pointer:{one.at}]" for one in refused]
    return (refused[0].error if refused else ""), said


def _message(
    payload: Mapping[str, Any], where: str, files: Collection[str] | None, may_ping: bool
) -> Faults:
    yield from check_keys(payload, WHERE[where], "", STRICT)
    text, blocks = payload.get("text"), payload.get("blocks")
    if not text and not blocks:
        yield Fault("", "it says nothing", "no_text")
        return
    if not text:
        yield Fault("/text", "screen readers and notifications have nothing to say", STRICT)
    else:
        yield from check_length(text, "/text", LONGEST_TEXT, error="msg_too_long")
        yield from check_mrkdwn(str(text), "/text", may_ping=may_ping)
    yield from _check_manner(payload, where)
    if blocks is None:
        return
    yield from check_blocks(blocks, "/blocks", MOST_BLOCKS, files=files, may_ping=may_ping)
    long = sum(map(len, words(blocks)))
    if long >= LONGEST_IN_BLOCKS:
        yield Fault("/blocks", f"{long} characters of text", "msg_blocks_too_long")


def _check_manner(payload: Mapping[str, Any], where: str) -> Faults:
    if where == POST and not (
        payload.get("unfurl_links") is False and payload.get("unfurl_media") is False
    ):
        yield Fault("", "a link's preview may show the answer: unfurl_links, unfurl_media", STRICT)
    if payload.get("link_names") or payload.get("parse") not in (None, "none"):
        yield Fault("", "names would become mentions: parse, link_names", STRICT)
    if payload.get("response_type") not in (None, "ephemeral", "in_channel"):
        yield Fault("/response_type", f"{payload['response_type']!r} is none", STRICT)
    if payload.get("reply_broadcast") and not payload.get("thread_ts"):
        yield Fault("/reply_broadcast", "there is no thread to broadcast from", STRICT)


def _view(view: Mapping[str, Any], files: Collection[str] | None, may_ping: bool) -> Faults:
    is_modal = view.get("type") == "modal"
    if not is_modal and view.get("type") != "home":
        yield Fault("/type", f"{view.get('type')!r} is no view", INVALID)
        return
    yield from check_keys(view, MODAL if is_modal else HOME, "", INVALID)
    for key in ("title", "close", "submit"):
        if key in view and is_modal:
            yield from check_text(view[key], f"/{key}", 24, plain=True, error=INVALID)
    for key, most in (("private_metadata", 3000), ("callback_id", 255), ("external_id", 255)):
        if key in view:
            yield from check_length(view[key], f"/{key}", most, least=0, error=INVALID)
    yield from check_flags(view, "", "clear_on_close", "notify_on_close")
    blocks = view.get("blocks")
    for one in check_blocks(
        blocks, "/blocks", MOST_IN_VIEW, in_view=True, files=files, may_ping=may_ping
    ):
        yield Fault(one.at, one.said, INVALID if one.is_refused else STRICT)
    inputs = [one for _, one in items(blocks, "") if one.get("type") == "input"]
    if is_modal and inputs and "submit" not in view:
        yield Fault("/submit", "a form with inputs needs a button to send it", INVALID)
    focused = [one for one in objects(map(_element, inputs)) if one.get("focus_on_load")]
    if len(focused) > 1:
        yield Fault("/blocks", "only one element can have the focus", INVALID)
    if len(json.dumps(view, ensure_ascii=False).encode()) > HEAVIEST_VIEW:
        yield Fault("", "it is heavier than 250 kB", "view_too_large")


def _element(block: Mapping[str, Any]) -> object:
    return block.get("element")
