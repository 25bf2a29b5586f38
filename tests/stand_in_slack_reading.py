"""How a person reads blocks in Slack's client: plain text, and what can be pressed.

Formatting marks of mrkdwn stay as written, so that a test sees where somebody's words became
formatting; links and mentions show as the client shows them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from stand_in_slack_world import Json, World

ANGLED = re.compile(r"<([^<>|]*)(?:\|([^<>]*))?>")


def text_of(blocks: Iterable[Json], world: World | None = None) -> str:
    """The blocks' words, a line for each thing that stands on its own."""
    return "\n".join(line for block in blocks for line in _lines(block, world) if line)


def elements_of(blocks: Iterable[Json]) -> list[Json]:
    """All interactive elements, each with its `block_id` as `_block`."""
    found: list[Json] = []
    for block in blocks:
        inside = [block.get("accessory"), block.get("element"), *(block.get("elements") or ())]
        found.extend(
            {**one, "_block": block.get("block_id", "")}
            for one in inside
            if isinstance(one, dict) and "action_id" in one
        )
    return found


def buttons_of(blocks: Iterable[Json]) -> list[Json]:
    return [one for one in elements_of(blocks) if one["type"] == "button"]


def find_element(blocks: list[Json], wanted: str) -> Json:
    """By action id, by label, by accessibility label, else by the letter a label begins with."""
    elements = elements_of(blocks)

    def label(one: Json) -> str:
        return str(one.get("text", {}).get("text", ""))

    ways = (
        lambda one: one["action_id"] == wanted,
        lambda one: label(one) == wanted,
        lambda one: one.get("accessibility_label") == wanted,
        lambda one: len(wanted) == 1 and re.split(r"\W", label(one), maxsplit=1)[0] == wanted,
    )
    for way in ways:
        found = [one for one in elements if way(one)]
        if found:
            return found[0]
    shown = [label(one) or one["action_id"] for one in elements]
    raise AssertionError(f"there is no {wanted!r} on it: {shown}")


def mrkdwn(text: str, world: World | None = None) -> str:
    """What a person reads of it, but for bold, italic and the like."""

    def shown(match: re.Match[str]) -> str:
        target, label = match.group(1), match.group(2)
        if label:
            return label
        if target.startswith("@"):
            return "@" + _name(target[1:], world)
        if target.startswith("#"):
            return "#" + _channel(target[1:], world)
        return "@" + target[1:] if target.startswith("!") else target

    text = ANGLED.sub(shown, text)
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _text(thing: Any, world: World | None) -> str:
    if not isinstance(thing, dict):
        return ""
    text = str(thing.get("text", ""))
    return mrkdwn(text, world) if thing.get("type") == "mrkdwn" else text


def _lines(block: Json, world: World | None) -> Iterator[str]:
    match block["type"]:
        case "section":
            yield _text(block.get("text"), world)
            for one in block.get("fields") or ():
                yield _text(one, world)
            yield _about(block.get("accessory"), world)
        case "header":
            yield _text(block["text"], world)
        case "context":
            yield " ".join(
                _text(one, world) or str(one.get("alt_text", "")) for one in block["elements"]
            )
        case "image":
            yield _text(block.get("title"), world)
            yield str(block["alt_text"])
        case "markdown":
            yield str(block["text"])
        case "rich_text":
            for one in block["elements"]:
                yield from _rich(one, world)
        case "input":
            yield _text(block["label"], world)
            yield _text(block.get("hint"), world)
        case _:
            return


def _about(accessory: Any, world: World | None) -> str:
    return str(accessory.get("alt_text", "")) if isinstance(accessory, dict) else ""


def _rich(element: Json, world: World | None) -> Iterator[str]:
    if element["type"] == "rich_text_list":
        numbered = element.get("style") == "ordered"
        first = int(element.get("offset", 0)) + 1
        for number, one in enumerate(element["elements"], first):
            yield (f"{number}. " if numbered else "• ") + _inline(one["elements"], world)
    else:
        yield _inline(element["elements"], world)


def _inline(elements: Iterable[Json], world: World | None) -> str:
    return "".join(_word(one, world) for one in elements)


def _word(one: Json, world: World | None) -> str:
    match one["type"]:
        case "text":
            return str(one["text"])
        case "link":
            return str(one.get("text") or one["url"])
        case "emoji":
            return f":{one['name']}:"
        case "user":
            return "@" + _name(one["user_id"], world)
        case "channel":
            return "#" + _channel(one["channel_id"], world)
        case "usergroup":
            return f"@{one['usergroup_id']}"
        case "broadcast":
            return f"@{one['range']}"
        case "date":
            return str(one.get("fallback") or one["timestamp"])
        case "color":
            return str(one["value"])
        case _:
            return ""


def _name(user: str, world: World | None) -> str:
    known = world.people.get(user) if world else None
    return known.name if known else user


def _channel(channel: str, world: World | None) -> str:
    known = world.channels.get(channel) if world else None
    return known.name if known else channel
