"""The image and the compose file: linted, carried out without an engine, and played in."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import yaml
from conversation import Seen
from image_stand_in import Image, becoming, build, context_of
from room_stage import read_html

from adapters.settings import Settings
from bot.store.addresses import read_address
from bot.store.inspection import inspect

ROOT = Path(__file__).parents[1]
PLACES = ("adapters", "banks", "bot")
FILES = ("Dockerfile", ".dockerignore", "LICENSE", "constraints.txt", "pyproject.toml")

pytestmark = pytest.mark.skipif(os.name == "nt", reason="an image of Linux")

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
SERVICE: dict[str, Any] = COMPOSE["services"]["quizbot"]


def run(*command: str | Path) -> str:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


# --- the files ---------------------------------------------------------------------------------


def test_the_compose_file_is_as_the_specification_wants_it():
    tool = Path(sys.executable).with_name("check-jsonschema")
    run(tool, "--builtin-schema", "vendor.compose-spec", "docker-compose.yml")


def test_the_dockerfile_has_nothing_that_its_linter_warns_of():
    run(Path(sys.executable).with_name("hadolint"), "Dockerfile")


def test_whoever_takes_over_the_bot_in_its_container_can_do_little_there():
    assert SERVICE["read_only"] is True
    assert SERVICE["cap_drop"] == ["ALL"]
    assert SERVICE["security_opt"] == ["no-new-privileges:true"]
    assert {"privileged", "cap_add", "network_mode", "pid", "user"} & set(SERVICE) == set()
    (published,) = SERVICE["ports"]
    assert published.startswith("127.0.0.1:")


def test_it_comes_up_without_a_file_of_settings_and_keeps_what_is_played_in_a_volume():
    assert SERVICE["env_file"] == [{"path": ".env", "required": False}]
    (volume,) = SERVICE["volumes"]
    assert volume == "data:/data"
    assert list(COMPOSE["volumes"]) == ["data"]


def test_with_a_token_in_the_file_of_settings_it_is_the_bot_and_still_says_how_it_is():
    given: dict[str, Any] = composed()
    bot = Settings(**given, DISCORD_TOKEN="x")
    assert (bot.room, bot.serves) == (False, True)
    assert Settings(**given).room


def test_the_port_of_the_file_of_settings_is_the_one_inside_the_one_outside_and_the_one_said():
    given = {"QUIZBOT_PORT": "9123"}
    assert interpolated(SERVICE["ports"][0], given) == "127.0.0.1:9123:9123"
    assert interpolated(SERVICE["environment"]["QUIZBOT_PORT"], given) == "9123"
    assert interpolated(SERVICE["ports"][0], {}) == "127.0.0.1:8080:8080"


def test_an_engine_is_sent_the_product_and_neither_tokens_nor_history_nor_answers(tmp_path):
    checkout = copy_checkout(tmp_path / "checkout")
    wanted = {*context_of(checkout)}
    assert {"bot/app.py", "adapters/main.py", "banks/LICENSE", "LICENSE"} <= wanted
    for name in (
        ".env", ".env.production", ".git/config", ".venv/bin/python", "quizbot.db",
        "quizbot.db-wal", "quizbot.db.0001.bak", "bench.json", "tests/conftest.py",
        "bot/.env", "bot/quizbot.db", "bot/quizbot.db-wal", "banks/x/quizbot.db.bak",
        "adapters/__pycache__/main.cpython-313.pyc", "adapters/local/old.pyc",
    ):  # fmt: skip
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout / name).write_text("a secret", encoding="utf-8")
    assert {*context_of(checkout)} == wanted


# --- carried out -------------------------------------------------------------------------------


def copy_checkout(folder: Path) -> Path:
    """What a fresh clone has of it."""
    for place in PLACES:
        # Nobody's working copy is in the image, however it looks while the tests run.
        shutil.copytree(ROOT / place, folder / place, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        shutil.copy2(ROOT / name, folder / name)
    return folder


@pytest.fixture(scope="module")
def image() -> Iterator[Image]:
    """The Dockerfile carried out, and then closed for writing but for the volume and tmpfs."""
    # Not pytest's folder, which is closed to the user of the image.
    with tempfile.TemporaryDirectory(prefix="quizbot-image-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        checkout = copy_checkout(folder / "checkout")
        context = folder / "context"
        for path in context_of(checkout):
            (context / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(checkout / path, context / path)
        owns = becoming(10001).user is not None
        image = build(checkout / "Dockerfile", context, folder, owns=owns)
        shutil.rmtree(checkout)
        image.at("tmp").chmod(0o1777)
        everything = [path for path in image.root.rglob("*") if not path.is_symlink()]
        closed = [path for path in everything if path not in (image.at("data"), image.at("tmp"))]
        modes = [(path, path.stat().st_mode) for path in [image.root, *closed]]
        for place, mode in modes:
            place.chmod(mode & 0o555)
        yield image
        for place, mode in modes:
            place.chmod(mode)


def interpolated(text: str, given: Mapping[str, str]) -> str:
    return re.sub(r"\$\{(\w+):-([^}]*)\}", lambda found: given.get(found[1]) or found[2], text)


def composed(**given: str) -> dict[str, str]:
    """What the compose file sets, where this is set in `.env`."""
    return {name: interpolated(text, given) for name, text in SERVICE["environment"].items()}


def settings_of(image: Image, **given: str) -> dict[str, str]:
    """What the program finds set: by the image, by `.env`, by the compose file."""
    # Of what runs the tests, nothing reaches into a container.
    return {"TMPDIR": str(image.at("tmp")), **image.environment, **given, **composed(**given)}


def free_port() -> str:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        return str(server.getsockname()[1])


class Container:
    """The entry point, as compose would start it."""

    def __init__(self, image: Image, **given: str) -> None:
        self.image = image
        self._given = {"QUIZBOT_PORT": free_port(), **given}
        self.address = f"http://127.0.0.1:{self._given['QUIZBOT_PORT']}"
        self.process = subprocess.Popen(
            [*image.entrypoint, *image.command],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            **self._options(),
        )

    def _options(self) -> dict[str, Any]:
        return {
            "cwd": self.image.at(self.image.folder),
            "env": settings_of(self.image, **self._given),
            "preexec_fn": becoming(10001),
        }

    def ask_health(self) -> subprocess.CompletedProcess[str]:
        """By the health check's own command."""
        assert SERVICE["healthcheck"]["test"] == ["CMD", *self.image.health]
        return subprocess.run(
            self.image.health, capture_output=True, text=True, timeout=5, **self._options()
        )

    def line(self, holds: str, *, of: str = "stdout") -> str:
        """The next line that holds this."""
        stream = getattr(self.process, of)
        while line := stream.readline():
            if holds in line:
                return str(line)
        raise AssertionError(f"it never said {holds!r}")

    def stop(self) -> None:
        """As `docker compose stop` does."""
        self.process.send_signal(signal.SIGTERM)

    def end(self) -> int:
        """The exit code, within the time that compose waits before it kills."""
        grace = int(SERVICE["stop_grace_period"].removesuffix("s"))
        return self.process.wait(timeout=grace)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()


@pytest.fixture
def container(image: Image) -> Iterator[Container]:
    up = Container(image)
    yield up
    up.close()


@pytest.mark.long
@pytest.mark.timeout(300)
def test_the_image_has_the_product_as_it_is_tested_and_nothing_that_builds_or_tests_it(image):
    found = packages_of(image)
    pinned = {normal(name): version for name, version in pins()}
    assert {"quizbot", "aiohttp", "discord-py", "psycopg", "sqlalchemy"} <= set(found)
    assert {"pip", "setuptools", "hatchling", "pytest", "mypy"} & set(found) == set()
    del found["quizbot"]
    assert found == {name: pinned.get(name) for name in found}
    assert sorted(path.name for path in image.root.iterdir()) == ["data", "opt", "tmp"]
    assert image.user == "10001:10001"
    assert image.volumes == [image.folder] == ["/data"]
    assert image.labels["org.opencontainers.image.title"] == "quizbot"
    if image.given_away:
        assert image.given_away == f"10001:10001 {image.at('data')}\n"
    else:
        assert image.at("data").stat().st_uid == 10001


@pytest.mark.long
@pytest.mark.timeout(300)
async def test_a_newcomer_plays_in_it_and_a_press_is_answered_while_it_is_told_to_stop(
    image: Image, container: Container
):
    before = inventory(image)
    database = image.at("data/quizbot.db")
    assert container.line("open") == f"The quiz room is open: {container.address}/\n"
    code = container.line("Join code:").split()[-1]
    health = await asyncio.to_thread(container.ask_health)
    assert (health.returncode, '"status": "ok"' in health.stdout) == (0, True)
    async with Tab(container.address, code).open() as tab:
        await tab.ask(do="line", text="/quiz pipeline 2 off")
        question = await tab.question()
        with held(database):
            token = question.button("A")
            press = await tab.send(do="press", token=token, message=question.id, values=[])
            # It was heard, for what was sent after it was; it cannot have been stored.
            await tab.ask(do="ping")
            assert press not in tab.replies
            container.stop()
            await asyncio.to_thread(container.line, "Stopping …", of="stderr")
        told = await tab.reply(press)
        assert "right" in told.text.casefold()
        assert (await tab.socket.receive(timeout=20)).data == aiohttp.WSCloseCode.GOING_AWAY
    assert await asyncio.to_thread(container.end) == 0
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("SELECT count(*) FROM attempts").fetchone() == (1,)
    assert inspect(read_address(f"sqlite:///{database}")).faults == ()
    assert inventory(image) == before
    # What is stopped is all in one file, which the README copies.
    assert {each.name for each in database.parent.iterdir()} == {
        database.name,
        f"{database.name}.lock",
    }
    assert container.ask_health().returncode == 1


def pins() -> Iterator[tuple[str, str]]:
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines():
        if "==" in line and not line.startswith("#"):
            name, version = line.split(";")[0].strip().split("==")
            yield name, version


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).casefold()


def packages_of(image: Image) -> dict[str, str]:
    (folder,) = image.at("opt/quizbot/lib").glob("python*/site-packages")
    stems = (path.name.removesuffix(".dist-info") for path in folder.glob("*.dist-info"))
    return {normal(name): version for name, version in (stem.rsplit("-", 1) for stem in stems)}


def inventory(image: Image) -> dict[str, float]:
    """What is closed for writing: all but the volume and what is in memory."""
    writable = [image.at("data"), image.at("tmp")]
    return {
        str(path): path.lstat().st_mtime
        for path in image.root.rglob("*")
        if not any(path.is_relative_to(place) for place in writable)
    }


@contextmanager
def held(database: Path) -> Iterator[None]:
    """Nothing can be written to it meanwhile."""
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("ROLLBACK")


class Tab:
    """Somebody who opened the address that the log says, by the name of the machine they sit at."""

    def __init__(self, address: str, code: str) -> None:
        self._address = address
        self._code = code
        self._count = 0
        self.replies: dict[str, Seen] = {}
        self._posts: dict[str, str] = {}

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Tab]:
        origin = self._address.replace("127.0.0.1", "localhost")
        host = {"Host": origin.removeprefix("http://"), "Origin": origin}
        async with aiohttp.ClientSession(headers=host) as session:
            async with session.get(f"{self._address}/", headers={"Accept": "text/html"}) as asked:
                assert asked.url.path == "/join"
            async with session.post(
                f"{self._address}/join", data={"code": self._code}, allow_redirects=False
            ) as joined:
                cookie = joined.headers["Set-Cookie"].split(";")[0]
            async with session.ws_connect(
                f"{self._address}/room/socket", headers={"Cookie": cookie}
            ) as self.socket:
                person = "secret-of-a-newcomer-0123456789"
                await self.ask(do="hello", person=person, name="Newcomer", locale="en")
                yield self

    async def send(self, **frame: object) -> str:
        self._count += 1
        await self.socket.send_json({"id": f"r{self._count}", **frame})
        return f"r{self._count}"

    async def ask(self, **frame: object) -> Seen:
        return await self.reply(await self.send(**frame))

    async def reply(self, request: str) -> Seen:
        while request not in self.replies:
            await self._hear()
        return self.replies[request]

    async def question(self) -> Seen:
        while not (found := [s for s in map(read_html, self._posts.values()) if s.options]):
            await self._hear()
        key = next(key for key, html in self._posts.items() if read_html(html).options)
        return replace(found[0], id=key)

    async def _hear(self) -> None:
        heard: dict[str, Any] = await self.socket.receive_json(timeout=20)
        if heard["is"] in ("post", "edit"):
            self._posts[heard["key"]] = heard["html"]
        if heard.get("id"):
            self.replies[heard["id"]] = read_html(heard.get("html", ""))
