"""What is wrong with a command of the daily quiz: one sentence, and what to type instead."""

from __future__ import annotations

from datetime import date

from bot.messages import Message, Paragraph
from bot.wording.dailies import all_dailies
from bot.wording.dates import date_in_words
from bot.wording.pieces import said
from bot.wording.voice import Voice, quoted


def bad_date(typed: str, voice: Voice) -> Message:
    line = voice.say(
        "“{typed}” is no date that I can read: type one such as 2026-12-24, or tomorrow.",
        typed=quoted(typed),
    )
    return said(voice, line)


def past_date(day: date, voice: Voice) -> Message:
    line = voice.say("{date} is over: take a day to come.", date=date_in_words(day, voice))
    return said(voice, line)


def which_dates(voice: Voice) -> Message:
    return said(
        voice, voice.say("Which days? Type them, for example 2026-12-24 2026-12-25, or tomorrow.")
    )


def too_many_dates(most: int, voice: Voice) -> Message:
    return said(voice, voice.say("These are too many days: {most} at a time.", most=most))


def unknown_part(typed: str, near: str, usage: str, voice: Voice) -> Message:
    """Words behind the command that it knows nothing of."""
    if near:
        line = voice.say(
            "I know no “{typed}” for the daily quiz. Did you mean {near}?",
            typed=quoted(typed),
            near=near,
        )
    else:
        line = voice.say(
            "I know no “{typed}” for the daily quiz. There is {usage}.",
            typed=quoted(typed),
            usage=usage,
        )
    return Message((Paragraph(line),), ((all_dailies(voice),),), voice.language)
