"""What a bank holds: structure and key once, texts per language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Language = str
"""A BCP 47 tag as the bank's author wrote it: `sn`, `fr`, `pt-BR`."""

SHIPPED = ""
"""The owner of the banks that come with quizbot; a community's own banks carry its id."""


@dataclass(frozen=True, slots=True)
class QuestionText:
    """One language's texts of a question; what is missing or fell back at load is None or absent.

    `text` and `options` stand or fall together. `outdated` names the fields (`ask`, `explain`,
    `hint`) that translate an older wording of the source; they are shown, with a note.
    """

    text: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    explain: str | None = None
    why: Mapping[str, str] = field(default_factory=dict)
    hint: str | None = None
    alt: str | None = None
    outdated: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Source:
    """Where an explanation can be checked."""

    title: str
    year: str | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A question in all its languages; `keys` are the option ids in written order."""

    id: str
    language: Language
    keys: tuple[str, ...]
    correct: frozenset[str]
    texts: Mapping[Language, QuestionText]
    kind: str = "choice"
    tags: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    image: str | None = None

    @property
    def is_draft(self) -> bool:
        """Nothing is marked right yet: listed, never asked."""
        return not self.correct


@dataclass(frozen=True, slots=True)
class BankText:
    """One language's texts of a bank itself; `outdated` ones translate an older wording."""

    title: str | None = None
    description: str | None = None
    guide_title: str | None = None
    outdated: bool = False


@dataclass(frozen=True, slots=True)
class Bank:
    """A quiz; `texts` always holds the source language, with a title."""

    id: str
    language: Language
    texts: Mapping[Language, BankText]
    questions: tuple[Question, ...]
    owner: str = SHIPPED
    level: str | None = None
    topics: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    guide_url: str | None = None
    licence: str | None = None
    attribution: str | None = None
    folder: str | None = None
    """What `Question.image` is relative to; None where there are no files."""

    @property
    def key(self) -> str:
        """Names it among the banks of all communities: its id, before that whose own it is."""
        return f"{self.owner}/{self.id}" if self.owner else self.id

    @property
    def playable(self) -> tuple[Question, ...]:
        """The questions that may be asked."""
        return tuple(q for q in self.questions if not q.is_draft)

    @property
    def languages(self) -> tuple[Language, ...]:
        """Every language that some text of the bank is in, the source first."""
        others = {tag for q in self.questions for tag in q.texts} | set(self.texts)
        return (self.language, *sorted(others - {self.language}))
