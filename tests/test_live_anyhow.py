"""A live round, whatever happens to it, comes to its end and keeps its answers."""

from __future__ import annotations

import asyncio
import logging
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest
from bare_stage import BareStage
from conversation import Person, Seen, jump, pass_time
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from quizzes import write_banks
from sqlalchemy import func, select

from bot.ports import Abilities, Failed, Later, PostResult, Refused, Unknown
from bot.store import totals
from bot.store.schema import attempts, outbox, rounds, steps, timers

NAMES = ("Ana", "Ben", "Cleo")


@dataclass(frozen=True)
class Says:
    name: str
    text: str


@dataclass(frozen=True)
class Presses:
    """The button of this label on the newest message that has it."""

    name: str
    label: str


@dataclass(frozen=True)
class Asks:
    """A button of the private page behind More."""

    name: str
    label: str


@dataclass(frozen=True)
class Passes:
    seconds: int


@dataclass(frozen=True)
class Restarts:
    away: int


@dataclass(frozen=True)
class Fails:
    """What the next post, or the next edit, comes to."""

    result: PostResult
    edit: bool


Action = Says | Presses | Asks | Passes | Restarts | Fails

people = st.sampled_from(NAMES)
actions = st.one_of(
    st.builds(Says, people, st.sampled_from(["/quiz ports", "/quiz ports off", "/stop"])),
    st.builds(Presses, people, st.sampled_from(["A", "B", "C", "Next", "Continue"])),
    st.builds(Presses, people, st.sampled_from(["A", "B", "C"])),
    st.builds(Asks, people, st.sampled_from(["A minute more", "Next", "Stop the quiz"])),
    st.builds(Passes, st.sampled_from([1, 5, 23, 46, 60])),
    st.builds(Restarts, st.sampled_from([0, 3, 600])),
    st.builds(
        Fails,
        st.sampled_from([Later(3), Failed(2), Unknown(), Refused("no", gone=True)]),
        st.booleans(),
    ),
)


async def act(stage: BareStage, action: Action) -> None:
    match action:
        case Says(name, text):
            await Person(stage, name).types(text)
        case Presses(name, label):
            await press(stage, name, label)
        case Asks(name, label):
            person = Person(stage, name)
            if await press(stage, name, "More", person) and person.told.button(label):
                await person.presses_told(label)
        case Passes(seconds):
            await pass_time(stage, seconds)
        case Restarts(away):
            await stage.restart(away)
        case Fails(result, edit):
            if edit:
                stage.surface.edit_answers.append(result)
            else:
                stage.surface.answers.append(result)


async def press(
    stage: BareStage, name: str, label: str, person: Person | None = None
) -> Seen | None:
    person = person or Person(stage, name)
    for message in reversed(await stage.channel()):
        if message.button(label) is not None:
            return await person.presses(label, on=message)
    return None


async def play(script: list[Action], folder: Path, *, resend: float) -> None:
    stage = BareStage(f"sqlite:///{folder / 'quizbot.db'}", [write_banks(folder / "banks")])
    stage.surface.abilities = Abilities(resend_seconds=resend)
    await stage.start()
    try:
        await Person(stage, NAMES[0]).types("/quiz ports")
        for action in script:
            await act(stage, action)
        stage.surface.answers.clear()
        stage.surface.edit_answers.clear()
        for _ in range(6):
            await jump(stage, 30)
        for _ in range(8):
            await jump(stage, 24 * 3600 + 5)
        await check(stage)
    finally:
        await stage.stop()


async def check(stage: BareStage) -> None:
    """Everything has ended, everything was said, and the points are what the answers come to."""
    for message in await stage.channel():
        assert not message.options, f"it stands open for ever:\n{message.text}"
        message.does_not_offer("Next", "Continue")

    def counts(connection):
        def number(query):
            return connection.execute(query).scalar_one()

        open_ = steps.c.opened_at.is_not(None) & steps.c.closed_at.is_(None)
        waiting = outbox.c.state.in_(("due", "claimed"))
        return {
            "rounds": number(select(func.count()).where(rounds.c.ended_at.is_(None))),
            "open steps": number(select(func.count()).where(open_)),
            "rows": number(select(func.count()).where(waiting)),
            "timers": number(select(func.count()).where(timers.c.done_at.is_(None))),
            "doubled": number(select(func.count()).select_from(attempts))
            - number(
                select(func.count()).select_from(
                    select(attempts.c.step_id, attempts.c.player_id).distinct().subquery()
                )
            ),
            "wrong totals": int(not totals.is_consistent(connection)),
        }

    found = await stage.store.write(counts)
    assert found == dict.fromkeys(found, 0)


@pytest.mark.long
@settings(max_examples=15, suppress_health_check=list(HealthCheck), print_blob=True)
@given(
    script=st.lists(actions, min_size=1, max_size=12),
    resend=st.sampled_from([0.0, 120.0]),
)
def test_a_round_comes_to_its_end_whatever_happens(
    caplog: pytest.LogCaptureFixture, script: list[Action], resend: float
) -> None:
    caplog.clear()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(play(script, Path(folder), resend=resend))
    bugs = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert bugs == []
