"""The terminal's screen: drawn to fit, in colour where there is some, safe whatever it shows."""

from __future__ import annotations

import re
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from adapters.local.terminal_keys import keys_of
from adapters.local.terminal_render import clean
from adapters.local.terminal_screen import Screen
from bot import messages as m

_SGR = re.compile(r"\x1b\[[0-9;]*m")


def plain(text: str) -> m.Spans:
    return (m.Plain(text),)


def shown(*blocks: m.Block, width: int = 80) -> str:
    out = StringIO()
    Screen(out, width=width).show(m.Message(blocks))
    return out.getvalue()


def in_colour(*blocks: m.Block, monkeypatch: pytest.MonkeyPatch) -> str:
    """As on a terminal that has colours."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    return shown(*blocks)


NO_BREAK = "\u00a0\u202f\u2007"


@pytest.mark.parametrize("space", NO_BREAK)
@pytest.mark.parametrize("width", range(20, 40))
def test_no_line_breaks_at_a_space_that_forbids_it(space, width):
    text = f"Vous avez trouvé 68{space}% des réponses{space}: le bloc{space}; voilà{space}!"
    lines = [line.strip() for line in shown(m.Paragraph(plain(text)), width=width).splitlines()]
    assert " ".join(filter(None, lines)) == text
    option = m.Options((m.Option("A", (m.Paragraph(plain(text)),)),), "fr")
    assert not any(
        line.strip()[:1] in "%:;!" for line in shown(option, width=width).splitlines() if line
    )


def test_what_stands_in_for_such_a_space_is_never_read_as_one():
    assert "\u00a0" not in shown(m.Paragraph(plain("a\ufdd0b")))


EVERYTHING = (
    m.Heading(plain("Ports · question 1 of 3")),
    m.Paragraph((m.Bold(plain("Which port?")), m.Plain(" or "), m.Emphasis(plain("none")))),
    m.CodeBlock("ssh host\nexit"),
    m.Options(
        (
            m.Option("A", (m.Paragraph(plain("21")),)),
            m.Option("B", (m.Paragraph(plain("22")), m.CodeBlock("22")), "right"),
            m.Option("C", (m.Paragraph((m.Code("2222"),)),), "chosen"),
        ),
        "en",
    ),
    m.Spread(
        (m.Bar("A", 2, False), m.Bar("B", 10, True), m.Bar("C", 0, False)), "A 2 · B 10 · C 0"
    ),
    m.Ranking((m.Rank(1, ("Ana", "Ben"), 120, "and 9 more", ("3 of 3", "")),)),
    m.Picture("banks/door.png", "A door", "en"),
    m.Small((m.Plain("Source: "), m.Link(plain("RFC 4253"), "https://www.rfc-editor.org/4253"))),
)


def test_everything_is_drawn_in_plain_lines_where_nobody_looks_at_a_terminal():
    assert (
        shown(*EVERYTHING)
        == """
  Ports · question 1 of 3

  Which port? or none

  ╭──────────╮
  │ ssh host │
  │ exit     │
  ╰──────────╯

    A  21
    B  22
       ╭────╮
       │ 22 │
       ╰────╯
       Right answer
    C  2222
       Your answer

  A 2 · B 10 · C 0

    1.  Ana (3 of 3), Ben, and 9 more  120

  Picture: A door
  banks/door.png

  Source: RFC 4253 https://www.rfc-editor.org/4253
"""
    )


def test_on_a_terminal_answers_are_bars_and_there_are_colours(monkeypatch):
    drawn = in_colour(*EVERYTHING, monkeypatch=monkeypatch)
    assert "\x1b[" in drawn
    bars = _SGR.sub("", drawn)
    assert f"    A  {'█' * 6} 2\n    B  {'█' * 30} 10\n    C  0\n" in bars


def test_who_wants_no_colours_gets_none(monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    colours = {
        code
        for style in re.findall(r"\x1b\[([0-9;]*)m", shown(*EVERYTHING))
        for code in style.split(";")
    }
    assert not {code for code in colours if code.startswith(("3", "4")) and len(code) == 2}


def test_a_right_answer_is_said_in_words_and_not_in_colour_alone():
    assert shown(EVERYTHING[3]).count("Right answer") == 1


def test_small_lines_stand_right_below_what_they_are_about():
    lines = shown(m.Paragraph(plain("Ports")), m.Small(plain("3 questions")))
    assert lines == "\n  Ports\n  3 questions\n"
    text = "many words " * 20
    apart = shown(m.Paragraph(plain(text)), m.Small(plain("Source: a book")))
    assert apart.endswith("words\n\n  Source: a book\n")


@pytest.mark.parametrize("url", ["javascript:alert(1)", "file:///etc/passwd", "http://"])
def test_an_address_that_is_no_web_page_is_not_shown(url):
    assert shown(m.Paragraph((m.Link(plain("here"), url),))) == "\n  here\n"


def test_an_address_that_is_its_own_name_is_shown_once():
    url = "https://example.org/"
    assert shown(m.Paragraph((m.Link(plain(url), url),))) == f"\n  {url}\n"


@pytest.mark.parametrize("width", [20, 40, 80])
def test_no_line_is_wider_than_the_terminal(width):
    long = m.Paragraph(plain("words " * 40 + "x" * 100 + " 日本語" * 20))
    drawn = shown(long, *EVERYTHING, m.CodeBlock("y" * 100), width=width)
    assert max(cell_len(line) for line in drawn.splitlines()) <= width


def test_nothing_is_read_as_markup():
    text = "[bold]no[/bold] :smile: [link=https://evil.example]x[/link]"
    assert shown(m.Paragraph(plain(text)), width=200) == f"\n  {text}\n"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("\x1b]0;title\x07\x1b[2J", "]0;title[2J"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("a\tb", "a   b"),
        ("\x9b31m\x00\x08", "31m"),
        ("abc\u202ecba", "abccba"),
        ("ka\u200dma", "ka\u200dma"),
    ],
)
def test_what_a_terminal_obeys_never_reaches_it(text, left):
    assert clean(text) == left


ANY = st.text(max_size=60)


@given(ANY, ANY, ANY)
def test_whatever_banks_and_people_write_the_screen_gets_words_alone(one, other, third):
    drawn = shown(
        m.Heading(plain(one)),
        m.Paragraph((m.Link(plain(other), f"https://e.org/{third}"), m.Name(third), m.Code(one))),
        m.CodeBlock(other, one),
        m.Options((m.Option("A", (m.Paragraph(plain(third)), m.CodeBlock(one))),), other),
        m.Spread((m.Bar("A", 1, True),), one),
        m.Ranking((m.Rank(1, (one, other), 3, third),)),
        m.Picture(one, other, "en"),
    )
    assert clean(drawn) == drawn


# --- keys --------------------------------------------------------------------------------------


def button(label: str, style: str = "secondary") -> m.Button:
    return m.Button(label, f"token-of-{label}", style)  # type: ignore[arg-type]  # of the tests


def keys(*controls: m.Control) -> dict[str, str]:
    found = keys_of(m.Message((), (controls,)))
    return {key.label: key.key for key in found.all}


def test_a_button_is_pressed_by_the_first_letter_that_is_free():
    assert keys(button("Next"), button("Names"), button("Quit"), button("…")) == {
        "Next": "n",
        "Names": "a",
        "Quit": "u",
        "…": "1",
    }


def test_answers_keep_their_letters_and_numbers_are_their_own_keys():
    answers = [button("A", "answer"), button("B · 22", "answer")]
    assert keys(*answers, button("Another"), button("2"), button("3")) == {
        "A": "A",
        "B · 22": "B",
        "Another": "n",
        "2": "2",
        "3": "3",
    }


def test_a_label_in_another_script_is_pressed_by_a_letter_of_it():
    assert keys(button("Дальше")) == {"Дальше": "д"}


def test_one_way_is_plainly_next_or_none_is():
    one = keys_of(m.Message((), ((button("Next", "primary"), button("Stop")),)))
    assert one.first is not None
    assert one.first.label == "Next"
    two = keys_of(m.Message((), ((button("Next", "primary"), button("Go", "primary")),)))
    assert two.first is None


def test_choices_are_numbered_past_the_numbers_that_are_taken():
    select = m.Select("s", "Which?", (m.Choice("x", "Ex"), m.Choice("y", "Why")))
    assert keys(button("1"), select) == {"1": "1", "Ex": "2", "Why": "3"}


@given(st.lists(st.tuples(ANY, st.sampled_from(["secondary", "primary", "danger"])), max_size=30))
def test_no_two_buttons_have_one_key(labels):
    controls = [m.Button(text, f"t{at}", style) for at, (text, style) in enumerate(labels)]
    found = keys_of(m.Message((), (tuple(controls),))).all
    assert len(found) == len(labels)
    folded = [key.key.casefold() for key in found if not key.label.isdecimal()]
    assert len(set(folded)) == len(folded)
    assert not {"q", "?", "l"} & set(folded)
