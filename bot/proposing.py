"""Setting the daily quiz: what is entered step by step, looked at, and saved."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta
from itertools import islice

from sqlalchemy import Connection

from bot.calendar import closes_at, upcoming
from bot.calls import Submission
from bot.content import Language
from bot.daily_lines import read_line
from bot.days_off import days_off
from bot.entering import Entering
from bot.library import Found, Library
from bot.messages import Message, Reply
from bot.organising import Organising, is_here
from bot.pool import pool_of, title_of
from bot.ports import Clock
from bot.proposals import FIELD_NAMES, FIELDS, NONE, Entered, Part, Proposal, part_of
from bot.readers import Here, Readers
from bot.schedules import Plan, Schedule
from bot.state import Place
from bot.store import people
from bot.store import proposals as store
from bot.store import schedules as stored
from bot.store.store import Store
from bot.wording import dailies as said
from bot.wording import entering as faults
from bot.wording import proposal_forms as forms
from bot.wording import proposals as words
from bot.wording.proposals import A_NEW_ONE, View

_POSTS_SHOWN = 3
_HOLIDAYS_SHOWN = timedelta(days=183)
_LONGEST_ENTRY = 500


class Proposing:
    """Nothing of it does anything before it is saved; it is kept in the database until then."""

    def __init__(
        self,
        store: Store,
        library: Library,
        readers: Readers,
        organising: Organising,
        clock: Clock,
        chance: random.Random,
    ) -> None:
        self._store = store
        self._library = library
        self._readers = readers
        self._organising = organising
        self._clock = clock
        self._chance = chance
        self._entering = Entering(library, store.zone)

    async def begin(self, options: Mapping[str, str], here: Here) -> Message:
        """With what a command says, by option; `words` are typed ones."""
        refusal = self._organising.refusal(here)
        if refusal is not None:
            return refusal
        voice = here.reader().voice
        line = read_line(options.get("words", ""), voice, self._library.find)
        entered: dict[str, str] = {
            name: value[:_LONGEST_ENTRY]
            for name in FIELD_NAMES
            if (value := options.get(name, line.get(name, "")).strip())
        }
        place = await self._place_of(entered.get("channel"), here)
        others = await self._store.read(
            lambda c: stored.schedules_of(c, place.community_id, place_id=place.id)
        )
        only = others[0].id if len(others) == 1 else None
        proposal = await self._begin(entered, here, only)
        return await self._shown(proposal, here, asks=len(others) > 1, command=True)

    async def change(self, schedule: Schedule, here: Here) -> Message:
        """A schedule that there is, with the ways to change it."""
        proposal = await self._begin({}, here, schedule.id)
        return await self._shown(proposal, here)

    async def form(self, proposal_id: int, part: str, here: Here) -> Reply:
        """One form, with what stands in it now."""
        proposal = await self._find(proposal_id, here)
        known = next((one for one in self._parts(here) if one == part), None)
        if proposal is None or known is None:
            return self._gone(here)
        entered = self._read(proposal, await self._changed(proposal, here), here)
        entered = await self._checked(entered, here)
        return forms.form(
            proposal.id, known, proposal.entered, entered, self._typed(entered.plan, here),
            self._organising.abilities(here), here.reader().voice,
        )  # fmt: skip

    async def submit(
        self, proposal_id: int, part: str, submission: Submission, here: Here
    ) -> Reply:
        """Take what was entered in a form; with a mistake the form comes back."""
        proposal = await self._find(proposal_id, here)
        known = next((one for one in self._parts(here) if one == part), None)
        if proposal is None or known is None:
            return self._gone(here)
        given: dict[str, str] = {
            name: submission.values[name].strip()[:_LONGEST_ENTRY] or NONE
            for name in FIELDS[known]
            if name in submission.values
        }
        proposal = replace(proposal, entered={**proposal.entered, **given})
        await self._store.write(
            lambda c: store.enter(c, proposal.id, proposal.entered), wakes=False
        )
        entered = self._read(proposal, await self._changed(proposal, here), here)
        entered = await self._checked(entered, here)
        if any(name in entered.faults for name in FIELDS[known]):
            return await self.form(proposal_id, part, here)
        return await self._shown(proposal, here)

    async def choose(self, proposal_id: int, value: str, here: Here) -> Message:
        """Which schedule it changes, or that it is a new one."""
        proposal = await self._find(proposal_id, here)
        if proposal is None:
            return self._gone(here)
        schedule = None
        if value != A_NEW_ONE:
            schedule = await self._organising.one(_number(value), here)
            if schedule is None:
                return self._gone(here)
        chosen = None if schedule is None else schedule.id
        await self._store.write(lambda c: store.let_change(c, proposal_id, chosen), wakes=False)
        return await self._shown(replace(proposal, schedule=chosen), here)

    async def others(self, proposal_id: int, page: int, here: Here) -> Message:
        """A page of those that it may change."""
        proposal, voice = await self._find(proposal_id, here), here.reader().voice
        if proposal is None:
            return self._gone(here)
        view = await self._view(proposal, await self._changed(proposal, here), here)
        return words.which(proposal_id, view.others, page, voice)

    async def save(self, proposal_id: int, here: Here) -> Message:
        """From now on it asks at its hour."""
        proposal = await self._find(proposal_id, here)
        if proposal is None:
            return self._gone(here)
        changed = await self._changed(proposal, here)
        if proposal.schedule is not None and changed is None:
            return self._gone(here)
        view = await self._view(proposal, changed, here)
        if not view.may_be_saved:
            return words.summary(view, here.reader().voice)
        person = await self._readers.known_person(here.who)
        seed = f"{self._chance.getrandbits(64):016x}"
        plan, now = view.entered.plan, self._clock.now()

        def work(connection: Connection) -> Schedule | None:
            if not store.end_proposal(connection, proposal.id):
                return None
            if changed is not None:
                if changed.place.id != view.place.id:
                    stored.move_schedule(connection, changed.id, view.place)
                return stored.change_schedule(connection, changed.id, plan, now)
            # Two organisers may set the same at once; who asks for a second one gets it.
            same = stored.same_schedule(connection, view.place, plan, proposal.begun_at)
            return same or stored.insert_schedule(
                connection, view.place, plan, set_by=person.id, seed=seed, now=now
            )

        saved = await self._store.write(work)
        if saved is None:
            return self._gone(here)
        look = await self._organising.look(saved, here)
        return said.saved(look, here.reader().voice)

    # --- finding -------------------------------------------------------------------------

    async def _begin(self, entered: Mapping[str, str], here: Here, changed: int | None) -> Proposal:
        person, now = await self._readers.known_person(here.who), self._clock.now()
        return await self._store.write(
            lambda c: store.begin_proposal(
                c, here.place, person.id, entered, now, schedule_id=changed
            ),
            wakes=False,
        )

    async def _find(self, proposal_id: int, here: Here) -> Proposal | None:
        """One's own, if one may still organise."""
        person, community = here.person, here.place.community_id
        if person is None or self._organising.refusal(here) is not None:
            return None
        return await self._store.read(
            lambda c: store.find_proposal(c, proposal_id, community, person.id)
        )

    async def _changed(self, proposal: Proposal, here: Here) -> Schedule | None:
        if proposal.schedule is None:
            return None
        return await self._organising.one(proposal.schedule, here)

    # --- reading -------------------------------------------------------------------------

    def _read(self, proposal: Proposal, changed: Schedule | None, here: Here) -> Entered:
        abilities = self._organising.abilities(here)
        return self._entering.read(proposal.entered, changed, here, abilities)

    async def _checked(self, entered: Entered, here: Here) -> Entered:
        """With what the platform has against its channel, or the group that it mentions."""
        voice, found = here.reader().voice, dict(entered.faults)
        chosen = replace(here.place, place=entered.place)
        if fault := await self._place_fault(chosen, here):
            found["channel"] = fault
        group = entered.plan.mention
        if group is not None and await self._organising.group_name(chosen, group) is None:
            found["mention"] = faults.cannot_be_mentioned(voice)
        return replace(entered, faults=found)

    async def _place_fault(self, chosen: Place, here: Here) -> str:
        """Why it cannot be posted there. Where somebody acts, the bot is; but is anybody else?"""
        voice = here.reader().voice
        if not chosen.place:
            return faults.no_place_yet(voice)
        if not is_here(chosen, here) and not here.may_arrange:
            return faults.only_here(voice)
        access = await self._organising.access(chosen)
        if access is None and is_here(chosen, here):
            return ""
        return faults.of_place(access, voice)

    async def _shown(
        self, proposal: Proposal, here: Here, *, asks: bool = False, command: bool = False
    ) -> Message:
        """The summary; after a command, first what was wrong with it, or which one is meant."""
        changed, voice = await self._changed(proposal, here), here.reader().voice
        view = await self._view(proposal, changed, here)
        mistakes = (one for one in view.entered.faults.items() if one[0] in proposal.entered)
        fault = next(mistakes, None)
        if command and fault is not None:
            return words.mistake(proposal.id, part_of(fault[0]), fault[1], voice)
        if asks:
            return words.which(proposal.id, view.others, 0, voice)
        return words.summary(view, voice)

    async def _view(self, proposal: Proposal, changed: Schedule | None, here: Here) -> View:
        entered = await self._checked(self._read(proposal, changed, here), here)
        place = here.place
        if "channel" not in entered.faults:
            place = await self._place_of(entered.place, here)
        others = await self._store.read(
            lambda c: stored.schedules_of(c, place.community_id, place_id=place.id)
        )
        now, plan = self._clock.now(), entered.plan
        pool = pool_of(self._library, plan.topics)
        return View(
            id=proposal.id,
            entered=entered,
            changed=changed,
            place=place,
            access=await self._organising.access(place),
            now=now,
            upcoming=_upcoming(plan, changed, now),
            days_off=_days_off(plan, now, here.reader().voice.language),
            titles=pool.titles(here.reader().voice.language),
            questions=pool.questions,
            group_name=await self._organising.group_name(place, plan.mention) or "",
            others=self._organising.titled(
                others if changed is None or changed in others else (), here
            ),
            parts=self._parts(here),
        )

    async def _place_of(self, chosen: str | None, here: Here) -> Place:
        """A place of the community that the bot can see; for any other the one of the action."""
        chosen = chosen or here.where.parent or here.where.place
        if chosen == here.where.place:
            return here.place
        access = await self._organising.access(replace(here.place, place=chosen))
        if access is None:
            return here.place
        where, now = here.where, self._clock.now()
        other = replace(where, place=chosen, place_name=access.name, kind="channel", parent=None)
        return await self._store.write(lambda c: people.ensure_place(c, other, now), wakes=False)

    def _typed(self, plan: Plan, here: Here) -> str:
        """What is drawn from, as it may be typed again: by title, where that leads there."""
        names, language = [], here.reader().voice.language
        for found in pool_of(self._library, plan.topics).found:
            title = title_of(found, language)
            again = self._library.find(title)
            is_same = isinstance(again, Found) and again.id == found.id and "," not in title
            names.append(title if is_same else found.id)
        return ", ".join(names)

    def _parts(self, here: Here) -> tuple[Part, ...]:
        several = self._organising.abilities(here).several_places and here.may_arrange
        return tuple(part for part in FIELDS if part != "channel" or several)

    def _gone(self, here: Here) -> Message:
        return self._organising.refusal(here) or words.gone(here.reader().voice)


def _number(text: str) -> int:
    """The id in a select's value; 0, which nothing has, for any other text."""
    return int(text) if text.isdecimal() and len(text) <= 12 else 0


def _upcoming(
    plan: Plan, changed: Schedule | None, now: datetime
) -> tuple[tuple[datetime, datetime], ...]:
    """The next posts, each with its closing."""
    last = None if changed is None else changed.last_date
    skips = frozenset[date]() if changed is None else changed.skips
    found = list(islice(upcoming(plan.recurrence, now, last=last, skips=skips), _POSTS_SHOWN + 1))
    return tuple(
        (one.at, closes_at(one.at, plan.open_for, after))
        for one, after in zip(found, [*found[1:], None], strict=True)
    )[:_POSTS_SHOWN]


def _days_off(plan: Plan, now: datetime, language: Language) -> Mapping[date, str]:
    """The public holidays of the coming months on which it would have asked something."""
    country, recurrence = plan.recurrence.days_off, plan.recurrence
    if country is None:
        return {}
    today = now.astimezone(recurrence.zone).date()
    coming = days_off(country, today, today + _HOLIDAYS_SHOWN, language)
    return {day: name for day, name in coming.items() if day.isoweekday() in recurrence.weekdays}
