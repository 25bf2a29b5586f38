"""The quizzes that come with quizbot have no fault, and no translation of them is behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.banks import load, shipped_folder
from bot.banks.report import as_text, check
from bot.banks.translation import Progress, folders, status
from bot.library import Found, Library
from bot.reading import read_bank, read_question

FOLDERS = folders([shipped_folder()])


def test_they_have_no_fault() -> None:
    report = check([shipped_folder()])
    assert report.is_fine, as_text(report)
    assert report.banks >= 2


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_language_is_whole_and_recorded(folder: Path) -> None:
    languages = status(folder)
    assert isinstance(languages, tuple)
    assert {language.language for language in languages} >= {"fr", "sn"}
    for language in languages:
        assert language == Progress(
            language.language, language.items, language.items, 0, 0, language.by_status
        )
        assert sum(language.by_status.values()) == language.items


@pytest.mark.parametrize("language", ["en", "fr", "sn"])
def test_a_reader_sees_nothing_in_another_language(language: str) -> None:
    for bank in load([shipped_folder()]).banks:
        shown_bank = read_bank(bank, language)
        assert shown_bank.title.language == language
        for question in bank.questions:
            shown = read_question(question, language)
            assert shown.ask.language == language
            assert not shown.ask.outdated
            assert shown.explain is not None
            assert shown.explain.language == language
            assert {words.language for words in shown.why.values()} <= {language}


@pytest.mark.parametrize("topic", ["pipeline", "pipeline-parallelism", "tensor-parallelism"])
def test_the_quizzes_are_found_by_what_people_type(topic: str) -> None:
    found = Library(load([shipped_folder()]).banks).find(topic)
    assert isinstance(found, Found)
    assert len(found.questions) >= 8
