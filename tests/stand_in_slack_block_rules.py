"""The rules of blocks: kinds, lengths, ids, and what may stand in a message, a form or a home."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from stand_in_slack_checks import (
    STRICT,
    Fault,
    Faults,
    Shape,
    check_flags,
    check_keys,
    check_length,
    check_many,
    check_mrkdwn,
    check_text,
    inside,
    items,
    objects,
    strangers,
)
from stand_in_slack_element_rules import (
    IN_ACTIONS,
    IN_INPUT,
    IN_SECTION,
    LONGEST_ID,
    check_element,
    check_image,
)
from stand_in_slack_rich_text_rules import check_rich_text, mentions

BLOCKS = {
    "section": Shape.of("", "block_id text fields accessory expand"),
    "header": Shape.of("text", "block_id"),
    "divider": Shape.of("", "block_id"),
    "context": Shape.of("elements", "block_id"),
    "actions": Shape.of("elements", "block_id"),
    "image": Shape.of("alt_text", "block_id image_url slack_file title"),
    "input": Shape.of("label element", "block_id hint optional dispatch_action"),
    "rich_text": Shape.of("elements", "block_id"),
    "markdown": Shape.of("text", "block_id"),
}
MARKDOWN = 12_000  # documented, over all markdown blocks of a payload
NOT_IN_VIEWS = {"markdown"}  # documented: messages only


def check_blocks(
    blocks: object,
    at: str,
    most: int,
    *,
    in_view: bool = False,
    files: Collection[str] | None = None,
    may_ping: bool = False,
) -> Faults:
    """All about a list of blocks; `files` are those that exist, where that is known."""
    yield from check_many(blocks, at, most, least=0)
    yield from strangers(blocks, at)
    ids: Counter[str] = Counter()
    for where, block in items(blocks, at):
        yield from _check_block(block, where, in_view=in_view)
        yield from _check_ids(block, where)
        if files is not None:
            yield from _check_files(block, where, files)
        yield from _check_marks(block, where, may_ping=may_ping)
        if "block_id" in block:
            ids[str(block["block_id"])] += 1
    for name, count in ids.items():
        if count > 1:
            yield Fault(at, f"block_id {name!r} is there {count} times")
    markdown = sum(
        len(str(one.get("text"))) for _, one in items(blocks, at) if one.get("type") == "markdown"
    )
    if markdown > MARKDOWN:
        yield Fault(at, f"{markdown} characters of markdown, at most {MARKDOWN}")


def words(thing: object) -> Iterator[str]:
    """All that Slack may count as text of a block (which it is, is assumed)."""
    if isinstance(thing, Mapping):
        for key, value in thing.items():
            if key in ("text", "alt_text", "url", "title", "fallback") and isinstance(value, str):
                yield value
            else:
                yield from words(value)
    elif isinstance(thing, list):
        for one in thing:
            yield from words(one)


def _check_block(block: Mapping[str, Any], at: str, *, in_view: bool) -> Faults:
    kind = str(block.get("type"))
    if kind not in BLOCKS or (in_view and kind in NOT_IN_VIEWS):
        yield Fault(f"{at}/type", f"there is no block {kind!r} here")
        return
    yield from check_keys(block, BLOCKS[kind], at)
    if "block_id" in block:
        yield from check_length(block["block_id"], f"{at}/block_id", LONGEST_ID)
    if kind in INSIDES:
        yield from INSIDES[kind](block, at)


def _check_section(block: Mapping[str, Any], at: str) -> Faults:
    if "text" not in block and "fields" not in block:
        yield Fault(at, "it has neither text nor fields")
    if "text" in block:
        yield from check_text(block["text"], f"{at}/text", 3000)
    if "fields" in block:
        yield from check_many(block["fields"], f"{at}/fields", 10)
        for number, one in enumerate(inside(block["fields"])):
            yield from check_text(one, f"{at}/fields/{number}", 2000)
    if "accessory" in block:
        yield from check_element(block["accessory"], IN_SECTION, f"{at}/accessory")
    yield from check_flags(block, at, "expand")


def _check_header(block: Mapping[str, Any], at: str) -> Faults:
    yield from check_text(block.get("text"), f"{at}/text", 150, plain=True)


def _check_image(block: Mapping[str, Any], at: str) -> Faults:
    yield from check_image(block, at)
    if "title" in block:
        yield from check_text(block["title"], f"{at}/title", 2000, plain=True)


def _check_markdown(block: Mapping[str, Any], at: str) -> Faults:
    yield from check_length(block.get("text"), f"{at}/text", MARKDOWN)


def _check_row(block: Mapping[str, Any], at: str) -> Faults:
    yield from check_many(block.get("elements"), f"{at}/elements", 25)
    yield from strangers(block.get("elements"), f"{at}/elements")
    for where, one in items(block.get("elements"), f"{at}/elements"):
        yield from check_element(one, IN_ACTIONS, where)


def _check_context(block: Mapping[str, Any], at: str) -> Faults:
    yield from check_many(block.get("elements"), f"{at}/elements", 10)
    yield from strangers(block.get("elements"), f"{at}/elements")
    for where, one in items(block.get("elements"), f"{at}/elements"):
        if one.get("type") == "image":
            yield from check_element(one, {"image"}, where)
        else:
            yield from check_text(one, where, 3000)


def _check_input(block: Mapping[str, Any], at: str) -> Faults:
    yield from check_text(block.get("label"), f"{at}/label", 2000, plain=True)
    if "hint" in block:
        yield from check_text(block["hint"], f"{at}/hint", 2000, plain=True)
    yield from check_flags(block, at, "optional", "dispatch_action")
    yield from check_element(block.get("element"), IN_INPUT, f"{at}/element")
    if "block_id" not in block:
        yield Fault(at, "without a block_id no fault can be shown beside it", STRICT)


def _check_ids(block: Mapping[str, Any], at: str) -> Faults:
    """Documented: action ids are unique within their block."""
    found = [block.get("accessory"), block.get("element"), *inside(block.get("elements"))]
    ids = Counter(str(one["action_id"]) for one in objects(found) if "action_id" in one)
    for name, count in ids.items():
        if count > 1:
            yield Fault(at, f"action_id {name!r} is there {count} times")


def _check_files(block: Mapping[str, Any], at: str, files: Collection[str]) -> Faults:
    """A picture by id must be there: documented for who posts it, and that it is an image."""
    for one in objects([block, block.get("accessory"), *inside(block.get("elements"))]):
        file = one.get("slack_file")
        if isinstance(file, Mapping) and "id" in file and str(file["id"]) not in files:
            yield Fault(f"{at}/slack_file", f"there is no file {file['id']!r}")


def _check_marks(block: Mapping[str, Any], at: str, *, may_ping: bool) -> Faults:
    if block.get("type") == "rich_text":
        if not may_ping:
            yield from mentions(block, at)
        return
    found = [block.get("text"), *inside(block.get("fields")), *inside(block.get("elements"))]
    for one in objects(found):
        if one.get("type") == "mrkdwn":
            yield from check_mrkdwn(str(one.get("text")), at, may_ping=may_ping)


INSIDES = {
    "section": _check_section,
    "header": _check_header,
    "context": _check_context,
    "actions": _check_row,
    "image": _check_image,
    "input": _check_input,
    "rich_text": check_rich_text,
    "markdown": _check_markdown,
}
