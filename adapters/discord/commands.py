"""Discord's slash commands, made from the table of commands."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from gettext import NullTranslations
from typing import Any

import discord

from adapters.discord.controls import CHOICE, line
from bot.command_specs import N_, CommandSpec, OptionSpec
from bot.commands import COMMANDS
from bot.wording.catalogues import (
    COMMAND_NAME,
    OPTION_NAME,
    SOURCE,
    languages,
    translator,
)

Payload = dict[str, Any]

_COMMAND, _PART = 1, 1
_TYPES = {"text": 3, "whole": 4, "switch": 5, "place": 7, "group": 8}
# Where messages can stand, threads aside: text, voice, announcements, stage.
_CHANNELS = [0, 2, 5, 13]
_IN_SERVERS, _WITH_BOT, _ELSEWHERE = 0, 1, 2
_FOR_SERVERS, _FOR_PEOPLE = 0, 1
_MANAGE_SERVER = discord.Permissions(manage_guild=True).value
_NAME = 32

# How the values of some options read in a list.
_CHOICES = {
    "place": N_("This channel"),
    "community": N_("Everywhere"),
    "today": N_("Today"),
    "week": N_("This week"),
    "month": N_("This month"),
    "season": N_("This season"),
    "all": N_("Since the beginning"),
    "live": N_("Together"),
    "solo": N_("Only for you"),
    "shuffled": N_("Shuffled"),
    "in-order": N_("As they were written"),
}

# What Discord is told and what it tells again; the rest of what it tells is its own.
_KEPT = (
    "type",
    "name",
    "description",
    "description_localizations",
    "name_localizations",
    "default_member_permissions",
    "contexts",
    "integration_types",
    "options",
    "required",
    "autocomplete",
    "channel_types",
    "choices",
    "value",
    "min_value",
    "max_value",
)


def payloads(prefix: str = "", *, everywhere: bool = True) -> list[Payload]:
    """All commands; those of a single server (not `everywhere`) have no contexts of their own."""
    return [_command(spec, prefix, everywhere=everywhere) for spec in COMMANDS]


def fingerprint(commands: Iterable[Mapping[str, Any]]) -> str:
    """The same for the same commands, whoever tells them and in whatever order."""
    plain = sorted((_kept(command) for command in commands), key=lambda one: str(one["name"]))
    text = json.dumps(plain, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def suggests(command: str, option: str) -> str:
    """Where to look for what an option may be; empty where nothing is suggested."""
    for name, spec in _by_name():
        for each in spec.options:
            if (name, each.name) == (command, option):
                return each.suggests
    return ""


@cache
def locales_of(language: str) -> tuple[str, ...]:
    """Discord's locales that a language of the catalogues is read in; there is none for Shona."""
    base = language.split("-")[0].casefold()
    known = (one.value for one in discord.Locale)
    return tuple(locale for locale in known if locale.split("-")[0].casefold() == base)


def _by_name() -> Iterator[tuple[str, CommandSpec]]:
    """Every command as it is read: a part by the name of its command too."""
    for spec in COMMANDS:
        yield spec.name, spec
        for part in spec.parts:
            yield f"{spec.name} {part.name}", part


# --- the payload -----------------------------------------------------------------------------


def _command(spec: CommandSpec, prefix: str, *, everywhere: bool) -> Payload:
    drawn: Payload = {
        "type": _COMMAND,
        **_named(COMMAND_NAME, spec.name, prefix),
        **_described(spec.description),
        "options": [*map(_part, spec.parts), *map(_option, spec.options)],
        "default_member_permissions": _MANAGE_SERVER if spec.organiser else None,
    }
    if everywhere:
        # What organisers set is a server's, and there is none to set it for elsewhere.
        drawn["contexts"] = [_IN_SERVERS] if spec.organiser else [0, _WITH_BOT, _ELSEWHERE]
        drawn["integration_types"] = [0] if spec.organiser else [_FOR_SERVERS, _FOR_PEOPLE]
    return drawn


def _part(spec: CommandSpec) -> Payload:
    return {
        "type": _PART,
        **_named(OPTION_NAME, spec.name),
        **_described(spec.description),
        "options": [_option(option) for option in spec.options],
    }


def _option(spec: OptionSpec) -> Payload:
    drawn: Payload = {
        "type": _TYPES[spec.kind],
        **_named(OPTION_NAME, spec.name),
        **_described(spec.description),
        "required": spec.required,
    }
    if spec.choices:
        drawn["choices"] = [_choice(value) for value in spec.choices]
    elif spec.suggests:
        drawn["autocomplete"] = True
    if spec.kind == "place":
        drawn["channel_types"] = _CHANNELS
    if spec.least is not None:
        drawn["min_value"] = spec.least
    if spec.most is not None:
        drawn["max_value"] = spec.most
    return drawn


def _named(context: str, name: str, prefix: str = "") -> Payload:
    """What a reader types is in their language; what Discord tells us is always `name`."""
    words = _by_locale(lambda speaks: speaks.pgettext(context, name))
    return {
        "name": f"{prefix}{name}"[:_NAME],
        "name_localizations": {locale: f"{prefix}{word}"[:_NAME] for locale, word in words.items()},
    }


def _described(sentence: str) -> Payload:
    return {
        "description": line(sentence, CHOICE),
        "description_localizations": _localised(sentence),
    }


def _choice(value: str) -> Payload:
    words = _CHOICES[value]
    return {"name": words, "value": value, "name_localizations": _localised(words)}


def _localised(sentence: str) -> dict[str, str]:
    return _by_locale(lambda speaks: line(speaks.gettext(sentence), CHOICE))


def _by_locale(say: Callable[[NullTranslations], str]) -> dict[str, str]:
    """By locale; English too, which readers of other locales do not fall back to by themselves."""
    return {
        locale: say(translator(language))
        for language in (SOURCE, *languages()[1:])
        for locale in locales_of(language)
    }


# --- comparing -------------------------------------------------------------------------------


def _kept(told: Mapping[str, Any]) -> Payload:
    """A command as far as we say it; what is empty or the default is left out."""
    return {key: _plain(key, told[key]) for key in _KEPT if told.get(key)}


def _plain(key: str, value: Any) -> Any:
    if key in ("options", "choices"):
        return [_kept(each) for each in value]
    if key in ("contexts", "integration_types", "channel_types"):
        return sorted(value)
    # Permissions are told as a number, and told again as text.
    return str(value) if key == "default_member_permissions" else value
