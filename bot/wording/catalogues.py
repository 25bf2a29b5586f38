"""The sentences of the interface in every language: gettext catalogues, read from their sources.

`python -m bot.wording.catalogues update` collects the sentences from the code into the
catalogues; `check` says what is missing or does not fit, and fails.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path

from babel.messages import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from bot.commands import COMMANDS

SOURCE = "en"
"""The language in which the sentences stand in the code."""

_PACKAGE = Path(__file__).resolve().parents[1]
_FOLDER = _PACKAGE / "locale"
_PLACEHOLDER = re.compile(r"\{(\w+)[^}]*\}")
# Folders that speak to nobody in their own language: SQL, and the command line's own words.
_SILENT = ("store", "banks", "commands", "static")

_SINGULAR = {name: None for name in ("say", "phrase", "N_", "gettext")}
_PLURAL = {name: (1, 2) for name in ("many", "many_phrase", "ngettext")}
_KEYWORDS = {**_SINGULAR, **_PLURAL}

COMMAND_NAME, OPTION_NAME = "command name", "option name"
"""The contexts of names, which are words to be typed and no sentences."""

# A name is at most 32 signs, and up to half of a command's may be the prefix before it.
_LONGEST = {COMMAND_NAME: 16, OPTION_NAME: 32}
_HINT = "A word to be typed: at most {longest} small letters, digits, - and _, without a space."


@cache
def translator(language: str) -> NullTranslations:
    """The sentences in the nearest language that there is a catalogue of; else in English."""
    path = _path(interface_language(language))
    if not path.exists():
        return NullTranslations()
    compiled = BytesIO()
    write_mo(compiled, _read(path))
    compiled.seek(0)
    return GNUTranslations(compiled)


@cache
def interface_language(language: str) -> str:
    """The language that `translator` really speaks when it is asked for this one."""
    have = languages()
    parts = language.replace("_", "-").casefold().split("-")
    candidates = ("-".join(parts[:length]) for length in range(len(parts), 0, -1))
    return next((tag for tag in candidates if tag in have), SOURCE)


@cache
def languages() -> tuple[str, ...]:
    """The languages of the interface, the source first."""
    return (SOURCE, *sorted(path.parents[1].name for path in _FOLDER.glob("*/LC_MESSAGES/*.po")))


def faults() -> list[str]:
    """What is wrong with the catalogues, a sentence each; empty if they are whole."""
    wanted = extract()
    return [
        f"{language}: {fault}"
        for language in languages()[1:]
        for have in (_read(_path(language)),)
        for fault in (*compare(wanted, have), *name_faults(have))
    ]


def update() -> None:
    """Bring every catalogue in line with the code, keeping what is translated."""
    wanted = extract()
    for language in languages()[1:]:
        catalogue = _read(_path(language))
        catalogue.update(wanted, no_fuzzy_matching=True)
        catalogue.obsolete.clear()
        with _path(language).open("wb") as file:
            write_po(
                file, catalogue, omit_header=False, width=100, sort_output=True, no_location=True
            )


def extract() -> Catalog:
    """Every sentence that the code says, and the names of commands and their options."""
    catalogue = Catalog(project="quizbot", charset="utf-8", fuzzy=False)
    sources = [_PACKAGE, _PACKAGE.parent / "adapters"]
    for folder in sources:
        found = extract_from_dir(
            folder,
            [("**.py", "python")],
            keywords=_KEYWORDS,
            comment_tags=("Translators:",),
            directory_filter=lambda path: Path(path).name not in _SILENT,
        )
        for _, _, sentence, comments, context in found:
            catalogue.add(sentence, auto_comments=comments, context=context)
    for context, names in _namings():
        hint = _HINT.format(longest=_LONGEST[context])
        for name in names:
            catalogue.add(name, context=context, auto_comments=[hint])
    return catalogue


def compare(wanted: Catalog, have: Catalog) -> Iterator[str]:
    """What one catalogue lacks of the sentences that are wanted, and has too much."""
    for message in _sentences(wanted):
        first = message.id if isinstance(message.id, str) else message.id[0]
        translated = have.get(first, message.context)
        forms = _forms(translated) if translated is not None else ()
        if not forms or not all(forms):
            yield f"not translated: {_told(message)}"
        elif translated is not None and translated.fuzzy:
            yield f"still marked fuzzy: {_told(message)}"
        else:
            yield from _placeholder_faults(message, forms)
    known = {(message.id, message.context) for message in _sentences(wanted)}
    for message in _sentences(have):
        if (message.id, message.context) not in known:
            yield f"in no code any more: {_told(message)}"


def name_faults(have: Catalog) -> Iterator[str]:
    """Names that no platform takes, and such as stand twice where each must be its own."""
    # An option of several commands has one name in all of them.
    yield from dict.fromkeys(_name_faults(have))


def _name_faults(have: Catalog) -> Iterator[str]:
    for context, names in _namings():
        taken: dict[str, str] = {}
        for name in names:
            message = have.get(name, context)
            translated = "".join(_forms(message)) if message is not None else ""
            if not translated:
                continue
            if not _is_name(translated, _LONGEST[context]):
                yield f"no {context}: {translated!r} for {name!r}"
            elif twin := taken.get(translated):
                yield f"the same {context} as {twin!r} has: {translated!r} for {name!r}"
            taken[translated] = name


def main(arguments: list[str]) -> int:
    if arguments == ["update"]:
        update()
    elif arguments != ["check"]:
        sys.stderr.write("usage: python -m bot.wording.catalogues check | update\n")
        return 2
    found = faults()
    sys.stdout.writelines(f"{fault}\n" for fault in found)
    return 1 if found else 0


def _path(language: str) -> Path:
    return _FOLDER / language / "LC_MESSAGES" / "quizbot.po"


def _read(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=path.parents[1].name)


def _placeholder_faults(message: Message, forms: Iterable[str]) -> Iterator[str]:
    sources = (message.id,) if isinstance(message.id, str) else message.id
    expected = set(_PLACEHOLDER.findall(sources[-1]))
    for form in forms:
        found = set(_PLACEHOLDER.findall(form))
        # A singular may leave the number out ("one answer").
        if found != expected and not (len(sources) > 1 and found | {"n"} == expected | {"n"}):
            yield f"other placeholders than {sources[-1]!r}: {form!r}"


def _namings() -> Iterator[tuple[str, Sequence[str]]]:
    """The names that stand beside each other: all commands', and each command's options'."""
    yield COMMAND_NAME, [spec.name for spec in COMMANDS]
    for spec in COMMANDS:
        yield OPTION_NAME, [part.name for part in spec.parts]
        yield OPTION_NAME, [option.name for option in spec.options]
        for part in spec.parts:
            yield OPTION_NAME, [option.name for option in part.options]


def _is_name(text: str, longest: int) -> bool:
    return (
        len(text) <= longest
        and text == text.lower() == unicodedata.normalize("NFC", text)
        and all(sign in "-_" or unicodedata.category(sign)[0] in "LN" for sign in text)
    )


def _told(message: Message) -> str:
    first = message.id if isinstance(message.id, str) else message.id[0]
    return f"{first!r} ({message.context})" if message.context else repr(first)


def _sentences(catalogue: Catalog) -> Iterator[Message]:
    return (message for message in catalogue if message.id)


def _forms(message: Message) -> tuple[str, ...]:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
