"""What a live round asks in the stead of a question that a daily has taken meanwhile."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from bot import rules
from bot.content import Bank, Question
from bot.library import Found, Library
from bot.state import Round, Step
from bot.store import occurrences, rounds, running
from bot.store.rounds import NewStep
from bot.store.versions import ensure_versions


@dataclass(frozen=True, slots=True)
class Substitutes:
    """Found among what the round was drawn from."""

    library: Library
    chance: random.Random

    def following(self, connection: Connection, step: Step, now: datetime) -> Step | None:
        """The question after a step that no daily of its community asks.

        One that a daily asks gives its turn to another, and where none is left it is left out.
        None where nothing follows.
        """
        community = step.round.place.community_id
        while True:
            coming = rounds.step_at(connection, step.round.id, step.position + 1)
            if coming is None:
                return None
            taken = occurrences.open_keys(connection, community)
            known = running.keys_of(connection, step.round.id)
            if known[coming.id] not in taken:
                return coming
            another = self._another(step.round, taken | set(known.values()))
            if another is None:
                running.leave_out(connection, coming)
            else:
                new = self._new_step(connection, step.round, another, now)
                running.replace_step(connection, coming.id, new)

    def _another(self, round_: Round, but: set[tuple[str, str]]) -> tuple[Bank, Question] | None:
        found = self.library.find(round_.topic)
        if not isinstance(found, Found):
            return None
        left = [pair for pair in found.questions if (pair[0].key, pair[1].id) not in but]
        return self.chance.choice(left) if left else None

    def _new_step(
        self, connection: Connection, round_: Round, pair: tuple[Bank, Question], now: datetime
    ) -> NewStep:
        [version] = ensure_versions(connection, [pair], now)
        question = pair[1]
        return NewStep(
            version, rules.shuffle(question, self.chance), rules.time_for(question, round_.seconds)
        )
