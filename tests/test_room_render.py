"""What messages and forms become in the browser."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from room_stand_in import board, question, reveal
from room_stand_in import form as settings

from adapters.local.render import direction, message, safe_url
from adapters.local.room_forms import form
from adapters.local.room_html import el
from adapters.local.turns import balanced, straight
from bot import messages as m

EVIL = "<script>alert('1')</script>&\"x\""


def drawn(*blocks: m.Block, controls: tuple[m.Row, ...] = (), language: str = "en") -> str:
    return message(m.Message(blocks, controls, language), lambda path: None)


def test_every_text_is_escaped_once():
    everywhere = (
        m.Heading((m.Plain(EVIL),)),
        m.Paragraph((m.Bold((m.Emphasis((m.Plain(EVIL),)),)), m.Code(EVIL), m.Name(EVIL))),
        m.Small((m.Foreign((m.Plain(EVIL),), 'x" onload="'),)),
        m.CodeBlock(EVIL, EVIL),
        m.Options((m.Option(EVIL, (m.Paragraph((m.Plain(EVIL),)),), "right"),), EVIL),
        m.Spread((m.Bar(EVIL, 1, True),), EVIL),
        m.Ranking((m.Rank(1, (EVIL,), 10, EVIL, (EVIL,)),)),
        m.Picture("no.png", EVIL, EVIL),
    )
    controls: tuple[m.Row, ...] = (
        (m.Button(EVIL, EVIL, "answer", EVIL), m.LinkButton(EVIL, "https://example.org/" + EVIL)),
        (m.Select(EVIL, EVIL, (m.Choice(EVIL, EVIL, EVIL),)),),
    )
    html = drawn(*everywhere, controls=controls)
    assert "<script" not in html
    assert 'lang="x&quot; onload=&quot;"' in html
    assert "&lt;script&gt;alert(&#x27;1&#x27;)&lt;/script&gt;&amp;&quot;x&quot;" in html
    assert "&amp;lt;" not in html


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "//evil.example/x",
        "/\\evil.example",
        "https://",
        "http://[::1",
        " javascript:alert(1)",
    ],
)
def test_a_link_that_leads_to_no_web_page_is_only_its_words(url):
    assert safe_url(url) is None
    html = drawn(m.Paragraph((m.Link((m.Plain("words"),), url),)))
    assert html == '<p dir="auto">words</p>'


def test_a_link_to_another_site_tells_it_nothing():
    html = drawn(m.Paragraph((m.Link((m.Plain("words"),), "https://example.org/a?b=1&c=2"),)))
    assert 'rel="noopener noreferrer"' in html
    assert 'href="https://example.org/a?b=1&amp;c=2"' in html


def test_a_name_cannot_turn_the_text_around_it():
    assert "<bdi>نور</bdi>" in drawn(m.Paragraph((m.Name("نور"), m.Plain(" leads"))))


LRE, RLE, PDF, LRO, RLO = "\u202a\u202b\u202c\u202d\u202e"
LRI, RLI, FSI, PDI = "\u2066\u2067\u2068\u2069"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"a{RLO}b", "ab"),
        (f"a{PDF}b{PDI}", "ab"),
        (f"a{RLE}b{PDF}c", f"a{RLE}b{PDF}c"),
        (f"{RLI}a{RLO}b{PDI}c{PDF}", f"{RLI}ab{PDI}c"),
        (f"{RLE}{LRI}a{PDF}b{PDI}c", f"{LRI}ab{PDI}c"),
        (f"{FSI}{LRO}a{PDF}{PDI}", f"{FSI}{LRO}a{PDF}{PDI}"),
        (f"{RLE}a\nb{PDF}", "a\nb"),
        (RLO * 5000, ""),
        (f"{LRI}{RLE}" * 3000 + PDI * 3000, LRI * 3000 + PDI * 3000),
    ],
)
def test_a_sign_that_turns_is_kept_only_with_what_pairs_with_it(text, left):
    assert balanced(text) == left


@given(st.text(st.sampled_from("a\n" + LRE + PDF + RLO + RLI + PDI + FSI), max_size=30))
def test_what_is_balanced_is_so_for_good(text):
    once = balanced(text)
    assert balanced(once) == once
    assert straight(once) == straight(text)


def test_no_text_turns_the_words_around_it():
    turned = f"Turned{RLO}{RLI}"
    blocks = (
        m.Heading((m.Plain(turned), m.Plain(" · question 1 of 8"))),
        m.Paragraph((m.Bold((m.Foreign((m.Plain(turned),), "ar"),)), m.Name(turned))),
        m.CodeBlock(turned, ""),
        m.Options((m.Option("A", (m.Paragraph((m.Plain(turned),)),)),), "en"),
        m.Ranking((m.Rank(1, (turned,), 10, turned, (turned,)),)),
    )
    controls: tuple[m.Row, ...] = (
        (m.Button(f"A · {turned}", "t", "answer"), m.LinkButton(turned, "https://example.org/")),
        (m.Select("s", "Choose", (m.Choice("x", turned, turned),)),),
    )
    html = drawn(*blocks, controls=controls)
    assert RLO not in html
    assert RLI not in html
    assert "Turned" in html


def test_a_line_in_another_language_is_read_in_its_own_direction():
    """A nested element with a direction of its own is not looked at by `dir=auto`."""
    line = m.Paragraph((m.Bold((m.Foreign((m.Plain("ما هو؟"),), "ar"),)),))
    assert drawn(line) == '<p dir="auto" lang="ar"><strong>ما هو؟</strong></p>'


def test_line_breaks_are_kept():
    assert drawn(m.Paragraph((m.Plain("one\ntwo"),))) == '<p dir="auto">one<br>two</p>'


def test_an_instant_carries_itself_and_words_for_who_has_no_script():
    at = datetime(2026, 11, 30, 12, 0, 48, tzinfo=UTC)
    html = drawn(m.Small((m.When(at, "relative", "48 s"),)))
    assert '<time datetime="2026-11-30T12:00:48+00:00" data-style="relative">48 s</time>' in html


def test_answer_buttons_have_keys_and_no_hint_of_what_is_right():
    html = message(question(), lambda path: None)
    assert html.count('aria-keyshortcuts="') == 4
    assert 'data-token="answer:1:B" data-key="B"' in html
    assert "right" not in html.lower()


def test_a_reveal_says_in_words_what_its_bars_draw():
    html = message(reveal(), lambda path: None)
    assert "<svg aria-hidden" in html
    assert "A 2 · B 9 · C 1 · D 0</figcaption>" in html


def test_marks_are_said_in_the_language_of_the_message():
    option = m.Option("A", (m.Paragraph((m.Plain("22"),)),), "chosen-right")
    html = drawn(m.Options((option,), "sn"), language="fr")
    assert '<p class="mark" lang="fr">' in html


def test_a_board_keeps_names_apart_and_each_with_its_note():
    html = message(board(), lambda path: None)
    assert '<bdi>Inès</bdi><span class="note"> (11 of 12)</span>, <bdi>Kenji</bdi>, <bdi>' in html
    assert '<bdi>Rumbidzai</bdi>, <span class="note">and 9 more</span>' in html


def test_a_picture_is_shown_by_its_address_and_described_where_it_has_none():
    picture = m.Picture("/banks/net/images/ssh.png", "A door", "en")
    shown = message(m.Message((picture,)), lambda path: "/picture/net/images/ssh.png")
    assert 'src="/picture/net/images/ssh.png" alt="A door"' in shown
    assert "/banks/net" not in shown
    assert drawn(picture) == '<p class="small" lang="en" dir="auto">A door</p>'


def test_a_select_needs_a_press_of_its_own():
    chosen = m.Select("t", "Language", (m.Choice("sn", "chiShona"),), None)
    html = drawn(controls=((chosen,),))
    assert 'data-pick="t"' in html
    assert '<option value="">Language</option>' in html


def test_a_forms_errors_stand_at_their_fields():
    html = form(settings((("zone", "I do not know this zone."),)), [], [])
    assert 'aria-invalid="true" aria-describedby="hint-zone wrong-zone"' in html
    assert '<p class="wrong" id="wrong-zone" dir="auto">I do not know this zone.</p>' in html


def test_an_error_at_no_field_is_shown_all_the_same():
    html = form(settings((("?", "Only organisers may."),)), [], [])
    assert '<div role="alert"><p class="wrong">Only organisers may.</p></div>' in html


def test_people_are_offered_by_the_id_that_gives_no_secret_away():
    html = form(settings(), [m.Choice("id-1", "Tariro <3")], [])
    assert '<option value="id-1">Tariro &lt;3</option>' in html


@pytest.mark.parametrize(
    ("tag", "written"),
    [("ar", "rtl"), ("he", "rtl"), ("sn", "ltr"), ("pt-BR", "ltr"), ("?", "auto")],
)
def test_the_direction_of_a_language_is_known(tag, written):
    assert direction(tag) == written


def test_markup_is_only_what_was_made_as_such():
    assert el("p", {"title": '"', "hidden": False}, "<", el("b", None, "x"), None) == (
        '<p title="&quot;">&lt;<b>x</b></p>'
    )
