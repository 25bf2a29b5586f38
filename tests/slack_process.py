"""A bot in a process of its own, on a stand-in Slack in this one."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from pathlib import Path

from child_process import HERE, Process, started_child
from stand_in_slack import StandInSlack
from stand_in_slack_workspaces import Workspace

QUIZBOT = HERE / "slack_child.py"


def started(
    world: StandInSlack, workspace: Workspace, folder: Path, script: Path = QUIZBOT, **settings: str
) -> AbstractAsyncContextManager[Process]:
    """A bot on that stand-in, up and at work in that folder; killed at the end of the block.

    It listens on sockets; with `SLACK_APP_TOKEN=""` and a signing secret, over HTTP. What it logs
    is added to `bot.log` there.
    """
    settings = {
        "SLACK_BOT_TOKEN": workspace.token,
        "SLACK_APP_TOKEN": world.app_token,
        **settings,
    }
    return started_child(script, world.api, folder=folder, **settings)
