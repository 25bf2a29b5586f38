"""`quizbot db` and `quizbot regrade`: see to the database."""

from __future__ import annotations

import asyncio

import typer
from sqlalchemy import Connection

from adapters.clock import SystemClock
from adapters.commands.base import FAULTS, configured, say
from adapters.settings import Settings
from bot.banks import load
from bot.store.addresses import read_address
from bot.store.inspection import inspect
from bot.store.opening import open_store
from bot.store.totals import Regraded
from bot.store.totals import regrade as regrade_all
from bot.store.upgrades import head, upgrade
from bot.store.versions import refresh_known

db = typer.Typer(help="Upgrade the database, or see whether it is well.")


@db.command("upgrade")
def upgrade_database(context: typer.Context) -> None:
    """Bring the database to the form that this version needs; quizbot run does it by itself."""
    address = read_address(configured(context).database_url)
    upgrade(address)
    say(f"The database {address.shown} is at revision {head()}.")


@db.command("check")
def check_database(context: typer.Context) -> None:
    """See whether the database is whole, and its points are what the answers come to."""
    address = read_address(configured(context).database_url)
    found = inspect(address)
    if found.faults:
        say("\n".join(f"The database {address.shown} {fault}." for fault in found.faults))
        raise typer.Exit(FAULTS)
    say(f"The database {address.shown} is well, at revision {found.revision}.")


def regrade(context: typer.Context) -> None:
    """Mark all answers by what the banks say today, and add up all points anew."""
    asked, regraded = asyncio.run(_regrade(configured(context)))
    say(
        f"{asked:,} questions read anew, {regraded.attempts:,} answers marked: "
        f"{regraded.changed:,} marks changed."
    )


async def _regrade(settings: Settings) -> tuple[int, Regraded]:
    clock = SystemClock()
    banks = load(settings.banks).banks

    def work(connection: Connection) -> tuple[int, Regraded]:
        return refresh_known(connection, banks, clock.now()), regrade_all(connection)

    store = await open_store(settings.database_url, zone=settings.zone, clock=clock)
    try:
        return await store.write(work)
    finally:
        await store.close()
