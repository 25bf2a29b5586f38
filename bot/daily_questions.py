"""What a daily quiz draws from, as a library has it at this moment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.content import Bank, Language, Question
from bot.drawing import Drawn, Key
from bot.library import Found, Library
from bot.reading import nearest_texts
from bot.schedules import Schedule

Asked = tuple[Bank, Question]

_MOST_TITLES = 3


def pool_of(library: Library, schedule: Schedule) -> tuple[Key, ...]:
    """Every question that a schedule may ask, in the library's order."""
    if not schedule.plan.topics:
        return tuple(_every(library))
    found: dict[Key, None] = {}
    own = {bank.key: bank.id for bank in library.banks}
    for topic in schedule.plan.topics:
        there = library.find(own.get(topic, topic))
        if isinstance(there, Found):
            found |= dict.fromkeys((bank.key, question.id) for bank, question in there.questions)
    return tuple(found)


def questions_of(library: Library, drawn: Drawn) -> tuple[Asked, ...]:
    """The questions behind what was drawn."""
    every = _every(library)
    return tuple(every[key] for key in drawn.questions)


def title_of(
    library: Library, schedule: Schedule, questions: Sequence[Asked]
) -> Mapping[Language, str]:
    """What they are about: the topic if it is one, else their quizzes, by language."""
    topics = schedule.plan.topics
    if len(topics) == 1 and isinstance(found := library.find(topics[0]), Found):
        return found.title
    banks = list({bank.key: bank for bank, _ in questions}.values())
    tags = dict.fromkeys(tag for bank in banks for tag in (bank.language, *bank.texts))
    return {tag: _titles(banks, tag) for tag in tags}


def _every(library: Library) -> dict[Key, Asked]:
    return {
        (bank.key, question.id): (bank, question)
        for bank in library.banks
        for question in bank.playable
    }


def _titles(banks: Sequence[Bank], wanted: Language) -> str:
    titles = []
    for bank in banks[:_MOST_TITLES]:
        texts = {tag: text.title for tag, text in bank.texts.items() if text.title}
        titles.append(nearest_texts(texts, wanted, bank.language)[0][1])
    return ", ".join(titles) + (" …" if len(banks) > _MOST_TITLES else "")
