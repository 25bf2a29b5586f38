"""Answers, many at once: which is first, which counts, and what it is worth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from bot import rules
from bot.outcomes import Again, Attempt, Draft, First, Late, NoStep, Practice, Recorded
from bot.store import scores
from bot.store.asked import Asked, Keys, closed_at, occasion_of, read_asked
from bot.store.bulk import Bulk
from bot.store.crowd import ensure_players, find_players
from bot.store.given import dump_answer, read_given
from bot.store.schema import attempts, marks, microseconds


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
        self._boards = scores.Boards()
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
        firsts = _insert_first(connection, presses)
        done: dict[int, Recorded] = {press.index: First(made) for press, made in firsts}
        self._add_up(connection, firsts)
        done |= _again(connection, [press for press in presses if press.index not in done])
        return done

    def _press(self, index: int, draft: Draft, step: Asked, player_id: int) -> _Press:
        day = step.date or self._local_date(step, draft.pressed_at)
        return _Press(index, draft, step, player_id, day, occasion_of(step.mode, day))

    def _local_date(self, step: Asked, at: datetime) -> str:
        zone = self._zone if step.zone is None else ZoneInfo(step.zone)
        return at.astimezone(zone).date().isoformat()

    def _add_up(self, connection: Connection, firsts: Sequence[tuple[_Press, Attempt]]) -> None:
        rows = [
            (made.step_id, made.player_id, press.step.version_id, made.is_right, made.points)
            for press, made in firsts
        ]
        _MARKS.run(connection, rows)
        counting = [(_spot(press), made) for press, made in firsts if made.counts is not None]
        # In order, as everything that two processes may be making at the same time.
        boards = {
            spot: self._boards.of(connection, *spot) for spot in sorted({s for s, _ in counting})
        }
        sums = scores.Sums()
        for spot, made in counting:
            sums.add(boards[spot], made.player_id, made.points, made.is_right)
        sums.save(connection)


def _spot(press: _Press) -> tuple[int, int, str]:
    return press.step.community_id, press.step.place_id, press.date


# --- inserting -------------------------------------------------------------------------------


def _insert_first(
    connection: Connection, presses: Sequence[_Press]
) -> list[tuple[_Press, Attempt]]:
    """Those that were stored: the first of each player on each step.

    First as counting; the database refuses that to one whose player has a counting answer to
    the question already, be it in this batch, and then it is stored as practice. Another process
    may be inserting at this moment: the unique index decides, and neither answer is lost.
    """
    firsts: dict[tuple[int, int], _Press] = {}
    for press in presses:
        firsts.setdefault(press.key, press)
    made = _insert(connection, firsts.values(), _as_counting)
    stored = {press.key for press, _ in made}
    left = [press for press in firsts.values() if press.key not in stored and press.counts]
    return made + _insert(connection, left, _as_repeated)


def _insert(
    connection: Connection,
    presses: Iterable[_Press],
    as_attempt: Callable[[_Press], Attempt],
) -> list[tuple[_Press, Attempt]]:
    # Stable: of two that cannot both count, the earlier does. And two processes that insert in
    # the same order of players and questions wait for each other in a line, never in a circle.
    ordered = sorted(presses, key=lambda press: (press.player_id, press.step.question_id))
    made = {press.key: (press, as_attempt(press)) for press in ordered}
    rows = [_row(press, attempt) for press, attempt in made.values()]
    stored = _ATTEMPTS.run(connection, rows)
    return [made[step_id, player_id] for step_id, player_id in stored]


_ATTEMPTS = Bulk(
    attempts,
    lambda new: new.on_conflict_do_nothing().returning(attempts.c.step_id, attempts.c.player_id),
)
_MARKS = Bulk(marks, lambda new: new)


def _row(press: _Press, attempt: Attempt) -> tuple[object, ...]:
    return (
        attempt.step_id,
        attempt.player_id,
        press.step.question_id,
        dump_answer(attempt.answer),
        attempt.language,
        microseconds(attempt.pressed_at),
        microseconds(press.draft.received_at),
        attempt.date,
        attempt.counts,
        attempt.practice,
    )


def _as_counting(press: _Press) -> Attempt:
    return _attempt(press, press.counts, None if press.counts else "solo")


def _as_repeated(press: _Press) -> Attempt:
    return _attempt(press, None, "again")


def _attempt(press: _Press, counts: str | None, practice: Practice | None) -> Attempt:
    step, draft = press.step, press.draft
    mark = rules.mark(
        step.question,
        draft.answer,
        speed=step.speed,
        elapsed=rules.elapsed_seconds(draft.pressed_at, step.opened_at),
        seconds=step.seconds,
    )
    return Attempt(
        step_id=step.step_id,
        player_id=press.player_id,
        answer=draft.answer,
        language=draft.language,
        pressed_at=draft.pressed_at,
        date=press.date,
        counts=counts,
        practice=practice,
        is_right=mark.is_right,
        points=0 if counts is None else mark.points,
        marked_by=step.version_id,
    )


# --- what stands already ---------------------------------------------------------------------


def _again(connection: Connection, presses: Sequence[_Press]) -> dict[int, Recorded]:
    standing = read_given(connection, {press.key for press in presses})
    return {press.index: _seen(press.draft, standing[press.key]) for press in presses}


def _refuse(
    connection: Connection, late: Sequence[tuple[int, Draft, Asked]], taken: Mapping[int, Recorded]
) -> dict[int, Recorded]:
    """Too late; but who had answered in time is told what they answered, as at any time."""
    made = {
        _key(recorded.attempt): i for i, recorded in taken.items() if isinstance(recorded, First)
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
