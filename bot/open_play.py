"""Taking part in a daily quiz: at one's own pace, and as practice once it has closed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from bot.calls import Click
from bot.engine import Engine, is_theirs
from bot.kept import Kept
from bot.library import Library
from bot.messages import Message
from bot.outcomes import Again, Attempt, First, Late, NoStep
from bot.ports import Clock
from bot.readers import Here, Readers
from bot.state import Round, Step
from bot.store import lookups, results, rounds
from bot.store.rounds import NewRound, NewStep
from bot.store.store import Store
from bot.store.versions import Version
from bot.wording import open_play as words
from bot.wording import verdicts
from bot.wording.pieces import Reader


@dataclass(frozen=True, slots=True)
class _Left:
    """A daily with what somebody has answered of it, and what is left for them."""

    round: Round
    steps: tuple[Step, ...]
    given: dict[int, Attempt]

    @property
    def unanswered(self) -> tuple[Step, ...]:
        return tuple(step for step in self.steps if step.id not in self.given)


class OpenPlay:
    """Replies to who takes part. Holds nothing: whoever comes back goes on where they stopped."""

    def __init__(
        self,
        store: Store,
        library: Library,
        engine: Engine,
        kept: Kept,
        readers: Readers,
        clock: Clock,
    ) -> None:
        self._store = store
        self._library = library
        self._engine = engine
        self._kept = kept
        self._readers = readers
        self._clock = clock

    async def begin(self, round_id: int, here: Here) -> Message:
        """The next question that this person has not answered; after the last, how it went."""
        left = await self._left(round_id, here)
        if left is None:
            return verdicts.stale(here.reader())
        reader = self._reader(left.round, here)
        if _is_over(left.round, self._clock.now()):
            return words.over(left.round, left.steps, left.given, reader)
        if not left.unanswered:
            return words.finished(left.round, left.steps, left.given, reader)
        step = left.unanswered[0]
        right = sum(1 for attempt in left.given.values() if attempt.is_right)
        return words.question(step, self._library.bank(step.bank), right, here.reader(
            step.question.language
        ))  # fmt: skip

    async def late(self, round_id: int, here: Here) -> int | None:
        """What this person left out of a daily that has closed, as a practice; None: nothing."""
        here = here.with_person(await self._readers.known_person(here.who))
        left = await self._left(round_id, here)
        if left is None or not _is_over(left.round, self._clock.now()):
            return None
        return await self._store.write(lambda c: self._practice(c, left, here), wakes=False)

    async def answered_late(self, step: Step, click: Click, option: str, here: Here) -> Message:
        """An answer that came after the end is practice: taken, explained, and told so."""
        here = here.with_person(await self._readers.known_person(here.who))
        reader = here.reader(step.question.language)
        kept = await self._kept.of(step, here)
        if kept is not None:
            return words.kept_back(kept.closes_at, reader.voice)
        practice = await self.late(step.round.id, here)
        own = None if practice is None else await self._same(practice, step)
        if own is None:
            return verdicts.stale(reader)
        recorded = await self._store.record(self._engine.draft(click, option, own, here, late=True))
        match recorded:
            case First(attempt) | Again(attempt):
                return words.late(own, attempt, step, reader)
            case Late() | NoStep():
                return verdicts.stale(reader)

    # --- inside --------------------------------------------------------------------------

    def _reader(self, round_: Round, here: Here) -> Reader:
        return here.reader(next(iter(round_.title)))

    async def _left(self, round_id: int, here: Here) -> _Left | None:
        round_ = await self._store.read(lambda c: lookups.find_round(c, round_id))
        if round_ is None or round_.mode != "open" or not is_theirs(round_, here):
            return None
        steps = await self._store.read(lambda c: lookups.steps_of(c, round_id))
        given: dict[int, Attempt] = {}
        if here.person is not None:
            person = here.person.id
            given = await self._store.read(lambda c: results.attempts_in_round(c, round_id, person))
        return _Left(round_, tuple(steps), given)

    async def _same(self, practice: int, step: Step) -> Step | None:
        steps = await self._store.read(lambda c: lookups.steps_of(c, practice))
        return next((one for one in steps if one.question_id == step.question_id), None)

    def _practice(self, connection: Connection, left: _Left, here: Here) -> int | None:
        """One for each person and daily, however often it is asked for."""
        round_, person = left.round, here.person
        assert person is not None, "who practises is known"
        community = round_.place.community_id
        call = f"late:{round_.id}:{person.id}"
        begun = rounds.round_of_call(connection, community, call)
        if begun is not None or not left.unanswered:
            return None if begun is None else begun.id
        new = NewRound(
            place=round_.place,
            mode="solo",
            starter=person.id,
            topic=round_.topic,
            title=round_.title,
            language="",
            seconds=None,
            speed=False,
            thread=False,
            steps=[
                NewStep(Version(step.question_id, step.version_id), step.order, None)
                for step in left.unanswered
            ],
            call=call,
        )
        made = rounds.insert_round(connection, new, self._clock.now())
        if made is None:
            begun = rounds.round_of_call(connection, community, call)
            return None if begun is None else begun.id
        return made


def _is_over(round_: Round, now: datetime) -> bool:
    return round_.ended_at is not None or (round_.closes_at is not None and now > round_.closes_at)
