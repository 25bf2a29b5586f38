"""What answers lead to before their question is over: its live count, and its early end.

Held in memory, so that an answer costs no look at the database.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Literal

from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncConnection

from bot import rules
from bot.live import LiveRounds, half_is_gone
from bot.open_rounds import OpenRounds
from bot.outcomes import Attempt
from bot.ports import Clock, Later, Refused, Surface
from bot.posts import Posts
from bot.sending import Sending, target_of
from bot.state import Step
from bot.store import lookups, posted, results, rounds
from bot.store.store import Store

_MOST_REMEMBERED = 10_000
COUNTS_EVERY = timedelta(seconds=2)
_LONGEST = timedelta(minutes=2)
"""Later than this after its time a question is not open any more, whatever was added to it."""


class Counts:
    """The open questions of this process. `alone`: no other process takes answers to them."""

    def __init__(
        self,
        store: Store,
        posts: Posts,
        live: LiveRounds,
        dailies: OpenRounds,
        surfaces: Mapping[str, Surface],
        clock: Clock,
        sending: Sending,
        *,
        alone: bool,
    ) -> None:
        self._store = store
        self._posts = posts
        self._live = live
        self._dailies = dailies
        self._surfaces = surfaces
        self._clock = clock
        self._sending = sending
        self._alone = alone
        self._open: dict[int, _Open] = {}
        self._unknown: set[int] = set()
        self._not_counted: OrderedDict[int, None] = OrderedDict()
        self._complete: set[int] = set()
        self._due: dict[_Key, _Due] = {}

    def answered(self, first: Iterable[Attempt]) -> bool:
        """Note what was committed; whether that makes something due earlier than was known."""
        now, sooner = self._clock.now(), False
        for attempt in first:
            if attempt.practice in ("solo", "late") or attempt.step_id in self._not_counted:
                continue
            known = self._open.get(attempt.step_id)
            if known is None or known.step.opened_at is None:
                self._unknown.add(attempt.step_id)
                sooner = True
                continue
            known.answered.add(attempt.player_id)
            sooner |= self._note(known, now)
        return sooner

    def united(self, players: Mapping[int, int]) -> bool:
        """These are others' from now on; whether that makes something due earlier."""
        now, sooner = self._clock.now(), False
        for step_id, known in self._open.items():
            if players.keys() & (known.answered | known.recent):
                self._open[step_id] = known.with_players(players)
                sooner |= self._note(self._open[step_id], now)
        return sooner

    async def look(self, now: datetime) -> bool:
        """Learn of questions that were answered for the first time; end those that all have.

        Whether one ended, so that there is something to send.
        """
        unknown, self._unknown = self._unknown, set()
        try:
            for step_id in sorted(unknown):
                found = await self._store.read(partial(_find, step_id=step_id))
                if found is None:
                    self._not_counted[step_id] = None
                    continue
                self._open[step_id] = found
                self._note(found, now)
        except Exception:
            self._unknown |= unknown
            raise
        if unknown:
            self._forget_old(now)
        return await self._end(now)

    def show(self, now: datetime) -> datetime | None:
        """Edit what has waited its two seconds, within the budget; when the next has."""
        waiting = []
        for key, due in sorted(self._due.items(), key=lambda item: item[1].at):
            step, place = due.step, due.step.round.place
            at = max(due.at, self._sending.free_at(place, now))
            if at > now:
                waiting.append(at)
            elif place.id not in self._sending.busy:
                del self._due[key]
                self._sending.spend(place, now)
                self._sending.send(place.id, self._edit(step))
        # What waits for its place is woken by the end of what is being sent there.
        return min(waiting, default=None)

    def clock_was_set_back(self, now: datetime) -> None:
        """What waits for an instant of before would wait for the hours between, too."""
        self._due = {key: replace(due, at=now) for key, due in self._due.items()}

    # --- inside --------------------------------------------------------------------------

    def _note(self, known: _Open, now: datetime) -> bool:
        step_id, key, sooner = known.step.id, _key_of(known.step), False
        if key not in self._due:
            self._due[key] = _Due(now + COUNTS_EVERY, known.step)
            sooner = True
        if self._alone and step_id not in self._complete and known.may_end(now):
            self._complete.add(step_id)
            sooner = True
        return sooner

    async def _end(self, now: datetime) -> bool:
        """The database has the last word: a minute more may have been asked for."""
        complete, self._complete = self._complete, set()
        if not complete:
            return False
        try:
            still_open = await self._sending.write(lambda c: self._end_all(c, complete, now))
        except Exception:
            self._complete |= complete
            raise
        for step_id in complete:
            step = still_open.get(step_id)
            if step is None:
                self._forget(step_id)
            elif step_id in self._open:
                self._open[step_id] = replace(self._open[step_id], step=step)
        return still_open.keys() != complete

    def _end_all(
        self, connection: Connection, step_ids: Iterable[int], now: datetime
    ) -> dict[int, Step]:
        """Those that stay open."""
        found = [rounds.step_in(connection, step_id) for step_id in sorted(step_ids)]
        return {
            step.id: step
            for step in found
            if step is not None
            and step.closed_at is None
            and not self._live.close_if_all_answered(connection, step, now)
        }

    async def _edit(self, step: Step) -> None:
        entry = await self._store.read(lambda c: posted.find_entry_of_step(c, step.id))
        message = await self._posts.question(step.id)
        if entry is None or entry.message_id is None or message is None:
            return
        surface = self._surfaces[step.round.place.platform]
        edit = surface.edit(target_of(entry), entry.message_id, message)
        result = await self._sending.in_time(edit)
        now = self._clock.now()
        if isinstance(result, Later):
            if step.id in self._open:
                later = _Due(now + timedelta(seconds=result.seconds), step)
                self._due.setdefault(_key_of(step), later)
        elif isinstance(result, Refused) and result.gone:
            await self._sending.lose(entry, result, now)
        elif not self._alone:
            await self._sending.write(lambda c: self._catch_up(c, step.id, now))

    def _catch_up(self, connection: Connection, step_id: int, now: datetime) -> None:
        """With what other processes did: shown the answer, or taken the last one."""
        step = rounds.step_in(connection, step_id)
        if step is not None and step.round.mode == "open":
            if step.closed_at is not None:
                self._dailies.redraw(connection, step.round, now)
        elif step is not None and step.closed_at is not None:
            self._live.redraw(connection, step, now)
        elif step is not None:
            self._live.close_if_all_answered(connection, step, now)

    def _forget(self, step_id: int) -> None:
        known = self._open.pop(step_id, None)
        if known is not None:
            self._due.pop(_key_of(known.step), None)

    def _forget_old(self, now: datetime) -> None:
        for step_id in [one.step.id for one in self._open.values() if one.is_over(now)]:
            self._forget(step_id)
        while len(self._not_counted) > _MOST_REMEMBERED:
            self._not_counted.popitem(last=False)


@dataclass(frozen=True, slots=True)
class _Open:
    """A question that stands open, as far as is known here; `recent` players are here."""

    step: Step
    answered: set[int]
    recent: frozenset[int]

    def with_players(self, now: Mapping[int, int]) -> _Open:
        answered = {now.get(player, player) for player in self.answered}
        recent = frozenset(now.get(player, player) for player in self.recent)
        return replace(self, answered=answered, recent=recent)

    def may_end(self, now: datetime) -> bool:
        return half_is_gone(self.step, now) and rules.may_close_early(
            position=self.step.position,
            answered=self.answered,
            recent=self.recent,
            more_time=self.step.more_time,
        )

    def is_over(self, now: datetime) -> bool:
        step = self.step
        if step.cutoff_at is None or step.opened_at is None or step.opened_host_at is None:
            return True
        here = rules.platform_now(step.opened_at, step.opened_host_at, now)
        return here > step.cutoff_at + _LONGEST


_Key = tuple[Literal["step", "round"], int]
"""A message that shows a count: that of a question, or of a daily with all its questions."""


@dataclass(frozen=True, slots=True)
class _Due:
    """When a count is to be shown, and a step of whose message it is."""

    at: datetime
    step: Step


def _key_of(step: Step) -> _Key:
    return ("round", step.round.id) if step.round.mode == "open" else ("step", step.id)


async def _find(connection: AsyncConnection, step_id: int) -> _Open | None:
    """What is known of an open question that stands in a place; who answered it, of a live one."""
    step = await lookups.find_step(connection, step_id)
    if step is None or step.round.mode == "solo" or step.closed_at is not None:
        return None
    if step.round.mode == "open":
        return _Open(step, set(), frozenset())
    round_id, recent = step.round.id, rules.recent_to(step.position)
    return _Open(
        step,
        set(await results.players_of(connection, round_id, [step.position])),
        await results.players_of(connection, round_id, recent),
    )
