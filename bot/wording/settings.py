"""`/settings`: a private summary, whose buttons open small forms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot import tokens
from bot.content import Language
from bot.messages import (
    Button,
    Choice,
    ChoiceField,
    Form,
    Message,
    Paragraph,
    SearchField,
    Small,
)
from bot.state import Place
from bot.wording.voice import Voice, own_name

LANGUAGE, ZONE, NAMES = "language", "zone", "names"
"""The parts of the settings, and the names of their fields."""

AS_REPORTED = "-"
"""The choice of no language: posts are in what the platform reports, else in the source's."""


def summary(place: Place, default_zone: str, voice: Voice, *, saved: bool = False) -> Message:
    """How quizbot behaves here, with a button for each part."""
    language = (
        own_name(place.language)
        if place.language
        else voice.phrase("each quiz in its own language")
    )
    names = (
        voice.phrase("points with names") if place.names_shown else voice.phrase("only the group")
    )
    lines = (
        voice.say("Language of the posts: {language}", language=language),
        voice.say("Time zone: {zone}", zone=place.zone or default_zone),
        voice.say("Results and leaderboards: {names}", names=names),
    )
    blocks = tuple(Paragraph(line) for line in lines)
    above = (Small(voice.say("Saved.")),) if saved else ()
    return Message(
        (*above, *blocks),
        (
            (
                _opens(LANGUAGE, voice.phrase("Language of the posts"), voice),
                _opens(ZONE, voice.phrase("Time zone"), voice),
                _opens(NAMES, voice.phrase("Names"), voice),
            ),
        ),
        voice.language,
        replaces=True,
    )


def form(
    part: str, place: Place, default_zone: str, languages: Sequence[Language], voice: Voice
) -> Form | None:
    """The form of one part, or None for a part that there is not."""
    match part:
        case "language":
            choices = (
                Choice(AS_REPORTED, voice.phrase("each quiz in its own language")),
                *(Choice(tag, own_name(tag)) for tag in languages[:24]),
            )
            label = voice.phrase("Language of the posts")
            field = ChoiceField(LANGUAGE, label, choices, place.language or AS_REPORTED)
            return _form(part, label, (field,), voice)
        case "zone":
            hint = voice.phrase("For example Africa/Harare or Europe/Paris")
            label = voice.phrase("Time zone")
            zone = SearchField(ZONE, label, "zone", place.zone or default_zone, hint)
            return _form(part, label, (zone,), voice)
        case "names":
            label = voice.phrase("Results and leaderboards")
            choices = (
                Choice("shown", voice.phrase("points with names")),
                Choice("hidden", voice.phrase("only the group")),
            )
            chosen = "shown" if place.names_shown else "hidden"
            return _form(part, label, (ChoiceField(NAMES, label, choices, chosen),), voice)
        case _:
            return None


def with_error(form: Form, name: str, value: str, error: str) -> Form:
    """The same form with what was typed, and what to mend beside it."""
    fields = tuple(
        replace(field, value=value)
        if isinstance(field, SearchField) and field.name == name
        else field
        for field in form.fields
    )
    return replace(form, fields=fields, errors=((name, error),))


def unknown_zone(typed: str, near: Sequence[str], voice: Voice) -> str:
    """What stands beside the field when a zone is not known."""
    if near:
        return voice.phrase(
            "I know no time zone “{zone}”. Did you mean {near}?",
            zone=typed,
            near=voice.one_of(near),
        )
    return voice.phrase(
        "I know no time zone “{zone}”. Take a name such as Africa/Harare or Europe/Paris.",
        zone=typed,
    )


def organisers_only(voice: Voice) -> Message:
    line = voice.say("Only organisers can change how quizbot behaves here.")
    return Message((Paragraph(line),), language=voice.language)


def _opens(part: str, label: str, voice: Voice) -> Button:
    return Button(label, tokens.write(tokens.SettingsForm(part)))


def _form(
    part: str, title: str, fields: tuple[ChoiceField | SearchField, ...], voice: Voice
) -> Form:
    token = tokens.write(tokens.SettingsForm(part))
    return Form(token, title, fields, voice.phrase("Save"), voice.language)
