"""What is entered for a daily quiz, by field, becomes a plan; each field says what is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from bot import languages
from bot.calendar import EVERY_DAY, Recurrence
from bot.hours import read_time
from bot.library import Found, Library, Unknown
from bot.ports import Abilities
from bot.proposals import (
    FIELD_NAMES,
    LONGEST_OPEN,
    MOST_LANGUAGES,
    MOST_TOPICS,
    NONE,
    SHORTEST_OPEN,
    Entered,
    FieldName,
)
from bot.readers import Here
from bot.reading import title_in
from bot.rules import MOST_QUESTIONS
from bot.schedules import Plan, Schedule
from bot.spelling import fold
from bot.wording import corrections, countries
from bot.wording import entering as words
from bot.wording.dates import read_days
from bot.wording.proposal_forms import ALL, IN_ORDER, SHUFFLED, UNTIL_NEXT
from bot.wording.voice import Voice
from bot.zones import known_zone

_HOUR = time(9)
"""What a plan has until an hour is given; it is not saved like that."""

_NEAR = 3


@dataclass(frozen=True, slots=True)
class Fault:
    """A sentence for people."""

    words: str


class Entering:
    """Reads the fields for who sets a daily quiz, in their language."""

    def __init__(self, library: Library, zone: ZoneInfo) -> None:
        self._library = library
        self._zone = zone

    def read(
        self,
        entered: Mapping[str, str],
        changed: Schedule | None,
        here: Here,
        abilities: Abilities,
    ) -> Entered:
        """On top of the schedule that is changed, or of what is usual."""
        plan = self._usual(here) if changed is None else changed.plan
        place = here.where.parent or here.where.place if changed is None else changed.place.place
        timed, faults = changed is not None, dict[FieldName, str]()
        for name in FIELD_NAMES:
            typed = entered.get(name, "").strip()
            if not typed:
                continue
            if name == "channel":
                place = typed
                continue
            read = self._field(name, typed, here.reader().voice, abilities)
            if isinstance(read, Fault):
                faults[name] = read.words
            else:
                plan, timed = read(plan), timed or name == "hour"
        return Entered(plan, timed, place, faults)

    # --- fields --------------------------------------------------------------------------

    def _usual(self, here: Here) -> Plan:
        told = here.who.zone and known_zone(here.who.zone)
        zone = ZoneInfo(here.place.zone or told or self._zone.key)
        return Plan(Recurrence(_HOUR, zone, EVERY_DAY))

    def _field(  # noqa: C901 - a line for each field
        self, name: FieldName, typed: str, voice: Voice, abilities: Abilities
    ) -> Callable[[Plan], Plan] | Fault:
        match name:
            case "hour":
                at = read_time(typed)
                return Fault(words.bad_hour(typed, voice)) if at is None else _when(at=at)
            case "zone":
                zone = known_zone(typed)
                if zone is None:
                    return Fault(corrections.unknown_zone(typed, voice))
                return _when(zone=ZoneInfo(zone))
            case "days":
                days = read_days(typed, voice)
                return Fault(words.bad_days(typed, voice)) if not days else _when(weekdays=days)
            case "holidays":
                return self._holidays(typed, voice)
            case "topic":
                return self._topics(typed, voice)
            case "count":
                count = int(typed) if re.fullmatch("[0-9]{1,6}", typed) else 0
                if not 1 <= count <= MOST_QUESTIONS:
                    return Fault(words.bad_count(typed, voice))
                return _plan(count=count)
            case "order":
                return _order(typed, voice)
            case "language":
                return self._languages(typed, voice)
            case "open":
                return _open_for(typed, voice)
            case "mention":
                return _mention(typed, voice, abilities)
            case "channel":
                return _plan()

    def _holidays(self, typed: str, voice: Voice) -> Callable[[Plan], Plan] | Fault:
        if _is_none(typed, voice):
            return _when(days_off=None)
        country = countries.meant(typed, voice.language)
        if country is None:
            near = countries.near(typed, voice.language, _NEAR)
            names = [countries.name_of(code, voice.language) for code in near]
            return Fault(words.unknown_country(typed, names, voice))
        return _when(days_off=country)

    def _topics(self, typed: str, voice: Voice) -> Callable[[Plan], Plan] | Fault:
        if is_all(typed, voice):
            return _plan(topics=())
        # A title may have a comma in it.
        whole = self._library.find(typed)
        names = [typed] if isinstance(whole, Found) else [n for n in typed.split(",") if n.strip()]
        topics: list[str] = []
        for name in names:
            found = self._library.find(name.strip())
            if isinstance(found, Unknown):
                near = [_title(topic.title, voice) for topic in found.suggestions[:_NEAR]]
                return Fault(words.unknown_topic(name, near, voice))
            if not found.questions:
                return Fault(words.nothing_to_ask(_title(found.title, voice), voice))
            topics.append(found.id)
        if len(topics) > MOST_TOPICS:
            return Fault(words.too_many_topics(voice))
        return _plan(topics=tuple(dict.fromkeys(topics)))

    def _languages(self, typed: str, voice: Voice) -> Callable[[Plan], Plan] | Fault:
        if _is_none(typed, voice):
            return _plan(languages=())
        known, tags = languages.known(self._library), list[str]()
        for name in filter(None, map(str.strip, typed.split(","))):
            tag = languages.meant(name, self._library)
            if tag not in known or tag is None:
                near = languages.near(name, known, voice.language, _NEAR)
                return Fault(corrections.unknown_language(name, near, voice))
            tags.append(tag)
        if len(set(tags)) > MOST_LANGUAGES:
            return Fault(words.too_many_languages(voice))
        return _plan(languages=tuple(dict.fromkeys(tags)))


def is_all(typed: str, voice: Voice) -> bool:
    """Whether these words stand for all quizzes."""
    return fold(typed) in {ALL, "*", fold(NONE), fold(voice.phrase("all"))}


# --- inside ----------------------------------------------------------------------------------


def _when(**values: Any) -> Callable[[Plan], Plan]:
    return lambda plan: replace(plan, recurrence=replace(plan.recurrence, **values))


def _plan(**values: Any) -> Callable[[Plan], Plan]:
    return lambda plan: replace(plan, **values)


def _order(typed: str, voice: Voice) -> Callable[[Plan], Plan] | Fault:
    wanted = fold(typed)
    if wanted not in (SHUFFLED, fold(IN_ORDER)):
        return Fault(words.bad_order(typed, voice))
    return _plan(shuffled=wanted == SHUFFLED)


_LENGTH = re.compile(
    r"(?P<n>[0-9]{1,5})\s*(?P<unit>m|min|mins|minutes?|h|hours?|heures?|d|j|days?|jours?|"
    r"maminitsi|maawa|awa|mazuva|zuva)?",
    re.IGNORECASE,
)


def _open_for(typed: str, voice: Voice) -> Callable[[Plan], Plan] | Fault:
    if typed == NONE or fold(typed) in (UNTIL_NEXT, fold(voice.phrase("until the next one"))):
        return _plan(open_for=None)
    found = _LENGTH.fullmatch(typed)
    if found is None:
        return Fault(words.bad_opening(typed, voice))
    number, unit = int(found["n"]), (found["unit"] or "h").casefold()
    if unit.startswith("m") and unit not in ("maawa", "mazuva"):
        length = timedelta(minutes=number)
    elif unit in ("mazuva", "zuva") or unit[0] in "dj":
        length = timedelta(days=number)
    else:
        length = timedelta(hours=number)
    if not SHORTEST_OPEN <= length <= LONGEST_OPEN:
        return Fault(words.bad_opening(typed, voice))
    return _plan(open_for=length)


def _mention(typed: str, voice: Voice, abilities: Abilities) -> Callable[[Plan], Plan] | Fault:
    if _is_none(typed, voice):
        return _plan(mention=None)
    name = typed.removeprefix("@").casefold()
    if name in abilities.audiences:
        return _plan(mention=name)
    if abilities.picks_groups and re.fullmatch(abilities.ids, typed):
        return _plan(mention=typed)
    return Fault(words.bad_mention(typed, voice))


def _is_none(typed: str, voice: Voice) -> bool:
    return typed == NONE or fold(typed) in ("none", "off", fold(voice.phrase("none")))


def _title(titles: Mapping[str, str], voice: Voice) -> str:
    return title_in(titles, voice.language)
