"""What a supervisor and a load balancer are told, and what they are not."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession, web
from clock import START, StandingClock
from command_line import running as program
from conversation import Person
from discord_stage import DiscordStage
from quizzes import write_banks

from adapters import health
from adapters.health import Health
from adapters.running import Up, running
from adapters.server import Server
from adapters.settings import Settings
from bot.store.addresses import StoreUnavailable


@dataclass
class Link:
    """A connection to a platform, as the test says it is."""

    is_open: bool = True
    heard_at: datetime | None = START


@dataclass
class Process:
    """What health looks at."""

    clock: StandingClock = field(default_factory=StandingClock)
    turned_at: datetime | None = None
    noted_at: datetime | None = None
    links: dict[str, Link] = field(default_factory=dict)
    looks: int = 0
    away: bool = False

    async def probe(self) -> None:
        self.looks += 1
        await asyncio.sleep(0.02)
        if self.away:
            raise StoreUnavailable("The database of a@secret-host is away.")

    @asynccontextmanager
    async def served(self) -> AsyncIterator[Asking]:
        server = Server("127.0.0.1", 0)
        states = Health(
            self.clock,
            turned_at=lambda: self.turned_at,
            noted_at=lambda: self.noted_at,
            probe=self.probe,
            connections=self.links,
        )
        server.add(states.routes())
        address = await server.start()
        async with ClientSession() as session:
            yield Asking(session, address)
        await server.stop()


@dataclass
class Asking:
    session: ClientSession
    address: str

    async def __call__(self, path: str, **headers: str) -> tuple[int, dict[str, Any]]:
        async with self.session.get(f"{self.address}{path}", headers=headers) as answer:
            return answer.status, await answer.json()


# --- alive -------------------------------------------------------------------------------------


async def test_a_process_whose_schedule_turns_is_alive():
    process = Process(turned_at=START)
    process.clock.move(5)
    async with process.served() as ask:
        assert await ask("healthz") == (200, {"status": "ok", "schedule": 5.0})


@pytest.mark.parametrize("turned_at", [None, START])
async def test_a_schedule_that_hangs_is_named_also_before_its_first_turn(turned_at):
    process = Process(turned_at=turned_at)
    async with process.served() as ask:
        process.clock.move(30)
        assert (await ask("healthz"))[0] == 200
        process.clock.move(1)
        status, told = await ask("healthz")
    assert (status, told["status"], told["faults"]) == (503, "fault", ["schedule"])


async def test_a_connection_that_is_called_open_and_says_nothing_for_minutes_is_named():
    process = Process(links={"discord": Link(), "slack": Link(heard_at=None)})
    async with process.served() as ask:
        process.clock.move(300)
        process.turned_at = process.clock.now()
        assert (await ask("healthz"))[0] == 200
        process.clock.move(1)
        status, told = await ask("healthz")
    assert (status, told["faults"]) == (503, ["discord"])
    assert told["discord"] == {"open": True, "silent": 301.0}
    assert told["slack"] == {"open": True, "silent": None}


async def test_an_outage_of_a_platform_is_no_reason_to_restart_but_nobody_can_play():
    process = Process(links={"discord": Link(is_open=False)})
    async with process.served() as ask:
        process.clock.move(3600)
        process.turned_at = process.noted_at = process.clock.now()
        status, told = await ask("healthz")
        assert (status, told["discord"]) == (200, {"open": False, "silent": 3600.0})
        status, told = await ask("readyz")
    assert (status, told["faults"]) == (503, ["discord"])


# --- ready -------------------------------------------------------------------------------------


async def test_it_is_ready_while_the_database_takes_calls_and_every_platform_is_connected(caplog):
    process = Process(links={"discord": Link()})
    async with process.served() as ask:
        ready = {"status": "ok", "database": True, "discord": True}
        assert await ask("readyz") == (200, ready)
        process.away = True
        status, told = await ask("readyz")
        assert (status, told["faults"]) == (503, ["database"])
        assert (await ask("healthz"))[0] == 200
        process.away = False
        assert await ask("readyz") == (200, ready)
    assert "secret-host" not in str(told)
    assert "is away" in caplog.text


async def test_a_database_that_can_be_read_and_takes_nothing_is_not_one_to_play_on():
    """The disk is full, or it has become a standby."""
    process = Process(turned_at=START, noted_at=START)
    async with process.served() as ask:
        process.clock.move(30)
        assert (await ask("readyz"))[0] == 200
        process.clock.move(1)
        process.turned_at = process.clock.now()
        assert (await ask("readyz"))[1]["faults"] == ["database"]
        assert (await ask("healthz"))[0] == 200


async def test_however_many_ask_the_database_is_looked_at_once():
    process = Process(away=True)
    async with process.served() as ask:
        statuses = [told[0] for told in await asyncio.gather(*(ask("readyz") for _ in range(20)))]
    assert statuses == [503] * 20
    assert process.looks <= 3


async def test_a_database_that_says_nothing_takes_no_calls(monkeypatch):
    monkeypatch.setattr(health, "LONGEST_PROBE", 0.05)
    process = Process()
    monkeypatch.setattr(process, "probe", asyncio.Event().wait)
    async with process.served() as ask:
        assert (await ask("readyz"))[0] == 503


# --- in the program ----------------------------------------------------------------------------


def settings_in(folder: Path, **more: str) -> Settings:
    given: dict[str, Any] = {
        "QUIZBOT_DATABASE_URL": f"sqlite:///{folder / 'quizbot.db'}",
        "QUIZBOT_BANKS": str(write_banks(folder / "banks")),
        "QUIZBOT_PORT": "0",
        **more,
    }
    return Settings(**given)


@asynccontextmanager
async def up_in(
    folder: Path, clock: StandingClock, **more: str
) -> AsyncIterator[tuple[Up, Asking]]:
    settings = settings_in(folder, **more)
    async with (
        running(settings, clock=clock, chance=random.Random(1)) as up,
        ClientSession() as session,
    ):
        assert up.server is not None
        yield up, Asking(session, f"http://127.0.0.1:{up.server.port}/")


class HangingClock(StandingClock):
    """Whoever waits, waits for ever."""

    async def wait(self, event: asyncio.Event, until: datetime | None) -> None:
        self.waits += 1
        self._entered.set()
        await asyncio.Event().wait()


async def test_a_schedule_that_really_hangs_is_found(tmp_path):
    clock = HangingClock()
    async with up_in(tmp_path, clock) as (_, ask):
        await clock.next_wait(0)
        assert (await ask("healthz"))[0] == 200
        clock.move(31)
        assert (await ask("healthz"))[1]["faults"] == ["schedule"]


async def test_a_schedule_whose_beat_comes_is_alive_however_late_it_is(tmp_path):
    clock = StandingClock()
    async with up_in(tmp_path, clock) as (_, ask):
        for _ in range(8):
            await clock.next_wait(0)
            seen = clock.waits
            clock.move(5)
            await clock.next_wait(seen)
        assert (await ask("healthz"))[1] == {"status": "ok", "schedule": 0.0}


async def test_whoever_asks_by_whatever_name_is_told_states_and_neither_codes_nor_ids(tmp_path):
    async with up_in(tmp_path, StandingClock(), QUIZBOT_HOST="0.0.0.0") as (up, ask):
        assert up.room is not None
        assert up.room.codes is not None
        for path in ("healthz", "readyz"):
            for name in ("10.1.2.3:8080", "probe", "evil.example"):
                status, told = await ask(path, Host=name, Origin="https://evil.example")
                assert status == 200
                assert set(told) <= {"status", "schedule", "database"}
        # The room itself asks for its code all the same.
        async with ask.session.get(f"{ask.address}quiz", headers={"Host": "probe"}) as refused:
            assert refused.status == 421


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[DiscordStage]:
    database = f"sqlite:///{tmp_path / 'quizbot.db'}"
    stage = DiscordStage(database, [write_banks(tmp_path / "banks")], QUIZBOT_PORT="0")
    await stage.start()
    yield stage
    await stage.stop()


async def test_discord_is_told_of_as_the_sockets_are(stage: DiscordStage):
    bot, server = stage.up.discord, stage.up.server
    assert bot is not None
    assert server is not None
    await bot.wait_until_ready()
    async with ClientSession() as session:
        ask = Asking(session, f"http://127.0.0.1:{server.port}/")
        assert await ask("readyz") == (200, {"status": "ok", "database": True, "discord": True})
        status, told = await ask("healthz")
        assert (status, told["discord"]) == (200, {"open": True, "silent": 0.0})
        assert stage.world.token not in str(told)
        assert str(stage.guild.id) not in str(told)
        stage.clock.move(10)
        assert (await ask("healthz"))[1]["discord"]["silent"] == 10.0
        await Person(stage, "Ana").types("/quizzes")
        assert (await ask("healthz"))[1]["discord"]["silent"] == 0.0
        # The port was named for this alone: the room stays shut.
        async with session.get(f"{ask.address}quiz") as room:
            assert room.status == 404


async def test_while_the_database_takes_nothing_the_log_says_so_once_and_that_it_is_back(
    tmp_path, monkeypatch, caplog
):
    caplog.set_level(logging.INFO)
    clock = StandingClock()

    async def away(*_: object, **__: object) -> None:
        raise StoreUnavailable("The database file x cannot grow, the disk is full.")

    async def passes(beats: int) -> None:
        for _ in range(beats):
            await clock.next_wait(0)
            seen = clock.waits
            clock.move(5)
            await clock.next_wait(seen)

    async with up_in(tmp_path, clock) as (up, ask):
        await passes(1)
        with monkeypatch.context() as broken:
            broken.setattr(up.parts.store, "write", away)
            await passes(7)
            assert (await ask("readyz"))[1]["faults"] == ["database"]
            assert (await ask("healthz"))[0] == 200
        await passes(1)
        assert (await ask("readyz"))[0] == 200
    assert caplog.text.count("the disk is full") == 1
    assert "Traceback" not in caplog.text
    assert caplog.messages.count("the database is back") == 1


# --- when there is a server --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "serves"),
    [
        ({}, True),
        ({"DISCORD_TOKEN": "x"}, False),
        ({"DISCORD_TOKEN": "x", "QUIZBOT_PORT": "8080"}, True),
        ({"DISCORD_TOKEN": "x", "QUIZBOT_ROOM": "on"}, True),
        ({"DISCORD_TOKEN": "x", "QUIZBOT_HOST": "0.0.0.0"}, False),
    ],
)
def test_the_server_is_there_for_what_needs_it_or_where_its_port_is_named(
    given, serves, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("QUIZBOT_PORT", raising=False)
    assert Settings(**given).serves is serves


async def test_parts_that_share_a_server_are_finished_in_their_order_and_what_they_tell_arrives():
    server = Server("127.0.0.1", 0)
    begun, told, finished = asyncio.Event(), asyncio.Event(), []

    async def slow(_: web.Request) -> web.Response:
        begun.set()
        await told.wait()
        return web.Response(text="told")

    async def first() -> None:
        finished.append("first")
        told.set()

    async def second() -> None:
        finished.append("second")

    server.add([web.get("/slow", slow)], first)
    server.add([web.get("/other", slow)], second)
    address = await server.start()
    async with ClientSession() as session:
        asked = asyncio.create_task(session.get(f"{address}slow"))
        await begun.wait()
        await server.stop()
        async with await asked as answer:
            assert await answer.text() == "told"
    assert finished == ["first", "second"]


# --- the command that a container asks with ----------------------------------------------------


def test_the_command_of_the_container_says_whether_it_lives(tmp_path, capsys, monkeypatch):
    from adapters.is_healthy import main

    write_banks(tmp_path / "banks")
    # No proxy is asked, whatever the machine has set.
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with program(tmp_path, QUIZBOT_BANKS="banks") as up:
        monkeypatch.setenv("QUIZBOT_PORT", up.address.rpartition(":")[2])
        # Whichever address it listens on, and none where that means all of them.
        for host in ("", "0.0.0.0", "localhost"):
            monkeypatch.setenv("QUIZBOT_HOST", host)
            assert main() == 0
            assert '"status": "ok"' in capsys.readouterr().out
        monkeypatch.setenv("QUIZBOT_HOST", "127.0.0.2")
        assert main() == 1
        assert "127.0.0.2" in capsys.readouterr().out
        monkeypatch.delenv("QUIZBOT_HOST")
    assert main() == 1
    assert capsys.readouterr().out.startswith("no answer at 127.0.0.1:")


async def test_the_command_of_the_container_fails_where_the_schedule_hangs(
    tmp_path, capsys, monkeypatch
):
    from adapters.is_healthy import main

    process = Process()
    async with process.served() as ask:
        monkeypatch.setenv("QUIZBOT_PORT", ask.address.rstrip("/").rpartition(":")[2])
        process.clock.move(31)
        assert await asyncio.to_thread(main) == 1
    assert '"faults": ["schedule"]' in capsys.readouterr().out
