"""Draws the pictures in docs from what quizbot sends while people play and set a daily quiz.

    PYTHONPATH=tests .venv/bin/python tests/drawing/draw.py

It needs npm and Chromium, and installs what it draws with into a folder that is gone afterwards.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from conversation import Person, Seen, newest_question, pass_time
from discord_stage import DiscordStage
from pages import Shown, discord_page, slack_page
from playwright.async_api import Browser, async_playwright
from slack_stage import SlackStage

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
NAMES = ("Ana", "Ben", "Cleo", "Tariro", "Inès", "Kenji")
WIDTHS = {"discord": 560, "slack": 620, "daily": 560}


async def draw() -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        await asyncio.to_thread(bundle, folder)
        for name, page in (("discord", discord_page), ("slack", slack_page)):
            messages = await played(name, folder)
            (folder / "drawn" / f"{name}.html").write_text(page(messages), encoding="utf-8")
        (folder / "drawn" / "daily.html").write_text(await daily(folder), encoding="utf-8")
        as_root = os.geteuid() == 0
        async with (
            async_playwright() as playwright,
            await playwright.chromium.launch(
                executable_path=shutil.which("chromium"), chromium_sandbox=not as_root
            ) as browser,
        ):
            for name in WIDTHS:
                await photograph(browser, folder, name)


def bundle(folder: Path) -> None:
    for name in ("package.json", "discord.js", "slack.jsx"):
        shutil.copy(HERE / name, folder)
    for command in (["npm", "install", "--no-audit", "--no-fund"], ["npm", "run", "bundle"]):
        subprocess.run(command, cwd=folder, check=True)


async def played(platform: str, folder: Path) -> list[Shown]:
    """A question, the verdict on a wrong answer, and what the question becomes."""
    stage: Any = {"discord": DiscordStage, "slack": SlackStage}[platform](
        f"sqlite:///{folder / platform}.db", [ROOT / "banks"]
    )

    def sent(seen: Seen, *, is_private: bool = False) -> Shown:
        message = stage._message(seen)
        payload = message.blocks if platform == "slack" else message.history[-1].payload
        return Shown(payload, stage.clock.now().timestamp(), is_private=is_private)

    await stage.start()
    people = [Person(stage, name) for name in NAMES]
    await people[0].types("/quiz pipeline 1")
    question = await newest_question(stage)
    letters = list(question.options)
    told = [
        await person.presses(letters[at % len(letters)], on=question)
        for at, person in enumerate(people)
    ]
    verdict = next(seen for seen in told if "tempts" in seen.text)
    private = sent(verdict, is_private=True)
    await pass_time(stage, 3)
    asked = sent((await stage.channel())[-1])
    while "Right answer" not in (await stage.channel())[0].text:
        await pass_time(stage, 5)
    revealed = sent((await stage.channel())[0])
    await stage.stop()
    return [asked, private, revealed]


async def daily(folder: Path) -> str:
    """What an organiser looks at before a daily quiz is saved."""
    stage = DiscordStage(f"sqlite:///{folder / 'daily'}.db", [ROOT / "banks"])
    await stage.start()
    olga = Person(stage, "Olga", organiser=True)
    await olga.types("/language en")
    told = await olga.types("/daily set 07:30 Africa/Harare mon-fri pipeline holidays:ZW")
    payload = stage._message(told).history[-1].payload
    shown = Shown(payload, stage.clock.now().timestamp(), is_private=True)
    channels = {str(stage.place.id): stage.place.name}
    await stage.stop()
    return discord_page([shown], channels)


async def photograph(browser: Browser, folder: Path, name: str) -> None:
    page = await browser.new_page(viewport={"width": WIDTHS[name], "height": 100})
    await page.goto((folder / "drawn" / f"{name}.html").as_uri())
    await page.wait_for_load_state("networkidle")
    await page.wait_for_timeout(1_000)
    await page.screenshot(path=ROOT / "docs" / f"{name}.png", full_page=True)
    await page.close()


if __name__ == "__main__":
    asyncio.run(draw())
