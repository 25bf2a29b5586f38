"""What stands in a place, composed from the state as it is now: for sending, editing, reloading."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.calls import Where
from bot.content import Language
from bot.library import Library
from bot.messages import Message
from bot.ports import Clock, Surface, Target
from bot.readers import Readers
from bot.state import Place, Round, Step, Tally
from bot.store import due, rounds
from bot.store.due import Entry
from bot.store.store import Store
from bot.wording import boards as board_words
from bot.wording import lists as list_words
from bot.wording import questions as question_words
from bot.wording import results as result_words
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
    ) -> None:
        self._store = store
        self._surfaces = surfaces
        self._library = library
        self._readers = readers
        self._clock = clock

    async def compose(self, entry: Entry) -> Message | None:
        """The message of an outbox row, as it should stand at this moment."""
        match entry.kind:
            case "question":
                return None if entry.step_id is None else await self.question(entry.step_id)
            case "result":
                return None if entry.round_id is None else await self._result(entry.round_id)
            case "welcome":
                return list_words.welcome(self._voice(entry.place, entry.args))
            case "board":
                return board_words.shown(entry.args, self._voice(entry.place, entry.args))

    async def question(self, step_id: int) -> Message | None:
        """A question while it is open, and its answer once it is closed."""
        step = await self._store.read(lambda c: rounds.find_step(c, step_id))
        if step is None:
            return None
        reader = self._reader(step.round)
        if step.closed_at is None:
            return await self._open_question(step, reader)
        tally = await self._tally(step.id)
        next_at = await self._store.read(lambda c: due.next_timer_of(c, step.round.id, step.id))
        last = await self._store.read(lambda c: rounds.last_asked(c, step.round.id))
        bank, now = self._library.bank(step.bank), self._clock.now()
        return question_words.reveal(
            step, bank, reader, tally, next_at, now, is_last_asked=step.position == last
        )

    async def standing_in(
        self, where: Where, *, before: int | None = None, limit: int = 50
    ) -> tuple[Post, ...]:
        """The messages of a place, oldest first: the newest ones, or those before a post."""
        place = await self._readers.place(where)
        entries = await self._store.read(
            lambda c: due.posts_in(c, place.id, before=before, most=limit)
        )
        return tuple([post for entry in entries if (post := await self._post(entry)) is not None])

    async def result_of(self, round_: Round) -> Result:
        asked = await self._store.read(lambda c: rounds.steps_of(c, round_.id))
        opened = [step for step in asked if step.opened_at is not None]
        standings = await self._store.read(lambda c: rounds.standings_of(c, round_.id))
        tallies = [(step, await self._tally(step.id)) for step in opened]
        return Result(round_, standings, tallies, await self._links(round_))

    async def _open_question(self, step: Step, reader: Reader) -> Message:
        now = self._clock.now()
        answered = await self._store.read(lambda c: rounds.answered_count(c, step.id))
        # On its way to the place it says when it will close if it arrives now.
        lasts = timedelta(seconds=step.seconds or 0)
        closes_at = (step.cutoff_at or now + lasts) if step.seconds else None
        bank = self._library.bank(step.bank)
        return question_words.public_question(step, bank, reader, answered, closes_at, now)

    async def _links(self, round_: Round) -> dict[int, str]:
        surface = self._surfaces.get(round_.place.platform)
        if surface is None or not surface.abilities.message_links:
            return {}
        target = Target(round_.place.community, round_.place.place)
        standing = await self._store.read(lambda c: due.questions_of(c, round_.id))
        links = {position: surface.link(target, message) for position, message in standing}
        return {position: link for position, link in links.items() if link is not None}

    async def _tally(self, step_id: int) -> Tally:
        return await self._store.read(lambda c: rounds.tally_of(c, step_id))

    async def _result(self, round_id: int) -> Message | None:
        round_ = await self._store.read(lambda c: rounds.find_round(c, round_id))
        if round_ is None:
            return None
        result = await self.result_of(round_)
        return result_words.result(result, self._reader(round_), names=round_.place.names_shown)

    async def _post(self, entry: Entry) -> Post | None:
        message = await self.compose(entry)
        if message is None or entry.message_id is None or entry.posted_at is None:
            return None
        return Post(entry.id, entry.message_id, entry.posted_at, message)

    def _reader(self, round_: Round) -> Reader:
        zone = self._readers.zone_of(round_.place)
        return Reader(round_.language, Voice.of(round_.language, zone))

    def _voice(self, place: Place, args: object) -> Voice:
        language: Language = place.language or "en"
        if isinstance(args, dict) and isinstance(args.get("language"), str):
            language = args["language"]
        return Voice.of(language, self._readers.zone_of(place))
