"""What who organises daily quizzes needs to know: what there is, and what is in its way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from bot.calls import Where
from bot.library import Library
from bot.messages import Message
from bot.pool import pool_of
from bot.ports import Abilities, Access, Surface, Target
from bot.readers import Here, Readers
from bot.schedules import Schedule
from bot.state import Place
from bot.store import schedules
from bot.store.store import Store
from bot.wording import dailies as words
from bot.wording import entering, plans
from bot.wording.dailies import Look


class Organising:
    """Looks, and changes nothing. What somebody may not organise is not there for them."""

    def __init__(
        self, store: Store, library: Library, readers: Readers, surfaces: Mapping[str, Surface]
    ) -> None:
        self._store = store
        self._library = library
        self._readers = readers
        self._surfaces = surfaces

    def refusal(self, here: Here) -> Message | None:
        """Why this person organises no daily quiz here, if that is so."""
        voice = here.reader().voice
        if here.where.personal:
            posts = here.where.platform in self._surfaces
            return words.no_group(here.where, voice, posts=posts)
        return None if here.is_organiser else words.organisers_only(voice)

    def abilities(self, here: Here) -> Abilities:
        surface = self._surfaces.get(here.where.platform)
        return Abilities() if surface is None else surface.abilities

    async def all(self, here: Here) -> list[Schedule]:
        """Those that this person organises, those of this place first."""
        community = here.place.community_id
        found = await self._store.read(lambda c: schedules.schedules_of(c, community))
        known = [schedule for schedule in found if _organises(schedule, here)]
        return sorted(known, key=lambda one: not is_here(one.place, here))

    async def one(self, schedule_id: int, here: Here) -> Schedule | None:
        community = here.place.community_id
        found = await self._store.read(lambda c: schedules.find_schedule(c, community, schedule_id))
        if found is None or found.removed or not _organises(found, here):
            return None
        return found

    async def told_of(self, schedule_id: int, here: Here) -> Schedule | None:
        """One that this person has set, of which they may have been told in a direct message."""
        person = here.person
        if here.where.kind != "direct" or person is None:
            return None
        found = await self._store.read(
            lambda c: schedules.find_own_schedule(c, schedule_id, person.id)
        )
        return None if found is None or found.removed else found

    async def still_organises(self, schedule: Schedule, here: Here) -> bool:
        """Whether who acts elsewhere organises it at this moment: they did when they set it."""
        place, surface = schedule.place, self._surfaces.get(schedule.place.platform)
        if surface is None or place.platform != here.where.platform:
            return False
        who = await surface.member(Target(place.community, place.place, person=here.who.id))
        if who is None:
            return False
        where = Where(place.platform, place.community, place.place)
        return _organises(schedule, await self._readers.here(who, where))

    async def look(self, schedule: Schedule, here: Here) -> Look:
        """With what it draws from, and what is in its way."""
        voice = here.reader().voice
        pool = pool_of(self._library, schedule.plan.topics)
        access = await self.access(schedule.place)
        place = called(schedule.place, access)
        return Look(
            replace(schedule, place=place),
            pool.titles(voice.language),
            pool.missing,
            entering.hindered(access, plans.channel(place, voice), voice),
            empty=not pool.questions,
            is_alone=len(await self.all(here)) == 1,
        )

    def titled(self, found: Iterable[Schedule], here: Here) -> list[Look]:
        """With what they draw from, by which they are told apart; no platform is asked."""
        language = here.reader().voice.language
        return [
            Look(one, pool_of(self._library, one.plan.topics).titles(language)) for one in found
        ]

    async def access(self, place: Place) -> Access | None:
        """None where the community has no such place that the bot can see."""
        surface = self._surfaces.get(place.platform)
        if surface is None:
            return Access()
        return await surface.access(Target(place.community, place.place))

    async def group_name(self, place: Place, group: str | None) -> str | None:
        """Of what a post there can ring for; None where it cannot."""
        surface = self._surfaces.get(place.platform)
        if surface is None or group is None:
            return None
        return await surface.group_name(Target(place.community, place.place), group)

    def link(self, place: Place, message: str | None) -> str | None:
        """To a message that stands there, where the platform has such."""
        surface = self._surfaces.get(place.platform)
        if surface is None or message is None or not surface.abilities.message_links:
            return None
        return surface.link(Target(place.community, place.place), message)


def called(place: Place, access: Access | None) -> Place:
    """By the name that it has now, where that is told."""
    return place if access is None or not access.name else replace(place, name=access.name)


def is_here(place: Place, here: Here) -> bool:
    """Whether it is the place of an action, or the one that its thread belongs to."""
    return place.place in (here.where.place, here.where.parent)


def _organises(schedule: Schedule, here: Here) -> bool:
    return here.may_arrange or (here.is_organiser and is_here(schedule.place, here))
