"""The daily quizzes of a group, for its organisers: what there is, what was, and what was done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from bot import tokens
from bot.calls import Where
from bot.messages import (
    Block,
    Bold,
    Button,
    Control,
    LinkButton,
    Message,
    Paragraph,
    Plain,
    Row,
    Small,
    Spans,
)
from bot.schedules import Schedule
from bot.state import Place
from bot.wording import plans
from bot.wording.dates import date_in_words
from bot.wording.pieces import all_quizzes, said
from bot.wording.voice import Voice, plain


@dataclass(frozen=True, slots=True)
class Look:
    """A schedule with what is behind it.

    `titles` are what it draws from, none for everything; `missing` what of that is not there any
    more. `hindered` says what keeps the bot from posting, or is empty. `is_alone`: there is no
    other.
    """

    schedule: Schedule
    titles: Sequence[str] = ()
    missing: Sequence[str] = ()
    hindered: Spans = ()
    empty: bool = False
    is_alone: bool = True


# --- who may ---------------------------------------------------------------------------------


def no_group(where: Where, voice: Voice, *, posts: bool) -> Message:
    """Where nobody but who asks would see a daily quiz; `posts`: quizbot can post there at all."""
    if not posts:
        line = voice.say(
            "A daily quiz is for a group, and here you play alone. It can be set on Discord, on "
            "Slack, and in the room that “{command}” opens.",
            command="quizbot run",
        )
        return Message((Paragraph(line),), ((all_quizzes(voice),),), voice.language)
    if where.absent == "server":
        line = voice.say("A daily quiz needs me as a member here: an admin can add me.")
    else:
        line = voice.say("A daily quiz is for a group: set it in the channel where it should come.")
    return said(voice, line)


def organises_no_more(place: Place, voice: Voice) -> Message:
    """To who has set it, and pressed a button of what they were told of it then."""
    line = voice.say(
        "You do not organise {channel} any more: somebody who does can do this there.",
        channel=plans.channel(place, voice),
    )
    return said(voice, line)


def organisers_only(voice: Voice) -> Message:
    return said(voice, voice.say("Only organisers set the daily quiz here."))


# --- what there is ---------------------------------------------------------------------------


def one(look: Look, voice: Voice, above: Sequence[Spans] = ()) -> Message:
    """One with all that can be done with it; `above` stands what was just done."""
    schedule = look.schedule
    blocks = [*map(Paragraph, above), *lines(look, voice)]
    is_paused = schedule.paused_at is not None
    first: list[Control] = [
        button("change", voice.phrase("Change"), schedule),
        button("resume", voice.phrase("Resume"), schedule)
        if is_paused
        else button("pause", voice.phrase("Pause"), schedule),
    ]
    if schedule.next_date is not None:
        first.append(button("next", voice.phrase("Skip the next"), schedule))
    if _coming_skips(schedule):
        first.append(button("unskip", voice.phrase("Skip none"), schedule))
    second: list[Control] = [
        button("preview", voice.phrase("Preview"), schedule),
        button("now", voice.phrase("Post now"), schedule),
        button("past", voice.phrase("Past ones"), schedule),
        button("remove", voice.phrase("Remove"), schedule),
    ]
    third = (another(voice),) if look.is_alone else (another(voice), all_dailies(voice))
    rows: tuple[Row, ...] = (tuple(first), tuple(second), third)
    return Message(tuple(blocks), rows, voice.language, replaces=True)


def lines(look: Look, voice: Voice) -> list[Block]:
    """One among others: its channel, when, what, how it stands, and what troubles it."""
    schedule = look.schedule
    when = plain(plans.when(schedule.plan, voice))
    what = plain(plans.what(schedule.plan, [*look.titles, *look.missing], voice))
    blocks: list[Block] = [
        Paragraph((Bold(plans.channel(schedule.place, voice)), Plain(" · "), *when)),
        Small((*what, Plain(" · "), *_state(schedule, voice))),
    ]
    return blocks + [Small((Bold(line),)) for line in _troubles(look, voice)]


def none_yet(voice: Voice) -> Message:
    line = voice.say("There is no daily quiz yet.")
    button = Button(voice.phrase("Set the daily quiz"), tokens.write(tokens.NewDaily()), "primary")
    return Message((Paragraph(line),), ((button,),), voice.language, replaces=True)


# --- what was done ---------------------------------------------------------------------------


def saved(look: Look, voice: Voice) -> Message:
    return one(look, voice, [voice.say("Saved.")])


def paused(schedule: Schedule, voice: Voice) -> Spans:
    if schedule.paused_until is None:
        return voice.say("Paused. Nothing is posted until somebody resumes it.")
    return voice.say("Paused until {date}.", date=date_in_words(schedule.paused_until, voice))


def resumed(voice: Voice) -> Spans:
    return voice.say("It goes on.")


def not_paused(voice: Voice) -> Spans:
    return voice.say("It is not paused.")


def skipped(dates: Sequence[date], voice: Voice) -> Spans:
    named_dates = voice.list_of(date_in_words(day, voice) for day in dates)
    return voice.say("Left out: {dates}. A streak does not notice.", dates=named_dates)


def skips_none(voice: Voice) -> Spans:
    return voice.say("No day is left out any more.")


def surely_remove(schedule: Schedule, voice: Voice) -> Message:
    line = voice.say(
        "Remove the daily quiz in {channel}, {when}? What was answered stays.",
        channel=plans.channel(schedule.place, voice),
        when=plans.when(schedule.plan, voice),
    )
    row: Row = (
        Button(
            voice.phrase("Remove"), tokens.write(tokens.Daily(schedule.id, "removed")), "danger"
        ),
        button("show", voice.phrase("Keep it"), schedule),
    )
    return Message((Paragraph(line),), (row,), voice.language, replaces=True)


def removed(schedule: Schedule, voice: Voice) -> Message:
    line = voice.say(
        "Removed: the daily quiz in {channel}. What is open can still be answered.",
        channel=plans.channel(schedule.place, voice),
    )
    return Message((Paragraph(line),), ((all_dailies(voice),),), voice.language, replaces=True)


def gone(voice: Voice) -> Message:
    line = voice.say("This daily quiz is not there any more.")
    return Message((Paragraph(line),), ((all_dailies(voice),),), voice.language, replaces=True)


def posting(schedule: Schedule, closes_at: datetime, voice: Voice) -> Message:
    line = voice.say(
        "Today’s quiz is on its way to {channel}; it closes {closes}.",
        channel=plans.channel(schedule.place, voice),
        closes=plans.moment(closes_at, voice),
    )
    return Message((Paragraph(line),), language=voice.language)


def cannot_post(look: Look, voice: Voice) -> Message:
    """What keeps today's from being posted, and the way to post it once that is mended."""
    row: Row = (button("now", voice.phrase("Post now"), look.schedule),)
    return Message((Paragraph(look.hindered),), (row,), voice.language)


def asked_already(schedule: Schedule, link: str | None, voice: Voice) -> Message:
    """There is one for today, and where it stands."""
    line = voice.say(
        "Today’s quiz is in {channel} already.", channel=plans.channel(schedule.place, voice)
    )
    rows: tuple[Row, ...] = ()
    if link is not None:
        rows = ((LinkButton(voice.phrase("Go to today’s quiz"), link),),)
    return Message((Paragraph(line),), rows, voice.language)


def nothing_to_ask(schedule: Schedule, voice: Voice) -> Message:
    line = voice.say("There is nothing to ask: none of its quizzes has a question.")
    row: Row = (button("change", voice.phrase("Change"), schedule),)
    return Message((Paragraph(line),), (row,), voice.language)


def repeats(voice: Voice) -> Spans:
    return voice.say(
        "Once all were asked, those come again that were missed most, and say so; none comes "
        "within 30 days while another is left."
    )


def adding(voice: Voice) -> Spans:
    return voice.say(
        "Quizzes are files, one folder each: whoever runs quizbot adds them, as docs/banks.md "
        "there says. A daily quiz asks what is new by itself."
    )


def button(do: str, label: str, schedule: Schedule) -> Button:
    return Button(label, tokens.write(tokens.Daily(schedule.id, do)))


def all_dailies(voice: Voice) -> Button:
    return Button(voice.phrase("All daily quizzes"), tokens.write(tokens.Dailies()))


def another(voice: Voice) -> Button:
    return Button(voice.phrase("Set another"), tokens.write(tokens.NewDaily()))


# --- inside ----------------------------------------------------------------------------------


def _state(schedule: Schedule, voice: Voice) -> Spans:
    if schedule.paused_at is not None and schedule.paused_until is None:
        return voice.say("paused")
    if schedule.next_at is None:
        return voice.say("nothing is to come")
    parts = [voice.say("next: {when}", when=plans.moment(schedule.next_at, voice))]
    if schedule.paused_until is not None:
        until = date_in_words(schedule.paused_until, voice)
        parts.insert(0, voice.say("paused until {date}", date=until))
    if skips := _coming_skips(schedule):
        days = voice.list_of(date_in_words(day, voice) for day in skips)
        parts.append(voice.say("not on {dates}", dates=days))
    return plans.in_a_row(parts)


def _coming_skips(schedule: Schedule) -> list[date]:
    """The dates that are left out and not over."""
    last = schedule.last_date
    return sorted(day for day in schedule.skips if last is None or day > last)


def _troubles(look: Look, voice: Voice) -> list[Spans]:
    lines = []
    if look.missing:
        lines.append(
            voice.say(
                "Not there any more: {titles}. Choose others under Change.",
                titles=voice.list_of(look.missing),
            )
        )
    if look.empty:
        lines.append(voice.say("There is nothing to ask: none of its quizzes has a question."))
    if look.hindered:
        lines.append(look.hindered)
    if look.schedule.refusals:
        lines.append(
            voice.many(
                "{n} post was refused.",
                "{n} posts in a row were refused.",
                look.schedule.refusals,
            )
        )
    return lines
