"""What messages become on Slack: within its limits, and literal whatever they hold."""

from __future__ import annotations

import html
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import slack_reading as reading
from any_bank import HOSTILE, NOW, WORST, all_messages, step_of, steps
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from stand_in_slack_rules import EPHEMERAL, POST, faults_of_message, faults_of_view

from adapters.slack import home, render
from adapters.text import cleaned
from bot import messages as m
from bot.state import Step
from bot.wording import questions
from bot.wording.catalogues import languages
from bot.wording.pieces import Reader as Person
from bot.wording.voice import Voice

LONGEST = 9_000
"""Slack refuses what is longer than it will say; this is well below what was seen refused."""


def faults(message: m.Message) -> list[str]:
    """What Slack would refuse: of its pages, and of the one message that stands in a channel."""
    one = render.on_one(message)
    found = faults_of_message({**payload(one), **render.LITERAL}, where=POST)
    found += ["edits take less"] * (len(one.text) > 4_000)
    for page in [*render.message(message), one]:
        found += faults_of_message(payload(page), where=EPHEMERAL)
        found += ["too long"] * (size(page) >= LONGEST)
    return found + faults_of_view(home.view([message]))


def payload(drawn: render.Drawn) -> dict[str, Any]:
    return {"blocks": drawn.blocks, "text": drawn.text}


def size(drawn: render.Drawn) -> int:
    return sum(
        len(one[key])
        for one in reading.elements(drawn.blocks)
        for key in ("text", "alt_text")
        if isinstance(one.get(key), str)
    )


def blocks(*given: m.Block, language: str = "en") -> list[dict[str, Any]]:
    (page,) = render.message(m.Message(given, language=language))
    return page.blocks


def read(*given: m.Block, language: str = "en") -> str:
    return reading.words(blocks(*given, language=language))


def rich(*spans: m.Span, language: str = "en") -> list[dict[str, Any]]:
    """The elements of one paragraph."""
    (block,) = blocks(m.Paragraph(spans), language=language)
    (section,) = block["elements"]
    elements: list[dict[str, Any]] = section["elements"]
    return elements


def context(*spans: m.Span) -> dict[str, Any]:
    """A small line, where it needs no more than a context can hold."""
    (block,) = blocks(m.Small(spans))
    assert block["type"] == "context", block
    (element,) = block["elements"]
    found: dict[str, Any] = element
    return found


def words(text: str) -> m.Spans:
    return (m.Plain(text),)


def actions(message: m.Message) -> list[list[dict[str, Any]]]:
    return [one["elements"] for one in render.on_one(message).blocks if one["type"] == "actions"]


# --- any bank --------------------------------------------------------------------------------


@given(step=steps())
@example(step=step_of(WORST, "t" * 200))
@settings(max_examples=15, suppress_health_check=list(HealthCheck))
def test_whatever_a_bank_holds_slack_takes_it_in_every_language(step: Step):
    for language in {*languages(), *step.question.texts}:
        for message in all_messages(step, language):
            assert faults(message) == []


@given(step=steps())
@example(step=step_of(WORST, "t" * 200))
@settings(max_examples=15, suppress_health_check=list(HealthCheck))
def test_whatever_a_bank_holds_nobody_is_called_and_all_of_it_can_be_read(step: Step):
    for message in all_messages(step, step.question.language):
        pages = render.message(message)
        assert [reading.mentions(page.blocks) for page in pages] == [[]] * len(pages)
        said = _no_gaps("".join(reading.words(page.blocks) for page in pages))
        told = _no_gaps("".join(html.unescape(page.text) for page in pages))
        for text in _texts(message):
            assert text in said
            assert text in told


@given(step=steps())
@example(step=step_of(WORST, "t" * 200))
@settings(max_examples=30, suppress_health_check=list(HealthCheck))
def test_options_that_are_different_are_so_however_short_they_are_cut(step: Step):
    for language in step.question.texts:
        reader = Person(language, Voice.of(language))
        message = questions.public_question(step, None, reader, 1, step.cutoff_at, NOW)
        (whole,) = (block for block in message.blocks if isinstance(block, m.Options))
        if len({m.plain_text(m.Message(one.body)) for one in whole.options}) < len(whole.options):
            continue  # They differ in what is no word alone, such as emphasis.
        shown = reading.options(render.on_one(message).blocks)
        assert len(set(shown.values())) == len(whole.options), shown


@given(st.text(st.characters(exclude_categories=("Cs", "Co"), exclude_characters="\r")))
@example("\n".join(text[:150] for text in HOSTILE))
@example("&amp; &lt;b&gt; :smile: <!channel>\x00\x1b[1m")
def test_literal_text_is_read_as_it_was_written(text: str):
    written = cleaned(text).replace("\u200b", "").replace("\u2002", "  ")
    if not written.strip():
        return
    # Contexts hold less, and code loses the lines around it that have nothing on them.
    assert read(m.Paragraph(words(text))) == written
    assert read(m.Small(words(text))) == written
    assert read(m.CodeBlock(text)).strip("\n") == written.strip("\n")
    linked = m.Small((*words(text), m.Link(words("b"), "https://x.org")))
    assert read(linked) == f"{written}b"


def _texts(message: m.Message) -> list[str]:
    """The texts of a message that people came for."""
    found = [
        block.text if isinstance(block, m.CodeBlock) else m.text_of(block.spans)
        for part in message.blocks
        for block in ([*_bodies(part)] if isinstance(part, m.Options) else [part])
        if isinstance(block, m.Paragraph | m.Small | m.CodeBlock) and not _has_live_parts(block)
    ]
    return list(map(_no_gaps, found))


def _bodies(options: m.Options) -> list[m.Paragraph | m.CodeBlock]:
    return [block for option in options.options for block in option.body]


def _has_live_parts(block: m.Block) -> bool:
    return "When(" in repr(block) or "Link(" in repr(block)


def _no_gaps(text: str) -> str:
    return "".join(cleaned(text).replace("\u200b", "").split())


# --- what signs become -----------------------------------------------------------------------


def test_what_means_something_in_slack_stays_what_was_written():
    text = "a_b*c* `x` <!channel> <@U1> &amp; :smile: > q"
    assert rich(m.Plain(text)) == [{"type": "text", "text": text}]
    small = context(m.Plain(text))
    assert small == {
        "type": "plain_text",
        "text": text.replace("&amp;", "&\u200bamp;"),
        "emoji": False,
    }


def test_words_for_notifications_are_escaped_once():
    (page,) = render.message(m.Message((m.Paragraph(words("a & b <!here> &amp; *c*")),)))
    assert page.text == "a &amp; b &lt;!here&gt; &amp;amp; *c*"


def test_a_small_line_with_an_instant_tells_it_in_the_readers_own_clock():
    at = int(NOW.timestamp())
    line = (m.Plain("7 answered & closes "), m.When(NOW, "relative", "in 48 s"))
    assert context(*line) == {
        "type": "mrkdwn",
        "text": f"7 answered &amp; closes in 48 s (<!date^{at}^{{time_secs}}|09:00:00 UTC>)",
        "verbatim": True,
    }
    assert rich(*line)[1:] == [
        {
            "type": "date",
            "timestamp": at,
            "format": "{time_secs}",
            "fallback": "09:00:00 UTC",
        },
        {"type": "text", "text": ")"},
    ]
    other = [rich(m.When(NOW, style, "x"))[0]["format"] for style in ("time", "date")]
    assert other == ["{time}", "{date_short}"]


@pytest.mark.parametrize("text", ["snake_case", "*", "`x`", ":smile:", "a\n> b", "~a~"])
def test_a_small_line_that_a_context_cannot_hold_literally_is_drawn_as_rich_text(text: str):
    title = m.Link(words(text), "https://x.org")
    for parts in ((m.Plain(f"{text} "), m.When(NOW, "time", "x")), (m.Plain("a\n> b"), title)):
        (block,) = blocks(m.Small(parts))
        assert block["type"] == "rich_text"


def test_weight_code_and_links_are_styles_and_no_signs():
    inner = m.Bold((m.Plain("a"), m.Emphasis((m.Plain("b"), m.Code("c\nd")))))
    assert rich(inner, m.Plain("e")) == [
        {"type": "text", "text": "a", "style": {"bold": True}},
        {"type": "text", "text": "b", "style": {"bold": True, "italic": True}},
        {"type": "text", "text": "c d", "style": {"bold": True, "italic": True, "code": True}},
        {"type": "text", "text": "e"},
    ]
    assert rich(m.Link(words("RFC 1"), "https://x.org/a(b) c|d")) == [
        {"type": "link", "url": "https://x.org/a%28b%29%20c%7Cd", "text": "RFC 1"}
    ]
    assert rich(m.Link(words("no"), "javascript:alert(1)")) == [{"type": "text", "text": "no"}]


def test_a_link_that_looks_like_another_shows_where_it_leads():
    drawn = rich(m.Link(words("https://other.org"), "https://x.org"))
    assert drawn == [
        {"type": "text", "text": "https://other.org ("},
        {"type": "link", "url": "https://x.org"},
        {"type": "text", "text": ")"},
    ]


def test_a_name_calls_nobody_and_turns_nothing():
    drawn = rich(m.Name("<@U1>\n\u202e*a*"), m.Plain(" won"))
    assert drawn == [{"type": "text", "text": "\u2068<@U1> *a*\u2069 won"}]
    ranking = m.Ranking((m.Rank(1, ("Ana", "B*n"), 30, "and 1 more", ("2 of 3", "")),))
    assert read(ranking) == "1. Ana (2 of 3), B*n, and 1 more: 30"


def test_a_language_that_runs_the_other_way_is_set_apart():
    foreign = m.Foreign((m.Plain("a "), m.Bold((m.Plain("مرحبا"),))), "ar")
    assert [one["text"] for one in rich(foreign)] == ["\u2068a ", "مرحبا", "\u2069"]
    assert context(m.Foreign(words("مرحبا"), "ar"))["text"] == "\u2068مرحبا\u2069"
    assert rich(m.Foreign(words("Bonjour"), "fr")) == [{"type": "text", "text": "Bonjour"}]


def test_a_channel_is_a_link_where_it_is_one():
    place = m.PlaceName("C0123ABC", "#team")
    assert rich(place) == [{"type": "channel", "channel_id": "C0123ABC"}]
    assert context(place)["text"] == "<#C0123ABC>"
    for elsewhere in (m.PlaceName("D012", "#team"), m.PlaceName("C1|<!here>", "#team")):
        assert rich(elsewhere) == [{"type": "text", "text": "#team"}]


# --- what messages become --------------------------------------------------------------------


def test_a_question_is_told_by_its_letters_and_code_keeps_its_lines():
    code = m.Option("B", (m.Paragraph(words("Either")), m.CodeBlock("a_b *c*\n  d", "py")))
    shown = m.Options((m.Option("A", (m.Paragraph(words("22")),), "chosen-right"), code), "en")
    above = (m.Heading(words("Bank · question 3 of 8")), m.Paragraph((m.Bold(words("Why?")),)))
    top, question = blocks(*above, shown)
    assert [top["type"], question["type"]] == ["context", "rich_text"]
    assert reading.words([question]).startswith("Why?\n\nA  22 (Your answer, and right)\nB  Either")
    assert reading.options([question]) == {
        "A": "22 (Your answer, and right)",
        "B": "Either\na_b *c*\n  d",
    }
    assert question["elements"][-1]["type"] == "rich_text_preformatted"


def test_paragraphs_and_code_stand_apart_as_people_write_them():
    (block,) = blocks(
        m.Paragraph(words("a")), m.Paragraph(words("b")), m.CodeBlock("c"), m.Paragraph(words(" ")),
        m.Paragraph(words("d")),
    )  # fmt: skip
    kinds = [part["type"] for part in block["elements"]]
    assert kinds == ["rich_text_section", "rich_text_preformatted", "rich_text_section"]
    assert reading.words([block]) == "a\n\nb\nc\nd"


def test_a_heading_that_stands_alone_is_one():
    (block,) = blocks(m.Heading(words("12 people & <more>")))
    assert block["type"] == "header"
    (long,) = blocks(m.Heading(words("x" * 151)))
    assert long["elements"][0]["elements"] == [
        {"type": "text", "text": "x" * 151, "style": {"bold": True}}
    ]


def test_who_hears_a_message_hears_the_spread_in_words_and_no_bars():
    spread = m.Spread((m.Bar("A", 3, True), m.Bar("B", 1, False)), "A 3 · B 1")
    (page,) = render.message(m.Message((spread,)))
    assert page.text == "A 3 · B 1"
    assert "▇" in reading.words(page.blocks)


def test_a_picture_is_shown_where_slack_has_it_and_else_described(tmp_path: Path):
    file = tmp_path / "a.PNG"
    file.write_bytes(b"\x89PNG\r\n\x1a\n")
    picture = m.Picture(str(file), "Two *pipes*", "en")
    message = m.Message((picture, m.Picture(str(tmp_path / "gone.png"), "x", "en")))
    assert render.pictures(message) == (picture,)
    (page,) = render.message(m.Message((picture,)), {str(file): "F1"})
    assert page.blocks == [{"type": "image", "slack_file": {"id": "F1"}, "alt_text": "Two *pipes*"}]
    assert page.text == "Two *pipes*"
    assert read(picture) == "Two *pipes*"


# --- what is too long ------------------------------------------------------------------------


def question_of(step: Step) -> m.Message:
    reader = Person("en", Voice.of("en"))
    return questions.public_question(step, None, reader, 1, step.cutoff_at, NOW)


def test_a_question_that_is_cut_says_which_button_shows_all_of_it():
    message = question_of(step_of(WORST, "t"))
    drawn = render.on_one(message)
    note = "Shortened to fit. The button “Language” shows you all of it."
    assert note in reading.words(drawn.blocks)
    assert note in drawn.text
    assert len(actions(message)[0]) == 10


def test_pages_are_counted_and_the_last_one_has_the_buttons():
    pages = render.message(question_of(step_of(WORST, "t")))
    assert len(pages) == 2
    last = [reading.words(page.blocks).splitlines()[-1] for page in pages]
    assert last == ["Page 1 of 2", "Page 2 of 2"]
    kinds = [{block["type"] for block in page.blocks} for page in pages]
    assert ["actions" in kind for kind in kinds] == [False, True]


def test_no_page_has_the_last_line_alone():
    lines = tuple(m.Paragraph(words("x" * 980)) for _ in range(9))
    pages = render.message(m.Message(lines))
    lengths = [len(page.text) for page in pages]
    assert len(pages) == 2
    assert min(lengths) > max(lengths) * 0.7


def test_what_can_be_chosen_takes_its_room_of_the_last_page():
    choices = tuple(m.Choice(str(n), "c" * 75, "d" * 75) for n in range(25))
    two = (m.Paragraph(words("x" * 4_000)), m.Paragraph(words("y" * 4_000)))
    message = m.Message(two, ((m.Select("s", "Choose", choices),),))
    assert faults(message) == []
    assert len(render.message(message)) == 2


def test_very_many_blocks_are_told_on_several_pages_and_on_one_cut():
    lines = [(m.Paragraph(words(f"line {n}")), m.Small(words(f"note {n}"))) for n in range(60)]
    many = m.Message(tuple(block for both in lines for block in both))
    assert faults(many) == []
    assert render.on_one(many).text.endswith("Shortened to fit.")
    pages = render.message(many)
    for n in range(60):
        assert sum(f"line {n}\nnote {n}\n" in f"{page.text}\n" for page in pages) == 1


# --- controls --------------------------------------------------------------------------------


def test_the_letters_are_one_row_and_say_their_option_to_who_hears_them():
    letters = tuple(m.Button(c, f"an.{c}", "answer", f"{c}: {'word ' * 20}") for c in "ABCDEFG")
    rows = actions(m.Message((), (letters[:5], letters[5:], (m.Button("More", "m.1"),))))
    assert [len(row) for row in rows] == [7, 1]
    first = rows[0][0]
    assert first["text"] == {"type": "plain_text", "text": "A", "emoji": False}
    assert first["accessibility_label"].startswith("A: word word")
    assert len(first["accessibility_label"]) <= 75
    assert "accessibility_label" not in rows[1][0]


def test_of_buttons_that_do_the_same_the_first_one_stays():
    one = m.Button("Language", "pl.0")
    rows = actions(m.Message((), ((one, m.Button("More", "m.1")), (one,))))
    assert [[button["action_id"] for button in row] for row in rows] == [["pl.0", "m.1"]]


def test_labels_are_plain_cut_and_never_empty():
    control = (
        m.Button("x" * 100, "a"), m.Button(" \u202e", "b"), m.Button("a & <b>\n&lt;", "c"),
        m.LinkButton("y", "ftp://x"), m.LinkButton("z", "https://x.org"),
    )  # fmt: skip
    (row,) = actions(m.Message((), (control,)))
    labels = [button["text"]["text"] for button in row]
    assert labels == ["x" * 74 + "…", "…", "a & <b> &\u200blt;", "z"]
    assert row[-1]["url"] == "https://x.org"


def test_a_select_has_a_value_once_and_what_is_chosen():
    choices = tuple(m.Choice(str(n % 120), f"Choice {n}", "d" * 200) for n in range(130))
    message = m.Message((), ((m.Select("s", "p" * 200, choices, "3"),),))
    ((select,),) = actions(message)
    assert len(select["options"]) == 100
    assert select["initial_option"] == select["options"][3]
    assert faults(m.Message((), ((m.Select("s", "p", choices[:25]),),))) == []


def test_many_rows_are_put_together():
    rows = tuple((m.Button(str(n), str(n)),) for n in range(9))
    message = m.Message((m.Paragraph(words("x")),), rows)
    assert sum(map(len, actions(message))) == 9
    assert faults(message) == []


def test_a_message_of_buttons_alone_is_heard_too():
    (page,) = render.message(m.Message((), ((m.Button("Continue", "a"),),)))
    assert page.text == "Continue"
    assert faults(m.Message(())) == []


def test_the_home_shows_messages_below_one_another():
    message = m.Message((m.Heading(words("Hello")),), ((m.Button("Try", "t"),),))
    view = home.view([message, replace(message, controls=())], "carried")
    kinds = [block["type"] for block in view["blocks"]]
    assert kinds == ["header", "actions", "divider", "header"]
    assert view["private_metadata"] == "carried"
    assert faults_of_view(home.view([message] * 60)) == []
    assert len(home.view([message] * 60)["blocks"]) == 98
