"""The command line: what is typed after `quizbot`, and what its exit code says."""

from __future__ import annotations

import logging
import os
import secrets
import sys
from collections.abc import Sequence
from importlib.metadata import version
from io import TextIOWrapper
from typing import Annotated

import typer

from adapters.commands.banks import banks
from adapters.commands.base import (
    DONE,
    UNAVAILABLE,
    WRONG_USE,
    Failed,
    Invocation,
    configured,
    tell,
)
from adapters.commands.discord import discord
from adapters.commands.doctor import doctor
from adapters.commands.first import heed_signals
from adapters.commands.output import OutputLost, guard_output
from adapters.commands.slack import slack
from adapters.commands.store import db, regrade

_INTERRUPTED, _BUG = 130, 70

# Whichever library parses the words for typer, this is what it raises for wrong ones.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]

_log = logging.getLogger(__name__)

app = typer.Typer(
    help="Quizzes for study groups, in each reader's language.",
    epilog="Begin with: quizbot play, or quizbot run.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def main() -> None:
    """What the command `quizbot` calls."""
    heed_signals()
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A sign that cannot be read or shown here is no reason to fail.
            stream.reconfigure(errors="replace")
    guard_output()
    sys.exit(perform(sys.argv[1:]))


def perform(arguments: Sequence[str]) -> int:
    """Run a command line and return its exit code; whatever goes wrong is one sentence."""
    try:
        code = app(list(arguments) or ["--help"], prog_name="quizbot", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else DONE
    except Failed as failed:
        return _told(str(failed), failed.code)
    except UsageError as error:
        return _told(_usage(error), WRONG_USE)
    except (KeyboardInterrupt, typer.Abort):
        return _INTERRUPTED
    except BrokenPipeError:
        _drop_output()  # whoever read it, as `head` does, has seen enough
        return DONE
    except OutputLost as lost:
        _drop_output()
        return _told(str(lost), UNAVAILABLE)
    except Exception as error:  # noqa: BLE001 - the last place where a bug becomes a sentence
        code = _outside(error)
        return _incident(arguments) if code is None else _told(str(error), code)


# --- the commands ----------------------------------------------------------------------------


def _version(is_asked: bool) -> None:
    if is_asked:
        typer.echo(f"quizbot {version('quizbot')}")
        raise typer.Exit


@app.callback()
def _before(
    context: typer.Context,
    debug: Annotated[bool, typer.Option("--debug", help="Log everything that happens.")] = False,
    version_: Annotated[
        bool,
        typer.Option("--version", help="Print the version.", is_eager=True, callback=_version),
    ] = False,
) -> None:
    context.obj = Invocation(debug)


@app.command()
def run(context: typer.Context) -> None:
    """Run what is configured; else a quiz room in your browser.

    The settings come from the environment, or from .env in this folder.
    """
    from adapters.commands.run import run_until_stopped

    run_until_stopped(configured(context))


@app.command()
def play(
    context: typer.Context,
    topic: Annotated[str, typer.Argument(metavar="TOPIC", hidden=True)] = "",
    lang: Annotated[
        str | None, typer.Option(metavar="TAG", help="Read in this language from now on.")
    ] = None,
    count: Annotated[
        str | None, typer.Option(metavar="N", help="Begin anew, with so many questions.")
    ] = None,
) -> None:
    """Play a quiz in the terminal.

    TOPIC is any name of a quiz; without it you choose from all. A quiz goes on where you stopped.
    """
    from adapters.commands.play import play_in_terminal

    play_in_terminal(context, topic, lang, count)


app.add_typer(banks, name="banks")
app.add_typer(db, name="db")
app.command()(regrade)
app.command()(doctor)
app.add_typer(discord, name="discord")
app.add_typer(slack, name="slack")


# --- what went wrong -------------------------------------------------------------------------


def _told(sentence: str, code: int) -> int:
    tell(sentence, logging.ERROR)
    return code


def _usage(error: Exception) -> str:
    """What was typed wrongly, and where to look."""
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "quizbot"
    sentence = str(getattr(error, "format_message", lambda: error)())
    end = "" if sentence.endswith((".", "?", "!")) else "."
    return f"{sentence}{end} See {command} --help."


def _outside(error: Exception) -> int | None:
    """The exit code of what is no bug: settings, or something that is not to be had."""
    from adapters.discord.trouble import DiscordUnavailable, WrongToken
    from adapters.server import PortTaken
    from adapters.settings import WrongSettings
    from adapters.slack.trouble import SlackUnavailable, WrongSecretKey, WrongSlackToken
    from bot.store.addresses import StoreUnavailable, WrongAddress

    wrong = WrongSettings | WrongAddress | WrongToken | WrongSlackToken | WrongSecretKey
    if isinstance(error, wrong):
        return WRONG_USE
    outside = StoreUnavailable | PortTaken | DiscordUnavailable | SlackUnavailable
    return UNAVAILABLE if isinstance(error, outside) else None


def _drop_output() -> None:
    """Else Python would complain when it flushes at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _incident(arguments: Sequence[str]) -> int:
    number = secrets.token_hex(3).upper()
    is_debug = "--debug" in arguments or logging.getLogger().isEnabledFor(logging.DEBUG)
    if is_debug:
        _log.exception("incident %s", number)
    hint = "" if is_debug else " Try again with quizbot --debug to see more."
    return _told(f"Something went wrong in quizbot (incident {number}).{hint}", _BUG)
