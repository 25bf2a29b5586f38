"""How one person does: points, streak, each quiz, and the last days; and being away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import Literal

from babel import Locale
from babel.dates import get_day_names

from bot import tokens
from bot.command_specs import N_
from bot.messages import (
    Block,
    Bold,
    Button,
    CodeBlock,
    Heading,
    Message,
    Name,
    Paragraph,
    Plain,
    Small,
    Spans,
)
from bot.reading import Words
from bot.state import OwnRank, TopicShare
from bot.streaks import Streak
from bot.wording import dates
from bot.wording.pieces import leaderboard
from bot.wording.pieces import words as spoken
from bot.wording.voice import Voice

MOST_TOPICS = 8
LAST_DAYS = 30

DayKind = Literal["answered", "open", "frozen", "away", "missed", "active", "none"]
"""What became of a day. `active`: no daily quiz was answered, but something else was."""

_SIGNS: Mapping[DayKind, tuple[str, str]] = {
    "answered": ("●", N_("the day’s quiz answered")),
    "open": ("◌", N_("still open")),
    "frozen": ("◇", N_("a freeze stood in")),
    "away": ("–", N_("away")),
    "missed": ("○", N_("missed")),
    "active": ("+", N_("other questions answered")),
    "none": ("·", N_("nothing")),
}


@dataclass(frozen=True, slots=True)
class Day:
    date: date
    kind: DayKind


@dataclass(frozen=True, slots=True)
class Standing:
    """How somebody does in a community. `streak` is None where there never was a daily quiz.

    `month` and `ever` are None for who has no answer that counts. `topics` come with their titles,
    the most answered first; `away` is the last day of being away, if they are or will be.
    """

    month: OwnRank | None
    ever: OwnRank | None
    streak: Streak | None
    topics: Sequence[tuple[TopicShare, Words]]
    days: Sequence[Day]
    away: tuple[date, date] | None


def progress(standing: Standing, voice: Voice) -> Message:
    """All of it."""
    blocks: list[Block] = [Heading(voice.say("How you are doing")), *summary(standing, voice)]
    blocks += _topics(standing.topics, voice)
    blocks += _days(standing.days, voice)
    row: list[Button] = [
        leaderboard(voice),
        Button(voice.phrase("My answers"), tokens.write(tokens.Answers(0))),
    ]
    if standing.away is not None:
        row.append(_back(voice))
    return Message(tuple(blocks), (tuple(row),), voice.language, replaces=True)


def summary(standing: Standing, voice: Voice) -> tuple[Block, ...]:
    """Points and streak in a few lines."""
    lines: list[Block] = [Paragraph(_points(standing, voice))]
    if standing.streak is not None:
        lines.append(Paragraph((Bold(streak_words(standing.streak, voice)),)))
        lines.append(Small(_about_freezes(voice)))
    if standing.away is not None:
        lines.append(Paragraph(_away_words(standing.away, voice)))
    return tuple(lines)


def streak_words(streak: Streak, voice: Voice) -> Spans:
    """`4 days in a row; a freeze is kept`: one line, for a verdict as well."""
    if not streak.days:
        if not streak.longest:
            return voice.say("No streak yet: it begins with the next daily quiz you answer.")
        return voice.many(
            "No streak at the moment; your longest was {n} day.",
            "No streak at the moment; your longest was {n} days.",
            streak.longest,
        )
    days = voice.many("{n} day in a row", "{n} days in a row", streak.days)
    if not streak.freezes:
        return (*days, Plain("."))
    kept = voice.many("; {n} freeze is kept.", "; {n} freezes are kept.", streak.freezes)
    return (*days, *kept)


def freeze_spent(days: Sequence[date], voice: Voice) -> Spans:
    """Told once, after it was spent by itself."""
    return voice.many(
        "You missed {dates}: a freeze stood in, and your streak goes on.",
        "You missed {dates}: freezes stood in, and your streak goes on.",
        len(days),
        dates=voice.list_of(dates.short_date(day, voice) for day in days),
    )


# --- being away ------------------------------------------------------------------------------


def away(span: tuple[date, date] | None, example: date, voice: Voice, command: str) -> Message:
    """Whether somebody is away, and how that is changed."""
    if span is not None:
        return Message((Paragraph(_away_words(span, voice)),), ((_back(voice),),), voice.language)
    typed = f"{command} {example.isoformat()}"
    lines = (
        voice.say("You are not away."),
        voice.say("With {command} your streak waits for you until then.", command=typed),
    )
    return Message(tuple(map(Paragraph, lines)), language=voice.language)


def away_set(span: tuple[date, date], voice: Voice) -> Message:
    lines = (
        _away_words(span, voice),
        voice.say("No day of that ends your streak. What you answer all the same counts."),
    )
    return Message(tuple(map(Paragraph, lines)), ((_back(voice),),), voice.language)


def back_again(was_away: bool, voice: Voice) -> Message:
    line = (
        voice.say("Welcome back: from today on your streak counts again.")
        if was_away
        else voice.say("You are not away.")
    )
    return Message((Paragraph(line),), language=voice.language, replaces=True)


def no_date(typed: str, example: date, voice: Voice) -> Message:
    line = voice.say(
        "“{typed}” is no date that I can read: write it as {example}.",
        typed=Name(typed),
        example=example.isoformat(),
    )
    return Message((Paragraph(line),), language=voice.language)


def date_is_past(day: date, voice: Voice) -> Message:
    line = voice.say("{date} is over: take a day to come.", date=dates.date_in_words(day, voice))
    return Message((Paragraph(line),), language=voice.language)


def date_is_far(last: date, voice: Voice) -> Message:
    line = voice.say(
        "That is a long time: take a day until {date}, and say it again then.",
        date=dates.date_in_words(last, voice),
    )
    return Message((Paragraph(line),), language=voice.language)


def no_streaks_here(voice: Voice) -> Message:
    line = voice.say("Streaks belong to a group’s daily quiz: say it where yours is.")
    return Message((Paragraph(line),), language=voice.language)


# --- its parts -------------------------------------------------------------------------------


def _points(standing: Standing, voice: Voice) -> Spans:
    month, ever = standing.month, standing.ever
    if ever is None:
        return voice.say("No points yet: they come with quizzes in a channel.")
    if month is None:
        return voice.many(
            "{n} point since the beginning, none this month.",
            "{n} points since the beginning, none this month.",
            ever.points,
        )
    return voice.many(
        "{n} point this month (rank {rank}, answered {answered} of {asked}), {ever} since the "
        "beginning.",
        "{n} points this month (rank {rank}, answered {answered} of {asked}), {ever} since the "
        "beginning.",
        month.points,
        rank=month.rank,
        answered=month.answered,
        asked=month.asked,
        ever=voice.number(ever.points),
    )


def _about_freezes(voice: Voice) -> Spans:
    return voice.say(
        "Seven days in a row earn a freeze, two at most: it stands in for a day that you miss."
    )


def _topics(topics: Sequence[tuple[TopicShare, Words]], voice: Voice) -> list[Block]:
    if not topics:
        return []
    blocks: list[Block] = [Paragraph((Bold(voice.say("Right answers by quiz")),))]
    for share, title in topics[:MOST_TOPICS]:
        line = voice.say(
            "{title}: {right} of {answered} ({share})",
            title=spoken(title, voice),
            right=voice.number(share.right),
            answered=voice.number(share.answered),
            share=voice.percent(share.right / share.answered),
        )
        blocks.append(Small(line))
    more = len(topics) - MOST_TOPICS
    if more > 0:
        blocks.append(Small(voice.many("and {n} more quiz", "and {n} more quizzes", more)))
    return blocks


def _days(days: Sequence[Day], voice: Voice) -> list[Block]:
    """In words first; then a week a line, with what the signs in it mean.

    Nothing to who answered nothing in them: it would only count what they did not do.
    """
    counts = {kind: sum(day.kind == kind for day in days) for kind in _SIGNS}
    answered = counts["answered"] + counts["active"]
    if not answered:
        return []
    parts = [voice.many_phrase("on {n} day", "on {n} days", answered)]
    said: Spans = voice.say("In the last {n} days you answered {days}.", n=len(days), days=parts[0])
    more = _missed(counts, voice)
    lines = "\n".join(_week(week, voice) for week in _weeks(days))
    legend = ", ".join(
        f"{sign} {voice.phrase(meaning)}"
        for kind, (sign, meaning) in _SIGNS.items()
        if counts[kind]
    )
    return [
        Paragraph((Bold(said),)),
        *([Paragraph(more)] if more else []),
        CodeBlock("\n".join([_header(voice), lines])),
        Small((Plain(legend),)),
    ]


def _missed(counts: Mapping[DayKind, int], voice: Voice) -> Spans:
    """Of dailies alone; empty where nothing was missed."""
    parts = []
    if counts["missed"]:
        parts.append(voice.many_phrase("{n} missed", "{n} missed", counts["missed"]))
    if counts["frozen"]:
        n = counts["frozen"]
        parts.append(voice.many_phrase("{n} saved by a freeze", "{n} saved by freezes", n))
    if counts["away"]:
        parts.append(voice.many_phrase("{n} while away", "{n} while away", counts["away"]))
    return voice.say("Daily quizzes: {what}.", what=voice.list_of(parts)) if parts else ()


def _weeks(days: Sequence[Day]) -> list[list[Day]]:
    weeks: list[list[Day]] = []
    for day in days:
        if not weeks or day.date.weekday() == 0:
            weeks.append([])
        weeks[-1].append(day)
    return weeks


def _week(week: Sequence[Day], voice: Voice) -> str:
    """Under the names of its days; the first week begins in the middle."""
    signs = ["  "] * week[0].date.weekday() + [f"{_SIGNS[day.kind][0]} " for day in week]
    monday = week[0].date - timedelta(days=week[0].date.weekday())
    return f"{''.join(signs):<14}  {dates.short_date(monday, voice)}".rstrip()


def _header(voice: Voice) -> str:
    return "".join(f"{name} " for name in _initials(voice.language)).rstrip()


@cache
def _initials(language: str) -> tuple[str, ...]:
    """Of the days of the week, Monday first."""
    names = get_day_names("narrow", context="stand-alone", locale=Locale.parse(language, sep="-"))
    return tuple(names[day][:1] for day in range(7))


def _away_words(span: tuple[date, date], voice: Voice) -> Spans:
    return voice.say(
        "You are away until {date}: your streak waits.", date=dates.date_in_words(span[1], voice)
    )


def _back(voice: Voice) -> Button:
    return Button(voice.phrase("I am back"), tokens.write(tokens.AwayOver()))
