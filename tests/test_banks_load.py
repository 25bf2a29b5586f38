"""Good banks are loaded whatever else lies beside them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from bank_files import BANK, FRENCH, only_bank, only_fault, with_question, write_bank
from costs import turns
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.banks import Loaded, load
from bot.content import SHIPPED, BankText, QuestionText, Source


def test_a_bank_is_loaded_with_all_that_it_holds(tmp_path: Path) -> None:
    write_bank(tmp_path, fr=FRENCH)
    bank = only_bank(tmp_path)
    assert (bank.id, bank.language, bank.owner) == ("net", "en", SHIPPED)
    assert bank.languages == ("en", "fr")
    assert bank.texts["fr"] == BankText(
        "Bases des réseaux", "Ports et noms.", "Des noms aux adresses"
    )
    assert (bank.aliases, bank.topics) == (("net", "networks"), ("networking",))
    question = bank.questions[0]
    assert (question.id, question.keys) == ("ssh-port", ("a", "b", "c"))
    assert question.correct == {"b"}
    assert question.tags == ("ssh",)
    assert question.texts["fr"] == QuestionText(
        text="Sur quel port TCP écoute SSH ?",
        options={"a": "21", "b": "22", "c": "2222"},
        explain="Le port 22 est réservé. 21 sert à FTP.",
        why={"c": "Souvent choisi à la main."},
        hint="Il est inférieur à 25.",
    )


def test_a_bank_may_be_a_single_file(tmp_path: Path) -> None:
    (tmp_path / "net.yaml").write_text(BANK, encoding="utf-8")
    bank = only_bank(tmp_path)
    assert (bank.id, bank.languages) == ("net", ("en",))


def test_sources_stay_as_they_were_typed(tmp_path: Path) -> None:
    source = (
        "sources: [{title: RFC 4253, year: 2006, url: https://example.org/rfc}, {title: A book}]"
    )
    write_bank(
        tmp_path, with_question(f"id: x\ntext: y\noptions: {{a: 1, b: 2}}\ncorrect: a\n{source}")
    )
    assert only_bank(tmp_path).questions[0].sources == (
        Source("RFC 4253", "2006", "https://example.org/rfc"),
        Source("A book"),
    )


def test_line_breaks_of_a_block_are_kept_but_for_the_last(tmp_path: Path) -> None:
    text = "text: |\n  What prints\n\n  ```python\n  if x:\n      y\n  ```\n"
    write_bank(
        tmp_path, with_question(f"id: x\n{text}options: {{a: 1, b: 2}}").replace("    \n", "\n")
    )
    question = only_bank(tmp_path).questions[0]
    assert question.texts["en"].text == "What prints\n\n```python\nif x:\n    y\n```"


def test_a_bad_bank_never_takes_down_the_good_ones(tmp_path: Path) -> None:
    write_bank(tmp_path, BANK.replace("aliases: [net, networks]", ""), name="good")
    write_bank(tmp_path, BANK.replace("correct: b", "correct: e", 1), name="bad")
    write_bank(tmp_path, "a: [", name="worse")
    (tmp_path / "worst.yaml").write_bytes(b"\xff\0")
    loaded = load([tmp_path])
    assert [bank.id for bank in loaded.banks] == ["good"]
    assert loaded.broken == ("bad", "worse", "worst")
    assert [Path(fault.file).relative_to(tmp_path).as_posix() for fault in loaded.faults] == [
        "bad/bank.yaml",
        "worse/bank.yaml",
        "worst.yaml",
    ]


def test_an_overlay_loses_only_its_faulty_fields(tmp_path: Path) -> None:
    french = FRENCH.replace("hint:", "hnt:").replace("b: AAAA, ", "").replace("titel", "title")
    write_bank(tmp_path, fr=french.replace("description:", "descripton:"))
    loaded = load([tmp_path])
    (bank,) = loaded.banks
    assert len(loaded.faults) == 3
    assert bank.texts["fr"] == BankText("Bases des réseaux", None, "Des noms aux adresses")
    ssh, dns = (question.texts["fr"] for question in bank.questions)
    assert (ssh.text, ssh.hint) == ("Sur quel port TCP écoute SSH ?", None)
    assert (dns.text, dns.options) == (None, {})
    assert dns.explain == "Quatre fois plus long, quatre lettres."


@pytest.mark.parametrize("french", ["- a\n", "a: [", "", "title: x\ntitle: y\n", "\0"])
def test_an_overlay_that_cannot_be_read_leaves_the_bank(tmp_path: Path, french: str) -> None:
    write_bank(tmp_path, fr=french)
    loaded = load([tmp_path])
    assert [bank.languages for bank in loaded.banks] == [("en",)]
    assert [Path(fault.file).name for fault in loaded.faults] == ["fr.yaml"]


def test_a_question_that_is_translated_twice_falls_back(tmp_path: Path) -> None:
    twice = FRENCH + "  ssh-port: {text: Une autre ?}\n"
    write_bank(tmp_path, fr=twice)
    loaded = load([tmp_path])
    assert loaded.faults[0].what == '"ssh-port" is there twice (first in line 5)'
    assert [sorted(q.texts) for q in loaded.banks[0].questions] == [["en"], ["en", "fr"]]


def test_a_state_that_cannot_be_read_is_told_and_the_bank_stays(tmp_path: Path) -> None:
    write_bank(tmp_path, fr=FRENCH, state="fr: {ssh-port: {status: good, of: {ask: x}}}")
    loaded = load([tmp_path])
    assert [fault.mend for fault in loaded.faults] == ["status: machine, human or reviewed"]
    assert loaded.banks[0].languages == ("en", "fr")


def test_the_order_is_that_of_folders_then_names(tmp_path: Path) -> None:
    for folder, names in (("one", "ca"), ("two", "db")):
        (tmp_path / folder).mkdir()
        for name in names:
            write_bank(tmp_path / folder, BANK.replace("aliases: [net, networks]", ""), name=name)
    loaded = load([tmp_path / "two", tmp_path / "one"])
    assert [bank.id for bank in loaded.banks] == ["b", "d", "a", "c"]
    assert load([tmp_path / "two", tmp_path / "one"]) == loaded


def test_of_two_banks_with_one_id_the_first_is_loaded(tmp_path: Path) -> None:
    write_bank(tmp_path)
    (tmp_path / "net.yaml").write_text(BANK, encoding="utf-8")
    loaded = load([tmp_path])
    assert [bank.folder for bank in loaded.banks] == [str(tmp_path / "net")]
    assert loaded.broken == ("net",)
    assert loaded.faults[0].file == (tmp_path / "net.yaml").as_posix()
    assert loaded.faults[0].what.startswith("a bank net is also in")


def test_an_alias_of_another_bank_is_told_and_left_out(tmp_path: Path) -> None:
    write_bank(tmp_path, name="one")
    write_bank(tmp_path, BANK.replace("[net, networks]", "[NET, own, One]"), name="two")
    loaded = load([tmp_path])
    assert [bank.aliases for bank in loaded.banks] == [("net", "networks"), ("own",)]
    assert [(fault.line, fault.column, fault.what) for fault in loaded.faults] == [
        (5, 11, 'alias "NET" already leads to the bank one'),
        (5, 21, 'alias "One" already leads to the bank one'),
    ]


def test_a_folder_that_is_missing_is_a_fault(tmp_path: Path) -> None:
    write_bank(tmp_path)
    loaded = load([tmp_path / "none", tmp_path])
    assert [bank.id for bank in loaded.banks] == ["net"]
    assert loaded.faults[0].what == "none is not there"


def test_a_folder_without_banks_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("x", encoding="utf-8")
    assert only_fault(tmp_path).what.endswith("holds no bank")


def test_what_systems_and_editors_leave_behind_is_passed_over(tmp_path: Path) -> None:
    home = write_bank(tmp_path)
    for name in ("._fr.yaml", ".state.yaml.x1", "fr.yaml~", "README.md"):
        (home / name).write_bytes(b"\0")
        (tmp_path / name).write_bytes(b"\0")
    assert only_bank(tmp_path).languages == ("en",)


def test_a_path_that_cannot_be_is_a_fault(tmp_path: Path) -> None:
    what = only_fault(tmp_path / ("x" * 5_000)).what
    assert what.endswith(("cannot be read: File name too long", "is not there"))


@pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() == 0, reason="everything is readable for root"
)
def test_what_may_not_be_read_is_a_fault_and_the_rest_is_loaded(tmp_path: Path) -> None:
    write_bank(tmp_path, BANK.replace("[net, networks]", "[x]"), name="open")
    closed = write_bank(tmp_path, name="closed")
    file = write_bank(tmp_path, name="file") / "bank.yaml"
    closed.chmod(0)
    file.chmod(0)
    try:
        loaded = load([tmp_path, closed])
    finally:
        closed.chmod(0o700)
    assert [bank.id for bank in loaded.banks] == ["open"]
    assert loaded.broken == ("file",)
    assert all("cannot be read" in fault.what for fault in loaded.faults)
    assert len(loaded.faults) == 3


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_what_is_no_file_is_a_fault_and_never_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "bank.yaml").mkdir()
    loaded = load([tmp_path])
    assert [fault.what for fault in loaded.faults] == ["this is no file"] * 2


@pytest.mark.parametrize(
    ("name", "mend"),
    [("Net Basics", "rename it to net-basics"), ("Ж", "rename it to a word in these")],
)
def test_a_bank_is_named_by_an_id(tmp_path: Path, name: str, mend: str) -> None:
    write_bank(tmp_path, name=name)
    assert only_fault(tmp_path).mend == mend
    assert load([tmp_path]).broken == (name,)


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are Unicode here")
def test_a_name_that_is_no_unicode_can_still_be_printed(tmp_path: Path) -> None:
    name = os.fsdecode(b"net-\xff.yaml")
    (tmp_path / name).write_text(BANK, encoding="utf-8")
    fault = only_fault(tmp_path)
    assert "net-" in fault.what.encode().decode()
    assert fault.file.encode().decode().endswith(".yaml")
    assert load([tmp_path]).broken == ("net-\\udcff",)


def test_a_folder_with_yaml_and_no_bank_is_told(tmp_path: Path) -> None:
    write_bank(tmp_path, name="good")
    (tmp_path / "half").mkdir()
    (tmp_path / "half" / "bank.yml").write_text(BANK, encoding="utf-8")
    (tmp_path / "pictures").mkdir()
    (tmp_path / ".git").mkdir()
    loaded = load([tmp_path])
    assert [(fault.what, fault.mend) for fault in loaded.faults] == [
        ("bank.yaml is not there", "name the bank's file bank.yaml")
    ]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(st.binary(max_size=200), st.binary(max_size=200), st.binary(max_size=200))
def test_nothing_that_files_hold_makes_loading_fail(
    tmp_path: Path, single: bytes, overlay: bytes, state: bytes
) -> None:
    home = write_bank(tmp_path)
    (home / "fr.yaml").write_bytes(overlay)
    (home / "state.yaml").write_bytes(state)
    (tmp_path / "other.yaml").write_bytes(single)
    loaded = load([tmp_path])
    assert [bank.id for bank in loaded.banks] == ["net"]
    assert loaded.broken == ("other",)


def test_a_bank_full_of_faults_is_refused_quickly(tmp_path: Path) -> None:
    questions = "".join(f"  - {{idd: q{at}, txt: x}}\n" for at in range(20_000))
    write_bank(tmp_path, BANK.split("  - id")[0] + questions)
    overlay = "questions:\n" + "".join(f"  question-{at}: {{text: x}}\n" for at in range(40_000))
    (tmp_path / "net" / "fr.yaml").write_text(overlay, encoding="utf-8")
    loads: list[Loaded] = []
    cost = turns(lambda: loads.append(load([tmp_path])))
    assert loads[0].broken == ("net",)
    assert loads[0].faults
    assert cost < 1000


def test_a_question_with_endless_options_is_refused_quickly(tmp_path: Path) -> None:
    keys = [f"k{at}" for at in range(40_000)]
    options = ", ".join(f"{key}: {key}" for key in keys)
    lines = f"id: x\ntext: y\noptions: {{{options}}}\ncorrect: [{', '.join(keys[::-1])}, z]"
    french = f"questions: {{x: {{text: y, options: {{{options}}}, why: {{{options}}}}}}}"
    write_bank(tmp_path, with_question(lines), fr=french)
    loads: list[Loaded] = []
    cost = turns(lambda: loads.append(load([tmp_path])))
    assert loads[0].broken == ("net",)
    assert "options of x are too many: 40,000" in [fault.what for fault in loads[0].faults]
    assert cost < 500


def test_a_hundred_banks_load_quickly(tmp_path: Path) -> None:
    for number in range(100):
        bank = BANK.replace("[net, networks]", f"[net{number}]")
        write_bank(tmp_path, bank, name=f"bank-{number}", fr=FRENCH)
    assert len(load([tmp_path]).banks) == 100
    assert turns(lambda: load([tmp_path])) < 250
