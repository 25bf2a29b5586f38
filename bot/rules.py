"""How it plays, as pure functions: what an answer is worth, and when things open and close."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal, TypeVar

from bot.content import Question
from bot.state import RoundState

Item = TypeVar("Item")

RIGHT_POINTS = 10
DEFAULT_COUNT = 10
MOST_QUESTIONS = 50
SHORTEST_SECONDS, LONGEST_SECONDS = 10, 3600
MORE_TIME = timedelta(seconds=60)
GRACE = timedelta(seconds=2)
UNTIL_NEXT = timedelta(hours=24)
GIVE_UP_AFTER = timedelta(hours=1)
LEAST_AFTER_RESTART = timedelta(seconds=20)
UNANSWERED_TO_PAUSE = 2
SPREAD_FROM = 3
FULL_SPEED_SECONDS = 0.5

# --- the round's states ----------------------------------------------------------------------

RoundEvent = Literal["posted", "closed", "went-quiet", "next", "finished"]

TRANSITIONS: Mapping[RoundState, Mapping[RoundEvent, RoundState]] = {
    # A question is on its way to the place.
    "waiting": {"posted": "asking", "finished": "ended"},
    "asking": {"closed": "reading", "went-quiet": "paused", "finished": "ended"},
    # The answer stands there to be read.
    "reading": {"next": "waiting", "finished": "ended"},
    # Two questions in a row had no answer.
    "paused": {"next": "waiting", "finished": "ended"},
    "ended": {},
}


def after(state: RoundState, event: RoundEvent) -> RoundState | None:
    """The state that follows, or None where the event means nothing any more."""
    return TRANSITIONS[state].get(event)


# --- drawing ---------------------------------------------------------------------------------


def draw(items: Sequence[Item], count: int | None, chance: random.Random) -> tuple[Item, ...]:
    """Questions for a round, in the order in which they will be asked."""
    wanted = DEFAULT_COUNT if count is None else count
    return tuple(chance.sample(items, min(wanted, len(items))))


def shuffle(question: Question, chance: random.Random) -> tuple[str, ...]:
    """The order in which the options are shown, the same for everybody."""
    return tuple(chance.sample(question.keys, len(question.keys)))


# --- time ------------------------------------------------------------------------------------


def seconds_for(question: Question) -> int:
    """How long a question stands: 20 s and one for every two words, between 45 and 180.

    Counted in the longest of its languages, so that no reader has less time than they need.
    """
    words = max(
        words_in((text.text or "", *text.options.values())) for text in question.texts.values()
    )
    return _between(20 + words // 2, 45, 180)


def time_for(question: Question, wished: int | None) -> int | None:
    """The seconds for a question of a live round; 0 was wished for none, None for its own."""
    if wished == 0:
        return None
    return seconds_for(question) if wished is None else wished


def reading_seconds(question: Question) -> int:
    """How long the answer stands before the next question: a second for three words, 8 to 45."""
    words = max(words_in((text.explain or "",)) for text in question.texts.values())
    return _between(words // 3, 8, 45)


def words_in(texts: Iterable[str]) -> int:
    """How many words; where a script does not space them, two characters are one."""
    count = 0
    for word in " ".join(texts).split():
        unspaced = sum(1 for sign in word if _is_unspaced(sign))
        count += (unspaced + 1) // 2 + (1 if unspaced < len(word) else 0)
    return count


def may_close_early(
    *, position: int, answered: Set[int], recent: Set[int], more_time: bool
) -> bool:
    """Everyone who is here has answered; half of the time must have gone too.

    `answered` are the players of this step, `recent` those of the two steps before it.
    """
    return position > 1 and not more_time and bool(recent) and recent <= answered


def recent_to(position: int) -> list[int]:
    """The positions of the questions whose players count as being here."""
    return list(range(max(1, position - 2), position))


def platform_now(opened_at: datetime, opened_host_at: datetime, now: datetime) -> datetime:
    """The platform's clock, read off its instant of the opening and what the host saw pass."""
    return opened_at + (now - opened_host_at)


def elapsed_seconds(pressed_at: datetime, opened_at: datetime | None) -> float:
    """Seconds from opening to press; a press before the opening is known counts as at opening."""
    if opened_at is None:
        return 0.0
    return max(0.0, (pressed_at - opened_at).total_seconds())


# --- marks -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Mark:
    """What an answer is worth under a question's key, if it counts."""

    is_right: bool
    points: int


def mark(
    question: Question,
    answer: tuple[str, ...],
    *,
    speed: bool,
    elapsed: float | None,
    seconds: int | None,
) -> Mark:
    """A choice is right if a right option was chosen. Points are whole and never negative.

    With `speed`, 10 × (1 − t ÷ 2T): full under half a second, half at the end of the time;
    half a point is rounded up.
    """
    if not answer or not question.correct.issuperset(answer):
        return Mark(is_right=False, points=0)
    if not speed or not seconds or elapsed is None or elapsed < FULL_SPEED_SECONDS:
        return Mark(is_right=True, points=RIGHT_POINTS)
    # The formula over a common divisor, with a half added: of 6.5 points it makes 7.
    halves = (2 * RIGHT_POINTS + 1) * seconds - RIGHT_POINTS * min(elapsed, seconds)
    return Mark(is_right=True, points=int(halves // (2 * seconds)))


def iso_week(day: date) -> str:
    """`2026-W49`: the week, from Monday, in which an attempt on a question counts once."""
    year, week, _ = day.isocalendar()
    return f"{year}-W{week:02d}"


def periods(day: date, seasons: Sequence[date] = ()) -> tuple[tuple[str, str], ...]:
    """The periods whose boards an attempt of this date stands on, with their first days.

    `seasons` are the dates on which organisers let one begin, in order.
    """
    monday = day - timedelta(days=day.weekday())
    return (
        ("today", day.isoformat()),
        ("week", monday.isoformat()),
        ("month", day.replace(day=1).isoformat()),
        ("season", season(day, seasons)[0].isoformat()),
        ("all", ""),
    )


def season(day: date, seasons: Sequence[date] = ()) -> tuple[date, date | None]:
    """The first and last day of the season that a date lies in; None for one without an end yet.

    Quarters, until organisers let one begin; from then on each lasts until they begin another.
    """
    begun = [starts for starts in seasons if starts <= day]
    following = next((starts for starts in seasons if starts > day), None)
    ends = None if following is None else following - timedelta(days=1)
    if begun:
        return begun[-1], ends
    first = day.replace(month=(day.month - 1) // 3 * 3 + 1, day=1)
    quarter_ends = (first + timedelta(days=100)).replace(day=1) - timedelta(days=1)
    return first, quarter_ends if ends is None else min(ends, quarter_ends)


def _between(value: int, least: int, most: int) -> int:
    return max(least, min(value, most))


def _is_unspaced(sign: str) -> bool:
    """Thai to Khmer, and the Chinese and Japanese scripts; Korean spaces its words."""
    code = ord(sign)
    return (
        0x0E00 <= code <= 0x0EFF
        or 0x1000 <= code <= 0x109F
        or 0x1780 <= code <= 0x17FF
        or 0x3040 <= code <= 0x30FF
        or 0x3400 <= code <= 0x9FFF
        or 0xF900 <= code <= 0xFAFF
        or 0x20000 <= code <= 0x3FFFF
    )
