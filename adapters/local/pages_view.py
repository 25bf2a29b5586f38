"""What somebody looks at on a quiz page, and its address, which holds all of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from bot.content import Bank, Question

_DONE = re.compile(r"(\d{1,4})([a-z])")


@dataclass(frozen=True, slots=True)
class View:
    """A bank as somebody looks at it.

    `language` is that of the page's words, `content` the one wanted for the quiz. `at` is the
    question that is open, counted from 1; one more than there are is the summary. `done` holds
    the option that was chosen, by question. `kept` are those that today's quiz asks: they can be
    read, and what is right is not told.
    """

    bank: Bank
    language: str
    content: str
    at: int = 1
    is_all: bool = False
    done: Mapping[int, str] | None = None
    kept: frozenset[int] = frozenset()

    @property
    def questions(self) -> tuple[Question, ...]:
        return self.bank.playable

    @property
    def answers(self) -> Mapping[int, str]:
        return {n: key for n, key in (self.done or {}).items() if n not in self.kept}

    @property
    def right(self) -> tuple[int, ...]:
        """The questions that were answered right."""
        asked = enumerate(self.questions, start=1)
        return tuple(n for n, q in asked if self.answers.get(n) in q.correct)

    def address(self) -> str:
        """The address that shows this view again."""
        query = {"lang": self.content}
        if self.is_all:
            query["all"] = "1"
        elif self.at != 1 or self.answers:
            query["q"] = str(self.at)
        if self.answers:
            query["done"] = _written(self)
        return f"/quiz/{self.bank.id}?{urlencode(query)}"


def read_done(done: str, questions: tuple[Question, ...]) -> dict[int, str]:
    """The answers that an address holds; what does not fit the questions is left out."""
    answers: dict[int, str] = {}
    for number, letter in _DONE.findall(done[:4000]):
        place, option = int(number), ord(letter) - ord("a")
        if 1 <= place <= len(questions) and option < len(questions[place - 1].keys):
            answers.setdefault(place, questions[place - 1].keys[option])
    return answers


def _written(view: View) -> str:
    parts = []
    for place, key in sorted(view.answers.items()):
        option = view.questions[place - 1].keys.index(key)
        parts.append(f"{place}{chr(ord('a') + option)}")
    return "".join(parts)
