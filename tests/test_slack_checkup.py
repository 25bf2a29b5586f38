"""What the operator is told of Slack: by the doctor, by the manifest's command, at the start."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import yaml
from command_line import Done, Prompt
from slack_installing import KEY, installing
from stand_in_slack import StandInSlack
from stand_in_slack_workspaces import Workspace

from adapters.commands.slack import unused_settings
from adapters.settings import NAMES, read_settings
from adapters.slack.manifest import BOT_SCOPES


@dataclass
class Desk:
    """A prompt beside a Slack with one workspace."""

    slack: StandInSlack
    workspace: Workspace
    prompt: Prompt
    patch: pytest.MonkeyPatch = field(repr=False)

    def set(self, **settings: str) -> None:
        for name, value in settings.items():
            self.patch.setenv(name, value)

    async def types(self, *words: str) -> Done:
        return await asyncio.to_thread(self.prompt, *words)


@pytest.fixture
async def desk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> AsyncIterator[Desk]:
    for name in [name for name in os.environ if name in NAMES]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    async with StandInSlack() as slack:
        workspace = slack.workspace("Study group", scopes=BOT_SCOPES)
        yield Desk(slack, workspace, Prompt(capsys), monkeypatch)


@pytest.fixture
def set_up(desk: Desk) -> Desk:
    """With the two tokens of Socket Mode."""
    desk.set(SLACK_BOT_TOKEN=desk.workspace.token, SLACK_APP_TOKEN=desk.slack.app_token)
    return desk


# --- the doctor --------------------------------------------------------------------------------


async def test_the_doctor_finds_all_well(set_up: Desk) -> None:
    done = await set_up.types("doctor")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[:3] == [
        "ok     bot token: Slack knows it as quizbot in Study group",
        "ok     scopes: all 10 that are needed",
        "ok     app token: Slack opens sockets for it",
    ]
    assert "note   command: people type /quiz: Slack does not say" in done.out


@pytest.mark.parametrize("scope", BOT_SCOPES)
async def test_the_doctor_says_which_permission_is_missing_and_how_to_get_it(
    set_up: Desk, scope: str
) -> None:
    set_up.workspace.app.scopes.discard(scope)
    done = await set_up.types("doctor")
    assert done.code == 1
    (fault,) = [line for line in done.out.splitlines() if line.startswith("fault")]
    assert f"{scope} is missing ({BOT_SCOPES[scope]})" in fault
    assert "the same" not in fault, "of what, no line above says"
    assert "quizbot slack manifest" in fault
    assert "Reinstall" in fault


async def test_the_doctor_says_which_permission_is_too_much(set_up: Desk) -> None:
    set_up.workspace.app.scopes.add("channels:history")
    done = await set_up.types("doctor")
    assert done.code == 0
    assert "note   scopes: quizbot needs none of channels:history: take them away" in done.out


async def test_the_doctor_knows_wrong_tokens_and_shows_none(set_up: Desk) -> None:
    set_up.set(SLACK_BOT_TOKEN="xoxb-not-that-one", SLACK_APP_TOKEN="xapp-nor-that-one")
    done = await set_up.types("doctor")
    assert done.code == 1
    lines = done.out.splitlines()
    assert lines[0].startswith("fault  bot token: Slack does not take SLACK_BOT_TOKEN")
    assert lines[1].startswith("fault  app token: Slack opens no sockets for SLACK_APP_TOKEN")
    assert "connections:write" in lines[1]
    assert "that-one" not in done.out + done.err


async def test_the_doctor_says_that_slack_is_away(set_up: Desk) -> None:
    set_up.slack.fail_next("auth.test", cut=True, times=9)
    done = await set_up.types("doctor")
    assert (done.code, done.out) == (3, "")
    assert done.err.startswith("Slack cannot be reached")


async def test_over_http_the_doctor_says_what_slack_has_to_reach(desk: Desk) -> None:
    desk.set(SLACK_BOT_TOKEN=desk.workspace.token, SLACK_SIGNING_SECRET="s", QUIZBOT_PORT="9000")
    done = await desk.types("doctor")
    assert done.code == 0
    assert (
        "note   HTTP: quizbot listens for Slack on 127.0.0.1:9000, under /slack/events" in done.out
    )


def several(desk: Desk, **more: str) -> None:
    given = {
        "SLACK_CLIENT_ID": desk.slack.client_id,
        "SLACK_CLIENT_SECRET": desk.slack.client_secret,
        "SLACK_SIGNING_SECRET": desk.slack.signing_secret,
        "QUIZBOT_SECRET_KEY": KEY,
    }
    desk.set(**{**given, **more})


@pytest.mark.parametrize("name", ["SLACK_CLIENT_ID", "SLACK_CLIENT_SECRET"])
async def test_the_doctor_knows_a_wrong_app(desk: Desk, name: str) -> None:
    several(desk, **{name: "another"})
    done = await desk.types("doctor")
    assert done.code == 1
    assert f"fault  app: Slack does not take {name}" in done.out


async def test_the_doctor_makes_no_database(desk: Desk, tmp_path: Path) -> None:
    several(desk)
    done = await desk.types("doctor")
    assert done.code == 0
    assert "note   workspaces: none yet" in done.out
    assert [name for name in os.listdir(tmp_path) if name.startswith("quizbot.db")] == []


ODD = {
    "folder": ("is a folder: name a file", lambda file: file.mkdir()),
    "garbage": ("is not a database of quizbot", lambda file: file.write_bytes(b"garbage" * 999)),
    "empty": ("has no tables yet, and this version needs", lambda file: file.touch()),
    "newer": ("was written by a newer quizbot", lambda file: write_old(file, NEWER)),
    "older": ("is at revision 0001, and this version needs", lambda file: write_old(file)),
    "foreign": ("is another program's", lambda file: sqlite(file, "create table notes (text)")),
    "read-only": ("is read-only", lambda file: write_old(file)),
}


NEWER = "update alembic_version set version_num = '9999'"


def sqlite(file: Path, script: str) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(script)


def write_old(file: Path, more: str = "") -> None:
    sqlite(file, Path(__file__).with_name("database_0001.sql").read_text(encoding="utf-8"))
    sqlite(file, more)


@pytest.mark.parametrize("kind", ODD)
async def test_a_database_that_cannot_be_read_is_one_sentence_and_the_rest_is_looked_at(
    desk: Desk, tmp_path: Path, kind: str
) -> None:
    several(desk)
    sentence, make = ODD[kind]
    make(tmp_path / "quizbot.db")
    if kind == "read-only":
        # To root nothing is.
        desk.patch.setattr(os, "access", lambda *_: False)
    done = await desk.types("doctor")
    assert done.code == 3
    assert sentence in done.err
    assert len(done.err.splitlines()) == 1
    assert "workspaces" not in done.out
    assert "ok     app: Slack knows it" in done.out


async def test_the_doctor_counts_workspaces_and_reads_them_with_the_key(
    tmp_path: Path, desk: Desk
) -> None:
    async with installing(tmp_path) as stage:
        for name in ("One", "Two"):
            await stage.browser().installs(stage.world.workspace(name, installed=False).person("A"))
    several(desk, SLACK_CLIENT_ID=stage.world.client_id)
    done = await desk.types("doctor")
    assert (done.code, done.err) == (0, "")
    assert "ok     installed in 2 workspaces\nok     secret key: it reads all of them" in done.out
    several(desk, QUIZBOT_SECRET_KEY="another key of some length")
    done = await desk.types("doctor")
    assert done.code == 1
    assert "fault  secret key: 2 more cannot be read with QUIZBOT_SECRET_KEY: add the" in done.out


# --- the manifest's command ----------------------------------------------------------------------


async def test_who_has_set_nothing_gets_a_manifest_for_sockets(desk: Desk) -> None:
    done = await desk.types("slack", "manifest")
    assert (done.code, done.err) == (0, "")
    made = yaml.safe_load(done.out)
    assert made["settings"]["socket_mode_enabled"]
    assert made["oauth_config"] == {"scopes": {"bot": list(BOT_SCOPES)}}
    assert made["features"]["slash_commands"][0]["command"] == "/quiz"
    as_json = await desk.types("slack", "manifest", "--json")
    assert json.loads(as_json.out) == made


async def test_the_manifest_names_the_command_of_the_settings(desk: Desk) -> None:
    desk.set(QUIZBOT_SLACK_COMMAND="learn")
    made = yaml.safe_load((await desk.types("slack", "manifest")).out)
    assert made["features"]["slash_commands"][0]["command"] == "/learn"


async def test_with_an_address_the_manifest_lets_several_workspaces_in(desk: Desk) -> None:
    done = await desk.types("slack", "manifest", "--url", "https://quizbot.example.org/")
    made = yaml.safe_load(done.out)
    assert made["oauth_config"]["redirect_urls"] == [
        "https://quizbot.example.org/slack/oauth_redirect"
    ]
    assert not made["settings"]["socket_mode_enabled"]
    assert made["settings"]["org_deploy_enabled"]


@pytest.mark.parametrize(
    "url",
    ["http://quizbot.example.org", "quizbot.example.org", "https://", "https://a b", "https://x?y"],
)
async def test_an_address_that_slack_would_not_take_is_refused(desk: Desk, url: str) -> None:
    done = await desk.types("slack", "manifest", "--url", url)
    assert (done.code, done.out) == (2, "")
    assert "https://" in done.err


async def test_where_slack_calls_quizbot_the_address_is_asked_for(desk: Desk) -> None:
    several(desk)
    done = await desk.types("slack", "manifest")
    assert (done.code, done.out) == (2, "")
    assert "--url https://" in done.err


# --- settings that cannot work -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "missing"),
    [
        ({"SLACK_CLIENT_ID": "1.2"}, "set SLACK_CLIENT_SECRET too"),
        ({"SLACK_CLIENT_SECRET": "s"}, "set SLACK_CLIENT_ID too"),
        ({"SLACK_CLIENT_ID": "1.2", "SLACK_CLIENT_SECRET": "s", "SLACK_SIGNING_SECRET": "s"},
         "set QUIZBOT_SECRET_KEY too"),
        ({"SLACK_CLIENT_ID": "1.2", "SLACK_CLIENT_SECRET": "s", "QUIZBOT_SECRET_KEY": KEY},
         "set SLACK_APP_TOKEN too, for Socket Mode, or SLACK_SIGNING_SECRET, for HTTP"),
        ({"SLACK_SIGNING_SECRET": "s"}, "set SLACK_BOT_TOKEN too"),
        ({"SLACK_APP_TOKEN": "xapp-1"}, "set SLACK_BOT_TOKEN too"),
        ({"SLACK_BOT_TOKEN": "xoxb-1"}, "set SLACK_APP_TOKEN too"),
        ({"SLACK_BOT_TOKEN": "xapp-1"}, "that is an app-level token"),
        ({"SLACK_BOT_TOKEN": "xoxp-1"}, "that is a person's token"),
        ({"SLACK_APP_TOKEN": "xoxb-1"}, "that is a bot's token"),
        ({"QUIZBOT_SECRET_KEY": "short"}, "write 16 characters or more"),
        ({"QUIZBOT_SECRET_KEY": f"{KEY},short"}, "write 16 characters or more"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("command", ["run", "doctor"])
async def test_settings_that_cannot_work_say_in_one_sentence_what_is_missing(
    desk: Desk, given: dict[str, str], missing: str, command: str
) -> None:
    desk.set(**given)
    done = await desk.types(command)
    assert (done.code, done.out) == (2, "")
    assert missing in done.err
    assert len(done.err.splitlines()) == 1
    if "QUIZBOT_SECRET_KEY" in missing:
        assert "secrets.token_urlsafe(32)" in done.err
    assert "short" not in done.err


def test_a_bot_token_beside_oauth_is_said_to_be_of_no_use(desk: Desk) -> None:
    several(desk, SLACK_BOT_TOKEN="xoxb-1")
    assert "SLACK_BOT_TOKEN is not used" in unused_settings(read_settings().settings)
    desk.patch.delenv("SLACK_BOT_TOKEN")
    assert unused_settings(read_settings().settings) == ""
