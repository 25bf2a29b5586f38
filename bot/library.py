"""The banks that a community may use, found by whatever name people give them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from bot.content import SHIPPED, Bank, Language, Question
from bot.reading import nearest_texts, read_bank
from bot.spelling import LONGEST, fold, slips, slips_to

TopicKind = Literal["bank", "tag"]

_FEW = 5  # suggestions beside an error
_COMPARED = 200  # names that one misspelling is compared with letter by letter


@dataclass(frozen=True, slots=True)
class Topic:
    """Something that can be asked for. A tag's title is the tag, in its banks' languages."""

    topic_kind: TopicKind
    id: str
    title: Mapping[Language, str]


@dataclass(frozen=True, slots=True)
class Found:
    """The questions of a topic that may be asked; none where all are drafts."""

    topic_kind: TopicKind
    id: str
    title: Mapping[Language, str]
    questions: tuple[tuple[Bank, Question], ...]


@dataclass(frozen=True, slots=True)
class Unknown:
    """No such topic; `suggestions` are those that nothing else is closer to."""

    suggestions: tuple[Topic, ...]


@dataclass(frozen=True, slots=True)
class Title:
    """A topic for a list: its title as one reader sees it, and the language that is in."""

    topic_kind: TopicKind
    id: str
    title: str
    language: Language


@dataclass(frozen=True, slots=True)
class _Name:
    """A folded name of a topic, by its place in the library's order."""

    text: str
    topic: int


class Library:
    """Banks by id, alias, title and tag. A community's own bank hides a shipped one of its id.

    Where two banks share an alias or title, a community's own wins, then the first by id.
    """

    def __init__(self, banks: Iterable[Bank]) -> None:
        in_order = sorted(banks, key=lambda bank: (bank.owner == SHIPPED, bank.id, bank.owner))
        by_id: dict[str, Bank] = {}
        for bank in in_order:
            by_id.setdefault(bank.id, bank)
        self.banks: tuple[Bank, ...] = tuple(by_id.values())
        self._by_id = by_id
        self._tags = _tags(self.banks)
        self._topics = (
            *(Topic("bank", bank.id, _titles(bank)) for bank in self.banks),
            *(_tag_topic(tag, uses) for tag, uses in sorted(self._tags.items())),
        )
        self._exact = _exact(self.banks, self._topics)
        self._names = _names(self.banks, self._topics, self._exact)
        self._pairs = _pairs(self._names)

    def bank(self, bank_id: str) -> Bank | None:
        """The bank with exactly this id."""
        return self._by_id.get(bank_id)

    def find(self, topic: str) -> Found | Unknown:
        """What was meant: an id, an alias, a title in any language or a tag, in this order."""
        if topic in self._by_id:
            return _of_bank(self._by_id[topic], _titles(self._by_id[topic]))
        at = self._exact.get(fold(topic))
        if at is None:
            return Unknown(self._closest(topic))
        found = self._topics[at]
        if found.topic_kind == "bank":
            return _of_bank(self._by_id[found.id], found.title)
        return Found("tag", found.id, found.title, tuple(self._tags[fold(found.id)]))

    def titles(self, language: Language) -> tuple[Title, ...]:
        """Every bank, titled for a reader of this language, in the order of the titles."""
        shown = [_shown(self._by_id[bank.id], language) for bank in self.banks]
        return tuple(sorted(shown, key=lambda title: (fold(title.title), title.id)))

    def suggest(self, typed: str, language: Language, limit: int = 50) -> tuple[Title, ...]:
        """What may be meant while it is still being typed; all banks when nothing is yet."""
        if not fold(typed):
            return self.titles(language)[:limit]
        ranked = self._holding(fold(typed)) or self._misspelt(fold(typed))
        order = sorted(ranked, key=lambda topic: (ranked[topic], topic))
        return tuple(self._title(self._topics[topic], language) for topic in order[:limit])

    def _title(self, topic: Topic, language: Language) -> Title:
        if topic.topic_kind == "bank":
            return _shown(self._by_id[topic.id], language)
        source = next(iter(topic.title))
        tag, title = nearest_texts(topic.title, language, source)[0]
        return Title("tag", topic.id, title, tag)

    def _closest(self, typed: str) -> tuple[Topic, ...]:
        """A slip counts only for those topics that no other is closer than."""
        word = fold(typed)
        ranked = self._holding(word) or self._misspelt(word)
        best = min(ranked.values(), default=0)
        close = [topic for topic in sorted(ranked) if ranked[topic] == best]
        return tuple(self._topics[topic] for topic in close[:_FEW])

    def _holding(self, word: str) -> dict[int, int]:
        """Topics with a name that the word is part of: 0 at its start, 1 at a word's, 2 inside."""
        ranked: dict[int, int] = {}
        for name in self._names if word else ():
            at = name.text.find(word)
            if at < 0:
                continue
            rank = 0 if at == 0 else 1 if f" {word}" in name.text else 2
            if rank < 2 or len(word) > 2 or not word.isascii():
                ranked[name.topic] = min(rank, ranked.get(name.topic, rank))
        return ranked

    def _misspelt(self, word: str) -> dict[int, int]:
        """Topics by the number of slips in their nearest name."""
        most = slips(len(word))
        if not most or len(word) > LONGEST:
            return {}
        ranked: dict[int, int] = {}
        for name in self._alike(word):
            count = slips_to(word, name.text, min(most, ranked.get(name.topic, most)))
            if count <= most:
                ranked[name.topic] = min(count, ranked.get(name.topic, count))
        return ranked

    def _alike(self, word: str) -> Iterable[_Name]:
        """The names that share the most pairs of letters with the word."""
        shared = Counter(name for pair in _letter_pairs(word) for name in self._pairs.get(pair, ()))
        order = sorted(shared, key=lambda name: (-shared[name], name))
        return (self._names[name] for name in order[:_COMPARED])


def _titles(bank: Bank) -> Mapping[Language, str]:
    return {tag: text.title for tag, text in bank.texts.items() if text.title}


def _shown(bank: Bank, language: Language) -> Title:
    title = read_bank(bank, language).title
    return Title("bank", bank.id, title.text, title.language)


def _of_bank(bank: Bank, title: Mapping[Language, str]) -> Found:
    return Found("bank", bank.id, title, tuple((bank, question) for question in bank.playable))


def _tags(banks: Iterable[Bank]) -> dict[str, list[tuple[Bank, Question]]]:
    """Folded tag to the questions that carry it, themselves or through their bank's topics."""
    tags: dict[str, list[tuple[Bank, Question]]] = defaultdict(list)
    for bank in banks:
        for question in bank.playable:
            for tag in dict.fromkeys(map(fold, (*bank.topics, *question.tags))):
                tags[tag].append((bank, question))
    return tags


def _tag_topic(tag: str, uses: Iterable[tuple[Bank, Question]]) -> Topic:
    title: dict[Language, str] = {}
    for bank, question in uses:
        spelt = next(word for word in (*bank.topics, *question.tags) if fold(word) == tag)
        title.setdefault(bank.language, spelt)
    return Topic("tag", next(iter(title.values())), title)


def _names(
    banks: Iterable[Bank], topics: Iterable[Topic], exact: Mapping[str, int]
) -> tuple[_Name, ...]:
    """Every name of every topic; topics stand in the order of the banks, then the tags.

    A tag whose name leads to a bank has none: the bank is offered by it already.
    """
    aliases = {bank.id: bank.aliases for bank in banks}
    names = []
    for at, topic in enumerate(topics):
        if topic.topic_kind == "tag" and exact.get(fold(topic.id)) != at:
            continue
        others = aliases[topic.id] if topic.topic_kind == "bank" else ()
        folded = dict.fromkeys(map(fold, (topic.id, *others, *topic.title.values())))
        names += [_Name(name, at) for name in folded if name]
    return tuple(names)


def _exact(banks: tuple[Bank, ...], topics: tuple[Topic, ...]) -> dict[str, int]:
    """Folded name to topic, the stronger kind of name first."""
    exact: dict[str, int] = {}
    for at, bank in enumerate(banks):
        exact.setdefault(fold(bank.id), at)
    for at, bank in enumerate(banks):
        for alias in bank.aliases:
            exact.setdefault(fold(alias), at)
    for at, topic in enumerate(topics[: len(banks)]):
        for title in topic.title.values():
            exact.setdefault(fold(title), at)
    for at, topic in enumerate(topics[len(banks) :], start=len(banks)):
        exact.setdefault(fold(topic.id), at)
    exact.pop("", None)
    return exact


def _pairs(names: Iterable[_Name]) -> dict[str, list[int]]:
    pairs: dict[str, list[int]] = defaultdict(list)
    for at, name in enumerate(names):
        for pair in _letter_pairs(name.text):
            pairs[pair].append(at)
    return pairs


def _letter_pairs(text: str) -> set[str]:
    """Neighbouring letters; a word's first counts with the gap before it."""
    padded = f" {text}"
    return {padded[at : at + 2] for at in range(len(padded) - 1)}
