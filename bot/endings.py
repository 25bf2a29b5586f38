"""Who is told why a quiz broke off: whoever asks for it, and once who began it."""

from __future__ import annotations

from bot.messages import Message, Reply
from bot.ports import Clock
from bot.readers import Here
from bot.state import Round
from bot.store import lookups, rounds
from bot.store.store import Store
from bot.wording import endings as ending_words
from bot.wording.endings import About


class Endings:
    """Adds the reason to replies. Nobody is written to who did not do something just now."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def broken_off_here(self, here: Here) -> Round | None:
        """The quiz that ran here last, if it could not go on."""
        where, community = here.where, here.place.community_id
        round_ = await self._store.read(
            lambda c: lookups.find_last_live_round(c, community, where.place, where.parent)
        )
        return None if round_ is None or round_.broken_off is None else round_

    async def told(
        self, message: Message, round_: Round | None, here: Here, *, about: About = "it"
    ) -> Message:
        """The message with why this round broke off, if it did."""
        if round_ is None or round_.broken_off is None:
            return message
        if here.person is not None and here.person.id == round_.starter:
            now = self._clock.now()
            await self._store.write(lambda c: rounds.set_told_why(c, round_.id, now), wakes=False)
        source = next(iter(round_.title))
        why, lacking = round_.broken_off, here.where.lacking
        reader = here.reader(source)
        return ending_words.with_why(message, round_, why, lacking, reader, about=about)

    async def told_starter(self, reply: Reply, here: Here) -> Reply:
        """The reply with why the quiz of this person broke off, unless they have been told."""
        if here.person is None or not isinstance(reply, Message):
            return reply
        community, person = here.place.community_id, here.person.id
        untold = await self._store.read(lambda c: lookups.find_untold(c, community, person))
        return await self.told(reply, untold, here, about="yours")
