"""What is told on Slack: drawn once for many, and with pictures as Slack has them by then."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.slack import ready, render
from bot import messages as m
from bot.memory import Memory


def message(text: str, language: str = "en", token: str = "a") -> m.Message:
    button = m.Button(text[:80], token)
    return m.Message((m.Paragraph((m.Plain(text),)),), ((button,),), language)


messages = st.builds(
    message,
    st.sampled_from(["one", "two", "*", "long " * 4_000]),
    st.sampled_from(["en", "fr"]),
    st.just("a"),
)


@given(st.lists(messages, max_size=6), st.data())
@settings(max_examples=50)
def test_whatever_was_told_before_each_message_is_drawn_as_it_is(
    given_: list[m.Message], data: st.DataObject
):
    # Again and again, in any order; some are the same object, some are only equal.
    order = data.draw(st.lists(st.sampled_from(given_), max_size=20)) if given_ else []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ready, "_DRAWN", Memory(2, 200_000))
        for one in order:
            told = ready.told(copy.copy(one) if data.draw(st.booleans()) else one, {})
            assert told == render.message(one)


def test_the_same_reply_is_drawn_once():
    reply = message("Right, 10 points: A")
    assert ready.told(reply, {}) is ready.told(reply, {})


def test_a_picture_is_shown_as_soon_as_slack_holds_it_and_anew_when_it_was_mended():
    asked = m.Message((m.Picture("pipes.png", "Two pipes", "en"),))
    told = [ready.told(asked, files) for files in ({}, {"pipes.png": "F1"}, {"pipes.png": "F2"})]
    kinds = [page.blocks[0].get("slack_file") for (page,) in told]
    assert kinds == [None, {"id": "F1"}, {"id": "F2"}]
