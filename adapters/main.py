"""The command line: what is typed after `quizbot`, and what its exit code says."""

from __future__ import annotations

import logging
import os
import secrets
import sys
from collections.abc import Sequence
from importlib.metadata import version
from typing import Annotated

import typer

from adapters.commands.banks import banks
from adapters.commands.base import (
    DONE,
    UNAVAILABLE,
    WRONG_USE,
    Failed,
    Invocation,
    tell,
)
from adapters.commands.play import play
from adapters.commands.run import run
from adapters.commands.store import db, regrade
from adapters.local.room import PortTaken
from adapters.running import running
from adapters.settings import WrongSettings
from bot.store.opening import StoreUnavailable, WrongAddress

__all__ = ["main", "perform", "running"]

_INTERRUPTED = 130
_BUG = 70

# Whichever library parses the words for typer, this is what it raises for wrong ones.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]

_log = logging.getLogger(__name__)

app = typer.Typer(
    help="Quizzes for study groups, in each reader's language.",
    epilog="Begin with quizbot play, or quizbot run.",
    no_args_is_help=True,
    add_completion=False,
)
app.command("run")(run)
app.command("play")(play)
app.add_typer(banks, name="banks")
app.command("regrade")(regrade)
app.add_typer(db, name="db")


def _version(is_asked: bool) -> None:
    if is_asked:
        typer.echo(f"quizbot {version('quizbot')}")
        raise typer.Exit


@app.callback()
def _before(
    context: typer.Context,
    debug: Annotated[bool, typer.Option("--debug", help="Log everything.")] = False,
    version_: Annotated[
        bool,
        typer.Option("--version", help="Print the version.", is_eager=True, callback=_version),
    ] = False,
) -> None:
    context.obj = Invocation(debug)


def main() -> None:
    """What the command `quizbot` calls."""
    sys.exit(perform(sys.argv[1:]))


def perform(arguments: Sequence[str]) -> int:
    """Run a command line, and return its exit code; whatever goes wrong is one sentence."""
    try:
        code = app(list(arguments), prog_name="quizbot", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else DONE
    except Failed as failed:
        return _told(str(failed), failed.code)
    except (WrongSettings, WrongAddress) as error:
        return _told(str(error), WRONG_USE)
    except (StoreUnavailable, PortTaken) as error:
        return _told(str(error), UNAVAILABLE)
    except UsageError as error:
        return _told(_usage(error), WRONG_USE)
    except (KeyboardInterrupt, typer.Abort):
        return _INTERRUPTED
    except BrokenPipeError:
        return _reader_left()
    except Exception:  # noqa: BLE001 - the last place where a bug can become a sentence
        return _incident(arguments)


def _told(sentence: str, code: int) -> int:
    tell(sentence)
    return code


def _usage(error: Exception) -> str:
    """What was typed wrongly, and where to look."""
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "quizbot"
    sentence = str(getattr(error, "format_message", lambda: error)())
    return f"{sentence} See {command} --help."


def _reader_left() -> int:
    """Whoever read the output, as `head` does, has seen enough."""
    # Else Python would complain when it flushes at its end.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return DONE


def _incident(arguments: Sequence[str]) -> int:
    number = secrets.token_hex(3).upper()
    debug = "--debug" in arguments or logging.getLogger().isEnabledFor(logging.DEBUG)
    if debug:
        _log.exception("incident %s", number)
        return _told(f"Something went wrong in quizbot (incident {number}).", _BUG)
    return _told(
        f"Something went wrong in quizbot (incident {number}): QUIZBOT_LOG=debug tells more.", _BUG
    )
