"""The command line: what each command says, where it says it, and with which exit code it ends."""

from __future__ import annotations

import sqlite3
import subprocess
from contextlib import closing
from importlib.metadata import version
from io import StringIO
from pathlib import Path

import pytest
from command_line import PROGRAM, Done, Prompt, environment, settle_in

import adapters.commands.run
import adapters.commands.store


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return settle_in(tmp_path, monkeypatch)


@pytest.fixture
def quizbot(folder: Path, capsys: pytest.CaptureFixture[str]) -> Prompt:
    return Prompt(capsys)


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


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is full")
@pytest.mark.parametrize(
    "words",
    [("--version",), ("--help",), ("banks", "list"), ("banks", "schema"), ("banks", "check"),
     ("banks", "show", "ports"), ("play", "ports"), ("db", "upgrade"), ("run",)],
)  # fmt: skip
def test_output_that_cannot_be_written_is_one_sentence(folder, words):
    settings = environment(QUIZBOT_BANKS="banks", QUIZBOT_PORT="0")
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(
            [PROGRAM, *words], cwd=folder, env=settings, stdin=subprocess.DEVNULL, stdout=full,
            stderr=subprocess.PIPE, encoding="utf-8", timeout=60,
        )  # fmt: skip
    assert done.returncode == 3
    assert done.stderr == "Standard output cannot be written: No space left on device.\n"


# --- run ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        (
            "SLACK_BOT_TOKEN",
            "SLACK_BOT_TOKEN is set: set SLACK_APP_TOKEN too, for Socket Mode, or "
            "SLACK_SIGNING_SECRET, for HTTP.\n",
        ),
        (
            "SLACK_APP_TOKEN",
            "SLACK_APP_TOKEN is set: set SLACK_BOT_TOKEN too, or for several workspaces "
            "SLACK_CLIENT_ID and SLACK_CLIENT_SECRET.\n",
        ),
    ],
)
def test_half_of_what_slack_takes_is_not_passed_over(quizbot, name, sentence, monkeypatch):
    monkeypatch.setenv(name, "a-secret")
    done = quizbot("run")
    assert (done.code, done.out, done.err) == (2, "", sentence)


def test_with_the_room_off_there_is_nothing_to_run(quizbot, monkeypatch):
    monkeypatch.setenv("QUIZBOT_ROOM", "off")
    done = quizbot("run")
    assert done.code == 2
    assert done.err.startswith("There is nothing to run: QUIZBOT_ROOM is off")


# --- banks that are not there ------------------------------------------------------------------


@pytest.mark.parametrize("made", [True, False])
def test_a_folder_without_a_quiz_is_named(quizbot, folder, monkeypatch, made):
    monkeypatch.setenv("QUIZBOT_BANKS", "none")
    if made:
        (folder / "none").mkdir()
    absent = "" if made else ", which does not exist"
    assert quizbot("banks", "list").err == (
        "Warning: 1 fault. To see it: quizbot banks check\n"
        f"Warning: Nothing can be played: there is no quiz that can be asked in none{absent}.\n"
    )


def test_drafts_alone_are_nothing_to_play(quizbot, folder):
    for bank in (folder / "banks").glob("*/bank.yaml"):
        lines = bank.read_text(encoding="utf-8").splitlines()
        kept = [line for line in lines if not line.strip().startswith("correct:")]
        bank.write_text("\n".join(kept), encoding="utf-8")
    assert quizbot("banks", "list").err == (
        "Warning: Nothing can be played: there is no quiz that can be asked in banks.\n"
    )


# --- the database ------------------------------------------------------------------------------


def change(folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(folder / "quizbot.db", isolation_level=None)) as connection:
        connection.execute(statement)


@pytest.fixture
def played(quizbot: Prompt, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
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
    assert quizbot("regrade").out == (
        "Read 1 question and marked 1 answer anew; 1 mark changed, and the totals are as before.\n"
    )
    assert quizbot("db", "check").code == 0


def test_totals_that_answers_do_not_come_to_are_told_of_when_they_are_mended(quizbot, played):
    board = "INSERT INTO boards (community_id, place_id, period, starts) VALUES (1, 0, 'all', '')"
    change(played, board)
    change(played, "INSERT INTO totals SELECT boards.id, players.id, 7, 1, 1 FROM boards, players")
    assert quizbot("db", "check").code == 1
    assert quizbot("regrade").out == (
        "Read 1 question and marked 1 answer anew; 0 marks changed, and the totals changed.\n"
    )
    assert quizbot("db", "check").code == 0


def test_how_far_a_long_regrade_has_come_is_told_beside_its_result(quizbot, played, monkeypatch):
    assert "so far" not in quizbot("regrade").err
    monkeypatch.setattr(adapters.commands.store, "TOLD_EVERY", 1)
    done = quizbot("regrade")
    assert "1 answer marked anew so far." in done.err.splitlines()
    assert done.out.count("\n") == 1


def test_regrading_makes_no_database(quizbot, folder):
    done = quizbot("regrade")
    assert (done.code, done.out) == (3, "")
    assert done.err.startswith(f"There is no database {folder / 'quizbot.db'} yet")
    assert not (folder / "quizbot.db").exists()


def test_checking_a_database_changes_nothing(quizbot, played):
    change(played, "UPDATE marks SET is_right = NOT is_right")
    assert [quizbot("db", "check").code for _ in range(2)] == [1, 1]


def test_a_key_that_was_mended_marks_all_answers_anew(quizbot, played):
    bank = played / "banks" / "water" / "bank.yaml"
    bank.write_text(bank.read_text().replace("correct: a", "correct: b"), encoding="utf-8")
    anew = "Read 1 question and marked 1 answer anew;"
    assert quizbot("regrade").out.startswith(f"{anew} 1 mark changed,")
    assert quizbot("regrade").out.startswith(f"{anew} 0 marks changed,")


def test_a_key_that_was_mended_marks_all_answers_anew_at_the_next_start(
    quizbot, played, monkeypatch
):
    bank = played / "banks" / "water" / "bank.yaml"
    bank.write_text(bank.read_text().replace("correct: a", "correct: b"), encoding="utf-8")
    monkeypatch.setattr("sys.stdin", StringIO(""))
    quizbot("play", "water")
    anew = "Read 1 question and marked 1 answer anew;"
    assert quizbot("regrade").out.startswith(f"{anew} 0 marks changed,")


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


COMMANDS = [("db", "upgrade"), ("db", "check"), ("regrade",), ("play",), ("run",)]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_database_of_a_newer_version_is_left_alone(quizbot, folder, command):
    quizbot("db", "upgrade")
    change(folder, "UPDATE alembic_version SET version_num = '9999'")
    done = quizbot(*command)
    assert (done.code, done.out) == (3, "")
    assert "was written by a newer quizbot" in done.err


@pytest.mark.parametrize("command", COMMANDS)
def test_another_programs_database_is_left_as_it_is(quizbot, folder, command):
    change(folder, "CREATE TABLE songs (title)")
    before = (folder / "quizbot.db").read_bytes()
    done = quizbot(*command)
    assert (done.code, done.out) == (3, "")
    assert done.err == (
        f"The database file {folder / 'quizbot.db'} is another program's: name another file.\n"
    )
    assert (folder / "quizbot.db").read_bytes() == before


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
