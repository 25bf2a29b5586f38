"""`/settings`: a private summary, whose buttons open small forms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Literal, assert_never

from bot import tokens
from bot.content import Language
from bot.messages import (
    Button,
    Choice,
    ChoiceField,
    Field,
    Form,
    Message,
    Paragraph,
    PersonField,
    PlaceField,
    Row,
    SearchField,
    Small,
    Spans,
)
from bot.ports import Abilities
from bot.schedules import StandingBoard
from bot.state import Place
from bot.wording import boards, plans
from bot.wording.voice import Voice, joined, own_name

Part = Literal[
    "language", "zone", "names", "organisers", "leaders", "starting", "threads", "notices"
]
"""The forms of the settings; the first field of each has the same name."""

PARTS: tuple[Part, ...] = (
    "language", "zone", "names", "organisers", "leaders", "starting", "threads", "notices",
)  # fmt: skip

AS_REPORTED = "-"
"""The choice of no language: posts are in what the platform reports, else in the source's."""

BUTTONS_IN_A_ROW = 3
MOST_LISTED = 20


def parts_for(abilities: Abilities) -> tuple[Part, ...]:
    """What can be set where a surface can do this much."""
    lacking = {
        "threads": not abilities.threads,
        "leaders": not abilities.place_leaders,
        "notices": not abilities.several_places,
    }
    return tuple(part for part in PARTS if not lacking.get(part))


def summary(
    place: Place,
    default_zone: str,
    names: Mapping[str, str],
    abilities: Abilities,
    voice: Voice,
    *,
    season: date,
    board: StandingBoard | None = None,
    saved: bool = False,
) -> Message:
    """How quizbot behaves here, with a button for each part.

    `names` are ids of places that are named in the settings, with their names. `season` is the
    first day of the one that runs; `board` is what stands in this place, which is set and ended
    below a leaderboard.
    """
    parts = parts_for(abilities)
    lines = [_line(part, place, default_zone, names, voice) for part in parts]
    above = (Small(voice.say("Saved.")),) if saved else ()
    buttons = [
        Button(_label(part, voice), tokens.write(tokens.SettingsForm(part))) for part in parts
    ]
    buttons += [
        Button(voice.phrase("Leaderboard"), _board_token(board)),
        Button(voice.phrase("Seasons"), tokens.write(tokens.Board("community", "season", 0))),
    ]
    rows: tuple[Row, ...] = tuple(
        tuple(buttons[at : at + BUTTONS_IN_A_ROW])
        for at in range(0, len(buttons), BUTTONS_IN_A_ROW)
    )
    lines += [_board_line(board, voice), boards.since(season, voice)]
    return Message((*above, *map(Paragraph, lines)), rows, voice.language, replaces=True)


def form(
    part: Part,
    place: Place,
    default_zone: str,
    languages: Sequence[Language],
    abilities: Abilities,
    voice: Voice,
) -> Form:
    """The form of one part, filled with what is set."""
    title = _label(part, voice)
    match part:
        case "language":
            fields: tuple[Field, ...] = (_language_field(place, languages, title, voice),)
        case "zone":
            hint = voice.phrase("For example Africa/Harare or Europe/Paris")
            fields = (SearchField(part, title, "zone", place.zone or default_zone, hint),)
        case "names":
            label = voice.phrase("On results and leaderboards")
            fields = (ChoiceField(part, label, _names(voice), _shown(place)),)
        case "organisers":
            chosen = tuple(sorted(place.organisers))
            label = voice.phrase("Who else may organise")
            fields = (PersonField(part, label, groups=True, several=True, chosen=chosen),)
        case "starting":
            fields = _starting_fields(place, abilities, voice)
        case "leaders":
            label = voice.phrase("Who made a channel, or invited me there, organises its quizzes")
            fields = (ChoiceField(part, label, _leaders(voice), _led(place)),)
        case "threads":
            label = voice.phrase("Where the questions stand")
            fields = (ChoiceField(part, label, _threads(voice), "on" if place.threads else "off"),)
        case "notices":
            told = place.organisers_place
            label = voice.phrase("Channel for notices (none: direct messages)")
            fields = (PlaceField(part, label, chosen=() if told is None else (told,)),)
        case _:
            assert_never(part)
    token = tokens.write(tokens.SettingsForm(part))
    return Form(token, title, fields, voice.phrase("Save"), voice.language)


def own_language(voice: Voice) -> str:
    """What it is called that posts have no language of their own."""
    return voice.phrase("each quiz in its own language")


def organisers_only(voice: Voice) -> Message:
    line = voice.say("Only organisers can change how quizbot behaves here.")
    return Message((Paragraph(line),), language=voice.language)


def _board_line(board: StandingBoard | None, voice: Voice) -> Spans:
    if board is None:
        return voice.say("No leaderboard stands in this channel.")
    which = boards.period_name(board.period, voice)
    return voice.say("The leaderboard that stands in this channel: {which}", which=which)


def _board_token(board: StandingBoard | None) -> str:
    standing = board and boards.token(board.scope, board.period, topic=board.topic or "")
    return standing or tokens.write(tokens.Board("place", "month", 0))


# --- the summary's lines ---------------------------------------------------------------------


def _line(
    part: Part,
    place: Place,
    default_zone: str,
    names: Mapping[str, str],
    voice: Voice,
) -> Spans:
    match part:
        case "language":
            own = own_name(place.language) if place.language else own_language(voice)
            return voice.say("Language of the posts: {language}", language=own)
        case "zone":
            return voice.say("Time zone: {zone}", zone=place.zone or default_zone)
        case "names":
            shown = _name_of(_names(voice), _shown(place))
            return voice.say("Results and leaderboards: {names}", names=shown)
        case "organisers":
            if not place.organisers:
                return voice.say("Organisers: admins")
            return voice.many(
                "Organisers: admins, and {n} named here",
                "Organisers: admins, and {n} named here",
                len(place.organisers),
            )
        case "starting":
            return _starting_line(place, names, voice)
        case "leaders":
            leaders = _name_of(_leaders(voice), _led(place))
            return voice.say(
                "Who made a channel, or invited me there, organises its quizzes: {leaders}",
                leaders=leaders,
            )
        case "threads":
            threads = _name_of(_threads(voice), "on" if place.threads else "off")
            return voice.say("Questions: {threads}", threads=threads)
        case "notices":
            return _notices_line(place.organisers_place, names, voice)
        case _:
            assert_never(part)


def _notices_line(told: str | None, names: Mapping[str, str], voice: Voice) -> Spans:
    if told is None:
        return voice.say("Notices to organisers: a direct message to who set the daily quiz")
    here = plans.channel_of(told, names.get(told, ""), voice)
    return voice.say("Notices to organisers: {channel}", channel=here)


def _starting_line(place: Place, names: Mapping[str, str], voice: Voice) -> Spans:
    who = _name_of(_starters(voice), place.starters)
    if not place.start_places:
        return voice.say("Who may start a quiz for the group: {who}", who=who)
    channels = [plans.channel_of(key, names.get(key, ""), voice) for key in place.start_places]
    return voice.say(
        "Who may start a quiz for the group: {who}, in {channels}",
        who=who,
        channels=joined(channels, ", "),
    )


def _label(part: Part, voice: Voice) -> str:
    match part:
        case "language":
            return voice.phrase("Language of the posts")
        case "zone":
            return voice.phrase("Time zone")
        case "names":
            return voice.phrase("Names")
        case "organisers":
            return voice.phrase("Organisers")
        case "starting":
            return voice.phrase("Beginning a quiz")
        case "leaders":
            return voice.phrase("Channel leaders")
        case "threads":
            return voice.phrase("Threads")
        case "notices":
            return voice.phrase("Notices")
        case _:
            assert_never(part)


# --- fields and their choices ----------------------------------------------------------------


def _language_field(
    place: Place, languages: Sequence[Language], title: str, voice: Voice
) -> ChoiceField | SearchField:
    """A list of languages, as long as it is read at a glance; else they are searched."""
    if len(languages) > MOST_LISTED:
        set_to = own_name(place.language) if place.language else own_language(voice)
        hint = voice.phrase("For example Français or fr; “-” for each quiz in its own language")
        return SearchField("language", title, "post-language", set_to, hint)
    choices = (
        Choice(AS_REPORTED, own_language(voice)),
        *(Choice(tag, own_name(tag)) for tag in languages),
    )
    return ChoiceField("language", title, choices, place.language or AS_REPORTED)


def _starting_fields(place: Place, abilities: Abilities, voice: Voice) -> tuple[Field, ...]:
    who = ChoiceField(
        "starting",
        voice.phrase("Who may start a quiz for the group"),
        _starters(voice),
        place.starters,
    )
    if not abilities.several_places:
        return (who,)
    label = voice.phrase("Only in these channels (none: in all)")
    return (who, PlaceField("channels", label, several=True, chosen=place.start_places))


def _names(voice: Voice) -> tuple[Choice, ...]:
    return (
        Choice("shown", voice.phrase("points with names")),
        Choice("hidden", voice.phrase("only the group")),
    )


def _starters(voice: Voice) -> tuple[Choice, ...]:
    return (
        Choice("everyone", voice.phrase("everybody")),
        Choice("organisers", voice.phrase("organisers")),
    )


def _threads(voice: Voice) -> tuple[Choice, ...]:
    return (
        Choice("off", voice.phrase("in the channel")),
        Choice("on", voice.phrase("in a thread")),
    )


def _leaders(voice: Voice) -> tuple[Choice, ...]:
    return (Choice("on", voice.phrase("yes")), Choice("off", voice.phrase("no")))


def _led(place: Place) -> str:
    return "on" if place.leaders_organise else "off"


def _shown(place: Place) -> str:
    return "shown" if place.names_shown else "hidden"


def _name_of(choices: Sequence[Choice], value: str) -> str:
    return next(choice.label for choice in choices if choice.value == value)
