"""Whatever a browser sends, it is read without harm."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.local import room_frames as f

SECRET = "0123456789abcdef0123456789abcdef"


def frame(**data: object) -> f.Frame:
    return f.read(json.dumps({"id": "r1", **data}))


@pytest.mark.parametrize(
    "raw",
    [
        "",
        "no json",
        "[]",
        "null",
        '"text"',
        "{}",
        '{"id": 7, "do": "ping"}',
        '{"id": "a b", "do": "ping"}',
        '{"id": "r1"}',
        '{"id": "r1", "do": ["ping"]}',
        '{"id": "r1", "do": "__class__"}',
        '{"id": "r1", "do": "press"}',
        '{"id": "r1", "do": "press", "token": 7}',
        '{"id": "r1", "do": "press", "token": "t", "values": "x"}',
        '{"id": "r1", "do": "fill", "token": "t", "values": []}',
        '{"id": "r1", "do": "hello", "person": "short", "name": "x"}',
        '{"id": "r1", "do": "earlier", "before": true}',
        '{"id": "r1", "do": "earlier", "before": -1}',
        "[" * 60_000,
        '{"id": "r1", "do": "earlier", "before": ' + "9" * 5000 + "}",
    ],
)
def test_what_is_no_frame_of_ours_is_said_to_be_broken(raw):
    assert isinstance(f.read(raw), f.Broken)


@given(st.text(max_size=200))
def test_no_text_raises(raw):
    f.read(raw)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


@given(
    st.sampled_from(["hello", "line", "ask", "press", "fill", "suggest", "earlier", "ping"]),
    st.dictionaries(
        st.sampled_from(
            ["person", "name", "locale", "text", "options", "token", "at", "message", "values",
             "source", "before"]
        ),
        _JSON,
    ),
)  # fmt: skip
def test_no_values_raise_and_all_that_comes_through_can_be_stored(do, data):
    read = f.read(json.dumps({"id": "r1", "do": do, **data}))
    str(read).encode()


def test_halves_of_characters_and_control_signs_are_left_out():
    read = f.read('{"id": "r1", "do": "line", "text": "/quiz \\ud800a\\u0000b\\u001b[1m"}')
    assert read == f.Line("r1", "/quiz ab[1m")


def test_a_name_is_one_line_that_turns_nothing_around():
    read = frame(do="hello", person=SECRET, name="  Ta\u202eri\nro \u200f ")
    assert isinstance(read, f.Hello)
    assert read.name == "Tari ro"


def test_a_name_may_be_in_any_script():
    for name in ("Inès", "نور", "ஷாலினி", "👩🏽‍🚀", "O’Neil-Ŝmid"):
        read = frame(do="hello", person=SECRET, name=name)
        assert isinstance(read, f.Hello)
        assert read.name == name


@pytest.mark.parametrize(
    "name",
    ["", " \u202e ", "\u200b", "\u2800\u2800", "\u3164", "\uffa0", "\u00ad", "\u034f", "\u2060",
     "\u200d", "\ufe0f", "\U000e0041\U000e007f", "\u17b4", "\u0301", "\u3000", "…", "\u115f\u1160"],
)  # fmt: skip
def test_a_name_that_nobody_can_see_is_none(name):
    read = frame(do="hello", person=SECRET, name=name)
    assert isinstance(read, f.Hello)
    assert read.name == ""


@pytest.mark.parametrize("name", ["7", "★", "Ⅷ", "x\u200d", "한", "é"])
def test_one_sign_that_can_be_seen_is_enough_for_a_name(name):
    read = frame(do="hello", person=SECRET, name=name)
    assert isinstance(read, f.Hello)
    assert read.name == name


def test_an_id_gives_the_secret_not_away():
    assert SECRET not in f.person_id(SECRET)
    assert f.person_id(SECRET) == f.person_id(SECRET) != f.person_id(SECRET + "0")


@pytest.mark.parametrize("claim", [None, True, "1", float("nan"), float("inf"), -1, 1e300, []])
def test_a_senseless_instant_is_none(claim):
    read = f.read(json.dumps({"id": "r1", "do": "press", "token": "t", "at": claim}))
    assert isinstance(read, f.Press)
    assert read.at is None


def test_a_message_that_is_none_of_the_channels_is_private():
    read = frame(do="press", token="t", message="m' OR 1=1")
    assert isinstance(read, f.Press)
    assert read.message is None


def test_the_same_nonce_is_the_same_message():
    assert f.message_id("n") == f.message_id("n") != f.message_id("o")
    assert f.MESSAGE_ID.fullmatch(f.message_id("n"))
