"""What organisers do with the daily quizzes that there are."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import date
from difflib import get_close_matches

from sqlalchemy import Connection

from bot import tokens
from bot.daily_command import DAILY_PARTS
from bot.daily_lines import read_line
from bot.messages import Message, Spans
from bot.organising import Organising, is_here
from bot.past_dailies import PastDailies
from bot.ports import Clock
from bot.proposing import Proposing
from bot.readers import Here
from bot.schedules import Schedule
from bot.store import schedules
from bot.store.store import Store
from bot.windows import AskedAlready, NothingToAsk, OnItsWay, Windows
from bot.wording import dailies as words
from bot.wording import daily_faults, daily_lists, past_dailies
from bot.wording.daily_lists import LISTED_ON_A_PAGE
from bot.wording.dates import read_date, read_dates
from bot.wording.pages import Page, page_of
from bot.wording.pieces import said

MOST_DATES = 7
_FROM_NOTICES = ("now", "pause", "resume", "repeat", "adding")
"""What can be decided in the direct message in which somebody is told of it."""

_NEAR = 0.6

Act = Callable[[Schedule, Sequence[date], Here], Awaitable[Message]]


class Dailies:
    """Each command and each button of a daily quiz; only organisers get anything done by them."""

    def __init__(
        self,
        store: Store,
        organising: Organising,
        proposing: Proposing,
        windows: Windows,
        clock: Clock,
    ) -> None:
        self._store = store
        self._organising = organising
        self.proposing = proposing
        self._past_ones = PastDailies(store, organising)
        self._windows = windows
        self._clock = clock
        self._acts: Mapping[str, Act] = {
            "show": self._show,
            "change": self._change,
            "pause": self._pause,
            "resume": self._resume,
            "skip": self._skip,
            "next": self._skip_next,
            "unskip": self._unskip,
            "now": self._now,
            "preview": self._preview,
            "past": self._past,
            "remove": self._ask_to_remove,
            "removed": self._remove,
            "repeat": self._repeat,
            "adding": self._adding,
        }

    async def command(self, do: str, options: Mapping[str, str], here: Here) -> Message:
        """`do` is a part of the command; `words` are what was typed behind it."""
        refusal = self._organising.refusal(here)
        if refusal is not None:
            return refusal
        if do == "set":
            return await self.proposing.begin(options, here)
        if do == "list":
            return await self.all(here)
        if do not in self._acts or do not in DAILY_PARTS:
            line = " ".join(filter(None, (do, options.get("words", ""))))
            if "hour" in read_line(line, here.reader().voice):
                return await self.proposing.begin({"words": line}, here)
            return self._unknown(do, here)
        dates = self._dates(do, options, here)
        if isinstance(dates, Message):
            return dates
        meant = await self._meant(here)
        if not meant:
            return words.none_yet(here.reader().voice)
        if len(meant) > 1:
            looks = self._organising.titled(meant, here)
            return daily_lists.which(do, dates, looks, 0, here.reader().voice)
        return await self._acts[do](meant[0], dates, here)

    async def all(self, here: Here, page: int = 0) -> Message:
        refusal = self._organising.refusal(here)
        if refusal is not None:
            return refusal
        on = page_of(await self._organising.all(here), page, LISTED_ON_A_PAGE)
        looks = [await self._organising.look(one, here) for one in on.shown]
        return daily_lists.listed(Page(looks, on.number, on.pages), here.reader().voice)

    async def press(self, schedule_id: int, do: str, here: Here) -> Message:
        """A button of one of them."""
        return await self._do(schedule_id, do, (), here)

    async def picked(self, choice: tokens.DailyPick, value: str, here: Here) -> Message:
        """Which one is meant was chosen; what the token says may be forged."""
        dates = _isos(choice.dates)
        if dates is None or not value.isdecimal() or len(value) > 12:
            return words.gone(here.reader().voice)
        return await self._do(int(value), choice.do, dates, here)

    async def pick(self, choice: tokens.DailyPickPage, here: Here) -> Message:
        """A further page of those that may be meant."""
        refusal = self._organising.refusal(here)
        if refusal is not None:
            return refusal
        dates, voice = _isos(choice.dates), here.reader().voice
        meant = await self._meant(here)
        if dates is None or choice.do not in self._acts or not meant:
            return words.gone(voice)
        looks = self._organising.titled(meant, here)
        return daily_lists.which(choice.do, dates, looks, choice.page, voice)

    async def past(self, choice: tokens.PastDailies, here: Here) -> Message:
        """A further page of what one has asked."""
        refusal = self._organising.refusal(here)
        if refusal is not None:
            return refusal
        schedule = await self._organising.one(choice.schedule, here)
        if schedule is None:
            return words.gone(here.reader().voice)
        return await self._past_ones.page(schedule, choice.page, here)

    # --- inside --------------------------------------------------------------------------

    async def _meant(self, here: Here) -> list[Schedule]:
        """Those of this place; where it has none, all."""
        found = await self._organising.all(here)
        return [schedule for schedule in found if is_here(schedule.place, here)] or found

    async def _do(self, schedule_id: int, do: str, dates: Sequence[date], here: Here) -> Message:
        refusal = self._organising.refusal(here)
        if refusal is None:
            schedule = await self._organising.one(schedule_id, here)
        else:
            own = do in _FROM_NOTICES
            schedule = await self._organising.told_of(schedule_id, here) if own else None
            if schedule is None:
                return refusal
            if not await self._organising.still_organises(schedule, here):
                return words.organises_no_more(schedule.place, here.reader().voice)
        if schedule is None or do not in self._acts:
            return words.gone(here.reader().voice)
        return await self._acts[do](schedule, dates, here)

    def _unknown(self, typed: str, here: Here) -> Message:
        near = get_close_matches(typed.casefold(), DAILY_PARTS, n=1, cutoff=_NEAR)
        parts, voice = " | ".join(DAILY_PARTS), here.reader().voice
        return daily_faults.unknown_part(typed, near[0] if near else "", parts, voice)

    def _dates(self, do: str, options: Mapping[str, str], here: Here) -> list[date] | Message:
        """What `pause` and `skip` are given; nothing stands behind the others."""
        voice, today = here.reader().voice, self._clock.now().astimezone(here.zone).date()
        typed = options.get("words", "").strip()
        if do == "pause":
            typed = options.get("until", _behind_until(typed)).strip()
            until = read_date(typed, today, voice) if typed else None
            if typed and until is None:
                return daily_faults.bad_date(typed, voice)
            if until is not None and until <= today:
                return daily_faults.past_date(until, voice)
            return [] if until is None else [until]
        if do == "skip":
            typed = options.get("dates", typed).strip()
            found, wrong = read_dates(typed, today, voice)
            if wrong:
                return daily_faults.bad_date(wrong, voice)
            if not found:
                return daily_faults.which_dates(voice)
            if found[0] < today:
                return daily_faults.past_date(found[0], voice)
            return (
                daily_faults.too_many_dates(MOST_DATES, voice)
                if len(found) > MOST_DATES
                else [*found]
            )
        return self._unknown(typed, here) if typed else []

    async def _shown(self, schedule: Schedule, here: Here, *done: Spans) -> Message:
        if here.where.personal:
            # Its buttons are for where it posts.
            return said(here.reader().voice, *done)
        look = await self._organising.look(schedule, here)
        return words.one(look, here.reader().voice, done)

    async def _changed(self, work: Callable[[Connection], Schedule]) -> Schedule:
        return await self._store.write(work)

    # --- what is done --------------------------------------------------------------------

    async def _show(self, schedule: Schedule, _: Sequence[date], here: Here) -> Message:
        return await self._shown(schedule, here)

    async def _change(self, schedule: Schedule, _: Sequence[date], here: Here) -> Message:
        return await self.proposing.change(schedule, here)

    async def _pause(self, schedule: Schedule, dates: Sequence[date], here: Here) -> Message:
        until, now = next(iter(dates), None), self._clock.now()
        changed = await self._changed(lambda c: schedules.pause(c, schedule.id, now, until=until))
        return await self._shown(changed, here, words.paused(changed, here.reader().voice))

    async def _resume(self, schedule: Schedule, _: Sequence[date], here: Here) -> Message:
        voice, now = here.reader().voice, self._clock.now()
        if schedule.paused_at is None:
            return await self._shown(schedule, here, words.not_paused(voice))
        changed = await self._changed(lambda c: schedules.resume(c, schedule.id, now))
        return await self._shown(changed, here, words.resumed(voice))

    async def _skip(self, schedule: Schedule, dates: Sequence[date], here: Here) -> Message:
        last, now, voice = schedule.last_date, self._clock.now(), here.reader().voice
        if last is not None and last in dates and await self._past_ones.has_come(schedule, last):
            dates = [day for day in dates if day != last]
            if not dates:
                return await self._asked_already(schedule, last, here)
        changed = await self._changed(lambda c: schedules.skip(c, schedule.id, dates, now))
        return await self._shown(changed, here, words.skipped(dates, voice))

    async def _skip_next(self, schedule: Schedule, _: Sequence[date], here: Here) -> Message:
        if schedule.next_date is None:
            return await self._shown(schedule, here)
        return await self._skip(schedule, [schedule.next_date], here)

    async def _unskip(self, schedule: Schedule, _: Sequence[date], here: Here) -> Message:
        now = self._clock.now()
        changed = await self._changed(
            lambda c: schedules.unskip(c, schedule.id, schedule.skips, now)
        )
        return await self._shown(changed, here, words.skips_none(here.reader().voice))

    async def _ask_to_remove(self, schedule: Schedule, _: Sequence[date], here: Here) -> Message:
        return words.surely_remove(schedule, here.reader().voice)

    async def _remove(self, schedule: Schedule, _: Sequence[date], here: Here) -> Message:
        now = self._clock.now()
        await self._store.write(lambda c: schedules.remove_schedule(c, schedule.id, now))
        return words.removed(schedule, here.reader().voice)

    async def _now(self, schedule: Schedule, _: Sequence[date], here: Here) -> Message:
        voice = here.reader().voice
        look = await self._organising.look(schedule, here)
        if look.hindered:
            # A post that is surely refused would use the day up.
            return words.cannot_post(look, voice)
        match await self._windows.post_now(schedule):
            case OnItsWay(_, closes_at):
                return words.posting(schedule, closes_at, voice)
            case AskedAlready(day):
                return await self._asked_already(schedule, day, here)
            case NothingToAsk():
                return words.nothing_to_ask(schedule, voice)

    async def _asked_already(self, schedule: Schedule, day: date, here: Here) -> Message:
        link = await self._past_ones.link_of(schedule, day)
        return words.asked_already(schedule, link, here.reader().voice)

    async def _preview(self, schedule: Schedule, _: Sequence[date], here: Here) -> Message:
        found = await self._windows.preview(schedule)
        at = None if found.occasion is None else found.occasion.at
        return past_dailies.preview(schedule, at, found.questions, found.draws_left, here.reader())

    async def _past(self, schedule: Schedule, _: Sequence[date], here: Here) -> Message:
        return await self._past_ones.page(schedule, 0, here)

    async def _repeat(self, _: Schedule, __: Sequence[date], here: Here) -> Message:
        return said(here.reader().voice, words.repeats(here.reader().voice))

    async def _adding(self, _: Schedule, __: Sequence[date], here: Here) -> Message:
        return said(here.reader().voice, words.adding(here.reader().voice))


def _behind_until(typed: str) -> str:
    """The date itself: `until` may stand before it."""
    first, _, rest = typed.partition(" ")
    return rest if first.casefold() in ("until", "til", "till") else typed


def _isos(text: str) -> list[date] | None:
    """The dates of a token; None for what no token of ours says."""
    try:
        return [date.fromisoformat(part) for part in text.split(",") if part]
    except ValueError:
        return None
