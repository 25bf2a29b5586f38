"""The rules of rich_text blocks, element by element.

Documented: the kinds, their keys and styles. Assumed: that empty texts and empty sections are
refused, and how deep lists may go (8). The block has no limit of its own but the message's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from stand_in_slack_checks import (
    Fault,
    Faults,
    Shape,
    check_flags,
    check_keys,
    check_length,
    check_many,
    check_number,
    check_one_of,
    check_tokens,
    items,
    strangers,
)

CONTAINERS = {
    "rich_text_section": Shape.of("elements"),
    "rich_text_list": Shape.of("elements style", "indent offset border"),
    "rich_text_preformatted": Shape.of("elements", "border language"),
    "rich_text_quote": Shape.of("elements", "border"),
}
INLINE = {
    "text": Shape.of("text", "style"),
    "link": Shape.of("url", "text unsafe style"),
    "emoji": Shape.of("name", "unicode style"),
    "user": Shape.of("user_id", "style"),
    "usergroup": Shape.of("usergroup_id", "style"),
    "channel": Shape.of("channel_id", "style"),
    "broadcast": Shape.of("range", "style"),
    "date": Shape.of("timestamp format", "url fallback style"),
    "color": Shape.of("value", "style"),
}
STYLES = {"bold", "italic", "strike", "code", "underline"}
MENTIONS = {"user", "usergroup", "channel"}
MENTION_STYLES = STYLES | {"highlight", "client_highlight", "unlink"}
IN_PREFORMATTED = {"text", "link"}
RANGES = {"here", "channel", "everyone"}
LONGEST_URL = 3000


def check_rich_text(block: Mapping[str, Any], at: str) -> Faults:
    yield from check_many(block.get("elements"), f"{at}/elements", 1000)
    yield from strangers(block.get("elements"), f"{at}/elements")
    for where, element in items(block.get("elements"), f"{at}/elements"):
        yield from _check_container(element, where)


def mentions(block: Mapping[str, Any], at: str) -> Faults:
    """What could ping somebody, but for a line that is nothing but one mention of a group."""
    if _is_mention_alone(block):
        return
    for where, element in items(block.get("elements"), f"{at}/elements"):
        if element.get("type") in ("user", "usergroup", "broadcast"):
            yield Fault(where, "this may ping people", "stand_in")
        yield from mentions(element, where)


def _is_mention_alone(block: Mapping[str, Any]) -> bool:
    sections = [element for _, element in items(block.get("elements"), "")]
    if block.get("type") != "rich_text" or len(sections) != 1:
        return False
    inside = [element for _, element in items(sections[0].get("elements"), "")]
    return len(inside) == 1 and inside[0].get("type") in ("usergroup", "broadcast")


def _check_container(element: Mapping[str, Any], at: str) -> Faults:
    kind = str(element.get("type"))
    shape = CONTAINERS.get(kind)
    if shape is None:
        yield Fault(f"{at}/type", f"{kind!r} cannot stand in a rich_text block")
        return
    yield from check_keys(element, shape, at)
    yield from check_number(element, "border", at, 0, 1)
    yield from check_many(element.get("elements"), f"{at}/elements", 1000)
    yield from strangers(element.get("elements"), f"{at}/elements")
    if kind == "rich_text_list":
        yield from _check_list(element, at)
        return
    for where, one in items(element.get("elements"), f"{at}/elements"):
        yield from _check_inline(one, where, preformatted=kind == "rich_text_preformatted")


def _check_list(element: Mapping[str, Any], at: str) -> Faults:
    yield from check_one_of(element.get("style"), ("bullet", "ordered"), f"{at}/style")
    yield from check_number(element, "indent", at, 0, 8)
    yield from check_number(element, "offset", at, 0, 10_000)
    for where, one in items(element.get("elements"), f"{at}/elements"):
        if one.get("type") != "rich_text_section":
            yield Fault(f"{where}/type", "a list has rich_text_sections only")
        else:
            yield from _check_container(one, where)


def _check_inline(one: Mapping[str, Any], at: str, *, preformatted: bool) -> Faults:
    kind = str(one.get("type"))
    shape = INLINE.get(kind)
    if shape is None or (preformatted and kind not in IN_PREFORMATTED):
        yield Fault(f"{at}/type", f"{kind!r} cannot stand here")
        return
    yield from check_keys(one, shape, at)
    yield from _check_style(one, kind, at)
    if kind == "text":
        yield from check_length(one.get("text"), f"{at}/text", 40_000)
    elif kind == "link":
        yield from check_url(one.get("url"), f"{at}/url")
        if "text" in one:
            yield from check_length(one["text"], f"{at}/text", 40_000)
        yield from check_flags(one, at, "unsafe")
    elif kind == "date":
        yield from _check_date(one, at)
    elif kind == "broadcast":
        yield from check_one_of(one.get("range"), RANGES, f"{at}/range")
    else:
        for key in sorted(shape.needs & one.keys()):
            yield from check_length(one[key], f"{at}/{key}", 255)


def check_url(value: object, at: str) -> Faults:
    """Assumed of links: http, https and mailto; at most 3000 characters as elsewhere."""
    yield from check_length(value, at, LONGEST_URL)
    if isinstance(value, str) and not re.match(r"(?:https?://|mailto:)[^\s]", value):
        yield Fault(at, f"{value!r} is no address")


def _check_style(one: Mapping[str, Any], kind: str, at: str) -> Faults:
    if "style" not in one:
        return
    style = one["style"]
    allowed = MENTION_STYLES if kind in MENTIONS else STYLES
    if not isinstance(style, Mapping):
        yield Fault(f"{at}/style", f"{style!r} is no object")
        return
    for key in sorted(style.keys() - allowed):
        yield Fault(f"{at}/style/{key}", "there is no such style")
    yield from check_flags(style, f"{at}/style", *sorted(style.keys() & allowed))


def _check_date(one: Mapping[str, Any], at: str) -> Faults:
    if not isinstance(one.get("timestamp"), int):
        yield Fault(f"{at}/timestamp", f"{one.get('timestamp')!r} is no whole number of seconds")
    yield from check_length(one.get("format"), f"{at}/format", 255)
    yield from check_tokens(one.get("format"), f"{at}/format")
    if "fallback" not in one:
        yield Fault(at, "old clients have nothing to read without a fallback", "stand_in")
    if "url" in one:
        yield from check_url(one["url"], f"{at}/url")
