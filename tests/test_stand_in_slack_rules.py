"""What the stand-in Slack refuses in messages and views, and where it says the fault is."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
import stand_in_slack_rules as rules
from stand_in_slack_element_rules import IN_INPUT
from stand_in_slack_rules import ACK, EPHEMERAL, RESPONSE, UPDATE, faults_of_message, faults_of_view

Json = dict[str, Any]
QUIET: Json = {"unfurl_links": False, "unfurl_media": False}


def plain(text: str) -> Json:
    return {"type": "plain_text", "text": text}


def mrkdwn(text: str) -> Json:
    return {"type": "mrkdwn", "text": text}


def button(**parts: Any) -> Json:
    return {"type": "button", "text": plain("A"), "action_id": "a"} | parts


def row(*elements: Json, **parts: Any) -> Json:
    return {"type": "actions", "elements": list(elements)} | parts


def section(**parts: Any) -> Json:
    return {"type": "section", "text": plain("x")} | parts


def option(value: str = "v", **parts: Any) -> Json:
    return {"text": plain(value), "value": value} | parts


def select(*values: str, **parts: Any) -> Json:
    options = [option(value) for value in values]
    return {"type": "static_select", "action_id": "s", "options": options} | parts


def word(text: str = "x", **parts: Any) -> Json:
    return {"type": "text", "text": text} | parts


def rich(*inline: Json) -> Json:
    inside = {"type": "rich_text_section", "elements": list(inline)}
    return {"type": "rich_text", "elements": [inside]}


def listed(**parts: Any) -> Json:
    line = {"type": "rich_text_section", "elements": [word()]}
    inside = {"type": "rich_text_list", "style": "bullet", "elements": [line]} | parts
    return {"type": "rich_text", "elements": [inside]}


def field(element: Json | None = None, **parts: Any) -> Json:
    typed = {"type": "plain_text_input", "action_id": "i"}
    return {
        "type": "input",
        "block_id": "f",
        "label": plain("Zone"),
        "element": typed | (element or {}),
    } | parts


def image(**parts: Any) -> Json:
    return {"type": "image", "alt_text": "A map", "image_url": "https://example.org/a.png"} | parts


def modal(*blocks: Json, **parts: Any) -> Json:
    return {
        "type": "modal",
        "title": plain("Settings"),
        "submit": plain("Save"),
        "blocks": list(blocks),
    } | parts


def message(*blocks: Json, **parts: Any) -> Json:
    return {"text": "All of it in words", "blocks": list(blocks)} | QUIET | parts


UPLOADED: Json = {"type": "image", "alt_text": "A map", "slack_file": {"id": "F00000001"}}
DATE: Json = {"type": "date", "timestamp": 1, "format": "{time}", "fallback": "nine"}
GOOD = [
    section(accessory=select("a", initial_option=option("a"))),
    section(text=mrkdwn("*x* &lt; <https://example.org|y> <!date^1^{time}|nine>")),
    section(fields=[plain("x"), mrkdwn("y")], expand=True),
    {"type": "header", "text": plain("x" * 150)},
    {"type": "divider"},
    {"type": "context", "elements": [mrkdwn("x"), image()]},
    row(button(value="", style="primary", accessibility_label="A: 22"), button(action_id="b")),
    image(title=plain("x")),
    UPLOADED,
    rich(
        word(style={"bold": True, "code": True}),
        {"type": "link", "url": "https://example.org", "text": "x"},
        {"type": "emoji", "name": "wave"},
        {"type": "channel", "channel_id": "C1"},
        DATE,
    ),
    listed(indent=1, offset=2, border=0),
    {
        "type": "rich_text",
        "elements": [
            {"type": "rich_text_preformatted", "elements": [word()], "border": 1},
            {"type": "rich_text_quote", "elements": [word()]},
        ],
    },
    {"type": "markdown", "text": "**x**"},
]


def test_what_is_right_has_no_faults():
    assert faults_of_message(message(*GOOD), files={"F00000001"}) == []
    assert faults_of_message({"text": "x"} | QUIET) == []
    assert faults_of_view(modal(field(), field(block_id="g", optional=True))) == []
    assert faults_of_view({"type": "home", "blocks": [section()]}) == []


RICH = "/blocks/0/elements/0"
BLOCKS: list[tuple[Json, str]] = [
    ({"type": "heading"}, "/blocks/0/type"),
    (section(text=plain("x" * 3001)), "/blocks/0/text/text"),
    (section(text=plain("")), "/blocks/0/text/text"),
    (section(text={"type": "markdown", "text": "x"}), "/blocks/0/text/type"),
    (section(text=mrkdwn("x") | {"emoji": True}), "/blocks/0/text/emoji"),
    (section(text=plain("x") | {"emoji": "yes"}), "/blocks/0/text/emoji"),
    (section(text="x"), "/blocks/0/text"),
    ({"type": "section"}, "/blocks/0"),
    (section(fields=[plain("x")] * 11), "/blocks/0/fields"),
    (section(fields=[]), "/blocks/0/fields"),
    (section(fields=[plain("x" * 2001)]), "/blocks/0/fields/0/text"),
    (section(colour="red"), "/blocks/0/colour"),
    (section(block_id="x" * 256), "/blocks/0/block_id"),
    (section(block_id=""), "/blocks/0/block_id"),
    (section(accessory=field()), "/blocks/0/accessory/type"),
    ({"type": "header", "text": plain("x" * 151)}, "/blocks/0/text/text"),
    ({"type": "header", "text": mrkdwn("x")}, "/blocks/0/text/type"),
    ({"type": "header"}, "/blocks/0"),
    ({"type": "context", "elements": [plain("x")] * 11}, "/blocks/0/elements"),
    ({"type": "context", "elements": []}, "/blocks/0/elements"),
    ({"type": "context", "elements": [plain("")]}, "/blocks/0/elements/0/text"),
    ({"type": "context", "elements": [button()]}, "/blocks/0/elements/0/type"),
    ({"type": "context", "elements": ["x"]}, "/blocks/0/elements/0"),
    (image(alt_text=""), "/blocks/0/alt_text"),
    (image(alt_text="x" * 2001), "/blocks/0/alt_text"),
    ({"type": "image", "image_url": "https://example.org"}, "/blocks/0"),
    (image(slack_file={"id": "F00000001"}), "/blocks/0"),
    (image(image_url="x" * 3001), "/blocks/0/image_url"),
    (image(title=mrkdwn("x")), "/blocks/0/title/type"),
    ({"type": "image", "alt_text": "x", "slack_file": {}}, "/blocks/0/slack_file"),
    (UPLOADED | {"slack_file": {"id": "x"}}, "/blocks/0/slack_file/id"),
    ({"type": "markdown", "text": "x" * 12_001}, "/blocks/0/text"),
    (row(*(button(action_id=str(n)) for n in range(26))), "/blocks/0/elements"),
    (row(), "/blocks/0/elements"),
    (row(button(), button()), "/blocks/0"),
    (row(button(text=plain("x" * 76))), f"{RICH}/text/text"),
    (row(button(text=mrkdwn("x"))), f"{RICH}/text/type"),
    (row(button(value="x" * 2001)), f"{RICH}/value"),
    (row(button(url="x" * 3001)), f"{RICH}/url"),
    (row(button(style="secondary")), f"{RICH}/style"),
    (row(button(accessibility_label="x" * 76)), f"{RICH}/accessibility_label"),
    (row(button(action_id="x" * 256)), f"{RICH}/action_id"),
    (row(button(disabled=True)), f"{RICH}/disabled"),
    (row({"type": "button", "text": plain("A")}), RICH),
    (row(button(confirm={"title": plain("x")})), f"{RICH}/confirm"),
    (row({"type": "plain_text_input", "action_id": "i"}), f"{RICH}/type"),
    (row(select(*map(str, range(101)))), f"{RICH}/options"),
    (row(select()), f"{RICH}/options"),
    (row(select("a", "a")), f"{RICH}/options"),
    (row(select("x" * 76)), f"{RICH}/options/0/text/text"),
    (row(select("a", options=[option("a") | {"value": "x" * 151}])), f"{RICH}/options/0/value"),
    (row(select("a", options=[option("a", url="x")])), f"{RICH}/options/0/url"),
    (row(select("a", options=[{"value": "x"}])), f"{RICH}/options/0"),
    (row(select("a", initial_option=option("b"))), f"{RICH}/initial_option"),
    (row(select("a", option_groups=[])), RICH),
    (row(select("a", placeholder=plain("x" * 151))), f"{RICH}/placeholder/text"),
    (row(select(*map(str, range(11)), type="radio_buttons")), f"{RICH}/options"),
    (row(select(*map(str, range(6)), type="overflow")), f"{RICH}/options"),
    ({"type": "rich_text", "elements": []}, "/blocks/0/elements"),
    ({"type": "rich_text", "elements": [word()]}, f"{RICH}/type"),
    (rich(), f"{RICH}/elements"),
    (rich(word("")), f"{RICH}/elements/0/text"),
    (rich(word(style={"big": True})), f"{RICH}/elements/0/style/big"),
    (rich(word(style={"bold": 1})), f"{RICH}/elements/0/style/bold"),
    (rich(word(bold=True)), f"{RICH}/elements/0/bold"),
    (rich({"type": "link", "url": "javascript:x"}), f"{RICH}/elements/0/url"),
    (rich({"type": "link"}), f"{RICH}/elements/0"),
    (rich(DATE | {"format": "{day}"}), f"{RICH}/elements/0/format"),
    (rich(DATE | {"format": "soon"}), f"{RICH}/elements/0/format"),
    (rich(DATE | {"timestamp": "1"}), f"{RICH}/elements/0/timestamp"),
    (rich({key: DATE[key] for key in ("type", "timestamp", "format")}), f"{RICH}/elements/0"),
    (listed(style="numbers"), f"{RICH}/style"),
    (listed(indent=9), f"{RICH}/indent"),
    (listed(border=2), f"{RICH}/border"),
    (listed(elements=[word()]), f"{RICH}/elements/0/type"),
    (listed(elements=[]), f"{RICH}/elements"),
    (rich({"type": "broadcast", "range": "all"}), f"{RICH}/elements/0/range"),
]  # fmt: skip


@pytest.mark.parametrize(("block", "at"), BLOCKS)
def test_a_faulty_block_is_refused_where_the_fault_is(block: Json, at: str):
    found = [fault.split(": ")[0] for fault in faults_of_message(message(block))]
    assert at in found


PREFORMATTED = {"type": "rich_text_preformatted", "elements": [{"type": "emoji", "name": "x"}]}
MESSAGES: list[tuple[Json, str]] = [
    (message(*[section()] * 51), "/blocks: 51 things, not 0 to 50"),
    (message(section(block_id="a"), section(block_id="a")), "/blocks: block_id 'a' is there 2"),
    (message("x"), "/blocks/0: 'x' is no object"),  # type: ignore[arg-type]
    (message(blocks="x"), "/blocks: 'x' is no list"),
    (message(*[section(text=plain("x" * 2640))] * 5), "/blocks: 13200 characters of text"),
    (message(*[{"type": "markdown", "text": "x" * 6001}] * 2), "/blocks: 12002 characters of mark"),
    (message({"type": "rich_text", "elements": [PREFORMATTED]}), f"{RICH}/elements/0/type: 'em"),
    (QUIET, "/: it says nothing"),
    (message(blocks=[], text=""), "/: it says nothing"),
    (message(section(), text=""), "/text: screen readers and notifications have nothing"),
    ({"text": "x" * 40_001} | QUIET, "/text: 40001 characters, at most 40000"),
    ({"text": "x"}, "/: a link's preview may show the answer"),
    ({"text": "x", "unfurl_links": False}, "/: a link's preview may show the answer"),
    ({"text": "x", "colour": "red"} | QUIET, "/colour: nobody knows this key"),
    ({"text": "x", "link_names": True} | QUIET, "/: names would become mentions"),
    ({"text": "x", "reply_broadcast": True} | QUIET, "/reply_broadcast: there is no thread"),
    ({"text": "<!here> x"} | QUIET, "/text: this may ping people"),
    ({"text": "<@U1> x"} | QUIET, "/text: this may ping people"),
    (message(section(text=mrkdwn("<!subteam^S1>"))), "/blocks/0: this may ping people"),
    ({"text": "a < b"} | QUIET, "/text: < is not escaped"),
    ({"text": "R&D"} | QUIET, "/text: & is not escaped"),
    ({"text": "<b>x</b>"} | QUIET, "/text: <b> means nothing"),
    (message(section(text=mrkdwn("x -> y"))), "/blocks/0: > is not escaped"),
    (message(section(text=mrkdwn("<!date^1^{time}>"))), "/blocks/0: <!date^1^{time}> is no date"),
    (message(section(text=mrkdwn("<!date^1^{day}|x>"))), "/blocks/0: 'day' is none of"),
    (message({"type": "context", "elements": [mrkdwn("<!channel|x>")]}), "/blocks/0: this may"),
    (message(rich({"type": "user", "user_id": "U1"})), f"{RICH}/elements/0: this may ping people"),
    (
        message(rich({"type": "text", "text": "x "}, {"type": "broadcast", "range": "here"})),
        f"{RICH}/elements/1: this may ping",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("payload", "said"), MESSAGES)
def test_a_faulty_message_is_refused_with_why(payload: Json, said: str):
    assert any(one.startswith(said) for one in faults_of_message(payload))


def test_who_may_ping_may_ping_and_plain_text_never_does():
    ping = message(rich({"type": "user", "user_id": "U1"}), text="<@U1>")
    assert faults_of_message(ping, may_ping=True) == []
    assert faults_of_message(message(section(text=plain("<!here>")))) == []


def test_a_picture_that_does_not_exist_is_refused():
    assert faults_of_message(message(UPLOADED)) == []
    found = faults_of_message(message(UPLOADED), files=set())
    assert found == ["/blocks/0/slack_file: there is no file 'F00000001'"]
    inside = message({"type": "context", "elements": [UPLOADED]}, section(accessory=UPLOADED))
    assert len(faults_of_message(inside, files=set())) == 2


@pytest.mark.parametrize(
    ("where", "payload"),
    [
        (EPHEMERAL, {"text": "x", "unfurl_links": False}),
        (UPDATE, {"text": "x", "thread_ts": "1.0"}),
        (RESPONSE, {"text": "x", "channel": "C1"}),
        (ACK, {"text": "x", "replace_original": True}),
        (RESPONSE, {"text": "x", "response_type": "private"}),
    ],
)
def test_each_way_to_say_something_has_its_own_keys(where: str, payload: Json):
    assert len(faults_of_message(payload, where=where)) == 1


ELEMENT = "/blocks/0/element"
VIEWS: list[tuple[Json, str]] = [
    ({"type": "form"}, "/type: 'form' is no view"),
    (modal(title=plain("x" * 25)), "/title/text: 25 characters, at most 24"),
    (modal(title=mrkdwn("x")), "/title/type"),
    (modal(submit=plain("x" * 25)), "/submit/text"),
    (modal(close=plain("")), "/close/text: it is empty"),
    (modal(private_metadata="x" * 3001), "/private_metadata: 3001 characters"),
    (modal(callback_id="x" * 256), "/callback_id"),
    (modal(notify_on_close="yes"), "/notify_on_close"),
    (modal(colour="red"), "/colour: nobody knows this key"),
    (modal(*[section()] * 101), "/blocks: 101 things, not 0 to 100"),
    (modal(*[section(text=plain("x" * 3000))] * 84), "/: it is heavier than 250 kB"),
    (modal(field(), submit=None), "/submit: None is no text"),
    ({"type": "modal", "title": plain("x"), "blocks": [field()]}, "/submit: a form with inputs"),
    ({"type": "modal", "blocks": []}, "/: title is missing"),
    ({"type": "home", "blocks": [], "title": plain("x")}, "/title: nobody knows this key"),
    (modal({"type": "markdown", "text": "x"}), "/blocks/0/type: there is no block 'markdown' here"),
    (modal(field(label=plain("x" * 2001))), "/blocks/0/label/text"),
    (modal(field(label=mrkdwn("x"))), "/blocks/0/label/type"),
    (modal(field(hint=plain("x" * 2001))), "/blocks/0/hint/text"),
    (modal(field({"placeholder": plain("x" * 151)})), f"{ELEMENT}/placeholder/text"),
    (modal(field({"max_length": 3001})), f"{ELEMENT}/max_length: 3001 is not between"),
    (modal(field({"min_length": -1})), f"{ELEMENT}/min_length"),
    (modal(field({"max_length": 2, "initial_value": "xxx"})), f"{ELEMENT}/initial_value: 3"),
    (modal(field({"initial_value": "x" * 3001})), f"{ELEMENT}/initial_value"),
    (modal(field({"multiline": 1})), f"{ELEMENT}/multiline"),
    (modal(field({"type": "button", "text": plain("x")})), f"{ELEMENT}/type"),
    (modal(field({"type": "number_input"})), f"{ELEMENT}: is_decimal_allowed is missing"),
    (modal(field({"type": "datepicker", "initial_date": "1.1."})), f"{ELEMENT}/initial_date"),
    (modal({"type": "input", "label": plain("x"), "element": {}}), "/blocks/0: without a block_id"),
    (modal(field({"focus_on_load": True}), field({"focus_on_load": True}, block_id="g")),
     "/blocks: only one element"),
]  # fmt: skip


@pytest.mark.parametrize(("view", "said"), VIEWS)
def test_a_faulty_view_is_refused_with_why(view: Json, said: str):
    assert any(one.startswith(said) for one in faults_of_view(view))


def paths(thing: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inside = thing.items() if isinstance(thing, dict) else enumerate(thing)
    for key, value in inside:
        yield (*at, key)
        if isinstance(value, dict | list):
            yield from paths(value, (*at, key))


def spoilt(thing: Any, path: tuple[Any, ...], value: object) -> Any:
    copy = deepcopy(thing)
    inside = copy
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = value
    return copy


@pytest.mark.parametrize("value", [None, 7, "x", ["x"], {"x": 1}, [{}]], ids=repr)
def test_what_is_of_another_kind_is_a_fault_and_nothing_breaks(value: object):
    whole = [*GOOD, row(select("a", type="radio_buttons")), row(select("a", confirm={}))]
    for path in paths(whole):
        faults_of_message(message(*spoilt(whole, path, value)), files={"F00000001"})
    view = modal(*(field({"type": kind}) for kind in sorted(IN_INPUT)))
    for path in paths(view):
        faults_of_view(spoilt(view, path, value))
    assert faults_of_message(message(*spoilt(whole, (0,), value))) != []


def test_the_limits_that_the_bots_own_planning_relies_on():
    assert (rules.MOST_BLOCKS, rules.MOST_IN_VIEW, rules.LONGEST_IN_BLOCKS) == (50, 100, 13_200)
    assert faults_of_message(message(*[section(text=plain("x" * 2639))] * 5)) == []
