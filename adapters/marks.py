"""What an option was, in words: no colour and no sign says it alone."""

from __future__ import annotations

from bot.wording.catalogues import translator


def in_words(mark: str, language: str) -> str:
    t = translator(language)
    match mark:
        case "right":
            return t.gettext("Right answer")
        case "chosen-right":
            return t.gettext("Your answer, and right")
        case _:
            return t.gettext("Your answer")
