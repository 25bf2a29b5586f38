"""Settings: where they come from, what they take, and what is said of a wrong one."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterator
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from command_line import own_logging

from adapters.logs import start_logging
from adapters.settings import NAMES, Settings, WrongSettings, read_settings
from bot.banks import shipped_folder


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory and an environment in which nothing is set."""
    for name in [name for name in os.environ if name.startswith("QUIZBOT_") or name in NAMES]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_env(folder: Path, *lines: str) -> None:
    (folder / ".env").write_text("\n".join(lines) + "\n", encoding="utf-8")


def sentences() -> list[str]:
    """What is said of settings that are wrong."""
    with pytest.raises(WrongSettings) as caught:
        read_settings()
    return str(caught.value).split("\n")


def test_nothing_has_to_be_set():
    settings = read_settings().settings
    assert settings.database_url == "sqlite:///quizbot.db"
    assert settings.banks == (shipped_folder(),)
    assert (settings.host, settings.port, settings.room) == ("127.0.0.1", 8080, True)
    assert (settings.zone, settings.log, settings.log_format) == (ZoneInfo("UTC"), "info", "text")
    assert settings.discord_token is None


def test_settings_come_from_a_file_in_the_working_directory(folder):
    write_env(folder, "# the room", "QUIZBOT_PORT=9000", 'QUIZBOT_ZONE="africa/harare"')
    settings = read_settings().settings
    assert settings.port == 9000
    assert settings.zone == ZoneInfo("Africa/Harare")


def test_the_environment_wins_over_the_file(folder, monkeypatch):
    write_env(folder, "QUIZBOT_PORT=9000")
    monkeypatch.setenv("QUIZBOT_PORT", "9001")
    assert read_settings().settings.port == 9001


def test_a_setting_that_is_empty_is_not_set(folder):
    write_env(folder, "QUIZBOT_PORT=", "DISCORD_TOKEN=")
    settings = read_settings().settings
    assert settings.port == 8080
    assert settings.discord_token is None


def test_a_mark_that_editors_put_before_the_first_line_is_no_part_of_a_name(folder):
    (folder / ".env").write_bytes(b"\xef\xbb\xbfQUIZBOT_PORT=9000\n")
    assert read_settings().settings.port == 9000


def test_banks_are_folders_separated_as_in_path(monkeypatch):
    monkeypatch.setenv("HOME", "/home/ana")
    monkeypatch.setenv("QUIZBOT_BANKS", os.pathsep.join(["ours", "", "~/quizzes"]))
    assert read_settings().settings.banks == (Path("ours"), Path("/home/ana/quizzes"))


@pytest.mark.parametrize("zone", ["UTC", "Etc/UTC", "Europe/Paris", "europe/paris"])
def test_a_zone_is_any_that_the_machine_knows(zone, monkeypatch):
    monkeypatch.setenv("QUIZBOT_ZONE", zone)
    assert read_settings().settings.zone.key.casefold() == zone.casefold()


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        (
            "QUIZBOT_PORT",
            "80a",
            'QUIZBOT_PORT is "80a": write a number from 1 to 65535, or 0 for any that is free.',
        ),
        (
            "QUIZBOT_PORT",
            "70000",
            'QUIZBOT_PORT is "70000": write a number from 1 to 65535, or 0 for any that is free.',
        ),
        ("QUIZBOT_ZONE", "Harare", 'QUIZBOT_ZONE is "Harare": did you mean Africa/Harare?'),
        (
            "QUIZBOT_ZONE",
            "Mars",
            'QUIZBOT_ZONE is "Mars": write a name such as Africa/Harare or UTC.',
        ),
        (
            "QUIZBOT_ZONE",
            "qqqq",
            'QUIZBOT_ZONE is "qqqq": write a name such as Africa/Harare or UTC.',
        ),
        ("QUIZBOT_ROOM", "maybe", 'QUIZBOT_ROOM is "maybe": write on or off.'),
        (
            "QUIZBOT_HOST",
            "http://here",
            'QUIZBOT_HOST is "http://here": '
            "write an address such as 127.0.0.1, or 0.0.0.0 for every network.",
        ),
        ("QUIZBOT_LOG", "loud", 'QUIZBOT_LOG is "loud": write debug, info, warning or error.'),
        ("QUIZBOT_LOG_FORMAT", "xml", 'QUIZBOT_LOG_FORMAT is "xml": write text or json.'),
        (
            "QUIZBOT_DATABASE_URL",
            "mysql://ana:secret@host/quizzes",
            "QUIZBOT_DATABASE_URL begins with an unknown mysql: "
            "write sqlite:///quizbot.db or postgresql://user:password@host/quizbot.",
        ),
        (
            "QUIZBOT_BANKS",
            os.pathsep,
            f'QUIZBOT_BANKS is "{os.pathsep}": '
            f"write one or more folders, with {os.pathsep} between them.",
        ),
    ],
)
def test_a_wrong_value_is_told_with_what_to_write(name, value, sentence, monkeypatch):
    monkeypatch.setenv(name, value)
    assert sentences() == [sentence]


def test_everything_that_is_wrong_is_told_at_once(folder):
    write_env(folder, "QUIZBOT_PORT=x", "QUIZBOT_ROOM=y", "QUIZBOT_ZONE=UTC")
    assert [line.split()[0] for line in sentences()] == ["QUIZBOT_PORT", "QUIZBOT_ROOM"]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"QUIZBOT_PORT=9000\n=9\n", ".env, line 2: write NAME=value."),
        (b"QUIZBOT_ZONE=\xff\n", ".env cannot be read: it is not UTF-8."),
    ],
)
def test_a_file_that_cannot_be_read_is_told_with_its_line(content, sentence, folder):
    (folder / ".env").write_bytes(content)
    assert sentences() == [sentence]


@pytest.mark.parametrize(
    ("name", "warning"),
    [
        ("QUIZBOT_PRT", "There is no setting QUIZBOT_PRT. Did you mean QUIZBOT_PORT?"),
        ("QUIZBOT_DISCORD_TOKEN", "Did you mean DISCORD_TOKEN?"),
        ("QUIZBOT_LOGFORMAT", "Did you mean QUIZBOT_LOG_FORMAT?"),
        ("QUIZBOT_FAVOURITE_FRUIT", "There is no setting QUIZBOT_FAVOURITE_FRUIT."),
    ],
)
def test_an_unknown_name_is_warned_of_with_the_one_that_was_meant(name, warning, monkeypatch):
    monkeypatch.setenv(name, "1")
    (said,) = read_settings().warnings
    assert said.endswith(warning)


def test_an_unknown_name_in_the_file_is_warned_of_too(folder):
    write_env(folder, "QUIZBOT_PROT=9000", "OTHER_PROGRAM=1")
    assert read_settings().warnings == (
        "There is no setting QUIZBOT_PROT in .env. Did you mean QUIZBOT_PORT?",
    )


def test_a_folder_in_the_place_of_the_file_is_warned_of(folder):
    (folder / ".env").mkdir()
    assert read_settings().warnings == (".env is a folder, and nothing is read of it.",)


# --- secrets ---------------------------------------------------------------------------------

SECRETS = {
    "DISCORD_TOKEN": "discord-secret",
    "SLACK_BOT_TOKEN": "xoxb-secret",
    "SLACK_APP_TOKEN": "xapp-secret",
}


@pytest.fixture
def secret_settings(monkeypatch: pytest.MonkeyPatch) -> Settings:
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("QUIZBOT_DATABASE_URL", "postgresql://ana:pg-secret@db/quizzes")
    return read_settings().settings


def test_no_secret_is_seen_where_settings_are_printed(secret_settings):
    assert "secret" not in repr(secret_settings) + str(secret_settings)


def test_no_secret_is_seen_in_what_is_said_of_wrong_settings(secret_settings, monkeypatch):
    monkeypatch.setenv("QUIZBOT_PORT", "x")
    monkeypatch.setenv("QUIZBOT_DATABASE_URL", "mysql://ana:pg-secret@db/quizzes")
    assert "secret" not in "".join(sentences())


@pytest.fixture
def own_log() -> Iterator[None]:
    with own_logging():
        yield


@pytest.mark.parametrize("kind", ["text", "json"])
@pytest.mark.usefixtures("own_log")
def test_no_secret_reaches_the_log(kind, secret_settings, capsys):
    start_logging("info", kind, secret_settings.secrets)
    try:
        raise ValueError("xapp-" + "secret and " + secret_settings.database_url)
    except ValueError:
        logging.getLogger("quizbot").exception("sent discord-secret to %s", "xoxb-secret")
    said = capsys.readouterr().err
    assert not [secret for secret in [*SECRETS.values(), "pg-secret"] if secret in said]
    assert said.count("***") == 4


@pytest.mark.usefixtures("own_log")
def test_an_entry_of_the_log_is_one_line_whatever_it_holds(capsys):
    start_logging("info", "text")
    logging.getLogger("quizbot").info("named %s", "Ana\nERROR forged")
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith("info    quizbot: named Ana ERROR forged")


@pytest.mark.usefixtures("own_log")
def test_the_log_as_json_is_an_object_a_line(capsys):
    start_logging("info", "json")
    logging.getLogger("quizbot").warning("two\nlines")
    try:
        raise ValueError("why")
    except ValueError:
        logging.getLogger("quizbot").exception("failed")
    first, second = map(json.loads, capsys.readouterr().err.splitlines())
    assert (first["level"], first["logger"], first["message"]) == (
        "warning",
        "quizbot",
        "two\nlines",
    )
    assert first["time"].endswith("Z")
    assert "ValueError: why" in second["exception"]


@pytest.mark.usefixtures("own_log")
def test_a_level_leaves_out_what_is_below_it(capsys):
    start_logging("warning", "text")
    logging.getLogger("quizbot").info("small talk")
    logging.getLogger("sqlalchemy.engine").warning("a warning")
    assert capsys.readouterr().err.splitlines()[0].endswith("sqlalchemy.engine: a warning")
