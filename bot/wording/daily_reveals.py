"""What the message of the day's quiz becomes when it closes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from bot import tokens
from bot.content import Language
from bot.markdown import first_sentence, spans_of
from bot.messages import Block, Bold, Button, Heading, Message, Paragraph, Plain, Small, Spans
from bot.reading import Shown, read_question
from bot.rules import SPREAD_FROM
from bot.state import Step, Tally
from bot.wording.daily import Daily
from bot.wording.pieces import kept_back, words
from bot.wording.questions import right_answer, spread, stem, title
from bot.wording.voice import Voice, joined

MOST_REVEALED = 10
"""Questions that it shows; the others are read by who asks to have them explained."""


def reveal(daily: Daily, tallies: Mapping[int, Tally], voice: Voice) -> Message:
    """What the message of a daily becomes when it closes; tallies are by step."""
    blocks: list[Block] = [Heading(_closed_heading(daily, voice))]
    if daily.is_one:
        blocks += _revealed(daily, daily.steps[0], tallies[daily.steps[0].id], voice)
    else:
        blocks.append(Paragraph(_turnout(daily, voice)))
        for step in daily.steps[:MOST_REVEALED]:
            blocks += _revealed_briefly(daily, step, voice)
    row = (Button(voice.phrase("Explain to me"), _explains(daily), "primary"),)
    return Message(tuple(blocks), (row,), voice.language)


def _closed_heading(daily: Daily, voice: Voice) -> Spans:
    day = voice.say("The quiz of {day}", day=voice.written_date(daily.day))
    return joined([day, title(daily.round, voice, daily.round.language)], " · ")


def _explains(daily: Daily) -> str:
    if daily.is_one:
        return tokens.write(tokens.Explain(daily.steps[0].id))
    return tokens.write(tokens.Begin(daily.round.id))


def _revealed(daily: Daily, step: Step, tally: Tally, voice: Voice) -> list[Block]:
    blocks: list[Block] = []
    languages: dict[Language, Shown] = {}
    for language in daily.languages:
        shown = read_question(step.question, language)
        languages.setdefault(shown.ask.language, shown)
    until = _kept(daily, step)
    for shown in languages.values():
        blocks += stem(shown, voice)
        if until is None:
            blocks.append(Paragraph((Bold(_right_answer(step, shown, voice)),)))
            if shown.explain is not None and (first := first_sentence(shown.explain.text)[0]):
                blocks.append(Paragraph(words(replace(shown.explain, text=first), voice)))
    if until is not None:
        return [*blocks, Small(kept_back(until[0], voice))]
    return [*blocks, spread(step, tally, voice)]


def _right_answer(step: Step, shown: Shown, voice: Voice) -> Spans:
    """In the language of the question that it stands under, where there are words in it."""
    language = shown.ask.language
    own = Voice.of(language, voice.zone)
    if own.language == voice.language or own.language != language.split("-")[0]:
        return right_answer(step, shown, voice)
    return voice.content(right_answer(step, shown, own), own.language)


def _turnout(daily: Daily, voice: Voice) -> Spans:
    went = daily.went
    if went.started < SPREAD_FROM:
        if not went.started:
            return voice.say("Nobody answered.")
        return voice.many("{n} person took part.", "{n} people took part.", went.started)
    return voice.many(
        "{n} person took part, {finished} to the end: {share} right.",
        "{n} people took part, {finished} to the end: {share} right.",
        went.started,
        finished=voice.number(went.finished),
        share=voice.percent(went.right / went.answered),
    )


def _revealed_briefly(daily: Daily, step: Step, voice: Voice) -> list[Block]:
    shown = read_question(step.question, daily.round.language)
    number = Plain(f"{voice.number(step.position)}. ")
    asked = voice.content(spans_of(shown.ask.text), shown.ask.language)
    until = _kept(daily, step)
    answer = right_answer(step, shown, voice) if until is None else kept_back(until[0], voice)
    return [Paragraph((number, *asked, Plain("\n"), Bold(answer)))]


def _kept(daily: Daily, step: Step) -> tuple[datetime | None] | None:
    kept = daily.kept or {}
    return (kept[step.question_id],) if step.question_id in kept else None
