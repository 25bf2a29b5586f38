"""JSON Schemas of what authors write, so that editors complete and check while they type."""

from __future__ import annotations

from typing import Any

from bot.banks.models import BankFile, OverlayFile

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema() -> dict[str, dict[str, Any]]:
    """By file: `bank` for `bank.yaml`, `overlay` for `fr.yaml` and its like."""
    return {
        "bank": _published(BankFile, "A quizbot bank: structure and source language"),
        "overlay": _published(OverlayFile, "A quizbot bank's texts in another language"),
    }


def _published(model: type[BankFile] | type[OverlayFile], title: str) -> dict[str, Any]:
    return {"$schema": _DIALECT, **model.model_json_schema(by_alias=True), "title": title}
