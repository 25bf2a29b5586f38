"""The use cases of play: load, let the rules decide, save. Every outcome is a value."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar, assert_never

from sqlalchemy import Connection

from bot.calls import Click
from bot.content import Language
from bot.kept import Kept
from bot.live import LiveRounds
from bot.outcomes import (
    Again,
    AlreadyAnswered,
    Answered,
    AnswerOutcome,
    Attempt,
    Draft,
    First,
    KeptBack,
    Late,
    NoStep,
    PersonKey,
    Recorded,
    StaleButton,
    TooLate,
)
from bot.ports import Clock
from bot.readers import Here
from bot.reading import read_ask
from bot.sharing import Shared
from bot.state import Round, Step
from bot.store import lookups, outbox, posted, results, rounds
from bot.store.store import Store
from bot.tokens import Answer
from bot.wording.pieces import Reader
from bot.wording.voice import Voice

Value = TypeVar("Value")

_STEPS_KEPT = 2_000


class Engine:
    """Plays rounds. Holds nothing that the database could not tell again."""

    def __init__(self, store: Store, live: LiveRounds, kept: Kept, clock: Clock) -> None:
        self._store = store
        self._kept = kept
        self._live = live
        self._clock = clock
        self._opened: OrderedDict[int, Step] = OrderedDict()
        self._reading: Shared[int, Step | None] = Shared()

    # --- answering -----------------------------------------------------------------------

    async def answer(self, click: Click, choice: Answer, here: Here) -> AnswerOutcome:
        """Take an answer; it is durable when this returns `Answered`."""
        step = await self._pressed_step(choice.step)
        if step is None or not is_theirs(step.round, here):
            return StaleButton()
        if choice.option not in step.order:
            return StaleButton()
        if step.opened_at is None and not await self._may_be_standing(step):
            return StaleButton()
        if step.round.mode == "solo" and (kept := await self._kept.of(step, here)) is not None:
            return KeptBack(step, kept.closes_at)
        recorded = await self._store.record(self.draft(click, choice.option, step, here))
        step = await self._as_marked(step, recorded)
        match recorded:
            case First(attempt):
                return Answered(step, attempt)
            case Again(attempt, same_press):
                return Answered(step, attempt) if same_press else AlreadyAnswered(step, attempt)
            case Late(closed_at):
                kept = await self._kept.of(step, here) if step.round.mode == "live" else None
                return TooLate(step, closed_at) if kept is None else KeptBack(step, kept.closes_at)
            case NoStep():
                return StaleButton()
            case _:
                assert_never(recorded)

    async def learn_message(self, step_id: int, click: Click, here: Here) -> None:
        """Any press on a post whose fate was unknown tells where it stands."""
        message = click.message
        if message is None or click.on_private:
            return
        step = await self._pressed_step(step_id)
        if step is None or step.message or not is_theirs(step.round, here):
            return
        round_id = step.round.id
        if step.round.mode == "live":
            await self._store.write(lambda c: outbox.learn_message(c, step_id, message))
        elif step.round.mode == "open" and step.round.length == 1:
            await self._store.write(lambda c: posted.learn_daily(c, round_id, message))

    async def learn_daily(self, round_id: int, click: Click, here: Here) -> None:
        """The same of a press on a card."""
        message = click.message
        if message is None or click.on_private:
            return
        entry = await self._store.read(lambda c: posted.find_entry_of_round(c, round_id))
        if entry is None or entry.message_id is not None or entry.place.id != here.place.id:
            return
        await self._store.write(lambda c: posted.learn_daily(c, round_id, message))

    def draft(
        self, click: Click, option: str, step: Step, here: Here, *, late: bool = False
    ) -> Draft:
        """An answer to a step, as it is stored."""
        wanted, source = step.round.language, step.question.language
        if click.on_private or step.round.mode == "solo":
            wanted = reader_of(step.round, here, source).language
        return Draft(
            step_id=step.id,
            person=PersonKey(click.who.platform, click.who.id, click.who.name, click.who.named),
            answer=(option,),
            language=read_ask(step.question, wanted).language,
            # Never later than it was received, whatever the platform's clock says.
            pressed_at=min(click.made_at, click.received_at),
            received_at=click.received_at,
            late=late,
        )

    async def step(self, step_id: int, here: Here) -> Step | None:
        """A step as it stands now, if the person may know of it here."""
        found = await self._store.read(lambda c: lookups.find_step(c, step_id))
        return found if found is not None and is_theirs(found.round, here) else None

    async def known_step(self, step_id: int, here: Here) -> Step | None:
        """A step that the person may read again: one of here, or one that they answered."""
        found = await self._store.read(lambda c: lookups.find_step(c, step_id))
        if found is None or found.round.place.community_id != here.place.community_id:
            return None
        if is_theirs(found.round, here) or await self.attempt(found, here) is not None:
            return found
        return None

    async def attempt(self, step: Step, here: Here) -> Attempt | None:
        """What this person answered to a step."""
        person = here.person
        if person is None:
            return None
        community = step.round.place.community_id
        return await self._store.read(
            lambda c: results.attempt_of(c, step.id, community, person.id)
        )

    async def round(self, round_id: int, here: Here) -> Round | None:
        """A round, if it is of this community."""
        found = await self._store.read(lambda c: lookups.find_round(c, round_id))
        return found if found is not None and is_theirs(found, here) else None

    async def live_round(self, here: Here) -> Round | None:
        """The one that runs here."""
        where, community = here.where, here.place.community_id
        return await self._store.read(
            lambda c: lookups.find_live_round(c, community, where.place, where.parent)
        )

    # --- leading -------------------------------------------------------------------------

    async def stop(self, round_: Round) -> bool:
        """Whether this ended it."""

        def work(connection: Connection) -> bool:
            current = rounds.round_in(connection, round_.id, lock=True)
            now = self._clock.now()
            return current is not None and self._live.stop(connection, current, now)

        return await self._store.write(work)

    async def close(self, step: Step) -> bool:
        """Whether this closed it; False for a question that is closed, or not there yet."""

        def work(connection: Connection, current: Step) -> bool:
            if current.opened_at is None or current.closed_at is not None:
                return False
            self._live.close(connection, current, self._clock.now())
            return True

        return await self._on_step(step, work)

    async def go_on(self, step: Step) -> bool:
        """Whether this ended the pause after a question; False if it had ended."""
        return await self._on_step(
            step,
            lambda connection, current: self._live.advance(connection, current, self._clock.now()),
        )

    async def more_time(self, step: Step) -> bool:
        """A minute more for everybody, once a question."""
        return await self._on_step(
            step,
            lambda connection, current: self._live.more_time(
                connection, current, self._clock.now()
            ),
        )

    # --- reading -------------------------------------------------------------------------

    async def in_own_language(self, step: Step) -> Step:
        """A practice is in its player's language from now on, whatever it was asked for in."""
        round_ = step.round
        if round_.mode != "solo" or not round_.language:
            return step
        await self._store.write(lambda c: rounds.set_language(c, round_.id, ""))
        return replace(step, round=replace(round_, language=""))

    # --- inside --------------------------------------------------------------------------

    async def _pressed_step(self, step_id: int) -> Step | None:
        """What hardly changes of a step any more once it is open, without asking twice.

        A rush on a question that has just been posted waits for one look at it.
        """
        step = self._opened.get(step_id)
        if step is not None:
            return step
        return await self._reading.get(step_id, lambda: self._read_step(step_id))

    async def _read_step(self, step_id: int) -> Step | None:
        step = await self._store.read(lambda c: lookups.find_step(c, step_id))
        if step is not None and step.opened_at is not None and step.message is not None:
            self._opened[step_id] = step
            if len(self._opened) > _STEPS_KEPT:
                self._opened.popitem(last=False)
        return step

    async def _as_marked(self, step: Step, recorded: Recorded) -> Step:
        """The step under the key by which the answer was marked."""
        if isinstance(recorded, First | Again) and recorded.attempt.marked_by == step.key_version:
            return step
        return await self._read_step(step.id) or step

    async def _may_be_standing(self, step: Step) -> bool:
        """A post can be pressed before its sending is recorded."""
        entry = await self._store.read(lambda c: posted.find_entry_of_step(c, step.id))
        return entry is not None and entry.claimed_at is not None

    async def _on_step(self, step: Step, work: Callable[[Connection, Step], bool]) -> bool:
        def locked(connection: Connection) -> bool:
            rounds.round_in(connection, step.round.id, lock=True)
            current = rounds.step_in(connection, step.id)
            return current is not None and work(connection, current)

        return await self._store.write(locked)


def is_theirs(round_: Round, here: Here) -> bool:
    """A practice is its starter's, wherever they are; a live round its place's, or its thread's."""
    if round_.place.community_id != here.place.community_id:
        return False
    if round_.mode == "solo":
        return here.person is not None and here.person.id == round_.starter
    if round_.thread and round_.place.place == here.where.parent:
        return True
    return round_.place.id == here.place.id


def leads(round_: Round, here: Here) -> bool:
    """The starter and organisers lead a round."""
    if here.is_organiser:
        return True
    return here.person is not None and here.person.id == round_.starter


def reader_of(round_: Round, here: Here, source: Language) -> Reader:
    """Who reads something of a round in private: a practice in the language it was asked for in."""
    if round_.mode == "solo" and round_.language:
        return Reader(round_.language, Voice.of(round_.language, here.zone))
    return here.reader(source)
