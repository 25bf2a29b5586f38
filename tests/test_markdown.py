"""Bank texts become spans and blocks; what is no common Markdown stays as it was typed."""

from __future__ import annotations

import pytest
from costs import turns
from hypothesis import example, given
from hypothesis import strategies as st

from bot.markdown import blocks_of, first_sentence, spans_of, words_of
from bot.messages import Bold, Code, CodeBlock, Emphasis, Link, Paragraph, Plain, Spans, text_of


def p(*spans: Plain | Bold | Code | Emphasis | Link) -> Paragraph:
    return Paragraph(spans)


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("plain", (Plain("plain"),)),
        ("*a* _b_", (Emphasis((Plain("a"),)), Plain(" "), Emphasis((Plain("b"),)))),
        ("**a *b* c**", (Bold((Plain("a "), Emphasis((Plain("b"),)), Plain(" c"))),)),
        ("`a_b*c`", (Code("a_b*c"),)),
        ("`` a`b ``", (Code("a`b"),)),
        ("[a **b**](https://x.y/z)", (Link((Plain("a "), Bold((Plain("b"),))), "https://x.y/z"),)),
        ("[](http://x.y)", (Link((Plain("http://x.y"),), "http://x.y"),)),
        ("a\nb", (Plain("a\nb"),)),
        ("a  \nb\\\nc", (Plain("a\nb\nc"),)),
        (r"\*a\* \`b\` \$", (Plain("*a* `b` $"),)),
    ],
)
def test_the_small_common_part_is_read(text: str, spans: Spans) -> None:
    assert blocks_of(text) == (Paragraph(spans),)


@pytest.mark.parametrize(
    "text",
    [
        "# no heading",
        "- no\n- list",
        "1. no list",
        "> no quote",
        "<b>no</b> <script>markup</script> &amp; &quot;",
        "![no](http://x.y/picture.png)",
        "| no | table |",
        "no\n---\nrule\n***",
        "http://no.link and <http://x.y>",
        "[no](javascript:alert(1)) [no](//x.y) [no](file:///etc) [no](data:text/html,x)",
        "[no][reference]",
        "~~no~~ ||no|| @everyone <@1> :smile:",
        "a_b*c",
        "___ is the blank",
        "a * b * c",
        "5 < 6 && x | y",
        "a \\ b",
        "$a_1 * b_2$ and $x*y$",
        "$$\\sum_{i=1}^n *x_i*$$",
        "$5 and $10",
        "$ alone",
    ],
)
def test_everything_else_is_literal(text: str) -> None:
    assert blocks_of(text) == (p(Plain(text)),)


def test_emphasis_around_formulas_and_prices_is_read() -> None:
    assert blocks_of("*a* $b*c*d$ *e*") == (
        p(Emphasis((Plain("a"),)), Plain(" $b*c*d$ "), Emphasis((Plain("e"),))),
    )
    assert blocks_of("$5 *or* $6") == (p(Plain("$5 "), Emphasis((Plain("or"),)), Plain(" $6")),)
    assert blocks_of("`$a` *b* $") == (
        p(Code("$a"), Plain(" "), Emphasis((Plain("b"),)), Plain(" $")),
    )


def test_blocks_are_paragraphs_and_fenced_code() -> None:
    text = "What prints\n\n```python\nif x:\n    y = '*'\n```\nthen?\n~~~\n\n$a$\n~~~\n"
    assert blocks_of(text) == (
        p(Plain("What prints")),
        CodeBlock("if x:\n    y = '*'", "python"),
        p(Plain("then?")),
        CodeBlock("\n$a$"),
    )


@pytest.mark.parametrize("text", ["", " ", "\n\n", "\t"])
def test_a_blank_text_has_no_blocks(text: str) -> None:
    assert blocks_of(text) == ()
    assert spans_of(text) == ()
    assert first_sentence(text) == ("", "")


def test_one_line_holds_all_blocks() -> None:
    assert spans_of("a  *b\nc*\n\nd `e  f`\n```py\ng\nh\n```") == (
        Plain("a  "),
        Emphasis((Plain("b c"),)),
        Plain(" d "),
        Code("e  f"),
        Plain(" "),
        Code("g h"),
    )


def test_deep_emphasis_keeps_its_words() -> None:
    deep = "*a **b " * 300 + "c** d* " * 300
    assert words_of(deep).split() == ["a", "b"] * 300 + ["c", "d"] * 300


@given(st.text() | st.text("*_`$[]()!\\~<>#- ab\n", max_size=60))
@example("*a\n\n*")
@example("```")
@example("[a](http://[)")
@example("[a](http://\ud800.b)")
def test_any_text_is_read_and_its_letters_are_kept(text: str) -> None:
    letters = [sign for sign in text if sign.isalpha() and sign not in "\ufffd"]
    if not set(text) & set("[`~&\0"):  # addresses of links and names of code languages are not read
        assert [sign for sign in words_of(text) if sign.isalpha()] == letters
    line = text_of(spans_of(text))
    assert "\n" not in line


HOSTILE = r"""
$ ` * _ [ ] \ ! $\ *a_ **a* []( [a]( ![ [a](http://x [a](<| [a](http://(( [a](http://x|" ```^ ~~~|^
>| a.|A **a.|A* a^ $a| *a|**b| $a.| `a`` e.g.| .| a.|B| ?!
"""


@pytest.mark.parametrize("sign", HOSTILE.split())
def test_hostile_texts_take_linear_time(sign: str) -> None:
    unit = sign.replace("|", " ").replace("^", "\n")
    text = unit * (16_000 // len(unit))
    cost = turns(lambda: (blocks_of(text), spans_of(text), first_sentence(text[:4_000])))
    assert cost < 150


# --- sentences ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "One stage works at a time. | The rest waits.",
        "Is it? | Yes.",
        "It is! | Really.",
        "Use a cache, e.g. Redis, for it. | Then wait.",
        "That is, i.e. Python 3.11, newer. | Upgrade.",
        "It takes 3.5 ms. | Not 35.",
        "The port is 22. | FTP uses 21.",
        "See Fig. 3 and Sec. 4.2. | It helps.",
        "Donald E. Knuth wrote it. | He did.",
        "D. E. Knuth wrote it. | He did.",
        "Right is C. | It is idle time.",
        "1. First do this. | Then that.",
        "Yahoo! is a name. | So is this.",
        "Wait... then go on. | Stop.",
        "So it ends… | Another begins.",
        'He said "stop." | Then he went.',
        "(All of it.) | The rest.",
        "The answer is no. | Then ask again.",
        "No. 5 and vol. 2 say so. | Others do not.",
        "Files, pipes etc. are one. | Sockets too.",
        "It knows files, pipes etc. | Sockets too.",
        "Das ist z. B. Python. | Und mehr.",
        "Siehe Abb. 3 bzw. Tab. 4. | Danach weiter.",
        "C'est le cas, p. ex. Python. | La suite.",
        "¿Es así? | ¡Sí!",
        "他等待。|然后继续。",
        "「待つ。」|次へ。",
        "वह रुकता है। | फिर चलता है।",
        "هل هذا صحيح؟ | نعم.",
        "Բարև։ | Ինչպես ես։",
        "**All of it. Bold.** | The rest.",
        "Say **now.** | Then wait.",
        "Call `a. B` first. | Then `c`.",
        "Take $a. B$ first. | Then $c$.",
        "Read [the guide. All](http://x.y). | Then play.",
        "It is so. | **Then** this.",
        "No end at all | ",
        "One. | ",
        "5! = 120 is true. | Next.",
        "First part\nof a line. | Second.",
        "A title|\n\nA paragraph. More.",
        "Before|\n```\ncode. Here\n```\nafter",
        "|```\ncode. Here\n```\nafter",
    ],
)
def test_the_first_sentence_ends_where_a_reader_would_pause(text: str) -> None:
    first, rest = text.split("|")
    assert first_sentence(first + rest) == (first.strip(), rest.strip())


def test_what_follows_the_first_paragraph_stays_apart() -> None:
    assert first_sentence("One. Two.\n\nThree.") == ("One.", "Two.\n\nThree.")


@given(st.text("ab .!?*_`$[]()\n。A", max_size=80) | st.text())
def test_nothing_is_lost_between_first_sentence_and_rest(text: str) -> None:
    first, rest = first_sentence(text)
    assert "".join((first + rest).split()) == "".join(text.split())
    assert first == first.strip()
    assert rest == rest.strip()
