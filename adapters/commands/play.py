"""`quizbot play`: a quiz in the terminal, for one."""

from __future__ import annotations

import asyncio
import contextlib
import getpass
import os
import sys
from contextlib import AsyncExitStack

import typer

from adapters.commands.base import WRONG_USE, Failed, configured, warn_of_faults
from adapters.local.terminal import Session, alone
from adapters.local.terminal_screen import Screen
from adapters.running import composed
from adapters.settings import Settings
from bot.messages import plain_text
from bot.rules import MOST_QUESTIONS
from bot.store.remarking import bring_up_to_date


def play_in_terminal(
    context: typer.Context, topic: str, lang: str | None, count: str | None
) -> None:
    """Until the person stops, or the input ends."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        _edit_lines()
    number = _number(count)
    settings = configured(context, quiet=True)
    with asyncio.Runner() as runner:
        _play(runner, settings, topic, lang, number)


def _play(
    runner: asyncio.Runner, settings: Settings, topic: str, lang: str | None, count: int | None
) -> None:
    """The loop stands still while somebody thinks: nothing goes on here by itself."""
    stack = AsyncExitStack()
    parts = runner.run(stack.enter_async_context(composed(settings, {})))
    try:
        # Beside nothing, so at once: it is one person's file.
        runner.run(bring_up_to_date(parts.store))
        warn_of_faults(parts.loaded, settings)
        session = Session(parts.app, parts.clock, *alone(_account(), _locale()))
        screen = Screen()
        if lang is not None:
            _speak(runner, session, screen, lang)
        _converse(runner, session, screen, topic, count)
    finally:
        runner.run(stack.aclose())


def _converse(
    runner: asyncio.Runner, session: Session, screen: Screen, topic: str, count: int | None
) -> None:
    turn = runner.run(session.begin(topic, count))
    screen.show_turn(turn, session)
    while not turn.over and (line := screen.read()) is not None:
        turn = runner.run(session.enter(line))
        screen.show_turn(turn, session)
    screen.say_goodbye(session)
    if topic and not session.has_played:
        raise typer.Exit(WRONG_USE)


def _speak(runner: asyncio.Runner, session: Session, screen: Screen, language: str) -> None:
    turn, is_known = runner.run(session.speak(language))
    if not is_known:
        raise Failed(" ".join(map(plain_text, turn.messages)), WRONG_USE)
    for message in turn.messages:
        screen.show(message)


def _edit_lines() -> None:
    """Let the arrow keys edit what is typed. Importing it may write to the terminal."""
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401


def _number(count: str | None) -> int | None:
    if count is None:
        return None
    if not (count.isascii() and count.isdigit() and 1 <= int(count[:9]) <= MOST_QUESTIONS):
        raise Failed(
            f"--count {count} cannot be: take a number from 1 to {MOST_QUESTIONS}.", WRONG_USE
        )
    return int(count)


def _account() -> str:
    """The name of the account of this system: the same one plays on where it stopped."""
    if hasattr(os, "getuid"):
        import pwd

        with contextlib.suppress(KeyError):
            return pwd.getpwuid(os.getuid()).pw_name
        return f"uid-{os.getuid()}"
    return getpass.getuser()


def _locale() -> str | None:
    """The language that the terminal is set to, as a tag; `C` is none."""
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    value = next((found for name in names if (found := os.environ.get(name))), "")
    language = value.partition(".")[0].partition("@")[0].replace("_", "-")
    return None if language in ("", "C", "POSIX") else language
