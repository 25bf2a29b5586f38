"""A whole bank as messages: every question with its right answer and why."""

from __future__ import annotations

from collections.abc import Iterator

from bot.content import Bank, Language, Question
from bot.markdown import blocks_of, spans_of
from bot.messages import (
    Block,
    Bold,
    Heading,
    Message,
    Option,
    Options,
    Paragraph,
    Plain,
    Small,
)
from bot.reading import read_bank, read_question
from bot.state import letter


def whole_bank(bank: Bank, language: Language) -> Message:
    """What an author or operator sees of it, in one language; its options in written order."""
    return Message((*_head(bank, language), *_questions(bank, language)), language="en")


def _head(bank: Bank, language: Language) -> Iterator[Block]:
    shown = read_bank(bank, language)
    yield Heading((Bold((Plain(shown.title.text),)),))
    if shown.description is not None:
        yield Paragraph(spans_of(shown.description.text))
    count = f"{len(bank.questions)} questions"
    drafts = len(bank.questions) - len(bank.playable)
    facts = [
        bank.id,
        count + (f" ({drafts} drafts)" if drafts else ""),
        bank.level or "",
        " ".join(bank.languages),
        bank.licence or "",
    ]
    yield Small((Plain(" · ".join(filter(None, facts))),))


def _questions(bank: Bank, language: Language) -> Iterator[Block]:
    for number, question in enumerate(bank.questions, start=1):
        yield from _question(number, question, language)


def _question(number: int, question: Question, language: Language) -> Iterator[Block]:
    shown = read_question(question, language)
    draft = " · draft: nothing is marked right" if question.is_draft else ""
    yield Heading((Plain(f"{number}. {question.id}{draft}"),))
    for block in blocks_of(shown.ask.text):
        yield Paragraph((Bold(block.spans),)) if isinstance(block, Paragraph) else block
    yield Options(
        tuple(
            Option(
                letter(at),
                blocks_of(shown.ask.options[key]),
                "right" if key in question.correct else None,
            )
            for at, key in enumerate(question.keys)
        ),
        shown.ask.language,
    )
    if shown.explain is not None:
        yield from blocks_of(shown.explain.text)
    for at, key in enumerate(question.keys):
        if key in shown.why:
            why = spans_of(shown.why[key].text)
            yield Small((Plain(f"{letter(at)} tempts: "), *why))
    if shown.ask.language != language:
        yield Small((Plain(f"Shown in {shown.ask.language}: no {language} yet."),))
