"""A daily quiz in words: when it comes, what it asks, and how its post is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from zoneinfo import ZoneInfo

from babel import Locale
from babel.dates import format_time

from bot.messages import Link, PlaceName, Plain, Spans
from bot.schedules import Plan
from bot.state import Place
from bot.wording.countries import name_of
from bot.wording.dates import days_in_words, short_date
from bot.wording.entering import lasting
from bot.wording.voice import Voice, joined, own_name

_DAYS_OFF_NAMED = 8


def when(plan: Plan, voice: Voice) -> str:
    """`from Monday to Friday at 07:30 (Africa/Harare)`."""
    recurrence = plan.recurrence
    return voice.phrase(
        "{days} at {time} ({zone})",
        days=days_in_words(recurrence.weekdays, voice),
        time=hour(recurrence.at, voice),
        zone=recurrence.zone.key,
    )


def hour(at: time, voice: Voice) -> str:
    """A time of day on no clock in particular."""
    return str(format_time(at, format="short", locale=Locale.parse(voice.language, sep="-")))


def time_there(now: datetime, zone: ZoneInfo, voice: Voice) -> str:
    """What a clock on the wall shows there, whatever the reader's own does."""
    return hour(now.astimezone(zone).time(), voice)


def days_off(country: str, coming: Mapping[date, str], voice: Voice) -> Spans:
    """Whose public holidays are left out, with those of the coming months by name."""
    name = name_of(country, voice.language)
    named = [f"{short_date(day, voice)} {holiday}" for day, holiday in coming.items()]
    if not named:
        return voice.say("Not on the public holidays of {country}", country=name)
    more = len(named) - _DAYS_OFF_NAMED
    listed = ", ".join(named[:_DAYS_OFF_NAMED]) + (" …" if more > 0 else "")
    return voice.say("Not on the public holidays of {country}: {days}", country=name, days=listed)


def what(plan: Plan, titles: Sequence[str], voice: Voice) -> str:
    """`3 questions from Tensors and Pipelines, shuffled`."""
    if not titles:
        questions = voice.many_phrase(
            "{n} question from all quizzes", "{n} questions from all quizzes", plan.count
        )
    else:
        questions = voice.many_phrase(
            "{n} question from {titles}",
            "{n} questions from {titles}",
            plan.count,
            titles=voice.list_of(titles),
        )
    if plan.shuffled:
        return voice.phrase("{questions}, shuffled", questions=questions)
    return voice.phrase("{questions}, in their order", questions=questions)


def open_for(plan: Plan, voice: Voice) -> str:
    if plan.open_for is None:
        return voice.phrase("until the next one")
    return lasting(plan.open_for, voice)


def language(plan: Plan, voice: Voice) -> str:
    if not plan.languages:
        return voice.phrase("as for other posts")
    return voice.list_of(own_name(tag) for tag in plan.languages)


def audience(plan: Plan, group_name: str, voice: Voice) -> str:
    """Whom the post mentions; a group by its name, where that is known."""
    if plan.mention is None:
        return voice.phrase("nobody")
    return f"@{group_name or plan.mention}"


def channel(place: Place, voice: Voice) -> Spans:
    return channel_of(place.place, place.name, voice)


def channel_of(id: str, name: str, voice: Voice) -> Spans:
    """By its id, where a surface can; else by its name, and by no id that says nothing."""
    return (PlaceName(id, channel_name(name, voice)),)


def channel_name(name: str, voice: Voice) -> str:
    """For where nothing but words can stand."""
    return f"#{name}" if name else voice.phrase("a channel whose name I do not know")


def moment(at: datetime, voice: Voice) -> Spans:
    """A day and an hour, on the reader's own clock."""
    return (voice.day(at), Plain(" "), voice.time(at))


def linked(words: Spans, url: str | None) -> Spans:
    return words if url is None else (Link(words, url),)


def in_a_row(parts: Sequence[Spans]) -> Spans:
    return joined(parts, " · ")
