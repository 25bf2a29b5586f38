"""Forms as Slack's modals; and as a message with a button, where none can open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, assert_never

from adapters.slack.controls import PLACEHOLDER, VALUE, choice, choices, chosen
from adapters.slack.markup import labelled, plain
from adapters.text import cleaned, cut, label
from bot import messages as m
from bot.wording.catalogues import translator

Element = dict[str, Any]

TITLE, SUBMIT, NAME, HINT, ERROR, LONGEST = 24, 24, 200, 300, 300, 3000
MOST_SUGGESTED, MOST_CHOSEN, MOST_LISTED = 100, 50, 5

_SEARCH = "search:"


def modal(form: m.Form, carried: str = "") -> Element:
    """The form as a view; `carried` comes back with it, and its errors stand above their fields."""
    view: Element = {
        "type": "modal",
        "callback_id": form.token,
        "title": labelled(form.title, TITLE),
        "submit": labelled(form.submit, SUBMIT),
        "blocks": [*_whole_title(form), *(part for field in form.fields for part in _asked(field))],
    }
    if carried:
        view["private_metadata"] = carried
    mistakes = dict(form.errors)
    for name, words in mistakes.items():
        at = next((i for i, b in enumerate(view["blocks"]) if b.get("block_id") == name), 0)
        view["blocks"].insert(at, _mistake(words))
    return view


def refusal(form: m.Form, asked: Sequence[str]) -> Element:
    """The reply to a form that was sent: what to mend beside its fields, which keep what they hold.

    Slack knows the fields that it showed, `asked`, and takes no word of any other; empty where
    nothing can be said there.
    """
    if not asked or not form.errors:
        return {}
    errors: dict[str, str] = {}
    for name, words in form.errors:
        beside = name if name in asked else asked[0]
        errors[beside] = f"{errors[beside]} {words}" if beside in errors else words
    return {
        "response_action": "errors",
        "errors": {name: label(words, ERROR) for name, words in errors.items()},
    }


def asked(view: Mapping[str, Any]) -> list[str]:
    """The names of the fields that a form had when it was shown."""
    blocks = view.get("blocks")
    return [
        str(block.get("block_id") or "")
        for block in (blocks if isinstance(blocks, list) else ())
        if isinstance(block, Mapping) and block.get("type") == "input"
    ]


def as_message(form: m.Form) -> m.Message:
    """A form that cannot open now: what is wrong with it, and a button that opens it.

    What was typed is in the button.
    """
    speaks = translator(form.language)
    if form.errors:
        lines = [error for _, error in form.errors]
        words = speaks.gettext("Correct it")
    else:
        lines = [speaks.gettext("The form did not open by itself. The button opens it.")]
        words = form.title
    button = m.Button(words, form.again or form.token, "primary")
    return m.Message(
        tuple(m.Paragraph((m.Plain(line),)) for line in lines), ((button,),), form.language
    )


def values(state: Mapping[str, Any], team: str = "") -> dict[str, str]:
    """What was entered, by the names of the fields; of several ids with commas between.

    With a `team`, people's ids come back as `TEAM:USER`.
    """
    return {
        name: _value(entered, team)
        for name, elements in state.items()
        if isinstance(elements, Mapping)
        for entered in elements.values()
        if isinstance(entered, Mapping)
    }


def source(action_id: str) -> str | None:
    """What a field asks suggestions of, by the id with which Slack asks for them."""
    return action_id.removeprefix(_SEARCH) if action_id.startswith(_SEARCH) else None


def suggestions(found: Iterable[m.Choice], typed: str) -> Element:
    """The reply to what is being typed; the words themselves can be chosen too."""
    options = choices(found)[:MOST_SUGGESTED]
    words = label(typed, VALUE) if typed.strip() else ""
    known = {text.casefold() for o in options for text in (o["value"], o["text"]["text"])}
    if words and words.casefold() not in known:
        options = [*options[: MOST_SUGGESTED - 1], choice(m.Choice(words, words))]
    return {"options": options}


# --- fields ----------------------------------------------------------------------------------


def _whole_title(form: m.Form) -> list[Element]:
    """A title that is too long for where titles stand is said once more."""
    words = labelled(form.title, NAME)
    is_whole = words == labelled(form.title, TITLE)
    return [] if is_whole else [{"type": "section", "text": words}]


def _mistake(words: str) -> Element:
    return {"type": "context", "elements": [plain(label(words, ERROR))]}


def _asked(field: m.Field) -> list[Element]:
    """A field with its label; none where there is nothing to choose from."""
    element = _field(field)
    if element is None:
        return []
    asked: Element = {
        "type": "input",
        "block_id": field.name,
        "label": labelled(field.label, NAME),
        "element": element,
        "optional": not _is_required(field),
    }
    if isinstance(field, m.TextField | m.SearchField) and field.hint.strip():
        asked["hint"] = labelled(field.hint, HINT)
    return [asked]


def _is_required(field: m.Field) -> bool:
    return field.required if isinstance(field, m.TextField | m.PersonField | m.PlaceField) else True


def _field(field: m.Field) -> Element | None:
    match field:
        case m.TextField():
            return _input(field)
        case m.SearchField():
            return _search(field)
        case m.ChoiceField():
            return _choice(field)
        case m.PersonField():
            people = [key.rpartition(":")[2] for key in field.chosen]
            return _picker(field, "multi_users_select", "initial_users", people)
        case m.PlaceField():
            drawn = _picker(
                field, "multi_conversations_select", "initial_conversations", field.chosen
            )
            return drawn | {"filter": {"include": ["public", "private"], "exclude_bot_users": True}}
        case _:
            assert_never(field)


def _input(field: m.TextField) -> Element:
    longest = max(1, min(field.longest, LONGEST))
    drawn: Element = {
        "type": "plain_text_input",
        "action_id": field.name,
        "multiline": field.many_lines,
        "max_length": longest,
    }
    if field.value:
        drawn["initial_value"] = cut(cleaned(field.value), longest)
    return drawn


def _search(field: m.SearchField) -> Element:
    drawn: Element = {
        "type": "external_select",
        "action_id": f"{_SEARCH}{field.source}",
        "min_query_length": 0,
    }
    if field.hint.strip():
        drawn["placeholder"] = labelled(field.hint, PLACEHOLDER)
    if field.value.strip():
        drawn["initial_option"] = choice(m.Choice(label(field.value, VALUE), field.value))
    return drawn


def _choice(field: m.ChoiceField) -> Element | None:
    options = choices(field.choices)
    if not options:
        return None
    kind = "radio_buttons" if len(options) <= MOST_LISTED else "static_select"
    drawn: Element = {"type": kind, "action_id": field.name, "options": options}
    if now := chosen(options, field.value):
        drawn["initial_option"] = now
    return drawn


def _picker(
    field: m.PersonField | m.PlaceField, kind: str, initial: str, ids: Iterable[str]
) -> Element:
    most = MOST_CHOSEN if field.several else 1
    drawn: Element = {"type": kind, "action_id": field.name, "max_selected_items": most}
    known = list(dict.fromkeys(key for key in ids if key.isascii() and key.isalnum()))
    if known:
        drawn[initial] = known[:most]
    return drawn


def _value(entered: Mapping[str, Any], team: str) -> str:
    option = entered.get("selected_option")
    if isinstance(option, Mapping):
        return cleaned(str(option.get("value") or ""))
    if isinstance(people := entered.get("selected_users"), list):
        ids = ",".join(f"{team}:{person}" if team else str(person) for person in people)
        return cleaned(ids)
    if isinstance(places := entered.get("selected_conversations"), list):
        return cleaned(",".join(map(str, places)))
    return cleaned(str(entered.get("value") or ""))
