"""What happens around a database while it is in use: nothing half done, nobody misled."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
import store_victim
from sqlalchemy import event, text
from store_world import (
    AskedStep,
    add_place,
    add_step,
    add_version,
    close_step,
    draft,
    opened,
    table,
)

from bot.outcomes import First, Late, Recorded
from bot.store import engines
from bot.store.opening import StoreUnavailable
from bot.store.store import Store
from bot.store.totals import is_consistent

pytest_plugins = ["store_databases"]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 3 MB."""
    folder = tmp_path / "small"
    folder.mkdir()
    _as_root("mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(folder))
    yield folder
    _as_root("umount", "-l", str(folder))


def _as_root(*command: str) -> None:
    if sys.platform != "linux" or os.geteuid() != 0 or shutil.which(command[0]) is None:
        pytest.skip("only root on Linux can mount a file system")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"mounting is not possible here: {done.stderr.strip()}")


async def rush(store: Store, step: AskedStep, size: int) -> list[object]:
    """So many people answer at once."""
    presses = [draft(step, f"{step.id}-{index}", name="N" * 200) for index in range(size)]
    return await asyncio.gather(*map(store.record, presses), return_exceptions=True)


async def test_a_full_disk_is_told_to_every_caller_and_works_again_with_space(small_disk):
    def ask(connection):
        place = add_place(connection)
        return [add_step(connection, place, name=f"q{number}") for number in range(50)]

    async with opened(f"sqlite:///{small_disk}/quiz.db") as store:
        ahead = iter(await store.write(ask))
        results = await rush(store, next(ahead), 100)
        ballast = small_disk / "ballast"
        ballast.write_bytes(bytes(shutil.disk_usage(small_disk).free))
        while not isinstance(results[-1], StoreUnavailable):
            results += await rush(store, next(ahead), 1_000)
        acknowledged = Counter(type(result) for result in results)
        assert set(acknowledged) == {First, StoreUnavailable}
        assert "the disk is full: free some space" in str(results[-1])
        assert len(await table(store, "attempts")) == acknowledged[First]
        ballast.unlink()
        after = await rush(store, next(ahead), 100)
        assert Counter(type(result) for result in after) == {First: 100}
        assert len(await table(store, "attempts")) == acknowledged[First] + 100
        assert await store.write(is_consistent)


async def test_a_disk_without_room_for_a_database_is_called_full(small_disk):
    (small_disk / "ballast").write_bytes(bytes(shutil.disk_usage(small_disk).free - 20_000))
    with pytest.raises(StoreUnavailable, match="disk is full"):
        async with opened(f"sqlite:///{small_disk}/quiz.db"):
            pass


async def test_a_disk_that_is_mounted_read_only_is_called_so(small_disk):
    url = f"sqlite:///{small_disk}/quiz.db"
    async with opened(url) as store:
        await store.write(add_place)
    _as_root("mount", "-o", "remount,ro", str(small_disk))
    for file in ("quiz.db", "new.db"):
        with pytest.raises(StoreUnavailable, match="let this user"):
            async with opened(f"sqlite:///{small_disk}/{file}"):
                pass
    _as_root("mount", "-o", "remount,rw", str(small_disk))
    async with opened(url) as store:
        assert len(await table(store, "places")) == 1


async def test_a_lock_by_another_program_is_told_and_passes(sqlite_url, tmp_path, monkeypatch):
    monkeypatch.setattr(engines, "BUSY_SECONDS", 0.05)
    async with opened(sqlite_url) as store:
        step = await store.write(lambda c: add_step(c, add_place(c)))
        with closing(sqlite3.connect(tmp_path / "quiz.db")) as other:
            other.execute("BEGIN IMMEDIATE")
            results = await asyncio.gather(
                store.record(draft(step)), store.write(add_place), return_exceptions=True
            )
            assert [type(result) for result in results] == [StoreUnavailable] * 2
            assert "in use by another program" in str(results[0])
            other.rollback()
        assert isinstance(await store.record(draft(step)), First)


async def test_a_transaction_has_the_file_to_itself_from_its_beginning(sqlite_url, tmp_path):
    """Else what it read could be changed before it writes, and it would have to fail."""

    def look(connection):
        with closing(sqlite3.connect(tmp_path / "quiz.db", timeout=0)) as other:
            with pytest.raises(sqlite3.OperationalError, match="locked"):
                other.execute("BEGIN IMMEDIATE")
            # Whoever reads is not kept waiting.
            assert other.execute("SELECT count(*) FROM places").fetchone() == (0,)

    async with opened(sqlite_url) as store:
        await store.write(look)


async def test_what_follows_the_end_of_a_transaction_is_not_told_as_stored(sqlite_url):
    """SQLite undoes everything at some failures; the rest would be committed piece by piece."""

    def end(connection):
        connection.exec_driver_sql("ROLLBACK")

    async with opened(sqlite_url) as store:
        step = await store.write(lambda c: add_step(c, add_place(c)))
        results = await asyncio.gather(
            store.record(draft(step, "ada")),
            store.write(end),
            store.record(draft(step, "bob")),
            return_exceptions=True,
        )
        assert [type(result) for result in results] == [StoreUnavailable] * 3
        assert await table(store, "attempts") == []


@pytest.fixture
def killed(sqlite_url: str) -> set[int]:
    """A process was killed while it recorded; the steps whose answers it had acknowledged."""
    command = [sys.executable, store_victim.__file__, sqlite_url]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as victim:
        assert victim.stdout is not None
        acknowledged = {int(victim.stdout.readline()) for _ in range(20)}
        victim.kill()
        return acknowledged | {int(line) for line in victim.stdout if line.endswith("\n")}


async def test_acknowledged_answers_survive_a_kill_and_none_is_there_twice(sqlite_url, killed):
    async with opened(sqlite_url) as store:
        stored = Counter(row["step_id"] for row in await table(store, "attempts"))
        assert {stored[step_id] for step_id in killed} == {store_victim.PRESSES}
        assert len(stored) <= len(killed) + 1
        assert await store.write(is_consistent)


# --- PostgreSQL ------------------------------------------------------------------------------


def hang_up(url: str) -> None:
    """End every connection to the database but this one."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


async def test_connections_that_were_lost_while_idle_are_made_anew_unnoticed(emptied_url):
    async with opened(emptied_url) as store:
        step = await store.write(lambda c: add_step(c, add_place(c)))
        await table(store, "attempts")
        await asyncio.to_thread(hang_up, emptied_url)
        assert isinstance(await store.record(draft(step)), First)
        assert len(await table(store, "attempts")) == 1


async def test_a_connection_lost_in_the_middle_is_begun_again_without_doubling(emptied_url):
    async with opened(emptied_url) as store:
        step = await store.write(lambda c: add_step(c, add_place(c)))
        tries: list[int] = []

        def interrupted(connection):
            tries.append(1)
            if len(tries) == 1:
                hang_up(emptied_url)
            return connection.execute(text("SELECT 1")).scalar_one()

        results = await asyncio.gather(store.record(draft(step)), store.write(interrupted))
        assert [type(result) for result in results] == [First, int]
        assert len(tries) == 2
        assert len(await table(store, "attempts")) == 1


async def test_a_connection_lost_at_the_commit_is_told_and_not_tried_again(emptied_url):
    """Whether it was stored cannot be known; who presses again is told the truth then."""
    tries: list[int] = []
    async with opened(emptied_url) as store:
        step = await store.write(lambda c: add_step(c, add_place(c)))
        engine = store._writer._engine

        def interrupt(connection):
            hang_up(emptied_url)

        event.listen(engine, "commit", interrupt)
        results = await asyncio.gather(
            store.record(draft(step)),
            store.write(lambda c: tries.append(1)),
            return_exceptions=True,
        )
        event.remove(engine, "commit", interrupt)
        assert [type(result) for result in results] == [StoreUnavailable] * 2
        assert "is not reached" in str(results[0]) or "ended the connection" in str(results[0])
        assert len(tries) == 1
        assert isinstance(await store.record(draft(step)), First)


async def test_a_close_waits_for_the_answers_that_were_in_time(emptied_url):
    """Without the lock on the step, an answer would count after the close was committed."""
    async with opened(emptied_url) as one, opened(emptied_url) as two:
        step = await one.write(lambda c: add_step(c, add_place(c)))
        loop = asyncio.get_running_loop()
        closing: list[Future[None]] = []

        def close_elsewhere(connection):
            work = two.write(lambda c: close_step(c, step.id))
            closing.append(asyncio.run_coroutine_threadsafe(work, loop))
            assert any(connection.execute(blocked).scalar_one() for _ in range(10_000))

        blocked = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
        made, _ = await asyncio.gather(
            one.record(draft(step)), one.write(close_elsewhere, apart=False)
        )
        assert isinstance(made, First)
        await asyncio.wrap_future(closing[0])
        assert isinstance(await one.record(draft(step, "bob")), Late)


async def test_a_deadlock_between_two_processes_is_begun_again(emptied_url):
    async with opened(emptied_url) as one, opened(emptied_url) as two:
        await one.write(lambda c: [add_place(c, "c1"), add_place(c, "c2")])
        first_lock = [asyncio.Event(), asyncio.Event()]
        loop = asyncio.get_running_loop()

        def lock_both(mine: int, names: tuple[str, str]):
            def work(connection):
                for name in names:
                    rename = text("UPDATE communities SET name = :n WHERE external_id = :c")
                    connection.execute(rename, {"n": f"by {mine}", "c": name})
                    loop.call_soon_threadsafe(first_lock[mine].set)
                    other = asyncio.run_coroutine_threadsafe(first_lock[1 - mine].wait(), loop)
                    other.result(10)

            return work

        await asyncio.gather(
            one.write(lock_both(0, ("c1", "c2"))), two.write(lock_both(1, ("c2", "c1")))
        )
        names = {row["name"] for row in await table(one, "communities")}
        assert len(names) == 1


async def test_a_key_that_changes_while_an_answer_waits_for_it_marks_that_answer(emptied_url):
    """Joined to its version in one statement, the question would be found without any."""
    async with opened(emptied_url) as one, opened(emptied_url) as two:
        step = await one.write(lambda c: add_step(c, add_place(c)))
        loop = asyncio.get_running_loop()
        waiting: list[Future[Recorded]] = []

        def change(connection):
            add_version(connection, "q1", right="b")
            answering = two.record(draft(step, answer="b"))
            waiting.append(asyncio.run_coroutine_threadsafe(answering, loop))
            blocked = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
            assert any(connection.execute(blocked).scalar_one() for _ in range(10_000))

        await one.write(change)
        recorded = await asyncio.wrap_future(waiting[0])
        assert isinstance(recorded, First)
        assert recorded.attempt.points == 10
