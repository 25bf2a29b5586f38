"""What can come of an action, as values: an expected result is never an exception."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Practice = Literal["solo", "again", "late"]
"""Why an attempt does not count: played alone, not the first on this question, after the window."""


@dataclass(frozen=True, slots=True)
class PersonKey:
    """A platform account, as the platform names it."""

    platform: str
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer on its way into the store. `answer` is the chosen option keys, sorted."""

    step_id: int
    person: PersonKey
    answer: tuple[str, ...]
    language: str
    pressed_at: datetime
    received_at: datetime


@dataclass(frozen=True, slots=True)
class Attempt:
    """An answer as it was stored, with its mark under the key that it was marked by.

    Exactly one of `counts` and `practice` is set.
    """

    step_id: int
    player_id: int
    answer: tuple[str, ...]
    language: str
    pressed_at: datetime
    date: str
    counts: str | None
    practice: Practice | None
    is_right: bool
    points: int


@dataclass(frozen=True, slots=True)
class First:
    """The answer was stored, and is durable."""

    attempt: Attempt


@dataclass(frozen=True, slots=True)
class Again:
    """This player had answered this step; `attempt` is what stands.

    `same_press` says that it is the very press that made it, delivered again.
    """

    attempt: Attempt
    same_press: bool


@dataclass(frozen=True, slots=True)
class Late:
    """The step is closed, or the press came after its cut-off; nothing was stored."""

    closed_at: datetime


@dataclass(frozen=True, slots=True)
class NoStep:
    """There is no such step."""


Recorded = First | Again | Late | NoStep
