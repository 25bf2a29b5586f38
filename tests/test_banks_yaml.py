"""YAML is read as the text that was typed, and whatever is wrong is said at once."""

from __future__ import annotations

import pytest
import yaml
from costs import turns
from hypothesis import example, given
from hypothesis import strategies as st

from bot.banks.faults import Problem
from bot.banks.strict_yaml import MOST_BYTES, Read, place, plain, read


def content(text: str) -> object:
    found = read(text.encode())
    assert found.problems == ()
    assert found.root is not None
    return plain(found.root)


def only_problem(data: str | bytes) -> Problem:
    (problem,) = read(data.encode() if isinstance(data, str) else data).problems
    return problem


@pytest.mark.parametrize(
    "typed",
    ["no", "on", "07", "1_000", "12:30", "2010-06-11", "~", "null", "1.10", "0x1F", ".inf", "<<"],
)
def test_a_scalar_stays_what_was_typed(typed: str) -> None:
    assert content(f"a: {typed}\nb: [{typed}]\n{typed}: c\n") == {
        "a": typed,
        "b": [typed],
        typed: "c",
    }


def test_a_language_key_no_is_norwegian() -> None:
    assert content("no:\n  bank: {status: machine}\n") == {"no": {"bank": {"status": "machine"}}}


texts = st.text(
    st.characters(
        codec="utf-8", exclude_categories=["Cc"], exclude_characters="\u2028\u2029\ufffe\uffff"
    )
    | st.sampled_from("\n\t")
)


@given(texts)
@example("no")
@example("- a: {b}\n")
@example(" lead\n\n  and trail \n")
def test_any_text_comes_back_as_it_was(text: str) -> None:
    written = yaml.dump({"text": text}, allow_unicode=True, Dumper=yaml.CSafeDumper)
    if "\ufeff" not in text:  # the emitter leaves it as it is, and that would be a mark
        assert content(written) == {"text": text}


@given(st.binary(max_size=300) | texts.map(str.encode))
@example(b"\xff\xfea")
@example(b"? [a]: b")
@example(b"a: *a")
@example(b"%YAML 9.9\n---\na")
@example(b"a: b\n...\n%")
@example(b'"\\x')
def test_whatever_the_bytes_are_the_result_is_a_value(data: bytes) -> None:
    found = read(data)
    assert isinstance(found, Read)
    assert found.root is not None or found.problems


pieces = st.sampled_from(["a", "b", "é", ": ", "- ", "\n", "\r\n", "  ", "#", "---", "...", "? "])
signs = st.sampled_from([*"[]{},!|>'\"\t%\\", "&x ", "*x", "<<"])
yaml_like = st.lists(pieces | signs, max_size=40).map("".join)


@given(yaml_like)
def test_whatever_looks_like_yaml_is_read_or_refused(text: str) -> None:
    found = read(text.encode())
    assert found.root is not None or found.problems
    for problem in found.problems:
        assert problem.what
        assert problem.mark is not None
        assert problem.mark >= (1, 1)


def laughs() -> str:
    lines = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    for name, before in zip("bcdefghij", "abcdefghi", strict=True):
        lines.append(f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]")
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (laughs().encode(), "aliases make more than 250,000 values of this"),
        (b"a: " + b"x" * 50_000_000, "the file is larger than 4 MB"),
        (b"[" * 1_000_000, "nested too deep"),
        (b"- " * 1_000_000, "nested too deep"),
        (b"{a: " * 500_000, "nested too deep"),
        (b"[" + b"a," * 1_900_000 + b"]", "the file holds more than 250,000 values"),
        (b"a: &a x\nb: [" + b"*a," * 900_000 + b"]", "the file holds more than 250,000 values"),
        (b"a: &a [*a]", '"*a" stands inside what it names'),
    ],
    ids=["billion laughs", "large", "deep [", "deep -", "deep {", "many", "aliases", "circle"],
)
def test_a_file_made_to_be_costly_is_refused_quickly(data: bytes, what: str) -> None:
    found: list[str] = []
    cost = turns(lambda: found.append(only_problem(data).what))
    assert found == [what]
    assert cost < 250


def test_the_largest_file_that_is_taken_is_read_quickly() -> None:
    data = b"a: |\n" + b"  x\n" * ((MOST_BYTES - 5) // 4)
    assert read(data).problems == ()
    assert turns(lambda: read(data)) < 250


@pytest.mark.parametrize(
    ("data", "line", "column", "what", "mend"),
    [
        (b"a: b\nc: \xff", 2, 4, "byte 0xff is not UTF-8", "UTF-8"),
        ("é: ü".encode("latin-1"), 1, 1, "byte 0xe9 is not UTF-8", "UTF-8"),
        (b"\xef\xbb\xbfa: b", 1, 1, "byte order mark", "without BOM"),
        ("a: b".encode("utf-16"), 1, 1, "UTF-16", "UTF-8"),
        (b"a: b\n\tc: d", 2, 1, "a tab", "spaces"),
        (b"a:\r\n\tb: c", 2, 1, "a tab", "spaces"),
        (b"a: b\nc: d\0", 2, 5, "a NUL byte", "delete it"),
        (b'a: "\\0"', 1, 4, "a NUL byte", "delete it"),
        ("a: b\u2028c".encode(), 1, 5, "a line separator", "delete it"),
        (b"", 1, 1, "the file is empty", "begin with"),
        (b"# only this\n", 1, 1, "the file is empty", "begin with"),
        (b"a: b\n---\nc: d", 2, 1, "a second document", "own file"),
        (b"a: b\na: c", 2, 1, '"a" is there twice (first in line 1)', "delete one"),
        (b"a: {b: c, b: d}", 1, 11, '"b" is there twice', "delete one"),
        (b"a: `ls` lists", 1, 4, "cannot begin with `", "in quotes"),
        (b"a: *Bold* start", 1, 4, "cannot begin with *", "in quotes"),
        (b"a: *bold", 1, 4, '"*bold" names nothing', "in quotes"),
        (b"a: &start of it", 1, 4, '"&start" names a value that nothing uses', "in quotes"),
        (b"a: !important x", 1, 4, '"!important" is a tag', "in quotes"),
        (b"a: !!int 3", 1, 4, '"!!int" is a tag', "in quotes"),
        (b"a: what is: this", 1, 11, "a colon and a space", "in quotes"),
        (b"a: b\n  c: d", 2, 4, "indented as a part of the text above", "align"),
        (b'a: "b\nc: d', 1, 4, "never closed", "quote"),
        (b'a: "b" c', 1, 8, "follows a closed quote", "in quotes"),
        (b"a: b\nc\nd: e", 2, 1, "no “name: text”", "colon"),
        (b"a: {b: c, d: [e}", 1, 14, "this [ or { is not closed", "close it"),
        (b"a: [b, c\nd: e", 1, 4, "this [ or { is not closed", "close it"),
        (b'a: "\\q"', 1, 5, "an unknown escape", "single quotes"),
        (b"{{a}}: b", 1, 2, "where a name should", "in quotes"),
    ],
)
def test_a_fault_is_told_with_its_place_and_mend(
    data: bytes, line: int, column: int, what: str, mend: str
) -> None:
    problem = only_problem(data)
    assert what in problem.what
    assert mend in problem.mend
    assert problem.mark == (line, column)


def test_lines_are_counted_as_editors_count_them() -> None:
    found = read("a: |\r\n  é😀\r\n  x\r\nb: {c: d, e: [f, g]}\r\n".encode())
    assert found.root is not None
    assert place(found.root, ("b",)) == (4, 1)
    assert place(found.root, ("b", "e")) == (4, 11)
    assert place(found.root, ("b", "e", 1)) == (4, 18)
    assert place(found.root, ("b", "missing")) == (4, 1)


def test_an_alias_repeats_what_it_names() -> None:
    assert content("a: &x [1, 2]\nb: *x") == {"a": ["1", "2"], "b": ["1", "2"]}
