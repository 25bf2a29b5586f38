"""Totals are what the attempts come to, in whatever order they were committed."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import date

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, func, select, text, update
from store_model import (
    Asked,
    Model,
    expected_answers,
    stored_answers,
    stored_asked,
    stored_totals,
    verdict,
)
from store_world import NOON, add_place, add_step, add_version, close_step, draft, empty, opened

from bot.outcomes import Draft
from bot.store import people
from bot.store.addresses import StoreUnavailable
from bot.store.schema import boards, marks, occasions, totals
from bot.store.seasons import begin_season
from bot.store.store import Store
from bot.store.totals import Regraded, is_consistent, regrade, regrade_in_pieces

pytest_plugins = ["store_databases"]

# Ends of years, quarters and months that part a week, and a leap day.
DAYS = [
    date(2024, 2, 29),
    date(2024, 12, 29),
    date(2024, 12, 30),
    date(2025, 12, 31),
    date(2026, 1, 1),
    date(2026, 9, 30),
    date(2026, 10, 1),
    date(2026, 12, 27),
    date(2026, 12, 28),
    date(2027, 1, 3),
    date(2027, 1, 4),
]
PEOPLE = ["ada", "bob", "cho"]
QUESTIONS = ["q1", "q2"]


# --- what can happen: a later issue adds its own here, and in `happen` -----------------------


@dataclass(frozen=True)
class Ask:
    community: str
    place: str
    mode: str
    question: str
    day: date
    speed: bool


@dataclass(frozen=True)
class Press:
    asked: int
    """Counted from the first that was asked; beyond the last it begins again."""
    who: str
    answer: str
    after: float


@dataclass(frozen=True)
class Close:
    asked: int


@dataclass(frozen=True)
class Rekey:
    question: str
    right: str


@dataclass(frozen=True)
class Hide:
    who: str


@dataclass(frozen=True)
class MoveZone:
    community: str
    zone: str


@dataclass(frozen=True)
class BeginSeason:
    community: str
    day: date


Event = Press | Close | Rekey | Hide | MoveZone | BeginSeason

asks = st.builds(
    Ask,
    community=st.sampled_from(["c1", "c2"]),
    place=st.sampled_from(["p1", "p2"]),
    mode=st.sampled_from(["live", "live", "open", "open", "solo"]),
    question=st.sampled_from(QUESTIONS),
    day=st.sampled_from(DAYS),
    speed=st.booleans(),
)
presses = st.builds(
    Press,
    asked=st.integers(0, 7),
    who=st.sampled_from(PEOPLE),
    answer=st.sampled_from(["a", "b"]),
    after=st.sampled_from([1.0, 20.0, 59.5]),
)
others = st.one_of(
    st.builds(Close, asked=st.integers(0, 7)),
    st.builds(Rekey, question=st.sampled_from(QUESTIONS), right=st.sampled_from(["a", "b"])),
    st.builds(Hide, who=st.sampled_from(PEOPLE)),
    st.builds(
        MoveZone,
        community=st.sampled_from(["c1", "c2"]),
        zone=st.sampled_from(["Africa/Harare", "Pacific/Apia"]),
    ),
    st.builds(BeginSeason, community=st.sampled_from(["c1", "c2"]), day=st.sampled_from(DAYS)),
)
batches = st.lists(
    st.lists(st.one_of(presses, presses, presses, others), min_size=1, max_size=8),
    min_size=1,
    max_size=6,
)


class Play:
    """Does the same to a store and to the model."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.model = Model()
        self.ids: list[int] = []

    async def ask(self, ask: Ask) -> None:
        def work(connection):
            place = add_place(connection, ask.community, ask.place)
            return add_step(
                connection,
                place,
                version=add_version(connection, ask.question),
                mode=ask.mode,
                day=ask.day,
                speed=ask.speed,
            )

        step = await self.store.write(work)
        day = None if ask.mode == "solo" else ask.day
        self.model.open(
            Asked(
                step.id,
                ask.community,
                ask.place,
                ask.mode,
                ask.question,
                day,
                ask.speed,
                seconds=60,
                cutoff=None,
            )
        )
        self.ids.append(step.id)

    async def happen(self, events: list[Event]) -> None:
        """All at once: they share a transaction or two, in this order."""
        drafts = [self._draft(event) for event in events if isinstance(event, Press)]
        doing = [self._do(event) for event in events]
        expected = [self._expect(event) for event in events]
        results = await asyncio.gather(*doing)
        told = [verdict(result) for result in results if result is not None]
        assert told == [verdict for verdict in expected if verdict is not None], drafts

    def _draft(self, press: Press) -> Draft:
        step_id = self.ids[press.asked % len(self.ids)]
        return draft(step_id, press.who, press.answer, after=press.after)

    async def _do(self, event: Event):
        match event:
            case Press():
                return await self.store.record(self._draft(event))
            case Close(asked):
                step_id = self.ids[asked % len(self.ids)]
                await self.store.write(lambda c: close_step(c, step_id))
            case Rekey(question, right):
                await self.store.write(lambda c: add_version(c, question, right))
            case Hide(who):
                person = draft(0, who).person

                def hide(connection):
                    made = people.ensure_person(connection, person, NOON)
                    people.set_hidden(connection, made.id, True)

                await self.store.write(hide)
            case MoveZone(community, zone):
                await self.store.write(lambda c: add_place(c, community, zone=zone))
            case BeginSeason(community, day):
                await self.store.write(
                    lambda c: begin_season(c, add_place(c, community).community_id, day)
                )
        return None

    def _expect(self, event: Event) -> str | None:
        match event:
            case Press():
                return self.model.press(self._draft(event))
            case Close(asked):
                self.model.close(self.ids[asked % len(self.ids)])
            case Rekey(question, right):
                self.model.keys[question] = right
            case BeginSeason(community, day):
                self.model.seasons.setdefault(community, set()).add(day)
            case Hide() | MoveZone():
                pass  # nothing that totals know of
        return None

    async def compare(self) -> None:
        assert await stored_answers(self.store) == expected_answers(self.model)
        assert await stored_totals(self.store) == self.model.totals()
        assert await stored_asked(self.store) == self.model.asked()


async def play(url: str, asked: list[Ask], happening: list[list[Event]]) -> None:
    async with opened(url) as store:
        here = Play(store)
        for ask in asked:
            await here.ask(ask)
        for events in happening:
            await here.happen(events)
        await here.compare()
        stale = sum(
            given.right != here.model.keys.get(given.asked.question, "a")
            for given in here.model.given.values()
        )
        assert await store.write(is_consistent) == (stale == 0)
        before = here.model.totals()
        here.model.regrade()
        regraded = await regrade_in_pieces(store)
        changed = here.model.totals() != before
        assert regraded == Regraded(len(here.model.given), stale, totals_changed=changed)
        await here.compare()
        assert await store.write(is_consistent)


@pytest.fixture(autouse=True, scope="module")
def small_chunks():
    """So that a few answers are read in several goes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bot.store.totals._ANSWERS", 2)
        patch.setattr("bot.store.totals._PLAYERS", 3)
        yield


LIMITS = settings(
    deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


@settings(LIMITS, max_examples=25)
@given(asked=st.lists(asks, min_size=1, max_size=6), happening=batches)
def test_on_sqlite_totals_are_what_the_attempts_come_to(sqlite_url, asked, happening):
    empty(sqlite_url)
    asyncio.run(play(sqlite_url, asked, happening))


@settings(LIMITS, max_examples=10)
@given(asked=st.lists(asks, min_size=1, max_size=6), happening=batches)
def test_on_postgresql_totals_are_what_the_attempts_come_to(emptied_url, asked, happening):
    empty(emptied_url)
    asyncio.run(play(emptied_url, asked, happening))


# --- what can go wrong with them -------------------------------------------------------------


@pytest.fixture
async def store(database_url):
    async with opened(database_url) as store:
        yield store


async def answered(store: Store) -> None:
    """Three people answered two questions, one of them both."""

    def ask(connection):
        place = add_place(connection)
        return [add_step(connection, place, name=name) for name in QUESTIONS]

    one, two = await store.write(ask)
    presses = [draft(one, who) for who in PEOPLE] + [draft(two, "ada", "b")]
    await asyncio.gather(*map(store.record, presses))


@pytest.mark.parametrize(
    "spoil",
    [
        delete(totals).where(totals.c.points > 0),
        update(totals).values(points=totals.c.points + 1),
        update(totals).values(answered=totals.c.answered + 1),
        update(totals).values(right=totals.c.right + 1),
        update(marks).values(points=marks.c.points + 1),
        update(marks).values(is_right=~marks.c.is_right),
        delete(marks),
        update(boards).values(asked=boards.c.asked + 1),
        delete(occasions),
    ],
    ids=str,
)
async def test_what_is_spoilt_is_noticed_and_mended(store, spoil):
    await answered(store)
    before = [await stored(store) for stored in (stored_totals, stored_answers, stored_asked)]
    assert await store.write(is_consistent)
    await store.write(lambda c: c.execute(spoil).rowcount)
    assert not await store.write(is_consistent)
    await store.write(regrade)
    after = [await stored(store) for stored in (stored_totals, stored_answers, stored_asked)]
    assert after == before
    assert await store.write(is_consistent)


async def test_a_total_that_nobody_earned_is_taken_away(store):
    await answered(store)
    before = await stored_totals(store)
    unearned = text("DELETE FROM attempts WHERE answer LIKE '%b%'")
    await store.write(lambda c: c.execute(unearned))
    assert not await store.write(is_consistent)
    regraded = await store.write(regrade)
    assert regraded == Regraded(attempts=3, changed=0, totals_changed=True)
    counted = select(func.count()).select_from(marks)
    assert await store.write(lambda c: c.execute(counted).scalar_one()) == 3
    assert await stored_totals(store) != before


async def test_looking_changes_nothing(store):
    await answered(store)
    await store.write(lambda c: add_version(c, "q1", right="b"))
    before = await stored_totals(store), await stored_answers(store)
    assert not await store.write(is_consistent)
    assert (await stored_totals(store), await stored_answers(store)) == before


async def test_a_repaired_key_changes_what_an_answer_is_worth_and_not_which_one_counts(store):
    def ask(connection):
        place = add_place(connection)
        return [add_step(connection, place) for _ in range(2)]

    steps = await store.write(ask)
    for step, answer in zip(steps, "ba", strict=True):
        await store.record(draft(step, "ada", answer))
    await store.write(lambda c: add_version(c, "q1", right="b"))
    assert await store.write(regrade) == Regraded(attempts=2, changed=2, totals_changed=True)
    answers = await stored_answers(store)
    assert answers[steps[0].id, "ada"][1:] == (True, True, 10)
    assert answers[steps[1].id, "ada"][1:] == (False, False, 0)


async def test_people_go_on_answering_while_all_is_marked_anew(store):
    step = await store.write(lambda c: add_step(c, add_place(c)))
    for number in range(8):
        await store.record(draft(step, f"person {number}", "ab"[number % 2]))
    await store.write(lambda c: add_version(c, "q1", right="b"))
    await store.write(lambda c: c.execute(update(totals).values(points=totals.c.points + 1)))

    async def answer() -> None:
        for number in range(8):
            await store.record(draft(step, f"late {number}", "b"))

    regrading = asyncio.create_task(regrade_in_pieces(store))
    await answer()
    assert not regrading.done(), "nobody waited until all was marked anew"
    regraded = await regrading
    assert 8 <= regraded.attempts <= 16
    assert (regraded.changed, regraded.totals_changed) == (8, True)
    assert await store.write(is_consistent)


async def test_where_it_was_interrupted_it_begins_anew_and_nothing_is_counted_twice(store):
    step = await store.write(lambda c: add_step(c, add_place(c)))
    for number in range(8):
        await store.record(draft(step, f"person {number}", "ab"[number % 2]))
    before = await stored_totals(store)
    await store.write(lambda c: c.execute(update(totals).values(points=totals.c.points + 1)))
    write, left = store.write, 4

    async def until_then(work, *, wakes=True):
        nonlocal left
        left -= 1
        if left < 0:
            raise StoreUnavailable("The disk is full.")
        return await write(work, wakes=wakes)

    store.write = until_then
    with pytest.raises(StoreUnavailable):
        await regrade_in_pieces(store)
    store.write = write
    halfway = await stored_totals(store)
    assert 0 < sum(halfway[key] == before[key] for key in before) < len(before)
    assert (await regrade_in_pieces(store)).changed == 0
    assert await stored_totals(store) == before
    assert await store.write(is_consistent)
