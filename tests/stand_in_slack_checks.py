"""Faults of a payload for Slack, and the small checks that all rules are made of.

Lengths are in code points. Slack documents "characters"; that these are code points is assumed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

INVALID_BLOCKS = "invalid_blocks"
# What Slack takes, but quizbot must not send.
STRICT = "stand_in"

ESCAPED = re.compile(r"&(?:amp|lt|gt);")
ANGLED = re.compile(r"<([^<>]*)>")
# What Slack makes something of between angles: an address, a mention, a date.
MEANT = re.compile(r"(?:https?://|mailto:|[@#!])[^|\s]+(?:\|.+)?", re.DOTALL)
DATE = re.compile(r"!date\^\d+\^([^|^]+)(?:\^[^|]+)?\|.+")
DATES = {
    "date_num", "date_slash", "date_long", "date_long_full", "date_long_pretty", "date",
    "date_pretty", "date_short", "date_short_pretty", "time", "time_secs", "ago",
    "day_divider_pretty",
}  # fmt: skip
PINGS = re.compile(r"<(?:!(?:here|channel|everyone|subteam\^)|@)[^>]*>")


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong, and at which JSON pointer; `error` is what Slack answers to it."""

    at: str
    said: str
    error: str = INVALID_BLOCKS

    def __str__(self) -> str:
        return f"{self.at or '/'}: {self.said}"

    @property
    def is_refused(self) -> bool:
        return self.error != STRICT


Faults = Iterator[Fault]


@dataclass(frozen=True, slots=True)
class Shape:
    """The keys that an object must have and may have besides its `type`."""

    needs: frozenset[str]
    may: frozenset[str]

    @classmethod
    def of(cls, needs: str = "", may: str = "") -> Shape:
        return cls(frozenset(needs.split()), frozenset(may.split()))


def check_keys(
    thing: Mapping[str, Any], shape: Shape, at: str, error: str = INVALID_BLOCKS
) -> Faults:
    for key in sorted(shape.needs - thing.keys()):
        yield Fault(at, f"{key} is missing", error)
    for key in sorted(thing.keys() - shape.needs - shape.may - {"type"}):
        yield Fault(f"{at}/{key}", "nobody knows this key", error)


def check_length(
    value: object, at: str, most: int, *, least: int = 1, error: str = INVALID_BLOCKS
) -> Faults:
    if not isinstance(value, str):
        yield Fault(at, f"{value!r} is no text", error)
    elif len(value) > most:
        yield Fault(at, f"{len(value)} characters, at most {most}", error)
    elif len(value) < least:
        yield Fault(at, "it is empty" if least == 1 else f"under {least} characters", error)


def check_flags(thing: Mapping[str, Any], at: str, *names: str) -> Faults:
    for name in names:
        if name in thing and not isinstance(thing[name], bool):
            yield Fault(f"{at}/{name}", f"{thing[name]!r} is neither true nor false")


def check_number(thing: Mapping[str, Any], name: str, at: str, least: int, most: int) -> Faults:
    if name not in thing:
        return
    value = thing[name]
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        yield Fault(f"{at}/{name}", f"{value!r} is not between {least} and {most}")


def check_one_of(value: object, allowed: Collection[object], at: str) -> Faults:
    if all(value != one for one in allowed):
        yield Fault(at, f"{value!r} is none of {sorted(map(str, allowed))}")


def check_many(
    value: object, at: str, most: int, *, least: int = 1, error: str = INVALID_BLOCKS
) -> Faults:
    """A list of so many things; what is in it is checked elsewhere."""
    if not isinstance(value, list):
        yield Fault(at, f"{value!r} is no list", error)
    elif not least <= len(value) <= most:
        yield Fault(at, f"{len(value)} things, not {least} to {most}", error)


def check_text(
    thing: object, at: str, most: int, *, plain: bool = False, error: str = INVALID_BLOCKS
) -> Faults:
    """A text object (documented: 1 to 3000 characters, fewer in most spots)."""
    if not isinstance(thing, Mapping):
        yield Fault(at, f"{thing!r} is no text object", error)
        return
    kind = thing.get("type")
    if kind == "plain_text":
        yield from check_keys(thing, Shape.of("text", "emoji"), at, error)
        yield from check_flags(thing, at, "emoji")
    elif kind == "mrkdwn" and not plain:
        yield from check_keys(thing, Shape.of("text", "verbatim"), at, error)
        yield from check_flags(thing, at, "verbatim")
    else:
        allowed = "plain_text" if plain else "plain_text or mrkdwn"
        yield Fault(f"{at}/type", f"{kind!r} is not {allowed}", error)
    if "text" in thing:
        yield from check_length(thing["text"], f"{at}/text", most, error=error)


def items(value: object, at: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The objects of a list, each with where it is; the rest is a fault of somebody else."""
    if isinstance(value, list):
        for number, one in enumerate(value):
            if isinstance(one, Mapping):
                yield f"{at}/{number}", one


def check_mrkdwn(text: str, at: str, *, may_ping: bool) -> Faults:
    """Documented: `&`, `<` and `>` are escaped, but where they are meant; dates have a fallback."""
    for meant in ANGLED.findall(text):
        if meant.startswith("!date"):
            yield from check_date(meant, at)
        elif not MEANT.fullmatch(meant):
            yield Fault(at, f"<{meant}> means nothing", STRICT)
    rest = ESCAPED.sub("", ANGLED.sub("", text))
    for sign in "&<>":
        if sign in rest:
            yield Fault(at, f"{sign} is not escaped", STRICT)
    if not may_ping and PINGS.search(text):
        yield Fault(at, f"this may ping people: {text}", STRICT)


def check_date(meant: str, at: str) -> Faults:
    found = DATE.fullmatch(meant)
    if found is None:
        yield Fault(at, f"<{meant}> is no date with words for old clients", STRICT)
        return
    yield from check_tokens(found.group(1), at, STRICT)


def check_tokens(pattern: object, at: str, error: str = INVALID_BLOCKS) -> Faults:
    """The format of a date: at least one of the words in braces that Slack knows."""
    tokens = re.findall(r"\{([^}]*)\}", pattern) if isinstance(pattern, str) else []
    if not tokens:
        yield Fault(at, "it says no date", error)
    for token in tokens:
        if token not in DATES:
            yield Fault(at, f"{token!r} is none of {sorted(DATES)}", error)


def inside(value: object) -> list[Any]:
    """What is in a list; nothing where there is none."""
    return value if isinstance(value, list) else []


def objects(things: Iterable[object]) -> Iterator[Mapping[str, Any]]:
    return (one for one in things if isinstance(one, Mapping))


def strangers(value: object, at: str) -> Faults:
    """What is in a list and is no object."""
    if isinstance(value, list):
        for number, one in enumerate(value):
            if not isinstance(one, Mapping):
                yield Fault(f"{at}/{number}", f"{one!r} is no object")
