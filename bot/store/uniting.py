"""Persons whom a platform says to be one become one: what is theirs goes over to the oldest."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Row,
    Select,
    delete,
    func,
    insert,
    literal,
    select,
    union_all,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.calls import Identity
from bot.state import Person
from bot.store.people import person_of, person_query
from bot.store.schema import (
    attempts,
    away,
    communities,
    outbox,
    persons,
    places,
    players,
    proposals,
    rounds,
    schedules,
)
from bot.store.uniting_players import unite_players


async def is_to_unite(connection: AsyncConnection, identity: Identity) -> bool:
    """Whether there is anything that `unite` would change."""
    rows = (await connection.execute(_called(identity))).all()
    own = {row.id if row.same_as is None else row.same_as for row in rows}
    ids = {row.external_id for row in rows}
    if len(own) > 1 or (ids and identity.id not in ids):
        return True
    aside = [row.id for row in rows if row.same_as is not None]
    brought = select(literal(1)).where(places.c.brought_by.in_(identity.others))
    left = union_all(*_left_with(aside), brought).limit(1)
    if (await connection.execute(left)).first() is not None:
        return True
    listed = (await connection.execute(_organisers(identity))).scalar_one_or_none()
    return listed is not None and _renamed(listed, identity) != listed


@dataclass(frozen=True, slots=True)
class United:
    """Who they are from now on, by whichever id; and by those whom they played as, as whom now."""

    person: Person
    players: Mapping[int, int]


def unite(connection: Connection, identity: Identity, now: datetime) -> United | None:
    """Make one of all whom a platform calls so; None where none of them is known.

    Done again it changes nothing, but for what was stored under another id in between.
    """
    _hold_communities(connection, identity)
    rows = _rows(connection, identity, held=True)
    _rename_in_settings(connection, identity)
    if not rows:
        return None
    kept = min(rows, key=lambda row: (row.same_as is not None, row.created_at, row.id))
    others = [row for row in rows if row.id != kept.id]
    players_now = _move(connection, kept, others, identity, now) if others else {}
    _call(connection, kept, rows, identity, now)
    person = connection.execute(person_query(identity.platform, identity.id)).one()
    return United(person_of(person), players_now)


# What was delivered stays as it was.
_POINTING: tuple[tuple[Column[Any], tuple[ColumnElement[bool], ...]], ...] = (
    (rounds.c.starter_id, ()),
    (schedules.c.set_by, ()),
    (proposals.c.person_id, ()),
    (outbox.c.person_id, (outbox.c.state.in_(["due", "claimed"]),)),
)


def _left_with(aside: Sequence[int]) -> Iterator[Select[Any]]:
    """What another process has stored for the other id while both became one."""
    for column, more in _POINTING:
        yield select(literal(1)).where(column.in_(aside), *more)
    for table in (attempts, away):
        of_player = players.c.id == table.c.player_id
        theirs = select(literal(1)).join_from(players, table, of_player)
        yield theirs.where(players.c.person_id.in_(aside))


# --- who there is ----------------------------------------------------------------------------


def _called(identity: Identity) -> Select[Any]:
    return select(persons).where(
        persons.c.platform == identity.platform,
        persons.c.external_id.in_(sorted({identity.id, *identity.others})),
    )


def _rows(connection: Connection, identity: Identity, *, held: bool = False) -> Sequence[Row[Any]]:
    """All that are called so, and all that are one with any of them by now."""
    called = connection.execute(_called(identity)).all()
    own = sorted({row.id if row.same_as is None else row.same_as for row in called})
    aside = select(persons.c.id).where(persons.c.same_as.in_(own))
    ids = sorted({*own, *connection.execute(aside).scalars()})
    query = select(persons).where(persons.c.id.in_(ids)).order_by(persons.c.id)
    return connection.execute(query.with_for_update(key_share=True) if held else query).all()


def _hold_communities(connection: Connection, identity: Identity) -> None:
    """Whoever is taking answers there, or marking them anew, is waited for, and waits."""
    person_ids = [row.id for row in _rows(connection, identity)]
    theirs = select(players.c.community_id).where(players.c.person_id.in_(person_ids))
    query = select(communities.c.id).where(communities.c.id.in_(theirs)).order_by(communities.c.id)
    connection.execute(query.with_for_update(key_share=True)).all()


# --- what is theirs --------------------------------------------------------------------------


def _move(
    connection: Connection,
    kept: Row[Any],
    others: Sequence[Row[Any]],
    identity: Identity,
    now: datetime,
) -> dict[int, int]:
    """By the players that were theirs, who that is now."""
    ids = [row.id for row in others]
    new = [row for row in others if row.same_as is None]
    if new:
        values = _settings(kept, new, identity)
        connection.execute(update(persons).where(persons.c.id == kept.id).values(values))
    connection.execute(update(persons).where(persons.c.id.in_(ids)).values(same_as=kept.id))
    players_now = _move_players(connection, kept.id, ids, now)
    _keep_newest_proposals(connection, [kept.id, *ids])
    for column, more in _POINTING:
        _point(connection, column, ids, kept.id, more)
    return players_now


def _settings(kept: Row[Any], new: Sequence[Row[Any]], identity: Identity) -> dict[str, object]:
    """What was chosen last; hidden, where they asked for it under any id."""
    newest_first = [*sorted(new, key=lambda row: (row.created_at, row.id), reverse=True), kept]
    acting = next((row for row in newest_first if row.external_id == identity.id), kept)
    told = [row.introduced_at for row in newest_first if row.introduced_at is not None]
    return {
        "name": acting.name or kept.name,
        "language": next((row.language for row in newest_first if row.language), None),
        "locale": next((row.locale for row in newest_first if row.locale), None),
        "hidden": any(row.hidden for row in newest_first),
        "introduced_at": min(told, default=None),
    }


def _move_players(
    connection: Connection, kept: int, ids: Sequence[int], now: datetime
) -> dict[int, int]:
    query = (
        select(players.c.community_id, players.c.id, players.c.person_id)
        .where(players.c.person_id.in_([kept, *ids]))
        # Their own first, where there is one.
        .order_by(players.c.community_id, players.c.person_id != kept, players.c.id)
    )
    by_community: dict[int, list[int]] = {}
    for community_id, player_id, _ in connection.execute(query):
        by_community.setdefault(community_id, []).append(player_id)
    players_now: dict[int, int] = {}
    for community_id, (target, *others) in by_community.items():
        connection.execute(
            update(players)
            .where(players.c.id == target, players.c.person_id != kept)
            .values(person_id=kept)
        )
        if others:
            unite_players(connection, community_id, target, others, now)
            players_now |= dict.fromkeys(others, target)
    return players_now


def _keep_newest_proposals(connection: Connection, ids: Sequence[int]) -> None:
    """Of what one person was setting in a community, the last."""
    newest = (
        select(func.max(proposals.c.id))
        .where(proposals.c.person_id.in_(ids))
        .group_by(proposals.c.community_id)
    )
    connection.execute(
        delete(proposals).where(proposals.c.person_id.in_(ids), proposals.c.id.not_in(newest))
    )


def _point(
    connection: Connection,
    column: Column[Any],
    ids: Sequence[int],
    kept: int,
    more: Sequence[ColumnElement[bool]],
) -> None:
    table: Any = column.table
    connection.execute(update(table).where(column.in_(ids), *more).values({column: kept}))


# --- how they are called ---------------------------------------------------------------------


def _call(
    connection: Connection,
    kept: Row[Any],
    rows: Sequence[Row[Any]],
    identity: Identity,
    now: datetime,
) -> None:
    """By the id under which they act now, if it is new; what they were called leads to them."""
    before = kept.external_id
    acting = next((row for row in rows if row.external_id == identity.id), None)
    if before == identity.id or (acting is not None and acting.same_as == kept.id):
        return
    if acting is not None:
        # No platform has such an id.
        _set_id(connection, acting.id, f"{before}/{identity.id}")
    _set_id(connection, kept.id, identity.id)
    if acting is not None:
        _set_id(connection, acting.id, before)
        return
    values = {
        "platform": identity.platform,
        "external_id": before,
        "name": kept.name,
        "same_as": kept.id,
        "created_at": now,
    }
    connection.execute(insert(persons).values(values))


def _set_id(connection: Connection, person_id: int, external_id: str) -> None:
    row = update(persons).where(persons.c.id == person_id)
    connection.execute(row.values(external_id=external_id))


def _rename_in_settings(connection: Connection, identity: Identity) -> None:
    brought = update(places).where(places.c.brought_by.in_(identity.others))
    connection.execute(brought.values(brought_by=identity.id))
    community = _organisers(identity).with_for_update(key_share=True)
    listed = connection.execute(community).scalar_one_or_none()
    if listed is None or (renamed := _renamed(listed, identity)) == listed:
        return
    connection.execute(
        update(communities).where(*_is_community(identity)).values(organisers=renamed)
    )


def _organisers(identity: Identity) -> Select[Any]:
    return select(communities.c.organisers).where(*_is_community(identity))


def _is_community(identity: Identity) -> Collection[ColumnElement[bool]]:
    return [
        communities.c.platform == identity.platform,
        communities.c.external_id == identity.community,
    ]


def _renamed(listed: str, identity: Identity) -> str:
    """The list of organisers with the name of now instead of others."""
    names: list[str] = json.loads(listed)
    known = {*identity.names, *identity.others} - {identity.name, identity.id}
    called = identity.name or identity.id
    now = [called if name in known else name for name in names]
    return listed if now == names else json.dumps(list(dict.fromkeys(now)))
