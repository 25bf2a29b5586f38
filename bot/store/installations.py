"""Installations of an app that workspaces install for themselves.

What an installation holds is text that only who wrote it can read: nothing in here does.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, delete, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.dialects import insert_into
from bot.store.schema import installations


@dataclass(frozen=True, slots=True)
class Ids:
    """Whose an installation is. Of a whole organisation it has no team; "" stands for none."""

    platform: str
    enterprise: str
    team: str
    is_org_wide: bool = False

    @property
    def own(self) -> str:
        """The one id by which it is known."""
        return self.enterprise if self.is_org_wide else self.team


@dataclass(frozen=True, slots=True)
class Kept:
    """An installation as it is stored; `user` is who made it."""

    id: int
    ids: Ids
    user: str
    data: str = field(repr=False)
    installed_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None


# --- writing ---------------------------------------------------------------------------------


def put(
    connection: Connection,
    ids: Ids,
    user: str,
    data: str,
    *,
    installed_at: datetime,
    expires_at: datetime | None,
) -> int:
    """Store an installation in the stead of all others of the same workspace; its row."""
    connection.execute(delete(installations).where(_is_of(ids)))
    values = {
        "platform": ids.platform,
        "enterprise_id": ids.enterprise,
        "team_id": "" if ids.is_org_wide else ids.team,
        "user_id": user,
        "is_enterprise_install": ids.is_org_wide,
        "data": data,
        "installed_at": installed_at,
        "bot_token_expires_at": expires_at,
        "refresh_by": None,
        "refresh_until": None,
        "revoked_at": None,
    }
    # Another process may be storing it at this moment: the later one stays.
    unique = ["platform", "enterprise_id", "team_id", "user_id"]
    added = connection.execute(
        insert_into(connection, installations)
        .values(values)
        .on_conflict_do_update(index_elements=unique, set_=values)
        .returning(installations.c.id)
    )
    return int(added.scalar_one())


def renew(
    connection: Connection, id: int, was: str, data: str, expires_at: datetime | None
) -> bool:
    """Store new tokens, and end the hold; False where the installation is another by now."""
    done = connection.execute(
        update(installations)
        .where(installations.c.id == id, installations.c.data == was)
        .values(data=data, bot_token_expires_at=expires_at, refresh_by=None, refresh_until=None)
    )
    return done.rowcount == 1


def rewrite(connection: Connection, id: int, was: str, data: str) -> bool:
    """Store the same under another key; False where it is another by now."""
    done = connection.execute(
        update(installations)
        .where(installations.c.id == id, installations.c.data == was)
        .values(data=data)
    )
    return done.rowcount == 1


def hold(connection: Connection, id: int, by: str, now: datetime, until: datetime) -> Kept | None:
    """Be the only one to get new tokens for an installation, until then.

    None where another is at it, or there is nothing to get them for. What comes back is read
    under the hold: another may have finished just before.
    """
    is_free = or_(installations.c.refresh_until.is_(None), installations.c.refresh_until <= now)
    done = connection.execute(
        update(installations)
        .where(installations.c.id == id, installations.c.revoked_at.is_(None), is_free)
        .values(refresh_by=by, refresh_until=until)
    )
    if done.rowcount != 1:
        return None
    return _kept(connection.execute(select(installations).where(installations.c.id == id)).one())


def let_go(connection: Connection, id: int, by: str) -> None:
    """End a hold that came to nothing."""
    connection.execute(
        update(installations)
        .where(installations.c.id == id, installations.c.refresh_by == by)
        .values(refresh_by=None, refresh_until=None)
    )


def revoke(connection: Connection, id: int, was: str, at: datetime) -> bool:
    """Its tokens are dead; False where that was noted, or the installation is another by now."""
    done = connection.execute(
        update(installations)
        .where(
            installations.c.id == id,
            installations.c.data == was,
            installations.c.revoked_at.is_(None),
        )
        .values(revoked_at=at, refresh_by=None, refresh_until=None)
    )
    return done.rowcount == 1


def remove(connection: Connection, ids: Ids, user: str | None = None) -> None:
    """Delete what is stored, of one person or of all."""
    whose = [_is_of(ids)]
    if user is not None:
        whose.append(installations.c.user_id == user)
    connection.execute(delete(installations).where(*whose))


# --- reading ---------------------------------------------------------------------------------


async def find(connection: AsyncConnection, ids: Ids) -> Kept | None:
    """The newest of exactly this workspace, or of exactly this organisation as a whole."""
    return await _first(connection, _is_of(ids))


async def find_by_id(connection: AsyncConnection, platform: str, id: str) -> Kept | None:
    """The newest that is known by this id, of a team or of a whole organisation."""
    of_team = installations.c.is_enterprise_install.is_(False) & (installations.c.team_id == id)
    of_all = installations.c.is_enterprise_install & (installations.c.enterprise_id == id)
    return await _first(connection, (installations.c.platform == platform) & or_(of_team, of_all))


async def every(connection: AsyncConnection, platform: str) -> tuple[Kept, ...]:
    """All, the newest first."""
    query = select(installations).where(installations.c.platform == platform)
    return tuple(_kept(row) for row in await connection.execute(query.order_by(*_NEWEST)))


_NEWEST = (installations.c.installed_at.desc(), installations.c.id.desc())


async def _first(connection: AsyncConnection, condition: ColumnElement[bool]) -> Kept | None:
    query = select(installations).where(condition).order_by(*_NEWEST).limit(1)
    row = (await connection.execute(query)).one_or_none()
    return None if row is None else _kept(row)


def _is_of(ids: Ids) -> ColumnElement[bool]:
    """Ids of teams are nobody else's, whichever organisation a team has come to belong to."""
    mine = (installations.c.platform == ids.platform) & (
        installations.c.is_enterprise_install.is_(ids.is_org_wide)
    )
    if ids.is_org_wide:
        return mine & (installations.c.enterprise_id == ids.enterprise)
    return mine & (installations.c.team_id == ids.team)


def _kept(row: Row[Any]) -> Kept:
    ids = Ids(row.platform, row.enterprise_id, row.team_id, row.is_enterprise_install)
    return Kept(
        row.id,
        ids,
        row.user_id,
        row.data,
        row.installed_at,
        row.bot_token_expires_at,
        row.revoked_at,
    )
