"""The command line: what each command says, where it says it, and with which exit code it ends."""

from __future__ import annotations

import json
import logging
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from importlib.metadata import version
from io import StringIO
from pathlib import Path

import pytest
from command_line import Done
from quizzes import PORTS, write_bank, write_banks

import adapters.commands.run
from adapters.main import perform

Type = Callable[..., Done]

PORTS_WRONG = PORTS.replace("correct: b", "correct: x", 1)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with two banks, and an environment in which only they are set."""
    ours = ("QUIZBOT_", "DISCORD_", "SLACK_")
    for name in [name for name in os.environ if name.startswith(ours)]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QUIZBOT_BANKS", "banks")
    write_banks(tmp_path / "banks")
    return tmp_path


@pytest.fixture
def quizbot(folder: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[Type]:
    """Types a command line in that folder; logging is left as it was found."""

    def typed(*words: str) -> Done:
        capsys.readouterr()
        code = perform(words)
        said = capsys.readouterr()
        return Done(code, said.out, said.err)

    root = logging.getLogger()
    level, handlers = root.level, list(root.handlers)
    yield typed
    logging.captureWarnings(False)
    root.setLevel(level)
    root.handlers[:] = handlers


# --- finding one's way -------------------------------------------------------------------------


def test_the_version_is_that_of_the_package(quizbot):
    assert quizbot("--version") == Done(0, f"quizbot {version('quizbot')}\n", "")


def test_the_bare_name_shows_what_there_is(quizbot):
    bare = quizbot()
    assert bare == quizbot("--help")
    assert bare.code == 0
    for command in ("run", "play", "banks", "db", "regrade"):
        assert f"\n  {command} " in bare.out


@pytest.mark.parametrize(
    "words",
    [
        ("run",),
        ("play",),
        ("regrade",),
        ("db",),
        ("db", "check"),
        ("banks",),
        ("banks", "check"),
        ("banks", "translate"),
        ("banks", "translate", "accept"),
    ],
)
def test_every_command_says_what_it_is_for_in_lines_that_are_not_cut(quizbot, words):
    done = quizbot(*words, "--help")
    assert done.code == 0
    assert done.out.startswith(f"Usage: quizbot {' '.join(words)} ")
    assert "..." not in done.out.replace("[ARGS]...", "").replace("[PATH]...", "")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("pley",), "No such command 'pley'. Did you mean 'play'? See quizbot --help."),
        (("banks", "chek"), "Did you mean 'check', 'schema'? See quizbot banks --help."),
        (("play", "--cuont", "3"), "--count). See quizbot play --help."),
        (("banks", "show"), "Missing argument 'BANK'. See quizbot banks show --help."),
        (("banks",), "Missing command. See quizbot banks --help."),
    ],
)
def test_wrong_use_is_one_sentence_that_says_where_to_look(quizbot, words, sentence):
    done = quizbot(*words)
    assert (done.code, done.out) == (2, "")
    assert done.err.endswith(f"{sentence}\n")
    assert done.err.count("\n") == 1


def test_a_wrong_setting_is_one_sentence(quizbot, monkeypatch):
    monkeypatch.setenv("QUIZBOT_PORT", "x")
    done = quizbot("run")
    assert done.code == 2
    assert done.err.startswith('QUIZBOT_PORT is "x": write ')


def test_a_name_that_is_no_setting_is_warned_of_on_standard_error(quizbot, monkeypatch):
    monkeypatch.setenv("QUIZBOT_BANK", "x")
    done = quizbot("banks", "list")
    assert done.code == 0
    assert done.err == "Warning: There is no setting QUIZBOT_BANK. Did you mean QUIZBOT_BANKS?\n"


def _fail(*_: object) -> None:
    raise LookupError("a bug, with a secret in it")


def test_a_bug_is_a_sentence_with_a_number_and_no_traceback(quizbot, monkeypatch):
    monkeypatch.setattr(adapters.commands.run, "run_until_stopped", _fail)
    done = quizbot("run")
    assert (done.code, done.out) == (70, "")
    assert done.err.startswith("Something went wrong in quizbot (incident ")
    assert done.err.count("\n") == 1
    assert "LookupError" not in done.err


def test_a_bug_is_told_whole_where_somebody_looks_for_it(quizbot, monkeypatch):
    monkeypatch.setattr(adapters.commands.run, "run_until_stopped", _fail)
    assert "LookupError: a bug" in quizbot("--debug", "run").err


# --- run ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "platform"),
    [("DISCORD_TOKEN", "Discord"), ("SLACK_BOT_TOKEN", "Slack"), ("SLACK_APP_TOKEN", "Slack")],
)
def test_a_token_for_what_is_not_there_yet_is_not_passed_over(quizbot, name, platform, monkeypatch):
    monkeypatch.setenv(name, "a-secret")
    done = quizbot("run")
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        f"{name} is set, and this version does not connect to {platform} yet: leave it unset, "
        "and quizbot run opens the quiz room in your browser.\n"
    )


def test_with_the_room_off_there_is_nothing_to_run(quizbot, monkeypatch):
    monkeypatch.setenv("QUIZBOT_ROOM", "off")
    done = quizbot("run")
    assert done.code == 2
    assert done.err.startswith("There is nothing to run: QUIZBOT_ROOM is off")


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
    assert done.err.endswith("2 banks are fine. To see them: quizbot banks check\n")


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


# --- the database ------------------------------------------------------------------------------


def change(folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(folder / "quizbot.db", isolation_level=None)) as connection:
        connection.execute(statement)


@pytest.fixture
def played(quizbot: Type, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder after one answer, to whether water is wet."""
    monkeypatch.setattr("sys.stdin", StringIO("yes\n"))
    done = quizbot("play", "water")
    assert "Right:" in done.out
    return folder


def test_a_database_is_made_and_checked(quizbot, folder):
    made = quizbot("db", "upgrade")
    assert made.code == 0
    assert made.out.startswith(f"The database {folder / 'quizbot.db'} is at revision ")
    checked = quizbot("db", "check")
    assert checked.code == 0
    assert checked.out.startswith(f"The database {folder / 'quizbot.db'} is well, at revision ")


def test_a_database_that_is_not_there_is_not_made_by_looking_for_it(quizbot, folder):
    done = quizbot("db", "check")
    assert done.code == 3
    assert done.err.startswith(f"There is no database {folder / 'quizbot.db'} yet")
    assert not (folder / "quizbot.db").exists()


def test_a_database_without_tables_wants_to_be_upgraded(quizbot, folder):
    (folder / "quizbot.db").touch()
    done = quizbot("db", "check")
    assert done.code == 1
    assert "has no tables yet" in done.out
    assert done.out.endswith("run quizbot db upgrade.\n")


def test_marks_that_answers_do_not_come_to_are_found_and_mended(quizbot, played):
    change(played, "UPDATE marks SET is_right = NOT is_right")
    found = quizbot("db", "check")
    assert found.code == 1
    assert found.out.endswith("that are not what the answers come to: run quizbot regrade.\n")
    assert quizbot("regrade").out == "Read 1 question and marked 1 answer anew; 1 mark changed.\n"
    assert quizbot("db", "check").code == 0


def test_checking_a_database_changes_nothing(quizbot, played):
    change(played, "UPDATE marks SET is_right = NOT is_right")
    assert [quizbot("db", "check").code for _ in range(2)] == [1, 1]


def test_a_key_that_was_mended_marks_all_answers_anew(quizbot, played):
    bank = played / "banks" / "water" / "bank.yaml"
    bank.write_text(bank.read_text().replace("correct: a", "correct: b"), encoding="utf-8")
    assert quizbot("regrade").out == "Read 1 question and marked 1 answer anew; 1 mark changed.\n"
    assert quizbot("regrade").out == "Read 1 question and marked 1 answer anew; 0 marks changed.\n"


def test_a_reference_to_nothing_is_found(quizbot, played):
    change(played, "DELETE FROM players")
    done = quizbot("db", "check")
    assert done.code == 1
    assert "refers to rows that are not there" in done.out


def test_a_file_that_is_no_database_is_told(quizbot, folder):
    (folder / "quizbot.db").write_text("notes" * 1000, encoding="utf-8")
    done = quizbot("db", "check")
    assert done.code == 3
    assert done.err.endswith("is not a database of quizbot: name another file.\n")


@pytest.mark.parametrize("command", [("db", "upgrade"), ("regrade",), ("play",)])
def test_a_database_of_a_newer_version_is_left_alone(quizbot, folder, command):
    quizbot("db", "upgrade")
    change(folder, "UPDATE alembic_version SET version_num = '9999'")
    done = quizbot(*command)
    assert (done.code, done.out) == (3, "")
    assert "was written by a newer quizbot" in done.err
    assert quizbot("db", "check").code == 1


# --- play --------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", ["0", "51", "999", "-1", "x", "²", ""])
def test_a_number_of_questions_that_cannot_be_is_refused(quizbot, count):
    done = quizbot("play", "ports", f"--count={count}")
    assert done == Done(2, "", f"--count {count} cannot be: take a number from 1 to 50.\n")


def test_a_language_that_nobody_knows_is_refused(quizbot):
    done = quizbot("play", "ports", "--lang", "xx")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("I know no language “xx”. There are English (en)")


def test_a_quiz_that_nobody_knows_is_wrong_use_where_none_is_chosen_instead(quizbot, monkeypatch):
    monkeypatch.setattr("sys.stdin", StringIO(""))
    done = quizbot("play", "prots")
    assert done.code == 2
    assert "Did you mean Ports?" in done.out


def test_a_quiz_that_was_meant_is_chosen_instead(quizbot, monkeypatch):
    monkeypatch.setattr("sys.stdin", StringIO("\nq\n"))
    done = quizbot("play", "prots")
    assert done.code == 0
    assert "Ports · Question 1 of 3" in done.out


def test_a_language_is_remembered(quizbot, monkeypatch):
    monkeypatch.setattr("sys.stdin", StringIO(""))
    assert "Français" in quizbot("play", "ports", "--lang", "fr").out
    again = quizbot("play", "ports")
    assert "Les ports · Question 1 sur 3" in again.out
