"""A file's content against its model: pydantic's complaints in an author's words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from bot.banks.faults import Loc, Problem, listed, shortened
from bot.spelling import nearest

M = TypeVar("M", bound=BaseModel)

_MOST = 500
"""Problems of one file that are told; who has more mends those first."""


def fit(model: type[M], data: object) -> tuple[M | None, list[Problem]]:
    """The content as the model, or everything that keeps it from that."""
    try:
        return model.model_validate(data), []
    except ValidationError as error:
        details = error.errors(include_url=False)
    problems = [_problem(model, data, item) for item in details[:_MOST]]
    if len(details) > _MOST:
        problems.append(Problem((), f"{len(details) - _MOST} more such faults in this file"))
    return None, problems


def named(data: object, loc: Loc) -> str:
    """A value as an author knows it: `option a of ssh-port`, `url of source 1 of …`, `title`."""
    words: list[str] = []
    for at, step in enumerate(loc):
        before = loc[at - 1] if at else None
        if before == "questions" and at == 1:
            words = [_question(data, step)]
        elif before in _ONE_OF and words:
            number = step + 1 if isinstance(step, int) else shortened(step)
            words[0] = f"{_ONE_OF[str(before)]} {number}"
        elif isinstance(step, str):
            words.insert(0, shortened(step))
    return " of ".join(words) or "the file"


_ONE_OF: Mapping[str, str] = {
    "options": "option",
    "sources": "source",
    "tags": "tag",
    "topics": "topic",
    "aliases": "alias",
    "why": "why",
}


def _question(data: object, at: str | int) -> str:
    if isinstance(at, str):
        return at
    questions = data.get("questions") if isinstance(data, dict) else None
    given = questions[at] if isinstance(questions, list) and at < len(questions) else None
    name = given.get("id") if isinstance(given, dict) else None
    return shortened(name) if isinstance(name, str) and name.strip() else f"question {at + 1}"


def _problem(model: type[BaseModel], data: object, error: ErrorDetails) -> Problem:
    loc: Loc = tuple(step for step in error["loc"] if step != "[key]")
    name = named(data, loc)
    given = error["input"]
    match error["type"]:
        case "quizbot":
            ctx = error["ctx"]
            return Problem(loc, f"{name} {ctx['what']}", ctx["mend"])
        case "missing":
            field = str(loc[-1])
            what = f"{named(data, loc[:-1])} has no {field}"
            return Problem(loc, what, _EXAMPLES.get(field, f"add {field}: …"))
        case "extra_forbidden":
            return _unknown(model, data, loc)
        case "literal_error":
            return _not_one_of(loc, given, re.findall("'([^']*)'", error["ctx"]["expected"]))
        case "string_too_long":
            most = error["ctx"]["max_length"]
            return Problem(loc, f"{name} has {len(given):,} letters", f"shorten it to {most:,}")
        case "too_long" | "too_short":
            return _wrong_count(loc, name, given, error["ctx"])
        case kind:
            return Problem(loc, *_wrong_shape(kind, loc, name, given))


_EXAMPLES: Mapping[str, str] = {
    "schema": "begin the file with schema: quizbot/1",
    "language": "add the language of the texts: language: en",
    "id": "add a short name that never changes: id: …",
    "options": "add options: {a: …, b: …}",
    "alt": "add alt: what the picture shows, for who cannot see it",
    "questions": "add questions:, and below it a list",
}


def _unknown(model: type[BaseModel], data: object, loc: Loc) -> Problem:
    known = list(_fields(_part(model, loc[:-1])))
    word = str(loc[-1])
    meant = nearest(word, known)
    where = named(data, loc[:-1]) if loc[:-1] else ""
    what = f'unknown field "{shortened(word)}"' + (f" in {where}" if where else "")
    if meant:
        return Problem(loc, f"{what} (did you mean {meant}?)")
    return Problem(loc, what, f"delete it; known here: {', '.join(known)}")


def _not_one_of(loc: Loc, given: object, known: list[str]) -> Problem:
    field = str(loc[-1])
    meant = nearest(str(given), known)
    what = f'unknown {field} "{shortened(str(given))}"'
    return Problem(loc, what, f"{field}: {meant or listed(known)}")


def _wrong_count(loc: Loc, name: str, given: object, ctx: dict[str, Any]) -> Problem:
    count = len(given) if isinstance(given, list | dict) else 0
    if "max_length" in ctx:
        return Problem(
            loc, f"{name} are too many: {count:,}", f"have at most {ctx['max_length']:,}"
        )
    if loc[-1] == "correct":
        mend = "name an option, or delete correct for a draft"
        return Problem(loc, f"{name} is empty", mend)
    return Problem(loc, f"{name} are too few: {count:,}", f"have at least {ctx['min_length']:,}")


def _wrong_shape(kind: str, loc: Loc, name: str, given: object) -> tuple[str, str]:
    """A list where a text should be, and the like."""
    is_ = _is(given)
    last = str(loc[-1]) if loc else ""
    if kind == "string_type":
        return f"{name} is {is_}, not a text", 'put the whole text in quotes: "…"'
    if kind == "list_type":
        return f"{name} is {_not(is_, 'a list')}", f"{last}: [{_sample(given, '…')}]"
    if not loc:
        what = "the file is empty" if is_ == "empty" else f"the file is {is_}"
        return f"{what}, not “name: value” lines", "begin with a name, a colon and its value"
    if last == "options" and isinstance(given, list):
        pairs = [f"{key}: {_sample(text, '…')}" for key, text in zip(_LETTERS, given, strict=False)]
        return f"{name} is a list: options need keys", f"options: {{{', '.join(pairs)}}}"
    expected, mend = _SHAPES.get(last, ("“name: value” lines", f"{last}: {{…: …}}"))
    return f"{name} is {_not(is_, expected)}", mend


_LETTERS = "abcdefghij"
_SHAPES: Mapping[str, tuple[str, str]] = {
    "questions": ("questions by id", "write each below its id, without -"),
    "options": ("texts by key", "options: {a: …, b: …}"),
    "why": ("texts by option", "why: {a: …}"),
    "guide": ("a title", "guide: {title: …}"),
    "image": ("a file and its alt", "image: {file: …, alt: …}"),
}


def _not(is_: str, expected: str) -> str:
    return is_ if is_ == "empty" else f"{is_}, not {expected}"


def _is(given: object) -> str:
    if isinstance(given, str):
        return "a text" if given.strip() else "empty"
    return "a list" if isinstance(given, list) else "a mapping"


def _sample(given: object, otherwise: str) -> str:
    return shortened(given, 20) if isinstance(given, str) and given.strip() else otherwise


# --- what a model knows ------------------------------------------------------------------------


def _fields(part: type[BaseModel]) -> dict[str, Any]:
    return {field.alias or name: field.annotation for name, field in part.model_fields.items()}


def _part(model: type[BaseModel], loc: Loc) -> type[BaseModel]:
    """The part of the model that a mapping at this place is checked against."""
    part = _inner(model.model_fields["root"].annotation) if "root" in model.model_fields else model
    for step in loc:
        part = _inner(_fields(part or model).get(str(step))) or part
    return part or model


def _inner(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(_inner, get_args(annotation))), None)
