"""`make bench`: figures of quizbot beside what it stands on, as ratios within one run.

They go to `bench.json` in the working directory, and as a table to standard output. What is
compared takes turns, so that other work on the machine weighs on both; seconds are there for
orientation, and nothing here fails because of any.
"""

from __future__ import annotations

import asyncio
import json
import os
import platform
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import bench_boards
import bench_discord
import bench_race
import bench_slack
from bench_figures import Figure, figure, ratio, rounded
from bench_race import Enters, EntersBare, Race, Turn
from rich.console import Console
from rich.table import Table

from adapters.clock import SystemClock

HERE = Path(__file__).parent
PAIRS = 3

_errors = Console(stderr=True, highlight=False)


def progress(line: str) -> None:
    _errors.print(f"  {line}")


def main() -> None:
    began, before = SystemClock().now(), machine()
    _errors.print("The engine alone, beside sqlite3 alone")
    engine = measure_engine()
    _errors.print("Presses through Discord, beside discord.py alone")
    on_discord = raced(bench_discord.quizbot, bench_discord.bare)
    _errors.print("Presses through Slack, beside slack-bolt alone")
    on_slack = raced(bench_slack.quizbot, bench_slack.bare)
    _errors.print("Leaderboards of ten thousand answers, beside those of a million")
    of_boards = measure_boards()
    found = {
        "at": began.isoformat(timespec="seconds"),
        "seconds": round((SystemClock().now() - began).total_seconds()),
        "machine": before,
        "engine": engine,
        "discord": on_discord,
        "slack": on_slack,
        "boards": of_boards,
    }
    Path("bench.json").write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    show(found)


# --- the engine ------------------------------------------------------------------------------


def measure_engine() -> dict[str, Any]:
    ours, dailies, theirs = [], [], []
    for pair in range(PAIRS):
        ours.append(engine_once("quizbot"))
        dailies.append(engine_once("daily"))
        theirs.append(engine_once("bare"))
        progress(f"turn {pair + 1} of {PAIRS}")
    last = ours[-1]
    return {
        "presses": last["presses"],
        "outstanding": 1000,
        "commits": each(ours, "commits"),
        "per_second": each(ours, "per_second"),
        "cpu_ms_per_press": each(ours, "cpu_ms"),
        "p50_ms": each(ours, "p50_ms"),
        "p99_ms": each(ours, "p99_ms"),
        "daily_per_second": each(dailies, "per_second"),
        "daily_cpu_ms_per_press": each(dailies, "cpu_ms"),
        "ratio_cpu_of_daily_to_live": ratio(
            [one["cpu_ms"] for one in dailies], [one["cpu_ms"] for one in ours]
        ).json(),
        "bare_per_second": each(theirs, "per_second"),
        "bare_cpu_ms_per_row": each(theirs, "cpu_ms"),
        "ratio_per_second": ratio(
            [one["per_second"] for one in ours], [one["per_second"] for one in theirs]
        ).json(),
    }


def engine_once(which: str) -> dict[str, float]:
    """In a process of its own, so that none inherits what another left in memory."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, str(HERE / "bench_engine.py"), which, folder],
            stdout=subprocess.PIPE,
            encoding="utf-8",
            timeout=300,
            check=True,
        )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def each(runs: Iterable[dict[str, float]], key: str) -> dict[str, float]:
    return figure([run[key] for run in runs]).json()


# --- the platforms ---------------------------------------------------------------------------


def raced(quizbot: Enters, bare: EntersBare) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        return of_race(asyncio.run(bench_race.race(Path(folder), quizbot, bare, progress)))


def of_race(race: Race) -> dict[str, Any]:
    ours, theirs = race.quizbot, race.bare
    return {
        "people": bench_race.PEOPLE,
        "quizbot": of_turns(ours.turns, ours.paced),
        "bare": of_turns(theirs.turns, theirs.paced),
        "ratio_per_second": ratios(ours.turns, theirs.turns, "per_second"),
        # How many presses a core could take at most, ours to theirs.
        "ratio_per_cpu": ratios(theirs.turns, ours.turns, "cpu_ms"),
        "ratio_per_cpu_at_rate": ratios(theirs.paced, ours.paced, "cpu_ms"),
    }


def of_turns(turns: Sequence[Turn], paced: Sequence[Turn]) -> dict[str, Any]:
    grown = turns[-1].memory - turns[0].memory
    presses = sum(len(turn.presses) for turn in turns[1:])
    return {
        "presses": sum(len(turn.presses) for turn in (*turns, *paced)),
        "failed": sum(turn.failed for turn in (*turns, *paced)),
        "per_second": of(turns, "per_second").json(),
        "cpu_ms_per_press": of(turns, "cpu_ms").json(),
        "cpu_ms_per_press_with_counts": of(turns, "cpu_ms_with_counts").json(),
        "stand_in_cpu_ms_per_press": of(turns, "cpu_ms_stand_in").json(),
        **latencies(turns),
        "at_rate": {
            "rate": bench_race.RATE,
            "cpu_ms_per_press": of(paced, "cpu_ms").json(),
            **latencies(paced),
        },
        "memory_mb": rounded(turns[-1].memory),
        "memory_mb_per_1000_presses": rounded(1000 * grown / presses),
    }


def latencies(turns: Sequence[Turn]) -> dict[str, Any]:
    """Until somebody was told what came of it, and until the platform was told that it arrived."""
    return {
        "p50_ms": figure([turn.told_ms(50) for turn in turns]).json(),
        "p99_ms": figure([turn.told_ms(99) for turn in turns]).json(),
        "acknowledged_p50_ms": figure([turn.acknowledged_ms(50) for turn in turns]).json(),
        "acknowledged_p99_ms": figure([turn.acknowledged_ms(99) for turn in turns]).json(),
    }


def of(turns: Sequence[Turn], what: str) -> Figure:
    return figure([getattr(turn, what) for turn in turns])


def ratios(ours: Sequence[Turn], theirs: Sequence[Turn], what: str) -> dict[str, float]:
    mine, other = ([getattr(turn, what) for turn in turns] for turns in (ours, theirs))
    return ratio(mine, other).json()


# --- leaderboards ----------------------------------------------------------------------------


def measure_boards() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        costs = bench_boards.costs(Path(folder), progress)
    return {
        what: {
            "cpu_ms_of_few": figure(few).json(),
            "cpu_ms_of_many": figure(costs.many[what]).json(),
            "ratio": ratio(costs.many[what], few).json(),
        }
        for what, few in costs.few.items()
    }


# --- telling ---------------------------------------------------------------------------------


def machine() -> dict[str, Any]:
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    return {
        "cores": os.cpu_count(),
        "load_before": load if load is None else rounded(load),
        "python": platform.python_version(),
        "discord.py": version("discord.py"),
        "slack-bolt": version("slack-bolt"),
        "sqlite": sqlite3.sqlite_version,
    }


def show(found: dict[str, Any]) -> None:
    table = Table(
        "", "quizbot", "bare", "quizbot / bare", title="make bench: medians (least – most)"
    )
    show_engine(table, found["engine"])
    show_race(table, found["discord"], "[bold]Discord[/] beside discord.py", _REPLIES)
    show_race(table, found["slack"], "[bold]Slack[/] beside slack-bolt", _REPLIES | _ACKS)
    show_boards(table, found["boards"])
    Console(highlight=False, width=max(_errors.width, 130)).print(table)
    _errors.print(
        f"{found['seconds']} s on {found['machine']['cores']} cores, of which "
        f"{found['machine']['load_before']} were busy before; all figures are in bench.json"
    )


def show_engine(table: Table, engine: dict[str, Any]) -> None:
    table.add_row("[bold]engine alone[/] beside sqlite3, 1,000 at a time")
    table.add_row(
        "presses a second", shown(engine["per_second"]), shown(engine["bare_per_second"]),
        shown(engine["ratio_per_second"]),
    )  # fmt: skip
    table.add_row("  CPU ms a press", shown(engine["cpu_ms_per_press"]))
    table.add_row(
        "  CPU ms a press on a daily, and beside a live one",
        shown(engine["daily_cpu_ms_per_press"]), "", shown(engine["ratio_cpu_of_daily_to_live"]),
    )  # fmt: skip
    table.add_row("commits for them", shown(engine["commits"]))
    table.add_row("p50 ms", shown(engine["p50_ms"]))
    table.add_row("p99 ms", shown(engine["p99_ms"]))


_REPLIES = {"p50_ms": "p50 ms", "p99_ms": "p99 ms"}
# On Discord the reply is the acknowledgement.
_ACKS = {
    "acknowledged_p50_ms": "p50 ms to the acknowledgement",
    "acknowledged_p99_ms": "p99 ms to the acknowledgement",
}


def show_race(table: Table, live: dict[str, Any], title: str, waits: dict[str, str]) -> None:
    ours, theirs = live["quizbot"], live["bare"]
    paced, beside = ours["at_rate"], theirs["at_rate"]
    table.add_row(f"{title}, {live['people']} at a time")
    table.add_row(
        "presses a second", shown(ours["per_second"]), shown(theirs["per_second"]),
        shown(live["ratio_per_second"]),
    )  # fmt: skip
    table.add_row(
        "CPU ms a press", shown(ours["cpu_ms_per_press"]), shown(theirs["cpu_ms_per_press"])
    )
    table.add_row("presses for the same CPU", "", "", shown(live["ratio_per_cpu"]))
    for key, words in waits.items():
        table.add_row(words, shown(ours[key]), shown(theirs[key]))
    for key, words in waits.items():
        row = f"{words} at {paced['rate']} a second"
        table.add_row(row, shown(paced[key]), shown(beside[key]))
    table.add_row("memory MB", f"{ours['memory_mb']}", f"{theirs['memory_mb']}")
    grown = "memory_mb_per_1000_presses"
    table.add_row("  more for 1,000 presses", f"{ours[grown]}", f"{theirs[grown]}")
    table.add_row("no reply in time", f"{ours['failed']}", f"{theirs['failed']}")


def show_boards(table: Table, found: dict[str, Any]) -> None:
    """Of the pages, ranks and shares of all boards the one that grows most."""
    few, many = bench_boards.FEW, bench_boards.MANY
    table.add_row(f"[bold]leaderboards[/]: CPU ms with {many:,} answers, beside {few:,}")
    by_kind: dict[str, list[str]] = {}
    for what in found:
        by_kind.setdefault(what.partition("_of_")[0], []).append(what)
    for kind, whats in by_kind.items():
        most = max(whats, key=lambda what: found[what]["ratio"]["median"])
        costs = found[most]
        ours, beside = shown(costs["cpu_ms_of_many"]), shown(costs["cpu_ms_of_few"])
        words = f"  {most.replace('_', ' ')}"
        if len(whats) > 1:
            words += f", most of {len(whats)} {kind}s"
        table.add_row(words, ours, beside, shown(costs["ratio"]))


def shown(value: dict[str, float]) -> str:
    if value["least"] == value["most"]:
        return f"{value['median']:,g}"
    return f"{value['median']:,g} ({value['least']:,g} – {value['most']:,g})"


if __name__ == "__main__":
    main()
