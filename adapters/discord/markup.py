"""Spans as Discord's Markdown: the only place where its signs are escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import assert_never

from adapters.text import NOTHING, is_right_to_left, isolated
from adapters.text import cleaned as cleaned
from adapters.text import cut as cut
from adapters.text import units as units
from adapters.text import web_address as web_address
from bot import messages as m

LONGEST_ADDRESS = 2000

# A link without a name would show the signs that escape what stands in it, so it is made none.
_SIGNS = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_~|<[]"})
_TOGETHER = re.compile(r":(?=//|[^\s:]+:)|@(?=everyone|here)")
_ANY = re.compile(rf"[\\`*_~|<\[\]]|{_TOGETHER.pattern}")
_AT_LINE_START = re.compile(r"^[ \t]*[#>+-]", re.MULTILINE)
_NUMBERED = re.compile(r"^[ \t]*\d+\.(?=\s)", re.MULTILINE)
_LANGUAGE = re.compile(r"[A-Za-z0-9_+#.-]{1,20}")
_BACKTICKS = re.compile(r"`+")
_MARKS = "*`_"


def escaped(text: str) -> str:
    """Literal text: no mark, mention, link, emoji, list or heading comes of it."""
    text = cleaned(text).translate(_SIGNS)
    # A function puts them in far faster than a template does, which is read anew each time.
    for pattern in (_TOGETHER, _AT_LINE_START, _NUMBERED):
        text = pattern.sub(_escaped_at_its_end, text)
    return text


def growth(text: str) -> list[int]:
    """Where `escaped` puts a sign more into a cleaned text."""
    patterns = (_ANY, _AT_LINE_START, _NUMBERED)
    return [found.end() - 1 for pattern in patterns for found in pattern.finditer(text)]


def growth_of_code(text: str) -> list[int]:
    """Where `code_block` puts a sign more into a cleaned text."""
    return [at for run in _BACKTICKS.finditer(text) for at in range(run.start() + 1, run.end())]


def spans(parts: Iterable[m.Span], language: str) -> str:
    """Spans one after the other; `language` is that of the words around them."""
    return _spans(parts, language, frozenset())


def code_block(block: m.CodeBlock) -> str:
    """A fence that its content cannot end."""
    text = _apart(cleaned(block.text).strip("\n"))
    name = block.language if _LANGUAGE.fullmatch(block.language) else ""
    return f"```{name}\n{text or NOTHING}\n```"


def name(text: str) -> str:
    """Somebody's name: on one line, and no direction but its own."""
    return isolated(escaped(" ".join(cleaned(text).split())))


@lru_cache(maxsize=256)
def address(url: str) -> str | None:
    """Where a link leads, as Discord takes it; None for what is no web page."""
    return web_address(url, LONGEST_ADDRESS)


def code(text: str) -> str:
    """Code within a line."""
    text = " ".join(cleaned(text).split("\n"))
    if not text.strip():
        return text
    if "``" in text:
        text = _apart(text)
    if "`" not in text:
        return f"`{text}`"
    begin = " " if text.startswith("`") else ""
    end = " " if text.endswith("`") else ""
    return f"``{begin}{text}{end}``"


# --- spans -----------------------------------------------------------------------------------


def _spans(parts: Iterable[m.Span], language: str, within: frozenset[str]) -> str:
    out = ""
    for part in parts:
        drawn = _span(part, language, within)
        # Marks that touch would be read as one.
        if out and drawn and out[-1] in _MARKS and drawn[0] in _MARKS:
            out += NOTHING
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
            return code(text)
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
            return isolated(text) if turns and text else text
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


def _link(inner: m.Spans, url: str, language: str, within: frozenset[str]) -> str:
    leads = address(url)
    words = m.text_of(inner)
    if leads is None or "link" in within:
        return _spans(inner, language, within)
    if words.strip() in ("", url):
        return f"<{leads}>"
    if "://" in words or any(sign in words for sign in "[]"):
        # What looks like another address, or has brackets, is not taken for the name of a link.
        return f"{escaped(words)} (<{leads}>)"
    return f"[{_spans(inner, language, within | {'link'})}](<{leads}>)"


def _apart(text: str) -> str:
    """Code whose backticks end nothing."""
    return _BACKTICKS.sub(lambda run: NOTHING.join(run[0]), text)


def _escaped_at_its_end(found: re.Match[str]) -> str:
    return f"{found[0][:-1]}\\{found[0][-1]}"
