"""What comes in from a platform, copied and not yet believed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal


@dataclass(frozen=True, slots=True)
class Who:
    """Who acts: a platform account and what the platform says of it at this moment.

    `id` is unique within the platform. `locale` is what the platform reports, if anything.
    `organiser` is the platform's word that this person may organise here; `groups` are the ids
    of their roles or user groups, and any other ids of theirs, as the settings may name them.
    `leads_place`: they made the place, and may organise what happens there alone. `zone` is the
    IANA name of where the platform says that their clock stands. `formerly` is what the platform
    may have called the same account before. `named`: the name is what people call them, and not
    a handle that stands for it until the platform has told.
    """

    platform: str
    id: str
    name: str
    locale: str | None = None
    organiser: bool = False
    groups: frozenset[str] = frozenset()
    leads_place: bool = False
    zone: str | None = None
    formerly: str | None = None
    named: bool = True


@dataclass(frozen=True, slots=True)
class Identity:
    """What a platform says of one person: that all these ids are theirs.

    `id` is the one under which they act now. Where the settings of a `community` name people
    otherwise than by these ids, `name` is how they do now, and `names` how they may have before.
    """

    platform: str
    id: str
    others: frozenset[str]
    community: str = ""
    name: str = ""
    names: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Where:
    """The place of an action and the community it belongs to, by the platform's ids.

    A `personal` community is one person's own (direct messages, user installs): solo only.
    `absent` says of what there the bot is no member, so that only who asks sees its replies;
    `invite` leads an admin to adding it. `outside`: it is in the community, but not in the place,
    and has to be brought there by who types `invite`, if anybody can.
    `locale` is what the platform reports for the community. `parent` is the place that a thread
    belongs to; `takes_threads`: one can be begun from a message there. `lacking` names the
    permissions, in the platform's words, that the bot would need to post here and has not,
    `lacking_in_threads` those that threads would take besides, and `lacking_for_pictures` those
    without which pictures are described.
    """

    platform: str
    community: str
    place: str
    community_name: str = ""
    place_name: str = ""
    kind: Literal["channel", "thread", "direct"] = "channel"
    personal: bool = False
    locale: str | None = None
    parent: str | None = None
    takes_threads: bool = True
    lacking: tuple[str, ...] = ()
    lacking_in_threads: tuple[str, ...] = ()
    lacking_for_pictures: tuple[str, ...] = ()
    absent: Literal["", "server", "conversation"] = ""
    invite: str | None = None
    outside: bool = False


@dataclass(frozen=True, slots=True)
class Command:
    """A command by its name in the table, with its options as the raw text that was given.

    The `id` of this and other calls is the platform's, the same when it delivers one call again.
    """

    who: Who
    where: Where
    name: str
    options: Mapping[str, str] = field(default_factory=dict)
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Typed:
    """A command as a line of text (`/quiz pipeline 5 fr`); the parser in `bot` reads it."""

    who: Who
    where: Where
    text: str
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Click:
    """A press on a button or a choice in a select.

    `made_at` is the platform's instant of the press, `received_at` the host's; the earlier of
    the two counts. `on_private` says that the pressed message was seen by the presser alone;
    `at_home` that it is the page which a platform keeps for each person.
    """

    who: Who
    where: Where
    token: str
    made_at: datetime
    received_at: datetime
    message: str | None = None
    on_private: bool = False
    values: tuple[str, ...] = ()
    id: str | None = None
    at_home: bool = False


@dataclass(frozen=True, slots=True)
class Submission:
    """A form that was filled in."""

    who: Who
    where: Where
    token: str
    values: Mapping[str, str] = field(default_factory=dict)
    id: str | None = None
    at_home: bool = False
