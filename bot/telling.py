"""What organisers are told of daily quizzes in private, and what they decide about it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from bot.messages import Message, Reply
from bot.organising import Organising
from bot.ports import Clock
from bot.readers import Here
from bot.store import lookups, notices, occurrences
from bot.store.store import Store
from bot.windows import Windows
from bot.wording import lists as list_words
from bot.wording import notices as words
from bot.wording import verdicts
from bot.wording.names import CommandNames


class Telling:
    """Where nobody can be written to, what there is to tell stands under a private reply."""

    def __init__(
        self,
        store: Store,
        organising: Organising,
        windows: Windows,
        prefixes: Mapping[str, str],
        clock: Clock,
    ) -> None:
        self._store = store
        self._organising = organising
        self._windows = windows
        self._prefixes = prefixes
        self._clock = clock

    async def told(self, reply: Reply, here: Here) -> Reply:
        """The reply to an organiser, with what nobody could be told yet."""
        if not isinstance(reply, Message) or not here.is_organiser:
            return reply
        community = here.place.community_id
        voice, names = here.reader().voice, self._names(here)
        for one in await self._store.read(lambda c: notices.untold_notices(c, community)):
            set_told = partial(notices.set_told, notice_id=one.id, now=self._clock.now())
            if await self._store.write(set_told, wakes=False):
                said = words.notice({**one.args, "kind": one.kind}, voice, names)
                reply = list_words.below(reply, said)
        return reply

    async def post_again(self, round_id: int, here: Here) -> Message:
        """A daily of which nobody knows whether it stands in its place."""
        if not await self._may_decide(round_id, here):
            return verdicts.stale(here.reader())
        now = self._clock.now()
        done = await self._store.write(lambda c: self._windows.post_again(c, round_id, now))
        return words.posted_again(here.reader().voice, done=done)

    # --- inside --------------------------------------------------------------------------

    async def _may_decide(self, round_id: int, here: Here) -> bool:
        """Organisers there, and who set the schedule, who may have been told anywhere."""
        round_ = await self._store.read(lambda c: lookups.find_round(c, round_id))
        if round_ is None or round_.mode != "open":
            return False
        community = round_.place.community_id
        if community == here.place.community_id:
            return here.is_organiser
        found = await self._store.read(lambda c: occurrences.find_occurrence_of_round(c, round_id))
        if found is None:
            return False
        schedule = await self._organising.told_of(found.schedule_id, here)
        return schedule is not None and await self._organising.still_organises(schedule, here)

    def _names(self, here: Here) -> CommandNames:
        return CommandNames(self._prefixes.get(here.where.platform, "/"))
