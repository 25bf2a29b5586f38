"""Boards that stand in channels, as organisers set them and take them away."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from bot.calls import Click
from bot.library import Library
from bot.messages import Message
from bot.ports import Clock
from bot.rankings import Wanted, board_of, read_view, title_of, which
from bot.readers import Here
from bot.schedules import StandingBoard
from bot.standing import StandingBoards
from bot.store import standing
from bot.store.standing import NewBoard
from bot.store.store import Store
from bot.wording import boards as words
from bot.wording import pieces, verdicts
from bot.wording.catalogues import SOURCE


class Keeping:
    """One board a place, for whoever organises what happens there."""

    def __init__(
        self, store: Store, library: Library, boards: StandingBoards, clock: Clock
    ) -> None:
        self._store = store
        self._library = library
        self._boards = boards
        self._clock = clock

    async def keep(self, wanted: Wanted, here: Here) -> Message:
        """Have a board stand here from now on, instead of any other."""
        board, voice = which(wanted, here.place, self._today(here)), here.reader().voice
        if board is None or here.where.personal:
            return verdicts.stale(here.reader())
        if not here.is_organiser:
            return words.organisers_keep(voice)
        # The setting of the community comes first, also one that is made later.
        language = here.where.locale if here.place.language is None else None
        scope: words.Scope = "community" if board.place_id is None else "place"
        new = NewBoard(scope, board.period, board.topic, language)
        now = self._clock.now()
        await self._store.write(lambda c: self._boards.keep(c, here.place, new, now))
        return words.kept(voice)

    async def drop(self, here: Here) -> Message:
        """The board that stands here stays as it is, and says so."""
        voice = here.reader().voice
        if not here.is_organiser:
            return words.organisers_keep(voice)
        kept = await self._store.read(lambda c: standing.find_standing(c, here.place.id))
        if kept is None:
            return pieces.said(voice, voice.say("No leaderboard stands in this channel."))
        said, now = await self._as_it_is(kept, here), self._clock.now()
        await self._store.write(lambda c: self._boards.drop(c, here.place, said, now))
        return pieces.said(
            voice, voice.say("The leaderboard in this channel is kept up to date no more.")
        )

    async def learn_message(self, click: Click, here: Here) -> None:
        """A press on a board of which nobody knew whether it was posted tells where it stands.

        Where it was said anew by then, the one that was pressed says that it is kept no more.
        """
        message = click.message
        if message is None or click.on_private:
            return
        place = here.place.id
        doubted = await self._store.read(lambda c: standing.find_doubted(c, place))
        if doubted is None or message == doubted.message:
            return
        said, now = await self._as_it_is(doubted.board, here), self._clock.now()
        await self._store.write(lambda c: self._boards.found(c, here.place, message, said, now))

    async def _as_it_is(self, kept: StandingBoard, here: Here) -> Mapping[str, Any]:
        """What a board says from now on that is kept up to date no more."""
        today, language = self._today(here), here.place.language or kept.language or SOURCE
        board, title = board_of(kept, today), title_of(kept.topic, self._library, language)
        view = await self._store.read(lambda c: read_view(c, board, here.place, today, title))
        return words.snapshot(view, language)

    def _today(self, here: Here) -> date:
        return self._store.today(here.place.zone)
