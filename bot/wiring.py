"""The use cases, put together over one database: who is given what, and nothing else."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from bot.arranging import Arranging
from bot.asking import Asking
from bot.boarding import Boarding
from bot.dailies import Dailies
from bot.desk import Desk
from bot.dispatch import Dispatch
from bot.endings import Endings
from bot.engine import Engine
from bot.home import Home
from bot.keeping import Keeping
from bot.kept import Kept
from bot.leading import Leading
from bot.library import Library
from bot.live import LiveRounds
from bot.meeting import Meeting
from bot.membership import Membership
from bot.notices import Notices
from bot.open_play import OpenPlay
from bot.open_rounds import OpenRounds
from bot.organising import Organising
from bot.play import Play
from bot.ports import Clock, Surface
from bot.posts import Posts
from bot.practice import Practice
from bot.progress import Streaks
from bot.proposing import Proposing
from bot.readers import Readers
from bot.repairs import Repairs
from bot.scheduler import Scheduler
from bot.standing import StandingBoards
from bot.starting import Starting
from bot.store.store import Store
from bot.substitutes import Substitutes
from bot.telling import Telling
from bot.windows import Windows


@dataclass(frozen=True, slots=True)
class Parts:
    """What the use cases share.

    `prefixes` are what stands before a command's name where that is no slash alone, by platform;
    one that ends with a space is the only command there, with all others behind it.
    """

    store: Store
    library: Library
    surfaces: Mapping[str, Surface]
    clock: Clock
    chance: random.Random
    prefixes: Mapping[str, str]
    live: LiveRounds
    readers: Readers
    kept: Kept
    posts: Posts
    engine: Engine
    endings: Endings
    windows: Windows
    repairs: Repairs
    standing: StandingBoards
    streaks: Streaks
    organising: Organising
    telling: Telling
    desk: Desk
    home: Home


@dataclass(frozen=True, slots=True)
class UseCases:
    """All that there are, for the front door."""

    parts: Parts
    dispatch: Dispatch
    meeting: Meeting
    membership: Membership


def wire(
    store: Store,
    library: Library,
    surfaces: Mapping[str, Surface],
    clock: Clock,
    chance: random.Random,
    *,
    prefixes: Mapping[str, str] = MappingProxyType({}),
) -> UseCases:
    """The product over one database, on whatever surfaces there are: they may come later."""
    live = LiveRounds(chance, store.zone, Substitutes(library, chance))
    readers, kept = Readers(store, clock), Kept(store)
    notices = Notices(live, surfaces)
    open_rounds = OpenRounds(live, notices)
    windows = Windows(store, library, open_rounds, notices, surfaces, clock, chance)
    organising = Organising(store, library, readers, surfaces)
    desk, streaks = Desk(store, library, readers, kept), Streaks(store, library, readers, clock)
    parts = Parts(
        store, library, surfaces, clock, chance, prefixes, live, readers, kept,
        Posts(store, library, readers, surfaces, clock, prefixes),
        Engine(store, live, kept, clock),
        Endings(store, clock),
        windows,
        Repairs(open_rounds, clock),
        StandingBoards(live.nonce, notices, store.zone),
        streaks,
        organising,
        Telling(store, organising, windows, prefixes, clock),
        desk,
        Home(desk, streaks),
    )  # fmt: skip
    return UseCases(
        parts,
        _dispatch(parts),
        Meeting(store, readers, surfaces, prefixes, clock),
        Membership(store, readers, live, open_rounds, clock),
    )


def new_scheduler(parts: Parts, name: str, *, alone: bool) -> Scheduler:
    """What does the due work of a process."""
    scheduler = Scheduler(
        parts.store, parts.posts, parts.live, parts.windows, parts.standing,
        parts.surfaces, parts.clock, name=name, alone=alone,
    )  # fmt: skip
    parts.readers.after_uniting(scheduler.united)
    return scheduler


def _dispatch(parts: Parts) -> Dispatch:
    store, library, surfaces, clock = parts.store, parts.library, parts.surfaces, parts.clock
    practice = Practice(store, parts.kept, clock)
    starting = Starting(store, library, parts.live, practice, surfaces, clock, parts.chance)
    play = _play(parts, starting, practice)
    return Dispatch(
        play,
        Leading(store, parts.engine, parts.endings),
        parts.telling,
        parts.desk,
        Boarding(store, library, parts.live, clock),
        Keeping(store, library, parts.standing, clock),
        parts.streaks,
        _dailies(parts),
        Arranging(store, library, parts.readers, surfaces),
        Asking(play, starting, library, surfaces),
        parts.home,
        parts.engine,
        parts.endings,
        parts.readers,
        surfaces,
        parts.prefixes,
    )


def _play(parts: Parts, starting: Starting, practice: Practice) -> Play:
    store, library, engine, readers = parts.store, parts.library, parts.engine, parts.readers
    return Play(
        store, library, engine, starting, practice, parts.endings, parts.posts,
        OpenPlay(store, library, engine, parts.kept, readers, parts.clock),
        parts.kept, readers, parts.streaks, parts.surfaces,
    )  # fmt: skip


def _dailies(parts: Parts) -> Dailies:
    store, library, clock = parts.store, parts.library, parts.clock
    organising, readers = parts.organising, parts.readers
    proposing = Proposing(store, library, readers, organising, clock, parts.chance)
    return Dailies(store, organising, proposing, parts.windows, clock)
