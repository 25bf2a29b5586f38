"""Keeps the key of a daily that is open from being told anywhere else in its community."""

from __future__ import annotations

from collections.abc import Mapping

from bot.drawing import Key
from bot.readers import Here
from bot.schedules import OpenQuestion
from bot.state import Step
from bot.store import occurrences, results
from bot.store.store import Store


class Kept:
    """Who has answered it knows its key already, and is told it as ever."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def all(self, here: Here) -> Mapping[int, OpenQuestion]:
        """What this person must not be told yet, by the ids of questions."""
        community = here.place.community_id
        asked = await self._store.read(lambda c: occurrences.read_open_questions(c, community))
        if not asked:
            return {}
        kept = {one.question_id: one for one in asked}
        person = here.person
        if person is not None:
            steps = [one.step_id for one in asked]
            answered = await self._store.read(
                lambda c: results.answered_among(c, steps, community, person.id)
            )
            for one in asked:
                if one.step_id in answered:
                    kept.pop(one.question_id, None)
        return kept

    async def asked(self, community_id: int) -> frozenset[Key]:
        """The questions that the dailies of a community ask now."""
        found = await self._store.read(lambda c: occurrences.read_open_questions(c, community_id))
        return frozenset(one.key for one in found)

    async def of(self, step: Step, here: Here) -> OpenQuestion | None:
        """The daily that asks the question of another step, if this person has yet to answer it."""
        found = (await self.all(here)).get(step.question_id)
        return None if found is None or found.step_id == step.id else found
