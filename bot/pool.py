"""What a daily quiz draws from: its topics as the library has them now."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bot.content import Language
from bot.library import Found, Library
from bot.reading import title_in


@dataclass(frozen=True, slots=True)
class Pool:
    """`missing` are topics that are not there any more, or have no question left."""

    found: tuple[Found, ...]
    missing: tuple[str, ...]
    questions: int

    def titles(self, language: Language) -> tuple[str, ...]:
        return tuple(title_of(one, language) for one in self.found)


def pool_of(library: Library, topics: Iterable[str]) -> Pool:
    """Of the topics of a schedule; without any it is everything."""
    names = tuple(topics)
    own = {bank.key: bank.id for bank in library.banks}
    looked = [(name, library.find(own.get(name, name))) for name in names]
    found = tuple(one for _, one in looked if isinstance(one, Found) and one.questions)
    there = {one.id for one in found}
    missing = tuple(
        name for name, one in looked if not isinstance(one, Found) or one.id not in there
    )
    banks = () if names else library.banks
    asked = {(bank.key, q.id) for bank in banks for q in bank.playable}
    asked |= {(bank.key, q.id) for one in found for bank, q in one.questions}
    return Pool(found, missing, len(asked))


def title_of(found: Found, language: Language) -> str:
    return title_in(found.title, language)
