"""What may be meant in a field of the daily quiz while it is being typed."""

from __future__ import annotations

from collections.abc import Iterable

from bot import languages
from bot.library import Library
from bot.messages import Choice
from bot.proposals import NONE
from bot.spelling import fold
from bot.wording import countries
from bot.wording.dates import suggested_days
from bot.wording.proposal_forms import ALL, opening_choices
from bot.wording.voice import Voice, own_name


def suggest(
    source: str, typed: str, library: Library, voice: Voice, limit: int
) -> tuple[Choice, ...]:
    """By what the table of commands and the forms call the source; nothing for another one."""
    match source:
        case "days":
            found: Iterable[Choice] = (Choice(days, days) for days in suggested_days(typed, voice))
        case "country":
            near = countries.near(typed, voice.language, limit)
            named = [Choice(code, countries.name_of(code, voice.language)) for code in near]
            found = [*_none(typed, voice), *named]
        case "topics":
            found = _topics(typed, library, voice, limit)
        case "post-languages":
            found = [*_none(typed, voice), *_languages(typed, library, voice, limit)]
        case "open":
            wanted = fold(typed)
            found = (one for one in opening_choices(None, voice) if wanted in fold(one.label))
        case _:
            found = ()
    return tuple(found)[:limit]


def _none(typed: str, voice: Voice) -> list[Choice]:
    none = voice.phrase("none")
    return [Choice(NONE, none)] if fold(typed) in fold(none) else []


def _topics(typed: str, library: Library, voice: Voice, limit: int) -> list[Choice]:
    """For the last of several, with those before it kept."""
    before, comma, last = typed.rpartition(",")
    kept = f"{before.strip()}, " if comma else ""
    every = voice.phrase("all")
    above = [Choice(ALL, every)] if not kept and fold(last) in fold(every) else []
    titles = library.suggest(last.strip(), voice.language, limit)
    return [*above, *(Choice(f"{kept}{one.id}", f"{kept}{one.title}") for one in titles)]


def _languages(typed: str, library: Library, voice: Voice, limit: int) -> list[Choice]:
    before, comma, last = typed.rpartition(",")
    kept = f"{before.strip()}, " if comma else ""
    near = languages.near(last.strip(), languages.known(library), voice.language, limit)
    return [Choice(f"{kept}{tag}", f"{kept}{own_name(tag)}") for tag in near]
