"""Translations of a bank: what is missing, what is of an older wording, and what was accepted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.banks import state as state_file
from bot.banks.assemble import changed_parts
from bot.banks.checks import BANK_ENTRY, has_letters
from bot.banks.examine import Examined, examine
from bot.banks.faults import Fault, listed
from bot.banks.files import Place, find
from bot.banks.fingerprints import bank_prints, question_prints
from bot.banks.languages import mend_tag
from bot.banks.load import survey
from bot.banks.models import (
    BankFile,
    Entry,
    OverlayFile,
    Prints,
    QuestionOverlay,
    QuestionPart,
    Status,
)
from bot.content import Language
from bot.spelling import nearest


@dataclass(frozen=True, slots=True)
class Field:
    """One text of the source beside its translation, which is None while it is missing."""

    name: str
    source: str
    translation: str | None
    outdated: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """A question, or under the id `bank` the bank's own texts, in one language.

    `status` is None where none was recorded. `key_changed`: another option is right now, so that
    explanation and why are not shown until they are accepted again.
    """

    id: str
    fields: tuple[Field, ...]
    status: Status | None
    key_changed: bool = False

    @property
    def missing(self) -> tuple[str, ...]:
        return tuple(field.name for field in self.fields if field.translation is None)

    @property
    def outdated(self) -> tuple[str, ...]:
        return tuple(field.name for field in self.fields if field.outdated)

    @property
    def is_begun(self) -> bool:
        return any(field.translation is not None for field in self.fields)

    @property
    def is_done(self) -> bool:
        return not self.missing and not self.outdated and not self.key_changed


@dataclass(frozen=True, slots=True)
class Progress:
    """One language of a bank. Of `items`, the bank's own texts are one."""

    language: Language
    items: int
    done: int
    missing: int
    outdated: int
    by_status: Mapping[Status, int]


@dataclass(frozen=True, slots=True)
class Accepted:
    """The ids whose translation is now recorded as that of the present wording."""

    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """It cannot be done, and why."""

    what: str
    mend: str = ""


@dataclass(frozen=True, slots=True)
class Located:
    """A bank's folder, and the question meant in it (`bank`: its own texts; None: all of it)."""

    folder: Path
    bank: str
    id: str | None


def status(folder: Path) -> tuple[Progress, ...] | Refused:
    """How far each language of a bank is, in the order of the tags."""
    bank = _opened(folder)
    if isinstance(bank, Refused):
        return bank
    return tuple(_progress(bank, language) for language in sorted(bank.overlays))


def todo(folder: Path, language: Language) -> tuple[Item, ...] | Refused:
    """What of a bank is not translated, or from an older wording; a new language has it all."""
    bank = _opened(folder, language)
    if isinstance(bank, Refused):
        return bank
    return tuple(item for item in _items(bank, language) if not item.is_done)


def diff(folder: Path, language: Language, id_: str) -> Item | Refused:
    """Every text of a question (or of the `bank`) beside its translation."""
    bank = _opened(folder, language)
    if isinstance(bank, Refused):
        return bank
    items = {item.id: item for item in _items(bank, language)}
    return items[id_] if id_ in items else _unknown(id_, items)


def accept(
    folder: Path, language: Language, id_: str | None, status: Status = "reviewed"
) -> Accepted | Refused:
    """Record a translation (all that there are, without an id) as that of the present wording."""
    bank = _opened(folder, language)
    if isinstance(bank, Refused):
        return bank
    for fault in bank.faults:
        # Written anew, the file would lose what could not be read of it.
        if Path(fault.file).name == state_file.NAME:
            return Refused(f"{fault.file}:{fault.line} {fault.what}", "mend it first")
    items = {item.id: item for item in _items(bank, language)}
    if id_ is not None and id_ not in items:
        return _unknown(id_, items)
    begun = [item.id for item in items.values() if item.is_begun and id_ in (None, item.id)]
    if not begun:
        what = f"{language} has no translation of {id_ or 'any question'} to accept"
        return Refused(what, f"write it in {language}.yaml first")
    _record(bank, language, begun, status)
    return Accepted(tuple(begun))


def locate(paths: Sequence[Path], name: str) -> Located | Refused:
    """What is meant on the command line by `BANK`, `BANK/QUESTION` or `QUESTION`."""
    banks = [bank for bank in survey(paths).banks if bank.file]
    bank_id, _, id_ = name.partition("/")
    for bank in banks:
        if bank.place.id == bank_id:
            return Located(bank.place.folder, bank_id, id_ or None)
    holders = [bank for bank in banks if not id_ and name in _ids(bank)]
    if len(holders) > 1:
        names = [f"{bank.place.id}/{name}" for bank in holders]
        return Refused(f"{len(holders)} banks have a question {name}", f"write {listed(names)}")
    if holders:
        return Located(holders[0].place.folder, holders[0].place.id, name)
    known = [bank.place.id for bank in banks] + [id_ for bank in banks for id_ in _ids(bank)]
    return _unknown(name, known)


def folders(paths: Sequence[Path]) -> tuple[Path, ...]:
    """The folders of the banks at these paths; a bank in one file has no translations."""
    return tuple(
        found.folder for found in find(paths) if isinstance(found, Place) and _has_folder(found)
    )


def _has_folder(place: Place) -> bool:
    return place.file.name == "bank.yaml"


def _opened(folder: Path, language: Language | None = None) -> Examined | Refused:
    found = next(find([folder]))
    if isinstance(found, Fault):
        return Refused(found.what, found.mend)
    if not _has_folder(found):
        mend = f"make a folder {found.id}/ and move it there as bank.yaml"
        return Refused(f"{found.file.name} is a bank in one file, in one language", mend)
    bank = examine(found)
    if bank.file is None:
        return Refused(f"{found.id} has faults in bank.yaml", "see quizbot banks check")
    if language is not None and (tag := mend_tag(language)) != language:
        return Refused(f'"{language}" is no language tag', f"write {tag or 'such as fr or pt-BR'}")
    if language == bank.file.language:
        return Refused(f"{language} is the language that {found.id} is written in")
    return bank


def _unknown(name: str, known: Iterable[str]) -> Refused:
    meant = nearest(name, known)
    return Refused(f'unknown question "{name}"', f"did you mean {meant}?" if meant else "")


def _ids(bank: Examined) -> list[str]:
    return [part.id for part in bank.file.questions] if bank.file else []


def _progress(bank: Examined, language: Language) -> Progress:
    items = list(_items(bank, language))
    return Progress(
        language=language,
        items=len(items),
        done=sum(item.is_done for item in items),
        missing=sum(bool(item.missing) for item in items),
        outdated=sum(bool(item.outdated) or item.key_changed for item in items),
        by_status=Counter(item.status for item in items if item.status and item.is_begun),
    )


def _items(bank: Examined, language: Language) -> Iterator[Item]:
    assert bank.file is not None
    overlay = bank.overlays.get(language, OverlayFile())
    entries = bank.state.get(language, {})
    entry = entries.get(BANK_ENTRY)
    changed = changed_parts(entry, bank_prints(bank.file))
    fields = tuple(_bank_fields(bank.file, overlay, outdated="ask" in changed))
    yield Item(BANK_ENTRY, fields, entry.status if entry else None)
    for part in bank.file.questions:
        entry = entries.get(part.id)
        changed = changed_parts(entry, question_prints(part))
        fields = tuple(_question_fields(part, overlay, changed))
        yield Item(part.id, fields, entry.status if entry else None, "key" in changed)


def _bank_fields(bank: BankFile, overlay: OverlayFile, *, outdated: bool) -> Iterator[Field]:
    guide = bank.guide.title if bank.guide else None
    translated = overlay.guide.title if overlay.guide else None
    yield from _field("title", bank.title, overlay.title, outdated)
    yield from _field("description", bank.description, overlay.description, outdated)
    yield from _field("guide", guide, translated, outdated)


def _question_fields(
    part: QuestionPart, overlay: OverlayFile, changed: frozenset[str]
) -> Iterator[Field]:
    given = overlay.questions.get(part.id, QuestionOverlay())
    ask, explain = "ask" in changed, "explain" in changed
    yield from _field("text", part.text, given.text, ask)
    for key, text in part.options.items():
        if has_letters(text) or key in given.options:
            yield from _field(f"options {key}", text, given.options.get(key), ask)
    yield from _field("explain", part.explain, given.explain, explain)
    for key, text in part.why.items():
        yield from _field(f"why {key}", text, given.why.get(key), explain)
    yield from _field("hint", part.hint, given.hint, "hint" in changed)
    if part.image:
        alt = given.image.alt if given.image else None
        yield from _field("image alt", part.image.alt, alt, explain)


def _field(
    name: str, source: str | None, translation: str | None, outdated: bool
) -> Iterator[Field]:
    if source:
        found = translation if translation and translation.strip() else None
        yield Field(name, source, found, outdated and found is not None)


def _record(bank: Examined, language: Language, ids: Iterable[str], status: Status) -> None:
    assert bank.file is not None
    order = _ids(bank)
    prints = {part.id: question_prints(part) for part in bank.file.questions}
    prints[BANK_ENTRY] = bank_prints(bank.file)
    entries = {id_: Entry(status=status, of=Prints(**prints[id_])) for id_ in ids}
    kept = {tag: bank.state[tag] for tag in bank.state if _is_translated(bank, tag)}
    kept[language] = {**kept.get(language, {}), **entries}
    state_file.write(bank.place.folder, state_file.text_of(kept, order))


def _is_translated(bank: Examined, language: Language) -> bool:
    """Also where the overlay cannot be read just now."""
    return any(path.stem == language for path in bank.place.overlays)
