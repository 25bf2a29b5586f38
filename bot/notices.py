"""Tells organisers what they should know, once a matter, where they want to be told."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from bot.calls import Where
from bot.live import LiveRounds
from bot.ports import Surface
from bot.schedules import Notice, NoticeKind, Schedule
from bot.state import Place
from bot.store import notices, outbox, people
from bot.store.entries import Entry


class Notices:
    """Puts them into the outbox: for the organisers' place, else for who set the schedule.

    Where nobody can be written to, a notice waits for the next private reply to an organiser.
    """

    def __init__(self, live: LiveRounds, surfaces: Mapping[str, Surface]) -> None:
        self._live = live
        self._surfaces = surfaces

    def tell(
        self,
        connection: Connection,
        schedule: Schedule,
        kind: NoticeKind,
        matter: str,
        now: datetime,
        args: Mapping[str, Any],
    ) -> bool:
        """Whether this was new. `matter` tells it from others of its kind in the community."""
        known = {"schedule": schedule.id, **args}
        return self.tell_of(
            connection, schedule.place, kind, matter, now, known, set_by=schedule.set_by
        )

    def tell_of(
        self,
        connection: Connection,
        place: Place,
        kind: NoticeKind,
        matter: str,
        now: datetime,
        args: Mapping[str, Any],
        *,
        set_by: int | None = None,
    ) -> bool:
        """As `tell`, of a place; `set_by` is whom it concerns there, by their row id."""
        known = {"place": place.place, "place_name": place.name, **args}
        notice = notices.note(connection, place.community_id, kind, matter, now, args=known)
        if notice is None:
            return False
        self._send(connection, place, set_by, notice, now)
        return True

    def refused(self, connection: Connection, entry: Entry) -> None:
        """It could not be told: the next organiser who does something is."""
        notices.set_untold(connection, int(entry.args["notice"]))

    def _send(
        self,
        connection: Connection,
        told_of: Place,
        set_by: int | None,
        notice: Notice,
        now: datetime,
    ) -> None:
        chosen = _organisers_place(connection, told_of, now)
        person = set_by if chosen is None and self._writes_to_people(told_of) else None
        if chosen is None and person is None:
            return
        language = people.language_of(connection, person) if person is not None else None
        place = chosen or told_of
        row = outbox.enqueue(
            connection,
            "notice",
            place,
            due_at=now,
            nonce=self._live.nonce(),
            person_id=person,
            args={
                "notice": notice.id,
                "kind": notice.kind,
                "language": language or place.language,
                **notice.args,
            },
        )
        notices.set_delivery(connection, notice.id, row, now)

    def _writes_to_people(self, place: Place) -> bool:
        surface = self._surfaces.get(place.platform)
        return surface is not None and surface.abilities.direct


def _organisers_place(connection: Connection, place: Place, now: datetime) -> Place | None:
    chosen = people.organisers_place(connection, place.community_id)
    if chosen is None:
        return None
    where = Where(place.platform, place.community, chosen)
    return people.ensure_place(connection, where, now)
