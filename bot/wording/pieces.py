"""Pieces that many messages are made of."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from bot import tokens
from bot.content import Language
from bot.markdown import blocks_of, spans_of
from bot.messages import (
    Button,
    CodeBlock,
    Message,
    Paragraph,
    Small,
    Spans,
)
from bot.reading import Words
from bot.wording.voice import Voice, own_name


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads: the language of the content, and the voice of the words around it."""

    language: Language
    voice: Voice


def words(text: Words, voice: Voice) -> Spans:
    """A text of a bank on one line."""
    return voice.content(spans_of(text.text), text.language)


def paragraphs(text: Words, voice: Voice) -> tuple[Paragraph | CodeBlock, ...]:
    """A text of a bank with its paragraphs and code."""
    return tuple(
        Paragraph(voice.content(block.spans, text.language))
        if isinstance(block, Paragraph)
        else block
        for block in blocks_of(text.text)
    )


def notes(
    voice: Voice, wanted: Language, languages: dict[str, Language], outdated: bool = False
) -> tuple[Small, ...]:
    """Says what is shown in another language than the reader's, and what may be out of date.

    `languages` has the language of `ask` and `explain`, each if it is shown.
    """
    foreign = {what: tag for what, tag in languages.items() if _base(tag) != _base(wanted)}
    lines = []
    if len(foreign) == len(languages) and len(set(foreign.values())) == 1 and len(foreign) > 1:
        tag = next(iter(foreign.values()))
        lines.append(
            voice.say("Shown in {language}: not translated yet.", language=voice.language_name(tag))
        )
    else:
        lines += [_not_translated(voice, what, tag, wanted) for what, tag in foreign.items()]
    if outdated:
        lines.append(voice.say("The translation is of an earlier wording."))
    return tuple(Small(line) for line in lines)


def change_language(step_id: int, reader: Reader) -> Button:
    """The way to the list of languages, from every private reply; it names the reader's own."""
    voice = reader.voice
    is_spoken = _base(voice.language) == _base(reader.language)
    return Button(
        voice.phrase(
            "Language: {name}", name=own_name(voice.language if is_spoken else reader.language)
        ),
        tokens.write(tokens.PickLanguage(step_id)),
    )


def said(voice: Voice, *lines: Spans) -> Message:
    """A reply that is nothing but words."""
    return Message(tuple(Paragraph(line) for line in lines), language=voice.language)


def kept_back(until: datetime | None, voice: Voice) -> Spans:
    """Why an answer is not shown: today's quiz asks it somewhere."""
    if until is None:
        return voice.say("A quiz of today still asks this; its answer is shown when that closes.")
    return voice.say(
        "A quiz of today still asks this; its answer is shown from {day} {time}.",
        day=voice.day(until),
        time=voice.time(until),
    )


def all_quizzes(voice: Voice) -> Button:
    return Button(voice.phrase("All quizzes"), tokens.write(tokens.Quizzes(0)))


def leaderboard(voice: Voice) -> Button:
    return Button(voice.phrase("Leaderboard"), tokens.write(tokens.Board("place", "month", 0)))


def again_for_me(round_id: int, voice: Voice) -> Button:
    return Button(voice.phrase("Again, for me"), tokens.write(tokens.AgainForMe(round_id)))


def not_named(more: int, voice: Voice, *, beside: bool) -> str:
    """How many share a rank without being named there; `beside` names that are."""
    if not more:
        return ""
    if not beside:
        return voice.many_phrase("{n} with a hidden name", "{n} with hidden names", more)
    return voice.many_phrase("and {n} more", "and {n} more", more)


def _base(tag: Language) -> str:
    return tag.split("-")[0].casefold()


def _not_translated(voice: Voice, what: str, tag: Language, wanted: Language) -> Spans:
    names = {"language": voice.language_name(tag), "wanted": voice.language_name(wanted)}
    if what == "ask":
        return voice.say("Shown in {language}: this question has no {wanted} yet.", **names)
    return voice.say("Shown in {language}: this explanation has no {wanted} yet.", **names)
