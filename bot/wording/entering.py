"""What is wrong with what was entered for a daily quiz: one sentence for each field."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from bot.messages import Spans
from bot.ports import Access
from bot.proposals import LONGEST_OPEN, MOST_LANGUAGES, MOST_TOPICS, SHORTEST_OPEN
from bot.rules import MOST_QUESTIONS
from bot.wording.voice import Voice, quoted


def bad_hour(typed: str, voice: Voice) -> str:
    return voice.phrase(
        "“{typed}” is no time of day: take one such as 07:30 or 7pm.", typed=quoted(typed)
    )


def bad_days(typed: str, voice: Voice) -> str:
    return voice.phrase(
        "“{typed}” names no days of the week: take for example weekdays, or Mon, Wed, Fri.",
        typed=quoted(typed),
    )


def unknown_country(typed: str, near: Sequence[str], voice: Voice) -> str:
    if near:
        return voice.phrase(
            "I know no public holidays of “{typed}”. Did you mean {near}?",
            typed=quoted(typed),
            near=voice.one_of(near),
        )
    return voice.phrase(
        "I know no public holidays of “{typed}”. Take a country such as France or ZW.",
        typed=quoted(typed),
    )


def unknown_topic(typed: str, near: Sequence[str], voice: Voice) -> str:
    if near:
        return voice.phrase(
            "I know no quiz “{topic}”. Did you mean {names}?",
            topic=quoted(typed),
            names=voice.one_of(near),
        )
    return voice.phrase(
        "I know no quiz “{topic}”. Take one that there is, or “{all}”.",
        topic=quoted(typed),
        all=voice.phrase("all"),
    )


def nothing_to_ask(title: str, voice: Voice) -> str:
    return voice.phrase(
        "{title} has no question that can be asked yet: the right answers are missing.",
        title=title,
    )


def too_many_topics(voice: Voice) -> str:
    return voice.phrase(
        "These are too many quizzes: take {most} at most, or all.", most=MOST_TOPICS
    )


def bad_order(typed: str, voice: Voice) -> str:
    return voice.phrase("“{typed}” is no order: take shuffled or in-order.", typed=quoted(typed))


def bad_count(typed: str, voice: Voice) -> str:
    return voice.phrase(
        "“{value}” is no number of questions: take one from 1 to {most}.",
        value=quoted(typed),
        most=MOST_QUESTIONS,
    )


def too_many_languages(voice: Voice) -> str:
    return voice.phrase("A post can be in {most} languages at most.", most=MOST_LANGUAGES)


def bad_opening(typed: str, voice: Voice) -> str:
    return voice.phrase(
        "“{typed}” is no time to stay open: take from {shortest} to {longest}, for example "
        "8 hours, or “next”.",
        typed=quoted(typed),
        shortest=lasting(SHORTEST_OPEN, voice),
        longest=lasting(LONGEST_OPEN, voice),
    )


def bad_mention(typed: str, voice: Voice) -> str:
    return voice.phrase("I know no group “{typed}” that I could mention here.", typed=quoted(typed))


def cannot_be_mentioned(voice: Voice) -> str:
    return voice.phrase(
        "I may not mention this role: an admin can allow anyone to mention it, or take another."
    )


def of_place(access: Access | None, voice: Voice) -> str:
    """Why a channel cannot be chosen; empty where it can."""
    if access is None:
        return voice.phrase("I cannot post in this channel: take another.")
    if access.archived:
        return voice.phrase("This channel is archived: take another, or have it opened again.")
    if access.alone:
        return no_place_yet(voice)
    return ""


def no_place_yet(voice: Voice) -> str:
    """Where it was begun nobody else would see it."""
    return voice.phrase("Choose the channel where it should come.")


def only_here(voice: Voice) -> str:
    return voice.phrase("You organise this channel only: an admin can choose another.")


def hindered(access: Access | None, channel: Spans, voice: Voice) -> Spans:
    """What keeps the bot from posting in a channel, and what to do; empty if nothing does.

    `access` is None for a channel that is not there for the bot.
    """
    if access is None:
        return voice.say(
            "{channel} was deleted, or I cannot see it any more: choose another channel.",
            channel=channel,
        )
    if access.archived:
        return voice.say(
            "{channel} is archived: have it opened again, or choose another channel.",
            channel=channel,
        )
    if access.outside and access.invite:
        return voice.say(
            "I am not in {channel}: bring me in there with {command}.",
            channel=channel,
            command=access.invite,
        )
    if access.outside:
        return voice.say(
            "I am not in {channel}, and cannot post there: choose another channel.", channel=channel
        )
    if access.lacking:
        return voice.say(
            "I may not post in {channel}: an admin can allow me {permissions} there.",
            channel=channel,
            permissions=voice.list_of(access.lacking),
        )
    return ()


def lasting(length: timedelta, voice: Voice) -> str:
    """`8 hours`."""
    minutes = length // timedelta(minutes=1)
    if minutes % (24 * 60) == 0:
        return voice.many_phrase("{n} day", "{n} days", minutes // (24 * 60))
    if minutes % 60 == 0:
        return voice.many_phrase("{n} hour", "{n} hours", minutes // 60)
    return voice.many_phrase("{n} minute", "{n} minutes", minutes)
