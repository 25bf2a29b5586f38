"""What stands in a place, composed from the state as it is now: for sending, editing, reloading."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.calls import Where
from bot.daily_posts import DailyPosts
from bot.library import Library
from bot.messages import Message
from bot.ports import Clock, Surface, Target
from bot.rankings import board_of, read_view, title_of
from bot.readers import Readers
from bot.state import Place, Round, Step
from bot.store import lookups, posted, results, standing, still_asked, timers
from bot.store.entries import Entry
from bot.store.store import Store
from bot.wording import boards as board_words
from bot.wording import lists as list_words
from bot.wording import notices as notice_words
from bot.wording import questions as question_words
from bot.wording import results as result_words
from bot.wording.catalogues import SOURCE
from bot.wording.names import CommandNames
from bot.wording.pieces import Reader
from bot.wording.results import Result
from bot.wording.voice import Voice


@dataclass(frozen=True, slots=True)
class Post:
    """A message of a place. `id` grows with time; `message_id` is the platform's."""

    id: int
    message_id: str
    posted_at: datetime
    message: Message


class Posts:
    """Composes public messages. None means that there is nothing to say any more."""

    def __init__(
        self,
        store: Store,
        library: Library,
        readers: Readers,
        surfaces: Mapping[str, Surface],
        clock: Clock,
        prefixes: Mapping[str, str],
    ) -> None:
        self._prefixes = prefixes
        self._store = store
        self._surfaces = surfaces
        self._library = library
        self._readers = readers
        self._clock = clock
        self._dailies = DailyPosts(library, surfaces)

    async def compose(self, entry: Entry) -> Message | None:
        """The message of an outbox row, as it should stand at this moment."""
        return await self._store.read(lambda c: self._compose(c, entry))

    async def question(self, step_id: int) -> Message | None:
        """A question while it is open, and its answer once it is closed; of a daily its message."""
        return await self._store.read(lambda c: self._question(c, step_id))

    async def standing_in(
        self, where: Where, *, before: int | None = None, limit: int = 50
    ) -> tuple[Post, ...]:
        """The messages of a place, oldest first: the newest ones, or those before a post."""
        place = await self._readers.place(where)

        async def work(connection: AsyncConnection) -> tuple[Post, ...]:
            entries = await posted.posts_in(connection, place.id, before=before, most=limit)
            posts = [await self._post(connection, entry) for entry in entries]
            return tuple(post for post in posts if post is not None)

        return await self._store.read(work)

    async def result_of(self, round_: Round) -> Result:
        return await self._store.read(lambda c: self._result_of(c, round_))

    async def _compose(self, connection: AsyncConnection, entry: Entry) -> Message | None:
        match entry.kind:
            case "question" if entry.step_id is not None:
                step = await lookups.find_step(connection, entry.step_id)
                if step is None or _is_unsayable(entry, step):
                    return None
                return await self._as_it_stands(connection, step)
            case "result" if entry.round_id is not None:
                return await self._result(connection, entry.round_id)
            case "daily" if entry.round_id is not None:
                return await self._dailies.entry(connection, entry, self._clock.now())
            case "notice":
                names = CommandNames(self._prefixes.get(entry.place.platform, "/"))
                return notice_words.notice(entry.args, self._voice(entry.place, entry.args), names)
            case "welcome":
                names = CommandNames(self._prefixes.get(entry.place.platform, "/"))
                return list_words.welcome(self._voice(entry.place, entry.args), names)
            case "board":
                return board_words.shown(entry.args, self._voice(entry.place, entry.args))
            case "standing" if "view" in entry.args:
                return board_words.stood(entry.args, self._voice(entry.place, entry.args))
            case "standing":
                return await self._standing(connection, entry)
            case _:
                return None

    async def _question(self, connection: AsyncConnection, step_id: int) -> Message | None:
        step = await lookups.find_step(connection, step_id)
        if step is not None and step.round.mode == "open":
            return await self._dailies.compose(connection, step.round.id, self._clock.now())
        return None if step is None else await self._as_it_stands(connection, step)

    async def _as_it_stands(self, connection: AsyncConnection, step: Step) -> Message:
        reader, bank = self._reader(step.round), self._library.bank(step.bank)
        now = self._clock.now()
        if step.closed_at is None:
            answered = await results.answered_count(connection, step.id)
            closes_at = _closes_at(step, now)
            return question_words.public_question(step, bank, reader, answered, closes_at, now)
        tally = await results.tally_of(connection, step.id)
        next_at = await timers.next_timer_of(connection, step.round.id, step.id)
        is_last = step.position == await lookups.last_asked(connection, step.round.id)
        # What was told before a daily began to ask it stays as it stands.
        kept = await still_asked.read_until(
            connection, step.round, {step.question_id}, now, begun_by=step.closed_at
        )
        return question_words.reveal(
            step, bank, reader, tally, next_at, now, is_last_asked=is_last, kept=kept
        )

    async def _result_of(self, connection: AsyncConnection, round_: Round) -> Result:
        asked = await lookups.steps_of(connection, round_.id)
        opened = [step for step in asked if step.opened_at is not None]
        standings = await results.standings_of(connection, round_.id)
        tallies = [(step, await results.tally_of(connection, step.id)) for step in opened]
        kept = await still_asked.read_until(
            connection, round_, {step.question_id for step in opened}, self._clock.now()
        )
        left_out = sum(1 for step in asked if step.position < 1)
        links = await self._links(connection, round_)
        return Result(round_, standings, tallies, links, left_out, kept)

    async def _links(self, connection: AsyncConnection, round_: Round) -> dict[int, str]:
        surface = self._surfaces.get(round_.place.platform)
        if surface is None or not surface.abilities.message_links:
            return {}
        target = Target(round_.place.community, round_.place.place)
        standing = sorted(await posted.questions_of(connection, round_.id))
        # The first question of a thread is its parent, and stands outside.
        inside = replace(target, thread=standing[0][1]) if round_.thread and standing else target
        links = {
            position: surface.link(inside if index else target, message)
            for index, (position, message) in enumerate(standing)
        }
        return {position: link for position, link in links.items() if link is not None}

    async def _result(self, connection: AsyncConnection, round_id: int) -> Message | None:
        round_ = await lookups.find_round(connection, round_id)
        if round_ is None:
            return None
        result = await self._result_of(connection, round_)
        return result_words.result(result, self._reader(round_), names=round_.place.names_shown)

    async def _standing(self, connection: AsyncConnection, entry: Entry) -> Message | None:
        """A board as it is now, in the language of the place's posts."""
        kept = await standing.find_standing(connection, entry.place.id)
        if kept is None or kept.outbox_id != (entry.id if entry.edits is None else entry.edits):
            return None
        place, today = kept.place, self._store.today(kept.place.zone)
        language = place.language or kept.language or SOURCE
        title = title_of(kept.topic, self._library, language)
        view = await read_view(connection, board_of(kept, today), place, today, title)
        return board_words.standing(view, Voice.of(language, self._readers.zone_of(place)))

    async def _post(self, connection: AsyncConnection, entry: Entry) -> Post | None:
        message = await self._compose(connection, entry)
        if message is None or entry.message_id is None or entry.posted_at is None:
            return None
        return Post(entry.id, entry.message_id, entry.posted_at, message)

    def _reader(self, round_: Round) -> Reader:
        zone = self._readers.zone_of(round_.place)
        return Reader(round_.language, Voice.of(round_.language, zone))

    def _voice(self, place: Place, args: Mapping[str, Any]) -> Voice:
        language = args.get("language") or place.language or SOURCE
        return Voice.of(language, self._readers.zone_of(place))


def _is_unsayable(entry: Entry, step: Step) -> bool:
    """A question of a round that has ended meanwhile; a change of one that nobody has seen."""
    if entry.op == "post" and entry.message_id is None:
        return step.opened_at is None and step.round.ended_at is not None
    return entry.op == "edit" and entry.standing is None and step.closed_at is None


def _closes_at(step: Step, now: datetime) -> datetime | None:
    """On its way to the place a question says when it will close if it arrives now."""
    if not step.seconds:
        return None
    return step.cutoff_at or now + timedelta(seconds=step.seconds)
