"""Opening a store: what is accepted, made, copied, and refused with one sentence."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import psycopg
import pytest
from spared_disk import in_earnest
from sqlalchemy import text
from store_world import add_place, opened, table

from bot.store import engines, upgrades
from bot.store.addresses import read_address
from bot.store.opening import StoreUnavailable, WrongAddress, run_lock
from bot.store.upgrades import upgrade

pytest_plugins = ["store_databases"]

AS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0


async def refusal(url: str) -> str:
    """The sentence with which it is not opened."""
    with pytest.raises(StoreUnavailable) as caught:
        async with opened(url):
            pass
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert sentence.endswith((".", '"'))
    return sentence


# --- addresses -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "scheme", ["sqlite", "sqlite+aiosqlite", "sqlite+pysqlite", "sqlite+any_driver"]
)
async def test_sqlite_is_opened_whatever_driver_is_named(tmp_path, scheme):
    async with opened(f"{scheme}:///{tmp_path}/quiz.db") as store:
        await store.write(add_place)
        assert len(await table(store, "places")) == 1


@pytest.mark.parametrize("scheme", ["postgresql", "postgresql+psycopg", "postgresql+asyncpg"])
async def test_postgresql_is_opened_whatever_driver_is_named(emptied_url, scheme):
    async with opened(emptied_url.replace("postgresql", scheme, 1)) as store:
        await store.write(add_place)
        assert len(await table(store, "places")) == 1


def test_a_relative_file_lies_in_the_working_directory_of_the_start(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    address = read_address("sqlite:///quizbot.db")
    monkeypatch.chdir("/")
    assert address.file == tmp_path / "quizbot.db"


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("mysql://me:secret@host/quiz", "unknown mysql"),
        ("quiz.db", "no address"),
        ("", "no address"),
        ("postgresql://me:secret@host:port/quiz", "no address"),
        ("sqlite://", "names no file"),
        ("sqlite:///:memory:", "names no file"),
        ("sqlite:///quiz.db?mode=ro", "options"),
    ],
)
async def test_an_address_that_cannot_be_right_is_refused_with_two_that_can(url, says):
    with pytest.raises(WrongAddress, match=says):
        read_address(url)
    sentence = await refusal(url)
    assert "sqlite:///quizbot.db or postgresql://" in sentence
    assert "secret" not in sentence


def test_an_address_shows_no_password_anywhere():
    address = read_address("postgresql://me:secret@db.example/quiz?password=secret&passfile=secret")
    assert address.shown == "quiz at db.example"
    assert "secret" not in repr(address)


# --- SQLite ----------------------------------------------------------------------------------


async def test_a_new_file_is_made_safe_and_no_copy_with_it(tmp_path):
    def pragmas(connection):
        names = ("journal_mode", "synchronous", "foreign_keys")
        return [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in names]

    with in_earnest():
        async with opened(f"sqlite:///{tmp_path}/quiz.db") as store:
            assert await store.write(pragmas) == ["wal", 2, 1]
    assert [path.name for path in tmp_path.iterdir()] == ["quiz.db"]


async def test_a_file_with_any_name_is_opened(tmp_path):
    name = "50% of Chipo's quizzes #2.db"
    async with opened(f"sqlite:///{tmp_path}/{name}") as store:
        await store.write(add_place)
    assert (tmp_path / name).exists()


async def test_an_empty_file_is_a_new_database(tmp_path):
    (tmp_path / "quiz.db").touch()
    async with opened(f"sqlite:///{tmp_path}/quiz.db") as store:
        assert await table(store, "places") == []


async def test_opening_again_changes_nothing(sqlite_url, tmp_path):
    async with opened(sqlite_url) as store:
        await store.write(add_place)
    before = (tmp_path / "quiz.db").read_bytes()
    async with opened(sqlite_url):
        pass
    assert (tmp_path / "quiz.db").read_bytes() == before


async def test_a_missing_folder_is_named(tmp_path):
    sentence = await refusal(f"sqlite:///{tmp_path}/nowhere/quiz.db")
    assert "folder does not exist" in sentence


async def test_a_folder_is_no_file(tmp_path):
    assert "is a folder" in await refusal(f"sqlite:///{tmp_path}")


async def test_what_is_no_database_is_left_as_it_is(tmp_path):
    file = tmp_path / "notes.txt"
    file.write_text("My notes on pipelines, far too dear to be written over.\n" * 50)
    before = file.read_bytes()
    assert "not a database" in await refusal(f"sqlite:///{file}")
    assert file.read_bytes() == before


async def test_another_programs_database_is_left_as_it_is(tmp_path):
    with closing(sqlite3.connect(tmp_path / "other.db")) as other, other:
        other.execute("CREATE TABLE songs (title)")
    before = (tmp_path / "other.db").read_bytes()
    assert "another program's" in await refusal(f"sqlite:///{tmp_path}/other.db")
    assert (tmp_path / "other.db").read_bytes() == before


async def test_a_damaged_file_is_called_so(sqlite_url, tmp_path):
    async with opened(sqlite_url) as store:
        for number in range(50):
            await store.write(partial(add_place, community=f"c{number}", place="p" * 500))
    file = tmp_path / "quiz.db"
    whole = file.read_bytes()
    file.write_bytes(whole[:4096] + b"\x7f" * (len(whole) - 4096))
    assert "damaged" in await refusal(sqlite_url)


async def test_a_locked_file_is_said_to_be_in_use(sqlite_url, tmp_path, monkeypatch):
    monkeypatch.setattr(engines, "BUSY_SECONDS", 0.05)
    with closing(sqlite3.connect(tmp_path / "quiz.db")) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert "in use by another program" in await refusal(sqlite_url)


@pytest.mark.skipif(AS_ROOT, reason="root may write what is read-only")
async def test_what_is_read_only_is_called_so(sqlite_url, tmp_path):
    async with opened(sqlite_url):
        pass
    (tmp_path / "quiz.db").chmod(0o400)
    assert "is read-only: let this user write" in await refusal(sqlite_url)
    (tmp_path / "quiz.db").chmod(0o600)
    tmp_path.chmod(0o500)
    try:
        assert "is read-only: let this user write" in await refusal(sqlite_url)
        assert "let this user" in await refusal(f"sqlite:///{tmp_path}/new.db")
    finally:
        tmp_path.chmod(0o700)


async def test_an_sqlite_that_is_too_old_is_named(sqlite_url, monkeypatch):
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 34, 1))
    assert "too old" in await refusal(sqlite_url)


# --- upgrades --------------------------------------------------------------------------------

ADDS_A_COLUMN = """
import sqlalchemy as sa
from alembic import op
revision = "{revision}"
down_revision = "{before}"
def upgrade():
    op.add_column("places", sa.Column("colour", sa.Text(), server_default="red"))
    {then}
"""


@pytest.fixture
def later(tmp_path_factory, monkeypatch) -> str:
    """Pretend that this program has one more migration; its revision."""
    folder = tmp_path_factory.mktemp("later") / "migrations"
    shutil.copytree(upgrades.MIGRATIONS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    before = upgrades.head()
    script = ADDS_A_COLUMN.format(revision="later", before=before, then="")
    (folder / "versions" / "later.py").write_text(script)
    monkeypatch.setattr(upgrades, "MIGRATIONS", folder)
    return str(before)


@pytest.fixture
def failing(later: str) -> str:
    """That migration breaks off in the middle."""
    script = ADDS_A_COLUMN.format(revision="later", before=later, then="1 / 0")
    (upgrades.MIGRATIONS / "versions" / "later.py").write_text(script)
    return later


@contextmanager
def with_migrations(monkeypatch: pytest.MonkeyPatch, folder: Path) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setattr(upgrades, "MIGRATIONS", folder)
        yield


SHIPPED = upgrades.MIGRATIONS


async def test_an_older_file_is_copied_and_then_upgraded(sqlite_url, tmp_path, later, monkeypatch):
    with with_migrations(monkeypatch, SHIPPED):
        async with opened(sqlite_url) as store:
            await store.write(add_place)
    async with opened(sqlite_url) as store:
        colours = text("SELECT colour FROM places")
        assert await store.write(lambda c: c.execute(colours).scalars().all()) == ["red"]
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["quiz.before-later.db", "quiz.db"]
    with with_migrations(monkeypatch, SHIPPED):
        async with opened(f"sqlite:///{tmp_path}/quiz.before-later.db") as copy:
            assert len(await table(copy, "places")) == 1


async def test_a_file_that_a_newer_quizbot_wrote_is_left_alone(sqlite_url, later, monkeypatch):
    async with opened(sqlite_url):
        pass
    with with_migrations(monkeypatch, SHIPPED):
        assert "written by a newer quizbot" in await refusal(sqlite_url)
    async with opened(sqlite_url):
        pass


async def test_an_upgrade_that_breaks_off_has_changed_nothing(
    sqlite_url, tmp_path, failing, monkeypatch
):
    with with_migrations(monkeypatch, SHIPPED):
        async with opened(sqlite_url) as store:
            await store.write(add_place)
    with pytest.raises(ZeroDivisionError):
        upgrade(read_address(sqlite_url))
    with with_migrations(monkeypatch, SHIPPED):
        async with opened(sqlite_url) as store:
            assert "colour" not in (await table(store, "places"))[0]


async def test_postgresql_is_upgraded_whole_or_not_at_all(postgres_url, failing, monkeypatch):
    with with_migrations(monkeypatch, SHIPPED):
        async with opened(postgres_url) as store:
            await store.write(add_place)
    with pytest.raises(ZeroDivisionError):
        upgrade(read_address(postgres_url))
    script = ADDS_A_COLUMN.format(revision="later", before=failing, then="")
    (upgrades.MIGRATIONS / "versions" / "later.py").write_text(script)
    async with opened(postgres_url) as store:
        colours = text("SELECT colour FROM places")
        assert await store.write(lambda c: c.execute(colours).scalars().all()) == ["red"]
    with with_migrations(monkeypatch, SHIPPED):
        assert "written by a newer quizbot" in await refusal(postgres_url)


# --- PostgreSQL ------------------------------------------------------------------------------


async def test_a_postgresql_that_is_not_there_is_said_to_be_unreachable(tmp_path):
    sentence = await refusal(f"postgresql://me:secret@/quiz?host={tmp_path}")
    assert "is not reached" in sentence
    assert "secret" not in sentence


async def test_a_host_that_does_not_exist_is_said_to_be_unreachable():
    sentence = await refusal("postgresql://me:secret@127.0.0.1:1/quiz")
    assert "quiz at 127.0.0.1:1 is not reached" in sentence


async def test_a_database_that_is_missing_is_said_to_be(postgres_server):
    url = postgres_server.replace("/postgres?", "/nowhere?")
    assert "has no such database" in await refusal(url)


@pytest.fixture
def picky_url(postgres_server) -> Iterator[str]:
    """The address of a user whose password is asked for, with a wrong one."""
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        file = Path((connection.execute("SHOW hba_file").fetchone() or [""])[0])
        before = file.read_text()
        file.write_text(f"local all picky scram-sha-256\n{before}")
        connection.execute("CREATE ROLE picky LOGIN PASSWORD 'right'")
        connection.execute("SELECT pg_reload_conf()")
        yield postgres_server.replace("postgres:@", "picky:secret@")
        file.write_text(before)
        connection.execute("DROP ROLE picky")
        connection.execute("SELECT pg_reload_conf()")


async def test_a_wrong_password_is_called_so_and_not_shown(picky_url):
    sentence = await refusal(picky_url)
    assert "refused the password" in sentence
    assert "secret" not in sentence


async def test_a_missing_driver_is_named_with_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    sentence = await refusal("postgresql://me:secret@host/quiz")
    assert sentence.endswith("install psycopg (quizbot's extra: postgres).")


# --- one process on a file -------------------------------------------------------------------


def test_a_second_run_on_the_same_file_stops_with_one_sentence(sqlite_url, tmp_path):
    (tmp_path / "link.db").symlink_to(tmp_path / "quiz.db")
    with run_lock(sqlite_url):
        for url in (sqlite_url, f"sqlite:///{tmp_path}/link.db"):
            with pytest.raises(StoreUnavailable, match="Another quizbot runs on"), run_lock(url):
                pass
    with run_lock(sqlite_url):
        pass


def test_a_run_that_was_killed_has_let_go_of_its_file(sqlite_url):
    code = (
        "import sys\n"
        "from bot.store.opening import run_lock\n"
        "with run_lock(sys.argv[1]):\n"
        "    print('held', flush=True)\n"
        "    sys.stdin.read()\n"
    )
    command = [sys.executable, "-c", code, sqlite_url]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(StoreUnavailable), run_lock(sqlite_url):
            pass
        other.kill()
        other.wait()
        with run_lock(sqlite_url):
            pass


def test_processes_share_postgresql():
    with run_lock("postgresql://host/quiz"), run_lock("postgresql://host/quiz"):
        pass


def test_a_lock_that_cannot_be_made_is_told_in_one_sentence(tmp_path):
    with (
        pytest.raises(StoreUnavailable, match="folder does not exist"),
        run_lock(f"sqlite:///{tmp_path}/nowhere/quiz.db"),
    ):
        pass
