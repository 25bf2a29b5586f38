"""Places with what their communities have set, as rows and as a type."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import ColumnElement, Row

from bot.state import Place
from bot.store.schema import communities, places


def place_columns() -> tuple[ColumnElement[Any], ...]:
    """What a query selects so that `place_of` can read its rows."""
    return (
        places.c.id.label("place_row"),
        places.c.external_id.label("place_external"),
        places.c.name.label("place_name"),
        places.c.kind.label("place_kind"),
        places.c.brought_by.label("place_brought_by"),
        communities.c.id.label("community_row"),
        communities.c.platform.label("community_platform"),
        communities.c.external_id.label("community_external"),
        communities.c.personal.label("community_personal"),
        communities.c.zone.label("community_zone"),
        communities.c.language.label("community_language"),
        communities.c.names.label("community_names"),
        communities.c.organisers,
        communities.c.starters,
        communities.c.start_places,
        communities.c.threads,
        communities.c.leaders,
        communities.c.organisers_place,
        communities.c.welcomed_at,
        communities.c.removed_at,
    )


def place_of(row: Row[Any]) -> Place:
    return Place(
        id=row.place_row,
        community_id=row.community_row,
        platform=row.community_platform,
        community=row.community_external,
        place=row.place_external,
        name=row.place_name,
        kind=row.place_kind,
        personal=row.community_personal,
        zone=row.community_zone,
        language=row.community_language,
        names_shown=row.community_names == "shown",
        organisers=frozenset(json.loads(row.organisers)),
        starters=row.starters,
        start_places=tuple(json.loads(row.start_places)),
        threads=row.threads,
        brought_by=row.place_brought_by,
        leaders_organise=row.leaders,
        welcomed=row.welcomed_at is not None,
        organisers_place=row.organisers_place,
        removed=row.removed_at is not None,
    )
