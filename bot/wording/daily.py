"""The day's quiz in its place as it stands open, and how the last one went."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from bot import tokens
from bot.content import Bank, Language
from bot.messages import (
    Block,
    Button,
    Heading,
    Link,
    Mention,
    Message,
    Paragraph,
    Plain,
    Row,
    Small,
    Spans,
    When,
)
from bot.reading import read_question
from bot.rules import SPREAD_FROM, seconds_for
from bot.schedules import Went
from bot.state import Round, Step
from bot.wording.pieces import Reader, notes
from bot.wording.questions import (
    LEVELS,
    answer_rows,
    body,
    language_button,
    option_words,
    title,
)
from bot.wording.voice import Voice, joined, own_name, plain


@dataclass(frozen=True, slots=True)
class Before:
    """The quiz before this one. `step` is its question, if it had one and its key may be shown.

    `open_until` is set as long as it can still be answered.
    """

    day: date
    went: Went
    step: Step | None
    open_until: datetime | None
    link: str | None


@dataclass(frozen=True, slots=True)
class Daily:
    """A daily as it stands. `languages` are those of its post, that of the round first.

    `again` are the positions of questions that were asked before. `kept` has what can still be
    answered elsewhere, by the ids of questions: until when their keys are shown nowhere.
    """

    round: Round
    steps: Sequence[Step]
    banks: Mapping[str, Bank]
    day: date
    languages: tuple[Language, ...]
    went: Went
    closes_at: datetime
    is_extended: bool = False
    again: tuple[int, ...] = ()
    before: Before | None = None
    mention: str | None = None
    kept: Mapping[int, datetime | None] | None = None

    @property
    def is_one(self) -> bool:
        """Its question stands in the message itself."""
        return len(self.steps) == 1


# --- open ------------------------------------------------------------------------------------


def post(daily: Daily, voice: Voice, now: datetime) -> Message:
    """The message of a daily that can be answered."""
    blocks: list[Block] = []
    if daily.before is not None:
        blocks.append(Paragraph(_before(daily.before, daily, voice, now)))
    blocks.append(Heading(_heading(daily, voice)))
    blocks += _question(daily, voice) if daily.is_one else _card(daily, voice)
    if daily.again:
        blocks.append(Small(_again(daily, voice)))
    if daily.is_extended:
        blocks.append(
            Small(voice.say("I was away when this should have closed, so it stays open longer."))
        )
    ends = closing(daily.closes_at, now, voice)
    blocks.append(Small(joined([*_counts(daily, voice), ends], " · ")))
    mention = None if daily.mention is None else Mention(daily.mention)
    controls, tag = _controls(daily, voice), voice.language
    return Message(tuple(blocks), controls, tag, passing=True, mention=mention)


def closing(closes_at: datetime, now: datetime, voice: Voice) -> Spans:
    """`open until tomorrow 08:30`."""
    ends, today = closes_at.astimezone(voice.zone).date(), now.astimezone(voice.zone).date()
    if ends == today:
        return voice.say("open until {time}", time=voice.time(closes_at))
    day = voice.day(closes_at)
    if ends - today == timedelta(days=1):
        day = When(closes_at, "date", voice.phrase("tomorrow"))
    return voice.say("open until {day} {time}", day=day, time=voice.time(closes_at))


def _heading(daily: Daily, voice: Voice) -> Spans:
    parts = [voice.say("Today’s quiz"), title(daily.round, voice, daily.round.language)]
    bank = daily.banks.get(daily.steps[0].bank)
    if daily.is_one and bank is not None and bank.level in LEVELS:
        parts.append(voice.say(LEVELS[bank.level]))
    return joined(parts, " · ")


def _question(daily: Daily, voice: Voice) -> list[Block]:
    """The question in each language of the post; its picture stands there once."""
    step, bank = daily.steps[0], daily.banks.get(daily.steps[0].bank)
    blocks: list[Block] = []
    told: set[Language] = set()
    for language in daily.languages:
        shown = read_question(step.question, language)
        if shown.ask.language in told:
            continue
        reader = Reader(language, voice)
        if len(daily.languages) > 1:
            blocks.append(Small(plain(own_name(shown.ask.language))))
        blocks += body(step, None if told else bank, shown, reader)
        told.add(shown.ask.language)
        if len(daily.languages) == 1:
            blocks += notes(voice, language, {"ask": shown.ask.language})
    return blocks


def _card(daily: Daily, voice: Voice) -> list[Block]:
    minutes = max(1, round(sum(seconds_for(step.question) for step in daily.steps) / 60))
    line = voice.many(
        "{n} question, {time}.",
        "{n} questions, {time}.",
        len(daily.steps),
        time=voice.many("about a minute", "about {n} minutes", minutes),
    )
    return [Paragraph(line)]


def _again(daily: Daily, voice: Voice) -> Spans:
    if daily.is_one:
        return voice.say("Asked again: there are no new questions left.")
    return voice.say(
        "Asked again, since there are no new questions left: {questions}",
        questions=voice.list_of(voice.number(position) for position in daily.again),
    )


def _counts(daily: Daily, voice: Voice) -> list[Spans]:
    went = daily.went
    if not went.started:
        return []
    if daily.is_one:
        return [voice.many("{n} answered", "{n} answered", went.started)]
    return [
        joined(
            [
                voice.many("{n} started", "{n} started", went.started),
                voice.many("{n} finished", "{n} finished", went.finished),
            ],
            ", ",
        )
    ]


def _controls(daily: Daily, voice: Voice) -> tuple[Row, ...]:
    if not daily.is_one:
        return ((_begin(daily.round, voice.phrase("Start")),),)
    step = daily.steps[0]
    shown = read_question(step.question, daily.round.language)
    # The words of one language would be those of one part of the readers.
    several = len(_languages_of(daily)) > 1
    rows = answer_rows(step, shown, voice, letters_alone=several)
    more = Button(voice.phrase("More"), tokens.write(tokens.More(step.id)))
    return (*rows, (language_button(step, shown, voice), more))


def _languages_of(daily: Daily) -> set[Language]:
    question = daily.steps[0].question
    return {read_question(question, language).ask.language for language in daily.languages}


def _begin(round_: Round, label: str) -> Button:
    return Button(label, tokens.write(tokens.Begin(round_.id)), "primary")


# --- the one before --------------------------------------------------------------------------


def _before(before: Before, daily: Daily, voice: Voice, now: datetime) -> Spans:
    """One sentence on how the last one went, with a link to it."""
    yesterday = daily.day - before.day == timedelta(days=1)
    line = _still_open(before, yesterday, voice, now) or _how_it_went(before, yesterday, voice)
    if before.link is None:
        return line
    return (*line, Plain(" "), Link(voice.say("See it"), before.link))


def _still_open(before: Before, yesterday: bool, voice: Voice, now: datetime) -> Spans | None:
    if before.open_until is None:
        return None
    ends = closing(before.open_until, now, voice)
    if yesterday:
        return voice.say("Yesterday’s quiz is {open}.", open=ends)
    return voice.say("The last quiz is {open}.", open=ends)


def _how_it_went(before: Before, yesterday: bool, voice: Voice) -> Spans:
    went = before.went
    if went.started == 0:
        line = (
            voice.say("Nobody answered yesterday’s quiz")
            if yesterday
            else voice.say("Nobody answered the last quiz")
        )
    elif went.started < SPREAD_FROM:
        line = voice.many(
            "{when} {n} person took part",
            "{when} {n} people took part",
            went.started,
            when=_when(voice, yesterday=yesterday),
        )
    else:
        line = voice.many(
            "{when} {share} were right ({n} took part)",
            "{when} {share} were right ({n} took part)",
            went.started,
            when=_when(voice, yesterday=yesterday),
            share=voice.percent(went.right / went.answered),
        )
    return (*line, *_answer(before, voice), Plain("."))


def _when(voice: Voice, *, yesterday: bool) -> str:
    return voice.phrase("Yesterday") if yesterday else voice.phrase("Last time")


def _answer(before: Before, voice: Voice) -> Spans:
    if before.step is None:
        return ()
    shown = read_question(before.step.question, before.step.round.language)
    return (Plain(": "), *option_words(before.step, shown, before.step.right_keys, voice))
