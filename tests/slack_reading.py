"""Slack's blocks as somebody reads them, by the rules of Slack's clients."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

Block = dict[str, Any]

_CONTROL = re.compile(r"<([^<>]*)>")
# Where mrkdwn makes something of a sign it is no literal text any more.
_MARKS = re.compile(r"[*_~`]|:[^\s:]+:|^\s*(?:>|&gt;)", re.MULTILINE)
_GAP = "\u2002"
_UNSEEN = re.compile("[\u200b\u2068\u2069]")


def words(blocks: list[Block]) -> str:
    """All that is read, a line for each block or part of one."""
    return _UNSEEN.sub("", "\n".join(_lines(blocks))).replace("\u2002", "  ")


def mentions(blocks: list[Block]) -> list[str]:
    """Whom or what the blocks call or lead to, but for web pages."""
    found = [one["type"] for one in elements(blocks) if one["type"] in _CALLS]
    for one in elements(blocks):
        if one["type"] == "mrkdwn":
            controls = _CONTROL.findall(one["text"])
            found += [text for text in controls if not text.startswith(("http", "!date^"))]
    return found


def options(blocks: list[Block]) -> dict[str, str]:
    """The lettered options, by letter: what stands between one letter and the next."""
    found: dict[str, str] = {}
    letter = ""
    for block in blocks:
        letter = letter if block["type"] == "rich_text" else ""
        for part in block["elements"] if block["type"] == "rich_text" else ():
            for element, following in pairwise([*part["elements"], {}]):
                if _is_letter(element, following):
                    letter = element["text"]
                    found[letter] = ""
                elif letter:
                    found[letter] += _rich_word(element)
            if letter:
                found[letter] += "\n"
    return {letter: text.strip().strip(_GAP).strip() for letter, text in found.items()}


def elements(blocks: list[Block]) -> Iterator[Block]:
    """Every object that has a type, outside in."""
    for block in blocks:
        yield block
        inner = block.get("elements", ())
        others = [block.get(key) for key in ("text", "element", "label", "hint", "placeholder")]
        yield from elements([*inner, *(one for one in others if isinstance(one, dict))])


_CALLS = ("user", "usergroup", "broadcast", "channel", "team")


def _is_letter(element: Block, following: Block) -> bool:
    is_bold = element.get("style") == {"bold": True}
    starts = following.get("text", "")[:1] == _GAP
    return is_bold and starts and re.fullmatch("[A-Z]", element["text"]) is not None


def _lines(blocks: list[Block]) -> Iterator[str]:
    for block in blocks:
        match block["type"]:
            case "rich_text":
                yield from (_rich_words(part["elements"]) for part in block["elements"])
            case "header" | "section":
                yield _text(block["text"])
            case "context":
                yield from map(_text, block["elements"])
            case "image":
                yield block["alt_text"]
            case _:
                pass  # Controls and lines between blocks say nothing.


def _rich_words(parts: list[Block]) -> str:
    return "".join(map(_rich_word, parts))


def _rich_word(part: Block) -> str:
    match part["type"]:
        case "text":
            return str(part["text"])
        case "link":
            return str(part.get("text", part["url"]))
        case "channel":
            return f"#{part['channel_id']}"
        case "date":
            return str(part["fallback"])
        case other:
            raise AssertionError(other)


def _text(text: Block) -> str:
    if text["type"] == "plain_text":
        assert text["emoji"] is False
        return str(text["text"])
    assert text["verbatim"] is True
    literal = _CONTROL.sub("", text["text"])
    assert not _MARKS.search(literal), literal
    return html.unescape(_CONTROL.sub(_control, text["text"]))


def _control(found: re.Match[str]) -> str:
    target, _, shown = found[1].partition("|")
    assert target.startswith("!date^") or not _MARKS.search(shown), shown
    return shown or target
