"""Long messages on Discord: whole as far as there is room, and drawn in a few goes."""

from __future__ import annotations

import sys
from types import FrameType

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from stand_in_discord_component_rules import walk

from adapters.discord import markup, render, widths
from adapters.discord.fit import length_for
from bot import messages as m
from bot.markdown import blocks_of

LONG = {
    "words": "word " * 800,
    "sentences": "It is so, and not otherwise: `f(x)` is no `g(x)`. That is **all**.\n\n" * 60,
    "signs that are escaped": "*" * 4000,
    "markup": "**a** `b` _c_ [d](https://example.org/e) <@1> " * 90,
    "another direction": "مرحبا שלום " * 360,
    "marks on letters": "e\u0301" * 2000,
    "wide signs": "😀" * 4000,
    "signs that are drawn as one": "👩‍👩‍👧‍👦🏳️‍🌈👍🏽" * 240,
    "code": "```py\n" + "line = '```'\n" * 330 + "```",
    "one word": "x" * 4000,
}


def drawn(*blocks: m.Block) -> list[str]:
    components = render.message(m.Message(blocks)).components
    return [one["content"] for _, one in walk(components) if one["type"] == 10]


def size(texts: list[str]) -> int:
    return sum(map(markup.units, texts))


@pytest.mark.parametrize("kind", LONG)
def test_a_long_text_fills_its_message_and_says_that_it_goes_on(kind: str):
    texts = drawn(m.Paragraph((m.Plain("Right."),)), *blocks_of(LONG[kind] * 2), m.Small(()))
    assert 3600 < size(texts) <= 4000
    assert "…" in texts[-1]


@pytest.mark.parametrize("kind", LONG)
def test_what_fits_stands_whole_beside_what_does_not(kind: str):
    question = m.Paragraph((m.Bold((m.Plain("Which one of these is it?"),)),))
    options = tuple(
        m.Option(letter, blocks_of(f"option {letter} " + LONG[kind] * long))
        for letter, long in (("A", 0), ("B", 1), ("C", 1))
    )
    texts = drawn(question, m.Options(options, "en"), m.Small((m.Plain("2 answered"),)))
    assert (texts[0], texts[-1]) == ("**Which one of these is it?**", "-# 2 answered")
    one, two, three = texts[1].split("**A**")[1].split("**B**")[0], *texts[1].split("**C**")
    assert one.strip() == "option A"
    # The two that are too long got as much as each other.
    assert size([three]) == pytest.approx(size([two.split("**B**")[1]]), rel=0.15, abs=60)
    assert 3500 < size(texts) <= 4000


def steps_of(*blocks: m.Block) -> int:
    """How many lines of Python it takes to draw them, which no other work on a machine changes."""
    taken = 0

    def count(frame: FrameType, event: str, argument: object) -> object:
        nonlocal taken
        taken += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)  # type: ignore[arg-type]  # a trace function may return itself
    try:
        render.message(m.Message(blocks))
    finally:
        sys.settrace(before)
    return taken


@pytest.mark.parametrize("kind", ["markup", "sentences", "words"])
def test_a_text_that_is_cut_takes_but_a_few_times_the_work_of_one_that_fits(kind: str):
    whole = blocks_of(LONG[kind][:2200])
    too_long = blocks_of((LONG[kind] * 2)[:4400])
    render.message(m.Message(too_long))
    assert size(drawn(*whole)) < 4000 < sum(map(len, LONG[kind][:4400] * 2))
    # Twice as long: drawn once whole and once cut, and between that measured and cut.
    assert steps_of(*too_long) < 2 * 6 * steps_of(*whole) + 500


texts = st.text(
    st.sampled_from("ab *_`:@<[#.1>- \n😀\u0301e").map(str), max_size=80
) | st.sampled_from(["a: https://x.y :smile: @everyone", "1. a\n2. b\n- c\n# d", "\u202ea\x00"])


@given(texts)
def test_it_is_known_where_a_text_grows(text: str):
    text = markup.cleaned(text)
    whole, at = markup.escaped(text), sorted(markup.growth(text))
    assert len(whole) == len(text) + len(at)
    again = list(text)
    for position in reversed(at):
        again.insert(position, "\\")
    assert "".join(again) == whole


@given(texts, st.integers(1, 100))
@example("*" * 50, 1)
@example("😀" * 50, 2)
def test_a_cut_text_takes_no_more_than_it_may(text: str, most: int):
    short = widths.cut_text(text, most)
    assert widths.of_text(short) <= most
    if widths.of_text(text) <= most:
        assert markup.escaped(short) == markup.escaped(text)
    else:
        assert short.endswith("…")


def spans(inner: st.SearchStrategy[m.Spans]) -> st.SearchStrategy[m.Spans]:
    links = st.builds(m.Link, inner, st.sampled_from(["https://example.org/a/b", "ftp://x"]))
    marked = st.builds(m.Bold, inner) | st.builds(m.Emphasis, inner)
    return st.lists(st.one_of(marked, links, st.builds(m.Foreign, inner, st.just("fr")))).map(tuple)


plain = st.builds(m.Plain, texts) | st.builds(m.Code, texts) | st.builds(m.Name, texts)
trees = st.recursive(st.lists(plain, max_size=4).map(tuple), spans, max_leaves=8)


@given(trees, st.integers(1, 120))
@settings(max_examples=300)
def test_cut_spans_take_about_what_they_may(parts: m.Spans, most: int):
    short, left = widths.cut_spans(parts, most)
    # Beside marks that touch, and the backticks in code, nothing is more than was measured.
    touching = 8 + 3 * str(parts).count("`") + str(parts).count("Bold") + str(parts).count("Emph")
    assert markup.units(markup.spans(short, "en")) <= most + touching + str(parts).count("Code")
    if left >= 0 and "Link" not in str(parts):
        assert short == parts


@given(st.lists(st.integers(0, 500), max_size=12), st.integers(0, 3000))
def test_what_is_shared_out_is_all_the_room_and_no_more(taken: list[int], room: int):
    most = length_for(taken, room)
    used, dots = sum(min(width, most) for width in taken), 2 * len(taken)
    if sum(taken) <= room - dots:
        assert used == sum(taken)
    elif room - dots >= len(taken):
        assert room - dots - len(taken) < used <= room - dots
