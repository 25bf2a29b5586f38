"""Leaderboards: the one that somebody asks for, those beside it, and one put into the channel."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta
from difflib import get_close_matches
from typing import Any

from sqlalchemy import Connection

from bot import rules
from bot.commands import PERIODS, SCOPES, BadOption
from bot.library import Library, Unknown
from bot.live import LiveRounds
from bot.messages import Message
from bot.ports import Clock
from bot.rankings import Wanted, read_view, title_of, which
from bot.readers import Here
from bot.reading import read_bank
from bot.store import boards, outbox, posted, seasons, standing
from bot.store.boards import Board
from bot.store.store import Store
from bot.wording import board_pages as page_words
from bot.wording import boards as board_words
from bot.wording import pieces, verdicts
from bot.wording import starting as starting_words
from bot.wording.board_pages import Beside, Offers
from bot.wording.boards import Scope
from bot.wording.catalogues import SOURCE

_SHOWN_AGAIN = timedelta(minutes=10)
_NEAR = 0.75
_MOST_MEANT = 3


class Boarding:
    """Shows leaderboards to people, and puts them into channels."""

    def __init__(self, store: Store, library: Library, live: LiveRounds, clock: Clock) -> None:
        self._store = store
        self._library = library
        self._live = live
        self._clock = clock

    async def leaderboard(self, options: Mapping[str, str], here: Here) -> Message:
        """As it was asked for in words."""
        scope, period = options.get("where") or "place", options.get("period") or "month"
        typed, voice = options.get("topic", "").strip(), here.reader().voice
        if scope not in SCOPES:
            return starting_words.bad_option(BadOption("where", scope), voice)
        if period not in PERIODS:
            return starting_words.bad_option(BadOption("period", period), voice)
        if not typed:
            return await self.board(Wanted(scope, period), here)
        found = self._library.find(typed)
        if isinstance(found, Unknown) or found.topic_kind != "bank":
            return self._no_board_of(typed, scope, here)
        bank = self._library.bank(found.id)
        assert bank is not None, "it was found"
        return await self.board(Wanted(scope, period, topic=bank.key), here)

    async def board(self, wanted: Wanted, here: Here) -> Message:
        """One page, with the reader's own rank."""
        board, voice = which(wanted, here.place, self._today(here)), here.reader().voice
        if board is None:
            return verdicts.stale(here.reader())
        person, today = here.person, self._today(here)
        title = title_of(board.topic, self._library, here.reader().language)
        below = wanted.below or None
        view = await self._store.read(
            lambda c: read_view(c, board, here.place, today, title, below)
        )
        own = None
        if person is not None:
            own = await self._store.read(lambda c: boards.read_own(c, board, person.id))
        beside = await self._beside(board, today)
        view = replace(view, alone=here.where.personal)
        offers = await self._offers(view, below, here)
        return page_words.private(view, own, beside, offers, voice)

    async def show(self, wanted: Wanted, here: Here) -> Message:
        """Put a board into the channel, once in ten minutes."""
        board, voice = which(wanted, here.place, self._today(here)), here.reader().voice
        if board is None or here.where.personal:
            return verdicts.stale(here.reader())
        language, today = here.place.language or here.where.locale or SOURCE, self._today(here)
        title = title_of(board.topic, self._library, language)
        view = await self._store.read(lambda c: read_view(c, board, here.place, today, title))
        args = board_words.snapshot(view, language)
        if await self._store.write(lambda c: self._post(c, args, here)):
            return pieces.said(voice, voice.say("The leaderboard is in the channel now."))
        return pieces.said(
            voice, voice.say("A leaderboard was shown here a moment ago; again in ten minutes.")
        )

    # --- seasons -------------------------------------------------------------------------

    async def new_season(self, here: Here, *, sure: bool) -> Message:
        """One that begins today; the one before can be read as long as there are boards."""
        voice = here.reader().voice
        if not here.may_arrange:
            return pieces.said(voice, voice.say("Only organisers can begin a new season."))
        if not sure:
            return page_words.sure_of_season(voice)
        community, today = here.place.community_id, self._today(here)
        await self._store.write(lambda c: seasons.begin_season(c, community, today), wakes=False)
        return await self.board(Wanted("place", "season"), here)

    # --- inside --------------------------------------------------------------------------

    def _today(self, here: Here) -> date:
        return self._store.today(here.place.zone)

    def _no_board_of(self, typed: str, scope: str, here: Here) -> Message:
        """What was meant by a word that is no quiz: a period that is misspelt, or another quiz."""
        voice, language = here.reader().voice, here.reader().language
        if get_close_matches(typed.casefold(), PERIODS, n=1, cutoff=_NEAR):
            return starting_words.bad_option(BadOption("period", typed), voice)
        found = self._library.find(typed)
        meant = (
            [topic.id for topic in found.suggestions if topic.topic_kind == "bank"]
            if isinstance(found, Unknown)
            else [bank.id for bank, _ in found.questions]
        )
        titles = {}
        for bank_id in list(dict.fromkeys(meant))[:_MOST_MEANT]:
            bank = self._library.bank(bank_id)
            if bank is not None:
                titles[bank.key] = read_bank(bank, language).title.text
        known: Scope = "community" if scope == "community" else "place"
        return page_words.no_leaderboard(typed, titles, known, voice)

    async def _beside(self, board: Board, today: date) -> Beside:
        """The seasons beside one, of those that have anybody on their board."""
        if board.period != "season":
            return Beside()
        community, place = board.community_id, board.place_id

        async def work(connection: Any) -> Beside:
            begun = await seasons.find_seasons(connection, community)
            played = await seasons.played_seasons(connection, community, place)
            first, now = rules.season(board.day, begun)[0], rules.season(today, begun)[0]
            before = [day for day in played if day < first]
            after = [day for day in played if first < day < now]
            return Beside(max(before, default=None), min(after, default=None))

        return await self._store.read(work)

    async def _offers(self, view: board_words.BoardView, below: int | None, here: Here) -> Offers:
        """Nothing is put into a channel that nobody else reads, nor from the middle of a board."""
        if here.where.personal or below:
            return Offers()
        keeps = here.is_organiser and not view.over
        kept = None
        if keeps:
            kept = await self._store.read(lambda c: standing.find_standing(c, here.place.id))
        same = kept is not None and (kept.scope, kept.period, kept.topic or "") == (
            view.scope,
            view.period,
            view.topic,
        )
        return Offers(
            show=view.share.players > 0,
            keep=keeps and not same,
            drop=kept is not None,
            season=view.period == "season" and not view.over and here.may_arrange,
        )

    def _post(self, connection: Connection, args: dict[str, Any], here: Here) -> bool:
        now = self._clock.now()
        last = posted.last_posted(connection, here.place.id, "board")
        if last is not None and now - last < _SHOWN_AGAIN:
            return False
        nonce = self._live.nonce()
        outbox.enqueue(connection, "board", here.place, due_at=now, nonce=nonce, args=args)
        return True
