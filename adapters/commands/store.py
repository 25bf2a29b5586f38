"""`quizbot db` and `quizbot regrade`: see to the database."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import typer

from adapters.commands.base import FAULTS, configured, counted, say, tell
from bot.banks import load

# See base.py on imports inside of commands.
if TYPE_CHECKING:
    from sqlalchemy import Connection

    from adapters.settings import Settings
    from bot.store.totals import Regraded

TOLD_EVERY = 100_000  # answers

db = typer.Typer(help="Upgrade the database, or see whether it is well.")


@db.command("upgrade")
def upgrade_database(context: typer.Context) -> None:
    """Bring it to the form that this version needs.

    quizbot run does so by itself, on SQLite after a copy.
    """
    from bot.store.addresses import read_address
    from bot.store.upgrades import head, upgrade

    address = read_address(configured(context).database_url)
    upgrade(address)
    say(f"The database {address.shown} is at revision {head()}.")


@db.command("check")
def check_database(context: typer.Context) -> None:
    """See whether it is whole, and its points are right."""
    from bot.store.addresses import read_address
    from bot.store.inspection import inspect

    address = read_address(configured(context).database_url)
    found = inspect(address)
    if found.faults:
        say("\n".join(f"The database {address.shown} {fault}." for fault in found.faults))
        raise typer.Exit(FAULTS)
    say(f"The database {address.shown} is well, at revision {found.revision}.")


def regrade(context: typer.Context) -> None:
    """Mark all answers anew, by what the banks say today."""
    from bot.store.addresses import read_address
    from bot.store.inspection import must_exist

    settings = configured(context)
    must_exist(read_address(settings.database_url))
    asked, regraded = asyncio.run(regrade_all(settings))
    say(
        f"Read {counted(asked, 'question')} and marked {counted(regraded.attempts, 'answer')} "
        f"anew; {counted(regraded.changed, 'mark')} changed, and the totals "
        f"{'changed' if regraded.totals_changed else 'are as before'}."
    )


def _resting() -> Callable[[int], Awaitable[None]]:
    """A rest after each piece, and a word now and then: a million answers take minutes."""
    told = 0

    async def rest(done: int) -> None:
        nonlocal told
        if done - told >= TOLD_EVERY:
            told = done
            tell(f"{counted(done, 'answer')} marked anew so far.")
        # On SQLite whoever waits for its turn to write looks for it ten times a second.
        await asyncio.sleep(0.12)

    return rest


async def regrade_all(settings: Settings) -> tuple[int, Regraded]:
    """How many questions were read, and what came of it. A `quizbot run` beside it posts that."""
    import random

    from adapters.clock import SystemClock
    from bot.library import Library
    from bot.store.opening import open_store
    from bot.store.standing import mark_all_dirty
    from bot.store.totals import regrade_in_pieces
    from bot.store.versions import Refreshed, refresh
    from bot.wiring import wire

    clock = SystemClock()
    banks = load(settings.banks).banks
    store = await open_store(settings.database_url, zone=settings.zone, clock=clock)
    repairs = wire(store, Library(banks), {}, clock, random.SystemRandom()).parts.repairs

    def take_keys(connection: Connection) -> Refreshed:
        refreshed = refresh(connection, banks, clock.now())
        repairs.rekeyed(connection, refreshed.rekeyed)
        return refreshed

    def show(connection: Connection) -> None:
        # Once more, since how many were right is known only now.
        repairs.rekeyed(connection, refreshed.rekeyed)
        mark_all_dirty(connection, clock.now())

    try:
        refreshed = await store.write(take_keys)
        regraded = await regrade_in_pieces(store, _resting())
        if regraded.changed or regraded.totals_changed:
            await store.write(show)
        return refreshed.count, regraded
    finally:
        await store.close()
