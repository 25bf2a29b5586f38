"""Spans as Slack's rich text, which is literal, and small lines as what a context can hold."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, assert_never

from adapters.text import (
    ENDED,
    ISOLATED,
    NOTHING,
    cleaned,
    is_right_to_left,
    isolated,
    label,
    on_one_line,
    units,
    web_address,
)
from bot import messages as m

Element = dict[str, Any]

LONGEST_ADDRESS = 3000
MOST_SMALL = 2000

_BOLD, _ITALIC, _CODE = 1, 2, 4
_STYLES = [
    {name: True for bit, name in ((1, "bold"), (2, "italic"), (4, "code")) if style & bit}
    for style in range(8)
]

# Slack's own countdown is told of the past alone, and nobody says that it moves. So the seconds
# that were left are followed by the instant itself, which stays true.
_FORMATS = {"relative": "{time_secs}", "time": "{time}", "date": "{date_short}"}

_CHANNEL = re.compile(r"[CG][A-Z0-9]{2,30}")
# In plain text Slack may read what is written `&amp;` as one sign.
_ENTITY = re.compile(r"&(?=(?:amp|lt|gt);)")
# What mrkdwn makes something of and knows no escape for: weight, code, emoji, a quoted line.
_MEANS_SOMETHING = re.compile(r"[*_~`]|:[^\s:]+:|^\s*>", re.MULTILINE)
MOST_GROWTH = 200
"""So much longer a small line may become by being escaped; fitting counts on it."""


def elements(parts: Iterable[m.Span], language: str, *, bold: bool = False) -> list[Element]:
    """Spans as elements of a rich text; `language` is that of the words around them."""
    run = _Run()
    _walk(parts, language, _BOLD if bold else 0, run)
    return run.elements


def text(words: str, *, bold: bool = False) -> Element:
    """Literal words as one element."""
    drawn: Element = {"type": "text", "text": words}
    if bold:
        drawn["style"] = _STYLES[_BOLD]
    return drawn


def preformatted(block: m.CodeBlock) -> Element:
    words = cleaned(block.text).strip("\n")
    return {"type": "rich_text_preformatted", "elements": [text(words or NOTHING)]}


def plain(words: str) -> Element:
    """Words with no markup at all, in which Slack reads no emoji either."""
    return {"type": "plain_text", "text": _unread(words), "emoji": False}


def labelled(words: str, most: int) -> Element:
    """A label: one line of at most so many signs that is never empty."""
    return plain(label(_unread(words), most))


def small(parts: m.Spans, language: str) -> Element | None:
    """Spans as an element of a context; None where only rich text would keep them literal."""
    if all(map(_is_words, parts)):
        element = plain(literal(parts, language))
        return element if units(element["text"]) <= MOST_SMALL else None
    drawn = ""
    for part in parts:
        words = _small(part, language)
        if words is None:
            return None
        drawn += words
    if units(drawn) > min(MOST_SMALL, units(m.text_of(parts)) + MOST_GROWTH):
        return None
    return {"type": "mrkdwn", "text": drawn, "verbatim": True}


def literal(parts: Iterable[m.Span], language: str) -> str:
    """The words of spans, for where there is no markup."""
    return "".join(_literal(part, language) for part in parts)


def escaped(words: str) -> str:
    """Text in which Slack reads no mention and no link."""
    return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def name(words: str) -> str:
    """Somebody's name: on one line, and no direction but its own."""
    return isolated(on_one_line(words))


def _unread(words: str) -> str:
    return _ENTITY.sub(f"&{NOTHING}", words)


# --- rich text -------------------------------------------------------------------------------


class _Run:
    """Elements as they are written down; texts beside each other in one style become one."""

    def __init__(self) -> None:
        self.elements: list[Element] = []
        self._style = -1

    def add(self, words: str, style: int) -> None:
        if not words:
            return
        if style == self._style:
            self.elements[-1]["text"] += words
            return
        element: Element = {"type": "text", "text": words}
        self._put(element, style)
        self._style = style

    def put(self, element: Element, style: int) -> None:
        self._put(element, style)
        self._style = -1

    def _put(self, element: Element, style: int) -> None:
        if style:
            element["style"] = _STYLES[style]
        self.elements.append(element)


def _walk(parts: Iterable[m.Span], language: str, style: int, run: _Run) -> None:
    for part in parts:
        _add(part, language, style, run)


def _add(part: m.Span, language: str, style: int, run: _Run) -> None:
    match part:
        case m.Plain(words):
            run.add(cleaned(words), style)
        case m.Bold(inner):
            _walk(inner, language, style | _BOLD, run)
        case m.Emphasis(inner):
            _walk(inner, language, style | _ITALIC, run)
        case m.Code(words):
            run.add(" ".join(cleaned(words).split("\n")), style | _CODE)
        case m.Link(inner, url):
            _link(inner, url, language, style, run)
        case m.Name(words):
            run.add(name(words), style)
        case m.PlaceName():
            _place(part, style, run)
        case m.When():
            _when(part, style, run)
        case m.Foreign(inner, tag):
            _foreign(inner, tag, language, style, run)
        case _:
            assert_never(part)


def _place(place: m.PlaceName, style: int, run: _Run) -> None:
    if _is_channel(place):
        run.put({"type": "channel", "channel_id": place.id}, style)
    else:
        run.add(on_one_line(place.text), style)


def _is_channel(place: m.PlaceName) -> bool:
    return _CHANNEL.fullmatch(place.id) is not None


def _link(inner: m.Spans, url: str, language: str, style: int, run: _Run) -> None:
    address = web_address(url, LONGEST_ADDRESS)
    if address is None:
        _walk(inner, language, style, run)
        return
    words = on_one_line(m.text_of(inner))
    drawn: Element = {"type": "link", "url": address}
    if "://" in words and words != url:
        # What looks like another address is not taken for the name of a link.
        run.add(f"{words} (", style)
        run.put(drawn, style)
        run.add(")", style)
        return
    if words and words != url:
        drawn["text"] = words
    run.put(drawn, style)


def _when(when: m.When, style: int, run: _Run) -> None:
    date: Element = {
        "type": "date",
        "timestamp": int(when.at.timestamp()),
        "format": _FORMATS[when.style],
        "fallback": _fallback(when),
    }
    if when.style == "relative":
        run.add(f"{when.text} (", style)
    run.put(date, style)
    if when.style == "relative":
        run.add(")", style)


def _fallback(when: m.When) -> str:
    return f"{when.at:%H:%M:%S UTC}" if when.style == "relative" else when.text


def _foreign(inner: m.Spans, tag: str, language: str, style: int, run: _Run) -> None:
    if is_right_to_left(tag) == is_right_to_left(language):
        _walk(inner, tag, style, run)
        return
    run.add(ISOLATED, style)
    _walk(inner, tag, style, run)
    run.add(ENDED, style)


# --- small lines -----------------------------------------------------------------------------


def _is_words(part: m.Span) -> bool:
    """Whether a span is nothing but words, so that plain text says all of it."""
    match part:
        case m.Plain() | m.Name():
            return True
        case m.PlaceName():
            return not _is_channel(part)
        case m.Foreign(inner, _):
            return all(map(_is_words, inner))
        case _:
            return False


def _small(part: m.Span, language: str) -> str | None:
    """A span as mrkdwn, which has no escape for the signs that give weight."""
    match part:
        case m.When(at, style, words):
            date = f"<!date^{int(at.timestamp())}^{_FORMATS[style]}|{escaped(_fallback(part))}>"
            return f"{escaped(words)} ({date})" if style == "relative" else date
        case m.PlaceName(key, _) if _is_channel(part):
            return f"<#{key}>"
        case m.Link(inner, url):
            return _small_link(inner, url)
        case _ if _is_words(part):
            return _safely(_literal(part, language))
        case _:
            return None


def _safely(words: str) -> str | None:
    return None if _MEANS_SOMETHING.search(words) else escaped(words)


def _small_link(inner: m.Spans, url: str) -> str | None:
    address = web_address(url, LONGEST_ADDRESS)
    words = on_one_line(m.text_of(inner))
    if address is None or not words or "://" in words or _MEANS_SOMETHING.search(words):
        return None
    return f"<{escaped(address)}|{escaped(words)}>"


def _literal(part: m.Span, language: str) -> str:
    match part:
        case m.Plain(words):
            return cleaned(words)
        case m.Code(words) | m.PlaceName(_, words):
            return on_one_line(words)
        case m.Name(words):
            return name(words)
        case m.When(_, _, words):
            return words
        case m.Bold(inner) | m.Emphasis(inner) | m.Link(inner, _):
            return literal(inner, language)
        case m.Foreign(inner, tag):
            words = literal(inner, tag)
            turns = is_right_to_left(tag) != is_right_to_left(language)
            return isolated(words) if turns and words else words
        case _:
            assert_never(part)
