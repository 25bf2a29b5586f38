"""quizbot as a program of its own on Slack: killed while people play, and back."""

from __future__ import annotations

from pathlib import Path

import crash
import pytest
from crash_crowd import PEOPLE
from crash_slack import on_slack
from slack_process import started
from stand_in_slack import StandInSlack


async def test_a_question_stands_while_nobody_is_there_and_is_answered_afterwards(tmp_path: Path):
    async with StandInSlack(patience=20) as slack:
        workspace = slack.workspace("Study group")
        team, ines = workspace.channel("team"), workspace.person("Inès", admin=True)
        database = f"sqlite:///{tmp_path / 'quizbot.db'}"
        async with started(slack, workspace, tmp_path, QUIZBOT_DATABASE_URL=database) as bot:
            await slack.until(lambda: slack.sockets.connected)
            await ines.types("/quiz pipeline off", team)
            await slack.until(lambda: team.messages, 20)
            await bot.kill()
            await slack.until(lambda: not slack.sockets.connected)
        lost = await ines.presses(team.last, "A")
        assert lost.failed == "Slack had trouble connecting (dispatch_failed)"
        async with started(slack, workspace, tmp_path, QUIZBOT_DATABASE_URL=database):
            await slack.until(lambda: slack.sockets.connected)
            seen = ines.begins_to_press(team.last, "A")
            verdict = await seen.until_private()
            again = ines.begins_to_press(team.last, "B")
            assert (await again.until_private()).text.startswith("You already answered A.")
        assert verdict.text.startswith(("Right", "Not this time"))


@pytest.mark.long
@pytest.mark.timeout(300)  # it may share the machine with others
async def test_who_presses_while_it_is_killed_twice_loses_and_doubles_nothing(tmp_path: Path):
    said: list[str] = []
    found = await crash.play(on_slack, 2, tmp_path, said.append, seed=20)
    assert found.faults == []
    assert len(said) == found.kills == 2
    assert len(found.told) > 3 * PEOPLE // 2, "hardly anybody was told anything"
