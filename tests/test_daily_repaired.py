"""A key that was wrong, and is repaired after a daily or a round has shown it to everybody."""

from __future__ import annotations

from pathlib import Path

import pytest
from conversation import Person, jump, pass_time
from daily_story import pass_to, set_daily
from discord_stage import DiscordStage
from quizzes import PORTS, write_bank

from adapters.commands.store import regrade_all

EDITS = "PATCH /channels/{channel}/messages/{message}"
WRONG = PORTS.replace("correct: b", "correct: c", 1).replace("why: {c:", "why: {b:")
WRONG = WRONG.replace("correct: a", "correct: b", 1)


async def nothing_is_said_twice(stage: DiscordStage) -> None:
    edits = len(stage.world.sent(EDITS))
    await stage.restart()
    await jump(stage, 20)
    assert len(stage.world.sent(EDITS)) == edits


@pytest.mark.parametrize("way", ["restart", "regrade"])
async def test_what_stands_in_the_channel_says_what_is_right_by_now(
    way: str, tmp_path: Path
) -> None:
    write_bank(tmp_path / "banks", "ports", bank=WRONG)
    stage = DiscordStage(f"sqlite:///{tmp_path / 'quizbot.db'}", [tmp_path / "banks"])
    await stage.start()
    try:
        await set_daily(stage)
        await pass_to(stage, "10:00")
        olga = Person(stage, "Olga", organiser=True)
        (await Person(stage, "Ana").answers("22")).says("Not this time")
        (await Person(stage, "Ben").answers("2222")).says("Right, 10 points")
        await olga.types("/leaderboard")
        await olga.presses_told("Since the beginning")
        await olga.presses_told("Keep it in the channel")
        await pass_to(stage, "10:00", days=1)
        await pass_to(stage, "10:00", days=1)
        await pass_time(stage, 10)
        first, board, second, third = await stage.channel()
        first.says("Right answer: ", "· 2222")
        board.says("1. Ben")
        second.says("Right answer: ", "· 443", "Nobody answered.")
        third.says("Nobody answered yesterday’s quiz: ", "· 443")

        (tmp_path / "banks" / "ports" / "bank.yaml").write_text(PORTS, encoding="utf-8")
        if way == "restart":
            await stage.restart()
        else:
            await regrade_all(stage.settings)
        await jump(stage, 11 * 60)
        first, board, second, third = await stage.channel()
        first.says("Right answer: ", "· 22\n")
        board.says("1. Ana")
        second.says("Right answer: ", "· 80", "Nobody answered.")
        third.says("Nobody answered yesterday’s quiz: ", "· 80")
        await nothing_is_said_twice(stage)
    finally:
        await stage.stop()


async def test_the_result_of_a_round_says_how_it_went_by_the_key_of_now(tmp_path: Path) -> None:
    write_bank(tmp_path / "banks", "ports", bank=WRONG)
    stage = DiscordStage(f"sqlite:///{tmp_path / 'quizbot.db'}", [tmp_path / "banks"])
    await stage.start()
    try:
        ana = Person(stage, "Ana")
        await ana.types("/quiz shells")
        for person in (ana, Person(stage, "Ben"), Person(stage, "Cho")):
            (await person.answers("22")).says("Not this time")
        await ana.types("/stop")
        await pass_time(stage, 5)
        question, result = await stage.channel()
        question.says("Right answer: ", "· 2222")
        result.says("3 people, 0% right", "Hardest: question 1")

        (tmp_path / "banks" / "ports" / "bank.yaml").write_text(PORTS, encoding="utf-8")
        await stage.restart()
        await jump(stage, 60)
        question, result = await stage.channel()
        question.says("Right answer: ", "· 22\n")
        result.says("3 people, 100% right", "1. Ana")
        await nothing_is_said_twice(stage)
    finally:
        await stage.stop()
