"""What stands in a button comes back as it was, and nothing else comes back at all."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import tokens

KINDS: tuple[type[tokens.Choice], ...] = get_args(tokens.Choice)


@st.composite
def choices(draw: st.DrawFn) -> tokens.Choice:
    kind = draw(st.sampled_from(KINDS))
    values: list[Any] = [
        draw(st.integers(0, 2**53) if field.type == "int" else st.text(max_size=40))
        for field in fields(kind)
    ]
    return kind(*values)


@given(choices())
def test_what_fits_is_read_as_it_was_written(choice: tokens.Choice) -> None:
    if tokens.fits(choice):
        token = tokens.write(choice)
        assert tokens.read(token) == choice
        assert token.isascii()
        assert len(token) <= tokens.LONGEST
    else:
        with pytest.raises(ValueError, match=r"longer than|surrogates"):
            tokens.write(choice)


@given(st.text(max_size=120) | st.from_regex(r"[a-z]{1,2}(\.[A-Za-z0-9%é]{0,9}){0,3}"))
def test_of_any_text_only_what_we_wrote_is_read(text: str) -> None:
    choice = tokens.read(text)
    if choice is not None and "%" in text:
        assert tokens.write(choice) == text


@pytest.mark.parametrize(
    "token",
    ["st.solo.%", "st.solo.%zz", "st.solo.%ff", "st.solo.%61", "st.solo.%c3%a9", "st.solo.é"],
)
def test_a_value_that_is_written_otherwise_is_not_read(token: str) -> None:
    assert tokens.read(token) is None


@pytest.mark.parametrize("topic", ["data parallel", "équilibre", "a.b", "100 %", ""])
def test_a_topic_may_be_any_words(topic: str) -> None:
    assert tokens.read(tokens.write(tokens.Start("live", topic))) == tokens.Start("live", topic)


def test_a_topic_that_is_too_long_does_not_fit() -> None:
    assert tokens.fits(tokens.Start("live", "x" * 90))
    assert not tokens.fits(tokens.Start("live", "é" * 30))
