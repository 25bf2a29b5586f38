"""Answers, many at once: which is first, which counts, and what it is worth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from bot.outcomes import Again, Attempt, Draft, First, Late, NoStep, Practice, Recorded
from bot.store.asked import Asked, Keys, closed_at, occasion_of, read_asked
from bot.store.crowd import ensure_players, find_players
from bot.store.fresh import Fresh, Given, add_up, attempt_at, insert_fresh
from bot.store.given import read_given
from bot.store.mirrors import Twins, mirror_into
from bot.store.scores import Boards


@dataclass(frozen=True, slots=True)
class _Press:
    """A draft that is in time; `index` is its place in the batch."""

    index: int
    draft: Draft
    step: Asked
    player_id: int
    date: str
    counts: str | None

    @property
    def key(self) -> tuple[int, int]:
        return self.step.step_id, self.player_id


class Answers:
    """Records batches of answers; remembers keys, and the ids of boards, never who is who."""

    def __init__(self, zone: ZoneInfo) -> None:
        self._zone = zone
        self._boards = Boards()
        self._keys = Keys()

    def forget(self) -> None:
        """The transaction was undone, and ids that were given out in it with it."""
        self._boards.forget()
        self._keys.forget()

    def record(self, connection: Connection, drafts: Sequence[Draft]) -> list[Recorded]:
        """What came of each, in the same order; of equal ones the earlier draft is first."""
        asked = read_asked(connection, self._keys, {draft.step_id for draft in drafts})
        done: dict[int, Recorded] = {}
        in_time: list[tuple[int, Draft, Asked]] = []
        late: list[tuple[int, Draft, Asked]] = []
        for index, draft in enumerate(drafts):
            step = asked.get(draft.step_id)
            if step is None:
                done[index] = NoStep()
            else:
                (in_time if closed_at(step, draft) is None else late).append((index, draft, step))
        if in_time:
            done |= self._take(connection, in_time)
        if late:
            done |= _refuse(connection, late, done)
        return [done[index] for index in range(len(drafts))]

    def _take(
        self, connection: Connection, in_time: Sequence[tuple[int, Draft, Asked]]
    ) -> dict[int, Recorded]:
        players = ensure_players(
            connection,
            [(draft.person, step.community_id, draft.received_at) for _, draft, step in in_time],
        )
        presses = [
            self._press(index, draft, step, player)
            for (index, draft, step), player in zip(in_time, players, strict=True)
        ]
        self._catch_up(connection, presses)
        return self._store(connection, presses)

    def _store(self, connection: Connection, presses: Sequence[_Press]) -> dict[int, Recorded]:
        twins = Twins(connection, self._keys, {p.key[0]: p.step for p in presses}.values())
        firsts = _insert_first(connection, presses, twins)
        stored = [new for _, new in firsts]
        mirrors = insert_fresh(connection, twins.mirrors(stored))
        add_up(connection, self._boards, [*stored, *mirrors])
        done: dict[int, Recorded] = {
            press.index: First(new.attempt, also)
            for (press, new), also in zip(firsts, _beside(stored, mirrors), strict=True)
        }
        left = [press for press in presses if press.index not in done]
        done |= _again(connection, left)
        # Whoever pressed two dailies at once has answered both with the first press; unless that
        # one was not stored.
        left = [press for press in left if press.index not in done]
        return done | self._store(connection, left) if left else done

    def _catch_up(self, connection: Connection, presses: Sequence[_Press]) -> None:
        """A daily that stands there is pressed before it is known to: others may have it open."""
        early: dict[int, tuple[Asked, set[int]]] = {}
        for press in presses:
            if press.step.mode == "open" and press.step.opened_at is None:
                early.setdefault(press.step.step_id, (press.step, set()))[1].add(press.player_id)
        for _, (step, players) in sorted(early.items()):
            mirror_into(connection, self._keys, self._boards, step, players)

    def _press(self, index: int, draft: Draft, step: Asked, player_id: int) -> _Press:
        day = step.date or self._local_date(step, draft.pressed_at)
        return _Press(index, draft, step, player_id, day, occasion_of(step.mode, day))

    def _local_date(self, step: Asked, at: datetime) -> str:
        zone = self._zone if step.zone is None else ZoneInfo(step.zone)
        return at.astimezone(zone).date().isoformat()


# --- inserting -------------------------------------------------------------------------------


def _insert_first(
    connection: Connection, presses: Sequence[_Press], twins: Twins
) -> list[tuple[_Press, Fresh]]:
    """Those that were stored: the first of each player on each step.

    First as counting; the database refuses that to one whose player has a counting answer to
    the question already, be it in this batch, and then it is stored as practice. Another process
    may be inserting at this moment: the unique index decides, and neither answer is lost. What
    another press of this batch answers along with its own step is left out.
    """
    firsts: dict[tuple[int, int], _Press] = {}
    taken: set[tuple[int, int]] = set()
    for press in presses:
        if press.key not in taken and firsts.setdefault(press.key, press) is press:
            others = twins.of(press.step, press.draft.pressed_at)
            taken.update((twin.step_id, press.player_id) for twin in others)
    made = _insert(connection, firsts.values(), _as_counting)
    stored = {press.key for press, _ in made}
    left = [press for press in firsts.values() if press.key not in stored and press.counts]
    return made + _insert(connection, left, _as_repeated)


def _insert(
    connection: Connection,
    presses: Iterable[_Press],
    as_attempt: Callable[[_Press], Attempt],
) -> list[tuple[_Press, Fresh]]:
    # Stable: of two that cannot both count, the earlier does. And two processes that insert in
    # the same order of players and questions wait for each other in a line, never in a circle.
    ordered = sorted(presses, key=lambda press: (press.player_id, press.step.question_id))
    by_key = {press.key: press for press in ordered}
    fresh = [Fresh(press.step, as_attempt(press), press.draft.received_at) for press in ordered]
    return [
        (by_key[new.attempt.step_id, new.attempt.player_id], new)
        for new in insert_fresh(connection, fresh)
    ]


def _as_counting(press: _Press) -> Attempt:
    alone: Practice = "late" if press.draft.late else "solo"
    return _attempt(press, press.counts, None if press.counts else alone)


def _as_repeated(press: _Press) -> Attempt:
    return _attempt(press, None, "again")


def _attempt(press: _Press, counts: str | None, practice: Practice | None) -> Attempt:
    draft = press.draft
    given = Given(
        press.player_id, draft.answer, draft.language, draft.pressed_at, draft.received_at
    )
    return attempt_at(press.step, given, press.date, counts, practice)


def _beside(stored: Sequence[Fresh], mirrors: Sequence[Fresh]) -> list[tuple[Attempt, ...]]:
    """For each answer those that were stored along with it."""
    if not mirrors:
        return [()] * len(stored)
    by_question: dict[tuple[int, int], list[Attempt]] = {}
    for step, attempt, _ in mirrors:
        by_question.setdefault((attempt.player_id, step.question_id), []).append(attempt)
    return [
        tuple(by_question.get((attempt.player_id, step.question_id), ()))
        if step.mode == "open"
        else ()
        for step, attempt, _ in stored
    ]


# --- what stands already ---------------------------------------------------------------------


def _again(connection: Connection, presses: Sequence[_Press]) -> dict[int, Recorded]:
    standing = read_given(connection, {press.key for press in presses})
    return {
        press.index: _seen(press.draft, standing[press.key])
        for press in presses
        if press.key in standing
    }


def _refuse(
    connection: Connection, late: Sequence[tuple[int, Draft, Asked]], taken: Mapping[int, Recorded]
) -> dict[int, Recorded]:
    """Too late; but who had answered in time is told what they answered, as at any time."""
    made = {
        _key(attempt): i
        for i, recorded in taken.items()
        if isinstance(recorded, First)
        for attempt in (recorded.attempt, *recorded.also)
    }
    found = find_players(connection, [(draft.person, step.community_id) for _, draft, step in late])
    keys = [
        None if player is None else (step.step_id, player)
        for (_, _, step), player in zip(late, found, strict=True)
    ]
    standing = read_given(connection, [key for key in keys if key is not None])
    done: dict[int, Recorded] = {}
    for (index, draft, step), key in zip(late, keys, strict=True):
        # One that was made in this batch, but behind it, is none that they had given.
        if key in standing and made.get(key, -1) < index:
            done[index] = _seen(draft, standing[key])
        else:
            done[index] = Late(closed_at(step, draft) or draft.received_at)
    return done


def _key(attempt: Attempt) -> tuple[int, int]:
    return attempt.step_id, attempt.player_id


def _seen(draft: Draft, attempt: Attempt) -> Again:
    return Again(attempt, same_press=attempt.pressed_at == draft.pressed_at)
