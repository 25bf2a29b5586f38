"""What the engine asks of the world: time, and surfaces to post on."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from bot.calls import Who
from bot.messages import Message


class Clock(Protocol):
    """The host's time. Instants are aware, in UTC."""

    def now(self) -> datetime: ...

    async def wait(self, event: asyncio.Event, until: datetime | None) -> None:
        """Return when the event is set or the instant has come, whichever is first."""
        ...


@dataclass(frozen=True, slots=True)
class Abilities:
    """What a surface can do; the core reads this instead of asking which platform it is.

    `welcomes`: communities are joined, and greeted once. `several_places`: a community has more
    than one. `edits_per_second` is the budget for live counts of whom `budget_of` names. Within
    `resend_seconds` the same nonce is the same message, so that a post of unknown fate may be
    sent again. `ids` is a pattern that every id of a person, group or place has there.
    `localised_commands`: its clients show commands by their names in their own language.
    `asks_by_form`: who types the command for a quiz and nothing more gets a form. `place_leaders`:
    it tells who made a place, and who brought the bot there. `picks_groups`: a group that is to be
    mentioned is picked from those that there are; `audiences` are names of those that there always
    are (`here`). `direct`: it can write to one person, who need not be there.
    """

    silent: bool = False
    welcomes: bool = False
    threads: bool = False
    several_places: bool = False
    message_links: bool = False
    edits_per_second: float = 20.0
    budget_of: Literal["platform", "community"] = "platform"
    resend_seconds: float = 0.0
    ids: str = r"[^\s,]{1,64}"
    localised_commands: bool = False
    asks_by_form: bool = False
    place_leaders: bool = False
    picks_groups: bool = False
    audiences: tuple[str, ...] = ()
    direct: bool = False


@dataclass(frozen=True, slots=True)
class Target:
    """Where a post goes, by the platform's ids.

    `person` is whom a private delivery is for. `thread` is the message below which it stands in a
    thread, which the surface opens if there is none yet.
    """

    community: str
    place: str
    person: str | None = None
    thread: str | None = None


@dataclass(frozen=True, slots=True)
class Posted:
    """It stands there. `at` is the platform's own instant of the message."""

    message: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Refused:
    """It will never be taken: message, place or community is `gone`, or it is forbidden.

    `archived`: the place stands there to be read, until somebody opens it again. `reason` is for
    the log. `lacking` names the permissions that are missing, where that is it,
    in the words in which the platform's admins know them.
    """

    reason: str
    gone: bool = False
    lacking: tuple[str, ...] = ()
    archived: bool = False


@dataclass(frozen=True, slots=True)
class Later:
    """Nothing was posted; the platform asks to try again after this many seconds."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Failed:
    """Nothing was posted, and not because the platform asked to wait: it is tried a few times."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Unknown:
    """It may or may not have been posted."""


PostResult = Posted | Refused | Later | Failed | Unknown


@dataclass(frozen=True, slots=True)
class Access:
    """What posting in a place would take and is not there; nothing, where all is well.

    `lacking` names permissions as in `Refused`. `outside`: the bot is no member, and comes in by
    what somebody types as `invite`, if anybody can. `archived` as in `Refused`. `alone`: nobody
    but one person reads there. `name` is what the place is called now, as far as the platform
    tells.
    """

    lacking: tuple[str, ...] = ()
    outside: bool = False
    invite: str | None = None
    archived: bool = False
    alone: bool = False
    name: str = ""


class Surface(Protocol):
    """A platform as the scheduler sees it."""

    @property
    def platform(self) -> str: ...

    @property
    def abilities(self) -> Abilities: ...

    async def post(
        self, target: Target, message: Message, *, nonce: str, silent: bool
    ) -> PostResult:
        """Post publicly, or to `target.person`. The same nonce within `resend_seconds` is one."""
        ...

    async def edit(self, target: Target, posted: str, message: Message) -> PostResult:
        """Replace the message that was posted under this id.

        Where it was said anew instead, what is posted then is what is changed from now on.
        """
        ...

    def link(self, target: Target, posted: str) -> str | None:
        """The address of a posted message, where the platform has such."""
        ...

    async def pin(self, target: Target, posted: str, *, pinned: bool) -> bool:
        """Whether it is pinned now, or is no more; False where the bot may not do that.

        Nothing depends on it, so that the permission is not among those that are asked for.
        """
        ...

    async def access(self, target: Target) -> Access | None:
        """Whether the bot may post there, as far as is known; None: there is no such place.

        An id may come from a form that was forged: a place of another community is none.
        """
        ...

    async def member(self, target: Target) -> Who | None:
        """What the platform says of `target.person` in that place; None for who is not there.

        Asked where somebody acts in one place on what happens in another.
        """
        ...

    async def group_name(self, target: Target, group: str) -> str | None:
        """What a role or group is called that a post there can ring for; None where it cannot."""
        ...
