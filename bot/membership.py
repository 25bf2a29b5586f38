"""Where the bot is: the communities that it is added to, removed from, and in again."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection

from sqlalchemy import Connection

from bot.calls import Where
from bot.live import LiveRounds
from bot.open_rounds import OpenRounds
from bot.ports import Clock
from bot.readers import Readers
from bot.state import Place
from bot.store import membership, outbox, people
from bot.store.store import Store
from bot.wording.catalogues import SOURCE

_log = logging.getLogger(__name__)


class Membership:
    """Removal only marks: what is stored stays, for the day on which the bot is back."""

    def __init__(
        self,
        store: Store,
        readers: Readers,
        live: LiveRounds,
        dailies: OpenRounds,
        clock: Clock,
    ) -> None:
        self._store = store
        self._readers = readers
        self._live = live
        self._dailies = dailies
        self._clock = clock

    async def joined(self, where: Where) -> None:
        """Added, or there again; `where` is where it may greet."""
        place, now = await self._readers.place(where), self._clock.now()

        def work(connection: Connection) -> None:
            membership.mark_there(connection, place.community_id)
            if where.lacking or not people.set_welcomed(connection, place.community_id, now):
                return
            args = {"language": place.language or where.locale or SOURCE}
            nonce = self._live.nonce()
            outbox.enqueue(connection, "welcome", place, due_at=now, nonce=nonce, args=args)

        await self._store.write(work)
        self._readers.forget_places()

    async def left(self, where: Where) -> None:
        """Removed: what runs there ends."""
        place = await self._readers.place(where)
        await self._store.write(lambda c: self._end(c, place.community_id))
        self._readers.forget_places()

    async def moved(self, where: Where, to: str) -> None:
        """A place has another id: what runs and stands there, and what was set, stays with it."""
        await self._store.write(lambda c: membership.move_place(c, where, to))
        self._readers.forget_places()

    async def returned(self, place: Place) -> None:
        """Somebody there has just used it, so whatever was noted, it is there."""
        await self._store.write(lambda c: membership.mark_there(c, place.community_id), wakes=False)
        self._readers.forget_places()

    async def reconcile(
        self, platform: str, there: Collection[str], concerns: Callable[[str], bool]
    ) -> None:
        """Make up for what was missed: the bot is in the communities `there`, by their ids.

        Of others, those that this list `concerns` are taken to have removed it.
        """
        known = await self._store.read(lambda c: membership.known_communities(c, platform))
        gone = [
            one.id
            for one in known
            if not one.removed and concerns(one.external_id) and one.external_id not in there
        ]
        back = [one.id for one in known if one.removed and one.external_id in there]
        if not gone and not back:
            return

        def work(connection: Connection) -> None:
            for community_id in gone:
                self._end(connection, community_id)
            for community_id in back:
                membership.mark_there(connection, community_id)

        await self._store.write(work)
        self._readers.forget_places()
        _log.info("%s: removed from %d, back in %d", platform, len(gone), len(back))

    def _end(self, connection: Connection, community_id: int) -> None:
        now = self._clock.now()
        if membership.mark_removed(connection, community_id, now):
            self._live.abandon(connection, community_id, now)
            self._dailies.abandon(connection, community_id, now)
