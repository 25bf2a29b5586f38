"""What people say and press, and what they see: the same scripts on every surface."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from bare_stage import BareStage
from conversation import Person, Stage, last, newest_question, pass_time

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
    tags: [ssh]
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

RIGHT = {"SSH": "22", "HTTP": "80", "DNS": "53"}


@pytest.fixture
def banks(tmp_path: Path) -> Path:
    folder = tmp_path / "banks" / "ports"
    folder.mkdir(parents=True)
    (folder / "bank.yaml").write_text(PORTS, encoding="utf-8")
    (folder / "fr.yaml").write_text(PORTS_FR, encoding="utf-8")
    return folder.parent


@pytest.fixture
async def stage(tmp_path: Path, banks: Path) -> AsyncIterator[BareStage]:
    stage = BareStage(f"sqlite:///{tmp_path / 'quizbot.db'}", [banks])
    await stage.start()
    yield stage
    await stage.stop()


async def test_a_quiz_from_the_first_question_to_the_result(stage: Stage) -> None:
    ana, ben = Person(stage, "Ana"), Person(stage, "Ben")
    told = await ana.types("/quiz ports")
    told.says("Ports begins here.")
    for number in (1, 2, 3):
        question = await newest_question(stage)
        question.says(f"Ports · question {number} of 3 · beginner", "closes in 45 s")
        name = next(name for name in RIGHT if name in question.text)
        await ana.answers(RIGHT[name])
        ana.told.says(f"Right, 10 points: {question.letter_of(RIGHT[name])} · {RIGHT[name]}")
        if number == 1:
            await ben.answers(next(o for o in question.options.values() if o != RIGHT[name]))
            ben.told.says("Not this time: you chose")
        await pass_time(stage, 2)
        assert (await newest_question(stage)).text.count("answered") == 1
        await pass_time(stage, 46)
        (await last(stage)).says("Right:")
        print((await last(stage)).text)
        await pass_time(stage, 8)
    for m in await stage.channel():
        print(m.text, m.buttons)
        print("=====")
    result = await last(stage)
    result.says("Ports: 2 people, 75% right", "1. Ana: 30")
    print((await ana.types("/leaderboard")).text)
