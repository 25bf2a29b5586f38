"""A daily quiz, whatever happens to it: never twice, never lost without a word, no answer lost."""

from __future__ import annotations

import asyncio
import logging
import tempfile
from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest
from bare_stage import BareStage
from conversation import Person, Seen, jump, pass_time
from daily_story import plan, set_daily
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from quizzes import write_banks
from sqlalchemy import Connection, func, select

from bot.ports import Abilities, Failed, Later, PostResult, Refused, Unknown
from bot.store import totals
from bot.store.schema import attempts, notices, occurrences, outbox, rounds, steps, timers

NAMES = ("Ana", "Ben", "Cleo")
HOUR = 3600


@dataclass(frozen=True)
class Presses:
    """An answer, Start, or what one is offered next."""

    name: str
    label: str


@dataclass(frozen=True)
class Passes:
    """So many seconds, in which everything happens at its instant."""

    seconds: int


@dataclass(frozen=True)
class Jumps:
    """So many seconds at once: what fell due in them happens afterwards."""

    seconds: int


@dataclass(frozen=True)
class Restarts:
    away: int


@dataclass(frozen=True)
class Fails:
    """What the next post, or the next edit, comes to."""

    result: PostResult
    edit: bool


@dataclass(frozen=True)
class Decides:
    """The organiser reads what there is to tell, and has it posted again where that is offered."""


Action = Presses | Passes | Jumps | Restarts | Fails | Decides

actions = st.one_of(
    st.builds(
        Presses,
        st.sampled_from(NAMES),
        st.sampled_from(["A", "B", "Start", "Next question", "Explain to me"]),
    ),
    st.builds(Passes, st.sampled_from([1, 7, 40])),
    st.builds(Jumps, st.sampled_from([HOUR, 5 * HOUR, 24 * HOUR, 30 * HOUR])),
    st.builds(Restarts, st.sampled_from([0, 600, 5 * HOUR, 8 * HOUR, 50 * HOUR])),
    st.builds(
        Fails,
        st.sampled_from(
            [Later(3), Later(20 * HOUR), Failed(2), Unknown(), Refused("no", gone=True)]
        ),
        st.booleans(),
    ),
    st.builds(Decides),
)


async def act(stage: BareStage, people: dict[str, Person], action: Action) -> None:
    match action:
        case Presses(name, label):
            await press(stage, people[name], label)
        case Passes(seconds):
            await pass_time(stage, seconds)
        case Jumps(seconds):
            await jump(stage, seconds)
        case Restarts(away):
            await stage.restart(away)
        case Fails(result, edit):
            if edit:
                stage.surface.edit_answers.append(result)
            else:
                stage.surface.answers.append(result)
        case Decides():
            olga = Person(stage, "Olga", organiser=True)
            if (await olga.types("/quizzes")).button("Post now"):
                await olga.presses_told("Post now")


async def press(stage: BareStage, person: Person, label: str) -> Seen | None:
    if person.told.button(label) is not None:
        return await person.presses_told(label)
    for message in reversed(await stage.channel()):
        if message.button(label) is not None:
            return await person.presses(label, on=message)
    return None


async def play(script: list[Action], folder: Path, *, count: int, resend: float) -> None:
    stage = BareStage(f"sqlite:///{folder / 'quizbot.db'}", [write_banks(folder / "banks")])
    stage.surface.abilities = Abilities(resend_seconds=resend, message_links=True)
    await stage.start()
    try:
        people = {name: Person(stage, name) for name in NAMES}
        await set_daily(stage, plan(count=count))
        await set_daily(stage, plan("11:00", count=1, open_for=timedelta(hours=2)))
        await jump(stage, HOUR)
        for action in script:
            await act(stage, people, action)
        stage.surface.answers.clear()
        stage.surface.edit_answers.clear()
        await jump(stage, 21 * HOUR)
        await stage.store.write(check_dates)
        for _ in range(3):
            await jump(stage, 24 * HOUR)
        await stage.store.write(check_rest)
    finally:
        await stage.stop()


def check_dates(connection: Connection) -> None:
    """Each date once, one message at most, and what did not stand there was told."""
    rows = connection.execute(select(occurrences)).all()
    assert rows, "nothing was ever asked"
    once = Counter((row.schedule_id, row.date) for row in rows)
    assert max(once.values()) == 1
    made = connection.execute(
        select(outbox.c.round_id, func.count())
        .where(outbox.c.kind == "daily", outbox.c.op == "post")
        .group_by(outbox.c.round_id)
    ).all()
    assert all(count == 1 for _, count in made)
    told = " ".join(row.args + row.matter for row in connection.execute(select(notices)))
    for row in rows:
        if row.state in ("missed", "unknown", "empty"):
            assert row.date in told, f"nobody was told of {row.date}, which is {row.state}"


def check_rest(connection: Connection) -> None:
    """Only the newest stand open, nothing waits, and totals are what the answers come to."""

    def number(query: object) -> int:
        return int(connection.execute(query).scalar_one())  # type: ignore[call-overload]

    open_rounds = select(func.count()).where(rounds.c.ended_at.is_(None), rounds.c.mode == "open")
    assert number(open_rounds) <= 2
    ended = select(rounds.c.id).where(rounds.c.ended_at.is_not(None), rounds.c.mode == "open")
    left = select(func.count()).where(
        steps.c.round_id.in_(ended), steps.c.opened_at.is_not(None), steps.c.closed_at.is_(None)
    )
    assert number(left) == 0
    waiting = outbox.c.state.in_(("due", "claimed"))
    assert number(select(func.count()).where(waiting)) == 0
    overdue = timers.c.done_at.is_(None) & timers.c.round_id.in_(ended)
    assert number(select(func.count()).where(overdue)) == 0
    pairs = select(attempts.c.step_id, attempts.c.player_id).distinct().subquery()
    assert number(select(func.count()).select_from(attempts)) == number(
        select(func.count()).select_from(pairs)
    )
    assert totals.is_consistent(connection)


@pytest.mark.long
@settings(max_examples=15, suppress_health_check=list(HealthCheck), print_blob=True)
@given(
    script=st.lists(actions, min_size=1, max_size=12),
    kind=st.sampled_from([(1, 0.0), (1, 120.0), (3, 0.0)]),
)
def test_a_daily_comes_once_a_date_whatever_happens(
    caplog: pytest.LogCaptureFixture, script: list[Action], kind: tuple[int, float]
) -> None:
    count, resend = kind
    caplog.clear()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(play(script, Path(folder), count=count, resend=resend))
    bugs = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert bugs == []
