"""How one person does: their points, streak and last days, and the time for which they are away."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.library import Library
from bot.messages import Form, Message, Reply
from bot.ports import Clock
from bot.rankings import title_of
from bot.readers import Here, Readers
from bot.reading import Words
from bot.shared_reads import SharedReads
from bot.state import OwnRank, TopicShare
from bot.store import boards, people, streaks
from bot.store import progress as records
from bot.store.boards import Board
from bot.store.store import Store
from bot.streaks import Streak, streak_of
from bot.wording import dates
from bot.wording import lists as list_words
from bot.wording import progress as words
from bot.wording.names import CommandNames
from bot.wording.progress import LAST_DAYS, Day, DayKind, Standing

LONGEST_AWAY = timedelta(days=366)
_DAY = timedelta(days=1)
_EXAMPLE = timedelta(days=14)
_OFF = ("off", "no")

Span = tuple[date, date]
_Key = tuple[int, int]  # community, person


@dataclass(frozen=True, slots=True)
class _Record:
    """What a streak is made of."""

    asked: Sequence[date] = ()
    answered: Collection[date] = ()
    still_open: Collection[date] = ()
    away: Sequence[Span] = ()

    @property
    def streak(self) -> Streak | None:
        if not self.asked:
            return None
        return streak_of(self.asked, self.answered, still_open=self.still_open, away=self.away)


class Streaks:
    """What people are told of themselves over many days."""

    def __init__(self, store: Store, library: Library, readers: Readers, clock: Clock) -> None:
        self._store = store
        self._library = library
        self._readers = readers
        self._clock = clock
        self._records = SharedReads(self._read_records)

    async def of(self, here: Here) -> Streak | None:
        """Theirs in this community; None where there never was a daily quiz."""
        return (await self._record(here)).streak

    async def said_with(self, verdict: Message, here: Here) -> Message:
        """The verdict on a daily with the streak that it makes."""
        # Who has just answered for the first time is somebody now.
        here = await self._readers.here(here.who, here.where, here.call)
        streak = await self.of(here)
        if streak is None or not streak.days:
            return verdict
        said = list_words.with_note(verdict, words.streak_words(streak, here.reader().voice))
        told = await self._told_of_freezes(said, streak, here)
        assert isinstance(told, Message), "a message stays one"
        return told

    async def told_of_freezes(self, reply: Reply, here: Here) -> Reply:
        """With the first private reply after a freeze stood in for a day, that it did."""
        if here.person is None or isinstance(reply, Form) or here.where.personal:
            return reply
        return await self._told_of_freezes(reply, await self.of(here), here)

    # --- progress ------------------------------------------------------------------------

    async def progress(self, here: Here) -> Message:
        return words.progress(await self.standing(here), here.reader().voice)

    async def standing(self, here: Here) -> Standing:
        record, today = await self._record(here), self._today(here)
        since, person = today - (LAST_DAYS - 1) * _DAY, here.person
        month: OwnRank | None = None
        ever: OwnRank | None = None
        active: Collection[date] = ()
        topics: Sequence[TopicShare] = ()
        if person is not None:
            community, key, read = here.place.community_id, person.id, self._store.read
            of_month = Board(community, None, "month", today)
            month = await read(lambda c: boards.read_own(c, of_month, key))
            of_all = Board(community, None, "all", today)
            ever = await read(lambda c: boards.read_own(c, of_all, key))
            active = await read(lambda c: records.active_dates(c, community, key, since))
            topics = await read(lambda c: records.read_topics(c, community, key))
        return Standing(
            month=month,
            ever=ever,
            streak=record.streak,
            topics=self._titled(topics, here),
            days=_days(since, today, record, active),
            away=_running(record.away, today),
        )

    # --- being away ----------------------------------------------------------------------

    async def away(self, options: Mapping[str, str], here: Here, names: CommandNames) -> Message:
        """Be away until a date, be back, or see which it is."""
        typed, voice, today = (
            options.get("until", "").strip(),
            here.reader().voice,
            self._today(here),
        )
        if here.where.personal:
            return words.no_streaks_here(voice)
        if not typed:
            span = _running((await self._record(here)).away, today)
            return words.away(span, today + _EXAMPLE, voice, names.of("away"))
        if typed.casefold() in _OFF:
            return await self.come_back(here)
        until = dates.read_date(typed, today, voice)
        if until is None:
            return words.no_date(typed, today + _EXAMPLE, voice)
        if until < today:
            return words.date_is_past(until, voice)
        if until - today > LONGEST_AWAY:
            return words.date_is_far(today + LONGEST_AWAY, voice)
        await self._readers.known_person(here.who)
        community, now = here.place.community_id, self._clock.now()

        def work(connection: Connection) -> None:
            player = people.ensure_player(connection, here.who, community, now)
            streaks.set_away(connection, player, today, until)

        await self._store.write(work, wakes=False)
        return words.away_set((today, until), voice)

    async def come_back(self, here: Here) -> Message:
        person, community, today = here.person, here.place.community_id, self._today(here)
        player = None
        if person is not None:
            player = await self._store.read(lambda c: people.find_player(c, community, person.id))
        was_away = player is not None and await self._store.write(
            lambda c: streaks.end_away(c, player, today), wakes=False
        )
        return words.back_again(was_away, here.reader().voice)

    # --- inside --------------------------------------------------------------------------

    def _today(self, here: Here) -> date:
        return self._store.today(here.place.zone)

    async def _told_of_freezes(self, reply: Message, streak: Streak | None, here: Here) -> Message:
        person, community = here.person, here.place.community_id
        if person is None or here.where.personal or streak is None or not streak.spent:
            return reply
        known = await self._store.read(lambda c: records.last_freeze_told(c, community, person.id))
        news = [day for day in streak.spent if known is None or day > known]
        if not news or not await self._store.write(
            lambda c: records.set_freeze_told(c, community, person.id, news[-1]), wakes=False
        ):
            return reply
        return list_words.with_note(reply, words.freeze_spent(news, here.reader().voice))

    async def _record(self, here: Here) -> _Record:
        person, community = here.person, here.place.community_id
        if person is None:
            dates = await self._store.read(lambda c: streaks.daily_dates(c, community))
            return _Record(dates.asked)
        return await self._records.get((community, person.id))

    async def _read_records(self, keys: Collection[_Key]) -> Mapping[_Key, _Record]:
        """All in one read: the last question of a daily is answered by many at once."""
        by_community: dict[int, list[int]] = {}
        for community, person in keys:
            by_community.setdefault(community, []).append(person)

        async def work(connection: AsyncConnection) -> Mapping[_Key, _Record]:
            found: dict[_Key, _Record] = {}
            for community, persons in by_community.items():
                asked, still_open = await streaks.daily_dates(connection, community)
                away = await streaks.away_of(connection, community, persons)
                answered = await streaks.answered_dates(connection, community, persons)
                for person in persons:
                    record = _Record(asked, answered[person], still_open, away[person])
                    found[community, person] = record
            return found

        return await self._store.read(work)

    def _titled(self, topics: Sequence[TopicShare], here: Here) -> list[tuple[TopicShare, Words]]:
        """Without the quizzes that are there no more."""
        language = here.reader().language
        titled = [(share, title_of(share.topic, self._library, language)) for share in topics]
        return [(share, title) for share, title in titled if title is not None]


def _running(spans: Sequence[Span], today: date) -> Span | None:
    """The time away that it is now, or that is to come."""
    return next((span for span in spans if span[1] >= today), None)


def _days(since: date, today: date, record: _Record, active: Collection[date]) -> list[Day]:
    """Each day up to today. Before somebody's first daily they missed none."""
    first = min(record.answered, default=None)
    streak = record.streak
    spent = streak.spent if streak is not None else ()

    def kind_of(day: date) -> DayKind:
        if day in record.answered:
            return "answered"
        if day in record.asked and day in record.still_open:
            return "open"
        if day in spent:
            return "frozen"
        if any(begins <= day <= ends for begins, ends in record.away):
            return "away"
        if day in record.asked and first is not None and day > first:
            return "missed"
        return "active" if day in active else "none"

    count = (today - since).days + 1
    return [Day(day, kind_of(day)) for day in (since + ahead * _DAY for ahead in range(count))]
