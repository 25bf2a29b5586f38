"""One bank's files read together: all of their faults, and what can be used all the same."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from bot.banks import files
from bot.banks.assemble import assemble, changed_parts
from bot.banks.checks import check_bank, check_overlay
from bot.banks.faults import TOP, Fault, Loc, Mark, Problem, printable
from bot.banks.files import Place
from bot.banks.fingerprints import question_prints
from bot.banks.languages import mend_tag
from bot.banks.models import SLUG, BankFile, OverlayFile, StateFile, slug_of
from bot.banks.pictures import check_pictures
from bot.banks.shape import fit
from bot.banks.state import State
from bot.banks.strict_yaml import Node, Plain, place, plain, read
from bot.content import Bank, Language


@dataclass(frozen=True, slots=True)
class Examined:
    """A bank's files. `file` and `bank` are None where `bank.yaml` has a fault.

    Of an overlay the faulty fields are left out, since the rest of it falls back field by field
    anyway: a slip in one question should not take a language from all the others.
    """

    place: Place
    faults: tuple[Fault, ...]
    file: BankFile | None
    overlays: Mapping[Language, OverlayFile]
    state: State
    bank: Bank | None
    alias_marks: tuple[Mark, ...] = ()


def examine(where: Place) -> Examined:
    """Read and check everything of one bank."""
    faults: list[Fault] = []
    source = _opened(where.file)
    file, problems = _bank_file(where, source)
    faults += _placed(where.file, source, problems)
    state, found = _state(where)
    faults += found
    overlays: dict[Language, OverlayFile] = {}
    outdated, rekeyed = _changed(file, state, "ask"), _changed(file, state, "key")
    for path in where.overlays:
        overlay, found = _overlay(path, source.data, outdated, rekeyed)
        faults += found
        if overlay:
            overlays[path.stem] = overlay
    bank = assemble(where.id, file, overlays, state, where.folder) if file else None
    marks = tuple(source.mark(("aliases", at)) for at in range(len(bank.aliases) if bank else 0))
    return Examined(where, tuple(faults), file, overlays, state, bank, marks)


@dataclass(frozen=True, slots=True)
class _Opened:
    """A file's content, or None with the problems that kept it from being read."""

    root: Node | None
    data: Plain | None
    problems: tuple[Problem, ...]

    def mark(self, loc: Loc) -> Mark:
        return place(self.root, loc) if self.root else TOP


def _opened(path: Path) -> _Opened:
    if path.suffix == ".yml":
        what = "banks are read from files that end in .yaml"
        return _Opened(None, None, (Problem((), what, f"rename it to {path.stem}.yaml", TOP),))
    data = files.contents(path)
    if isinstance(data, Problem):
        return _Opened(None, None, (data,))
    found = read(data)
    return _Opened(found.root, plain(found.root) if found.root else None, found.problems)


def _bank_file(where: Place, source: _Opened) -> tuple[BankFile | None, list[Problem]]:
    problems = [*_id(where.id), *source.problems]
    if source.data is None:
        return None, problems
    file, misfits = fit(BankFile, source.data)
    problems += misfits
    problems += check_bank(source.data)
    problems += check_pictures(source.data, where.folder)
    return (None if problems else file), problems


def _id(bank_id: str) -> Iterable[Problem]:
    if not re.fullmatch(SLUG, bank_id) or len(bank_id) > 64:
        what = f'"{bank_id}" is no id for a bank: it takes a to z, 0 to 9 and single - or _'
        yield Problem((), what, f"rename it to {slug_of(bank_id) or 'a word in these'}", TOP)


def _state(where: Place) -> tuple[State, list[Fault]]:
    if where.state is None:
        return {}, []
    source = _opened(where.state)
    file, misfits = fit(StateFile, source.data) if source.data is not None else (None, [])
    problems = [*source.problems, *misfits]
    return (file.root if file else {}), _placed(where.state, source, problems)


def _changed(
    file: BankFile | None, state: State, part: Literal["ask", "key"]
) -> set[tuple[Language, str]]:
    """Languages and questions of which this part has changed since it was translated."""
    if file is None:
        return set()
    now = {question.id: question_prints(question) for question in file.questions}
    return {
        (language, id_)
        for language, entries in state.items()
        for id_, entry in entries.items()
        if part in changed_parts(entry, now.get(id_, {}))
    }


def _overlay(
    path: Path,
    bank: Plain | None,
    outdated: set[tuple[Language, str]],
    rekeyed: set[tuple[Language, str]],
) -> tuple[OverlayFile | None, list[Fault]]:
    source = _opened(path)
    named = list(_language(path, bank))
    if source.data is None or named:
        return None, _placed(path, source, [*named, *source.problems])
    _, problems = fit(OverlayFile, source.data)
    problems += source.problems
    if bank is not None:
        old, new_key = (
            {id_ for language, id_ in of if language == path.stem} for of in (outdated, rekeyed)
        )
        problems += check_overlay(source.data, bank, old, new_key)
    usable, _ = fit(OverlayFile, _without(source.data, problems))
    return usable, _placed(path, source, problems)


def _language(path: Path, bank: Plain | None) -> Iterable[Problem]:
    mend = mend_tag(path.stem)
    if mend != path.stem:
        what = f'"{path.stem}" is no language tag, by which a translation is named'
        rename = f"rename it to {mend}.yaml" if mend else "rename it, for example to fr.yaml"
        yield Problem((), what, rename, TOP)
    elif isinstance(bank, dict) and bank.get("language") == path.stem:
        what = f"{path.name} translates bank.yaml into its own language"
        yield Problem((), what, "delete it, or mend language in bank.yaml", TOP)


def _without(data: Plain, problems: Iterable[Problem]) -> Plain:
    """The overlay without its faulty fields: of a question one field, else one of the top."""
    faulty = {_field(problem.loc) for problem in problems}
    if not isinstance(data, dict) or () in faulty:
        return {}
    kept = {name: value for name, value in data.items() if (name,) not in faulty}
    questions = kept.get("questions")
    if isinstance(questions, dict):
        kept["questions"] = {
            id_: _without_fields(question, ("questions", id_), faulty)
            for id_, question in questions.items()
            if ("questions", id_) not in faulty
        }
    return kept


def _without_fields(question: Plain, loc: Loc, faulty: set[Loc]) -> Plain:
    if not isinstance(question, dict):
        return question
    return {name: value for name, value in question.items() if (*loc, name) not in faulty}


def _field(loc: Loc) -> Loc:
    return loc[:3] if loc[:1] == ("questions",) else loc[:1]


def _placed(path: Path, source: _Opened, problems: Iterable[Problem]) -> list[Fault]:
    """In the order of the file; of very many the first."""
    file = printable(path)
    found = {
        Fault(file, *(problem.mark or source.mark(problem.loc)), problem.what, problem.mend)
        for problem in problems
    }
    faults = sorted(found, key=lambda fault: (fault.line, fault.column, fault.what))
    if len(faults) > _MOST:
        last = faults[_MOST - 1]
        more = f"{len(faults) - _MOST:,} more faults in this file"
        return [*faults[:_MOST], Fault(file, last.line, last.column, more)]
    return faults


_MOST = 1_000
