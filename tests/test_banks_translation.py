"""What a source's change does to its translations, and how they are accepted again."""

from __future__ import annotations

import hashlib
import unicodedata
from pathlib import Path

import pytest
from bank_files import BANK, FRENCH, faults_of, only_bank, write_bank
from hypothesis import given
from hypothesis import strategies as st

from bot.banks import load
from bot.banks.fingerprints import fingerprint
from bot.banks.translation import (
    Accepted,
    Item,
    Located,
    Progress,
    Refused,
    accept,
    diff,
    folders,
    locate,
    status,
    todo,
)
from bot.content import BankText, QuestionText
from bot.reading import read_question

SSH_TEXT = "Which TCP port does an SSH server listen on by default?"


def translated(folder: Path, bank: str = BANK, french: str = FRENCH) -> Path:
    """A bank whose French was accepted, and then the source became what `bank` says."""
    home = write_bank(folder, fr=french)
    assert isinstance(accept(home, "fr", None), Accepted)
    (home / "bank.yaml").write_text(bank, encoding="utf-8")
    return home


def french_of(folder: Path, question: int = 0) -> QuestionText:
    return only_bank(folder).questions[question].texts["fr"]


def item_of(home: Path, id_: str) -> Item:
    found = diff(home, "fr", id_)
    assert isinstance(found, Item)
    return found


# --- fingerprints ------------------------------------------------------------------------------


def test_a_fingerprint_is_of_compact_sorted_json() -> None:
    compact = '{"options":{"a":"é","b":"2"},"text":"What is x?"}'
    given: dict[str, object] = {"text": " What\n is  x? ", "options": {"b": "2", "a": "e\u0301"}}
    assert fingerprint(given) == hashlib.sha256(compact.encode()).hexdigest()[:10]


@given(st.text(min_size=1), st.sampled_from([" ", "\n", "\t", "  "]))
def test_white_space_and_composition_keep_a_fingerprint(text: str, space: str) -> None:
    before = fingerprint({"text": text})
    assert fingerprint({"text": unicodedata.normalize("NFD", text) + space}) == before
    assert fingerprint({"text": space + text.replace(" ", space + " ")}) == before


def test_a_changed_word_changes_a_fingerprint() -> None:
    assert fingerprint({"text": "one word"}) != fingerprint({"text": "one words"})


# --- what readers see --------------------------------------------------------------------------


def test_what_was_accepted_is_current(tmp_path: Path) -> None:
    translated(tmp_path)
    assert french_of(tmp_path).outdated == frozenset()
    assert french_of(tmp_path).text == "Sur quel port TCP écoute SSH ?"


def test_without_a_record_a_translation_is_shown_as_it_is(tmp_path: Path) -> None:
    write_bank(tmp_path, fr=FRENCH)
    assert french_of(tmp_path).outdated == frozenset()


def test_a_trailing_space_makes_nothing_outdated(tmp_path: Path) -> None:
    translated(tmp_path, BANK.replace(SSH_TEXT, f'"{SSH_TEXT}  "'))
    assert french_of(tmp_path).outdated == frozenset()


@pytest.mark.parametrize(
    ("old", "new", "outdated"),
    [
        ("Which TCP port", "What TCP port", {"ask"}),
        ("a: 21", "a: 20", {"ask"}),
        ("22 is the registered port.", "22 is the port.", {"explain"}),
        ("Often chosen", "Sometimes chosen", {"explain"}),
        ("below 25", "below 24", {"hint"}),
    ],
)
def test_another_wording_is_shown_with_a_note(
    tmp_path: Path, old: str, new: str, outdated: set[str]
) -> None:
    assert old in BANK
    translated(tmp_path, BANK.replace(old, new))
    french = french_of(tmp_path)
    assert french.text == "Sur quel port TCP écoute SSH ?"
    assert french.explain == "Le port 22 est réservé. 21 sert à FTP."
    assert set(french.outdated) == outdated
    assert french_of(tmp_path, 1).outdated == frozenset()


def test_other_option_keys_let_stem_and_options_fall_back(tmp_path: Path) -> None:
    translated(tmp_path, BANK.replace("      c: MX", "      c: MX\n      d: TXT"))
    french = french_of(tmp_path, 1)
    assert (french.text, french.options) == (None, {})
    assert french.explain == "Quatre fois plus long, quatre lettres."
    shown = read_question(only_bank(tmp_path).questions[1], "fr")
    assert (shown.ask.language, shown.ask.text) == ("en", "Which record holds an IPv6 address?")
    assert shown.explain is not None
    assert shown.explain.language == "fr"


def test_other_option_keys_are_no_fault_of_the_translation(tmp_path: Path) -> None:
    translated(tmp_path, BANK.replace("      c: MX", "      d: TXT"))
    assert faults_of(tmp_path) == []


def test_another_key_lets_explanation_and_why_fall_back(tmp_path: Path) -> None:
    moved = BANK.replace("correct: b\n    explain: 22", "correct: a\n    explain: 22")
    translated(tmp_path, moved)
    french = french_of(tmp_path)
    assert french.text == "Sur quel port TCP écoute SSH ?"
    assert french.hint == "Il est inférieur à 25."
    assert (french.explain, french.why) == (None, {})
    assert french.outdated == frozenset()


def test_another_wording_of_the_bank_is_noted(tmp_path: Path) -> None:
    translated(tmp_path, BANK.replace("Ports and names.", "Ports, names, routes."))
    assert only_bank(tmp_path).texts["fr"] == BankText(
        "Bases des réseaux", "Ports et noms.", "Des noms aux adresses", outdated=True
    )


# --- state.yaml --------------------------------------------------------------------------------


def test_the_state_is_written_in_a_stable_order(tmp_path: Path) -> None:
    home = write_bank(tmp_path, fr=FRENCH, de="title: Netze\n", no="title: Nett\n")
    for language in ("no", "fr", "de"):
        accept(home, language, None, "machine")
    written = (home / "state.yaml").read_text(encoding="utf-8")
    head, *lines = written.splitlines()
    assert head.startswith("# ")
    assert [line.split(":")[0] for line in lines] == [
        *("de", "  bank", "fr", "  bank", "  ssh-port", "  dns-record", "no", "  bank")
    ]
    assert lines[4].startswith("  ssh-port: {status: machine, of: {ask: ")
    for language in ("de", "fr", "no"):
        accept(home, language, None, "machine")
    assert (home / "state.yaml").read_text(encoding="utf-8") == written
    assert sorted(path.name for path in home.iterdir()) == [
        *("bank.yaml", "de.yaml", "fr.yaml", "no.yaml", "state.yaml")
    ]
    assert faults_of(tmp_path) == []


def test_accepting_one_question_leaves_the_others_as_they_were(tmp_path: Path) -> None:
    home = translated(tmp_path, BANK.replace("Which", "What"))
    assert accept(home, "fr", "ssh-port", "human") == Accepted(("ssh-port",))
    assert french_of(tmp_path).outdated == frozenset()
    assert french_of(tmp_path, 1).outdated == {"ask"}
    assert item_of(home, "ssh-port").status == "human"
    assert item_of(home, "dns-record").status == "reviewed"


def test_what_is_gone_from_the_bank_leaves_the_state(tmp_path: Path) -> None:
    home = translated(tmp_path, BANK.replace("dns-record", "dns"))
    (home / "fr.yaml").write_text(FRENCH.replace("dns-record", "dns"), encoding="utf-8")
    accept(home, "fr", None)
    assert "dns-record" not in (home / "state.yaml").read_text(encoding="utf-8")


def test_the_state_of_an_overlay_that_is_broken_just_now_is_kept(tmp_path: Path) -> None:
    home = translated(tmp_path)
    (home / "fr.yaml").write_text("a: [", encoding="utf-8")
    (home / "de.yaml").write_text("title: Netze\n", encoding="utf-8")
    accept(home, "de", None)
    assert "fr:\n  bank:" in (home / "state.yaml").read_text(encoding="utf-8")


# --- status, todo, diff ------------------------------------------------------------------------


def test_the_status_counts_what_is_done_missing_and_outdated(tmp_path: Path) -> None:
    home = translated(tmp_path, BANK.replace("below 25", "below 24"))
    (home / "de.yaml").write_text("title: Netze\n", encoding="utf-8")
    assert status(home) == (
        Progress("de", items=3, done=0, missing=3, outdated=0, by_status={}),
        Progress("fr", items=3, done=2, missing=0, outdated=1, by_status={"reviewed": 3}),
    )


def test_todo_lists_what_is_missing_and_what_is_of_an_older_wording(tmp_path: Path) -> None:
    changed = BANK.replace("below 25", "below 24").replace("Often", "Sometimes")
    home = translated(tmp_path, changed, FRENCH.replace("    explain: Quatre", "    # "))
    items = todo(home, "fr")
    assert isinstance(items, tuple)
    assert [(item.id, item.missing, item.outdated) for item in items] == [
        ("ssh-port", (), ("explain", "why c", "hint")),
        ("dns-record", ("explain",), ()),
    ]


def test_a_new_language_has_everything_to_do_but_what_has_no_letters(tmp_path: Path) -> None:
    items = todo(write_bank(tmp_path), "sn")
    assert isinstance(items, tuple)
    assert [(item.id, item.missing) for item in items] == [
        ("bank", ("title", "description", "guide")),
        ("ssh-port", ("text", "explain", "why c", "hint")),
        ("dns-record", ("text", "options a", "options b", "options c", "explain")),
    ]


def test_another_key_is_something_to_do(tmp_path: Path) -> None:
    home = translated(
        tmp_path, BANK.replace("correct: b\n    explain: 22", "correct: a\n    explain: 22")
    )
    items = todo(home, "fr")
    assert isinstance(items, tuple)
    assert [(item.id, item.key_changed) for item in items] == [("ssh-port", True)]


def test_a_diff_shows_source_and_translation_side_by_side(tmp_path: Path) -> None:
    item = item_of(translated(tmp_path, BANK.replace("below 25", "below 24")), "ssh-port")
    assert [(field.name, field.source, field.outdated) for field in item.fields] == [
        ("text", SSH_TEXT, False),
        ("explain", "22 is the registered port. 21 is FTP.", False),
        ("why c", "Often chosen by hand.", False),
        ("hint", "It is below 24.", True),
    ]
    assert item.fields[3].translation == "Il est inférieur à 25."


@pytest.mark.parametrize(
    ("language", "id_", "what", "mend"),
    [
        ("fr", "ssh-prt", 'unknown question "ssh-prt"', "did you mean ssh-port?"),
        ("french", "ssh-port", '"french" is no language tag', "write fr"),
        ("en", "ssh-port", "en is the language that net is written in", ""),
        ("de", "bank", "de has no translation of bank to accept", "write it in de.yaml first"),
    ],
)
def test_what_cannot_be_accepted_is_refused(
    tmp_path: Path, language: str, id_: str, what: str, mend: str
) -> None:
    assert accept(write_bank(tmp_path, fr=FRENCH), language, id_) == Refused(what, mend)
    assert not (tmp_path / "net" / "state.yaml").exists()


def test_records_that_cannot_be_read_are_never_written_over(tmp_path: Path) -> None:
    home = write_bank(tmp_path, fr=FRENCH)
    accept(home, "fr", None)
    state = home / "state.yaml"
    conflicted = "<<<<<<< ours\n" + state.read_text(encoding="utf-8")
    state.write_text(conflicted, encoding="utf-8")
    refused = accept(home, "fr", "ssh-port")
    assert isinstance(refused, Refused)
    assert "state.yaml" in refused.what
    assert refused.mend == "mend it first"
    assert state.read_text(encoding="utf-8") == conflicted


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("options: {a: 21, b: 22, c: 2222}", "options: {a: 21, b: 22}"),
        ("correct: b\n    explain: 22", "correct: c\n    explain: 22"),
    ],
)
def test_an_author_who_changes_options_or_key_leaves_translators_whys_in_peace(
    tmp_path: Path, old: str, new: str
) -> None:
    accept(write_bank(tmp_path, fr=FRENCH), "fr", None)
    changed = BANK.replace(old, new).replace("    why: {c: Often chosen by hand.}\n", "")
    write_bank(tmp_path, changed, fr=FRENCH)
    assert load([tmp_path]).faults == ()


def test_a_bank_that_cannot_be_translated_says_why(tmp_path: Path) -> None:
    (tmp_path / "one.yaml").write_text(BANK, encoding="utf-8")
    home = write_bank(tmp_path, BANK.replace("correct: b", "correct: e"))
    assert todo(tmp_path / "one.yaml", "fr") == Refused(
        "one.yaml is a bank in one file, in one language",
        "make a folder one/ and move it there as bank.yaml",
    )
    assert status(home) == Refused("net has faults in bank.yaml", "see quizbot banks check")
    assert status(tmp_path / "none") == Refused("none is not there", "check the name")


def test_names_on_the_command_line_lead_to_banks_and_questions(tmp_path: Path) -> None:
    one = write_bank(tmp_path, name="one")
    other = BANK.replace("dns-record", "dns").replace("[net, networks]", "[other]")
    two = write_bank(tmp_path, other, name="two")
    assert folders([tmp_path]) == (one, two)
    assert locate([tmp_path], "one") == Located(one, "one", None)
    assert locate([tmp_path], "two/ssh-port") == Located(two, "two", "ssh-port")
    assert locate([tmp_path], "two/bank") == Located(two, "two", "bank")
    assert locate([tmp_path], "dns") == Located(two, "two", "dns")
    assert locate([tmp_path], "ssh-port") == Refused(
        "2 banks have a question ssh-port", "write one/ssh-port or two/ssh-port"
    )
    assert locate([tmp_path], "ssh-prot") == Refused(
        'unknown question "ssh-prot"', "did you mean ssh-port?"
    )
