"""Daily quizzes as they fall due: a date is claimed, questions are drawn, and a window opens."""

from __future__ import annotations

import logging
import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from sqlalchemy import Connection

from bot import rules
from bot.calendar import CATCH_UP, EXTENSION, Occasion, closes_at
from bot.content import Bank, Question
from bot.daily_questions import pool_of, questions_of, title_of
from bot.drawing import WARN_AT, Drawn, Key, Past, draw_daily
from bot.library import Library
from bot.notices import Notices
from bot.open_rounds import OpenRounds
from bot.ports import Clock, Surface, Target
from bot.schedules import OccurrenceState, Schedule
from bot.store import claims, occurrences, posted, rounds, running, schedules
from bot.store.rounds import NewRound, NewStep
from bot.store.store import Store
from bot.store.versions import ensure_versions

_ON_TIME = timedelta(minutes=1)

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class OnItsWay:
    """A date is being asked now, and can be answered until then."""

    date: date
    closes_at: datetime


@dataclass(frozen=True, slots=True)
class AskedAlready:
    """This date has had its post."""

    date: date


@dataclass(frozen=True, slots=True)
class NothingToAsk:
    """No quiz that the schedule draws from is there, or none has a question."""


PostedNow = OnItsWay | AskedAlready | NothingToAsk


@dataclass(frozen=True, slots=True)
class Preview:
    """What would be asked next. `again` are questions for another time.

    `occasion` is None where nothing is to come, by itself.
    """

    occasion: Occasion | None
    questions: tuple[tuple[Bank, Question], ...]
    again: frozenset[Key]
    draws_left: int


@dataclass(frozen=True, slots=True)
class _Ask:
    """A date that is claimed, with what is asked on it."""

    schedule: Schedule
    occurrence_id: int
    occasion: Occasion
    following: Occasion | None
    drawn: Drawn


class Windows:
    """Asks what is due, once, and what an organiser wants asked at once."""

    def __init__(
        self,
        store: Store,
        library: Library,
        open_rounds: OpenRounds,
        notices: Notices,
        surfaces: Mapping[str, Surface],
        clock: Clock,
        chance: random.Random,
    ) -> None:
        self._store = store
        self._library = library
        self.open_rounds = open_rounds
        self._notices = notices
        self._surfaces = surfaces
        self._clock = clock
        self._chance = chance

    async def post_due(self, schedule_id: int, now: datetime) -> None:
        """Ask a date that has come; one that is long over is left out, and organisers are told."""
        past = await self._store.read(lambda c: occurrences.read_past(c, schedule_id))
        asked = await self._store.write(
            lambda c: self._post_due(c, schedule_id, past, now), wakes=False
        )
        if asked is not None:
            await self._look_for_role(asked, now)

    async def post_now(self, schedule: Schedule) -> PostedNow:
        """Ask today's at once, whatever its hour; it is not asked once more at its hour."""
        past = await self._store.read(lambda c: occurrences.read_past(c, schedule.id))
        now = self._clock.now()
        return await self._store.write(lambda c: self._post_now(c, schedule.id, past, now))

    async def preview(self, schedule: Schedule) -> Preview:
        """What would be asked if nothing changed until then; nothing is consumed."""
        past = await self._store.read(lambda c: occurrences.read_past(c, schedule.id))
        elsewhere = await self._store.read(
            lambda c: occurrences.read_open_questions(c, schedule.place.community_id)
        )
        occasion = None
        if schedule.next_date is not None and schedule.next_at is not None:
            occasion = Occasion(schedule.next_date, schedule.next_at)
        today = self._clock.now().astimezone(schedule.plan.recurrence.zone).date()
        day = today if occasion is None else occasion.date
        drawn = self._draw(schedule, past, day, {question.key for question in elsewhere})
        return Preview(occasion, questions_of(self._library, drawn), drawn.again, drawn.draws_left)

    def post_again(self, connection: Connection, round_id: int, now: datetime) -> bool:
        """Post once more what nobody knows to stand there; False where that is known by now."""
        occurrence = occurrences.occurrence_of_round(connection, round_id)
        round_ = rounds.round_in(connection, round_id, lock=True)
        post = posted.post_of_round(connection, round_id)
        if occurrence is None or round_ is None or post is None:
            return False
        if round_.ended_at is not None or post.state != "unknown":
            return False
        posted.send_again(connection, post.id, self.open_rounds.live.nonce(), now)
        return True

    # --- claiming ------------------------------------------------------------------------

    def _post_due(
        self, connection: Connection, schedule_id: int, past: Mapping[Key, Past], now: datetime
    ) -> Schedule | None:
        """As it was before, if it was due."""
        missed: list[date] = []
        due = None
        while (schedule := claims.take_due(connection, schedule_id, now)) is not None:
            due = schedule
            assert schedule.next_date is not None, "it is due"
            assert schedule.next_at is not None, "it is due"
            occasion = Occasion(schedule.next_date, schedule.next_at)
            is_late = now - occasion.at > CATCH_UP
            if is_late and claims.claim(connection, schedule, occasion, "missed", now):
                missed.append(occasion.date)
            elif is_late or isinstance(
                self._ask(connection, schedule, occasion, past, now), AskedAlready
            ):
                # It was taken without what follows being set.
                schedules.plan_next(connection, schedule_id, now)
        if missed:
            self._tell_missed(connection, schedule_id, missed, now)
        return due

    def _post_now(
        self, connection: Connection, schedule_id: int, past: Mapping[Key, Past], now: datetime
    ) -> PostedNow:
        schedule = schedules.schedule_in(connection, schedule_id)
        today = now.astimezone(schedule.plan.recurrence.zone).date()
        return self._ask(connection, schedule, Occasion(today, now), past, now, again=True)

    def _ask(
        self,
        connection: Connection,
        schedule: Schedule,
        occasion: Occasion,
        past: Mapping[Key, Past],
        now: datetime,
        *,
        again: bool = False,
    ) -> PostedNow:
        """`again`: what was claimed and never stood there is asked after all."""
        community = schedule.place.community_id
        elsewhere = occurrences.open_keys(connection, community)
        live = running.asked_live(connection, community)
        drawn = self._draw(schedule, past, occasion.date, elsewhere, live)
        state: OccurrenceState = "asked" if drawn.questions else "empty"
        claimed = claims.claim(connection, schedule, occasion, state, now)
        if claimed is None and again:
            claimed = claims.claim_lost(connection, schedule, occasion, state)
        if claimed is None:
            return AskedAlready(occasion.date)
        if not drawn.questions:
            self._tell_empty(connection, schedule, occasion.date, now)
            return NothingToAsk()
        asked = _Ask(schedule, claimed.occurrence_id, occasion, claimed.following, drawn)
        ends = self._open(connection, asked, now)
        self._warn(connection, asked, now)
        return OnItsWay(occasion.date, ends)

    def _open(self, connection: Connection, asked: _Ask, now: datetime) -> datetime:
        """Make its round, which ends at the instant that is returned."""
        schedule, plan = asked.schedule, asked.schedule.plan
        begins = asked.occasion.at if now - asked.occasion.at < _ON_TIME else now
        ends = max(
            closes_at(begins, plan.open_for, asked.following), now + _shortest(plan.open_for)
        )
        questions = questions_of(self._library, asked.drawn)
        versions = ensure_versions(connection, questions, now)
        source = questions[0][0].language
        new = NewRound(
            place=schedule.place,
            mode="open",
            starter=None,
            topic=questions[0][0].id,
            title=title_of(self._library, schedule, questions),
            language=next(iter(plan.languages), schedule.place.language or source),
            seconds=None,
            speed=False,
            thread=False,
            steps=[
                NewStep(version, rules.shuffle(question, self._chance), None)
                for version, (_, question) in zip(versions, questions, strict=True)
            ],
            window=(begins, ends),
        )
        round_id = rounds.insert_round(connection, new, now)
        assert round_id is not None, "no call has begun it, and it is not live"
        positions = [
            at for at, key in enumerate(asked.drawn.questions, start=1) if key in asked.drawn.again
        ]
        occurrences.set_round(
            connection, asked.occurrence_id, round_id, closes_at=ends, again=positions
        )
        round_ = rounds.round_in(connection, round_id)
        assert round_ is not None, "it was just made"
        self.open_rounds.ask(connection, round_, ends, now)
        return ends

    # --- drawing -------------------------------------------------------------------------

    def _draw(
        self,
        schedule: Schedule,
        past: Mapping[Key, Past],
        day: date,
        elsewhere: Collection[Key],
        live: Collection[Key] = (),
    ) -> Drawn:
        keys = list(pool_of(self._library, schedule))
        count, seed = schedule.plan.count, schedule.draw_seed
        return draw_daily(keys, past, day, count, seed=seed, elsewhere=elsewhere, live=live)

    async def _look_for_role(self, schedule: Schedule, now: datetime) -> None:
        """Whom the post should ring for may be gone since they were chosen."""
        place, group = schedule.place, schedule.plan.mention
        surface = self._surfaces.get(place.platform)
        if group is None or surface is None:
            return
        if await surface.group_name(Target(place.community, place.place), group) is None:
            matter = f"{schedule.id}:{group}"
            await self._store.write(
                lambda c: self._notices.tell(c, schedule, "no-role", matter, now, {})
            )

    # --- telling -------------------------------------------------------------------------

    def _tell_missed(
        self, connection: Connection, schedule_id: int, missed: Sequence[date], now: datetime
    ) -> None:
        schedule = schedules.schedule_in(connection, schedule_id)
        days = [day.isoformat() for day in missed]
        matter = f"{schedule_id}:{days[-1]}"
        self._notices.tell(connection, schedule, "missed", matter, now, {"dates": days})

    def _tell_empty(
        self, connection: Connection, schedule: Schedule, day: date, now: datetime
    ) -> None:
        """Once until it has asked something again."""
        last = occurrences.occurrence_before(connection, schedule.id, day)
        matter = f"{schedule.id}:{last.date if last is not None else ''}"
        args = {"dates": [day.isoformat()], "topics": list(schedule.plan.topics)}
        self._notices.tell(connection, schedule, "empty", matter, now, args)

    def _warn(self, connection: Connection, asked: _Ask, now: datetime) -> None:
        """Once for what there is to draw from: questions that are added make it another matter."""
        left, schedule = asked.drawn.draws_left, asked.schedule
        if left > WARN_AT:
            return
        matter = f"{schedule.id}:{len(pool_of(self._library, schedule))}"
        self._notices.tell(connection, schedule, "few-left", matter, now, {"left": left})


def _shortest(open_for: timedelta | None) -> timedelta:
    """No window ends at once, whatever becomes of a schedule."""
    return EXTENSION if open_for is None else min(open_for, EXTENSION)
