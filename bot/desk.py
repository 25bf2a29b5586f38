"""The private pages: quizzes, answers, languages, names, help."""

from __future__ import annotations

from bot import languages, suggesting
from bot.content import Language
from bot.engine import is_theirs
from bot.kept import Kept
from bot.library import Library
from bot.messages import Choice, Message
from bot.readers import Here, Readers
from bot.spelling import LONGEST
from bot.store import lookups, results
from bot.store.store import Store
from bot.wording import lists as words
from bot.wording import settings as setting_words
from bot.wording.names import CommandNames
from bot.wording.settings import AS_REPORTED
from bot.wording.voice import own_name
from bot.zones import near_zones

_MOST_PAGES = 100_000
MOST_SUGGESTED = 50
"""More than anybody looks through; a surface may show fewer."""


class Desk:
    """Shows people what concerns them, and changes what they may change."""

    def __init__(
        self,
        store: Store,
        library: Library,
        readers: Readers,
        kept: Kept,
    ) -> None:
        self._store = store
        self._library = library
        self._readers = readers
        self._kept = kept

    # --- lists ---------------------------------------------------------------------------

    def quizzes(self, page: int, here: Here) -> Message:
        reader = here.reader()
        titles = self._library.titles(reader.language)
        shown = [
            (title, bank) for title in titles if (bank := self._library.bank(title.id)) is not None
        ]
        return words.quizzes(page, shown, reader, alone=here.where.personal)

    async def answers(self, page: int, here: Here) -> Message:
        reader, person = here.reader(), here.person
        if person is None:
            return words.answers(0, (), has_more=False, reader=reader)
        # A number out of a button can be any; nobody has this many pages.
        size, page = words.ANSWERS_ON_A_PAGE, min(page, _MOST_PAGES)
        found = await self._store.read(
            lambda c: results.answers_of(
                c, here.place.community_id, person.id, skip=page * size, most=size + 1
            )
        )
        if page and not found:
            return await self.answers(0, here)
        kept = await self._kept.all(here)
        return words.answers(
            page, found[:size], has_more=len(found) > size, reader=reader, kept=frozenset(kept)
        )

    def help(self, here: Here, names: CommandNames) -> Message:
        return words.help_page(here.reader(), names, organiser=here.is_organiser)

    def what_is_stored(self, here: Here) -> Message:
        return words.what_is_stored(here.person, here.reader())

    # --- one's own settings --------------------------------------------------------------

    async def pick_language(self, step_id: int, here: Here, page: int = 0) -> Message:
        """The list, with those first that the reader, the place or the question is likely in."""
        reader = here.reader()
        chosen = here.person.language if here.person else None
        step = await self._store.read(lambda c: lookups.find_step(c, step_id)) if step_id else None
        is_known = step is not None and is_theirs(step.round, here)
        bank = self._library.bank(step.bank) if step is not None and is_known else None
        known = self._likely(here, *(bank.languages if bank is not None else ()))
        return words.languages(step_id, page, known, chosen, reader.voice)

    async def set_language(self, typed: str, here: Here) -> Message:
        """By its tag, or by its own name."""
        language = languages.meant(typed, self._library)
        if language is None:
            return words.unknown_language(
                typed, languages.known(self._library), here.reader().voice
            )
        person = await self._readers.set_language(here.who, language)
        return words.language_set(language, here.with_person(person).reader())

    async def hide_name(self, hidden: bool, here: Here) -> Message:
        await self._readers.set_hidden(here.who, hidden=hidden)
        return words.name_hidden(here.reader().voice, hidden=hidden)

    # --- what may be meant while it is typed ---------------------------------------------

    def suggest(
        self, source: str, typed: str, here: Here, limit: int = MOST_SUGGESTED
    ) -> tuple[Choice, ...]:
        """For an option or a field of a form, by what the table of commands calls its source."""
        language = here.reader().language
        typed = typed[:LONGEST]
        match source:
            case "topic":
                found = self._library.suggest(typed, language, limit)
                return tuple(Choice(title.id, title.title) for title in found)
            case "bank":
                titles = self._library.suggest(typed, language, limit)
                banks = [title for title in titles if title.topic_kind == "bank"]
                return tuple(Choice(title.id, title.title) for title in banks)
            case "language" | "post-language":
                found_here = languages.near(typed, self._likely(here), language, limit)
                own = setting_words.own_language(here.reader().voice)
                none = source == "post-language" and typed.casefold() in own.casefold()
                above = (Choice(AS_REPORTED, own),) if none else ()
                return (*above, *(Choice(tag, own_name(tag)) for tag in found_here))[:limit]
            case "zone":
                return tuple(Choice(zone, zone) for zone in near_zones(typed, limit))
            case _:
                voice = here.reader().voice
                return suggesting.suggest(source, typed, self._library, voice, limit)

    # --- inside --------------------------------------------------------------------------

    def _likely(self, here: Here, *more: Language) -> tuple[Language, ...]:
        """All languages; those first that the reader, the place or more speaks for."""
        chosen = here.person.language if here.person else None
        likely = (chosen, here.reader().language, here.place.language, *more)
        return languages.likeliest_first(languages.known(self._library), likely)
