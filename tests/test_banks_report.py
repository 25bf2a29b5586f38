"""A report reads the same for a person, a program and a pull request."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from bank_files import BANK, FRENCH, with_question, write_bank

from bot.banks import Fault
from bot.banks.report import Report, as_github, as_json, as_text, check, summary
from bot.banks.schema import schema

TWO = Report(
    (
        Fault("banks/net/bank.yaml", 14, 5, 'correct names "e"', "correct: b"),
        Fault("banks/net/fr.yaml", 9, 3, "unknown question"),
    ),
    banks=3,
    faulty=1,
)


def test_a_person_reads_place_fault_mend_and_the_sum() -> None:
    assert as_text(TWO) == (
        'banks/net/bank.yaml:14:5  correct names "e"\n'
        "                          mend: correct: b\n"
        "banks/net/fr.yaml:9:3     unknown question\n"
        "2 faults in 1 of 3 banks; 2 banks are fine"
    )


@pytest.mark.parametrize(
    ("report", "sum_"),
    [
        (Report((), 3, 0), "3 banks are fine"),
        (Report((), 1, 0), "1 bank is fine"),
        (Report(TWO.faults[:1], 1, 1), "1 fault in 1 of 1 bank"),
        (Report(TWO.faults, 2, 1), "2 faults in 1 of 2 banks; 1 bank is fine"),
        (Report(TWO.faults[:1], 0, 0), "1 fault"),
        (Report(TWO.faults[:1], 2, 0), "1 fault; 2 banks are fine"),
    ],
)
def test_the_sum_is_a_sentence(report: Report, sum_: str) -> None:
    assert summary(report) == sum_


def test_a_program_reads_json() -> None:
    content = json.loads(as_json(TWO))
    assert (content["banks"], content["faulty"]) == (3, 1)
    assert content["faults"][1] == {
        "file": "banks/net/fr.yaml",
        "line": 9,
        "column": 3,
        "what": "unknown question",
        "mend": "",
    }


def test_a_pull_request_shows_faults_beside_their_lines() -> None:
    odd = Report((Fault("a,b:c/é.yaml", 1, 2, "50 %\nx::y", "z"),), 1, 1)
    assert as_github(TWO).splitlines() == [
        '::error file=banks/net/bank.yaml,line=14,col=5::correct names "e" — mend: correct: b',
        "::error file=banks/net/fr.yaml,line=9,col=3::unknown question",
    ]
    assert as_github(odd) == "::error file=a%2Cb%3Ac/é.yaml,line=1,col=2::50 %25%0Ax::y — mend: z"


def test_a_check_takes_folders_of_banks_one_bank_or_a_file(tmp_path: Path) -> None:
    home = write_bank(tmp_path, fr=FRENCH.replace("hint:", "hnt:"))
    (tmp_path / "one.yaml").write_text(BANK.replace("[net, networks]", "[x]"), encoding="utf-8")
    for path, banks in (
        (tmp_path, 2),
        (home, 1),
        (home / "bank.yaml", 1),
        (home / "fr.yaml", 1),
    ):
        report = check([path])
        assert (len(report.faults), report.banks, report.faulty) == (1, banks, 1)
    assert check([tmp_path / "one.yaml"]).is_fine
    assert check([home, home / "fr.yaml", tmp_path]).banks == 2


def test_files_are_named_beside_the_folder_one_is_in(tmp_path: Path) -> None:
    write_bank(tmp_path, BANK.replace("correct: b", "correct: e", 1))
    assert [fault.file for fault in check([tmp_path], base=tmp_path).faults] == ["net/bank.yaml"]


# --- schemas -----------------------------------------------------------------------------------


def as_an_editor_reads(text: str) -> Any:
    """With numbers and switches for what looks like them, but dates left as text."""
    return json.loads(json.dumps(yaml.safe_load(text), default=str))


def complaints(value: Any, rule: Any, definitions: Any, at: str = "$") -> list[str]:
    """The part of JSON Schema that the generated schemas use."""
    if "$ref" in rule:
        return complaints(
            value, definitions[rule["$ref"].removeprefix("#/$defs/")], definitions, at
        )
    if "anyOf" in rule:
        tried = [complaints(value, one, definitions, at) for one in rule["anyOf"]]
        return [] if [] in tried else min(tried, key=len)
    kinds = {
        **{"string": str, "number": int | float, "boolean": bool, "null": type(None)},
        **{"array": list, "object": dict},
    }
    wanted = [rule["type"]] if isinstance(rule["type"], str) else rule["type"]
    if not any(isinstance(value, kinds[kind]) for kind in wanted):
        return [f"{at}: {value!r} is not {wanted}"]
    found = []
    if "const" in rule and value != rule["const"]:
        found.append(f"{at}: {value!r} is not {rule['const']!r}")
    if "enum" in rule and value not in rule["enum"]:
        found.append(f"{at}: {value!r} is not in {rule['enum']!r}")
    if isinstance(value, str) and len(value) > rule.get("maxLength", len(value)):
        found.append(f"{at}: is too long")
    if isinstance(value, list):
        for number, item in enumerate(value):
            found += complaints(item, rule["items"], definitions, f"{at}.{number}")
    if isinstance(value, dict):
        found += mapping_complaints(value, rule, definitions, at)
    return found


def mapping_complaints(value: Any, rule: Any, definitions: Any, at: str) -> list[str]:
    found = [f"{at}: has no {name}" for name in rule.get("required", []) if name not in value]
    rest = rule.get(
        "additionalProperties", next(iter(rule.get("patternProperties", {}).values()), 0)
    )
    for name, item in value.items():
        known = rule.get("properties", {}).get(str(name), rest)
        if known is False:
            found.append(f"{at}: knows no {name}")
        else:
            found += complaints(item, known, definitions, f"{at}.{name}")
    return found


def editor_says(kind: str, text: str) -> list[str]:
    rule = schema()[kind]
    return complaints(as_an_editor_reads(text), rule, rule["$defs"])


def test_the_schemas_take_banks_as_authors_write_them() -> None:
    assert editor_says("bank", BANK) == []
    assert editor_says("overlay", FRENCH) == []


@pytest.mark.parametrize("typed", ["22", "1.10", "no", "12:30", "2010-06-11", "~", "1_000"])
def test_the_schemas_take_any_scalar_for_a_text(typed: str) -> None:
    question = f"id: x\ntext: y\noptions: {{a: {typed}, b: z}}\nwhy: {{b: {typed}}}"
    assert editor_says("bank", with_question(question)) == []
    assert editor_says("overlay", f"questions: {{x: {{text: {typed}}}}}") == []


@pytest.mark.parametrize(
    ("kind", "text", "complaint"),
    [
        ("bank", BANK.replace("hint", "hnt"), "$.questions.0: knows no hnt"),
        ("bank", BANK.replace("title: Network basics\n", ""), "$: has no title"),
        ("bank", BANK.replace("/1", "/2"), "$.schema: 'quizbot/2' is not 'quizbot/1'"),
        ("bank", BANK.replace("[net, networks]", "net"), "$.aliases: 'net' is not ['array']"),
        ("overlay", FRENCH.replace("hint", "correct"), "$.questions.ssh-port: knows no correct"),
    ],
)
def test_the_schemas_refuse_what_the_check_refuses(kind: str, text: str, complaint: str) -> None:
    assert editor_says(kind, text) == [complaint]


def test_the_schemas_tell_what_fields_are_for() -> None:
    question = schema()["bank"]["$defs"]["QuestionPart"]["properties"]
    assert question["correct"]["description"].startswith("The key of the right option")
