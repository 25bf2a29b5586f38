"""Banks as files, for tests that read them."""

from __future__ import annotations

from pathlib import Path

from bot.banks import Fault, load
from bot.content import Bank

BANK = """\
schema: quizbot/1
language: en
title: Network basics
description: Ports and names.
aliases: [net, networks]
topics: [networking]
guide: {title: How names become addresses}
questions:
  - id: ssh-port
    text: Which TCP port does an SSH server listen on by default?
    options: {a: 21, b: 22, c: 2222}
    correct: b
    explain: 22 is the registered port. 21 is FTP.
    why: {c: Often chosen by hand.}
    hint: It is below 25.
    tags: [ssh]
  - id: dns-record
    text: Which record holds an IPv6 address?
    options:
      a: A
      b: AAAA
      c: MX
    correct: b
    explain: Four times as long, four letters.
"""

FRENCH = """\
title: Bases des réseaux
description: Ports et noms.
guide: {title: Des noms aux adresses}
questions:
  ssh-port:
    text: Sur quel port TCP écoute SSH ?
    explain: Le port 22 est réservé. 21 sert à FTP.
    why: {c: Souvent choisi à la main.}
    hint: Il est inférieur à 25.
  dns-record:
    text: Quel enregistrement contient une adresse IPv6 ?
    options: {a: A, b: AAAA, c: MX}
    explain: Quatre fois plus long, quatre lettres.
"""


def write_bank(folder: Path, bank: str = BANK, name: str = "net", **others: str | None) -> Path:
    """A bank's folder in `folder`; `others` are its further files, such as `fr`."""
    home = folder / name
    home.mkdir(exist_ok=True)
    (home / "bank.yaml").write_text(bank, encoding="utf-8")
    for other, text in others.items():
        if text is not None:
            (home / f"{other}.yaml").write_text(text, encoding="utf-8")
    return home


def with_question(lines: str) -> str:
    """A bank whose only question is written in these lines."""
    head = BANK.split("  - id", maxsplit=1)[0]
    first, *rest = lines.strip("\n").splitlines()
    return head + "\n".join([f"  - {first}", *(f"    {line}" for line in rest)]) + "\n"


def faults_of(folder: Path) -> list[Fault]:
    return list(load([folder]).faults)


def only_fault(folder: Path) -> Fault:
    (fault,) = faults_of(folder)
    return fault


def only_bank(folder: Path) -> Bank:
    loaded = load([folder])
    assert loaded.faults == ()
    (bank,) = loaded.banks
    return bank
