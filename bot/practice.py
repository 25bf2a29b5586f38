"""Practice: a person alone is led from question to question of their round."""

from __future__ import annotations

from bot.engine import is_theirs
from bot.kept import Kept
from bot.outcomes import NothingToAsk, SoloDone, SoloOutcome, SoloQuestion, StaleButton
from bot.ports import Clock
from bot.readers import Here
from bot.reading import title_in
from bot.state import Round, Step
from bot.store import lookups, results, rounds
from bot.store.store import Store


class Practice:
    """Goes on where a person stopped, and ends when all is answered."""

    def __init__(self, store: Store, kept: Kept, clock: Clock) -> None:
        self._store = store
        self._kept = kept
        self._clock = clock

    async def next(self, round_id: int, here: Here) -> SoloOutcome:
        """The first question of a practice that has no answer; its summary when all have."""
        person = here.person
        round_ = await self._store.read(lambda c: lookups.find_round(c, round_id))
        if person is None or round_ is None or round_.mode != "solo" or not is_theirs(round_, here):
            return StaleButton()
        asked = await self._store.read(lambda c: lookups.steps_of(c, round_id))
        given = await self._store.read(lambda c: results.attempts_in_round(c, round_id, person.id))
        left = [step for step in asked if step.id not in given]
        if not left:
            await self._end(round_)
            return SoloDone(round_, tuple((step, given[step.id]) for step in asked))
        kept = await self._kept.all(here)
        waiting = [kept[step.question_id].closes_at for step in left if step.question_id in kept]
        left = [step for step in left if step.question_id not in kept]
        if not left:
            until = min((at for at in waiting if at is not None), default=None)
            return NothingToAsk(title_in(round_.title, here.reader().language), until)
        await self._open(left[0])
        return SoloQuestion(left[0], sum(1 for attempt in given.values() if attempt.is_right))

    async def _open(self, step: Step) -> None:
        if step.opened_at is not None:
            return
        now = self._clock.now()
        await self._store.write(
            lambda connection: rounds.open_step(
                connection, step.id, opened_at=now, opened_host_at=now, cutoff_at=None, date=None
            ),
            wakes=False,
        )

    async def _end(self, round_: Round) -> None:
        if round_.ended_at is None:
            now = self._clock.now()
            await self._store.write(
                lambda c: rounds.set_state(c, round_.id, "ended", at=now), wakes=False
            )
