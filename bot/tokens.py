"""What is inside a button: a kind and ids, never what is right.

A token is `kind.value.value…`, at most 100 characters (the shortest limit of a platform); what a
value has beside letters, digits and a few signs is written as in an address (`%C3%A9`).
Clients can see and forge it, so reading one proves nothing but its shape.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any
from urllib.parse import unquote

LONGEST = 100
_OTHER = re.compile(r"[^A-Za-z0-9_:*+-]")
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Answer:
    step: int
    option: str


@dataclass(frozen=True, slots=True)
class OwnLanguage:
    """The question in the presser's own language; who has chosen none is asked first."""

    step: int


@dataclass(frozen=True, slots=True)
class PickLanguage:
    """The list of languages. `step` is the question to show afterwards, 0 for none."""

    step: int


@dataclass(frozen=True, slots=True)
class LanguagePage:
    """A further page of the list of languages, for the same question; 0 is the first."""

    step: int
    page: int


@dataclass(frozen=True, slots=True)
class SetLanguage:
    """A language from the list: in `language`, or where that is empty in the select's value."""

    step: int
    language: str


@dataclass(frozen=True, slots=True)
class More:
    step: int


@dataclass(frozen=True, slots=True)
class MoreTime:
    step: int


@dataclass(frozen=True, slots=True)
class Hint:
    step: int


@dataclass(frozen=True, slots=True)
class Explain:
    """One's own answer, the right one and why."""

    step: int


@dataclass(frozen=True, slots=True)
class Next:
    """Close the open question of a live round."""

    step: int


@dataclass(frozen=True, slots=True)
class GoOn:
    """End the pause after a question of a live round."""

    step: int


@dataclass(frozen=True, slots=True)
class Stop:
    round: int


@dataclass(frozen=True, slots=True)
class MyResult:
    round: int


@dataclass(frozen=True, slots=True)
class NextSolo:
    """The next question of one's own practice, or its summary after the last."""

    round: int


@dataclass(frozen=True, slots=True)
class Begin:
    """One's own way through a daily: its next question, or what came of them."""

    round: int


@dataclass(frozen=True, slots=True)
class Late:
    """What one left out of a daily that has closed, as practice."""

    round: int


@dataclass(frozen=True, slots=True)
class PostAgain:
    """Have a daily posted once more of which nobody knows whether it was."""

    round: int


@dataclass(frozen=True, slots=True)
class Start:
    """A quiz by its bank: `mode` is `live` or `solo`."""

    mode: str
    bank: str


@dataclass(frozen=True, slots=True)
class TryOne:
    """One question of any quiz, as practice."""


@dataclass(frozen=True, slots=True)
class AgainForMe:
    """The topic of a round once more, as practice."""

    round: int


@dataclass(frozen=True, slots=True)
class Board:
    """A board: `scope` is `place` or `community`, `period` as in the command.

    `below` are the points under which the page begins; 0 begins at the top.
    """

    scope: str
    period: str
    below: int


@dataclass(frozen=True, slots=True)
class ShowBoard:
    scope: str
    period: str


@dataclass(frozen=True, slots=True)
class BoardOf:
    """A board of one quiz, or of a time that is over; both as well.

    `topic` is a bank's id, empty for all; `day` any date of the period, empty for today.
    """

    scope: str
    period: str
    below: int
    topic: str
    day: str


@dataclass(frozen=True, slots=True)
class ShowBoardOf:
    scope: str
    period: str
    topic: str
    day: str


@dataclass(frozen=True, slots=True)
class KeepBoard:
    """Have this board stand in the channel, kept up to date."""

    scope: str
    period: str
    topic: str


@dataclass(frozen=True, slots=True)
class DropBoard:
    """The board that stands in the channel is kept up to date no more."""


@dataclass(frozen=True, slots=True)
class NewSeason:
    """A season begins today; `sure` is 1 once that was asked."""

    sure: int


@dataclass(frozen=True, slots=True)
class Progress:
    """How one does: points, streak, and the last days."""


@dataclass(frozen=True, slots=True)
class AwayOver:
    """Who was away is there again."""


@dataclass(frozen=True, slots=True)
class Quizzes:
    page: int


@dataclass(frozen=True, slots=True)
class Answers:
    page: int


@dataclass(frozen=True, slots=True)
class HideName:
    """`hidden` is 1 to hide, 0 to show again."""

    hidden: int


@dataclass(frozen=True, slots=True)
class WhatIsStored:
    pass


@dataclass(frozen=True, slots=True)
class Settings:
    pass


@dataclass(frozen=True, slots=True)
class SettingsForm:
    """Opens a form of the settings, and comes back with what was entered in it."""

    part: str


@dataclass(frozen=True, slots=True)
class SettingsAgain:
    """Opens a form of the settings once more, with what was typed into it."""

    part: str
    typed: str


@dataclass(frozen=True, slots=True)
class QuizForm:
    """Opens a form that asks for a quiz, and comes back with what was entered in it."""


@dataclass(frozen=True, slots=True)
class NewDaily:
    """Begins to set a daily quiz."""


@dataclass(frozen=True, slots=True)
class ProposalForm:
    """Opens a form of a daily quiz that is being set, and comes back with what was entered."""

    proposal: int
    part: str


@dataclass(frozen=True, slots=True)
class ProposalPage:
    """A page of the schedules of which a proposal may change one; 0 is the first."""

    proposal: int
    page: int


@dataclass(frozen=True, slots=True)
class ProposalFor:
    """Which schedule a proposal changes, or `new`, is the select's value."""

    proposal: int


@dataclass(frozen=True, slots=True)
class SaveProposal:
    proposal: int


@dataclass(frozen=True, slots=True)
class Dailies:
    """The daily quizzes that there are."""


@dataclass(frozen=True, slots=True)
class DailiesPage:
    """A further page of them; 0 is the first."""

    page: int


@dataclass(frozen=True, slots=True)
class Daily:
    """Something to do with a daily quiz: `do` is as in the command, or a page of it."""

    schedule: int
    do: str


@dataclass(frozen=True, slots=True)
class DailyPick:
    """What is to be done with the daily quiz that is the select's value; `dates` are ISO dates."""

    do: str
    dates: str


@dataclass(frozen=True, slots=True)
class DailyPickPage:
    """A further page of those of which one is picked for this; 0 is the first."""

    do: str
    dates: str
    page: int


@dataclass(frozen=True, slots=True)
class PastDailies:
    """A page of what a daily quiz has asked; 0 has the newest."""

    schedule: int
    page: int


@dataclass(frozen=True, slots=True)
class Home:
    """The page that a platform keeps for each person."""


Choice = (
    Answer
    | OwnLanguage
    | PickLanguage
    | LanguagePage
    | SetLanguage
    | More
    | MoreTime
    | Hint
    | Explain
    | Next
    | GoOn
    | Stop
    | MyResult
    | NextSolo
    | Begin
    | Late
    | PostAgain
    | Start
    | TryOne
    | AgainForMe
    | Board
    | ShowBoard
    | BoardOf
    | ShowBoardOf
    | KeepBoard
    | DropBoard
    | NewSeason
    | Progress
    | AwayOver
    | Quizzes
    | Answers
    | HideName
    | WhatIsStored
    | Settings
    | SettingsForm
    | SettingsAgain
    | QuizForm
    | NewDaily
    | ProposalForm
    | ProposalPage
    | ProposalFor
    | SaveProposal
    | Dailies
    | DailiesPage
    | Daily
    | DailyPick
    | DailyPickPage
    | PastDailies
    | Home
)

# The codes stand in messages that are already posted: one is never given to another kind.
_KINDS: dict[str, type[Choice]] = {
    "a": Answer,
    "l": OwnLanguage,
    "pl": PickLanguage,
    "lp": LanguagePage,
    "sl": SetLanguage,
    "m": More,
    "mt": MoreTime,
    "h": Hint,
    "e": Explain,
    "n": Next,
    "g": GoOn,
    "x": Stop,
    "mr": MyResult,
    "ns": NextSolo,
    "be": Begin,
    "la": Late,
    "pa": PostAgain,
    "st": Start,
    "t1": TryOne,
    "ag": AgainForMe,
    "b": Board,
    "sb": ShowBoard,
    "bo": BoardOf,
    "so": ShowBoardOf,
    "kb": KeepBoard,
    "db": DropBoard,
    "se": NewSeason,
    "pr": Progress,
    "ao": AwayOver,
    "q": Quizzes,
    "an": Answers,
    "hn": HideName,
    "ws": WhatIsStored,
    "s": Settings,
    "sf": SettingsForm,
    "sa": SettingsAgain,
    "qf": QuizForm,
    "nd": NewDaily,
    "pf": ProposalForm,
    "pg": ProposalPage,
    "pw": ProposalFor,
    "ps": SaveProposal,
    "dl": Dailies,
    "lg": DailiesPage,
    "dd": Daily,
    "dp": DailyPick,
    "dg": DailyPickPage,
    "dt": PastDailies,
    "ho": Home,
}
_CODES = {kind: code for code, kind in _KINDS.items()}


def write(choice: Choice) -> str:
    """The token of a button. Raises ValueError for a value that no token can carry."""
    values = [_write(getattr(choice, field.name)) for field in fields(choice)]
    token = ".".join([_CODES[type(choice)], *values])
    if len(token) > LONGEST:
        raise ValueError(f"a token of {len(token)} characters is longer than {LONGEST}")
    return token


def fits(choice: Choice) -> bool:
    """Whether a button can carry this: a topic in people's words may be too long."""
    try:
        write(choice)
    except ValueError:
        return False
    return True


def read(token: str) -> Choice | None:
    """What a button said, or None for a token that quizbot did not write."""
    return _choice(token) if len(token) <= LONGEST else None


# A question's buttons are pressed by many, and read more than once at each press.
@lru_cache(maxsize=4_096)
def _choice(token: str) -> Choice | None:
    code, *values = token.split(".")
    kind = _KINDS.get(code)
    if kind is None or len(values) != len(fields(kind)):
        return None
    read_values: list[Any] = [
        _read(value, field.type) for value, field in zip(values, fields(kind), strict=True)
    ]
    if any(value is None for value in read_values):
        return None
    return kind(*read_values)


def _write(value: object) -> str:
    return _to_base36(value) if isinstance(value, int) else _quoted(str(value))


def _read(text: str, kind: object) -> int | str | None:
    # Annotations are text in this module (see the __future__ import).
    return _from_base36(text) if kind == "int" else _unquoted(text)


def _quoted(text: str) -> str:
    return _OTHER.sub(lambda sign: "".join(f"%{byte:02X}" for byte in sign[0].encode()), text)


def _unquoted(text: str) -> str | None:
    """None for what `_quoted` would not have written."""
    try:
        value = unquote(text, errors="strict")
        return value if _quoted(value) == text else None
    except ValueError:
        return None


def _to_base36(number: int) -> str:
    if number < 0:
        raise ValueError("ids are never negative")
    text = ""
    while number >= 36:
        number, digit = divmod(number, 36)
        text = _DIGITS[digit] + text
    return _DIGITS[number] + text


def _from_base36(text: str) -> int | None:
    # Twelve digits hold every id of a database, and no text can make a number that does not fit.
    if not 1 <= len(text) <= 12 or any(sign not in _DIGITS for sign in text):
        return None
    return int(text, 36)
