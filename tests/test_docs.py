"""What the pages show is so: their banks load, their tables are whole."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pydantic import BaseModel

from adapters.settings import NAMES
from bot.banks import models
from bot.banks.report import as_text, check
from bot.commands import COMMANDS

ROOT = Path(__file__).parents[1]
README, BANKS = "README.md", "docs/banks.md"

_BANK = re.compile(r"^```yaml\n(# (\S+\.yaml)\n.*?)^```$", re.MULTILINE | re.DOTALL)


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def write_banks(page: str, folder: Path) -> int:
    """Every example that begins with the name of its file, and a picture where one is named."""
    examples = _BANK.findall(text_of(page))
    for text, name in examples:
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        for picture in re.findall(r"images/[\w.-]+", text):
            (file.parent / picture).parent.mkdir(exist_ok=True)
            (file.parent / picture).write_bytes(b"\x89PNG\r\n\x1a\n")
    return len(examples)


@pytest.mark.parametrize("page", [README, BANKS])
def test_the_banks_of_a_page_have_no_fault(page: str, tmp_path: Path) -> None:
    assert write_banks(page, tmp_path) >= 2
    report = check([tmp_path / "my-banks"], tmp_path)
    assert report.is_fine, as_text(report)


def test_faults_read_as_the_page_shows_them(tmp_path: Path) -> None:
    write_banks(BANKS, tmp_path)
    file = tmp_path / "my-banks/net-basics/bank.yaml"
    text = file.read_text(encoding="utf-8")
    text = text.replace("correct: b", "correct: 22").replace("explain: Port 22", "explian: Port 22")
    file.write_text(text, encoding="utf-8")
    told = as_text(check([tmp_path / "my-banks"], tmp_path))
    assert told.count("mend:") == 1
    assert f"$ quizbot banks check my-banks\n{told}\n```" in text_of(BANKS)


@pytest.mark.parametrize("part", [models.BankFile, models.QuestionPart, models.OverlayFile])
def test_every_field_of_a_bank_is_told(part: type[BaseModel]) -> None:
    names = [field.alias or name for name, field in part.model_fields.items()]
    assert [name for name in names if f"`{name}`" not in text_of(BANKS)] == []


def test_the_readme_names_every_setting() -> None:
    assert [name for name in NAMES if f"`{name}`" not in text_of(README)] == []


def test_the_readme_lists_every_command() -> None:
    listed = re.findall(r"^\| `/(\w+)", text_of(README), re.MULTILINE)
    assert sorted(listed) == sorted(spec.name for spec in COMMANDS)


def test_what_the_readme_has_one_type_is_where_make_put_it() -> None:
    blocks = re.findall(r"^```\n(.*?)^```$", text_of(README), re.MULTILINE | re.DOTALL)
    typed = [line for block in blocks for line in block.splitlines() if "quizbot " in line]
    assert len(typed) >= 4
    assert [line for line in typed if ".venv/bin/quizbot " not in line] == []
    assert re.findall(r"(?<!\.venv/bin/)pip install", text_of(README)) == []


@pytest.mark.parametrize("page", [README, "CONTRIBUTING.md", BANKS])
def test_the_files_that_a_page_links_to_are_there(page: str) -> None:
    links = re.findall(r"\]\(([^):#]+)\)", text_of(page))
    assert [link for link in links if not (ROOT / page).parent.joinpath(link).exists()] == []
