"""Languages by what people call them."""

from __future__ import annotations

from bot.content import Language
from bot.library import Library
from bot.wording.catalogues import languages as interface_languages
from bot.wording.voice import is_language, own_name


def known(library: Library) -> tuple[Language, ...]:
    """Every language that something can be read in: the interface's, then the banks'."""
    of_banks = sorted({tag for bank in library.banks for tag in bank.languages})
    return tuple(dict.fromkeys([*interface_languages(), *of_banks]))


def meant(typed: str, library: Library) -> Language | None:
    """The tag that was meant: one of ours by tag or own name, else any that exists."""
    wanted = typed.strip().replace("_", "-").casefold()
    for tag in known(library):
        if wanted in (tag.casefold(), own_name(tag).casefold()):
            return tag
    return wanted if is_language(wanted) else None
