"""What is sent on Discord: drawn once for many, and with pictures as they are at that moment."""

from __future__ import annotations

import asyncio
import copy
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stand_in_discord_component_rules import walk

from adapters.discord import pictures, ready, render
from bot import messages as m
from bot.memory import Memory

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(autouse=True)
def _nothing_logged_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "_logged", set())


def message(text: str, language: str = "en", token: str = "a") -> m.Message:
    button = m.Button(text[:80], token)
    return m.Message((m.Paragraph((m.Plain(text),)),), ((button,),), language)


def shows(made: ready.Ready) -> list[str]:
    return [one["content"] for _, one in walk(made.view.to_components()) if one["type"] == 10]


messages = st.builds(
    message, st.sampled_from(["one", "two", "*"]), st.sampled_from(["en", "fr"]), st.just("a")
)


@given(st.lists(messages, max_size=6), st.data())
@settings(max_examples=50)
async def test_whatever_was_told_before_each_message_is_drawn_as_it_is(
    given_: list[m.Message], data: st.DataObject
):
    # Again and again, in any order; some are the same object, some are only equal.
    order = data.draw(st.lists(st.sampled_from(given_), max_size=20)) if given_ else []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ready, "_DRAWN", Memory(2, 100_000))
        for one in order:
            told = await ready.told(copy.copy(one) if data.draw(st.booleans()) else one)
            assert told.view.to_components() == render.message(one).components


async def test_the_same_reply_is_drawn_once():
    reply = message("Right, 10 points: A")
    assert (await ready.told(reply)).view is (await ready.told(reply)).view


async def test_a_picture_is_read_each_time_so_that_a_mended_one_is_seen(tmp_path: Path):
    file = tmp_path / "pipes.png"
    asked = m.Message((m.Picture(str(file), "Two pipes", "en"),))
    sent: list[Any] = []
    for content in (PNG + b"1", PNG + b"2"):
        file.write_bytes(content)
        made = await ready.told(asked)
        sent += [(one.filename, one.description, one.fp.read()) for one in made.files]
    assert sent == [
        ("picture.png", "Two pipes", PNG + b"1"), ("picture.png", "Two pipes", PNG + b"2"),
    ]  # fmt: skip


async def test_a_picture_that_cannot_be_read_is_told_in_words_and_logged_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    empty, folder, large = tmp_path / "empty.png", tmp_path / "folder.png", tmp_path / "large.png"
    empty.touch()
    folder.mkdir()
    with large.open("wb") as file:
        file.truncate(pictures.MOST_BYTES + 1)
    for path in (empty, folder, large, tmp_path / "gone.png"):
        caplog.clear()
        asked = m.Message((m.Picture(str(path), "Two *pipes*", "en"),))
        for _ in range(3):
            made = await ready.told(asked)
            assert (shows(made), made.files) == ([r"-# Two \*pipes\*"], [])
        assert [str(path) in line.message for line in caplog.records] == [True]


async def test_a_picture_that_goes_away_meanwhile_is_told_in_words(tmp_path: Path):
    file = tmp_path / "pipes.png"
    file.write_bytes(PNG)
    is_gone = threading.Event()
    with ThreadPoolExecutor(1) as executor:
        asyncio.get_running_loop().set_default_executor(executor)
        # Nothing is read before the file has gone.
        executor.submit(is_gone.wait, 10)
        making = asyncio.create_task(ready.made(m.Message((m.Picture(str(file), "Pipes", "en"),))))
        await asyncio.sleep(0)
        file.unlink()
        is_gone.set()
        made = await making
    assert (shows(made), made.files) == (["-# Pipes"], [])
