"""A question in the channel, as one reader's own copy, and as what it becomes when it closes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import PurePath
from types import MappingProxyType

from bot import tokens
from bot.command_specs import N_
from bot.content import Bank, Language
from bot.markdown import blocks_of, first_sentence, spans_of
from bot.messages import (
    Bar,
    Block,
    Bold,
    Button,
    Control,
    Heading,
    Message,
    Option,
    Options,
    Paragraph,
    Picture,
    Plain,
    Row,
    Small,
    Spans,
    Spread,
    text_of,
)
from bot.reading import Shown, Words, nearest_texts, read_question
from bot.rules import SPREAD_FROM
from bot.state import Round, Step, Tally, letter
from bot.wording.pieces import Reader, change_language, kept_back, notes, paragraphs, words
from bot.wording.voice import Voice, joined, own_name, plain

SHORT_OPTION = 18
"""Characters up to which an option's words stand on its button too."""

BUTTONS_IN_A_ROW = 5


LEVELS = {
    "beginner": N_("beginner"),
    "intermediate": N_("intermediate"),
    "advanced": N_("advanced"),
}


def public_question(
    step: Step,
    bank: Bank | None,
    reader: Reader,
    answered: int,
    closes_at: datetime | None,
    now: datetime,
) -> Message:
    """The question that everybody may press, as it stands while it is open."""
    voice = reader.voice
    shown = read_question(step.question, reader.language)
    counts = [voice.many("{n} answered", "{n} answered", answered)] if answered else []
    if closes_at is not None:
        counts.append(_closing(closes_at, now, voice))
    else:
        counts.append(voice.say("open until the starter or an organiser presses Next"))
    return Message(
        (
            Heading(heading(step, bank, reader)),
            *body(step, bank, shown, reader),
            *notes(voice, reader.language, {"ask": shown.ask.language}),
            Small(joined(counts, " · ")),
        ),
        (
            *answer_rows(step, shown, voice),
            (language_button(step, shown, voice), _more(step, voice)),
        ),
        voice.language,
    )


def private_question(
    step: Step, bank: Bank | None, reader: Reader, above: Spans | None = None
) -> Message:
    """The same question for one reader alone, in their language, with the same answer buttons."""
    voice = reader.voice
    shown = read_question(step.question, reader.language)
    hint = shown.hint
    hint_line = (
        [Small(voice.say("Hint: {hint}", hint=words(hint, voice)))] if hint is not None else []
    )
    return Message(
        (
            Heading(above or heading(step, bank, reader)),
            *body(step, bank, shown, reader),
            *hint_line,
            *notes(voice, reader.language, {"ask": shown.ask.language}, shown.ask.outdated),
        ),
        (*answer_rows(step, shown, voice), (change_language(step.id, reader),)),
        voice.language,
        replaces=True,
    )


def reveal(
    step: Step,
    bank: Bank | None,
    reader: Reader,
    tally: Tally,
    next_at: datetime | None,
    now: datetime,
    *,
    is_last_asked: bool,
    kept: Mapping[int, datetime | None] = MappingProxyType({}),
) -> Message:
    """What the message of a question becomes when it closes.

    `next_at` is when the next question comes, if the pause after this one is under way.
    `is_last_asked`: the round has not gone on from it. What is `kept` by a daily until an instant,
    by the ids of questions, is not answered here.
    """
    voice = reader.voice
    shown = read_question(step.question, reader.language)
    blocks: list[Block] = [Heading(heading(step, None, reader)), *stem(shown, voice)]
    if step.question_id in kept:
        blocks.append(Small(kept_back(kept[step.question_id], voice)))
    else:
        blocks.append(Paragraph((Bold(right_answer(step, shown, voice)),)))
        blocks.append(spread(step, tally, voice))
        if shown.explain is not None and (first := first_sentence(shown.explain.text)[0]):
            blocks.append(Paragraph(words(replace(shown.explain, text=first), voice)))
    controls: list[Control] = [
        Button(voice.phrase("Explain to me"), tokens.write(tokens.Explain(step.id)), "primary")
    ]
    if next_at is not None:
        blocks.append(Small(voice.say("Next question {time}", time=voice.until(next_at, now))))
        controls.append(Button(voice.phrase("Next"), tokens.write(tokens.GoOn(step.id))))
    elif is_last_asked and step.round.state == "paused":
        blocks.append(Small(voice.say("Paused: two questions in a row had no answer.")))
        controls.append(Button(voice.phrase("Continue"), tokens.write(tokens.GoOn(step.id))))
    return Message(tuple(blocks), (tuple(controls),), voice.language)


def heading(step: Step, bank: Bank | None, reader: Reader) -> Spans:
    """`Pipeline parallelism · question 3 of 8 · advanced`."""
    voice = reader.voice
    round_ = step.round
    parts = [
        title(round_, voice, reader.language),
        voice.say("question {n} of {total}", n=step.position, total=round_.length),
    ]
    if round_.mode == "open":
        alone = round_.length == 1
        parts = [voice.say("Today’s quiz"), *(parts[:1] if alone else parts)]
    if bank is not None and bank.level in LEVELS:
        parts.append(voice.say(LEVELS[bank.level]))
    return joined(parts, " · ")


def title(round_: Round, voice: Voice, language: Language) -> Spans:
    """What a round is about, in the nearest language that there is."""
    source = next(iter(round_.title))
    tag, name = nearest_texts(round_.title, language, source)[0]
    return voice.content(plain(name), tag)


def body(step: Step, bank: Bank | None, shown: Shown, reader: Reader) -> list[Block]:
    """Stem, picture and lettered options."""
    voice = reader.voice
    options = tuple(
        Option(letter(index), blocks_of(shown.ask.options[key]))
        for index, key in enumerate(step.order)
    )
    return [
        *stem(shown, voice),
        *picture(step, bank, shown),
        Options(options, shown.ask.language),
    ]


def answer_rows(
    step: Step, shown: Shown, voice: Voice, *, letters_alone: bool = False
) -> tuple[Row, ...]:
    """A button for each option; the words too where all of them are short."""
    labels = [text_of(spans_of(shown.ask.options[key])) for key in step.order]
    raw = [shown.ask.options[key] for key in step.order]
    short = not letters_alone and all(
        len(label) <= SHORT_OPTION and "\n" not in text
        for label, text in zip(labels, raw, strict=True)
    )
    buttons = [
        Button(
            f"{letter(index)} · {label}" if short else letter(index),
            tokens.write(tokens.Answer(step.id, key)),
            "answer",
            spoken=f"{letter(index)}: {label}",
        )
        for index, (key, label) in enumerate(zip(step.order, labels, strict=True))
    ]
    starts = range(0, len(buttons), BUTTONS_IN_A_ROW)
    return tuple(tuple(buttons[start : start + BUTTONS_IN_A_ROW]) for start in starts)


def language_button(step: Step, shown: Shown, voice: Voice) -> Button:
    """Names two other languages of the question by their own names, then `…`."""
    others = [tag for tag in step.question.texts if tag != shown.ask.language]
    names = [own_name(tag) for tag in others[:2]] + ["…"] * (len(others) > 2)
    return Button(
        " · ".join(names) or voice.phrase("Language"),
        tokens.write(tokens.OwnLanguage(step.id)),
        spoken=voice.phrase("Read it in another language: {names}", names=", ".join(names))
        if names
        else None,
    )


def right_answer(step: Step, shown: Shown, voice: Voice) -> Spans:
    options = option_words(step, shown, step.right_keys, voice)
    return voice.say("Right answer: {options}", options=options)


def option_words(step: Step, shown: Shown, keys: tuple[str, ...], voice: Voice) -> Spans:
    """`C · Idle time …`: letter and words of some options."""
    ordered = sorted(keys, key=step.order.index)
    groups = [
        voice.content(
            (Plain(f"{step.letter(key)} · "), *spans_of(shown.ask.options[key])), shown.ask.language
        )
        for key in ordered
    ]
    return joined(groups, "; ")


def letters(step: Step, keys: tuple[str, ...], voice: Voice) -> str:
    return voice.list_of(sorted(step.letter(key) for key in keys))


def spread(step: Step, tally: Tally, voice: Voice) -> Block:
    """How the answers were spread, from three answers on; before that only how many there were."""
    if tally.answered == 0:
        return Small(voice.say("Nobody answered."))
    if tally.answered < SPREAD_FROM:
        return Small(voice.many("{n} answered", "{n} answered", tally.answered))
    bars = tuple(
        Bar(step.letter(key), tally.chosen.get(key, 0), key in step.question.correct)
        for key in step.order
    )
    return Spread(bars, " · ".join(f"{bar.letter} {voice.number(bar.count)}" for bar in bars))


def stem(shown: Shown, voice: Voice) -> tuple[Block, ...]:
    blocks = paragraphs(Words(shown.ask.text, shown.ask.language), voice)
    first, *rest = blocks
    if isinstance(first, Paragraph):
        return (Paragraph((Bold(first.spans),)), *rest)
    return blocks


def picture(step: Step, bank: Bank | None, shown: Shown) -> tuple[Block, ...]:
    alt = shown.alt
    if step.question.image is None or alt is None:
        return ()
    if bank is None or bank.folder is None:
        return (Small(plain(alt.text)),)
    path = str(PurePath(bank.folder, step.question.image))
    return (Picture(path, alt.text, alt.language),)


def _closing(closes_at: datetime, now: datetime, voice: Voice) -> Spans:
    if closes_at - now < timedelta(hours=1):
        return voice.say("closes {time}", time=voice.until(closes_at, now))
    return voice.say("closes at {time}", time=voice.time(closes_at))


def _more(step: Step, voice: Voice) -> Button:
    return Button(voice.phrase("More"), tokens.write(tokens.More(step.id)))
