"""The persons and players of many answers at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy import Connection, bindparam, func, select, update

from bot.outcomes import PersonKey
from bot.store.dialects import among, insert_into, several
from bot.store.schema import persons, players

Account = tuple[str, str]
"""A platform and its id of a person."""


def ensure_players(
    connection: Connection, wanted: Sequence[tuple[PersonKey, int, datetime]]
) -> list[int]:
    """The player of each (person, community, instant), made where it is new; names kept fresh.

    Nothing is remembered between batches: another process may have made a player nameless.
    """
    names = {_account(person): person.name for person, _, _ in wanted}
    seen = {_account(person): at for person, _, at in reversed(wanted)}
    known, playing = _known(connection, names)
    _rename(connection, {_account(one): one.name for one, _, _ in wanted if one.named}, known)
    ids = {account: person_id for account, (person_id, _) in known.items()}
    ids |= _new_persons(connection, {a: (names[a], seen[a]) for a in names if a not in known})
    needed = {(ids[_account(person)], community_id): at for person, community_id, at in wanted}
    missing = {key: at for key, at in needed.items() if key not in playing}
    playing |= _new_players(connection, missing)
    return [playing[ids[_account(person)], community_id] for person, community_id, _ in wanted]


def find_players(
    connection: Connection, wanted: Sequence[tuple[PersonKey, int]]
) -> list[int | None]:
    """The player of each (person, community), where there is one."""
    known, playing = _known(connection, {_account(person) for person, _ in wanted})
    return [
        playing.get((known[_account(person)][0], community_id))
        if _account(person) in known
        else None
        for person, community_id in wanted
    ]


def _account(person: PersonKey) -> Account:
    return person.platform, person.id


_CALLED = persons.alias("called")
_KNOWN = (
    select(
        _CALLED.c.external_id,
        persons.c.id,
        persons.c.name,
        players.c.community_id,
        players.c.id,
    )
    .join_from(_CALLED, persons, persons.c.id == func.coalesce(_CALLED.c.same_as, _CALLED.c.id))
    .join(players, players.c.person_id == persons.c.id, isouter=True)
    .where(
        _CALLED.c.platform == bindparam("platform"),
        among(_CALLED.c.external_id, bindparam("ids")),
    )
)


def _known(
    connection: Connection, accounts: Iterable[Account]
) -> tuple[dict[Account, tuple[int, str]], dict[tuple[int, int], int]]:
    """The persons with their names, and their players by person and community."""
    found: dict[Account, tuple[int, str]] = {}
    playing: dict[tuple[int, int], int] = {}
    for platform, ids in _by_platform(accounts).items():
        values = {"platform": platform, "ids": several(connection, ids)}
        for external_id, person_id, name, community_id, player_id in connection.execute(
            _KNOWN, values
        ):
            found[platform, external_id] = (person_id, name)
            if player_id is not None:
                playing[person_id, community_id] = player_id
    return found, playing


def _by_platform(accounts: Iterable[Account]) -> dict[str, list[str]]:
    ids: dict[str, list[str]] = {}
    for platform, external_id in accounts:
        ids.setdefault(platform, []).append(external_id)
    return ids


def _rename(
    connection: Connection, names: dict[Account, str], known: dict[Account, tuple[int, str]]
) -> None:
    changed = sorted(
        (person_id, names[account])
        for account, (person_id, name) in known.items()
        if names.get(account) and names[account] != name
    )
    if changed:
        connection.execute(
            update(persons).where(persons.c.id == bindparam("person")),
            [{"person": person_id, "name": name} for person_id, name in changed],
        )


def _new_persons(
    connection: Connection, new: dict[Account, tuple[str, datetime]]
) -> dict[Account, int]:
    if not new:
        return {}
    rows = [
        {"platform": platform, "external_id": external_id, "name": name, "created_at": at}
        for (platform, external_id), (name, at) in sorted(new.items())
    ]
    # Another process may be making the same one: then its row is found below.
    connection.execute(insert_into(connection, persons).on_conflict_do_nothing(), rows)
    known, _ = _known(connection, new)
    return {account: person_id for account, (person_id, _) in known.items()}


_PLAYERS = select(players.c.person_id, players.c.community_id, players.c.id).where(
    among(players.c.person_id, bindparam("ids"))
)


def _new_players(
    connection: Connection, new: dict[tuple[int, int], datetime]
) -> dict[tuple[int, int], int]:
    if not new:
        return {}
    rows = [
        {"person_id": person_id, "community_id": community_id, "created_at": at}
        for (person_id, community_id), at in sorted(new.items())
    ]
    connection.execute(insert_into(connection, players).on_conflict_do_nothing(), rows)
    person_ids = several(connection, {person_id for person_id, _ in new})
    found = connection.execute(_PLAYERS, {"ids": person_ids})
    return {(person_id, community_id): player for person_id, community_id, player in found}
