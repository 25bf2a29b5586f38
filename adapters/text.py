"""Literal text for any platform: freed of what nobody sees, cut where a word ends."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from urllib.parse import quote, urlsplit

from babel import Locale, UnknownLocaleError

NOTHING = "\u200b"
"""Takes no room, and keeps signs apart that would mean something together."""

# What no reader sees, or what turns the direction of the text behind it.
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_GAPS = re.compile(r"[ \t\n\r\f\v]+")
_BEFORE_DIFFERENCE = 20
"""So many signs of what two texts share stand before that in which they differ."""

ISOLATED, ENDED = "\u2068", "\u2069"


def units(text: str) -> int:
    """The length that surely fits where a platform counts, whichever way it counts."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def cleaned(text: str) -> str:
    """Without signs that nobody sees or that turn the text around them."""
    return _UNSEEN.sub("", text.replace("\r\n", "\n"))


def on_one_line(text: str) -> str:
    """Cleaned and without line breaks; a space that holds words together stays one."""
    return _GAPS.sub(" ", cleaned(text)).strip()


def label(text: str, most: int) -> str:
    """One line that is never empty: for what can be pressed or filled in."""
    return cut(on_one_line(text), most) or "…"


def isolated(text: str) -> str:
    """Text whose direction turns nothing around it."""
    return f"{ISOLATED}{text}{ENDED}"


@lru_cache(maxsize=256)
def is_right_to_left(tag: str) -> bool:
    try:
        return str(Locale.parse(tag.replace("-", "_")).text_direction) == "rtl"
    except (UnknownLocaleError, ValueError, TypeError):
        return False


def web_address(url: str, longest: int) -> str | None:
    """The address in signs that end no link; None for what is no web page."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.netloc:
        return None
    safe = quote(cleaned(url), safe="%/:?#@!$&'*+,;=~.-_")
    return safe if len(safe) <= longest else None


def cut(text: str, most: int) -> str:
    """At most so many units: whole words as far as that leaves half of it, then `…`."""
    if units(text) <= most:
        return text
    if most <= 1:
        return "…"[:most]
    return f"{text[: break_in(text, most - 1)].rstrip()}…"


def before_difference(at: int, texts: Sequence[str], most: int) -> int:
    """Where to begin one of several texts, of which only so much fits, to tell it from the others.

    That is shortly before where it differs from the one that is most like it.
    """
    others = [other for index, other in enumerate(texts) if index != at]
    start = max((_shared(texts[at], other) for other in others), default=0)
    # What is cut off behind it must not be that in which they differ.
    return max(0, start - min(_BEFORE_DIFFERENCE, most // 3))


def break_in(text: str, most: int) -> int:
    """Where to part a text that is longer than so many units: what is before it fits."""
    end = _reach(text, most)
    at_space = max(text.rfind(" ", 0, end + 1), text.rfind("\n", 0, end + 1))
    if at_space > end // 2:
        end = at_space
    while end > 0 and _belongs_before(text[end]):
        end -= 1
    return end


def _reach(text: str, most: int) -> int:
    """How many whole signs of a longer text are within so many units."""
    if text.isascii():
        return most
    whole = text.encode("utf-16-le", "surrogatepass")[: 2 * most]
    # Half of a sign at the end is left out.
    return len(whole.decode("utf-16-le", "ignore"))


def _belongs_before(sign: str) -> bool:
    """Whether a sign is drawn as one with the sign before it."""
    return (
        bool(unicodedata.combining(sign))
        or sign in "\u200d\ufe0e\ufe0f"
        or ("\U0001f3fb" <= sign <= "\U0001f3ff")
    )


def _shared(text: str, other: str) -> int:
    """How many signs two texts have in common at their beginning."""
    lengths = range(1, min(len(text), len(other)) + 1)
    return bisect_left(lengths, True, key=lambda length: text[:length] != other[:length])
