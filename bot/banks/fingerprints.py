"""Fingerprints of a source's texts, by which a translation is known to be of an older wording."""

from __future__ import annotations

import hashlib
import json
import unicodedata

from bot.banks.models import BankFile, QuestionPart

Prints = dict[str, str]
"""By part: `ask`, `explain`, `key` and, if there is one, `hint`; of a bank only `ask`."""


def question_prints(question: QuestionPart) -> Prints:
    """Of the question's texts as they are now."""
    parts: dict[str, dict[str, object]] = {
        "ask": {"text": question.text, "options": question.options},
        "explain": {
            "explain": question.explain,
            "why": question.why,
            "alt": question.image.alt if question.image else None,
        },
        "key": {"correct": sorted(question.correct or [])},
    }
    if question.hint:
        parts["hint"] = {"hint": question.hint}
    return {part: fingerprint(content) for part, content in parts.items()}


def bank_prints(bank: BankFile) -> Prints:
    """Of the bank's own texts as they are now."""
    guide = bank.guide.title if bank.guide else None
    return {
        "ask": fingerprint({"title": bank.title, "description": bank.description, "guide": guide})
    }


def fingerprint(content: dict[str, object]) -> str:
    """The first 10 hex digits of SHA-256 over compact JSON: UTF-8, NFC, sorted keys.

    Runs of white space count as one space, and what is absent or empty is left out, so that
    neither a reflowed text nor a new optional field makes translations look old.
    """
    kept = {name: _collapsed(value) for name, value in content.items() if value}
    compact = json.dumps(kept, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(compact.encode()).hexdigest()[:10]


def _collapsed(value: object) -> object:
    if isinstance(value, str):
        return " ".join(unicodedata.normalize("NFC", value).split())
    if isinstance(value, dict):
        return {key: _collapsed(item) for key, item in value.items()}
    return [_collapsed(item) for item in value] if isinstance(value, list) else value
