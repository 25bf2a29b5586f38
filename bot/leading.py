"""What who leads a live round may press: more time, on, and stop."""

from __future__ import annotations

from bot.endings import Endings
from bot.engine import Engine, leads
from bot.messages import Message
from bot.readers import Here
from bot.state import Round, Step
from bot.store import lookups
from bot.store.store import Store
from bot.wording import pieces, troubles, verdicts
from bot.wording import rounds as round_words


class Leading:
    """Replies to who leads; a practice is not led, whatever a button says."""

    def __init__(self, store: Store, engine: Engine, endings: Endings) -> None:
        self._store = store
        self._engine = engine
        self._endings = endings

    async def more_time(self, step_id: int, here: Here) -> Message:
        """For everybody, by anybody."""
        step = await self._step(step_id, here)
        if isinstance(step, Message):
            return step
        return round_words.more_time(here.reader().voice, done=await self._engine.more_time(step))

    async def next(self, step_id: int, here: Here) -> Message:
        """Close a question."""
        step = await self._step(step_id, here)
        if isinstance(step, Message):
            return step
        if not leads(step.round, here):
            return await self._not_yours(step.round, here)
        return round_words.gone_on(here.reader().voice, done=await self._engine.close(step))

    async def go_on(self, step_id: int, here: Here) -> Message:
        """End the pause after a question; where the quiz waits for somebody, anybody may."""
        step = await self._step(step_id, here)
        if isinstance(step, Message):
            return step
        if step.round.state != "paused" and not leads(step.round, here):
            return await self._not_yours(step.round, here)
        return round_words.gone_on(here.reader().voice, done=await self._engine.go_on(step))

    async def stop_here(self, here: Here) -> Message:
        """Stop what runs here."""
        round_, voice = await self._engine.live_round(here), here.reader().voice
        if round_ is None:
            said = pieces.said(voice, voice.say("No quiz is running here."))
            return await self._endings.told(said, await self._endings.broken_off_here(here), here)
        return await self._stop(round_, here)

    async def stop(self, round_id: int, here: Here) -> Message:
        """Stop the round of a button."""
        round_ = await self._engine.round(round_id, here)
        if round_ is None or round_.mode != "live":
            return verdicts.stale(here.reader())
        if round_.ended_at is not None:
            return await self._over(round_, here)
        return await self._stop(round_, here)

    # --- inside --------------------------------------------------------------------------

    async def _stop(self, round_: Round, here: Here) -> Message:
        if not leads(round_, here):
            return await self._not_yours(round_, here)
        await self._engine.stop(round_)
        voice = here.reader().voice
        return pieces.said(voice, voice.say("The quiz is over."))

    async def _step(self, step_id: int, here: Here) -> Step | Message:
        step = await self._engine.step(step_id, here)
        if step is None or step.round.mode != "live":
            return verdicts.stale(here.reader())
        if step.round.ended_at is not None:
            return await self._over(step.round, here)
        return step

    async def _over(self, round_: Round, here: Here) -> Message:
        return await self._endings.told(verdicts.over(round_, here.reader()), round_, here)

    async def _not_yours(self, round_: Round, here: Here) -> Message:
        starter = await self._store.read(lambda c: lookups.started_by(c, round_.id))
        return troubles.not_yours_to_lead(starter, here.reader().voice)
