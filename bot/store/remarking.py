"""A key that was repaired marks what was answered by it, while answers go on being taken."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from functools import partial

from sqlalchemy import Connection, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.content import Bank
from bot.store.asked import Keys
from bot.store.marking import MARKS, mark_of, marked_query, spot_in
from bot.store.schema import attempts, marks, questions, rounds, steps
from bot.store.scores import Boards, Sums
from bot.store.seasons import keep_seasons
from bot.store.store import Store
from bot.store.versions import refresh

_CHUNK = 500
_STEPS_AT_ONCE = 2_000


async def take_keys(
    store: Store,
    banks: Sequence[Bank],
    now: datetime,
    rekeyed: Callable[[Connection, Collection[int]], None] = lambda *_: None,
) -> None:
    """Make the banks' wording, and their keys, today's: what is answered from now on is by them.

    `rekeyed` is called with the ids of questions of which other options are right than before.
    """

    def take(connection: Connection, bank: Bank) -> None:
        refreshed = refresh(connection, [bank], now)
        if refreshed.rekeyed:
            rekeyed(connection, refreshed.rekeyed)

    for bank in banks:
        await store.write(partial(take, bank=bank), wakes=False)


async def bring_up_to_date(
    store: Store, remarked: Callable[[Connection, int], None] = lambda *_: None
) -> int:
    """Mark by today's keys what other keys had marked; how many.

    It goes through all marks that there are, in short transactions: whoever answers meanwhile
    waits for none for long. `remarked` is called with each step of which marks have changed.
    """

    def mark(connection: Connection, step_id: int) -> int:
        done = remark(connection, step_id)
        if done:
            remarked(connection, step_id)
        return done

    changed = 0
    last = await store.read(_last_step)
    for after in range(0, last, _STEPS_AT_ONCE):
        for step_id in await store.read(partial(_suspects, after=after)):
            while done := await store.write(partial(mark, step_id=step_id), wakes=False):
                changed += done
    return changed


def remark(connection: Connection, step_id: int) -> int:
    """Mark some of the answers to a question that another key than today's has marked."""
    keys, boards, sums = Keys(), Boards(), Sums()
    current = func.coalesce(questions.c.current_version, steps.c.version_id)
    key = (
        select(steps.c.version_id, current, rounds.c.community_id)
        .join_from(steps, questions, questions.c.id == steps.c.question_id)
        .join(rounds, rounds.c.id == steps.c.round_id)
        .where(steps.c.id == step_id)
        # Other processes wait: each answer is to be corrected once, and by this key.
        .with_for_update(key_share=True, of=questions)
    )
    asked, today, community_id = connection.execute(key).one()
    keep_seasons(connection, [community_id])
    version_id, question = keys.held(connection, {(asked, today)})[asked, today]
    stale = (
        marked_query()
        .where(attempts.c.step_id == step_id, marks.c.version_id != version_id)
        .limit(_CHUNK)
    )
    new = []
    for row in connection.execute(stale):
        mark = mark_of(row, question)
        points = 0 if row.counts is None else mark.points
        new.append((step_id, row.player_id, version_id, mark.is_right, points))
        if row.counts is not None:
            of_day = boards.of(connection, spot_in(row))
            right = int(mark.is_right) - int(row.is_right)
            sums.correct(of_day, row.player_id, points - row.points, right)
    sums.save(connection)
    MARKS.run(connection, new)
    return len(new)


async def _last_step(connection: AsyncConnection) -> int:
    return (await connection.execute(select(func.max(steps.c.id)))).scalar_one() or 0


async def _suspects(connection: AsyncConnection, after: int) -> list[int]:
    """Questions with answers that were marked by another version than today's: the next ones.

    With most of them nothing is wrong: today's key may not fit what was asked.
    """
    today = func.coalesce(questions.c.current_version, steps.c.version_id)
    query = (
        select(marks.c.step_id)
        .join_from(marks, steps, steps.c.id == marks.c.step_id)
        .join(questions, questions.c.id == steps.c.question_id)
        .where(marks.c.version_id != today)
        .where(marks.c.step_id > after, marks.c.step_id <= after + _STEPS_AT_ONCE)
        .distinct()
        .order_by(marks.c.step_id)
    )
    return list((await connection.execute(query)).scalars())
