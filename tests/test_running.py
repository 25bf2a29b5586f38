"""`quizbot run` as a program of its own: it comes up, stops, dies, and comes up again."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from child_process import HERE
from clock import StandingClock
from command_line import Running, as_anybody, call, environment, running
from conversation import Seen
from quizzes import right, write_bank, write_banks
from room_stage import read_html
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters import running as composing
from adapters.clock import SystemClock
from adapters.running import running as composition
from adapters.settings import Settings
from bot.store import opening
from bot.store.addresses import Address, StoreUnavailable, read_address
from bot.store.inspection import inspect
from bot.store.opening import run_lock
from bot.store.schema import marks
from bot.store.upgrades import upgrade

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals as POSIX has them")

STARTED = (
    "Stop it with Ctrl-C; quizzes, answers and points are kept.\n"
    "To connect it to Discord, set DISCORD_TOKEN; to Slack, SLACK_BOT_TOKEN.\n"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return furnish(tmp_path)


def furnish(folder: Path) -> Path:
    """Banks and settings, to be run in."""
    write_banks(folder / "banks")
    (folder / ".env").write_text("QUIZBOT_BANKS=banks\nQUIZBOT_PORT=0\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def occupied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder in which one runs already."""
    folder = furnish(tmp_path_factory.mktemp("occupied"))
    with running(folder):
        yield folder


def make_database(folder: Path) -> None:
    upgrade(read_address(f"sqlite:///{folder / 'quizbot.db'}"))


def health(up: Running, of: str = "healthz") -> str:
    with urllib.request.urlopen(f"{up.address}/{of}", timeout=10) as answer:
        return str(json.load(answer)["status"])


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_says_where_the_room_is_and_stops_when_it_is_told_to(folder, how):
    with running(folder) as up:
        assert health(up) == "ok"
        done = up.end(how)
    assert done.code == 0
    assert done.out == f"The quiz room is open: {up.address}/\n{STARTED}"
    assert "Stopping …\n" in done.err
    assert "Traceback" not in done.err


def test_where_others_can_come_in_the_codes_are_said(folder):
    with running(folder, QUIZBOT_HOST="0.0.0.0") as up:
        done = up.end(signal.SIGTERM)
    lines = done.out.splitlines()
    assert lines[0].startswith(f"The quiz room is open: {up.address}/, and for others http://")
    assert lines[1].startswith("  Join code:      ")
    assert lines[2].startswith("  Organiser code: ")
    assert lines[1].split()[-1] not in done.err


def test_a_faulty_bank_is_warned_of_and_the_others_are_played(folder):
    write_bank(folder / "banks", "zinc", bank="title: [")
    with running(folder, QUIZBOT_LOG_FORMAT="json") as up:
        assert health(up) == "ok"
        done = up.end(signal.SIGTERM)
    # What is said beside the log is in its lines too, so that whatever collects them reads all.
    lines = [json.loads(line) for line in done.err.splitlines()]
    said = [(line["level"], line["message"]) for line in lines]
    assert said[0][0] == "warning"
    assert said[0][1].startswith("Warning: 1 fault in 1 of 3 banks; 2 banks are fine. To see it: ")
    assert said[1:] == [("info", "started"), ("info", "Stopping …"), ("info", "stopped")]


def test_it_is_not_ready_while_its_database_cannot_be_read(folder):
    with running(folder) as up:
        assert health(up, "readyz") == "ok"
        with closing(sqlite3.connect(folder / "quizbot.db")) as spoilt, spoilt:
            spoilt.execute("ALTER TABLE heartbeats RENAME TO gone")
        with pytest.raises(urllib.error.HTTPError) as refused:
            health(up, "readyz")
        with refused.value as answer:
            assert answer.code == 503
        assert health(up) == "ok"


async def test_who_stops_it_while_it_starts_waits_for_no_platform(folder):
    """A Discord that takes the connection and says nothing."""
    asked, gone = asyncio.Event(), asyncio.Event()

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.set()
        await reader.read()
        writer.close()
        gone.set()

    async with await asyncio.start_server(silent, "127.0.0.1", 0) as nobody:
        port = nobody.sockets[0].getsockname()[1]
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            str(HERE / "discord_program.py"),
            f"http://127.0.0.1:{port}",
            f"ws://127.0.0.1:{port}",
            cwd=folder,
            env=environment(DISCORD_TOKEN="x", PYTHONPATH=f"{HERE}{os.pathsep}{HERE.parent}"),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        async with asyncio.timeout(60):
            await asked.wait()
            process.terminate()
            out, err = await process.communicate()
            await gone.wait()
    assert (process.returncode, out) == (0, b"")
    assert "Stopping …" in err.decode()
    assert "Traceback" not in err.decode()


BEGINS = """
from adapters.commands.first import heed_signals
heed_signals()
print("begun", flush=True)
input()
"""

NEVER_STOPS = """
import asyncio
from adapters.commands.run import stop_on_signals

async def never_stops():
    stop = asyncio.Event()
    stop_on_signals(stop)
    print("up", flush=True)
    await stop.wait()
    print("told", flush=True)
    await asyncio.Event().wait()

asyncio.run(never_stops())
"""


@contextmanager
def first_of_a_container(code: str) -> Iterator[Callable[[str], int]]:
    """A process for which nobody does what an init does.

    Called with a line, it waits until that is said, and gives the number to send signals to; with
    none, until it ends, and gives the exit code.
    """
    alone = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--kill-child"]
    if shutil.which("unshare") is None or subprocess.run([*alone, "true"]).returncode != 0:
        pytest.skip("there are no namespaces of processes here")
    with subprocess.Popen(
        [*alone, sys.executable, "-c", code],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        said, children = process.stdout, Path(f"/proc/{process.pid}/task/{process.pid}/children")

        def until(line: str) -> int:
            if not line:
                return process.wait(10)
            assert said.readline() == f"{line}\n"
            return int(children.read_text(encoding="ascii"))

        yield until
        process.kill()


def test_the_first_process_of_a_container_ends_when_it_is_told_before_it_is_up():
    with first_of_a_container(BEGINS) as until:
        os.kill(until("begun"), signal.SIGTERM)
        assert until("") == 128 + signal.SIGTERM


def test_the_first_process_of_a_container_ends_at_once_when_it_is_told_twice():
    with first_of_a_container(NEVER_STOPS) as until:
        for line in ("up", "told"):
            os.kill(until(line), signal.SIGTERM)
        assert until("") == 128 + signal.SIGTERM


def test_a_second_one_on_the_same_file_stops_with_one_sentence(occupied):
    done = call(occupied, "run")
    assert (done.code, done.out) == (3, "")
    assert done.err.startswith(f"Another quizbot runs on {occupied / 'quizbot.db'}: stop that")
    assert done.err.count("\n") == 1


def test_a_port_that_is_in_use_is_told(folder):
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
        done = call(folder, "run", QUIZBOT_PORT=str(port))
    assert (done.code, done.out) == (3, "")
    assert (
        done.err == f"Port {port} is in use: stop what uses it, or set QUIZBOT_PORT to another.\n"
    )


def test_a_database_of_a_newer_version_is_left_alone(folder):
    make_database(folder)
    with closing(sqlite3.connect(folder / "quizbot.db", isolation_level=None)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    done = call(folder, "run")
    assert (done.code, done.out) == (3, "")
    assert "was written by a newer quizbot: install that one again" in done.err


@pytest.mark.skipif(sys.platform != "linux", reason="root is kept from writing on Linux alone")
def test_a_database_that_is_read_only_is_told(folder):
    make_database(folder)
    os.chmod(folder / "quizbot.db", 0o444)
    os.chmod(folder, 0o555)
    done = call(folder, "run", first=as_anybody)
    os.chmod(folder, 0o755)
    assert (done.code, done.out) == (3, "")
    assert done.err == (
        f"The database file {folder / 'quizbot.db'} is read-only: "
        "let this user write the file and its folder.\n"
    )


def test_a_quiz_is_played_in_the_terminal_while_the_room_is_open(occupied):
    done = call(occupied, "play", "water", typed="yes\n")
    assert done.code == 0
    assert "Right: " in done.out
    assert "\x1b" not in done.out


# --- in this process ---------------------------------------------------------------------------


class StumblingClock(StandingClock):
    """Fails the first time that somebody waits."""

    has_stumbled = False

    async def wait(self, event: asyncio.Event, until: datetime | None) -> None:
        if not self.has_stumbled:
            self.has_stumbled = True
            raise RuntimeError("stumbled")
        await super().wait(event, until)


async def test_a_schedule_that_died_begins_again(folder, caplog):
    clock = StumblingClock()
    settings = Settings(
        QUIZBOT_DATABASE_URL=f"sqlite:///{folder / 'quizbot.db'}",
        QUIZBOT_BANKS=str(folder / "banks"),
        QUIZBOT_PORT="0",
    )
    async with composition(settings, clock=clock, chance=random.Random(1)) as up:
        await clock.next_wait()
        assert "the schedule stopped; it begins again in 1 s" in caplog.text
        clock.move(1)
        async with Tab(up.address.rstrip("/"), "ana").open() as ana:
            await ana.ask(do="line", text="/quiz ports")
            (await ana.question()).says("Ports · question 1 of 3")


class Listener(logging.Handler):
    """Waits for a sentence in the log."""

    def __init__(self, sentence: str) -> None:
        super().__init__()
        self._sentence = sentence
        self.heard = asyncio.Event()

    def emit(self, record: logging.LogRecord) -> None:
        if self._sentence in record.getMessage():
            self.heard.set()


async def test_a_key_that_was_repaired_marks_what_was_answered_while_people_can_play(
    folder, caplog
):
    caplog.set_level(logging.INFO)
    settings = Settings(
        QUIZBOT_DATABASE_URL=f"sqlite:///{folder / 'quizbot.db'}",
        QUIZBOT_BANKS=str(folder / "banks"),
        QUIZBOT_PORT="0",
    )
    async with (
        composition(settings, clock=StandingClock(), chance=random.Random(1)) as up,
        Tab(up.address.rstrip("/"), "ana").open() as ana,
    ):
        await ana.ask(do="line", text="/quiz water")
        (await ana.answer(await ana.question(), "no")).says("right is A · yes")
    bank = folder / "banks" / "water" / "bank.yaml"
    bank.write_text(bank.read_text().replace("correct: a", "correct: b"))
    listener = Listener("marked 1 answers anew")
    logging.getLogger("adapters.running").addHandler(listener)
    try:
        async with composition(settings, clock=StandingClock(), chance=random.Random(1)) as up:
            async with asyncio.timeout(10):
                await listener.heard.wait()
            assert await up.parts.store.read(is_right) == [True]
    finally:
        logging.getLogger("adapters.running").removeHandler(listener)


async def is_right(connection: AsyncConnection) -> list[bool]:
    return list((await connection.execute(select(marks.c.is_right))).scalars())


async def test_a_start_waits_for_no_mark_and_tries_again_when_the_database_is_back(
    folder, caplog, monkeypatch
):
    clock, tries = StandingClock(), []

    async def bring_up_to_date(store, remarked):
        tries.append(store)
        if len(tries) == 1:
            raise StoreUnavailable("it is away")
        await asyncio.Event().wait()

    monkeypatch.setattr(composing, "bring_up_to_date", bring_up_to_date)
    settings = Settings(
        QUIZBOT_DATABASE_URL=f"sqlite:///{folder / 'quizbot.db'}",
        QUIZBOT_BANKS=str(folder / "banks"),
        QUIZBOT_PORT="0",
    )
    async with asyncio.timeout(20), composition(settings, clock=clock) as up:
        async with Tab(up.address.rstrip("/"), "ana").open() as ana:
            await ana.ask(do="line", text="/quiz ports")
            (await ana.question()).says("Ports · question 1 of 3")
        assert "waits to be marked anew: it is away" in caplog.text
        while len(tries) < 2:
            clock.move(60)
            await asyncio.sleep(0)


async def test_a_start_that_fails_before_any_login_says_nothing_else(folder, caplog):
    """A database that takes nothing is noticed before Discord is asked."""
    make_database(folder)
    with closing(sqlite3.connect(folder / "quizbot.db")) as connection:
        refusal = "SELECT RAISE(ABORT, 'not now')"
        connection.execute(
            f"CREATE TRIGGER refuses BEFORE INSERT ON heartbeats BEGIN {refusal}; END"
        )
    settings = Settings(
        DISCORD_TOKEN="never used",
        QUIZBOT_DATABASE_URL=f"sqlite:///{folder / 'quizbot.db'}",
        QUIZBOT_BANKS=str(folder / "banks"),
    )
    with pytest.raises(IntegrityError, match="not now"):
        async with composition(settings):
            pytest.fail("it began")
    assert "could not log out" not in caplog.text


async def test_who_stops_it_during_an_upgrade_keeps_the_file_until_that_is_whole(
    folder, monkeypatch
):
    begun, may_end = threading.Event(), threading.Event()

    def slow(address: Address) -> None:
        begun.set()
        assert may_end.wait(20)
        upgrade(address)

    monkeypatch.setattr(opening, "upgrade", slow)
    url = f"sqlite:///{folder / 'quizbot.db'}"
    settings = Settings(QUIZBOT_DATABASE_URL=url, QUIZBOT_PORT="0")
    starting = asyncio.create_task(composition(settings, clock=StandingClock()).__aenter__())
    await asyncio.to_thread(begun.wait, 20)
    starting.cancel()
    await asyncio.wait({starting}, timeout=0.05)
    with pytest.raises(StoreUnavailable, match="Another quizbot runs on"), run_lock(url):
        pass
    may_end.set()
    with pytest.raises(asyncio.CancelledError):
        await starting
    with run_lock(url):
        assert inspect(read_address(url)).faults == ()


async def test_the_clock_of_the_system_wakes_at_an_event_or_at_an_instant():
    clock, event = SystemClock(), asyncio.Event()
    await clock.wait(event, clock.now() - timedelta(hours=1))
    await clock.wait(event, clock.now() + timedelta(milliseconds=20))
    asyncio.get_running_loop().call_later(0.02, event.set)
    await clock.wait(event, None)
    await clock.wait(event, clock.now() + timedelta(hours=1))
    assert event.is_set()
    assert clock.now().tzinfo is UTC


@pytest.mark.parametrize("turns", range(4))
async def test_who_is_cancelled_while_their_event_comes_waits_no_more(turns):
    clock, event = SystemClock(), asyncio.Event()
    waiting = asyncio.create_task(clock.wait(event, clock.now() + timedelta(hours=1)))
    await asyncio.sleep(0.01)
    event.set()
    for _ in range(turns):
        await asyncio.sleep(0)
    if waiting.cancel():
        with pytest.raises(asyncio.CancelledError):
            await waiting


# --- killed ------------------------------------------------------------------------------------


class Tab:
    """Somebody in the room of a running program."""

    def __init__(self, address: str, name: str) -> None:
        self._address = address
        self._name = name
        self._number = 0
        self.posts: dict[str, str] = {}

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Tab]:
        async with (
            aiohttp.ClientSession() as session,
            session.ws_connect(f"{self._address}/room/socket", origin=self._address) as self.socket,
        ):
            person = f"secret-of-{self._name}-0123456789"
            await self.ask(do="hello", person=person, name=self._name, locale="en")
            yield self

    async def ask(self, **frame: object) -> Seen:
        self._number += 1
        await self.socket.send_json({"id": f"r{self._number}", **frame})
        reply = await self._hear(lambda heard: heard.get("id") == f"r{self._number}")
        return read_html(reply.get("html", ""))

    async def question(self) -> Seen:
        """The newest question, once one stands open."""
        while not (found := [seen for seen in self._seen() if seen.options]):
            await self._hear(lambda heard: heard["is"] in ("post", "edit"))
        return found[-1]

    async def answer(self, question: Seen, option: str) -> Seen:
        token = question.button(question.letter_of(option))
        return await self.ask(do="press", token=token, message=question.id)

    def _seen(self) -> list[Seen]:
        return [read_html(html, key) for key, html in self.posts.items()]

    async def _hear(self, is_wanted: Any) -> dict[str, Any]:
        while True:
            heard: dict[str, Any] = await self.socket.receive_json(timeout=20)
            if heard["is"] == "welcome":
                self.posts = {post["key"]: post["html"] for post in heard["posts"]}
            elif heard["is"] in ("post", "edit"):
                self.posts[heard["key"]] = heard["html"]
            if is_wanted(heard):
                return heard


async def test_after_a_kill_in_the_middle_of_a_round_it_goes_on_and_no_answer_is_lost(folder):
    with running(folder) as up:
        async with Tab(up.address, "ana").open() as ana, Tab(up.address, "ben").open() as ben:
            await ana.ask(do="line", text="/quiz ports 2 off")
            question = await ana.question()
            told = await ana.answer(question, right(question))
            told.says("Right, 10 points:")
            assert (await ben.question()).id == question.id
        await asyncio.to_thread(up.kill)
    with running(folder) as up:
        async with Tab(up.address, "ana").open() as ana, Tab(up.address, "ben").open() as ben:
            again = await ana.question()
            assert again.id == question.id
            (await ana.answer(again, right(again))).says("You already answered")
            (await ben.answer(again, right(again))).says("Right, 10 points:")
            (await ana.ask(do="line", text="/leaderboard")).says(
                "100% right this week, 2 took part"
            )
        done = await asyncio.to_thread(up.end, signal.SIGTERM)
    assert done.code == 0
    assert inspect(read_address(f"sqlite:///{folder / 'quizbot.db'}")).faults == ()
