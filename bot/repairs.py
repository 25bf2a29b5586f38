"""What stands in places once a key was repaired: answers that were shown, and boards."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import Connection

from bot.open_rounds import OpenRounds
from bot.ports import Clock
from bot.store import posted, rounds, standing

SHOWN_FOR = timedelta(days=8)
"""What was shown longer ago is not looked at any more, and stays: no message is edited for it."""


@dataclass(frozen=True, slots=True)
class Repairs:
    """Has messages say what is right by now, each inside the transaction that changed it."""

    dailies: OpenRounds
    clock: Clock

    def rekeyed(self, connection: Connection, question_ids: Collection[int]) -> None:
        """Other options of these are right than were before, whether or not anybody answered."""
        since = self.clock.now() - SHOWN_FOR
        for step_id in posted.shown_since(connection, question_ids, since):
            self.remarked(connection, step_id)

    def remarked(self, connection: Connection, step_id: int) -> None:
        """Answers to it are worth something else than before."""
        step, now = rounds.step_in(connection, step_id), self.clock.now()
        if step is None or step.round.mode == "solo":
            return
        place = step.round.place
        standing.mark_dirty(connection, {place.community_id}, {place.id}, now)
        if step.closed_at is None or now - step.closed_at > SHOWN_FOR:
            return
        if step.round.mode == "open":
            self.dailies.tell(connection, step.round, now)
        else:
            self.dailies.live.retell(connection, step, now)
