"""Every fault of a bank is told, all at once, each with its line and its mend."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from bank_files import BANK, FRENCH, faults_of, only_fault, with_question, write_bank
from hypothesis import given
from hypothesis import strategies as st

from bot.banks import load
from bot.banks.checks import check_bank, check_overlay
from bot.banks.models import BankFile, OverlayFile
from bot.banks.shape import fit

PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)

GOOD = """\
id: ssh
text: Which port?
options: {a: 21, b: 22, c: 2222}
correct: b
"""


@dataclass(frozen=True)
class Case:
    """A change to a good file, and what is said of it: its beginning, if it ends in `…`."""

    change: str
    what: str
    mend: str

    def __str__(self) -> str:
        return self.change.splitlines()[-1].strip()

    def applied_to(self, text: str) -> str:
        old, new = self.change.replace("\\n", "\n").split(" ->")
        assert old in text
        return text.replace(old, new.removeprefix(" "))

    def is_told(self, what: str, mend: str) -> None:
        for said, expected in ((what, self.what), (mend, self.mend)):
            if expected.endswith(" …"):
                assert said.startswith(expected[:-1])
            else:
                assert said == expected


def cases(table: str) -> list[Case]:
    """Blocks of lines: the change, then indented the fault and its mend. `<9>` is nine letters."""
    found = []
    for block in table.strip("\n").split("\n\n"):
        lines = re.sub(r"<(\d+)>", lambda size: "x" * int(size[1]), block).splitlines()
        at = next(number for number, line in enumerate(lines) if number and line[:2] == "  ")
        mend = lines[at + 1].removeprefix("  mend: ") if len(lines) > at + 1 else ""
        found.append(Case("\n".join(lines[:at]), lines[at].strip(), mend))
    return found


def one_fault(folder: Path, changed: str) -> tuple[str, str]:
    """Of a bank with the good question, some lines of it changed; `-name` leaves one out."""
    lines = {line.split(":")[0]: line for line in (GOOD + changed).splitlines()}
    left_out = [name.removeprefix("-") for name in lines if name.startswith("-")]
    kept = [line for name, line in lines.items() if name.removeprefix("-") not in left_out]
    write_bank(folder, with_question("\n".join(kept)))
    fault = only_fault(folder)
    assert fault.line > 1
    return fault.what, fault.mend


def test_a_good_bank_has_no_fault(tmp_path: Path) -> None:
    write_bank(tmp_path, fr=FRENCH)
    assert faults_of(tmp_path) == []


def test_all_faults_are_told_at_once_with_their_places(tmp_path: Path) -> None:
    bank = (
        BANK.replace("correct: b\n    explain: 22", "correct: e\n    explain: 22")
        .replace("    hint:", "    hintt:")
        .replace("c: MX", "c: a")
        .replace("title: Network basics\n", "")
    )
    write_bank(tmp_path, bank, fr=FRENCH.replace("ssh-port:", "ssh-prt:"))
    home = (tmp_path / "net").as_posix()
    assert [
        f"{fault.file}:{fault.line}:{fault.column}  {fault.what}" for fault in faults_of(tmp_path)
    ] == [
        f"{home}/bank.yaml:1:1  the file has no title",
        f'{home}/bank.yaml:11:5  correct names "e", which is no option of ssh-port (a, b, c)',
        f'{home}/bank.yaml:14:5  unknown field "hintt" in ssh-port (did you mean hint?)',
        f"{home}/bank.yaml:21:7  options a and c of dns-record are the same",
        f'{home}/fr.yaml:5:3  unknown question "ssh-prt" (did you mean ssh-port?)',
    ]


QUESTION_FAULTS = r"""
correct: e
  correct names "e", which is no option of ssh (a, b, c)
  mend: correct: a, b or c

correct: B
  correct names "B", which is no option of ssh (a, b, c)
  mend: correct: b

correct: 22
  correct names "22", which is no option of ssh (a, b, c)
  mend: correct: b

correct: [b, x]
  correct names "x", which is no option of ssh (a, b, c)
  mend: correct: a, b or c

correct: [b, b]
  correct of ssh names "b" twice
  mend: delete one

correct:
  correct of ssh is blank
  mend: write it, or delete the name too

correct: []
  correct of ssh is empty
  mend: name an option, or delete correct for a draft

correct: {b: 1}
  correct of ssh is a mapping, not a list
  mend: correct: […]

kind: order
  unknown kind "order"
  mend: kind: choice

text: ''
  text of ssh is blank
  mend: write it, or delete the name too

text: [a]
  text of ssh is a list, not a text
  mend: put the whole text in quotes: "…"

-text
  ssh has no text
  mend: add text: …

-options
  ssh has no options
  mend: add options: {a: …, b: …}

options: {b: x}
  options of ssh are too few: 1
  mend: have at least 2

options: {a: ' ', b: x}
  option a of ssh is blank
  mend: write it, or delete the name too

-correct
options: [21, 22]
  options of ssh is a list: options need keys
  mend: options: {a: 21, b: 22}

options: {a: Ｘ, b:  x }
  options a and b of ssh are the same
  mend: change or delete one

options: {a: STRASSE, b: straße}
  options a and b of ssh are the same
  mend: change or delete one

options: {a: x  y, b: x y}
  options a and b of ssh are the same
  mend: change or delete one

options: {a b: x, b: y}
  option a b of ssh has a key that is no short word
  mend: name options a, b, c …

why: {b: It is.}
  why of ssh tells why b tempts, and b is right
  mend: move it to explain

why: {x: It is.}
  why names "x", which is no option of ssh (a, b, c)
  mend: delete it, or name an option

why: {A: It is.}
  why names "A", which is no option of ssh (a, b, c)
  mend: write a

why:
  why of ssh is empty
  mend: why: {a: …}

why: It is.
  why of ssh is a text, not texts by option
  mend: why: {a: …}

hint:
  hint of ssh is blank
  mend: write it, or delete the name too

tags: ssh
  tags of ssh is a text, not a list
  mend: tags: [ssh]

tags: [ssh, SSH]
  tags of ssh hold "SSH" twice
  mend: delete one

sources: [{url: 'https://a.b'}]
  source 1 of ssh has no title
  mend: add title: …

sources: [{title: x, url: 'javascript:1'}]
  url of source 1 of ssh is no address: "javascript:1"
  mend: begin with https://

optons: {a: x}
  unknown field "optons" in ssh (did you mean options?)

colour: red
  unknown field "colour" in ssh
  mend: delete it; known here: id, kind, text, options, correct, explain, why, hint, …

id: SSH Port
  id of SSH Port has other signs than a to z, 0 to 9 and single - or _
  mend: write ssh-port

id: "x\n"
  id of x has other signs than a to z, 0 to 9 and single - or _
  mend: write x

tags: ["a\nb"]
  tag 1 of ssh has more than one line
  mend: write it in one, or begin it with >-

id: bank
  a question cannot have the id "bank", which stands for the whole
  mend: choose another id

-id
  question 1 has no id
  mend: add a short name that never changes: id: …

options: {b: x, k0: 0, k1: 1, k2: 2, k3: 3, k4: 4, k5: 5, k6: 6, k7: 7, k8: 8, k9: 9}
  options of ssh are too many: 11
  mend: have at most 10

image: {file: a.png, alt: x}
  image "a.png" of ssh is not there
  mend: add the file, or mend the name

text: <4001>
  text of ssh has 4,001 letters
  mend: shorten it to 4,000

explain: <4001>
  explain of ssh has 4,001 letters
  mend: shorten it to 4,000

options: {a: y, b: <1001>}
  option b of ssh has 1,001 letters
  mend: shorten it to 1,000
"""


@pytest.mark.parametrize("case", cases(QUESTION_FAULTS), ids=str)
def test_a_fault_of_a_question_is_told(tmp_path: Path, case: Case) -> None:
    what, mend = one_fault(tmp_path, case.change)
    case.is_told(what, mend)


BANK_FAULTS = r"""
schema: quizbot/1\n -> 
  1:1 the file has no schema
  mend: begin the file with schema: quizbot/1

quizbot/1 -> quizbot/2
  1:1 unknown schema "quizbot/2"
  mend: schema: quizbot/1

language: en -> language: English
  2:1 language "English" is no language tag
  mend: language: en

language: en -> language: xx
  2:1 language "xx" is no language tag
  mend: language: such as en, sn or pt-BR

language: en -> language: pt_br
  2:1 language "pt_br" is no language tag
  mend: language: pt-BR

language: en -> lang: en
  1:1 the file has no language
  mend: add the language of the texts: language: en

Network basics -> 
  3:1 title is blank
  mend: write it, or delete the name too

[net, networks] -> [net, NET]
  5:16 aliases hold "NET" twice
  mend: delete one

topics: [networking] -> level: easy
  6:1 unknown level "easy"
  mend: level: beginner, intermediate or advanced

topics: [networking] -> level: beginer
  6:1 unknown level "beginer"
  mend: level: beginner

topics: [networking] -> topics:
  6:1 topics is empty
  mend: topics: […]

{title: How names become addresses} -> {url: 'https://x.y'}
  7:1 guide has no title
  mend: add title: …

id: dns-record -> id: ssh-port
  17:5 question 2 has the id "ssh-port" of question 1
  mend: give it an id of its own

title: Network basics -> title: {{name}}
  3:9 a list or mapping stands where a name should
  mend: put texts that begin with { or [ in quotes
"""


@pytest.mark.parametrize("case", cases(BANK_FAULTS), ids=str)
def test_a_fault_of_a_bank_is_told(tmp_path: Path, case: Case) -> None:
    write_bank(tmp_path, case.applied_to(BANK))
    fault = faults_of(tmp_path)[0]
    case.is_told(f"{fault.line}:{fault.column} {fault.what}", fault.mend)


@pytest.mark.parametrize(
    ("bank", "what"),
    [
        ("- a\n", "the file is a list, not “name: value” lines"),
        ("a\n", "the file is a text, not “name: value” lines"),
        ("---\n", "the file is empty, not “name: value” lines"),
    ],
)
def test_a_file_that_is_no_mapping_is_told(tmp_path: Path, bank: str, what: str) -> None:
    write_bank(tmp_path, bank)
    assert what in only_fault(tmp_path).what


def test_questions_by_position_are_still_named(tmp_path: Path) -> None:
    write_bank(tmp_path, BANK.replace("  - id: dns-record\n    text", "  - txt"))
    assert [fault.what for fault in faults_of(tmp_path)] == [
        "question 2 has no id",
        "question 2 has no text",
        'unknown field "txt" in question 2 (did you mean text?)',
    ]


def test_a_draft_is_no_fault(tmp_path: Path) -> None:
    write_bank(tmp_path, BANK.replace("    correct: b\n", ""))
    (bank,) = load([tmp_path]).banks
    assert [question.is_draft for question in bank.questions] == [True, True]
    assert bank.playable == ()


def test_ids_that_only_look_like_numbers_or_switches_are_ids(tmp_path: Path) -> None:
    write_bank(
        tmp_path, with_question("id: 07\ntext: no\noptions: {no: ~, yes: 1.10}\ncorrect: no")
    )
    question = load([tmp_path]).banks[0].questions[0]
    assert (question.id, question.texts["en"].text) == ("07", "no")
    assert question.texts["en"].options == {"no": "~", "yes": "1.10"}
    assert question.correct == {"no"}


# --- pictures ----------------------------------------------------------------------------------


def image_fault(folder: Path, file: str) -> tuple[str, str]:
    return one_fault(folder, f'image: {{file: "{file}", alt: A door}}')


@pytest.mark.parametrize(
    "file", ["../x.png", "/etc/x.png", "images/../../x.png", "C:/x.png", "images\\\\..\\\\x.png"]
)
def test_a_picture_outside_the_folder_is_refused(tmp_path: Path, file: str) -> None:
    (tmp_path / "x.png").write_bytes(PNG)
    assert image_fault(tmp_path, file)[0].endswith("lies outside the bank's folder")


def test_a_picture_that_a_link_leads_outside_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.png").write_bytes(PNG)
    (tmp_path / "net").mkdir()
    os.symlink(tmp_path / "x.png", tmp_path / "net" / "x.png")
    assert image_fault(tmp_path, "x.png")[0].endswith("lies outside the bank's folder")


def test_a_link_that_leads_to_itself_is_refused(tmp_path: Path) -> None:
    (tmp_path / "net").mkdir()
    os.symlink("x.png", tmp_path / "net" / "x.png")
    assert "x.png" in image_fault(tmp_path, "x.png")[0]


@pytest.mark.parametrize(
    ("name", "data", "what"),
    [
        ("x.svg", b"<svg/>", "is no picture that is shown everywhere"),
        ("x.png", b"GIF89a", "is no png inside"),
        ("x.png", PNG + bytes(5_000_000), "is larger than 5 MB"),
    ],
)
def test_a_picture_that_not_all_can_show_is_refused(
    tmp_path: Path, name: str, data: bytes, what: str
) -> None:
    (tmp_path / "net").mkdir()
    (tmp_path / "net" / name).write_bytes(data)
    assert image_fault(tmp_path, name)[0].endswith(what)


def test_a_picture_in_the_folder_is_taken(tmp_path: Path) -> None:
    write_bank(tmp_path, with_question(GOOD + "image: {file: images/x.png, alt: A door}"))
    (tmp_path / "net" / "images").mkdir()
    (tmp_path / "net" / "images" / "x.png").write_bytes(PNG)
    (bank,) = load([tmp_path]).banks
    assert bank.questions[0].image == "images/x.png"
    assert bank.questions[0].texts["en"].alt == "A door"
    assert bank.folder == str(tmp_path / "net")


# --- overlays ----------------------------------------------------------------------------------


OVERLAY_FAULTS = r"""
ssh-port: -> ssh:
  5:3 unknown question "ssh" (did you mean ssh-port?)

ssh-port: -> zzz:
  5:3 unknown question "zzz"
  mend: delete it; bank.yaml has no such id

hint: -> correct:
  9:5 unknown field "correct" in ssh-port
  mend: delete it; known here: text, options, explain, why, hint, image

a: A, b: AAAA -> a: A
  12:5 options of dns-record lack b
  mend: translate b too

a: A, b: AAAA -> a: '', b: ''
  12:5 options of dns-record lack a and b
  mend: translate a and b too

    options: {a: A, b: AAAA, c: MX}\n -> 
  11:5 options of dns-record lack a, b and c
  mend: translate a, b and c too

c: MX -> c: MX, d: TXT
  12:37 options name "d", which is no option of dns-record (a, b, c)
  mend: delete it, or name an option

c: MX -> c: a
  12:30 options a and c of dns-record are the same
  mend: change or delete one

why: {c: -> why: {b:
  8:11 why of ssh-port tells why b tempts, and b is right
  mend: move it to explain

why: {c: -> why: {e:
  8:11 why names "e", which is no option of ssh-port (a, b, c)
  mend: delete it, or name an option

    hint: Il est inférieur à 25. ->     image: {alt: Une porte}
  9:5 ssh-port has no image to describe
  mend: delete image

    text: Quel enregistrement contient une adresse IPv6 ?\n -> 
  11:5 dns-record has translated options and no text
  mend: translate text too; they are shown together

title: Bases -> titel: Bases
  1:1 unknown field "titel" (did you mean title?)
"""


@pytest.mark.parametrize("case", cases(OVERLAY_FAULTS), ids=str)
def test_a_fault_of_an_overlay_is_told(tmp_path: Path, case: Case) -> None:
    write_bank(tmp_path, fr=case.applied_to(FRENCH))
    fault = only_fault(tmp_path)
    case.is_told(f"{fault.line}:{fault.column} {fault.what}", fault.mend)
    assert fault.file.endswith("fr.yaml")


def test_questions_of_an_overlay_stand_by_their_ids(tmp_path: Path) -> None:
    write_bank(tmp_path, fr="title: x\nquestions:\n- id: ssh-port\n")
    fault = only_fault(tmp_path)
    assert fault.what == "questions is a list, not questions by id"
    assert fault.mend == "write each below its id, without -"


def test_a_blank_translation_is_one_that_is_still_to_come(tmp_path: Path) -> None:
    french = "title:\nquestions:\n  dns-record:\n    text: ''\n    options: {a: '', b: , c: ' '}\n"
    write_bank(tmp_path, fr=french)
    assert faults_of(tmp_path) == []


@pytest.mark.parametrize(
    ("name", "mend"),
    [
        ("french", "rename it to fr.yaml"),
        ("pt_br", "rename it to pt-BR.yaml"),
        ("xx", "rename it, for example to fr.yaml"),
        ("EN-uk", "rename it to en-GB.yaml"),
    ],
)
def test_an_overlay_is_named_by_a_language_tag(tmp_path: Path, name: str, mend: str) -> None:
    write_bank(tmp_path, **{name: "title: x\n"})
    fault = only_fault(tmp_path)
    assert "is no language tag" in fault.what
    assert fault.mend == mend


def test_an_overlay_in_the_source_language_is_refused(tmp_path: Path) -> None:
    write_bank(tmp_path, en="title: x\n")
    assert only_fault(tmp_path).what == "en.yaml translates bank.yaml into its own language"


def test_a_file_that_ends_in_yml_is_told_its_name(tmp_path: Path) -> None:
    home = write_bank(tmp_path)
    (home / "fr.yml").write_text("title: x\n", encoding="utf-8")
    assert only_fault(tmp_path).mend == "rename it to fr.yaml"


# --- content of any shape ----------------------------------------------------------------------

names = st.sampled_from(
    ["schema", "language", "title", "questions", "id", "text", "options", "correct", "why", "tags"]
) | st.sampled_from(
    ["aliases", "guide", "image", "file", "a", "b", "ssh", "", "en", "quizbot/1", "../x", "\0"]
)
shapes = st.recursive(
    names | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=6),
    max_leaves=25,
)


@given(shapes, shapes)
def test_content_of_any_shape_is_checked_without_a_crash(bank: object, overlay: object) -> None:
    for problem in (
        *fit(BankFile, bank)[1],
        *fit(OverlayFile, overlay)[1],
        *check_bank(bank),
        *check_overlay(overlay, bank),
    ):
        assert problem.what.strip()
