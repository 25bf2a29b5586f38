"""`quizbot banks`: what is said of banks and their translations, and with which exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import Done, Prompt, settle_in
from quizzes import PORTS, write_bank

PORTS_WRONG = PORTS.replace("correct: b", "correct: x", 1)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return settle_in(tmp_path, monkeypatch)


@pytest.fixture
def quizbot(folder: Path, capsys: pytest.CaptureFixture[str]) -> Prompt:
    return Prompt(capsys)


# --- banks -------------------------------------------------------------------------------------


def test_sound_banks_are_fine(quizbot):
    assert quizbot("banks", "check") == Done(0, "2 banks are fine\n", "")


def test_a_fault_is_told_with_its_place_and_mend(quizbot, folder):
    write_bank(folder / "banks", "more", bank=PORTS_WRONG)
    done = quizbot("banks", "check")
    assert (done.code, done.err) == (1, "")
    first, mend, total = done.out.splitlines()[-3:]
    assert first.startswith("banks/more/bank.yaml:11:5  ")
    assert mend.strip().startswith("mend: ")
    assert total == "1 fault in 1 of 3 banks; 2 banks are fine"


def test_faults_as_json_are_json_alone(quizbot, folder):
    write_bank(folder / "more", "more", bank=PORTS_WRONG)
    done = quizbot("banks", "check", "--json", "more")
    assert (done.code, done.err) == (1, "")
    told = json.loads(done.out)
    assert (told["banks"], told["faulty"]) == (1, 1)
    assert told["faults"][0]["file"] == "more/more/bank.yaml"


def test_faults_for_github_stand_beside_their_lines(quizbot, folder):
    write_bank(folder / "more", "more", bank=PORTS_WRONG)
    done = quizbot("banks", "check", "--github", "more")
    assert done.code == 1
    assert done.out.startswith("::error file=more/more/bank.yaml,line=11,col=5::")
    assert done.err == "1 fault in 1 of 1 bank\n"


def test_two_ways_to_tell_faults_at_once_are_refused(quizbot):
    done = quizbot("banks", "check", "--json", "--github")
    assert done == Done(2, "", "Take --json or --github, not both.\n")


def test_a_licence_beside_the_banks_is_passed_over(quizbot, folder):
    (folder / "banks" / "LICENSE").write_text("CC-BY-4.0", encoding="utf-8")
    named = sorted(str(path) for path in (folder / "banks").iterdir())
    assert quizbot("banks", "check", *named) == Done(0, "2 banks are fine\n", "")
    assert quizbot("banks", "check").code == 0


def test_a_path_that_is_not_there_is_a_fault(quizbot):
    done = quizbot("banks", "check", "bnaks")
    assert done.code == 1
    assert "bnaks is not there" in done.out


def test_banks_are_listed_in_aligned_columns(quizbot):
    done = quizbot("banks", "list")
    assert done.code == 0
    assert done.out.splitlines() == [
        "ID     TITLE  QUESTIONS  LEVEL     LANGUAGES",
        "ports  Ports  3          beginner  en fr",
        "water  Water  1                    en",
    ]


def test_the_good_banks_are_listed_although_one_is_faulty(quizbot, folder):
    write_bank(folder / "banks", "zinc", bank=PORTS_WRONG)
    done = quizbot("banks", "list")
    assert len(done.out.splitlines()) == 3
    assert done.err.endswith("2 banks are fine. To see it: quizbot banks check\n")


def test_a_bank_is_shown_with_its_answers(quizbot):
    done = quizbot("banks", "show", "NET")
    assert (done.code, done.err) == (0, "")
    for words in ("Ports", "1. ssh", "    B  22\n       Right answer", "C tempts: Often chosen"):
        assert words in done.out
    assert "\x1b" not in done.out


def test_a_bank_is_shown_in_another_language_as_far_as_there_is_one(quizbot):
    done = quizbot("banks", "show", "ports", "--lang", "fr")
    assert "Sur quel port écoute un serveur SSH ?" in done.out
    assert "Shown in en: no fr yet." in done.out


def test_a_bank_that_is_not_there_is_told_with_the_nearest(quizbot):
    done = quizbot("banks", "show", "prots")
    assert done == Done(2, "", "There is no bank prots. Did you mean ports?\n")


@pytest.mark.parametrize(("words", "field"), [((), "schema"), (("overlay",), "questions")])
def test_a_schema_is_json_that_an_editor_reads(quizbot, words, field):
    done = quizbot("banks", "schema", *words)
    assert done.code == 0
    assert field in json.loads(done.out)["properties"]


# --- translations ------------------------------------------------------------------------------


def test_each_language_is_told_how_far_it_is(quizbot):
    done = quizbot("banks", "translate", "status")
    assert done.code == 0
    assert done.out.splitlines()[1].split(maxsplit=2)[:2] == ["ports", "fr"]


def test_what_is_left_to_do_in_a_language_is_listed(quizbot):
    done = quizbot("banks", "translate", "todo", "fr")
    assert done.code == 0
    assert "ports/dns   all of it" in done.out
    assert "ports/http  missing: explain" in done.out
    assert "water/only  all of it" in done.out


def test_a_text_stands_beside_its_translation(quizbot):
    done = quizbot("banks", "translate", "diff", "fr", "ssh")
    assert done.code == 0
    assert done.out.startswith(
        "text\n"
        "  source  On which port does an SSH server listen?\n"
        "  fr      Sur quel port écoute un serveur SSH ?\n"
    )
    assert "  fr      (missing)" in done.out


def test_what_is_accepted_is_recorded_until_the_source_changes(quizbot, folder):
    done = quizbot("banks", "translate", "accept", "fr", "ports/ssh", "--status", "human")
    assert done == Done(0, "ports, fr: ssh accepted as human.\n", "")
    assert "1 human" in quizbot("banks", "translate", "status").out
    bank = folder / "banks" / "ports" / "bank.yaml"
    bank.write_text(PORTS.replace("an SSH server", "the SSH server"), encoding="utf-8")
    assert "ports/ssh   missing: hint; changed since: text" in (
        quizbot("banks", "translate", "todo", "fr").out
    )


def test_all_of_a_bank_is_accepted_by_its_name(quizbot):
    done = quizbot("banks", "translate", "accept", "fr", "ports")
    assert done.out == "ports, fr: 3 translations accepted as reviewed.\n"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("todo", "francais"), '"francais" is no language tag: write'),
        (("diff", "fr", "shs"), 'Unknown question "shs": did you mean ssh?'),
        (("diff", "fr", "ports"), "ports is a whole bank: write ports/QUESTION, or ports/bank"),
        (
            ("accept", "sn", "ssh"),
            "sn has no translation of ssh to accept: write it in sn.yaml first.",
        ),
        (("accept", "en", "ssh"), "en is the language that ports is written in."),
        (("accept", "fr", "ssh", "--status", "good"), "Invalid value for '--status'"),
    ],
)
def test_what_cannot_be_done_to_a_translation_is_told(quizbot, words, sentence):
    done = quizbot("banks", "translate", *words)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(sentence)
