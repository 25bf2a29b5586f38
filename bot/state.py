"""A round and its steps as the database holds them: what rules and wording read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from bot.content import Language, Question

Mode = Literal["live", "open", "solo"]
RoundState = Literal["waiting", "asking", "reading", "paused", "ended"]


@dataclass(frozen=True, slots=True)
class Place:
    """One channel, thread or direct message, with what its community has set.

    `language` is the one that was chosen for public posts; `zone` an IANA name, or None for the
    instance's. `organisers` are ids of persons and groups, beside those of whom the platform says
    it; `start_places` the ids of the places where live rounds may begin, or none for anywhere.
    `brought_by` is who brought the bot into the place; whether such people and those who made a
    place organise what happens there is `leaders_organise`.
    `organisers_place` is the id of the place in which organisers are told things; None: who set
    what it is about is told, in a direct message.
    `removed`: the bot was taken out of the community, as far as is known.
    """

    id: int
    community_id: int
    platform: str
    community: str
    place: str
    name: str
    kind: str
    personal: bool
    zone: str | None
    language: Language | None
    names_shown: bool
    organisers: frozenset[str] = frozenset()
    starters: Literal["everyone", "organisers"] = "everyone"
    start_places: tuple[str, ...] = ()
    threads: bool = False
    brought_by: str | None = None
    leaders_organise: bool = True
    welcomed: bool = False
    organisers_place: str | None = None
    removed: bool = False


@dataclass(frozen=True, slots=True)
class Person:
    """A platform account with its own settings; `language` is None until chosen.

    `locale` is what the platform said last, for where it says nothing with an action.
    """

    id: int
    platform: str
    external_id: str
    name: str
    language: Language | None
    hidden: bool
    introduced: bool
    locale: Language | None = None


@dataclass(frozen=True, slots=True)
class BrokenOff:
    """Why a round could not go on: its question was refused, deleted, or something kept failing.

    `archived`: its place was closed, and can be opened again.

    `lacking` names the permissions that were missing, in the platform's words.
    """

    why: Literal["refused", "gone", "archived", "failed"]
    lacking: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Round:
    """One run of drawn questions. `topic` asks for it again; `title` is per language.

    `language` is that of the posts; of a practice the one that it was asked for in, or empty.
    `seconds` is None for a time by the length of each question, 0 for "until Next".
    `starter` is None when a schedule began it. Questions before `quiet_from` without an answer
    have had their pause.
    """

    id: int
    place: Place
    mode: Mode
    state: RoundState
    starter: int | None
    topic: str
    title: Mapping[Language, str]
    language: Language
    seconds: int | None
    speed: bool
    thread: bool
    length: int
    quiet_from: int
    ended_at: datetime | None
    broken_off: BrokenOff | None = None
    closes_at: datetime | None = None
    """When the window of an open round ends."""


@dataclass(frozen=True, slots=True)
class Step:
    """A question version in a round. `order` is the option keys as shown, A first.

    `question` is that version under today's key, if that fits it; `key_version` whose key it is.
    `opened_at` and `cutoff_at` are on the platform's clock; `opened_host_at` on the host's.
    """

    id: int
    round: Round
    position: int
    question_id: int
    version_id: int
    key_version: int
    question: Question
    bank: str
    order: tuple[str, ...]
    seconds: int | None
    opened_at: datetime | None
    opened_host_at: datetime | None
    cutoff_at: datetime | None
    more_time: bool
    closed_at: datetime | None
    message: str | None
    """The platform's id of the message that it stands in, once known."""

    def letter(self, key: str) -> str:
        """The letter under which an option is shown; A for the first."""
        return letter(self.order.index(key))

    @property
    def right_keys(self) -> tuple[str, ...]:
        """The right options, in shown order."""
        return tuple(key for key in self.order if key in self.question.correct)


@dataclass(frozen=True, slots=True)
class Tally:
    """How the answers to a step are spread: option key to count; `answered` counts people."""

    answered: int
    chosen: Mapping[str, int]
    right: int


@dataclass(frozen=True, slots=True)
class Standing:
    """What one player made of a round."""

    player_id: int
    name: str | None
    hidden: bool
    points: int
    right: int
    answered: int


Period = Literal["today", "week", "month", "season", "all"]


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A player on a board by name; `answered` of the board's `asked` questions."""

    player_id: int
    name: str
    answered: int


@dataclass(frozen=True, slots=True)
class BoardRank:
    """Everybody with these points; `more` share the rank and are not named.

    They hide their name, have none any more, or there was no more room.
    """

    rank: int
    points: int
    named: tuple[BoardLine, ...]
    more: int


@dataclass(frozen=True, slots=True)
class BoardPage:
    """`asked` counts questions that gave points; the next page is `below` these points, if any."""

    asked: int
    ranks: tuple[BoardRank, ...]
    below: int | None


@dataclass(frozen=True, slots=True)
class OwnRank:
    """Where one player stands on a board, whether named there or not."""

    rank: int
    points: int
    answered: int
    asked: int


@dataclass(frozen=True, slots=True)
class Share:
    """What a group made of a period together; who answered only for practice took no part."""

    players: int
    answered: int
    right: int


@dataclass(frozen=True, slots=True)
class TopicShare:
    """What one player made of one quiz, by its bank's key."""

    topic: str
    answered: int
    right: int


def letter(index: int) -> str:
    """A for 0, B for 1, and so on; a question has at most ten options."""
    return chr(ord("A") + index)
