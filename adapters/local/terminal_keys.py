"""Short keys for everything that a message offers, so that a line of text can press it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Literal, assert_never

from bot import messages as m
from bot import tokens
from bot.spelling import fold

STOP, MORE, LANGUAGE = "q", "?", "l"

Kind = Literal["answer", "language", "choice", "link", "other"]


@dataclass(frozen=True, slots=True)
class Key:
    """`key` presses the button of this token, or chooses `value` in the select of that token.

    `label` is how it is listed, below `group` for a choice. A link has its address for a token.
    """

    key: str
    label: str
    token: str
    kind: Kind = "other"
    value: str | None = None
    group: str = ""

    @property
    def values(self) -> tuple[str, ...]:
        return () if self.value is None else (self.value,)

    @property
    def starts(self) -> str | None:
        """The quiz that this begins, if it does."""
        choice = tokens.read(self.token)
        return choice.bank or self.value if isinstance(choice, tokens.Start) else None


@dataclass(frozen=True, slots=True)
class Keys:
    """All keys of a message, in the order of its controls; `first` is what Enter presses."""

    all: tuple[Key, ...] = ()
    first: Key | None = None

    def of(self, *kinds: Kind) -> tuple[Key, ...]:
        return tuple(key for key in self.all if key.kind in kinds)

    @property
    def asks_for_quiz(self) -> bool:
        """Whether a quiz is to be chosen, so that its name may be typed too."""
        return any(key.starts is not None for key in self.all)

    def find(self, typed: str, options: Sequence[m.Option] = ()) -> Key | None:
        """By the key, else by the words of an option, a choice or a button."""
        wanted = fold(typed)
        keys = [key for key in self.all if key.kind != "link"]
        letters = {option.letter for option in options if fold(_words(option)) == wanted}
        by_key = [key for key in keys if fold(key.key) == wanted]
        by_words = [key for key in keys if key.key in letters or fold(key.label) == wanted]
        found = by_key or by_words
        return found[0] if len(found) == 1 else None


def keys_of(message: m.Message) -> Keys:
    """Answers by their letters, choices by numbers, all else by a letter of what it says."""
    controls = _once(message.controls)
    taken = {STOP, MORE, LANGUAGE, *_own_keys(controls)}
    # Made as they are asked for: some buttons are numbers themselves.
    numbers = (str(number) for number in count(1) if str(number) not in taken)
    found = [key for control in controls for key in _keys(control, taken, numbers)]
    primary = [c.token for c in controls if isinstance(c, m.Button) and c.style == "primary"]
    first = next((key for key in found if [key.token] == primary), None)
    return Keys(tuple(found), first)


def _keys(control: m.Control, taken: set[str], numbers: Iterator[str]) -> Iterator[Key]:
    match control:
        case m.Button(label, token, "answer", spoken):
            yield Key(label[:1], spoken or label, token, "answer")
        case m.Button(label, token) if _is_of_language(token):
            yield Key(LANGUAGE, label, token, "language")
        case m.Button(label, token):
            key = label if label.isdecimal() else _letter(label, taken) or next(numbers)
            taken.add(key)
            yield Key(key, label, token)
        case m.LinkButton(label, url):
            yield Key("", label, url, "link")
        case m.Select(token, placeholder, choices):
            for choice in choices:
                yield Key(next(numbers), choice.label, token, "choice", choice.value, placeholder)
        case _:
            assert_never(control)


def _own_keys(controls: Iterable[m.Control]) -> Iterator[str]:
    """The keys that labels are themselves."""
    for control in controls:
        if isinstance(control, m.Button):
            if control.style == "answer":
                yield fold(control.label[:1])
            elif control.label.isdecimal():
                yield control.label


def _letter(label: str, taken: set[str]) -> str | None:
    letters = (sign for sign in fold(label) if sign.isalpha())
    return next((letter for letter in letters if letter not in taken), None)


def _once(rows: Iterable[m.Row]) -> list[m.Control]:
    """Each control once: two ways to the languages are one."""
    controls: dict[str, m.Control] = {}
    for control in (control for row in rows for control in row):
        controls.setdefault(_end(control), control)
    return list(controls.values())


def _end(control: m.Control) -> str:
    return "language" if _is_of_language(_token(control)) else _token(control)


def _is_of_language(token: str) -> bool:
    return isinstance(tokens.read(token), tokens.PickLanguage | tokens.OwnLanguage)


def _token(control: m.Control) -> str:
    return control.url if isinstance(control, m.LinkButton) else control.token


def _words(option: m.Option) -> str:
    blocks = (b.text if isinstance(b, m.CodeBlock) else m.text_of(b.spans) for b in option.body)
    return "\n".join(blocks)
