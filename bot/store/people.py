"""Communities, places, persons and players, one at a time: made, read, and their settings."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal, Protocol

from sqlalchemy import Connection, Row, Select, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.calls import Where
from bot.outcomes import PersonKey
from bot.state import Person, Place
from bot.store.crowd import ensure_players
from bot.store.dialects import insert_into
from bot.store.places import place_columns, place_of
from bot.store.schema import communities, persons, places, players


class Account(Protocol):
    """Who acts, as the platform names them."""

    @property
    def platform(self) -> str: ...
    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def named(self) -> bool: ...


# --- writing ---------------------------------------------------------------------------------


def ensure_community(connection: Connection, where: Where, now: datetime) -> int:
    """The id of the community, made where it is new; its name kept fresh."""
    known = (communities.c.platform == where.platform) & (
        communities.c.external_id == where.community
    )
    query = select(communities.c.id, communities.c.name).where(known)
    found = connection.execute(query).one_or_none()
    if found is None:
        values = {
            "platform": where.platform,
            "external_id": where.community,
            "name": where.community_name,
            "personal": where.personal,
            "created_at": now,
        }
        # Another process may be making it: then its row is read.
        connection.execute(
            insert_into(connection, communities).values(values).on_conflict_do_nothing()
        )
        found = connection.execute(query).one()
    if where.community_name and where.community_name != found.name:
        connection.execute(update(communities).where(known).values(name=where.community_name))
    return int(found.id)


def ensure_place(connection: Connection, where: Where, now: datetime) -> Place:
    """The place and its community, made where they are new; their names kept fresh."""
    community_id = ensure_community(connection, where, now)
    known = (places.c.community_id == community_id) & (places.c.external_id == where.place)
    query = _place_query().where(known)
    found = connection.execute(query).one_or_none()
    if found is None:
        values = {
            "community_id": community_id,
            "external_id": where.place,
            "name": where.place_name,
            "kind": where.kind,
        }
        connection.execute(insert_into(connection, places).values(values).on_conflict_do_nothing())
    elif where.place_name and where.place_name != found.place_name:
        connection.execute(update(places).where(known).values(name=where.place_name))
    return place_of(connection.execute(query).one())


def ensure_person(connection: Connection, who: Account, now: datetime) -> Person:
    """The person, made where they are new; their name kept fresh."""
    query = person_query(who.platform, who.id)
    found = connection.execute(query).one_or_none()
    if found is None:
        values = {
            "platform": who.platform,
            "external_id": who.id,
            "name": who.name,
            "created_at": now,
        }
        connection.execute(insert_into(connection, persons).values(values).on_conflict_do_nothing())
    elif who.named and who.name and who.name != found.name:
        _set_person(connection, found.id, {"name": who.name})
    return person_of(connection.execute(query).one())


def ensure_player(connection: Connection, who: Account, community_id: int, now: datetime) -> int:
    """The id of the person as a player of this community."""
    person = PersonKey(who.platform, who.id, who.name, who.named)
    return ensure_players(connection, [(person, community_id, now)])[0]


def set_language(connection: Connection, person_id: int, language: str | None) -> None:
    """The one that a person reads everything in; None: as the platform reports."""
    _set_person(connection, person_id, {"language": language})


def set_locale(connection: Connection, person_id: int, locale: str | None) -> None:
    """What the platform says that a person reads."""
    _set_person(connection, person_id, {"locale": locale})


def set_hidden(connection: Connection, person_id: int, hidden: bool) -> None:
    """Whether boards, results and recaps leave out the name."""
    _set_person(connection, person_id, {"hidden": hidden})


def set_introduced(connection: Connection, person_id: int, now: datetime) -> bool:
    """Note that a person was told who sees what; False where that had been noted before."""
    done = connection.execute(
        update(persons)
        .where(persons.c.id == person_id, persons.c.introduced_at.is_(None))
        .values(introduced_at=now)
    )
    return done.rowcount == 1


def set_zone(connection: Connection, community_id: int, zone: str | None) -> None:
    """An IANA name; None: the zone of this instance."""
    _set_community(connection, community_id, {"zone": zone})


def set_post_language(connection: Connection, community_id: int, language: str | None) -> None:
    """The language of public posts; None: as the platform reports for the place."""
    _set_community(connection, community_id, {"language": language})


def set_names(connection: Connection, community_id: int, names: Literal["shown", "hidden"]) -> None:
    """Whether boards name anybody, or show "We" alone."""
    _set_community(connection, community_id, {"names": names})


def set_organisers(connection: Connection, community_id: int, ids: Sequence[str]) -> None:
    """Persons and groups who may organise, beside those of whom the platform says it."""
    _set_community(connection, community_id, {"organisers": json.dumps(list(ids))})


def set_starting(
    connection: Connection,
    community_id: int,
    starters: Literal["everyone", "organisers"],
    place_ids: Sequence[str],
) -> None:
    """Who may begin live rounds, and in which places; none: anywhere."""
    places_ = json.dumps(list(place_ids))
    _set_community(connection, community_id, {"starters": starters, "start_places": places_})


def set_threads(connection: Connection, community_id: int, threads: bool) -> None:
    """Whether questions stand in a thread unless it is said otherwise."""
    _set_community(connection, community_id, {"threads": threads})


def set_leaders(connection: Connection, community_id: int, organise: bool) -> None:
    """Whether who made a place, or brought the bot there, organises what happens in it."""
    _set_community(connection, community_id, {"leaders": organise})


def set_organisers_place(connection: Connection, community_id: int, place: str | None) -> None:
    """Where organisers are told things, by the platform's id; None: in direct messages."""
    _set_community(connection, community_id, {"organisers_place": place})


def set_brought_by(connection: Connection, place_id: int, person: str | None) -> None:
    """Who brought the bot into a place, by the platform's id."""
    connection.execute(update(places).where(places.c.id == place_id).values(brought_by=person))


def set_welcomed(connection: Connection, community_id: int, now: datetime) -> bool:
    """Note that a community was welcomed; False where it had been."""
    done = connection.execute(
        update(communities)
        .where(communities.c.id == community_id, communities.c.welcomed_at.is_(None))
        .values(welcomed_at=now)
    )
    return done.rowcount == 1


# --- reading ---------------------------------------------------------------------------------


def organisers_place(connection: Connection, community_id: int) -> str | None:
    """Where organisers want to be told things, by the platform's id."""
    query = select(communities.c.organisers_place).where(communities.c.id == community_id)
    place: str | None = connection.execute(query).scalar_one()
    return place


def language_of(connection: Connection, person_id: int) -> str | None:
    """The one that a person has chosen."""
    query = select(persons.c.language).where(persons.c.id == person_id)
    language: str | None = connection.execute(query).scalar_one()
    return language


async def find_place(connection: AsyncConnection, where: Where) -> Place | None:
    query = _place_query().where(
        communities.c.platform == where.platform,
        communities.c.external_id == where.community,
        places.c.external_id == where.place,
    )
    row = (await connection.execute(query)).one_or_none()
    return None if row is None else place_of(row)


async def find_person(
    connection: AsyncConnection, platform: str, external_id: str
) -> Person | None:
    row = (await connection.execute(person_query(platform, external_id))).one_or_none()
    return None if row is None else person_of(row)


async def place_names(
    connection: AsyncConnection, community_id: int, external_ids: Sequence[str]
) -> tuple[tuple[str, str], ...]:
    """Places by the platform's ids, each with the name that it was last seen under."""
    query = select(places.c.external_id, places.c.name).where(
        places.c.community_id == community_id, places.c.external_id.in_(external_ids)
    )
    names = {external_id: name for external_id, name in await connection.execute(query)}
    return tuple((external_id, names.get(external_id, "")) for external_id in external_ids)


async def find_player(connection: AsyncConnection, community_id: int, person_id: int) -> int | None:
    """The id of a person as a player of this community."""
    query = select(players.c.id).where(
        players.c.person_id == person_id, players.c.community_id == community_id
    )
    return (await connection.execute(query)).scalar_one_or_none()


def person_now(connection: Connection, person_id: int) -> int:
    """Whose row that is: who was found a moment ago may be one with somebody by now."""
    own = func.coalesce(persons.c.same_as, persons.c.id)
    return int(connection.execute(select(own).where(persons.c.id == person_id)).scalar_one())


# --- rows ------------------------------------------------------------------------------------


def _place_query() -> Select[Any]:
    return select(*place_columns()).join_from(
        places, communities, communities.c.id == places.c.community_id
    )


def person_query(platform: str, external_id: str) -> Select[Any]:
    """The row for `person_of` of whom a platform calls so, be it one id of several."""
    called = persons.alias("called")
    return (
        select(persons)
        .join_from(called, persons, persons.c.id == func.coalesce(called.c.same_as, called.c.id))
        .where(called.c.platform == platform, called.c.external_id == external_id)
    )


def person_of(row: Row[Any]) -> Person:
    return Person(
        id=row.id,
        platform=row.platform,
        external_id=row.external_id,
        name=row.name,
        language=row.language,
        hidden=row.hidden,
        introduced=row.introduced_at is not None,
        locale=row.locale,
    )


def _set_person(connection: Connection, person_id: int, values: dict[str, object]) -> None:
    found = person_now(connection, person_id)
    connection.execute(update(persons).where(persons.c.id == found).values(values))


def _set_community(connection: Connection, community_id: int, values: dict[str, object]) -> None:
    connection.execute(update(communities).where(communities.c.id == community_id).values(values))
