"""Who reads, where, and in which language: people and places, remembered for a moment."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar
from zoneinfo import ZoneInfo

from bot.calls import Identity, Where, Who
from bot.content import Language
from bot.ports import Clock
from bot.sharing import Shared
from bot.state import Person, Place
from bot.store import people, uniting
from bot.store.store import Store
from bot.wording.catalogues import SOURCE
from bot.wording.pieces import Reader
from bot.wording.voice import Voice

Key = TypeVar("Key")
Value = TypeVar("Value")
Found = TypeVar("Found")

# Another process may change a setting; nobody waits longer than this to see it here too.
_KEPT = timedelta(seconds=30)
_MOST = 10_000


@dataclass(frozen=True, slots=True)
class Here:
    """One action's surroundings: who, where, and how to speak to them.

    `call` is the platform's id of the action, if it has one.
    """

    who: Who
    where: Where
    place: Place
    person: Person | None
    zone: ZoneInfo
    call: str | None = None

    def reader(self, source: Language = SOURCE) -> Reader:
        """Their own setting, else what the platform reports, the place's, the content's source."""
        language = (
            (self.person.language if self.person else None)
            or self.who.locale
            or (self.person.locale if self.person else None)
            or self.place.language
            or source
        )
        return Reader(language, Voice.of(language, self.zone))

    def with_person(self, person: Person) -> Here:
        return replace(self, person=person)

    @property
    def is_organiser(self) -> bool:
        """Of what happens in this place: also who made it, or brought the bot there."""
        if self.may_arrange:
            return True
        brought = self.place.brought_by in (self.who.id, self.who.formerly or self.who.id)
        leads = self.who.leads_place or brought
        return leads and self.place.leaders_organise

    @property
    def may_arrange(self) -> bool:
        """Of the whole community: by the platform's word, or named in the settings."""
        named = {self.who.id, *self.who.groups} & self.place.organisers
        return self.who.organiser or bool(named)

    @property
    def language_is_chosen(self) -> bool:
        return self.person is not None and self.person.language is not None


class Readers:
    """Finds people and places by what a platform calls them."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._people: _Recent[tuple[str, str], Person] = _Recent()
        self._places: _Recent[tuple[str, str, str], Place] = _Recent()
        self._after_uniting: list[Callable[[Mapping[int, int]], None]] = []

    def after_uniting(self, listener: Callable[[Mapping[int, int]], None]) -> None:
        """Call it with the players that are another's from now on, and whose."""
        self._after_uniting.append(listener)

    async def here(self, who: Who, where: Where, call: str | None = None) -> Here:
        place = await self.place(where)
        return Here(who, where, place, await self.person(who), self.zone_of(place), call)

    def zone_of(self, place: Place) -> ZoneInfo:
        return self._store.zone if place.zone is None else ZoneInfo(place.zone)

    async def place(self, where: Where) -> Place:
        """The place, made where it is new, and called what it is called now."""
        now = self._clock.now()
        key = (where.platform, where.community, where.place)
        return await self._places.get(
            key, now, lambda: self._find_place(where, now), lambda place: _is_named(place, where)
        )

    async def person(self, who: Who) -> Person | None:
        """The person, if they ever did anything that is kept."""
        return await self._people.get(
            (who.platform, who.id),
            self._clock.now(),
            lambda: self._find_person(who),
        )

    async def known_person(self, who: Who) -> Person:
        """The person, made where they are new."""
        now = self._clock.now()
        found = await self.person(who)
        if found is None:
            found = await self._store.write(
                lambda connection: people.ensure_person(connection, who, now), wakes=False
            )
            self._people.put((who.platform, who.id), found, now)
        return found

    async def learnt(self, who: Who) -> None:
        """Keep name and locale fresh of somebody who did something; nothing of who did not."""
        person, now = await self.person(who), self._clock.now()
        if person is not None and who.named and who.name and person.name != who.name:
            person = await self._store.write(lambda c: people.ensure_person(c, who, now))
            self._changed(who, person)
        if person is not None and who.locale and person.locale != who.locale:
            id, locale = person.id, who.locale
            await self._store.write(lambda c: people.set_locale(c, id, locale), wakes=False)
            self._changed(who, replace(person, locale=locale))

    async def unite(self, identity: Identity) -> None:
        """Several ids are one person's: so is what was done under any of them."""
        if not await self._store.read(lambda c: uniting.is_to_unite(c, identity)):
            return
        await self._unite(identity)
        for id in (identity.id, *identity.others):
            self._people.forget((identity.platform, id))
        # Settings name people too.
        self.forget_places()

    async def _unite(self, identity: Identity) -> Person | None:
        now = self._clock.now()
        united = await self._store.write(lambda c: uniting.unite(c, identity, now))
        if united is None:
            return None
        for listener in self._after_uniting:
            listener(united.players)
        return united.person

    async def set_language(self, who: Who, language: Language) -> Person:
        person = await self.known_person(who)
        await self._store.write(lambda c: people.set_language(c, person.id, language), wakes=False)
        return self._changed(who, replace(person, language=language))

    async def set_hidden(self, who: Who, *, hidden: bool) -> Person:
        person = await self.known_person(who)
        await self._store.write(lambda c: people.set_hidden(c, person.id, hidden), wakes=False)
        return self._changed(who, replace(person, hidden=hidden))

    async def introduce(self, who: Who) -> bool:
        """Whether this person has yet to be told who sees what; from now on they have been."""
        person = await self.known_person(who)
        if person.introduced:
            return False
        now = self._clock.now()
        first = await self._store.write(
            lambda c: people.set_introduced(c, person.id, now), wakes=False
        )
        self._changed(who, replace(person, introduced=True))
        return first

    def forget_places(self) -> None:
        """The settings of a community have changed."""
        self._places.clear()

    async def _find_place(self, where: Where, now: datetime) -> Place:
        found = await self._store.read(lambda c: people.find_place(c, where))
        if found is not None and _is_named(found, where):
            return found
        return await self._store.write(lambda c: people.ensure_place(c, where, now), wakes=False)

    async def _find_person(self, who: Who) -> Person | None:
        found = await self._store.read(lambda c: people.find_person(c, who.platform, who.id))
        before = who.formerly
        if found is not None or before is None:
            return found
        known = await self._store.read(lambda c: people.find_person(c, who.platform, before))
        if known is None:
            return None
        return await self._unite(Identity(who.platform, who.id, frozenset({before})))

    def _changed(self, who: Who, person: Person) -> Person:
        self._people.put((who.platform, who.id), person, self._clock.now())
        return person


class _Recent(Generic[Key, Value]):
    """The last values that were looked up, each for a while; one look-up at a time for each.

    Whoever asks after a value was put or all was forgotten is told of nothing from before.
    """

    def __init__(self) -> None:
        self._values: OrderedDict[Key, tuple[datetime, Value]] = OrderedDict()
        self._finding: Shared[Key, Any] = Shared()

    async def get(
        self,
        key: Key,
        now: datetime,
        find: Callable[[], Coroutine[Any, Any, Found]],
        is_right: Callable[[Value], bool] = lambda _: True,
    ) -> Value | Found:
        """The value that was kept, if it `is_right`; else what is found, kept if it is one."""
        kept = self._values.get(key)
        if kept is not None and now - kept[0] < _KEPT and is_right(kept[1]):
            return kept[1]
        found: Found = await self._finding.get(key, find, lambda value: self._keep(key, value, now))
        return found

    def put(self, key: Key, value: Value, now: datetime) -> None:
        self._finding.forget(key)
        self._keep(key, value, now)

    def forget(self, key: Key) -> None:
        self._finding.forget(key)
        self._values.pop(key, None)

    def clear(self) -> None:
        self._finding.clear()
        self._values.clear()

    def _keep(self, key: Key, value: Value | None, now: datetime) -> None:
        if value is None:
            return
        self._values[key] = (now, value)
        self._values.move_to_end(key)
        if len(self._values) > _MOST:
            self._values.popitem(last=False)


def _is_named(place: Place, where: Where) -> bool:
    return not where.place_name or where.place_name == place.name
