"""The settings of a community: their summary, their forms, and what is taken from a form."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Literal, assert_never

from sqlalchemy import Connection

from bot import languages, rules
from bot.calls import Submission
from bot.content import Language
from bot.library import Library
from bot.messages import Form, Message, Reply, text_of
from bot.ports import Abilities, Surface, Target
from bot.readers import Here, Readers
from bot.store import people, seasons, standing
from bot.store.store import Store
from bot.wording import corrections
from bot.wording import settings as words
from bot.wording.entering import hindered, of_place
from bot.wording.plans import channel_of
from bot.wording.settings import AS_REPORTED, Part
from bot.zones import known_zone

_MOST_IDS = 100
"""So many people, groups or places are kept of a form; nobody names more by hand."""

_MOST_MEANT = 3

Change = Callable[[Connection, int], None]


class Arranging:
    """Shows organisers how quizbot behaves in their community, and changes it for them."""

    def __init__(
        self, store: Store, library: Library, readers: Readers, surfaces: Mapping[str, Surface]
    ) -> None:
        self._store = store
        self._library = library
        self._readers = readers
        self._surfaces = surfaces

    async def settings(self, here: Here, *, saved: bool = False) -> Message:
        voice = here.reader().voice
        if not here.may_arrange:
            return words.organisers_only(voice)
        community, told = here.place.community_id, here.place.organisers_place
        named = [*here.place.start_places, *([] if told is None else [told])]
        names = await self._store.read(lambda c: people.place_names(c, community, named))
        board = await self._store.read(lambda c: standing.find_standing(c, here.place.id))
        begun = await self._store.read(lambda c: seasons.find_seasons(c, community))
        season, _ = rules.season(self._store.today(here.place.zone), begun)
        zone, abilities = self._store.zone.key, self._abilities(here)
        return words.summary(
            here.place, zone, dict(names), abilities, voice,
            season=season, board=board, saved=saved,
        )  # fmt: skip

    async def form(self, part: str, here: Here, typed: str | None = None) -> Reply:
        """One form; with what was `typed` into it before, and what to mend in that."""
        known = self._part(part, here)
        if known is None or not here.may_arrange:
            return await self.settings(here)
        form = self._form(known, here)
        if typed is None:
            return form
        return corrections.with_typed(form, known, typed, self._fault(known, typed, here))

    async def save(self, part: str, submission: Submission, here: Here) -> Reply:
        """Save one form; a form with an error comes back with what to mend."""
        known = self._part(part, here)
        if known is None or not here.may_arrange:
            return await self.settings(here)
        value = submission.values.get(known, "").strip()
        fault = self._fault(known, value, here) or await self._place_fault(known, value, here)
        if fault:
            return corrections.with_typed(self._form(known, here), known, value, fault)
        change = self._change(known, value, submission, here)
        await self._store.write(lambda c: change(c, here.place.community_id))
        self._readers.forget_places()
        return await self.settings(await self._readers.here(here.who, here.where), saved=True)

    # --- inside --------------------------------------------------------------------------

    def _abilities(self, here: Here) -> Abilities:
        surface = self._surfaces.get(here.where.platform)
        return Abilities() if surface is None else surface.abilities

    def _part(self, part: str, here: Here) -> Part | None:
        """None for a part that there is not, or not here."""
        known = words.parts_for(self._abilities(here))
        return next((one for one in known if one == part), None)

    def _form(self, part: Part, here: Here) -> Form:
        zone, abilities = self._store.zone.key, self._abilities(here)
        reader, place = here.reader(), here.place
        known = languages.likeliest_first(
            languages.known(self._library), (place.language, here.where.locale, reader.language)
        )
        return words.form(part, place, zone, known, abilities, reader.voice)

    def _fault(self, part: Part, typed: str, here: Here) -> str:
        """What to mend in the first field of a form; empty where it can be taken."""
        voice = here.reader().voice
        if part == "zone" and known_zone(typed) is None:
            return corrections.unknown_zone(typed, voice)
        if part == "language" and self._posts_in(typed, here) is None:
            known = languages.known(self._library)
            near = languages.near(typed, known, voice.language, _MOST_MEANT) if typed else ()
            return corrections.unknown_language(typed, near, voice)
        return ""

    async def _place_fault(self, part: Part, value: str, here: Here) -> str:
        """An id may be forged, and notices are for nobody of another community."""
        surface = self._surfaces.get(here.where.platform)
        if part != "notices" or not value or surface is None:
            return ""
        access = await surface.access(Target(here.place.community, value))
        voice = here.reader().voice
        if fault := of_place(access, voice):
            return fault
        name = "" if access is None else access.name
        return text_of(hindered(access, channel_of(value, name, voice), voice))

    def _posts_in(self, typed: str, here: Here) -> Language | None:
        """The language of the posts that was meant, by tag or name; `AS_REPORTED` for none."""
        if typed in (AS_REPORTED, words.own_language(here.reader().voice)):
            return AS_REPORTED
        language = languages.meant(typed, self._library)
        return language if language in languages.known(self._library) else None

    def _change(self, part: Part, value: str, submission: Submission, here: Here) -> Change:
        """What the values of a form come to; all that is no value of ours is a default's."""
        match part:
            case "language":
                meant = self._posts_in(value, here)
                language = None if meant == AS_REPORTED else meant
                return lambda c, key: people.set_post_language(c, key, language)
            case "zone":
                return lambda c, key: people.set_zone(c, key, known_zone(value))
            case "names":
                names: Literal["shown", "hidden"] = "hidden" if value == "hidden" else "shown"
                return lambda c, key: people.set_names(c, key, names)
            case "organisers":
                organisers = self._ids(value, here)
                return lambda c, key: people.set_organisers(c, key, organisers)
            case "starting":
                who: Literal["everyone", "organisers"] = (
                    "organisers" if value == "organisers" else "everyone"
                )
                channels = self._ids(submission.values.get("channels", ""), here)
                return lambda c, key: people.set_starting(c, key, who, channels)
            case "threads":
                return lambda c, key: people.set_threads(c, key, value == "on")
            case "notices":
                told = next(iter(self._ids(value, here)), None)
                return lambda c, key: people.set_organisers_place(c, key, told)
            case "leaders":
                return lambda c, key: people.set_leaders(c, key, value != "off")
            case _:
                assert_never(part)

    def _ids(self, value: str, here: Here) -> list[str]:
        """What a field of people or places comes back with: ids as the platform has them."""
        shape = re.compile(self._abilities(here).ids)
        found = dict.fromkeys(part for part in value.split(",") if shape.fullmatch(part))
        return list(found)[:_MOST_IDS]
