"""What is added to a reply because of who reads it: said once, to whom it concerns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bot.messages import Form, Message, Reply, buttons_of
from bot.ports import Clock, Surface
from bot.readers import Here, Readers
from bot.store import people
from bot.store.store import Store
from bot.wording import lists as list_words
from bot.wording import starting as starting_words
from bot.wording.names import CommandNames


class Meeting:
    """People and communities that the bot meets for the first time."""

    def __init__(
        self,
        store: Store,
        readers: Readers,
        surfaces: Mapping[str, Surface],
        prefixes: Mapping[str, str],
        clock: Clock,
    ) -> None:
        self._store = store
        self._readers = readers
        self._surfaces = surfaces
        self._prefixes = prefixes
        self._clock = clock

    async def introduced(self, reply: Reply, here: Here) -> Reply:
        """The first private reply to a person says who sees what; an organiser is welcomed."""
        if isinstance(reply, Form):
            return reply
        if here.where.absent:
            return await self._told_of_absence(reply, here)
        if here.where.personal:
            return reply
        reply = await self.welcomed(reply, here)
        if here.person is not None and here.person.introduced:
            return reply
        if not await self._readers.introduce(here.who):
            return reply
        return list_words.introduced(reply, here.reader().voice)

    async def welcomed(self, reply: Message, here: Here) -> Message:
        """Where nothing could be posted at the beginning, the first organiser is told."""
        surface = self._surfaces.get(here.where.platform)
        if surface is None or not surface.abilities.welcomes or here.place.welcomed:
            return reply
        if not here.may_arrange or not await self._is_first(here):
            return reply
        names = CommandNames(self._prefixes.get(here.where.platform, "/"))
        said = list_words.welcome(here.reader().voice, names)
        if any(button.style == "primary" for button in buttons_of(reply)):
            # They are about to do something: its buttons are the ones that they look for.
            return list_words.noted(reply, replace(said, controls=()))
        return list_words.below(reply, said)

    async def _told_of_absence(self, reply: Message, here: Here) -> Message:
        """Once, who asks where the bot is no member is told why they play alone."""
        if here.place.welcomed or not await self._is_first(here):
            return reply
        said = starting_words.absent(here.where, here.reader().voice)
        return reply if said.blocks[0] in reply.blocks else list_words.noted(reply, said)

    async def _is_first(self, here: Here) -> bool:
        """Whether this is what a community is told at the beginning; from now on it has been."""
        community, now = here.place.community_id, self._clock.now()
        is_first = await self._store.write(lambda c: people.set_welcomed(c, community, now))
        if is_first:
            self._readers.forget_places()
        return is_first
