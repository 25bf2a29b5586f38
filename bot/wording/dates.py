"""Dates and days of the week, as people of a language type them and as it writes them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, timedelta
from functools import cache, lru_cache

from babel import Locale
from babel.dates import format_date, format_skeleton, get_day_names

from bot import dates
from bot.spelling import fold
from bot.wording.catalogues import SOURCE
from bot.wording.voice import Voice

WORKDAYS, WEEKEND, WEEK = frozenset(range(1, 6)), frozenset((6, 7)), frozenset(range(1, 8))

_LOOKED_AHEAD = 370
_DASH = re.compile(r"\s*(?:[-–—]|\.\.)\s*")
_BETWEEN = re.compile(r"[\s,;+&]+")
# "monday to friday", in whatever language the days are: no day is called so.
_TO = re.compile(r"\s+(?:to|through|until|à|au|kusvika)\s+")
_AND = {"and", "et", "na", "ne"}
# Only forms with a month in words: half of the world takes the first number for the month.
_FORMS = ("yMMMEd", "yMMMd", "MMMEd", "MMMd", "MMMMd", "yMMMMd")


# --- days of the week ------------------------------------------------------------------------


def read_days(typed: str, voice: Voice) -> frozenset[int] | None:
    """`mon-fri`, `Mon, Wed`, `every day` or `weekdays`, in English or the reader's language.

    1 is Monday; None for what names no days.
    """
    words = fold(typed)
    for days, names in _groups(voice.language).items():
        if words in names:
            return days
    apart = _DASH.sub("-", _TO.sub("-", f" {typed.casefold()} ").strip())
    found = [_span(part, voice) for part in _BETWEEN.split(apart) if part and part not in _AND]
    if not found or None in found:
        return None
    return frozenset(day for days in found if days is not None for day in days)


def days_in_words(days: frozenset[int], voice: Voice) -> str:
    """`every day`, `from Monday to Friday`, else the days one by one."""
    names, in_order = _names("wide", voice.language), sorted(days)
    if days == WEEK:
        return voice.phrase("every day")
    if days == WEEKEND:
        return voice.phrase("at the weekend")
    if len(days) > 2 and in_order == list(range(in_order[0], in_order[-1] + 1)):
        first, last = names[in_order[0]], names[in_order[-1]]
        return voice.phrase("from {first} to {last}", first=first, last=last)
    return voice.list_of(names[day] for day in in_order)


def typed_days(days: frozenset[int], voice: Voice) -> str:
    """The same as somebody may type it."""
    if days in (WEEK, WORKDAYS, WEEKEND):
        return _labels(voice)[days]
    names = _names("abbreviated", voice.language)
    return ", ".join(names[day].rstrip(".") for day in sorted(days))


def suggested_days(typed: str, voice: Voice) -> tuple[str, ...]:
    """What is proposed while days are being typed."""
    read = read_days(typed, voice) if typed.strip() else None
    if read is not None:
        return (typed_days(read, voice),)
    usual = [typed_days(days, voice) for days in (WEEK, WORKDAYS, WEEKEND)]
    usual += [_names("wide", voice.language)[day] for day in sorted(WEEK)]
    return tuple(label for label in usual if fold(typed) in fold(label)) or tuple(usual)


# --- dates -----------------------------------------------------------------------------------


def read_date(typed: str, today: date, voice: Voice) -> date | None:
    """`2026-12-24`, `24.12.`, `tomorrow`, or a date of the coming year as the language writes it.

    Also as English does. None for what is no date.
    """
    found = dates.read_date(typed, today)
    if found is not None:
        return found
    words = _plain(typed)
    read = (_written(language, today).get(words) for language in (voice.language, SOURCE))
    return next((day for day in read if day is not None), None)


def read_dates(typed: str, today: date, voice: Voice) -> tuple[tuple[date, ...], str]:
    """All dates of a line in order; else the first word that is none."""
    found: set[date] = set()
    for part in filter(None, map(str.strip, re.split(r"[,;\n]+", typed))):
        whole = read_date(part, today, voice)
        for word in [part] if whole is not None else part.split():
            day = read_date(word, today, voice)
            if day is None:
                return (), part
            found.add(day)
    return tuple(sorted(found)), ""


def date_in_words(day: date, voice: Voice) -> str:
    """With its day of the week: `Fri, Dec 25, 2026`."""
    return str(format_skeleton("yMMMEd", day, locale=_locale(voice.language)))


def short_date(day: date, voice: Voice) -> str:
    """Without its year: `Dec 25`."""
    return str(format_skeleton("MMMd", day, locale=_locale(voice.language)))


# --- inside ----------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def _written(language: str, today: date) -> dict[str, date]:
    """The dates of the coming year, by every way in which the language writes them."""
    voice, locale = Voice.of(language), _locale(language)
    found: dict[str, date] = {}
    for ahead in range(_LOOKED_AHEAD):
        day = today + timedelta(days=ahead)
        forms = [format_skeleton(form, day, locale=locale) for form in _FORMS]
        # As somebody writes it who cares for no order: "25 dec".
        forms += [format_date(day, form, locale=locale) for form in ("d MMM", "d MMMM")]
        for form in forms:
            found.setdefault(_plain(str(form)), day)
    for ahead, word in enumerate((voice.phrase("today"), voice.phrase("tomorrow"))):
        found[fold(word)] = today + timedelta(days=ahead)
    return found


def _plain(typed: str) -> str:
    """Without the signs between its words, which people leave out."""
    return " ".join(fold(typed).replace(",", " ").replace(".", " ").split())


def _span(part: str, voice: Voice) -> Iterable[int] | None:
    first, dash, last = part.partition("-")
    begins, ends = _day(first, voice.language), _day(last if dash else first, voice.language)
    if begins is None or ends is None:
        return None
    # From Saturday to Monday goes over the end of the week.
    return [(begins - 1 + ahead) % 7 + 1 for ahead in range((ends - begins) % 7 + 1)]


def _day(word: str, language: str) -> int | None:
    """By its name, or the beginning of it that no other day has."""
    wanted = fold(word).rstrip(".")
    for one in (language, SOURCE):
        for width in ("wide", "abbreviated"):
            names = {fold(name).rstrip("."): day for day, name in _names(width, one).items()}
            begun = [day for name, day in names.items() if name.startswith(wanted)]
            if wanted in names or (len(wanted) > 1 and len(begun) == 1):
                return names.get(wanted) or begun[0]
    return None


@cache
def _groups(language: str) -> dict[frozenset[int], set[str]]:
    both = [_labels(Voice.of(one)) for one in (language, SOURCE)]
    more = {
        WEEK: {"daily"},
        WORKDAYS: {"workdays", "weekday", "every weekday"},
        WEEKEND: {"weekend"},
    }
    return {days: {fold(labels[days]) for labels in both} | more[days] for days in more}


def _labels(voice: Voice) -> dict[frozenset[int], str]:
    return {
        WEEK: voice.phrase("every day"),
        WORKDAYS: voice.phrase("weekdays"),
        WEEKEND: voice.phrase("weekends"),
    }


def _names(width: str, language: str) -> dict[int, str]:
    """The names of the days, 1 for Monday."""
    names = get_day_names(width, locale=_locale(language))  # type: ignore[arg-type]
    return {day: names[day - 1] for day in range(1, 8)}


def _locale(language: str) -> Locale:
    return Locale.parse(language, sep="-")
