"""A question that stands open in two dailies of a community: answering one answers both.

What an answer counts for is decided when it is stored. The first is "day:DATE" and stands on all
boards; what it answers along with it is "also:DATE:SCHEDULE" and stands on those of another place,
or "too:DATE:SCHEDULE" and stands on none, since that place counts the question already.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, select

from bot.outcomes import Practice
from bot.store.asked import IS_OPEN, Asked, Keys, read_asked, read_twins
from bot.store.dialects import among, several
from bot.store.fresh import Fresh, Given, add_up, attempt_at, insert_fresh
from bot.store.given import read_answer
from bot.store.schema import attempts, occurrences, questions, rounds, steps
from bot.store.scores import Boards, reach_of

_PLAYERS = 500


class Twins:
    """Which other steps a press answers; nothing is read where no daily is among those pressed."""

    def __init__(self, connection: Connection, keys: Keys, pressed: Iterable[Asked]) -> None:
        dailies = [step for step in pressed if step.mode == "open"]
        self._of, self._schedules = _twins(connection, keys, dailies) if dailies else ({}, {})

    def of(self, step: Asked, pressed_at: datetime) -> list[Asked]:
        """Those that can still be answered at the instant of a press."""
        found = self._of.get(step.step_id)
        if not found:
            return []
        return [twin for twin in found if twin.cutoff_at is None or pressed_at <= twin.cutoff_at]

    def mirrors(self, stored: Iterable[Fresh]) -> list[Fresh]:
        """What is to be stored beside these answers."""
        return [
            mirror for new in stored if new.step.step_id in self._of for mirror in self._by(new)
        ]

    def _by(self, new: Fresh) -> Iterator[Fresh]:
        given = _given_in(new)
        counted_in = {new.step.place_id}
        for twin in self.of(new.step, given.pressed_at):
            counts = None
            if new.attempt.counts is not None:
                schedule_id = self._schedules.get(twin.step_id, 0)
                counts = _counts(twin, schedule_id, is_new=twin.place_id not in counted_in)
                counted_in.add(twin.place_id)
            yield _mirror(twin, given, counts)


def mirror_into(
    connection: Connection,
    keys: Keys,
    boards: Boards,
    step: Asked,
    players: Collection[int] | None = None,
) -> None:
    """Answer a step with what was answered to its twins, by everybody or by some players.

    For a daily that opens while another asks the same: nobody is asked twice.
    """
    found, schedule_of = _twins(connection, keys, [step])
    twins = [twin.step_id for twin in found[step.step_id]]
    if not twins or step.date is None:
        return
    # Who is answering one of them at this moment is waited for, and so is seen.
    connection.execute(
        select(steps.c.id).where(steps.c.id.in_(twins)).order_by(steps.c.id).with_for_update()
    ).all()
    schedule_id = schedule_of.get(step.step_id, 0)
    for by_player in _answers_to(connection, twins, players):
        fresh = [
            _mirror(step, _given_of(rows), _counts_after(step, schedule_id, rows))
            for _, rows in sorted(by_player.items())
        ]
        add_up(connection, boards, insert_fresh(connection, fresh))


def mirror_step(connection: Connection, step_id: int) -> None:
    """As `mirror_into`, for everybody, once the step stands open."""
    # Who is answering its question at this moment is waited for, and so is seen. Held by one row,
    # however many dailies ask it.
    asks = select(steps.c.question_id).where(steps.c.id == step_id).scalar_subquery()
    held = select(questions.c.id).where(questions.c.id == asks).with_for_update(key_share=True)
    connection.execute(held).all()
    keys = Keys()
    step = read_asked(connection, keys, [step_id])[step_id]
    if _is_answered_elsewhere(connection, step):
        mirror_into(connection, keys, Boards(), step)


def schedules_of_steps(connection: Connection, step_ids: Collection[int]) -> dict[int, int]:
    """By step, whose daily it belongs to."""
    rows = connection.execute(_SCHEDULES, {"ids": several(connection, step_ids)})
    return {step_id: schedule_id for step_id, schedule_id in rows}


_SCHEDULES = (
    select(steps.c.id, occurrences.c.schedule_id)
    .join_from(steps, occurrences, occurrences.c.round_id == steps.c.round_id)
    .where(among(steps.c.id, bindparam("ids")))
)
_ANSWERS = (
    select(attempts, rounds.c.place_id)
    .join_from(attempts, steps, steps.c.id == attempts.c.step_id)
    .join(rounds, rounds.c.id == steps.c.round_id)
    .order_by(attempts.c.player_id, attempts.c.pressed_at, attempts.c.step_id)
)


def _is_answered_elsewhere(connection: Connection, step: Asked) -> bool:
    """Whether anybody has answered a daily with its question, so that its twins have to be read."""
    query = (
        select(attempts.c.step_id)
        .join_from(rounds, steps, steps.c.round_id == rounds.c.id)
        .join(attempts, attempts.c.step_id == steps.c.id)
        .where(
            IS_OPEN,
            rounds.c.community_id == step.community_id,
            steps.c.question_id == step.question_id,
            steps.c.id != step.step_id,
        )
        .limit(1)
    )
    return connection.execute(query).first() is not None


def _twins(
    connection: Connection, keys: Keys, of: Sequence[Asked]
) -> tuple[dict[int, list[Asked]], dict[int, int]]:
    """By step, the dailies of other schedules that it is open with; and whose each of them is.

    What a schedule asks again is another day's, also where the day before has not ended yet:
    else an answer would go on from day to day by itself.
    """
    found = read_twins(connection, keys, of)
    others = {twin.step_id for twins in found.values() for twin in twins}
    if not others:
        return found, {}
    schedule_of = schedules_of_steps(connection, others | found.keys())

    def are_twins(step: Asked, other: Asked) -> bool:
        own = schedule_of.get(step.step_id)
        is_another = own is None or own != schedule_of.get(other.step_id)
        return is_another and _meet(step, other) and _meet(other, step)

    twins = {step.step_id: [o for o in found[step.step_id] if are_twins(step, o)] for step in of}
    return twins, schedule_of


def _meet(step: Asked, other: Asked) -> bool:
    """Whether it was open before the other ended; what can only arrive late any more has ended."""
    return step.opened_at is None or other.cutoff_at is None or step.opened_at < other.cutoff_at


def _answers_to(
    connection: Connection, step_ids: Sequence[int], players: Collection[int] | None
) -> Iterator[dict[int, list[Row[Any]]]]:
    """The answers to some steps by player, for a number of players at a time."""
    query = select(attempts.c.player_id).where(attempts.c.step_id.in_(step_ids)).distinct()
    if players is not None:
        query = query.where(among(attempts.c.player_id, bindparam("players")))
        values = {"players": several(connection, players)}
    else:
        values = {}
    found = sorted(connection.execute(query, values).scalars())
    wanted = _ANSWERS.where(
        attempts.c.step_id.in_(step_ids), among(attempts.c.player_id, bindparam("ids"))
    )
    for first in range(0, len(found), _PLAYERS):
        some = found[first : first + _PLAYERS]
        by_player: dict[int, list[Row[Any]]] = {}
        for row in connection.execute(wanted, {"ids": several(connection, some)}):
            by_player.setdefault(row.player_id, []).append(row)
        yield by_player


def _counts_after(step: Asked, schedule_id: int, rows: Sequence[Row[Any]]) -> str | None:
    """What a mirror counts for, by a player's answers to its twins; None where none counts."""
    counting = [row for row in rows if row.counts is not None]
    if not counting:
        return None
    counted_in = {row.place_id for row in counting if reach_of(row.counts) != "none"}
    return _counts(step, schedule_id, is_new=step.place_id not in counted_in)


def _counts(step: Asked, schedule_id: int, *, is_new: bool) -> str:
    return f"{'also' if is_new else 'too'}:{step.date}:{schedule_id}"


def _mirror(step: Asked, given: Given, counts: str | None) -> Fresh:
    assert step.date is not None
    practice: Practice | None = None if counts else "again"
    return Fresh(step, attempt_at(step, given, step.date, counts, practice), given.received_at)


def _given_in(new: Fresh) -> Given:
    made = new.attempt
    return Given(made.player_id, made.answer, made.language, made.pressed_at, new.received_at)


def _given_of(rows: Sequence[Row[Any]]) -> Given:
    """The answer of the one that counts everywhere, else of the first."""
    row = next((row for row in rows if row.counts and reach_of(row.counts) == "all"), rows[0])
    return Given(
        row.player_id, read_answer(row.answer), row.language, row.pressed_at, row.received_at
    )
