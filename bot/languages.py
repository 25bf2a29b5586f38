"""Languages by what people call them."""

from __future__ import annotations

from collections.abc import Iterable

from bot.content import Language
from bot.library import Library
from bot.spelling import fold, nearest
from bot.wording.catalogues import languages as interface_languages
from bot.wording.voice import is_language, name_in, own_name


def known(library: Library) -> tuple[Language, ...]:
    """Every language that something can be read in: the interface's, then the banks'."""
    of_banks = sorted({tag for bank in library.banks for tag in bank.languages})
    return tuple(dict.fromkeys([*interface_languages(), *of_banks]))


def likeliest_first(
    languages: Iterable[Language], likely: Iterable[Language | None]
) -> tuple[Language, ...]:
    """The same languages; those that are likely (`pt-BR` is `pt` too) before all others."""
    rest = list(languages)
    first: list[Language] = []
    for wanted in filter(None, likely):
        near = [tag for tag in rest if _base(tag) == _base(wanted)]
        # The very same before another variant of it.
        near.sort(key=lambda tag: tag.casefold() != wanted.casefold())
        first += near
        rest = [tag for tag in rest if tag not in near]
    return (*first, *rest)


def meant(typed: str, library: Library) -> Language | None:
    """The tag that was meant: one of ours by tag or own name, else any that exists."""
    wanted = typed.strip().replace("_", "-").casefold()
    for tag in known(library):
        if wanted in (tag.casefold(), own_name(tag).casefold()):
            return tag
    return wanted if is_language(wanted) else None


def near(
    typed: str, languages: Iterable[Language], reader: Language, limit: int
) -> tuple[Language, ...]:
    """Those whose tag or name, own or in the reader's language, holds what was typed.

    If there is none, the one that was probably meant.
    """
    names = {tag: (tag, own_name(tag), name_in(tag, reader) or tag) for tag in languages}
    wanted = fold(typed)
    holding = [tag for tag, known in names.items() if any(wanted in fold(one) for one in known)]
    if holding:
        return tuple(holding[:limit])
    by_name = {name: tag for tag, known in names.items() for name in known[1:]}
    found = nearest(typed, by_name)
    return () if found is None else (by_name[found],)


def _base(tag: Language) -> str:
    return tag.replace("_", "-").split("-")[0].casefold()
