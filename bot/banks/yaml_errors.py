"""The parser's complaints, as an author can use them."""

from __future__ import annotations

import re

import yaml

from bot.banks.faults import TOP, Mark, Problem, shortened

_IN_QUOTES = 'put the text in quotes: "…"'


def explain(error: yaml.YAMLError, text: str) -> Problem:
    """Where reading stopped, what is likely wrong there, and how to mend it."""
    if not isinstance(error, yaml.MarkedYAMLError):
        return _other(shortened(str(error)), TOP)
    mark = _mark(error.problem_mark)
    begun = _mark(error.context_mark) if error.context_mark else mark
    complaint = error.problem or ""
    sign = _sign_at(text, mark)
    if sign == "\t" or "tab character" in complaint:
        return Problem((), "a tab stands where YAML takes only spaces", "indent by spaces", mark)
    if "mapping values are not allowed" in complaint:
        return _colon(text, mark)
    if "cannot start any token" in complaint:
        return Problem((), f"a text without quotes cannot begin with {sign}", _IN_QUOTES, mark)
    if error.context in ("while scanning an alias", "while scanning an anchor"):
        sign = _sign_at(text, begun)
        return Problem((), f"a text without quotes cannot begin with {sign}", _IN_QUOTES, begun)
    if "end of stream" in complaint or "document indicator" in complaint:
        return Problem((), "this text is never closed", "add the quote that ends it", begun)
    if "expected ':'" in complaint:
        what = "this line is no “name: text”"
        return Problem((), what, "add the colon, or indent it if it continues a text", begun)
    if "or ']'" in complaint or "or '}'" in complaint:
        mend = "close it, or put texts that hold , [ ] { } or : in quotes"
        return Problem((), "this [ or { is not closed", mend, begun)
    if "escape" in complaint:
        mend = "double the backslash, or use single quotes"
        return Problem((), "an unknown escape after a backslash in double quotes", mend, mark)
    return _other(complaint, mark)


def _colon(text: str, mark: Mark) -> Problem:
    """Either a text that holds a colon, or a name that is indented as if it continued a text."""
    before = text.splitlines()[mark.line - 1][: mark.column - 1]
    if re.fullmatch(r"\s+[\w-]+", before):
        mend = "align it with the names that it belongs to"
        return Problem((), "this name is indented as a part of the text above", mend, mark)
    return Problem((), "a colon and a space in a text without quotes", _IN_QUOTES, mark)


def _other(complaint: str, mark: Mark) -> Problem:
    if "expected key" in complaint or "expected '-' indicator" in complaint:
        what = "this is not in line with what stands above, or follows a closed quote"
        return Problem((), what, "align the names; put the whole of a text in quotes", mark)
    if "nesting depth" in complaint:
        return Problem((), "nested too deep", "write it flatter", mark)
    return Problem((), f"YAML: {complaint}", "check indentation and quotes here and above", mark)


def _mark(mark: yaml.Mark | None) -> Mark:
    return Mark(mark.line + 1, mark.column + 1) if mark else TOP


def _sign_at(text: str, mark: Mark) -> str:
    lines = text.splitlines()
    line = lines[mark.line - 1] if mark.line <= len(lines) else ""
    return line[mark.column - 1 : mark.column]
