"""Forms on Slack: modals within its limits, what was entered, and what to mend beside it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from any_bank import HOSTILE
from stand_in_slack_rules import faults_of_view

from adapters.slack import forms
from bot import messages as m
from bot.ports import Abilities
from bot.state import Place
from bot.wording import settings
from bot.wording.catalogues import languages
from bot.wording.voice import Voice

PLACE = Place(1, 1, "slack", "T1", "C1", "team", "channel", False, "Africa/Harare", "sn", True)
ABILITIES = Abilities(threads=True, several_places=True)

FULL = m.Form(
    "sf.zone",
    "t" * 100,
    (
        m.TextField("t", "l" * 300, "v" * 5000, "h" * 400, longest=9000, many_lines=True),
        m.ChoiceField("c", "l", tuple(m.Choice(str(n), "x" * 200) for n in range(140)), "3"),
        m.SearchField("s", "l", "zone", "UTC", "h" * 400),
        m.PersonField("p", "l", groups=True, several=True, chosen=("T1:U1", "U2", "x!")),
        m.PlaceField("q", "l", several=True, chosen=tuple(f"C{n}" for n in range(80))),
        m.ChoiceField("none", "l", ()),
    ),
    "Save these settings for everybody",
    errors=(("s", "e" * 500),),
)


def inputs(view: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {one["block_id"]: one for one in view["blocks"] if one["type"] == "input"}


def test_a_form_is_within_the_limits_of_a_modal():
    view = forms.modal(FULL, '{"channel": "C1"}')
    assert faults_of_view(view) == []
    assert view["private_metadata"] == '{"channel": "C1"}'
    assert list(inputs(view)) == ["t", "c", "s", "p", "q"]


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("part", settings.PARTS)
def test_every_form_of_the_settings_is_one_that_slack_takes(language: str, part: settings.Part):
    form = settings.form(part, PLACE, "UTC", languages(), ABILITIES, Voice.of(language))
    view = forms.modal(form)
    assert faults_of_view(view) == []
    assert list(inputs(view)) == [field.name for field in form.fields]


@pytest.mark.parametrize("text", HOSTILE)
def test_whatever_people_call_things_slack_takes_the_form(text: str):
    fields = (
        m.TextField("t", text, text, text),
        m.ChoiceField("c", text, (m.Choice("a", text, text),), "a"),
        m.SearchField("s", text, "topic", text, text),
    )
    form = m.Form("x", text, fields, text, errors=(("t", text),))
    assert faults_of_view(forms.modal(form)) == []


def test_a_title_that_is_cut_stands_above_the_fields_in_full():
    title = "Who may start a quiz for the group"
    view = forms.modal(m.Form("x", title, (m.TextField("t", "l"),), "Save"))
    assert len(view["title"]["text"]) <= 24
    assert view["blocks"][0]["text"]["text"] == title
    short = forms.modal(m.Form("x", "Time zone", (m.TextField("t", "l"),), "Save"))
    assert [block["type"] for block in short["blocks"]] == ["input"]


def test_fields_hold_what_is_set():
    fields = inputs(forms.modal(FULL))
    assert fields["s"]["element"]["initial_option"]["value"] == "UTC"
    assert fields["p"]["element"]["initial_users"] == ["U1", "U2"]
    assert fields["c"]["element"]["initial_option"]["value"] == "3"
    assert [fields[name]["optional"] for name in "tcspq"] == [False, False, False, True, True]
    few = m.ChoiceField("c", "l", (m.Choice("on", "On"), m.Choice("off", "Off")), "off")
    (radio,) = inputs(forms.modal(m.Form("x", "t", (few,), "Save"))).values()
    assert radio["element"]["type"] == "radio_buttons"
    assert radio["element"]["initial_option"]["value"] == "off"


def test_what_is_wrong_is_said_beside_its_field_and_else_beside_the_first():
    form = m.Form(
        "x", "t", (m.TextField("a", "l"), m.TextField("b", "l")), "Save",
        errors=(("b", "No such\nzone."), ("gone", "Ask again."), ("a", "Too long.")),
    )  # fmt: skip
    assert forms.refusal(form, forms.asked(forms.modal(form))) == {
        "response_action": "errors",
        "errors": {"b": "No such zone.", "a": "Ask again. Too long."},
    }


def test_what_is_wrong_with_a_field_that_was_not_shown_stands_beside_one_that_was():
    """Slack takes no errors of fields that its form did not have, and says so to the person."""
    form = m.Form(
        "x", "t", (m.ChoiceField("none", "l", ()), m.TextField("b", "l")), "Save",
        errors=(("none", "There is nothing to choose."),),
    )  # fmt: skip
    shown = forms.modal(form)
    assert forms.refusal(form, forms.asked(shown))["errors"] == {"b": "There is nothing to choose."}
    assert forms.refusal(form, []) == {}, "nothing is said where it cannot be"
    assert forms.refusal(replace(form, errors=()), forms.asked(shown)) == {}


def test_a_form_that_opens_again_says_what_is_wrong_above_its_field():
    view = forms.modal(FULL)
    at = next(i for i, one in enumerate(view["blocks"]) if one.get("block_id") == "s")
    assert view["blocks"][at - 1]["type"] == "context"


def test_what_was_entered_is_read_by_name():
    state = {
        "title": {"title": {"type": "plain_text_input", "value": " Net "}},
        "empty": {"empty": {"type": "plain_text_input", "value": None}},
        "zone": {"search:zone": {"type": "external_select", "selected_option": {"value": "UTC"}}},
        "names": {"names": {"type": "radio_buttons", "selected_option": None}},
        "people": {"people": {"type": "multi_users_select", "selected_users": ["U1", "U2"]}},
        "places": {
            "places": {"type": "multi_conversations_select", "selected_conversations": ["C1"]}
        },
        "forged": "x",
    }
    expected = {"title": " Net ", "empty": "", "zone": "UTC", "names": "", "places": "C1"}
    assert forms.values(state) == expected | {"people": "U1,U2"}
    assert forms.values(state, "T1") == expected | {"people": "T1:U1,T1:U2"}


def test_what_is_typed_can_be_chosen_beside_what_may_be_meant():
    found = (m.Choice("Africa/Harare", "Africa/Harare"),)
    assert forms.source("search:zone") == "zone"
    assert forms.source("t") is None
    typed = forms.suggestions(found, "hara")["options"]
    assert [option["value"] for option in typed] == ["Africa/Harare", "hara"]
    exact = forms.suggestions(found, "africa/harare")["options"]
    assert [option["value"] for option in exact] == ["Africa/Harare"]
    many = tuple(m.Choice(str(n), str(n)) for n in range(150))
    assert len(forms.suggestions(many, "x")["options"]) == 100
    assert forms.suggestions((), "  ") == {"options": []}


def test_a_form_that_cannot_open_is_a_button_that_opens_it():
    form = m.Form("sf.zone", "Time zone", (), "Save", errors=(("zone", "No such zone."),))
    message = forms.as_message(form)
    assert m.plain_text(message) == "No such zone."
    assert [button.token for button in m.buttons_of(message)] == ["sf.zone"]
