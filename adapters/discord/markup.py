"""Spans as Discord's Markdown: the only place where its signs are escaped."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import assert_never
from urllib.parse import quote, urlsplit

from babel import Locale, UnknownLocaleError

from bot import messages as m

# What no reader sees, or what turns the direction of the text behind it.
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
# A link without a name would show the signs that escape what stands in it, so it is made none.
_SIGNS = re.compile(r"[\\`*_~|<\[\]]|:(?=//|[^\s:]+:)|@(?=everyone|here)")
_AT_LINE_START = re.compile(r"^([ \t]*)([#>+-])", re.MULTILINE)
_NUMBERED = re.compile(r"^([ \t]*\d+)\.(?=\s)", re.MULTILINE)
_LANGUAGE = re.compile(r"[A-Za-z0-9_+#.-]{1,20}")
_BACKTICKS = re.compile(r"`+")
_MARKS = "*`_"

_NOTHING = "\u200b"
"""Takes no room, and keeps signs apart that would mean something together."""

_ISOLATED, _ENDED = "\u2068", "\u2069"


def units(text: str) -> int:
    """The length that surely fits where Discord counts, whichever way it counts."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def cleaned(text: str) -> str:
    """Without signs that nobody sees or that turn the text around them."""
    return _UNSEEN.sub("", text.replace("\r\n", "\n"))


def escaped(text: str) -> str:
    """Literal text: no mark, mention, link, emoji, list or heading comes of it."""
    text = _SIGNS.sub(r"\\\g<0>", cleaned(text))
    return _NUMBERED.sub(r"\1\\.", _AT_LINE_START.sub(r"\1\\\2", text))


def spans(parts: Iterable[m.Span], language: str) -> str:
    """Spans one after the other; `language` is that of the words around them."""
    return _spans(parts, language, frozenset())


def code_block(block: m.CodeBlock) -> str:
    """A fence that its content cannot end."""
    text = _BACKTICKS.sub(lambda run: _NOTHING.join(run[0]), cleaned(block.text).strip("\n"))
    name = block.language if _LANGUAGE.fullmatch(block.language) else ""
    return f"```{name}\n{text or _NOTHING}\n```"


def name(text: str) -> str:
    """Somebody's name: on one line, and no direction but its own."""
    return f"{_ISOLATED}{escaped(' '.join(cleaned(text).split()))}{_ENDED}"


@lru_cache(maxsize=256)
def is_right_to_left(tag: str) -> bool:
    try:
        return str(Locale.parse(tag.replace("-", "_")).text_direction) == "rtl"
    except (UnknownLocaleError, ValueError, TypeError):
        return False


def web_address(url: str, longest: int = 2000) -> str | None:
    """The address in signs that end no link; None for what is no web page."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.netloc:
        return None
    safe = quote(cleaned(url), safe="%/:?#@!$&'*+,;=~.-_")
    return safe if units(safe) <= longest else None


# --- spans -----------------------------------------------------------------------------------


def _spans(parts: Iterable[m.Span], language: str, within: frozenset[str]) -> str:
    out = ""
    for part in parts:
        drawn = _span(part, language, within)
        # Marks that touch would be read as one.
        if out and drawn and out[-1] in _MARKS and drawn[0] in _MARKS:
            out += _NOTHING
        out += drawn
    return out


def _span(part: m.Span, language: str, within: frozenset[str]) -> str:
    match part:
        case m.Plain(text):
            return escaped(text)
        case m.Bold(inner):
            return _marked("**", inner, language, within)
        case m.Emphasis(inner):
            return _marked("*", inner, language, within)
        case m.Code(text):
            return _code(text)
        case m.Link(inner, url):
            return _link(inner, url, language, within)
        case m.Name(text):
            return name(text)
        case m.PlaceName(key, text):
            return f"<#{key}>" if key.isascii() and key.isdigit() else escaped(text)
        case m.When(at, style, _):
            sign = {"relative": "R", "time": "t", "date": "D"}[style]
            return f"<t:{int(at.timestamp())}:{sign}>"
        case m.Foreign(inner, tag):
            text = _spans(inner, tag, within)
            turns = is_right_to_left(tag) != is_right_to_left(language)
            return f"{_ISOLATED}{text}{_ENDED}" if turns and text else text
        case _:
            assert_never(part)


def _marked(mark: str, inner: m.Spans, language: str, within: frozenset[str]) -> str:
    if mark in within:
        return _spans(inner, language, within)
    text = _spans(inner, language, within | {mark})
    core = text.strip()
    if not core:
        return text
    # A mark holds only where it touches a letter.
    begin, end = text[: text.index(core)], text[text.index(core) + len(core) :]
    return f"{begin}{mark}{core}{mark}{end}"


def _code(text: str) -> str:
    text = " ".join(cleaned(text).split("\n"))
    if not text.strip():
        return text
    if max((len(run) for run in _BACKTICKS.findall(text)), default=0) > 1:
        text = _BACKTICKS.sub(lambda run: _NOTHING.join(run[0]), text)
    if "`" not in text:
        return f"`{text}`"
    begin = " " if text.startswith("`") else ""
    end = " " if text.endswith("`") else ""
    return f"``{begin}{text}{end}``"


def _link(inner: m.Spans, url: str, language: str, within: frozenset[str]) -> str:
    address = web_address(url)
    words = m.text_of(inner)
    if address is None or "link" in within:
        return _spans(inner, language, within)
    if words.strip() in ("", url):
        return f"<{address}>"
    if "://" in words or any(sign in words for sign in "[]"):
        # What looks like another address, or has brackets, is not taken for the name of a link.
        return f"{escaped(words)} (<{address}>)"
    return f"[{_spans(inner, language, within | {'link'})}](<{address}>)"


# --- cutting ---------------------------------------------------------------------------------


def cut(text: str, most: int) -> str:
    """At most so many units: whole words as far as that leaves half of it, then `…`."""
    if units(text) <= most:
        return text
    if most <= 1:
        return "…"[:most]
    end = len(text)
    while units(text[:end]) > most - 1:
        end = min(end - 1, max(0, most - 1))
    at_space = max(text.rfind(" ", 0, end + 1), text.rfind("\n", 0, end + 1))
    if at_space > end // 2:
        end = at_space
    while end > 0 and _belongs_before(text[end]):
        end -= 1
    return f"{text[:end].rstrip()}…"


def _belongs_before(sign: str) -> bool:
    """Whether a sign is drawn as one with the sign before it."""
    return (
        bool(unicodedata.combining(sign))
        or sign in "\u200d\ufe0e\ufe0f"
        or ("\U0001f3fb" <= sign <= "\U0001f3ff")
    )
