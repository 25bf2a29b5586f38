"""What one person is told about their answer, alone and in their language."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from bot import tokens
from bot.content import Source
from bot.markdown import first_sentence
from bot.memory import Memory
from bot.messages import (
    Block,
    Bold,
    Button,
    CodeBlock,
    Control,
    Link,
    Message,
    Paragraph,
    Plain,
    Row,
    Small,
    Spans,
)
from bot.outcomes import (
    AlreadyAnswered,
    Answered,
    AnswerOutcome,
    Attempt,
    KeptBack,
    Practice,
    StaleButton,
    TooLate,
)
from bot.reading import Shown, read_question
from bot.state import Round, Step
from bot.wording import pieces
from bot.wording.pieces import (
    Reader,
    all_quizzes,
    change_language,
    kept_back,
    leaderboard,
    notes,
    paragraphs,
    words,
)
from bot.wording.questions import letters, option_words, right_answer
from bot.wording.voice import Voice, joined, plain


def verdict(outcome: AnswerOutcome, reader: Reader) -> Message:
    """The reply to a press on an answer."""
    match outcome:
        case Answered(step, attempt):
            return _told(_Case("answered", reader, _given(attempt)), step)
        case AlreadyAnswered(step, attempt):
            return _told(_Case("again", reader, _given(attempt)), step)
        case TooLate(step, closed_at):
            return _told(_Case("late", reader, closed_at=closed_at), step)
        case KeptBack(_, until):
            return pieces.said(reader.voice, kept_back(until, reader.voice))
        case StaleButton():
            return stale(reader)


def late_practice(
    step: Step, attempt: Attempt, closed_at: datetime | None, reader: Reader
) -> Message:
    """On an answer to what had closed: `step` is the practice that was made of it."""
    message = _told(_Case("answered", reader, _given(attempt)), step)
    if closed_at is None:
        return message
    voice = reader.voice
    day, time = voice.day(closed_at), voice.time(closed_at)
    line = voice.say("This quiz closed on {day} at {time}.", day=day, time=time)
    return replace(message, blocks=(*message.blocks, Small(line)))


def explanation(step: Step, attempt: Attempt | None, reader: Reader) -> Message:
    """One's own answer, if there is one, the right one, and why."""
    given = None if attempt is None else _given(attempt)
    return _told(_Case("explanation", reader, given), step)


def stale(reader: Reader) -> Message:
    """The reply to a button that leads nowhere."""
    voice = reader.voice
    text = voice.say("This button is too old, or not from here. Ask for a new one.")
    return Message((Paragraph(text),), ((all_quizzes(voice),),), voice.language)


def over(round_: Round, reader: Reader) -> Message:
    """The reply to a button of a round that has ended."""
    voice = reader.voice
    buttons = (_start_for_me(round_, voice), leaderboard(voice))
    return Message((Paragraph(voice.say("This quiz is over.")),), (buttons,), voice.language)


def with_buttons(message: Message, *row: Control) -> Message:
    """The same message with a row of buttons above its others."""
    return replace(message, controls=((*row,), *message.controls))


def _start_for_me(round_: Round, voice: Voice) -> Button:
    token = tokens.write(tokens.AgainForMe(round_.id))
    return Button(voice.phrase("Start it for me"), token, "primary")


# --- what is told again and again ------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Given:
    """All that a verdict says of an attempt. `points` is None where none could be won."""

    answer: tuple[str, ...]
    is_right: bool
    points: int | None
    practice: Practice | None


@dataclass(frozen=True, slots=True)
class _Case:
    """All that a verdict on a step depends on: two equal ones are told the same."""

    kind: Literal["answered", "again", "late", "explanation"]
    reader: Reader
    given: _Given | None = None
    closed_at: datetime | None = None


def _given(attempt: Attempt) -> _Given:
    points = None if attempt.counts is None else attempt.points
    return _Given(attempt.answer, attempt.is_right, points, attempt.practice)


# A group presses the same few buttons. A step is told from what it was before by its value, so
# that nobody sees the key of before a repair; what is remembered is only ever the faster way.
_TOLD: Memory[tuple[int, _Case], Step, Message] = Memory(2_000, 16_000_000)


def _told(case: _Case, step: Step) -> Message:
    return _TOLD.get((step.id, case), step, lambda: _worded(case, step))


# --- the words -------------------------------------------------------------------------------


def _worded(case: _Case, step: Step) -> Message:
    shown = read_question(step.question, case.reader.language)
    message = _explained(case, step, shown, _line(case, step, shown))
    if case.kind == "late" and step.round.ended_at is not None:
        return with_buttons(message, _start_for_me(step.round, case.reader.voice))
    return message


def _line(case: _Case, step: Step, shown: Shown) -> Spans:
    """Right or not, and the words of the right option."""
    voice, given = case.reader.voice, case.given
    if case.closed_at is not None:
        return voice.say(
            "This question closed at {time}. Right was: {options}",
            time=voice.time(case.closed_at),
            options=option_words(step, shown, step.right_keys, voice),
        )
    if given is None:
        return right_answer(step, shown, voice)
    options = option_words(step, shown, step.right_keys, voice)
    if case.kind == "again":
        return voice.say(
            "You already answered {letter}. Right is {options}",
            letter=letters(step, given.answer, voice),
            options=options,
        )
    if not given.is_right:
        return voice.say(
            "Not this time: you chose {letter}; right is {options}",
            letter=letters(step, given.answer, voice),
            options=options,
        )
    if case.kind == "explanation" or given.points is None:
        return voice.say("Right: {options}", options=options)
    won = voice.many("{n} point", "{n} points", given.points)
    return voice.say("Right, {points}: {options}", points=won, options=options)


def _explained(case: _Case, step: Step, shown: Shown, line: Spans) -> Message:
    reader, given = case.reader, case.given
    voice = reader.voice
    blocks: list[Block] = [_first_line(line, shown, reader)]
    blocks += _temptation(step, given, shown, reader)
    if shown.explain is not None:
        _, rest = first_sentence(shown.explain.text)
        blocks += paragraphs(replace(shown.explain, text=rest), voice) if rest.strip() else ()
    else:
        blocks.append(Small(voice.say("There is no explanation yet.")))
    blocks += _practice(given, reader)
    blocks += _sources(step.question.sources, reader)
    blocks += notes(voice, reader.language, _languages(shown), _is_outdated(shown))
    return Message(tuple(blocks), _controls(step, reader), voice.language, replaces=True)


def _first_line(line: Spans, shown: Shown, reader: Reader) -> Paragraph:
    """It stands alone: right or not, the right words, and the explanation's first sentence."""
    first = "" if shown.explain is None else first_sentence(shown.explain.text)[0]
    if shown.explain is None or not first:
        return Paragraph((Bold(line),))
    why = words(replace(shown.explain, text=first), reader.voice)
    return Paragraph((Bold(line), Plain("\n"), *why))


def _temptation(
    step: Step, given: _Given | None, shown: Shown, reader: Reader
) -> list[Paragraph | CodeBlock]:
    """Why the option that was chosen tempts."""
    if given is None or given.is_right:
        return []
    return [
        Paragraph(
            reader.voice.say(
                "Why {letter} tempts: {why}",
                letter=step.letter(key),
                why=words(shown.why[key], reader.voice),
            )
        )
        for key in given.answer
        if key in shown.why
    ]


def _practice(given: _Given | None, reader: Reader) -> tuple[Small, ...]:
    """Why there are no points, where somebody may have expected some."""
    if given is None or given.practice is None or given.practice == "solo":
        return ()
    if given.practice == "late":
        line = reader.voice.say("It came after the end: practice, without points.")
    else:
        line = reader.voice.say("You had this question this week: practice, without points.")
    return (Small(line),)


def _sources(sources: tuple[Source, ...], reader: Reader) -> tuple[Small, ...]:
    if not sources:
        return ()
    listed = joined([_source(source) for source in sources], "; ")
    return (Small(reader.voice.say("Source: {sources}", sources=listed)),)


def _source(source: Source) -> Spans:
    name = plain(f"{source.title} ({source.year})" if source.year else source.title)
    return (Link(name, source.url),) if source.url else name


def _languages(shown: Shown) -> dict[str, str]:
    explain = {} if shown.explain is None else {"explain": shown.explain.language}
    return {"ask": shown.ask.language, **explain}


def _is_outdated(shown: Shown) -> bool:
    return shown.ask.outdated or (shown.explain is not None and shown.explain.outdated)


def _controls(step: Step, reader: Reader) -> tuple[Row, ...]:
    return ((change_language(step.id, reader),),)
