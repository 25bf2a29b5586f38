"""The private pages: boards, quizzes, answers, languages, names, help."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection

from bot import languages
from bot.commands import BadOption
from bot.content import Language
from bot.engine import is_theirs
from bot.library import Library
from bot.live import LiveRounds
from bot.messages import Choice, Message
from bot.ports import Abilities, Clock, Surface
from bot.readers import Here, Readers
from bot.spelling import LONGEST
from bot.state import Share
from bot.store import boards, lookups, outbox, posted, results
from bot.store.boards import Board
from bot.store.store import Store
from bot.wording import boards as board_words
from bot.wording import lists as words
from bot.wording import pieces, verdicts
from bot.wording import settings as setting_words
from bot.wording import starting as starting_words
from bot.wording.boards import BoardView
from bot.wording.catalogues import SOURCE
from bot.wording.names import CommandNames
from bot.wording.settings import AS_REPORTED
from bot.wording.voice import own_name
from bot.zones import near_zones

_SCOPES = ("place", "community")
_MOST_PAGES = 100_000
MOST_SUGGESTED = 50
"""More than anybody looks through; a surface may show fewer."""

_SHOWN_AGAIN = timedelta(minutes=10)


class Desk:
    """Shows people what concerns them, and changes what they may change."""

    def __init__(
        self,
        store: Store,
        library: Library,
        readers: Readers,
        live: LiveRounds,
        surfaces: Mapping[str, Surface],
        clock: Clock,
    ) -> None:
        self._store = store
        self._surfaces = surfaces
        self._library = library
        self._readers = readers
        self._live = live
        self._clock = clock

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
        return words.answers(page, found[:size], has_more=len(found) > size, reader=reader)

    def help(self, here: Here, names: CommandNames) -> Message:
        return words.help_page(here.reader(), names, organiser=here.is_organiser)

    def what_is_stored(self, here: Here) -> Message:
        return words.what_is_stored(here.person, here.reader())

    # --- leaderboards --------------------------------------------------------------------

    async def leaderboard(self, options: Mapping[str, str], here: Here) -> Message:
        scope, period = options.get("where") or "place", options.get("period") or "month"
        if scope not in _SCOPES:
            return starting_words.bad_option(BadOption("where", scope), here.reader().voice)
        if period not in board_words.PERIODS:
            return starting_words.bad_option(BadOption("period", period), here.reader().voice)
        return await self.board(scope, period, 0, here)

    async def board(self, scope: str, period: str, below: int, here: Here) -> Message:
        """One page; `below` are the points under which it begins, 0 for the top."""
        board = self._which(scope, period, here)
        if board is None:
            return verdicts.stale(here.reader())
        view = await self._view(board, below, here)
        own, person = None, here.person
        if person is not None:
            own = await self._store.read(lambda c: boards.read_own(c, board, person.id))
        can_show = view.share.players > 0 and not here.where.personal and not below
        return board_words.private(view, own, here.reader().voice, can_show=can_show)

    async def show_board(self, scope: str, period: str, here: Here) -> Message:
        """Put a board into the channel, once in ten minutes."""
        board, voice = self._which(scope, period, here), here.reader().voice
        if board is None or here.where.personal:
            return verdicts.stale(here.reader())
        language = here.place.language or here.where.locale or SOURCE
        args = board_words.snapshot(await self._view(board, 0, here), language)
        if await self._store.write(lambda c: self._post_board(c, args, here)):
            return pieces.said(voice, voice.say("The leaderboard is in the channel now."))
        return pieces.said(
            voice, voice.say("A leaderboard was shown here a moment ago; again in ten minutes.")
        )

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
            case "language" | "post-language":
                found_here = languages.near(typed, self._likely(here), language, limit)
                own = setting_words.own_language(here.reader().voice)
                none = source == "post-language" and typed.casefold() in own.casefold()
                above = (Choice(AS_REPORTED, own),) if none else ()
                return (*above, *(Choice(tag, own_name(tag)) for tag in found_here))[:limit]
            case "zone":
                return tuple(Choice(zone, zone) for zone in near_zones(typed, limit))
            case _:
                return ()

    # --- inside --------------------------------------------------------------------------

    def _likely(self, here: Here, *more: Language) -> tuple[Language, ...]:
        """All languages; those first that the reader, the place or more speaks for."""
        chosen = here.person.language if here.person else None
        likely = (chosen, here.reader().language, here.place.language, *more)
        return languages.likeliest_first(languages.known(self._library), likely)

    def _which(self, scope: str, period: str, here: Here) -> Board | None:
        """None for what no button of ours says."""
        known = next((one for one in board_words.PERIODS if one == period), None)
        if scope not in _SCOPES or known is None:
            return None
        place_id = here.place.id if scope == "place" else None
        day = self._store.today(here.place.zone)
        return Board(here.place.community_id, place_id, known, day)

    async def _view(self, board: Board, below: int, here: Here) -> BoardView:
        page = await self._store.read(
            lambda c: boards.read_page(
                c, board, below=below or None, most=board_words.NAMES_ON_A_PAGE
            )
        )
        of_week = replace(board, period="week")
        share = await self._store.read(lambda c: boards.read_share(c, board))
        week, before = await self._store.read(lambda c: boards.read_shares(c, of_week))
        return BoardView(
            scope="community" if board.place_id is None else "place",
            period=board.period,
            day=board.day,
            place_name=here.place.name,
            names_shown=here.place.names_shown,
            page=page,
            share=share,
            week=week,
            week_before=before or Share(0, 0, 0),
        )

    def _post_board(self, connection: Connection, args: dict[str, Any], here: Here) -> bool:
        now = self._clock.now()
        last = posted.last_posted(connection, here.place.id, "board")
        if last is not None and now - last < _SHOWN_AGAIN:
            return False
        nonce = self._live.nonce()
        outbox.enqueue(connection, "board", here.place, due_at=now, nonce=nonce, args=args)
        return True

    def _abilities(self, here: Here) -> Abilities:
        surface = self._surfaces.get(here.where.platform)
        return Abilities() if surface is None else surface.abilities
