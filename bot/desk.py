"""The private pages: boards, quizzes, answers, languages, names, settings, help."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any, Literal, assert_never

from sqlalchemy import Connection

from bot import languages
from bot.calls import Submission
from bot.commands import BadOption
from bot.library import Library
from bot.live import LiveRounds
from bot.messages import Choice, Form, Message, Reply
from bot.ports import Abilities, Clock, Surface
from bot.readers import Here, Readers
from bot.state import Share
from bot.store import boards, outbox, people, posted, results
from bot.store.boards import Board
from bot.store.store import Store
from bot.wording import boards as board_words
from bot.wording import lists as words
from bot.wording import pieces, verdicts
from bot.wording import settings as setting_words
from bot.wording import starting as starting_words
from bot.wording.boards import BoardView
from bot.wording.catalogues import SOURCE
from bot.wording.voice import own_name
from bot.zones import known_zone, near_zones

_SCOPES = ("place", "community")
_MOST_PAGES = 100_000
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

    def help(self, here: Here, prefix: str) -> Message:
        return words.help_page(here.reader(), prefix=prefix, organiser=here.is_organiser)

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

    def pick_language(self, step_id: int, here: Here) -> Message:
        reader = here.reader()
        chosen = here.person.language if here.person else None
        return words.languages(step_id, languages.known(self._library), chosen, reader.voice)

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

    # --- the settings of a community -----------------------------------------------------

    async def settings(self, here: Here, *, saved: bool = False) -> Message:
        voice = here.reader().voice
        if not here.is_organiser:
            return setting_words.organisers_only(voice)
        names = await self._store.read(
            lambda c: people.place_names(c, here.place.community_id, here.place.start_places)
        )
        zone, abilities = self._store.zone.key, self._abilities(here)
        return setting_words.summary(here.place, zone, names, abilities, voice, saved=saved)

    async def settings_form(self, part: str, here: Here) -> Reply:
        known = self._part(part, here)
        if known is None or not here.is_organiser:
            return await self.settings(here)
        return self._form(known, here)

    async def save_settings(self, part: str, submission: Submission, here: Here) -> Reply:
        """Save one form; a form with an error comes back with what to mend."""
        known, voice = self._part(part, here), here.reader().voice
        if known is None or not here.is_organiser:
            return await self.settings(here)
        value = submission.values.get(known, "").strip()
        if known == "zone" and known_zone(value) is None:
            error = setting_words.unknown_zone(value, near_zones(value, 3), voice)
            return setting_words.with_error(self._form(known, here), known, value, error)
        change = self._change(known, value, submission)
        await self._store.write(lambda c: change(c, here.place.community_id))
        self._readers.forget_places()
        return await self.settings(await self._readers.here(here.who, here.where), saved=True)

    # --- what may be meant while it is typed ---------------------------------------------

    def suggest(self, source: str, typed: str, here: Here, limit: int = 25) -> tuple[Choice, ...]:
        """For an option or a field of a form, by what the table of commands calls its source."""
        language = here.reader().language
        match source:
            case "topic":
                found = self._library.suggest(typed, language, limit)
                return tuple(Choice(title.id, title.title) for title in found)
            case "language":
                wanted = typed.casefold()
                tags = [
                    tag
                    for tag in languages.known(self._library)
                    if wanted in tag.casefold() or wanted in own_name(tag).casefold()
                ]
                return tuple(Choice(tag, own_name(tag)) for tag in tags[:limit])
            case "zone":
                return tuple(Choice(zone, zone) for zone in near_zones(typed, limit))
            case _:
                return ()

    # --- inside --------------------------------------------------------------------------

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

    def _part(self, part: str, here: Here) -> setting_words.Part | None:
        """None for a part that there is not, or not here."""
        known = setting_words.parts_for(self._abilities(here))
        return next((one for one in known if one == part), None)

    def _form(self, part: setting_words.Part, here: Here) -> Form:
        zone, abilities = self._store.zone.key, self._abilities(here)
        voice = here.reader().voice
        return setting_words.form(
            part, here.place, zone, languages.known(self._library), abilities, voice
        )

    def _change(
        self, part: setting_words.Part, value: str, submission: Submission
    ) -> Callable[[Connection, int], None]:
        """What a form's values come to; a value that no form of ours offers changes nothing."""
        match part:
            case "language":
                language = value if value in languages.known(self._library) else None
                return lambda c, key: people.set_post_language(c, key, language)
            case "zone":
                return lambda c, key: people.set_zone(c, key, known_zone(value))
            case "names":
                names: Literal["shown", "hidden"] = "hidden" if value == "hidden" else "shown"
                return lambda c, key: people.set_names(c, key, names)
            case "organisers":
                return lambda c, key: people.set_organisers(c, key, _ids(value))
            case "starting":
                who: Literal["everyone", "organisers"] = (
                    "organisers" if value == "organisers" else "everyone"
                )
                channels = _ids(submission.values.get("channels", ""))
                return lambda c, key: people.set_starting(c, key, who, channels)
            case "threads":
                return lambda c, key: people.set_threads(c, key, value == "on")
            case _:
                assert_never(part)


def _ids(value: str) -> list[str]:
    """What a field of people or places comes back with; 25 is the most that a form takes."""
    return [part for part in value.split(",") if part][:25]
