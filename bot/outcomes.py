"""What can come of an action, as values: an expected result is never an exception."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from bot.calls import Where
from bot.commands import BadOption
from bot.content import Language
from bot.state import Round, Step

Practice = Literal["solo", "again", "late"]
"""Why an attempt does not count: played alone, not the first on this question, after the window."""


@dataclass(frozen=True, slots=True)
class PersonKey:
    """A platform account, as the platform names it; not `named`, by a handle for the time being."""

    platform: str
    id: str
    name: str
    named: bool = True


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer on its way into the store. `answer` is the chosen option keys, sorted."""

    step_id: int
    person: PersonKey
    answer: tuple[str, ...]
    language: str
    pressed_at: datetime
    received_at: datetime
    late: bool = False
    """It is practice on what had closed before it was pressed."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """An answer as it was stored, with its mark under the key that it was marked by.

    Exactly one of `counts` and `practice` is set; `marked_by` is the version whose key it was.
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
    marked_by: int


@dataclass(frozen=True, slots=True)
class First:
    """The answer was stored, and is durable.

    `also` are those that it made along with it, to dailies that have the same question open.
    """

    attempt: Attempt
    also: tuple[Attempt, ...] = ()


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


# --- what came of a press on an answer -------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Answered:
    """It was taken; also when the very same press is delivered again."""

    step: Step
    attempt: Attempt


@dataclass(frozen=True, slots=True)
class AlreadyAnswered:
    """Another press came first, and stands."""

    step: Step
    attempt: Attempt


@dataclass(frozen=True, slots=True)
class TooLate:
    """The question had closed, and the presser has no answer to it."""

    step: Step
    closed_at: datetime


@dataclass(frozen=True, slots=True)
class KeptBack:
    """A daily asks the same question until then: what is right is told nowhere else meanwhile."""

    step: Step
    until: datetime | None


@dataclass(frozen=True, slots=True)
class StaleButton:
    """A button that leads nowhere: forged, or foreign here."""


AnswerOutcome = Answered | AlreadyAnswered | TooLate | KeptBack | StaleButton

# --- what came of asking for a quiz ----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Started:
    """A live round; its first question is on its way to the place.

    `lacking` names the permissions for want of which its pictures are described.
    """

    round_id: int
    title: str
    lacking: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LiveAlready:
    """One live round in a place: this one runs. `link` leads to where it stands, if anything."""

    round: Round
    link: str | None


@dataclass(frozen=True, slots=True)
class UnknownTopic:
    """No quiz of that name; `suggestions` are bank ids with titles, the nearest first.

    `command` is one that is spelt alike, as it is typed.
    """

    topic: str
    suggestions: tuple[tuple[str, str], ...]
    command: str = ""


@dataclass(frozen=True, slots=True)
class NothingToAsk:
    """The topic is known, but holds no question that can be asked.

    `from_` is when that changes, where dailies are asking all that it has.
    """

    title: str
    from_: datetime | None = None


@dataclass(frozen=True, slots=True)
class UnknownLanguage:
    """A quiz was asked for in a language that there is not; `known` are those that there are."""

    typed: str
    known: tuple[Language, ...]


@dataclass(frozen=True, slots=True)
class CannotStart:
    """A live round is not possible for this person in this place; practice is.

    It is nobody's channel (`alone`), the bot is no member of the community (`absent`) or of the
    place (`outside`), which `where` tells, it lacks permissions (`lacking`, by their names), the
    group plays in other places (`elsewhere`), or organisers alone begin rounds (`organisers`).
    """

    topic: str
    why: Literal["alone", "absent", "outside", "lacking", "elsewhere", "organisers"]
    lacking: tuple[str, ...] = ()
    where: Where | None = None
    places: tuple[tuple[str, str], ...] = ()
    """Where the group plays: ids and names."""


@dataclass(frozen=True, slots=True)
class SoloQuestion:
    """The question at which a practice stands; `right` so far."""

    step: Step
    right: int


@dataclass(frozen=True, slots=True)
class SoloDone:
    """A practice that has ended: every step with what was answered."""

    round: Round
    answers: tuple[tuple[Step, Attempt], ...]


StartOutcome = (
    Started
    | LiveAlready
    | UnknownTopic
    | NothingToAsk
    | UnknownLanguage
    | CannotStart
    | SoloQuestion
    | SoloDone
    | BadOption
)

SoloOutcome = SoloQuestion | SoloDone | NothingToAsk | StaleButton
