"""What is typed behind `/daily set`: the fields of a daily quiz, by the looks of the words."""

from __future__ import annotations

import re
from collections.abc import Callable

from bot.library import Found, Unknown
from bot.proposals import FIELD_NAMES
from bot.spelling import fold
from bot.wording import countries
from bot.wording.dates import read_days
from bot.wording.proposal_forms import IN_ORDER, SHUFFLED
from bot.wording.voice import Voice
from bot.zones import city_zone, is_misspelt_zone, is_zone_like

_NAMED = re.compile(rf"(?:^|\s)({'|'.join(FIELD_NAMES)})\s?[:=]\s*", re.IGNORECASE)
_CLOCK = re.compile(r"[0-9]{1,2}([:.h][0-9]{0,2})?([ap]\.?m\.?)?|[0-9]{4}", re.IGNORECASE)
_HALF = re.compile(r"[ap]\.?m\.?", re.IGNORECASE)
_BEFORE_A_CLOCK = {"at", "a"}
_BETWEEN_DAYS = re.compile("[,;\u2013-]")
_LONGEST_CITY = 4

Find = Callable[[str], Found | Unknown]


def no_topic(words: str) -> Unknown:
    """Where no quiz is known, none is meant."""
    return Unknown(())


def read_line(line: str, voice: Voice, find: Find = no_topic) -> dict[str, str]:
    """The fields in a typed line: `07:30 Africa/Harare mon-fri pipelines count:3`.

    A field may be named, as in the last word; other words are taken by their looks, and what
    looks like nothing else is the topic. A city, or a country with one clock, is a time zone where
    the words are no quiz that `find` knows; so is a zone with a slip, and days of which one is none
    are days, where no quiz is near: what is wrong is then told of what was meant.
    """
    free, *named = _NAMED.split(line)
    found = dict[str, str]()
    topic: list[str] = []
    rest = free.split()
    while rest:
        taken = _taken(rest, found, voice)
        if not taken:
            topic.append(rest.pop(0))
        del rest[:taken]
    if topic and not _is_topic(" ".join(topic), find):
        if "zone" not in found:
            _take_city(topic, found, voice, find)
        _take_misspelt(topic, found, voice, find)
    if topic:
        found["topic"] = " ".join(topic)
    for name, value in zip(named[::2], named[1::2], strict=True):
        found[name.casefold()] = value.strip()
    return found


def _taken(rest: list[str], found: dict[str, str], voice: Voice) -> int:
    """How many of the next words are a field that has not been found yet; they are put there."""
    word = rest[0]
    if fold(word) in _BEFORE_A_CLOCK and len(rest) > 1 and _CLOCK.fullmatch(rest[1]):
        return 1
    if _CLOCK.fullmatch(word) and "hour" not in found:
        has_half = len(rest) > 1 and _HALF.fullmatch(rest[1]) is not None
        found["hour"] = " ".join(rest[: 1 + has_half])
        return 1 + has_half
    if word.isdecimal() and "count" not in found:
        found["count"] = word
        return 1 + (len(rest) > 1 and fold(rest[1]) in _questions(voice))
    if is_zone_like(word) and "zone" not in found:
        found["zone"] = word
        return 1
    if fold(word) in (SHUFFLED, fold(IN_ORDER)) and "order" not in found:
        found["order"] = word
        return 1
    if "days" in found:
        return 0
    # The most words that are days together: "mon to fri", "every day".
    for length in range(min(len(rest), 9), 0, -1):
        if len(word) > 2 and read_days(" ".join(rest[:length]), voice):
            found["days"] = " ".join(rest[:length])
            return length
    return 0


def _questions(voice: Voice) -> set[str]:
    own = voice.phrase("Questions")
    return {"question", "questions", fold(own)}


def _take_city(topic: list[str], found: dict[str, str], voice: Voice, find: Find) -> None:
    """The zone that some of these words name, if the others are none or a quiz."""
    for length in range(min(len(topic), _LONGEST_CITY), 0, -1):
        for at in range(len(topic) - length + 1):
            zone = _zone_of(" ".join(topic[at : at + length]), voice)
            rest = [*topic[:at], *topic[at + length :]]
            if zone is not None and (not rest or _is_topic(" ".join(rest), find)):
                found["zone"] = zone
                topic[:] = rest
                return


def _take_misspelt(topic: list[str], found: dict[str, str], voice: Voice, find: Find) -> None:
    """Words that are no zone and no days, and were meant to be."""
    for word in list(topic):
        nearest = find(word)
        if isinstance(nearest, Found) or nearest.suggestions:
            continue
        meant = "zone" if is_misspelt_zone(word) else "days" if _holds_a_day(word, voice) else ""
        if meant and meant not in found:
            found[meant] = word
            topic.remove(word)


def _holds_a_day(word: str, voice: Voice) -> bool:
    parts = _BETWEEN_DAYS.split(word)
    return len(parts) > 1 and any(len(part) > 2 and read_days(part, voice) for part in parts)


def _is_topic(words: str, find: Find) -> bool:
    return isinstance(find(words), Found)


def _zone_of(words: str, voice: Voice) -> str | None:
    country = countries.named(words, voice.language)
    zones = () if country is None else countries.zones_of(country)
    return zones[0] if len(zones) == 1 else city_zone(words)
