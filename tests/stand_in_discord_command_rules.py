"""The rules of application commands, and of what autocomplete offers."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from stand_in_discord_errors import Problem

Path = tuple[str | int, ...]
Command = Mapping[str, Any]

LOCALES = frozenset(
    [
        "id",
        "da",
        "de",
        "en-GB",
        "en-US",
        "es-ES",
        "es-419",
        "fr",
        "hr",
        "it",
        "lt",
        "hu",
        "nl",
        "no",
        "pl",
        "pt-BR",
        "ro",
        "fi",
        "sv-SE",
        "vi",
        "tr",
        "cs",
        "el",
        "bg",
        "ru",
        "uk",
        "hi",
        "th",
        "zh-CN",
        "ja",
        "zh-TW",
        "ko",
    ]
)
TYPES_WITH_OPTIONS = (1, 2)


def check_commands(commands: Sequence[Command]) -> Iterator[Problem]:
    if sum(command.get("type", 1) == 1 for command in commands) > 100:
        message = "Maximum number of application commands reached (100)."
        yield Problem((), "APPLICATION_COMMANDS_TOO_MANY", message)
    names = Counter((command.get("type", 1), command["name"]) for command in commands)
    for number, command in enumerate(commands):
        path = (number,)
        if names[command.get("type", 1), command["name"]] > 1:
            message = "Application command names must be unique"
            yield Problem((*path, "name"), "APPLICATION_COMMANDS_DUPLICATE_NAME", message)
        yield from _check_named(path, command, menu=command.get("type", 1) != 1)
        yield from _check_options(path, command.get("options") or ())
        if _size(command) > 8000:
            message = "Command exceeds maximum size (8000)"
            yield Problem(path, "APPLICATION_COMMAND_TOO_LARGE", message)


def check_choices(choices: Sequence[Mapping[str, Any]], path: Path) -> Iterator[Problem]:
    if len(choices) > 25:
        yield Problem(path, "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length.")
    for number, choice in enumerate(choices):
        place = (*path, number)
        yield from _check_length((*place, "name"), choice.get("name"), 100)
        for locale, text in (choice.get("name_localizations") or {}).items():
            yield from _check_locale((*place, "name_localizations"), locale)
            yield from _check_length((*place, "name_localizations", locale), text, 100)
        if isinstance(choice.get("value"), str):
            yield from _check_length((*place, "value"), choice["value"], 100)


def _check_options(path: Path, options: Sequence[Command]) -> Iterator[Problem]:
    if len(options) > 25:
        yield Problem((*path, "options"), "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length.")
    names = Counter(option["name"] for option in options)
    optional = False
    for number, option in enumerate(options):
        place = (*path, "options", number)
        if names[option["name"]] > 1:
            message = "Option names must be unique"
            yield Problem(
                (*place, "name"), "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS", message
            )
        if option["type"] not in TYPES_WITH_OPTIONS:
            if option.get("required") and optional:
                message = "Required options must be placed before non-required options"
                yield Problem(place, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", message)
            optional = optional or not option.get("required")
        if option.get("autocomplete") and option.get("choices"):
            message = "Choices and autocomplete exclude each other"
            yield Problem((*place, "autocomplete"), "BASE_TYPE_CHOICES", message)
        yield from _check_named(place, option)
        yield from check_choices(option.get("choices") or (), (*place, "choices"))
        yield from _check_options(place, option.get("options") or ())


def _check_named(path: Path, named: Command, *, menu: bool = False) -> Iterator[Problem]:
    """Entries of a menu, unlike what is typed, may have any name and have no description."""
    for locale, name in _each(named, "name"):
        yield from _check_locale((*path, "name_localizations"), locale)
        place = (*path, "name") if locale is None else (*path, "name_localizations", locale)
        yield from _check_length(place, name, 32)
        if not menu and not _is_name(name):
            message = "Command name is invalid"
            yield Problem(place, "APPLICATION_COMMAND_INVALID_NAME", message)
    if menu:
        return
    for locale, text in _each(named, "description"):
        yield from _check_locale((*path, "description_localizations"), locale)
        place = (*path, "description")
        place = place if locale is None else (*path, "description_localizations", locale)
        yield from _check_length(place, text, 100)


def _each(named: Command, key: str) -> Iterator[tuple[str | None, Any]]:
    yield None, named.get(key)
    yield from (named.get(f"{key}_localizations") or {}).items()


def _is_name(name: object) -> bool:
    return (
        isinstance(name, str)
        and name == name.lower()
        and all(sign in "-_'" or unicodedata.category(sign)[0] in "LNM" for sign in name)
    )


def _check_locale(path: Path, locale: str | None) -> Iterator[Problem]:
    if locale is not None and locale not in LOCALES:
        yield Problem((*path, locale), "BASE_TYPE_CHOICES", "Not a locale of Discord.")


def _check_length(path: Path, text: object, most: int) -> Iterator[Problem]:
    if not isinstance(text, str) or not 1 <= len(text) <= most:
        message = f"Must be between 1 and {most} in length."
        yield Problem(path, "BASE_TYPE_BAD_LENGTH", message)


def _size(command: Command) -> int:
    """What counts for the 8000: of each text the longest of its languages, and the values."""
    size = sum(
        max(len(text or "") for _, text in _each(command, key)) for key in ("name", "description")
    )
    for choice in command.get("choices") or ():
        size += max(len(text) for _, text in _each(choice, "name")) + len(str(choice["value"]))
    return size + sum(_size(option) for option in command.get("options") or ())
