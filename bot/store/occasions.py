"""What was asked, where and on which date; and how much of it each board counts.

An occasion is what an attempt counts for: the date of a daily, or the ISO week of live rounds. A
board counts a question once an occasion, however often it was asked in it: that is the "12" of
"answered 9 of 12". It is counted when a question opens, so that no board is added up to be read.
"""

from __future__ import annotations

from collections import Counter
from datetime import date
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Row, Select, bindparam, case, delete, select, update

from bot.store.asked import occasion_of
from bot.store.bulk import Bulk
from bot.store.dialects import among, bank_key, several
from bot.store.schema import banks, boards, communities, occasions, questions, rounds, steps
from bot.store.scores import WHOLE_COMMUNITY, BoardKey, Spot, boards_of, ensure_boards

_CHUNK = 2_000


def count_step(connection: Connection, step_id: int) -> None:
    """A question of which answers count has opened; it may have been asked before."""
    asked = connection.execute(_ASKED, {"step": step_id}).one()
    occasion = occasion_of(asked.mode, asked.date)
    assert occasion is not None, "practice is asked on no date"
    spot = _spot(asked)
    keys = boards_of(spot)
    ids = dict(zip(keys, ensure_boards(connection, asked.community_id, keys), strict=True))
    # One after the other: whoever asks the same in another place sees that it was asked here.
    connection.execute(_HELD, {"ids": several(connection, ids.values())}).all()
    of_occasion = {"question": asked.question_id, "occasion": occasion}
    here = {"community": asked.community_id, "place": asked.place_id}
    before = connection.execute(_BEFORE, {**here, **of_occasion})
    counted = {key for row in before for key in boards_of(_at(spot, row))}
    new = [board_id for key, board_id in ids.items() if key not in counted]
    if new:
        row = (asked.community_id, *of_occasion.values(), asked.place_id, asked.date)
        _OCCASIONS.run(connection, [row])
        connection.execute(_ONE_MORE, {"ids": several(connection, new)})


def recount(connection: Connection, community_id: int) -> None:
    """All boards of a community anew, from the steps. Hold it, so that nothing opens meanwhile."""
    connection.execute(delete(occasions).where(occasions.c.community_id == community_id))
    _gather(connection, community_id)
    _count(connection, community_id, None)


def recount_seasons(connection: Connection, community_id: int, first: date) -> None:
    """Those of a community anew, from the one that begins on a date on."""
    _count(connection, community_id, first)


# --- inside ----------------------------------------------------------------------------------

_SPOT = (
    communities.c.id.label("community_id"),
    bank_key(banks).label("topic"),
    communities.c.seasons,
)
_ASKED = (
    select(*_SPOT, steps.c.question_id, steps.c.date, rounds.c.mode, rounds.c.place_id)
    .join_from(steps, rounds, rounds.c.id == steps.c.round_id)
    .join(communities, communities.c.id == rounds.c.community_id)
    .join(questions, questions.c.id == steps.c.question_id)
    .join(banks, banks.c.id == questions.c.bank)
    .where(steps.c.id == bindparam("step"))
    # As for answers: a season that begins waits, and so does who counts everything anew.
    .with_for_update(read=True, of=communities)
)
_HELD = (
    select(boards.c.id)
    .where(among(boards.c.id, bindparam("ids")))
    .order_by(boards.c.id)
    # Totals go on being added to them.
    .with_for_update(key_share=True)
)
_BEFORE: Select[Any] = (
    # Of other places only the community's boards are of interest, and those are the same for all:
    # two hundred schedules may ask it on one date.
    select(
        case(
            (occasions.c.place_id == bindparam("place"), occasions.c.place_id),
            else_=WHOLE_COMMUNITY,
        ).label("place_id"),
        occasions.c.date,
    )
    .distinct()
    .where(
        occasions.c.community_id == bindparam("community"),
        occasions.c.question_id == bindparam("question"),
        occasions.c.occasion == bindparam("occasion"),
    )
)
_ONE_MORE = (
    update(boards).where(among(boards.c.id, bindparam("ids"))).values(asked=boards.c.asked + 1)
)
_STEPS = (
    select(steps.c.question_id, rounds.c.mode, rounds.c.place_id, steps.c.date)
    .distinct()
    .join_from(rounds, steps, steps.c.round_id == rounds.c.id)
    .where(
        rounds.c.community_id == bindparam("community"),
        rounds.c.mode != "solo",
        steps.c.date.is_not(None),
        steps.c.opened_at.is_not(None),
    )
)
_KNOWN = (
    select(
        *_SPOT,
        occasions.c.question_id,
        occasions.c.occasion,
        occasions.c.place_id,
        occasions.c.date,
    )
    .join_from(occasions, communities, communities.c.id == occasions.c.community_id)
    .join(questions, questions.c.id == occasions.c.question_id)
    .join(banks, banks.c.id == questions.c.bank)
    # What belongs together stands together.
    .order_by(occasions.c.question_id, occasions.c.occasion)
)
_ASKED_OF = update(boards).where(boards.c.id == bindparam("board")).values(asked=bindparam("count"))
_OCCASIONS = Bulk(occasions, lambda new: new.on_conflict_do_nothing())


def _gather(connection: Connection, community_id: int) -> None:
    rows = connection.execute(_STEPS, {"community": community_id}).all()
    _OCCASIONS.run(
        connection,
        (
            (community_id, row.question_id, occasion_of(row.mode, row.date), *row[2:])
            for row in rows
        ),
    )


def _count(connection: Connection, community_id: int, first: date | None) -> None:
    """With a date, only the seasons that begin on it or later."""
    query = _KNOWN.where(occasions.c.community_id == community_id)
    stale = update(boards).where(boards.c.community_id == community_id, boards.c.asked > 0)
    if first is not None:
        query = query.where(occasions.c.date >= first.isoformat())
        stale = stale.where(boards.c.period == "season", boards.c.starts >= first.isoformat())
    asked: Counter[BoardKey] = Counter()
    with connection.execute(query, execution_options={"yield_per": _CHUNK}) as rows:
        for _, same in groupby(rows, lambda row: (row.question_id, row.occasion)):
            asked.update({key for row in same for key in boards_of(_spot(row))})
    keys = sorted(key for key in asked if first is None or key[2] == "season")
    ids = ensure_boards(connection, community_id, keys)
    connection.execute(stale.values(asked=0))
    if keys:
        counts = [{"board": id_, "count": asked[key]} for key, id_ in zip(keys, ids, strict=True)]
        connection.execute(_ASKED_OF, counts)


def _spot(row: Row[Any]) -> Spot:
    return Spot(row.community_id, row.place_id, row.date, row.topic, row.seasons, "all")


def _at(spot: Spot, row: Row[Any]) -> Spot:
    return spot._replace(place_id=row.place_id, day=row.date)
