"""The interface in every language: whole, and in people's words."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from bot.wording import catalogues
from bot.wording.voice import Voice, own_name

CODE_WORDS = re.compile(r"\b(places?|occurrences?|steps?|attempts?|marks?|communit(y|ies))\b", re.I)


def test_every_sentence_is_in_every_language_with_its_placeholders() -> None:
    assert catalogues.faults() == []


def test_people_read_no_word_of_the_code() -> None:
    sentences = [
        sentence
        for message in catalogues.extract()
        for sentence in ([message.id] if isinstance(message.id, str) else message.id)
    ]
    assert len(sentences) > 200
    assert [one for one in sentences if CODE_WORDS.search(re.sub(r"\{\w+\}", "", one))] == []


def test_no_sentence_stands_where_it_is_not_collected() -> None:
    """Those inside of an f-string are not: they would stay English in every language."""
    root = Path(catalogues.__file__).parents[2]
    hidden = [
        f"{file}:{call.lineno}"
        for folder in ("adapters", "bot")
        for file in (root / folder).rglob("*.py")
        for written in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(written, ast.JoinedStr)
        for call in ast.walk(written)
        if isinstance(call, ast.Call) and _says_a_sentence(call)
    ]
    assert hidden == []


def _says_a_sentence(call: ast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    said = call.args[0] if call.args else None
    return name in catalogues._KEYWORDS and isinstance(said, ast.Constant)


def test_what_is_missing_changed_or_left_over_is_a_fault() -> None:
    wanted, have = catalogues.extract(), catalogues.extract()
    for message in have:
        message.string = message.id
    assert list(catalogues.compare(wanted, have)) == []
    have["{title} begins here."].string = "{titre} begins here."
    del have["Saved."]
    have.add("Never said.", "Never said.")
    assert {fault.split(":")[0] for fault in catalogues.compare(wanted, have)} == {
        "not translated",
        "other placeholders than '{title} begins here.'",
        "in no code any more",
    }


@pytest.mark.parametrize(
    ("name", "context", "translated", "fault"),
    [
        ("help", "command name", "Aide", "no command name: 'Aide' for 'help'"),
        ("help", "command name", "à l’aide", "no command name: 'à l’aide' for 'help'"),
        ("help", "command name", "a" * 17, f"no command name: {'a' * 17!r} for 'help'"),
        ("topic", "option name", "a" * 33, f"no option name: {'a' * 33!r} for 'topic'"),
        ("where", "option name", "ou\u0300", "no option name: 'où' for 'where'"),
        ("help", "command name", "stop", "the same command name as 'stop' has: 'stop' for 'help'"),
        (
            "count",
            "option name",
            "topic",
            "the same option name as 'topic' has: 'topic' for 'count'",
        ),
    ],
)
def test_a_name_that_cannot_be_typed_or_stands_twice_is_a_fault(
    name: str, context: str, translated: str, fault: str
) -> None:
    have = catalogues.extract()
    for message in have:
        message.string = message.id
    assert list(catalogues.name_faults(have)) == []
    named = have.get(name, context)
    assert named is not None
    named.string = translated
    assert list(catalogues.name_faults(have)) == [fault.replace("où", "ou\u0300")]


def test_a_sentence_of_the_same_words_is_no_translation_of_a_name() -> None:
    wanted, have = catalogues.extract(), catalogues.extract()
    for message in have:
        message.string = message.id
    assert have.get("stop") is not None
    have.delete("stop", "command name")
    have.add("language", "language", context="another")
    assert list(catalogues.compare(wanted, have)) == [
        "not translated: 'stop' (command name)",
        "in no code any more: 'language' (another)",
    ]


@pytest.mark.parametrize(
    ("asked", "spoken"),
    [("fr", "fr"), ("fr-CA", "fr"), ("sn_ZW", "sn"), ("en-GB", "en"), ("de", "en"), ("", "en")],
)
def test_a_reader_is_spoken_to_in_the_nearest_language(asked: str, spoken: str) -> None:
    assert Voice.of(asked).language == spoken


def test_languages_are_called_by_their_own_names() -> None:
    assert [own_name(tag) for tag in ("fr", "sn", "ar", "pt-BR", "xx")] == [
        "Français",
        "chiShona",
        "العربية",
        "Português (Brasil)",
        "xx",
    ]
