"""What a daily quiz has asked: pages of it for organisers, with the ways to where it stands."""

from __future__ import annotations

from datetime import date

from bot.markdown import spans_of
from bot.messages import Message, text_of
from bot.organising import Organising
from bot.readers import Here
from bot.reading import read_ask
from bot.schedules import PastOccurrence, Schedule
from bot.store import lookups, turnout
from bot.store.store import Store
from bot.wording import past_dailies as words
from bot.wording.past_dailies import PAST_ON_A_PAGE, PastView
from bot.wording.voice import plain

_LAST_FEW = 7
_LONGEST_STEM = 80
_LAST_PAGE = 10_000


class PastDailies:
    """Reads, and changes nothing."""

    def __init__(self, store: Store, organising: Organising) -> None:
        self._store = store
        self._organising = organising

    async def page(self, schedule: Schedule, page: int, here: Here) -> Message:
        """The newest first; the number of the page may be forged."""
        page = min(page, _LAST_PAGE)
        found = await self._store.read(
            lambda c: turnout.read_past_occurrences(
                c, schedule.id, skip=page * PAST_ON_A_PAGE, most=PAST_ON_A_PAGE + 1
            )
        )
        views = [await self._view(one, schedule, here) for one in found[:PAST_ON_A_PAGE]]
        pages = page + 1 + (len(found) > PAST_ON_A_PAGE)
        return words.past(schedule, views, page, pages, here.reader().voice)

    async def link_of(self, schedule: Schedule, day: date) -> str | None:
        """To where the quiz of a date stands that is not long ago."""
        found = await self._of(schedule, day)
        return self._organising.link(schedule.place, None if found is None else found.message)

    async def has_come(self, schedule: Schedule, day: date) -> bool:
        """Whether the quiz of a date that is not long ago was posted, or is about to be."""
        found = await self._of(schedule, day)
        return found is not None and found.occurrence.state in ("asked", "unknown")

    async def _of(self, schedule: Schedule, day: date) -> PastOccurrence | None:
        found = await self._store.read(
            lambda c: turnout.read_past_occurrences(c, schedule.id, most=_LAST_FEW)
        )
        return next((one for one in found if one.occurrence.date == day), None)

    async def _view(self, past: PastOccurrence, schedule: Schedule, here: Here) -> PastView:
        link = self._organising.link(schedule.place, past.message)
        round_id = past.occurrence.round_id
        if round_id is None:
            return PastView(past, link)
        steps = await self._store.read(lambda c: lookups.steps_of(c, round_id))
        if len(steps) != 1:
            return PastView(past, link, count=len(steps))
        ask = read_ask(steps[0].question, here.reader().language)
        stem = " ".join(text_of(spans_of(ask.text)).split())
        short = stem if len(stem) <= _LONGEST_STEM else f"{stem[: _LONGEST_STEM - 1]}…"
        return PastView(past, link, here.reader().voice.content(plain(short), ask.language), 1)
