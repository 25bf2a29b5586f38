"""What a daily quiz has asked, and what it would ask next: for its organisers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot import tokens
from bot.content import Bank, Question
from bot.markdown import blocks_of
from bot.messages import (
    Block,
    Bold,
    Heading,
    Message,
    Option,
    Options,
    Paragraph,
    Row,
    Small,
    Spans,
)
from bot.reading import Shown, read_question
from bot.schedules import PastOccurrence, Schedule
from bot.spelling import fold
from bot.state import letter
from bot.wording import plans
from bot.wording.dailies import button
from bot.wording.dates import date_in_words
from bot.wording.pages import turn_pages
from bot.wording.pieces import Reader
from bot.wording.questions import stem
from bot.wording.voice import Voice, plain

PAST_ON_A_PAGE = 10
_PREVIEWED = 3


@dataclass(frozen=True, slots=True)
class PastView:
    """One date that was asked; `question` is what, where it was a single one."""

    past: PastOccurrence
    link: str | None = None
    question: Spans = ()
    count: int = 0


def past(
    schedule: Schedule, views: Sequence[PastView], page: int, pages: int, voice: Voice
) -> Message:
    """A page of what was asked, the newest first, with how it went and where it stands."""
    blocks: list[Block] = [Heading(_title(schedule, voice))]
    blocks += [Paragraph(_past_line(view, voice)) for view in views]
    if not views:
        blocks.append(Paragraph(voice.say("Nothing was asked yet.")))
    row: Row = (button("show", voice.phrase("Back"), schedule),)
    turn = turn_pages(page, pages, lambda to: tokens.PastDailies(schedule.id, to), voice)
    return Message(tuple(blocks), (*turn, row), voice.language, replaces=True)


def preview(
    schedule: Schedule,
    at: datetime | None,
    questions: Sequence[tuple[Bank, Question]],
    draws_left: int,
    reader: Reader,
) -> Message:
    """The next questions without what is right."""
    voice = reader.voice
    if at is None:
        heading = voice.say("What would be asked next")
    else:
        heading = voice.say("Next: {when}", when=plans.moment(at, voice))
    blocks: list[Block] = [Heading(heading)]
    for _, question in questions[:_PREVIEWED]:
        blocks += _asked(read_question(question, reader.language), voice)
    more = len(questions) - _PREVIEWED
    if more > 0:
        blocks.append(Small(voice.many("and {n} more", "and {n} more", more)))
    if not questions:
        blocks.append(
            Paragraph(voice.say("There is nothing to ask: none of its quizzes has a question."))
        )
    elif draws_left:
        left = voice.many(
            "Enough new questions for {n} more time.",
            "Enough new questions for {n} more times.",
            draws_left,
        )
        blocks.append(Small(left))
    else:
        blocks.append(Small(voice.say("After this, those come again that were missed most.")))
    row: Row = (button("show", voice.phrase("Back"), schedule),)
    return Message(tuple(blocks), (row,), voice.language, replaces=True)


# --- inside --------------------------------------------------------------------------------


def _past_line(view: PastView, voice: Voice) -> Spans:
    occurrence, went = view.past.occurrence, view.past.went
    when = plans.linked(plain(date_in_words(occurrence.date, voice)), view.link)
    match occurrence.state:
        case "missed":
            how = voice.say("left out: I was not there")
        case "refused":
            how = voice.say("the channel took no post")
        case "empty":
            how = voice.say("there was nothing to ask")
        case "unknown" if not went.started:
            how = voice.say("whether it was posted is not known")
        case _ if not went.answered:
            how = voice.say("nobody took part")
        case _:
            how = voice.many(
                "{n} took part, {share} right",
                "{n} took part, {share} right",
                went.started,
                share=voice.percent(went.right / went.answered),
            )
    parts = [(Bold(when),), how]
    if view.question:
        parts.insert(1, view.question)
    elif view.count > 1:
        parts.insert(1, voice.many("{n} question", "{n} questions", view.count))
    return plans.in_a_row(parts)


def _asked(shown: Shown, voice: Voice) -> list[Block]:
    """Not in the order in which they were written: many write the right one first."""
    in_order = sorted(shown.ask.options.values(), key=lambda words: (fold(words), words))
    options = tuple(Option(letter(at), blocks_of(words)) for at, words in enumerate(in_order))
    return [*stem(shown, voice), Options(options, shown.ask.language)]


def _title(schedule: Schedule, voice: Voice) -> Spans:
    return voice.say("The daily quiz in {channel}", channel=plans.channel(schedule.place, voice))
