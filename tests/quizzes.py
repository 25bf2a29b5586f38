"""A small quiz for tests: three ports, of which French knows one whole, one half and one not."""

from __future__ import annotations

from pathlib import Path

from conversation import Seen

PORTS = """\
schema: quizbot/1
language: en
title: Ports
level: beginner
topics: [networking]
aliases: [net]
questions:
  - id: ssh
    text: On which port does an SSH server listen?
    options: {a: 21, b: 22, c: 2222}
    correct: b
    explain: 22 is the registered port for SSH. 21 is the control port of FTP.
    why: {c: Often chosen by hand to hide the server.}
    hint: It is the second of three neighbours.
    tags: [shells]
    sources: [{title: RFC 4253, year: 2006, url: "https://www.rfc-editor.org/rfc/rfc4253"}]
  - id: http
    text: On which port does an HTTP server listen?
    options: {a: 80, b: 443, c: 8080}
    correct: a
    explain: 80 is the registered port for HTTP. With TLS it is 443.
  - id: dns
    text: On which port does a DNS server listen?
    options: {a: 25, b: 53, c: 110}
    correct: b
    explain: 53 is the registered port for DNS. 25 is that of mail.
"""

PORTS_FR = """\
title: Les ports
questions:
  ssh:
    text: Sur quel port écoute un serveur SSH ?
    options: {a: 21, b: 22, c: 2222}
    explain: Le port 22 est réservé à SSH. Le 21 sert au contrôle de FTP.
    why: {c: Souvent choisi à la main pour cacher le serveur.}
  http:
    text: Sur quel port écoute un serveur HTTP ?
    options: {a: 80, b: 443, c: 8080}
"""

ONE = """\
schema: quizbot/1
language: en
title: {title}
questions:
  - id: only
    text: {text}
    options: {{a: "yes", b: "no"}}
    correct: a
    explain: It is so.
"""

_RIGHT = {"SSH": "22", "HTTP": "80", "DNS": "53"}


def write_bank(folder: Path, name: str, **texts: str) -> None:
    """One bank's folder: `bank` is its bank.yaml, the others are overlays by language."""
    (folder / name).mkdir(parents=True)
    for file, text in texts.items():
        (folder / name / f"{file}.yaml").write_text(text, encoding="utf-8")


def write_banks(folder: Path) -> Path:
    write_bank(folder, "ports", bank=PORTS, fr=PORTS_FR)
    write_bank(folder, "water", bank=ONE.format(title="Water", text="Is water wet?"))
    return folder


def about(question: Seen) -> str:
    """SSH, HTTP or DNS."""
    return next(name for name in _RIGHT if name in question.text)


def right(question: Seen) -> str:
    """The words of its right option."""
    return _RIGHT[about(question)]


def wrong(question: Seen) -> str:
    """The words of a wrong one; of SSH the one that tempts."""
    options = [option for option in question.options.values() if option != right(question)]
    return "2222" if "2222" in options else options[0]
