"""What is wrong with a form of the settings, and the form once more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot import tokens
from bot.content import Language
from bot.messages import Form, SearchField
from bot.wording import countries
from bot.wording.settings import Part
from bot.wording.voice import Voice, own_name, quoted
from bot.zones import near_zones

_MOST_MEANT = 3


def with_typed(form: Form, part: Part, typed: str, error: str) -> Form:
    """The same form with what was typed, and what to mend beside it, if anything."""
    fields = tuple(
        replace(field, value=typed)
        if isinstance(field, SearchField) and field.name == part
        else field
        for field in form.fields
    )
    errors = ((part, error),) if error else ()
    return replace(form, fields=fields, errors=errors, again=tokens.write(_again(part, typed)))


def _again(part: Part, typed: str) -> tokens.SettingsAgain:
    """As much of what was typed as a button can carry: more than any name that there is."""
    typed = typed[: tokens.LONGEST]
    while not tokens.fits(tokens.SettingsAgain(part, typed)):
        typed = typed[:-1]
    return tokens.SettingsAgain(part, typed)


def unknown_zone(typed: str, voice: Voice) -> str:
    """What stands beside the field when a zone is not known; a country may be meant."""
    country = countries.named(typed, voice.language)
    zones = () if country is None else countries.zones_of(country)
    near = zones[:_MOST_MEANT] or near_zones(typed, _MOST_MEANT)
    if near:
        return voice.phrase(
            "I know no time zone “{zone}”. Did you mean {near}?",
            zone=quoted(typed),
            near=voice.one_of(near),
        )
    return voice.phrase(
        "I know no time zone “{zone}”. Take a name such as Africa/Harare or Europe/Paris.",
        zone=quoted(typed),
    )


def unknown_language(typed: str, near: Sequence[Language], voice: Voice) -> str:
    """What stands beside the field when a language is not known."""
    if near:
        return voice.phrase(
            "I know no language “{typed}”. Did you mean {near}?",
            typed=quoted(typed),
            near=voice.one_of(map(own_name, near)),
        )
    return voice.phrase(
        "I know no language “{typed}”. Take a name such as Français, or a code such as fr.",
        typed=quoted(typed),
    )
