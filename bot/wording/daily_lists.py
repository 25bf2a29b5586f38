"""Several daily quizzes below one another, and the question which of them is meant."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from bot import tokens
from bot.messages import Block, Choice, Message, Paragraph, Select
from bot.wording.dailies import Look, another, lines, none_yet, one
from bot.wording.daily_names import names_of
from bot.wording.pages import Page, page_of, turn_pages
from bot.wording.proposals import MOST_OFFERED
from bot.wording.voice import Voice

LISTED_ON_A_PAGE = 8


def listed(looks: Page[Look], voice: Voice) -> Message:
    """A page of them, each with its channel, what is next, and what troubles it."""
    if not looks.shown:
        return none_yet(voice)
    if len(looks.shown) == looks.pages == 1:
        return one(looks.shown[0], voice)
    blocks: list[Block] = []
    for look in looks.shown:
        blocks += lines(look, voice)
    select = _pick("show", (), looks.shown, voice)
    turn = turn_pages(looks.number, looks.pages, tokens.DailiesPage, voice)
    rows = ((select,), *turn, (another(voice),))
    return Message(tuple(blocks), rows, voice.language, replaces=True)


def which(
    do: str, dates: Sequence[date], found: Sequence[Look], page: int, voice: Voice
) -> Message:
    """Which of several is meant."""
    line = voice.say("There are several daily quizzes. Which one do you mean?")
    on = page_of(found, page, MOST_OFFERED)

    def to(number: int) -> tokens.Choice:
        return tokens.DailyPickPage(do, _written(dates), number)

    select = _pick(do, dates, on.shown, voice)
    rows = ((select,), *turn_pages(on.number, on.pages, to, voice))
    return Message((Paragraph(line),), rows, voice.language, replaces=True)


def _pick(do: str, dates: Sequence[date], found: Sequence[Look], voice: Voice) -> Select:
    several = len({look.schedule.place.id for look in found}) > 1
    names = names_of(found, voice, with_channel=several)
    choices = tuple(
        Choice(str(look.schedule.id), name) for look, name in zip(found, names, strict=True)
    )
    token = tokens.write(tokens.DailyPick(do, _written(dates)))
    return Select(token, voice.phrase("Choose a daily quiz"), choices)


def _written(dates: Sequence[date]) -> str:
    return ",".join(day.isoformat() for day in dates)
