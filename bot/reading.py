"""What one reader sees: each text in their language, or in the nearest that there is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from bot.content import Bank, BankText, Language, Question, QuestionText

T = TypeVar("T")
U = TypeVar("U")


@dataclass(frozen=True, slots=True)
class Words:
    """A text with the language that it is really in; `outdated`: its source has changed since."""

    text: str
    language: Language
    outdated: bool = False


@dataclass(frozen=True, slots=True)
class Ask:
    """Stem and options, always in one language; the options in written order."""

    text: str
    options: Mapping[str, str]
    language: Language
    outdated: bool = False


@dataclass(frozen=True, slots=True)
class Shown:
    """A question as one reader sees it. `language` is the one that was asked for."""

    language: Language
    ask: Ask
    explain: Words | None
    why: Mapping[str, Words]
    hint: Words | None
    alt: Words | None


@dataclass(frozen=True, slots=True)
class ShownBank:
    """A bank as one reader sees it. `language` is the one that was asked for."""

    language: Language
    title: Words
    description: Words | None
    guide_title: Words | None


def read_question(question: Question, language: Language) -> Shown:
    """The question in `language`, each field falling back alone, stem and options together."""
    texts = nearest_texts(question.texts, language, question.language)

    def field(read: Callable[[QuestionText], str | None], part: str) -> Words | None:
        return _first(
            texts, lambda tag, text: _words(read(text), tag, outdated=part in text.outdated)
        )

    def why_of(key: str) -> Words | None:
        return field(lambda text: text.why.get(key), "explain")

    return Shown(
        language=language,
        ask=read_ask(question, language),
        explain=field(lambda text: text.explain, "explain"),
        why={key: words for key in question.keys if (words := why_of(key))},
        hint=field(lambda text: text.hint, "hint"),
        alt=field(lambda text: text.alt, "explain"),
    )


def read_ask(question: Question, language: Language) -> Ask:
    """Its stem and options in `language`, or in the nearest that has them whole."""
    texts = nearest_texts(question.texts, language, question.language)
    return _first(texts, lambda tag, text: _ask(question, tag, text)) or _bare(question)


def read_bank(bank: Bank, language: Language) -> ShownBank:
    """The bank's own texts in `language`, each falling back alone."""
    texts = nearest_texts(bank.texts, language, bank.language)

    def field(read: Callable[[BankText], str | None]) -> Words | None:
        return _first(texts, lambda tag, text: _words(read(text), tag, outdated=text.outdated))

    return ShownBank(
        language=language,
        title=field(lambda text: text.title) or Words(bank.id, bank.language),
        description=field(lambda text: text.description),
        guide_title=field(lambda text: text.guide_title),
    )


def nearest_texts(
    texts: Mapping[Language, T], wanted: Language, source: Language
) -> tuple[tuple[Language, T], ...]:
    """The texts that may be shown to who wants a language, the best first: `pt-BR`, `pt`, source.

    Tags are compared without case, and `_` is taken for `-`, as platforms write either.
    """
    by_tag = {tag.casefold(): tag for tag in texts}
    order = [by_tag[step] for step in _wider(wanted) if step in by_tag]
    if source in texts and source not in order:
        order.append(source)
    return tuple((tag, texts[tag]) for tag in order)


def title_in(titles: Mapping[Language, str], language: Language) -> str:
    """A title as it is read in a language; the first of them is what the others translate."""
    return nearest_texts(titles, language, next(iter(titles)))[0][1]


def _wider(tag: Language) -> Iterable[str]:
    parts = tag.casefold().replace("_", "-").split("-")
    return ["-".join(parts[:length]) for length in range(len(parts), 0, -1)]


def _first(
    texts: Iterable[tuple[Language, T]], read: Callable[[Language, T], U | None]
) -> U | None:
    return next((found for tag, text in texts if (found := read(tag, text)) is not None), None)


def _words(text: str | None, tag: Language, *, outdated: bool) -> Words | None:
    return Words(text, tag, outdated) if text and text.strip() else None


def _ask(question: Question, tag: Language, text: QuestionText) -> Ask | None:
    options = {key: text.options.get(key, "") for key in question.keys}
    if not (text.text and text.text.strip() and all(map(str.strip, options.values()))):
        return None
    return Ask(text.text, options, tag, "ask" in text.outdated)


def _bare(question: Question) -> Ask:
    """Only for a question that no loader would pass: ids instead of blanks, so it can be named."""
    source = question.texts.get(question.language, QuestionText())
    options = {key: source.options.get(key, "").strip() or key for key in question.keys}
    return Ask((source.text or "").strip() or question.id, options, question.language)
