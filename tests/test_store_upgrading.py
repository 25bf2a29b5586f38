"""A database of an older version is upgraded, and all that was in it reads and plays on.

`database_0001.sql` was written by the first version, of which it holds a finished quiz, one in
which the second question stands open, a practice, a board and a time zone that was set.
`database_0003.sql` is what the third revision had made of it, with an app that was installed;
`database_0006.sql` what the sixth had made of that, with a daily quiz that waits.
"""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from bare_stage import BareStage, seen
from conversation import Person, Seen, last, newest_question, pass_time
from quizzes import right, write_banks
from sqlalchemy import Connection, Engine, MetaData, create_engine, event, func, select, text

from bot.store.addresses import read_address
from bot.store.inspection import inspect
from bot.store.schema import metadata
from bot.store.upgrades import head, upgrade, upgrade_in

REVISIONS = ("0001", "0003", "0006")


def old_database(revision: str) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    dump = Path(__file__).with_name(f"database_{revision}.sql")
    connection.executescript(dump.read_text(encoding="utf-8"))
    return connection


@pytest.fixture(params=REVISIONS)
def revision(request: pytest.FixtureRequest) -> str:
    """Where the old database stands."""
    return str(request.param)


@pytest.fixture
def old_sqlite(tmp_path: Path, revision: str) -> str:
    with (
        closing(old_database(revision)) as old,
        closing(sqlite3.connect(tmp_path / "old.db")) as file,
    ):
        old.backup(file)
    return f"sqlite:///{tmp_path / 'old.db'}"


@pytest.fixture
def old_postgres(postgres_url: str, revision: str) -> str:
    """The same rows in the tables that the migrations up to there make."""
    engine = create_engine(read_address(postgres_url).writer)
    with engine.begin() as connection:
        upgrade_in(connection, revision)
        _copy(connection, revision)
    engine.dispose()
    return postgres_url


def _copy(connection: Connection, revision: str) -> None:
    tables = MetaData()
    tables.reflect(connection)
    with closing(old_database(revision)) as old:
        old.row_factory = sqlite3.Row
        for table in tables.sorted_tables:
            if table.name == "alembic_version":
                continue
            query = f'SELECT * FROM "{table.name}" ORDER BY 1'  # noqa: S608 - names of ours
            for row in old.execute(query):
                values = {
                    column.name: bool(row[column.name])
                    if str(column.type) == "BOOLEAN"
                    else row[column.name]
                    for column in table.c
                }
                connection.execute(table.insert().values(values))
            if "id" in table.c:
                newest = select(func.coalesce(func.max(table.c.id), 1)).scalar_subquery()
                connection.execute(
                    select(func.setval(func.pg_get_serial_sequence(table.name, "id"), newest))
                )


@pytest.fixture(params=["old_sqlite", "old_postgres"])
def old_url(request: pytest.FixtureRequest, revision: str) -> str:
    """Each kind of database at each of the revisions; `revision` is what both of them ask for."""
    return str(request.getfixturevalue(request.param))


@pytest.fixture
async def stage(old_url: str, tmp_path: Path) -> AsyncIterator[BareStage]:
    """Started on it, ten seconds after it was left."""
    stage = BareStage(old_url, [write_banks(tmp_path / "banks")])
    stage.clock.move(125)
    await stage.start()
    yield stage
    await stage.stop()
    assert inspect(read_address(old_url)).revision == head()
    assert inspect(read_address(old_url)).faults == ()


async def standing(stage: BareStage) -> list[Seen]:
    """What stands in the place, by the database."""
    posts = await stage.app.posts(stage.where)
    return [seen(post.message, post.message_id) for post in posts]


def test_the_old_database_has_rows_in_every_table_of_then(revision: str) -> None:
    with closing(old_database(revision)) as old:
        assert old.execute("SELECT version_num FROM alembic_version").fetchall() == [(revision,)]
        query = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        for (name,) in old.execute(query).fetchall():
            count = f'SELECT count(*) FROM "{name}"'  # noqa: S608 - names of ours
            assert old.execute(count).fetchone() > (0,), name


def test_migrations_only_add(revision: str) -> None:
    """A process of the version before goes on working while another upgrades the database."""
    with closing(old_database(revision)) as old:
        query = "SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c"
        known = {
            (table.name, column.name) for table in metadata.sorted_tables for column in table.c
        }
        here = {row for row in old.execute(query) if row[0] in metadata.tables}
        assert len(here) > 100
        assert here <= known


async def test_what_stood_in_the_channel_still_reads(stage: BareStage) -> None:
    answer, result, board, first, second = await standing(stage)
    answer.says("Ports · question 1 of 1", "Right answer: C · 53")
    result.says("Ports: 2 people, 50% right.", "1. Ana: 10")
    board.says("We: 50% right this week", "1. Ana (1 of 1): 10")
    first.says("Right answer: A · 53")
    second.says("question 2 of 3", "1 answered")


async def test_the_open_question_is_answered_and_the_quiz_comes_to_its_end(
    stage: BareStage,
) -> None:
    ana = Person(stage, "Ana")
    question = (await standing(stage))[-1]
    (await ana.answers(right(question), on=question)).says("Right, 10 points")
    await pass_time(stage, 60)
    third = await newest_question(stage)
    third.says("question 3 of 3")
    await ana.answers(right(third))
    await pass_time(stage, 60)
    (await last(stage)).says("Ports: 2 people")
    (await ana.types("/leaderboard")).says("1. Ana (3 of 3): 30")


async def test_what_people_had_set_and_answered_is_there(stage: BareStage) -> None:
    ana, ben = Person(stage, "Ana", organiser=True), Person(stage, "Ben")
    (await ana.types("/settings")).says("Time zone: Africa/Harare")
    (await ana.types("/answers")).says("On which port does a DNS server listen?")
    (await ben.types("/quiz ports solo")).says("Les ports · Question 2 sur 3 · 1 bonne réponse")


async def test_a_new_quiz_begins_where_the_old_one_was(stage: BareStage) -> None:
    ana = Person(stage, "Ana")
    (await ana.types("/stop")).says("The quiz is over.")
    (await ana.types("/quiz ports")).says("Ports begins here.")
    (await newest_question(stage)).says("question 1 of 3")


async def test_a_copy_of_the_old_database_is_kept(
    old_sqlite: str, tmp_path: Path, revision: str
) -> None:
    stage = BareStage(old_sqlite, [write_banks(tmp_path / "banks")])
    await stage.start()
    await stage.stop()
    with closing(sqlite3.connect(tmp_path / f"old.before-{head()}.db")) as copy:
        assert copy.execute("SELECT version_num FROM alembic_version").fetchall() == [(revision,)]


def test_postgresql_holds_what_sqlite_held(old_postgres: str, revision: str) -> None:
    engine = create_engine(read_address(old_postgres).writer)
    with engine.connect() as connection, closing(old_database(revision)) as old:
        for name in ("attempts", "outbox", "steps", "totals"):
            query = f'SELECT count(*) FROM "{name}"'  # noqa: S608 - names of ours
            held = connection.execute(text(query)).scalar_one()
            assert (held,) == old.execute(query).fetchone()
    engine.dispose()


def test_what_was_answered_before_stands_on_the_boards_of_its_topic(old_url: str) -> None:
    address = read_address(old_url)
    upgrade(address)
    assert inspect(address).faults == ()
    engine = create_engine(address.writer)
    with engine.connect() as connection:
        of_all, of_topic = (
            connection.execute(
                text(
                    "SELECT place_id, period, starts, player_id, points, answered FROM totals"
                    " JOIN boards ON boards.id = board_id"
                    " WHERE community_id = 1 AND topic = :topic ORDER BY 1, 2, 3, 4"
                ),
                {"topic": topic},
            ).fetchall()
            for topic in ("", "ports")
        )
    engine.dispose()
    # There was one quiz alone.
    assert of_topic == of_all != []


def test_what_was_answered_before_stands_on_the_boards_of_its_day(old_url: str) -> None:
    upgrade(read_address(old_url))
    engine = create_engine(read_address(old_url).writer)
    of_days = (
        'SELECT place_id, starts, player_id, points, answered, "right" FROM totals'
        " JOIN boards ON boards.id = board_id"
        " WHERE community_id = 1 AND topic = '' AND period = 'today'"
        " ORDER BY 1, 2, 3"
    )
    answered = (
        "SELECT spots.place_id, attempts.date, attempts.player_id, sum(points), count(*),"
        " sum(CASE WHEN is_right THEN 1 ELSE 0 END) FROM attempts"
        " JOIN marks ON marks.step_id = attempts.step_id AND marks.player_id = attempts.player_id"
        " JOIN steps ON steps.id = attempts.step_id JOIN rounds ON rounds.id = steps.round_id"
        " JOIN (SELECT id, id AS place_id FROM places UNION ALL SELECT id, 0 FROM places) spots"
        " ON spots.id = rounds.place_id WHERE counts IS NOT NULL AND community_id = 1"
        " GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"
    )
    with engine.connect() as connection:
        added_up, stored = (
            [tuple(row) for row in connection.execute(text(query))] for query in (answered, of_days)
        )
    engine.dispose()
    assert stored == added_up != []


@pytest.mark.parametrize("revision", ["0006"], indirect=True)
def test_whoever_answers_meanwhile_waits_for_nothing_that_takes_long(old_sqlite: str) -> None:
    """On PostgreSQL a table that was changed is nobody's until the commit."""
    asked: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        asked.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        upgrade(read_address(old_sqlite))
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    first = min(at for at, statement in enumerate(asked) if statement.startswith("ALTER TABLE"))
    assert any("FROM attempts" in statement for statement in asked[:first])
    assert not [statement for statement in asked[first:] if "FROM attempts" in statement]


@pytest.mark.parametrize("revision", ["0006"], indirect=True)
def test_what_was_asked_before_is_counted_on_the_boards_of_its_time(old_url: str) -> None:
    upgrade(read_address(old_url))
    engine = create_engine(read_address(old_url).writer)
    query = (
        "SELECT COALESCE(places.external_id, ''), topic, period, starts, asked FROM boards"
        " JOIN communities ON communities.id = boards.community_id"
        " LEFT JOIN places ON places.id = boards.place_id"
        " WHERE communities.external_id = 'other' AND period IN ('season', 'all') AND asked > 0"
    )
    with engine.connect() as connection:
        asked = {tuple(row[:4]): row[4] for row in connection.execute(text(query))}
    engine.dispose()
    # A question of the last week of September was asked once more in October.
    assert {key: asked[key] for key in asked if key[:2] == ("", "")} == {
        ("", "", "all", ""): 5,
        ("", "", "season", "2026-07-01"): 1,
        ("", "", "season", "2026-10-01"): 3,
        ("", "", "season", "2026-11-20"): 2,
    }
    assert {key[0]: count for key, count in asked.items() if key[1:3] == ("b2", "all")} == {
        "": 2,
        "p1": 2,
        "p2": 1,
    }
