"""What somebody is told who takes part in a daily quiz, alone and in their language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from bot import tokens
from bot.content import Bank
from bot.messages import Block, Bold, Button, Control, Message, Paragraph, Row, Small, Spans
from bot.outcomes import Attempt
from bot.state import Round, Step
from bot.wording import pieces, verdicts
from bot.wording.pieces import Reader, leaderboard, said
from bot.wording.questions import private_question, title
from bot.wording.results import missed_line, next_solo
from bot.wording.voice import Voice, joined

_MOST_SHOWN = 20
_IN_A_ROW = 5


def question(step: Step, bank: Bank | None, right: int, reader: Reader) -> Message:
    """The next question of a daily, for one person."""
    voice = reader.voice
    above = [
        title(step.round, voice, reader.language),
        voice.say("Question {n} of {total}", n=step.position, total=step.round.length),
    ]
    if step.position > 1:
        above.append(voice.say("{n} right so far", n=right))
    return private_question(step, bank, reader, joined(above, " · "))


def goes_on(message: Message, step: Step, voice: Voice) -> Message:
    """A verdict in a daily of several questions, with the way to the next one."""
    if step.round.length == 1:
        return message
    last = step.position == step.round.length
    label = voice.phrase("How it went") if last else voice.phrase("Next question")
    begin = Button(label, tokens.write(tokens.Begin(step.round.id)), "primary")
    return verdicts.with_buttons(message, begin)


def finished(
    round_: Round, steps: Sequence[Step], given: Mapping[int, Attempt], reader: Reader
) -> Message:
    """What came of somebody's daily, and what to read again."""
    voice = reader.voice
    blocks: list[Block] = [Paragraph((Bold(_score(round_, steps, given, reader)),))]
    missed = [step for step in steps if step.id in given and not given[step.id].is_right]
    if missed:
        blocks.append(Small(voice.say("To read again:")))
        blocks += [Paragraph(missed_line(step, reader)) for step in missed[:10]]
    rows = (*_numbers(missed[:10]), (leaderboard(voice),))
    return Message(tuple(blocks), rows, voice.language, replaces=True)


def over(
    round_: Round, steps: Sequence[Step], given: Mapping[int, Attempt], reader: Reader
) -> Message:
    """A daily that has closed, with a button to each of its questions."""
    voice = reader.voice
    blocks: list[Block] = []
    if given:
        blocks.append(Paragraph((Bold(_score(round_, steps, given, reader)),)))
    ended = round_.closes_at
    if ended is not None:
        line = voice.say(
            "This quiz closed on {day} at {time}.", day=voice.day(ended), time=voice.time(ended)
        )
        blocks.append(Paragraph(line))
    blocks.append(Small(voice.say("Read a question and its answer again:")))
    rows: tuple[Row, ...] = _numbers(steps[:_MOST_SHOWN])
    if len(given) < len(steps):
        label = (
            voice.phrase("Answer the rest, as practice")
            if given
            else voice.phrase("Answer it now, as practice")
        )
        rows = (*rows, (Button(label, tokens.write(tokens.Late(round_.id)), "primary"),))
    return Message(tuple(blocks), rows, voice.language, replaces=True)


def late(own: Step, attempt: Attempt, asked: Step, reader: Reader) -> Message:
    """The verdict on an answer that came after the end: it is practice, and says so."""
    message = verdicts.late_practice(own, attempt, asked.round.closes_at, reader)
    if own.round.length == 1:
        return message
    return verdicts.with_buttons(message, next_solo(own, reader.voice))


def kept_back(until: datetime | None, voice: Voice) -> Message:
    """In the stead of an answer that a daily still asks for."""
    return said(voice, pieces.kept_back(until, voice))


def _score(
    round_: Round, steps: Sequence[Step], given: Mapping[int, Attempt], reader: Reader
) -> Spans:
    voice = reader.voice
    right = sum(1 for attempt in given.values() if attempt.is_right)
    points = sum(attempt.points for attempt in given.values())
    return voice.say(
        "{title}: {right} of {total} right, {points}.",
        title=title(round_, voice, reader.language),
        right=right,
        total=len(steps),
        points=voice.many("{n} point", "{n} points", points),
    )


def _numbers(steps: Sequence[Step]) -> tuple[Row, ...]:
    see: list[Control] = [
        Button(str(step.position), tokens.write(tokens.Explain(step.id))) for step in steps
    ]
    return tuple(tuple(see[at : at + _IN_A_ROW]) for at in range(0, len(see), _IN_A_ROW))
