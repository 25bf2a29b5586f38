"""People find a quiz by whatever they call it."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from costs import turns
from hypothesis import given
from hypothesis import strategies as st

from bot.content import Bank, BankText, Question, QuestionText
from bot.library import Found, Library, Title, Unknown
from bot.spelling import fold, nearest, slips_to


def question(id_: str = "q", *, tags: tuple[str, ...] = (), draft: bool = False) -> Question:
    text = QuestionText("?", {"a": "1", "b": "2"})
    return Question(
        id_, "en", ("a", "b"), frozenset() if draft else frozenset("a"), {"en": text}, tags=tags
    )


def bank(
    id_: str, title: str = "", *questions: Question, aliases: tuple[str, ...] = (), **titles: str
) -> Bank:
    texts = {"en": BankText(title or id_.title())}
    texts |= {tag: BankText(text) for tag, text in titles.items()}
    return Bank(id_, "en", texts, questions or (question(),), aliases=aliases)


NET = bank("net-basics", "Network basics", aliases=("net",), fr="Bases des réseaux")
PIPE = bank("pipeline-parallelism", sn="Kufanana kwepombi", zh="流水线并行", ar="التوازي الأنبوبي")
LIBRARY = Library([PIPE, NET])


def found_id(topic: str, library: Library = LIBRARY) -> str:
    found = library.find(topic)
    assert isinstance(found, Found)
    return found.id


def suggested(topic: str, library: Library = LIBRARY) -> list[str]:
    found = library.find(topic)
    assert isinstance(found, Unknown)
    return [topic.id for topic in found.suggestions]


@pytest.mark.parametrize(
    ("typed", "id_"),
    [
        ("net-basics", "net-basics"),
        ("NET_Basics ", "net-basics"),
        ("net basics", "net-basics"),
        ("net", "net-basics"),
        ("network  BASICS", "net-basics"),
        ("bases des reseaux", "net-basics"),
        ("Pipeline–Parallelism", "pipeline-parallelism"),
        ("kufanana kwepombi", "pipeline-parallelism"),
        ("流水线并行", "pipeline-parallelism"),
        ("التَّوازي الأنبوبي", "pipeline-parallelism"),
    ],
)
def test_a_bank_is_found_by_any_of_its_names(typed: str, id_: str) -> None:
    assert found_id(typed) == id_


def test_what_is_found_has_titles_and_the_questions_that_may_be_asked() -> None:
    library = Library([bank("net", "Net", question("one"), question("two", draft=True), fr="Rés")])
    found = library.find("net")
    assert isinstance(found, Found)
    assert (found.topic_kind, found.title) == ("bank", {"en": "Net", "fr": "Rés"})
    assert [(bank.id, question.id) for bank, question in found.questions] == [("net", "one")]


def test_a_bank_of_drafts_is_found_without_questions() -> None:
    found = Library([bank("net", "", question(draft=True))]).find("net")
    assert isinstance(found, Found)
    assert found.questions == ()


def test_ids_come_before_aliases_titles_and_tags() -> None:
    by_tag = bank("a", "", question(tags=("x",)))
    by_title, by_alias, by_id = bank("b", "X"), bank("c", aliases=("x",)), bank("x")
    assert found_id("X", Library([by_tag, by_title, by_alias, by_id])) == "x"
    assert found_id("X", Library([by_tag, by_title, by_alias])) == "c"
    assert found_id("X", Library([by_tag, by_title])) == "b"
    found = Library([by_tag]).find("X")
    assert isinstance(found, Found)
    assert (found.topic_kind, found.id) == ("tag", "x")


def test_a_tag_gathers_questions_of_several_banks_and_of_topics() -> None:
    one = bank("one", "", question("a", tags=("Ports", "ssh")), question("b"))
    two = replace(bank("two", "", question("c"), question("d", draft=True)), topics=("ports",))
    found = Library([two, one]).find("PORTS")
    assert isinstance(found, Found)
    assert (found.topic_kind, found.title) == ("tag", {"en": "Ports"})
    assert [question.id for _, question in found.questions] == ["a", "c"]


def test_of_two_banks_with_one_title_the_first_by_id_is_found() -> None:
    banks = [bank("b", "Same"), bank("a", "Same"), bank("c", "Same")]
    for order in (banks, banks[::-1]):
        assert found_id("same", Library(order)) == "a"


def test_a_communitys_own_bank_comes_before_a_shipped_one() -> None:
    own = replace(bank("net", "Ours", aliases=("x",)), owner="42")
    library = Library([bank("net", "Shipped"), bank("a", "A", aliases=("x",)), own])
    found = library.find("net")
    assert isinstance(found, Found)
    assert found.title == {"en": "Ours"}
    assert found_id("x", library) == "net"
    assert [bank.id for bank in library.banks] == ["net", "a"]


# --- near misses -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "ids"),
    [
        ("pipelin", ["pipeline-parallelism"]),
        ("pipleine", ["pipeline-parallelism"]),
        ("parallelism", ["pipeline-parallelism"]),
        ("paralelism", ["pipeline-parallelism"]),
        ("pipeline parallelsm", ["pipeline-parallelism"]),
        ("netwrk basics", ["net-basics"]),
        ("reseaus", ["net-basics"]),
        ("流水线", ["pipeline-parallelism"]),
        ("并行", ["pipeline-parallelism"]),
        ("流水錢并行", ["pipeline-parallelism"]),
        ("chemistry", []),
        ("xyz", []),
        ("", []),
        ("  ", []),
        ("n" * 10_000, []),
    ],
)
def test_an_unknown_topic_suggests_what_was_meant(typed: str, ids: list[str]) -> None:
    assert suggested(typed) == ids


def test_a_misspelling_is_suggested_only_if_nothing_is_closer() -> None:
    library = Library([bank("verbs"), bank("herbs"), bank("verb-forms")])
    assert suggested("vebrs", library) == ["verbs"]
    assert suggested("xerbs", library) == ["herbs", "verbs"]


def test_few_topics_are_suggested_and_always_the_same() -> None:
    banks = [bank(f"verbs-{number}") for number in range(40)]
    expected = [f"verbs-{number}" for number in (0, 1, 10, 11, 12)]
    assert suggested("verb", Library(banks)) == expected
    assert suggested("verb", Library(banks[::-1])) == expected


# --- lists -------------------------------------------------------------------------------------


def test_titles_are_in_the_readers_language_and_in_order() -> None:
    assert LIBRARY.titles("fr-CA") == (
        Title("bank", "net-basics", "Bases des réseaux", "fr"),
        Title("bank", "pipeline-parallelism", "Pipeline-Parallelism", "en"),
    )


def test_suggestions_begin_with_what_begins_so() -> None:
    library = Library([bank("a", "On nets"), bank("b", "Nets"), bank("c", "Planets"), NET])
    assert [title.id for title in library.suggest("net", "en")] == ["b", "net-basics", "a", "c"]
    assert [title.id for title in library.suggest("net", "en", limit=2)] == ["b", "net-basics"]
    assert library.suggest("", "fr", limit=1)[0].title == "Bases des réseaux"


def test_suggestions_forgive_slips_and_know_tags() -> None:
    library = Library([NET, bank("x", "", question(tags=("subnetting",)))])
    assert library.suggest("subnet", "sn") == (Title("tag", "subnetting", "subnetting", "en"),)
    assert [title.id for title in library.suggest("netwrok", "fr")] == ["net-basics"]
    assert [title.title for title in library.suggest("network", "fr")] == ["Bases des réseaux"]


@pytest.mark.parametrize("typed", ["net", "network basics", "netwrk basics"])
def test_a_tag_that_leads_to_a_bank_is_not_suggested_beside_it(typed: str) -> None:
    tagged = question(tags=("Network-Basics", "net", "networks of old"))
    library = Library([bank("net-basics", "Network basics", tagged, aliases=("net",))])
    kinds = [(title.topic_kind, title.id) for title in library.suggest(typed, "en")]
    assert kinds[0] == ("bank", "net-basics")
    assert ("tag", "Network-Basics") not in kinds
    assert ("tag", "net") not in kinds
    assert suggested("network basic", library) == ["net-basics"]


def test_a_thousand_banks_answer_while_one_types() -> None:
    draw = random.Random(7)
    words = ["grammar", "network", "parallel", "history", "biology", "algebra", "verbs", "cells"]
    names = [" ".join(draw.sample(words, 3)) + f" {number}" for number in range(1000)]
    library = Library(
        bank(fold(name).replace(" ", "-"), name.title(), fr=f"le {name}") for name in names
    )

    def type_them() -> None:
        for typed in ("gramar", "n", "netwrok histroy", "paralel verbs", "zzz", "algebra cells"):
            library.find(typed)
            library.suggest(typed, "fr")

    assert turns(type_them) < 150


# --- spelling ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Café", "cafe\u0301"),
        ("İstanbul", "istanbul"),
        ("STRASSE", "straße"),
        ("Ελλάδα", "ελλαδα"),
        ("ёлка", "елка"),
        ("a  b\tc", "A B C"),
        ("a_b", "a-b"),
        ("don’t", "don't"),
        ("שָׁלוֹם", "שלום"),
        ("ｱ", "ア"),
        ("한국", "한국"),
    ],
)
def test_spellings_of_the_same_words_fold_alike(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("かき", "がき"), ("कि", "कु"), ("กิน", "กัน"), ("C++", "C#"), ("C", "C++"), ("ab", "a b")],
)
def test_other_words_do_not_fold_alike(one: str, other: str) -> None:
    assert fold(one) != fold(other)


@given(st.text())
def test_folding_again_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize(
    ("typed", "name", "slips"),
    [
        ("abcd", "abcd", 0),
        ("abdc", "abcd", 1),
        ("abc", "abcd", 1),
        ("axcd", "abcd", 1),
        ("verb", "irregular verbs", 1),
        ("irreg", "irregular verbs", 0),
        ("zzzz", "abcd", 3),
    ],
)
def test_slips_are_counted(typed: str, name: str, slips: int) -> None:
    assert slips_to(typed, name, 2) == slips


def test_the_nearest_word_is_named_or_none() -> None:
    assert nearest("ssh-port", ["dns", "ssh-default-port"]) == "ssh-default-port"
    assert nearest("opt", ["options", "text"]) == "options"
    assert nearest("zzz", ["options", "text"]) is None
    assert nearest("x" * 10_000, ["x" * 10_000]) is None
