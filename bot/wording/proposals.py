"""Setting the daily quiz: a private summary, whose buttons open small forms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import assert_never

from bot import tokens
from bot.messages import (
    Block,
    Bold,
    Button,
    Choice,
    Heading,
    Message,
    Paragraph,
    Row,
    Select,
    Small,
    Spans,
)
from bot.ports import Access
from bot.proposals import Entered, Part
from bot.schedules import Schedule
from bot.state import Place
from bot.wording import entering, plans
from bot.wording.dailies import Look
from bot.wording.daily_names import names_of
from bot.wording.pages import page_of, turn_pages
from bot.wording.voice import Voice, plain

A_NEW_ONE = "new"
"""The value of the select for who changes none."""

MOST_OFFERED = 20


@dataclass(frozen=True, slots=True)
class View:
    """A proposal as it stands, for its summary.

    `upcoming` are the next posts and closings. `days_off` are the public holidays of the coming
    months, by name. `titles` are what is drawn from, none for everything; `questions` how many
    there are in it. `others` are the schedules of the place.
    """

    id: int
    entered: Entered
    changed: Schedule | None
    place: Place
    access: Access | None
    now: datetime
    upcoming: Sequence[tuple[datetime, datetime]]
    days_off: Mapping[date, str]
    titles: Sequence[str]
    questions: int
    group_name: str
    others: Sequence[Look]
    parts: Sequence[Part]

    @property
    def may_be_saved(self) -> bool:
        return self.entered.timed and not self.entered.faults and self.questions > 0


def summary(view: View, voice: Voice) -> Message:
    """What is set so far, what would come of it, and the ways on."""
    blocks: list[Block] = [Heading(_title(view, voice)), *_troubles(view, voice)]
    blocks += _lines(view, voice)
    blocks += _upcoming(view, voice)
    blocks.append(Small(voice.say("Nothing is posted before you press Save.")))
    return Message(tuple(blocks), _controls(view, voice), voice.language, replaces=True)


def which(proposal_id: int, others: Sequence[Look], page: int, voice: Voice) -> Message:
    """Asks which of several schedules of a place is meant, or a new one."""
    line = voice.say("There are several daily quizzes here. Which one do you mean?")
    on = page_of(others, page, MOST_OFFERED)
    select = _others(proposal_id, on.shown, None, voice)
    turn = turn_pages(on.number, on.pages, lambda to: tokens.ProposalPage(proposal_id, to), voice)
    return Message((Paragraph(line),), ((select,), *turn), voice.language, replaces=True)


def mistake(proposal_id: int, part: Part, sentence: str, voice: Voice) -> Message:
    """The first thing that is wrong with a command, and the form in which to mend it."""
    token = tokens.write(tokens.ProposalForm(proposal_id, part))
    button = Button(voice.phrase("Correct it"), token, "primary")
    return Message((Paragraph(plain(sentence)),), ((button,),), voice.language)


def gone(voice: Voice) -> Message:
    """A button of what was saved, or begun anew."""
    line = voice.say("This was saved, or begun anew, in the meantime.")
    row: Row = (
        Button(voice.phrase("All daily quizzes"), tokens.write(tokens.Dailies())),
        Button(voice.phrase("Set the daily quiz"), tokens.write(tokens.NewDaily())),
    )
    return Message((Paragraph(line),), (row,), voice.language, replaces=True)


def label(part: Part, voice: Voice) -> str:
    match part:
        case "when":
            return voice.phrase("Hour and days")
        case "what":
            return voice.phrase("Questions")
        case "post":
            return voice.phrase("The post")
        case "channel":
            return voice.phrase("Channel")
        case _:
            assert_never(part)


# --- inside ----------------------------------------------------------------------------------


def _title(view: View, voice: Voice) -> Spans:
    if "channel" in view.entered.faults:
        return voice.say("A daily quiz")
    channel = plans.channel(view.place, voice)
    if view.changed is None:
        return voice.say("A daily quiz in {channel}", channel=channel)
    return voice.say("The daily quiz in {channel}", channel=channel)


def _troubles(view: View, voice: Voice) -> list[Block]:
    lines = [plain(fault) for fault in view.entered.faults.values()]
    if "channel" not in view.entered.faults:
        hindered = entering.hindered(view.access, plans.channel(view.place, voice), voice)
        lines += [hindered] if hindered else []
    if not view.questions and "topic" not in view.entered.faults:
        lines.append(
            voice.say("There is no question to ask yet. The person who runs quizbot can add some.")
        )
    return [Paragraph((Bold(line),)) for line in lines]


def _lines(view: View, voice: Voice) -> list[Block]:
    plan = view.entered.plan
    when = plans.when(plan, voice)
    there = plans.time_there(view.now, plan.recurrence.zone, voice)
    blocks: list[Block] = []
    if view.entered.timed:
        at = voice.say("When: {when}; there it is {time} now", when=when, time=there)
    else:
        zone = plan.recurrence.zone.key
        at = voice.say("When: not set yet; in {zone} it is {time} now", zone=zone, time=there)
    blocks.append(Paragraph(at))
    if plan.recurrence.days_off is not None:
        blocks.append(Small(plans.days_off(plan.recurrence.days_off, view.days_off, voice)))
    blocks.append(Paragraph(voice.say("What: {what}", what=plans.what(plan, view.titles, voice))))
    post = voice.say(
        "The post: open {open}; language: {language}; mentions {audience}",
        open=plans.open_for(plan, voice),
        language=plans.language(plan, voice),
        audience=plans.audience(plan, view.group_name, voice),
    )
    return [*blocks, Paragraph(post)]


def _upcoming(view: View, voice: Voice) -> list[Block]:
    if not view.entered.timed:
        return []
    if not view.upcoming:
        return [Paragraph(voice.say("With this, no post comes in the next two years."))]
    blocks: list[Block] = [Paragraph(voice.say("The next posts, on your own clock:"))]
    for opens, closes in view.upcoming:
        blocks.append(
            Small(
                voice.say(
                    "{opens}, closes {closes}",
                    opens=plans.moment(opens, voice),
                    closes=plans.moment(closes, voice),
                )
            )
        )
    return blocks


def _controls(view: View, voice: Voice) -> tuple[Row, ...]:
    needed = {"channel"} if "channel" in view.entered.faults else set()
    needed |= set() if view.entered.timed else {"when"}
    buttons = [
        Button(
            label(part, voice),
            tokens.write(tokens.ProposalForm(view.id, part)),
            "primary" if part in needed else "secondary",
        )
        for part in view.parts
    ]
    rows: list[Row] = [tuple(buttons)]
    if view.may_be_saved:
        token = tokens.write(tokens.SaveProposal(view.id))
        rows.insert(0, (Button(voice.phrase("Save"), token, "primary"),))
    if len(view.others) > MOST_OFFERED:
        all_ = tokens.write(tokens.ProposalPage(view.id, 0))
        rows.append((Button(voice.phrase("Change another"), all_),))
    elif view.others:
        chosen = A_NEW_ONE if view.changed is None else str(view.changed.id)
        rows.append((_others(view.id, view.others, chosen, voice),))
    return tuple(rows)


def _others(proposal_id: int, others: Sequence[Look], chosen: str | None, voice: Voice) -> Select:
    """Which schedule of the place is changed, or none."""
    changes = [
        Choice(str(look.schedule.id), voice.phrase("Change: {quiz}", quiz=name))
        for look, name in zip(others, names_of(others, voice), strict=True)
    ]
    choices = (*changes, Choice(A_NEW_ONE, voice.phrase("Set a new one")))
    token = tokens.write(tokens.ProposalFor(proposal_id))
    return Select(token, voice.phrase("Choose a daily quiz"), choices, chosen)
