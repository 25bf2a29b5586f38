"""What one person is told about their answer, alone and in their language."""

from __future__ import annotations

from dataclasses import replace

from bot import tokens
from bot.content import Source
from bot.markdown import first_sentence
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
from bot.outcomes import AlreadyAnswered, Answered, AnswerOutcome, Attempt, StaleButton, TooLate
from bot.reading import Shown, read_question
from bot.state import Round, Step
from bot.wording.pieces import (
    Reader,
    all_quizzes,
    change_language,
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
            return _explained(step, reader, _judgement(step, attempt, reader), attempt)
        case AlreadyAnswered(step, attempt):
            return _explained(step, reader, _already(step, attempt, reader), attempt)
        case TooLate(step, closed_at):
            shown = read_question(step.question, reader.language)
            when = reader.voice.time(closed_at)
            line = reader.voice.say(
                "This question closed at {time}. Right was: {options}",
                time=when,
                options=option_words(step, shown, step.right_keys, reader.voice),
            )
            message = _explained(step, reader, line, None)
            if step.round.ended_at is None:
                return message
            return with_buttons(message, _start_for_me(step.round, reader.voice))
        case StaleButton():
            return stale(reader)


def explanation(step: Step, attempt: Attempt | None, reader: Reader) -> Message:
    """One's own answer, if there is one, the right one, and why."""
    if attempt is not None:
        return _explained(step, reader, _judgement(step, attempt, reader, points=False), attempt)
    shown = read_question(step.question, reader.language)
    return _explained(step, reader, right_answer(step, shown, reader.voice), None)


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


def _judgement(step: Step, attempt: Attempt, reader: Reader, *, points: bool = True) -> Spans:
    """Right or not, and the words of the right option."""
    voice = reader.voice
    shown = read_question(step.question, reader.language)
    options = option_words(step, shown, step.right_keys, voice)
    if not attempt.is_right:
        return voice.say(
            "Not this time: you chose {letter}; right is {options}",
            letter=letters(step, attempt.answer, voice),
            options=options,
        )
    if not points or attempt.counts is None:
        return voice.say("Right: {options}", options=options)
    won = voice.many("{n} point", "{n} points", attempt.points)
    return voice.say("Right, {points}: {options}", points=won, options=options)


def _already(step: Step, attempt: Attempt, reader: Reader) -> Spans:
    voice = reader.voice
    shown = read_question(step.question, reader.language)
    return voice.say(
        "You already answered {letter}. Right is {options}",
        letter=letters(step, attempt.answer, voice),
        options=option_words(step, shown, step.right_keys, voice),
    )


def _explained(step: Step, reader: Reader, line: Spans, attempt: Attempt | None) -> Message:
    voice = reader.voice
    shown = read_question(step.question, reader.language)
    blocks: list[Block] = [_first_line(line, shown, reader)]
    blocks += _temptation(step, attempt, shown, reader)
    if shown.explain is not None:
        _, rest = first_sentence(shown.explain.text)
        blocks += paragraphs(replace(shown.explain, text=rest), voice) if rest.strip() else ()
    else:
        blocks.append(Small(voice.say("There is no explanation yet.")))
    blocks += _practice(attempt, reader)
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
    step: Step, attempt: Attempt | None, shown: Shown, reader: Reader
) -> list[Paragraph | CodeBlock]:
    """Why the option that was chosen tempts."""
    if attempt is None or attempt.is_right:
        return []
    return [
        Paragraph(
            reader.voice.say(
                "Why {letter} tempts: {why}",
                letter=step.letter(key),
                why=words(shown.why[key], reader.voice),
            )
        )
        for key in attempt.answer
        if key in shown.why
    ]


def _practice(attempt: Attempt | None, reader: Reader) -> tuple[Small, ...]:
    """Why there are no points, where somebody may have expected some."""
    if attempt is None or attempt.practice is None or attempt.practice == "solo":
        return ()
    if attempt.practice == "late":
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
