"""The message of a daily quiz, composed from the state as it is now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.content import Language
from bot.library import Library
from bot.messages import Message
from bot.ports import Surface, Target
from bot.schedules import Occurrence, Schedule
from bot.state import Round, Step
from bot.store import lookups, occurrences, posted, results, schedules, still_asked, turnout
from bot.store.entries import Entry
from bot.wording import daily as words
from bot.wording.daily import Before, Daily
from bot.wording.daily_reveals import reveal
from bot.wording.voice import Voice


@dataclass(frozen=True, slots=True)
class DailyPosts:
    """Composes it; None where there is no such daily, or nothing to say of it any more."""

    library: Library
    surfaces: Mapping[str, Surface]

    async def entry(
        self, connection: AsyncConnection, entry: Entry, now: datetime
    ) -> Message | None:
        """Of a row of the outbox. Nothing where it is over before it ever stood there.

        Nor, until then, where it changes what nobody knows to stand.
        """
        round_ = await lookups.find_round(connection, entry.round_id or 0)
        if round_ is None:
            return None
        is_over = round_.ended_at is not None
        # What stands in a place is composed of its post's row too, for who comes later.
        never_stood = is_over and entry.message_id is None
        if never_stood if entry.op == "post" else not is_over and entry.standing is None:
            return None
        return await self.compose(connection, round_.id, now)

    async def compose(
        self, connection: AsyncConnection, round_id: int, now: datetime
    ) -> Message | None:
        round_ = await lookups.find_round(connection, round_id)
        occurrence = await occurrences.find_occurrence_of_round(connection, round_id)
        if round_ is None or occurrence is None:
            return None
        community = round_.place.community_id
        schedule = await schedules.find_schedule(connection, community, occurrence.schedule_id)
        if schedule is None:
            return None
        daily = await self._daily(connection, round_, occurrence, schedule, now)
        voice = Voice.of(round_.language, schedule.plan.recurrence.zone)
        if round_.ended_at is None:
            return words.post(daily, voice, now)
        tallies = {step.id: await results.tally_of(connection, step.id) for step in daily.steps[:1]}
        return reveal(daily, tallies, voice)

    async def _daily(
        self,
        connection: AsyncConnection,
        round_: Round,
        occurrence: Occurrence,
        schedule: Schedule,
        now: datetime,
    ) -> Daily:
        steps = await lookups.steps_of(connection, round_.id)
        banks = {step.bank: self.library.bank(step.bank) for step in steps}
        is_open = round_.ended_at is None
        return Daily(
            round=round_,
            steps=steps,
            banks={key: bank for key, bank in banks.items() if bank is not None},
            day=occurrence.date,
            languages=_languages(round_, schedule),
            went=await turnout.went(connection, round_.id),
            closes_at=round_.closes_at or now,
            is_extended=occurrence.extended_at is not None,
            again=occurrence.again,
            before=await self._before(connection, schedule, occurrence, now) if is_open else None,
            mention=schedule.plan.mention if is_open else None,
            kept=await _kept(connection, round_, steps, now),
        )

    async def _before(
        self,
        connection: AsyncConnection,
        schedule: Schedule,
        occurrence: Occurrence,
        now: datetime,
    ) -> Before | None:
        last = await occurrences.find_occurrence_before(connection, schedule.id, occurrence.date)
        if last is None or last.round_id is None:
            return None
        round_ = await lookups.find_round(connection, last.round_id)
        if round_ is None:
            return None
        steps = await lookups.steps_of(connection, round_.id)
        closes_at = round_.closes_at or now
        # What arrives from now on is too late, so that nothing is given away two seconds early.
        is_open = round_.ended_at is None and closes_at > now
        kept = await _kept(connection, round_, steps, now)
        shows_key = not is_open and len(steps) == 1 and steps[0].question_id not in kept
        return Before(
            day=last.date,
            went=await turnout.went(connection, round_.id),
            step=steps[0] if shows_key else None,
            open_until=closes_at if is_open else None,
            link=await self._link(connection, round_),
        )

    async def _link(self, connection: AsyncConnection, round_: Round) -> str | None:
        surface = self.surfaces.get(round_.place.platform)
        if surface is None or not surface.abilities.message_links:
            return None
        entry = await posted.find_entry_of_round(connection, round_.id)
        if entry is None or entry.message_id is None:
            return None
        return surface.link(Target(round_.place.community, round_.place.place), entry.message_id)


def _languages(round_: Round, schedule: Schedule) -> tuple[Language, ...]:
    """Those of the post, unless others were chosen since it came."""
    chosen = schedule.plan.languages
    return chosen if chosen[:1] == (round_.language,) else (round_.language,)


async def _kept(
    connection: AsyncConnection, round_: Round, steps: Sequence[Step], now: datetime
) -> dict[int, datetime | None]:
    """What another daily of the community still asks, by the ids of questions.

    One whose window ends with this one's does not keep its answer back.
    """
    asked = {step.question_id for step in steps}
    return await still_asked.read_until(connection, round_, asked, now)
