"""Days of a daily quiz in three languages, while quizbot is killed wherever it hurts."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from conversation import Person, Seen
from killed_stage import KilledDiscord, KilledSlack
from quizzes import PORTS, PORTS_FR, right, write_bank
from sqlalchemy import NullPool, create_engine

from bot.store import totals

PORTS_SN = """\
title: Maport
questions:
  ssh:
    text: Sevha yeSSH inoteerera pa port ipi?
    options: {a: 21, b: 22, c: 2222}
    explain: 22 ndiyo port yeSSH.
  http:
    text: Sevha yeHTTP inoteerera pa port ipi?
    options: {a: 80, b: 443, c: 8080}
    explain: 80 ndiyo port yeHTTP.
"""

MORE = "".join(
    f"""\
  - id: more-{number}
    text: Is {number} a number?
    options: {{a: "yes", b: "no"}}
    correct: a
    explain: It is so.
"""
    for number in range(10)
)
"""So that nobody need be told that few are left."""

DAY = timedelta(days=1)
TEN = datetime(2026, 11, 30, 8, tzinfo=UTC)
"""Ten o'clock in Harare, of the first day."""

Stage = KilledDiscord | KilledSlack


@pytest.fixture(params=[KilledDiscord, KilledSlack])
async def stage(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stage]:
    write_bank(tmp_path / "banks", "ports", bank=PORTS + MORE, fr=PORTS_FR, sn=PORTS_SN)
    stage = request.param(tmp_path, TEN - timedelta(minutes=30))
    await stage.start()
    yield stage
    await stage.stop()


async def shows(stage: Stage, which: int, *words: str) -> Seen:
    """That message of the channel, as soon as it says all of this."""

    def is_so() -> bool:
        seen = stage.shown()
        return which < len(seen) and all(word in seen[which].text for word in words)

    try:
        await stage.until(is_so)
    except TimeoutError:
        texts = "\n---\n".join(seen.text for seen in stage.shown())
        pytest.fail(f"message {which} never said {words}; there is:\n{texts}")
    return stage.shown()[which]


async def told(stage: Stage, person: Person, words: str) -> Seen:
    """What they are told directly, as soon as it says this."""

    def found() -> list[Seen]:
        return [one for one in stage.direct(person) if words in one.text]

    try:
        await stage.until(found)
    except TimeoutError:
        texts = "\n---\n".join(seen.text for seen in [*stage.direct(person), *stage.shown()])
        pytest.fail(f"{person.name} was never told {words!r}; there is:\n{texts}")
    return found()[-1]


async def is_pressed_in_vain(stage: Stage, person: Person, question: Seen) -> None:
    """Killed when the answer was taken and nobody was told; they press again afterwards."""
    held = stage.holds_reply()
    pressing = asyncio.create_task(person.answers(right(question), on=question))
    await held.arrived.wait()
    await restart(stage)
    held.release()
    await asyncio.gather(pressing, return_exceptions=True)


async def is_noted(stage: Stage) -> None:
    """Nothing is on its way any more that quizbot would not know of when it is killed."""
    query = "SELECT count(*) FROM outbox WHERE state = 'claimed'"
    await stage.until(lambda: _ask(stage.folder / "quizbot.db", query) == 0)


async def lives_until(stage: Stage, at: datetime) -> None:
    """It is so late, and it was noted that quizbot was there all the time."""
    stage.move_to(at)
    query, least = "SELECT max(at) FROM heartbeats", at.timestamp() * 1e6
    await stage.until(lambda: _ask(stage.folder / "quizbot.db", query) >= least)


def _ask(file: Path, query: str) -> int:
    with closing(sqlite3.connect(file)) as connection:
        return int(connection.execute(query).fetchone()[0])


async def restart(stage: Stage) -> None:
    await stage.kill()
    await stage.start()


@pytest.mark.long
@pytest.mark.timeout(300)  # it may share the machine with others
async def test_days_go_by_though_it_is_killed_at_every_turn(stage: Stage, tmp_path: Path) -> None:
    olga = Person(stage, "Olga", organiser=True)
    ana, ines, rudo = (
        Person(stage, "Ana"),
        Person(stage, "Inès", locale="fr"),
        Person(stage, "Rudo"),
    )
    await olga.types("/language en")
    await rudo.types("/language sn")

    # What was entered and not saved yet is there afterwards.
    (await olga.types("/daily set 10 Africa/Harare ports order:in-order open:8h")).offers("Save")
    await restart(stage)
    (await olga.presses_told("Save")).says("Saved.")

    # Between the post and its record.
    held = stage.holds_post(after_effect=True)
    stage.move_to(TEN)
    await held.arrived.wait()
    await restart(stage)
    question = await shows(stage, 0, "SSH")
    if not stage.posts_once:
        await told(stage, olga, "I cannot tell whether the quiz of Nov 30, 2026")

    # Three people in three languages; of one the answer is taken, and the verdict lost.
    (await ana.answers("22", on=question)).says("Right, 10 points", "1 day in a row")
    copy = await ines.presses("Français", on=question)
    copy.says("Sur quel port écoute un serveur SSH ?")
    await is_pressed_in_vain(stage, ines, copy)
    (await ines.answers("22", on=copy)).says("22")
    label = next(label for label in question.buttons if "chiShona" in label)
    copy = await rudo.presses(label, on=question)
    copy.says("Sevha yeSSH inoteerera pa port ipi?")
    (await rudo.answers("2222", on=copy)).says("22 ndiyo port yeSSH.")
    await shows(stage, 0, "3 answered")

    # A board stands, and only it, whatever happens.
    await olga.types("/leaderboard")
    (await olga.presses_told("Keep it in the channel")).says("It stands in the channel")
    await shows(stage, 1, "1. Ana (1 of 1)", "Kept up to date")
    await is_noted(stage)
    await restart(stage)

    # The message becomes the answer.
    await lives_until(stage, TEN + timedelta(hours=8, seconds=-4))
    stage.move_to(TEN + timedelta(hours=8, seconds=3))
    await shows(stage, 0, "Right answer: ", "22 is the registered port for SSH.")

    # Before the second post is sent.
    await lives_until(stage, TEN + DAY - timedelta(seconds=4))
    held = stage.holds_post(after_effect=False)
    stage.move_to(TEN + DAY)
    await held.arrived.wait()
    await restart(stage)
    if not stage.posts_once:
        notice = await told(stage, olga, "I cannot tell whether the quiz of Dec 1, 2026")
        await stage.presses_direct(olga, notice, "Post now")

    # It opens with how the first went, and where that stands.
    question = await shows(stage, 2, "Yesterday 67% were right (3 took part): ", "See it", "HTTP")
    (await ana.answers("80", on=question)).says("Right, 10 points", "2 days in a row")
    (await ines.presses("Français", on=question)).says("HTTP")
    (await ana.types("/progress")).says(
        "2 days in a row.", "Ports: 2 of 2 (100%)", "20 since the beginning"
    )
    (await ines.types("/away until 2026-12-20")).says("20")
    (await rudo.types("/leaderboard")).says("1. Ana")
    await restart(stage)
    stage.move_to(TEN + DAY + timedelta(minutes=11))
    await shows(stage, 1, "December 2026", "1. Ana (1 of 1): 10")
    await restart(stage)
    assert len(stage.shown()) == 3

    # The verdicts that people were told are what is stored, once.
    await stage.kill()
    compare(tmp_path / "quizbot.db")


def compare(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        query = (
            "SELECT persons.name, sum(marks.points), count(*) FROM attempts"
            " JOIN marks USING (step_id, player_id)"
            " JOIN players ON players.id = attempts.player_id"
            " JOIN persons ON persons.id = players.person_id GROUP BY 1 ORDER BY 1"
        )
        found = connection.execute(query).fetchall()
        assert found == [("Ana", 20, 2), ("Inès", 10, 1), ("Rudo", 0, 1)]
        query = "SELECT date, state FROM occurrences ORDER BY date"
        states = connection.execute(query).fetchall()
        assert states == [("2026-11-30", "asked"), ("2026-12-01", "asked")]
    engine = create_engine(f"sqlite:///{file}", poolclass=NullPool)
    with engine.connect() as reading:
        assert totals.is_consistent(reading)
    engine.dispose()
