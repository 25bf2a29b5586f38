"""The forms in which a daily quiz is set: at most five fields each."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from bot import tokens
from bot.messages import (
    Choice,
    ChoiceField,
    Field,
    Form,
    PersonField,
    PlaceField,
    SearchField,
    TextField,
)
from bot.ports import Abilities
from bot.proposals import FIELDS, NONE, Entered, FieldName, Part
from bot.wording import plans
from bot.wording.countries import name_of
from bot.wording.dates import typed_days
from bot.wording.entering import lasting
from bot.wording.proposals import label
from bot.wording.voice import Voice, own_name

SHUFFLED, IN_ORDER, UNTIL_NEXT, ALL = "shuffled", "in-order", "next", "all"

_SEARCHED = 70
"""A field that is searched holds no more on some surface."""

_LENGTHS = tuple(timedelta(hours=hours) for hours in (1, 2, 4, 8, 12, 24, 48, 72, 168))


def form(
    proposal_id: int,
    part: Part,
    typed: Mapping[str, str],
    entered: Entered,
    topics: str,
    abilities: Abilities,
    voice: Voice,
) -> Form:
    """One form, filled with what is set, or with what was `typed` and has to be mended.

    `topics` is what is drawn from as somebody may type it, empty for everything.
    """
    made = (
        _field(name, _typed(name, typed, entered), entered, topics, abilities, voice)
        for name in FIELDS[part]
    )
    errors = tuple((n, entered.faults[n]) for n in FIELDS[part] if n in entered.faults)
    token = tokens.write(tokens.ProposalForm(proposal_id, part))
    return Form(
        token,
        label(part, voice),
        tuple(field for field in made if field is not None),
        voice.phrase("Go on"),
        voice.language,
        errors,
    )


def _typed(name: FieldName, typed: Mapping[str, str], entered: Entered) -> str | None:
    """What was typed and cannot be read."""
    return typed.get(name) if name in entered.faults else None


def _field(  # noqa: C901 - a line for each field
    name: FieldName,
    typed: str | None,
    entered: Entered,
    topics: str,
    abilities: Abilities,
    voice: Voice,
) -> Field | None:
    """None for what there is not to choose on this surface."""
    plan, none = entered.plan, voice.phrase("none")
    when = plan.recurrence
    match name:
        case "hour":
            at = plans.hour(when.at, voice) if entered.timed else ""
            hint = voice.phrase("For example 07:30 or 7pm")
            return TextField(name, voice.phrase("Hour"), typed or at, hint, longest=20)
        case "zone":
            hint = voice.phrase("For example Africa/Harare or Europe/Paris")
            value = typed or when.zone.key
            return SearchField(name, voice.phrase("Time zone"), "zone", value, hint)
        case "days":
            hint = voice.phrase("For example weekdays, or Mon, Wed, Fri")
            value = typed or typed_days(when.weekdays, voice)
            return SearchField(name, voice.phrase("Days of the week"), "days", value, hint)
        case "holidays":
            country = name_of(when.days_off, voice.language) if when.days_off else none
            hint = voice.phrase("A country, for example France; or “{none}”", none=none)
            title = voice.phrase("Not on the public holidays of")
            return SearchField(name, title, "country", typed or country, hint)
        case "topic":
            hint = voice.phrase(
                "One or more, with commas between; or “{all}”", all=voice.phrase("all")
            )
            value = typed or topics or voice.phrase("all")
            if len(value) > _SEARCHED:
                return TextField(name, voice.phrase("Quizzes"), value, hint, longest=500)
            return SearchField(name, voice.phrase("Quizzes"), "topics", value, hint)
        case "count":
            title = voice.phrase("How many questions")
            return TextField(name, title, typed or str(plan.count), longest=6)
        case "order":
            return _choices(
                name,
                voice.phrase("Order"),
                {
                    SHUFFLED: voice.phrase("shuffled, without repeats until all were asked"),
                    IN_ORDER: voice.phrase("in the order in which they were written"),
                },
                SHUFFLED if plan.shuffled else IN_ORDER,
            )
        case "language":
            own = ", ".join(map(own_name, plan.languages)) or none
            hint = voice.phrase("For example Français; or “{none}”: as for other posts", none=none)
            title = voice.phrase("Language of the post")
            return SearchField(name, title, "post-languages", typed or own, hint)
        case "open":
            return _opening(name, plan.open_for, voice)
        case "mention":
            return _mention(name, plan.mention, abilities, voice)
        case "channel":
            title = voice.phrase("Channel")
            return PlaceField(name, title, required=True, chosen=(entered.place,))


def opening_choices(open_for: timedelta | None, voice: Voice) -> tuple[Choice, ...]:
    """How long a quiz may stay open; a length that is set already is among them."""
    lengths = sorted({*_LENGTHS, *([] if open_for is None else [open_for])})
    return (
        Choice(UNTIL_NEXT, voice.phrase("until the next one")),
        *(Choice(_minutes(length), lasting(length, voice)) for length in lengths),
    )


def _opening(name: str, open_for: timedelta | None, voice: Voice) -> ChoiceField:
    chosen = UNTIL_NEXT if open_for is None else _minutes(open_for)
    title = voice.phrase("How long it stays open")
    return ChoiceField(name, title, opening_choices(open_for, voice), chosen)


def _mention(
    name: str, group: str | None, abilities: Abilities, voice: Voice
) -> PersonField | ChoiceField | None:
    if abilities.picks_groups:
        chosen = () if group is None else (group,)
        title = voice.phrase("Role to mention, if any")
        return PersonField(name, title, groups=True, people=False, chosen=chosen)
    if abilities.audiences:
        choices = {NONE: voice.phrase("nobody")} | {one: f"@{one}" for one in abilities.audiences}
        return _choices(name, voice.phrase("Whom it mentions"), choices, group or NONE)
    return None


def _choices(name: str, title: str, choices: Mapping[str, str], value: str) -> ChoiceField:
    return ChoiceField(name, title, tuple(Choice(v, words) for v, words in choices.items()), value)


def _minutes(length: timedelta) -> str:
    return f"{length // timedelta(minutes=1)} min"
