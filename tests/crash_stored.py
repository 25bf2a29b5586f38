"""What is in the database after all the kills, beside what people were told."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from crash_crowd import Found
from sqlalchemy import NullPool, create_engine

from bot.store import totals

SUBJECTS = ("SSH", "SMTP", "DNS", "HTTP", "NTP", "LDAP")

_BANK = """\
schema: quizbot/1
language: en
title: Ports
questions:
"""
_QUESTION = """\
  - id: {id}
    text: On which port does a server of {name} listen?
    options: {{a: Port 22, b: Port 53, c: Port 80}}
    correct: a
    explain: It is so.
"""


def write_bank(folder: Path) -> None:
    questions = "".join(_QUESTION.format(id=name.lower(), name=name) for name in SUBJECTS)
    (folder / "ports").mkdir(parents=True)
    (folder / "ports" / "bank.yaml").write_text(_BANK + questions, encoding="utf-8")


def compare(file: Path, found: Found) -> None:
    """Add to the faults what is not as people were told."""
    with closing(sqlite3.connect(file)) as connection:
        rows = connection.execute(
            "SELECT persons.external_id, attempts.step_id, attempts.answer, attempts.counts,"
            " marks.points FROM attempts"
            " JOIN marks USING (step_id, player_id)"
            " JOIN players ON players.id = attempts.player_id"
            " JOIN persons ON persons.id = players.person_id"
        ).fetchall()
        alone = connection.execute("SELECT count(*) FROM attempts").fetchone()[0]
        intact = connection.execute("PRAGMA integrity_check").fetchone()[0]
        twice = connection.execute(
            "SELECT count(*) FROM (SELECT 1 FROM attempts WHERE counts IS NOT NULL"
            " GROUP BY player_id, question_id, counts HAVING count(*) > 1)"
        ).fetchone()[0]
    stored = {(row[0], row[1]): row for row in rows}
    if intact != "ok":
        found.faults.append(f"the database is not intact: {intact}")
    if twice or len(stored) != len(rows) or len(rows) != alone:
        found.faults.append(f"answers are stored twice: {alone}, {len(rows)}, {len(stored)}")
    for key, option in found.told.items():
        row = stored.get(key)
        if row is None:
            found.faults.append(f"{key} was told of an answer that is not there")
        elif json.loads(row[2]) != {"options": [option]}:
            found.faults.append(f"{key} was told {option}, and {row[2]} is there")
        elif key in found.points and found.points[key] != row[4]:
            found.faults.append(f"{key} was told {found.points[key]} points, and has {row[4]}")
    engine = create_engine(f"sqlite:///{file}", poolclass=NullPool)
    with engine.connect() as reading:
        if not totals.is_consistent(reading):
            found.faults.append("the totals are not what the answers come to")
