"""What messages and forms become on Discord: within its limits, and literal whatever they hold."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import stand_in_discord_description as description
from any_bank import HOSTILE, NOW, WORST, all_messages, step_of, steps
from discord_reading import Reader
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from stand_in_discord_component_rules import check_modal, walk
from stand_in_discord_rules import COMPONENTS_V2, IN_REPLY, check_message

from adapters.discord import forms, markup, render
from bot import messages as m
from bot.ports import Abilities
from bot.state import Place, Step
from bot.wording import questions
from bot.wording import settings as setting_words
from bot.wording.catalogues import languages
from bot.wording.pieces import Reader as Person
from bot.wording.voice import Voice

READ = Reader(NOW)
SPEC = description.find()


def payload(drawn: render.Drawn) -> dict[str, Any]:
    return {
        "components": drawn.components,
        "flags": COMPONENTS_V2,
        "allowed_mentions": {"parse": []},
    }


def faults(message: m.Message) -> list[object]:
    """What Discord would refuse."""
    drawn = render.message(message)
    sent = payload(drawn)
    found: list[object] = [
        *check_message(sent, flags=IN_REPLY, files=[f.name for f in drawn.files])
    ]
    if SPEC is not None:
        found += SPEC.request("POST", "/channels/{channel_id}/messages", sent)
    # Whichever way Discord counts.
    texts = [one["content"] for _, one in walk(drawn.components) if one["type"] == 10]
    if sum(map(markup.units, texts)) > 4000:
        found.append("too long")
    return found


def text_of(*blocks: m.Block, language: str = "en") -> str:
    components = render.message(m.Message(blocks, language=language)).components
    return "\n".join(one["content"] for _, one in walk(components) if one["type"] == 10)


def read(*blocks: m.Block, language: str = "en") -> str:
    return READ.plain(text_of(*blocks, language=language))


# --- any bank --------------------------------------------------------------------------------


@given(step=steps())
@example(step=step_of(WORST, "t" * 200))
@settings(max_examples=15, suppress_health_check=list(HealthCheck))
def test_whatever_a_bank_holds_discord_takes_it_in_every_language(step: Step):
    for language in {*languages(), *step.question.texts}:
        for message in all_messages(step, language):
            assert faults(message) == []


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
        shown = [
            READ.options(one["content"])
            for _, one in walk(render.message(message).components)
            if one["type"] == 10 and one["content"].startswith("**A**")
        ]
        assert len(set(shown[0].values())) == len(whole.options), shown


@given(st.text(st.characters(exclude_categories=("Cs", "Cc", "Co"), include_characters="\n")))
@example("\n".join(HOSTILE))
def test_literal_text_is_read_as_it_was_written(text: str):
    assert READ.plain(markup.escaped(text)) == markup.cleaned(text).replace("\u200b", "").replace(
        "\u2002", "  "
    )


# --- what signs become -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("a_b*c `x`", r"a\_b\*c \`x\`"),
        ("<@123> @everyone", r"\<@123> \@everyone"),
        ("# a\n> b\n- c\n1. d", "\\# a\n\\> b\n\\- c\n1\\. d"),
        ("https://a_b.c :smile: 12:30", r"https\://a\_b.c \:smile: 12:30"),
        ("[a](b) ||x||", r"\[a\](b) \|\|x\|\|"),
        ("a\u202eb\x00c", "abc"),
    ],
)
def test_signs_that_mean_something_are_escaped(text: str, drawn: str):
    assert markup.escaped(text) == drawn


def test_code_is_kept_and_cannot_end_its_fence():
    assert text_of(m.CodeBlock("a_b *c*\n  d", "py")) == "```py\na_b *c*\n  d\n```"
    fenced = text_of(m.CodeBlock("x\n```\n@everyone", "no language"))
    assert fenced.startswith("```\nx\n")
    assert fenced.count("```") == 2
    assert text_of(m.Paragraph((m.Code("a`b"),))) == "``a`b``"


def test_instants_are_told_in_the_readers_own_clock():
    at = int(NOW.timestamp())
    parts = [m.When(NOW, style, "x") for style in ("time", "date")]
    assert text_of(m.Paragraph(tuple(parts))) == f"<t:{at}:t><t:{at}:D>"


@pytest.mark.parametrize("language", languages())
def test_a_countdown_says_in_only_once(language: str):
    """Discord's own says it in the client's language; elsewhere the countdown's words do."""
    voice = Voice.of(language)
    countdown = voice.until(NOW, NOW)
    first = countdown.text.split()[0]
    assert not first[0].isdigit()
    for sentence in ("closes {time}", "Next question {time}"):
        drawn = text_of(m.Small(voice.say(sentence, time=countdown)), language=language)
        before, _, after = drawn.partition(f"<t:{int(NOW.timestamp())}:R>")
        assert (after, before.split()[-1] == first) == ("", False)


def test_a_name_calls_nobody_and_turns_nothing():
    name = text_of(m.Paragraph((m.Name("@everyone\n\u202e*a*"), m.Plain(" won"))))
    assert name == "\u2068\\@everyone \\*a\\*\u2069 won"
    assert read(m.Ranking((m.Rank(1, ("Ana", "B*n"), 30, "and 1 more", ("2 of 3", "")),))) == (
        "1. Ana (2 of 3), B*n, and 1 more: 30"
    )


def test_a_language_that_runs_the_other_way_is_set_apart():
    assert "\u2068مرحبا\u2069" in text_of(m.Paragraph((m.Foreign((m.Plain("مرحبا"),), "ar"),)))
    assert "\u2068" not in text_of(m.Paragraph((m.Foreign((m.Plain("Bonjour"),), "fr"),)))


def test_places_and_links():
    place = m.PlaceName("123456789012345678", "#general")
    assert (
        text_of(m.Paragraph((place, m.PlaceName("x", "#room")))) == "<#123456789012345678>\\#room"
    )
    link = m.Link((m.Plain("RFC_1"),), "https://x.org/a(b) c")
    assert text_of(m.Paragraph((link,))) == r"[RFC\_1](<https://x.org/a%28b%29%20c>)"
    assert text_of(m.Paragraph((m.Link((m.Plain("no"),), "javascript:alert(1)"),))) == "no"
    shown = m.Link((m.Plain("https://other.org"),), "https://x.org")
    assert text_of(m.Paragraph((shown,))) == r"https\://other.org (<https://x.org>)"


def test_marks_beside_each_other_are_not_read_as_one():
    both = (m.Bold((m.Plain("a"),)), m.Emphasis((m.Plain("b"),)))
    assert text_of(m.Paragraph(both)) == "**a**\u200b*b*"
    assert text_of(m.Paragraph((m.Bold((m.Plain(" a "), m.Bold((m.Plain("b"),)))),))) == " **a b**"


# --- controls, pictures, forms ---------------------------------------------------------------


def buttons(message: m.Message) -> list[list[dict[str, Any]]]:
    return [
        one["components"] for _, one in walk(render.message(message).components) if one["type"] == 1
    ]


def test_of_buttons_that_do_the_same_the_first_one_stays():
    one = m.Button("Language", "pl.0")
    rows = buttons(m.Message((), ((one, m.Button("More", "m.1")), (one,))))
    assert [[button["label"] for button in row] for row in rows] == [["Language", "More"]]


def test_labels_are_cut_and_never_empty():
    control = (
        m.Button("x" * 100, "a"), m.Button(" \u202e", "b"), m.Button("Langue\u00a0: \n x", "c"),
        m.LinkButton("y", "ftp://x"),
    )  # fmt: skip
    (row,) = buttons(m.Message((), (control,)))
    assert [button["label"] for button in row] == ["x" * 79 + "…", "…", "Langue\u00a0: x"]


def test_what_is_chosen_stands_in_a_list_that_is_too_long():
    given = tuple(m.Choice(str(number), f"No. {number}") for number in range(60))
    field = m.ChoiceField("language", "Language", given, "59")
    [label] = forms.modal(m.Form("t", "Posts", (field,), "Save"))["components"]
    options = label["component"]["options"]
    assert [len(options), options[0]["value"]] == [25, "0"]
    assert [one["value"] for one in options if one.get("default")] == ["59"]


def test_a_select_has_a_value_once_and_25_at_most():
    choices = tuple(m.Choice(str(n % 30), f"Choice {n}", "d" * 200) for n in range(60))
    (row,) = buttons(m.Message((), ((m.Select("s", "p" * 200, choices, "3"),),)))
    assert [len(row[0]["options"]), len(row[0]["placeholder"])] == [25, 150]
    assert faults(m.Message((), ((m.Select("s", "p", choices),),))) == []


def test_many_rows_are_put_together():
    rows = tuple((m.Button(str(n), str(n)),) for n in range(9))
    assert sum(map(len, buttons(m.Message((), rows)))) == 9
    assert faults(m.Message((m.Paragraph((m.Plain("x"),)),) * 60, rows)) == []


def test_a_picture_is_sent_along_and_else_described(tmp_path: Path):
    file = tmp_path / "a b.PNG"
    file.write_bytes(b"\x89PNG\r\n\x1a\n")
    shown = render.message(m.Message((m.Picture(str(file), "Two *pipes*", "en"),)))
    assert [(one.path, one.name, one.alt) for one in shown.files] == [
        (file, "picture.png", "Two *pipes*")
    ]
    assert faults(m.Message((m.Picture(str(file), "a" * 2000, "en"),))) == []
    assert read(m.Picture(str(tmp_path / "gone.png"), "Two *pipes*", "en")) == "Two *pipes*"


def test_a_form_is_within_the_limits_of_a_modal():
    fields: tuple[m.Field, ...] = (
        m.TextField("t", "l" * 60, "v" * 5000, "h" * 200, longest=9000, many_lines=True),
        m.ChoiceField("c", "l", tuple(m.Choice(str(n), "x" * 200) for n in range(40)), "3"),
        m.SearchField("s", "l", "zone", "UTC", "h" * 200),
        m.PersonField("p", "l", groups=True, several=True, chosen=("1" * 18, "x")),
        m.PlaceField("q", "l", several=True, chosen=tuple(str(10**17 + n) for n in range(40))),
        m.TextField("too-many", "l"),
    )
    form = m.Form("sf.zone", "t" * 100, fields, "Save", errors=(("s", "e" * 200),))
    data = forms.modal(form, lambda key: key.startswith("1"))
    assert list(check_modal(data)) == []
    if SPEC is not None:
        body = {"type": 9, "data": data}
        assert SPEC.request("POST", "/interactions/{id}/{token}/callback", body) == []


def test_what_was_entered_is_read_by_name():
    components = [
        {"type": 18, "id": 1, "component": {"type": 4, "custom_id": "zone", "value": "UTC"}},
        {"type": 18, "component": {"type": 7, "custom_id": "people", "values": ["1", "2"]}},
        {"type": 1, "components": [{"type": 3, "custom_id": "names", "values": []}]},
    ]
    assert forms.values(components) == {"zone": "UTC", "people": "1,2", "names": ""}


def test_a_form_that_cannot_open_is_a_button_that_opens_it():
    form = m.Form("sf.zone", "Time zone", (), "Save")
    message = forms.as_message(form)
    assert "“Time zone” did not open by itself" in m.plain_text(message)
    assert [(b.label, b.token) for b in m.buttons_of(message)] == [("Time zone", "sf.zone")]
    errors = (("zone", "No such zone."),)
    wrong = forms.as_message(replace(form, errors=errors, again="sa.zone.Harrare"))
    assert m.plain_text(wrong) == "No such zone."
    assert [(b.label, b.token) for b in m.buttons_of(wrong)] == [("Correct it", "sa.zone.Harrare")]


@pytest.mark.parametrize("language", languages())
def test_the_labels_of_the_settings_stand_whole_in_every_language(language: str):
    voice, abilities = Voice.of(language), Abilities(threads=True, several_places=True)
    place = Place(1, 1, "discord", "1", "2", "general", "channel", False, None, None, True)
    for part in setting_words.parts_for(abilities):
        form = setting_words.form(part, place, "UTC", ("en", "fr"), abilities, voice)
        drawn = forms.modal(form)
        assert drawn["title"] == form.title
        assert [one["label"] for one in drawn["components"]] == [one.label for one in form.fields]
