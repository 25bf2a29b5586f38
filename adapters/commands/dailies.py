"""What `quizbot doctor` finds of the daily quizzes: where they post, and what they draw from."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from adapters.findings import Finding
from bot.ports import Access, Target
from bot.schedules import Schedule

if TYPE_CHECKING:
    from adapters.settings import Settings
    from bot.library import Library

Accesses = Callable[[Sequence[Target]], Awaitable[list[Access | None]]]


async def look_at_dailies(
    settings: Settings, platform: str, accesses: Accesses
) -> AsyncIterator[Finding]:
    """Those of one platform; the database is only read. Raises OutOfReach."""
    from bot.banks import load
    from bot.library import Library
    from bot.store.addresses import read_address
    from bot.store.inspection import read_schedules

    found = await read_schedules(read_address(settings.database_url), platform)
    if not found:
        return
    library = Library(load(settings.banks).banks)
    targets = [Target(one.place.community, one.place.place) for one in found]
    for schedule, access in zip(found, await accesses(targets), strict=True):
        faults = [*_of_channel(schedule, access), *_of_banks(schedule, library)]
        for finding in faults or [Finding("well", f"{_named(schedule)}: all is well")]:
            yield finding


def _of_channel(schedule: Schedule, access: Access | None) -> Iterator[Finding]:
    name = _named(schedule, "" if access is None else access.name)
    if access is None:
        mend = "choose another with /daily set, or remove it"
        yield Finding("fault", f"{name}: there is no such channel that quizbot sees", mend)
    elif access.archived:
        mend = "have it opened again, or choose another with /daily set"
        yield Finding("fault", f"{name}: the channel is archived", mend)
    elif access.outside:
        yield Finding("fault", f"{name}: quizbot is not in that channel", "invite it there")
    elif access.lacking:
        missing = ", ".join(access.lacking)
        mend = "allow it in the settings of the channel"
        yield Finding("fault", f"{name}: quizbot lacks {missing} there", mend)


def _of_banks(schedule: Schedule, library: Library) -> Iterator[Finding]:
    from bot.pool import pool_of

    pool, name = pool_of(library, schedule.plan.topics), _named(schedule)
    if pool.missing:
        gone = ", ".join(pool.missing)
        mend = "see QUIZBOT_BANKS, or choose others with /daily set"
        yield Finding("fault", f"{name}: there is no quiz {gone} with a question any more", mend)
    elif not pool.questions:
        yield Finding("fault", f"{name}: there is no question to ask", "see quizbot banks check")


def _named(schedule: Schedule, known_as: str = "") -> str:
    place, when = schedule.place, schedule.plan.recurrence
    name = known_as or place.name
    # Who runs quizbot may look for an id.
    channel = f"#{name}" if name else f"channel {place.place}"
    return f"daily quiz in {channel} at {when.at:%H:%M} ({when.zone.key})"
