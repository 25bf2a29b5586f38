"""The private pages: quizzes, one's own answers, languages, help, and what is stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot import tokens
from bot.commands import COMMANDS
from bot.content import Bank, Language
from bot.library import Title
from bot.markdown import spans_of
from bot.messages import (
    Block,
    Bold,
    Button,
    Choice,
    Control,
    Message,
    Paragraph,
    Plain,
    Row,
    Select,
    Small,
    Spans,
    buttons_of,
)
from bot.outcomes import Attempt
from bot.reading import read_question
from bot.state import Person, Step
from bot.wording.dailies import all_dailies
from bot.wording.names import CommandNames
from bot.wording.pages import page_of, turn_pages
from bot.wording.pieces import Reader, all_quizzes, leaderboard
from bot.wording.questions import LEVELS
from bot.wording.voice import Voice, joined, own_name, plain, quoted

QUIZZES_ON_A_PAGE = 10
ANSWERS_ON_A_PAGE = 5
LANGUAGES_ON_A_PAGE = 20


def quizzes(
    page: int, titles: Sequence[tuple[Title, Bank]], reader: Reader, *, alone: bool
) -> Message:
    """All quizzes, by title, with ways to begin one here, where others are, or alone."""
    voice = reader.voice
    if not titles:
        line = voice.say("There are no quizzes yet. The person who runs quizbot can add some.")
        return Message((Paragraph(line),), language=voice.language)
    on = page_of(titles, page, QUIZZES_ON_A_PAGE)
    blocks: list[Block] = []
    for name, bank in on.shown:
        blocks.append(Paragraph((Bold(voice.content(plain(name.title), name.language)),)))
        blocks.append(_about(bank, voice))
    choices = tuple(Choice(name.id, name.title) for name, bank in on.shown if bank.playable)
    selects: tuple[Row, ...] = ()
    if choices:
        live = tokens.write(tokens.Start("live", ""))
        solo = tokens.write(tokens.Start("solo", ""))
        selects = ((Select(solo, voice.phrase("Play one alone"), choices),),)
        if not alone:
            selects = ((Select(live, voice.phrase("Start one here"), choices),), *selects)
    turn = turn_pages(on.number, on.pages, tokens.Quizzes, voice)
    return Message(tuple(blocks), (*selects, *turn), voice.language, replaces=True)


def answers(
    page: int,
    found: Sequence[tuple[Step, Attempt]],
    *,
    has_more: bool,
    reader: Reader,
    kept: frozenset[int] = frozenset(),
) -> Message:
    """One's own answers, the newest first, each with a button to its explanation.

    `kept` are the ids of questions of which it is not said what is right.
    """
    voice = reader.voice
    if not found:
        line = voice.say("You have answered nothing here yet.")
        button = all_quizzes(voice)
        return Message((Paragraph(line),), ((button,),), voice.language, replaces=True)
    first = page * ANSWERS_ON_A_PAGE + 1
    blocks: list[Block] = []
    see: list[Control] = []
    for number, (step, attempt) in enumerate(found, start=first):
        blocks += _answer_lines(number, step, attempt, reader, kept)
        see.append(Button(str(number), tokens.write(tokens.Explain(step.id))))
    pages = page + 2 if has_more else page + 1
    turn = turn_pages(page, pages, tokens.Answers, voice)
    blocks.append(Small(voice.say("Press a number for the explanation.")))
    return Message(tuple(blocks), (tuple(see), *turn), voice.language, replaces=True)


def languages(
    step_id: int, page: int, choices: Sequence[Language], chosen: Language | None, voice: Voice
) -> Message:
    """A page of the languages to read in; `step_id` is the question to go back to, or 0."""
    token = tokens.write(tokens.SetLanguage(step_id, ""))
    on = page_of(choices, page, LANGUAGES_ON_A_PAGE)
    listed = tuple(Choice(tag, own_name(tag), voice.language_name(tag)) for tag in on.shown)
    select = Select(token, voice.phrase("Language"), listed, chosen if chosen in on.shown else None)
    more: list[Control] = []
    if on.number > 0:
        to = tokens.LanguagePage(step_id, on.number - 1)
        more.append(Button(voice.phrase("Languages before"), tokens.write(to)))
    if on.number + 1 < on.pages:
        to = tokens.LanguagePage(step_id, on.number + 1)
        more.append(Button(voice.phrase("More languages"), tokens.write(to)))
    return Message(
        (Paragraph(voice.say("In which language do you want to read?")),),
        ((select,), tuple(more)) if more else ((select,),),
        voice.language,
        replaces=True,
    )


def language_set(language: Language, reader: Reader) -> Message:
    """Said in the language that was chosen, as far as there are words for it."""
    voice = reader.voice
    lines = [voice.say("You now read in {language}.", language=own_name(language))]
    if language.split("-")[0].casefold() != voice.language.split("-")[0].casefold():
        lines.append(
            voice.say("What has no translation is shown in the language it was written in.")
        )
    return Message(tuple(Paragraph(line) for line in lines), language=voice.language, replaces=True)


def unknown_language(typed: str, choices: Sequence[Language], voice: Voice) -> Message:
    names = voice.list_of(f"{own_name(tag)} ({tag})" for tag in choices[:8])
    line = voice.say(
        "I know no language “{typed}”. There are {names}.", typed=quoted(typed), names=names
    )
    button = Button(voice.phrase("Language"), tokens.write(tokens.PickLanguage(0)), "primary")
    return Message((Paragraph(line),), ((button,),), voice.language)


def help_page(reader: Reader, names: CommandNames, *, organiser: bool) -> Message:
    """Every command in a line, and a button for what needs no words."""
    voice = reader.voice
    blocks: list[Block] = [
        Paragraph(
            voice.say("A question, one press, an explanation in your language. What you can do:")
        )
    ]
    for spec in COMMANDS:
        if spec.organiser and not organiser:
            continue
        usage = f" {voice.phrase(spec.usage)}" if spec.usage else ""
        if spec.parts:
            usage = f" [{' | '.join(names.part(part.name) for part in spec.parts)}]"
        name = Bold(plain(names.of(spec.name)))
        blocks.append(Paragraph((name, Plain(f"{usage} – "), *voice.say(spec.description))))
    row: list[Control] = [
        Button(voice.phrase("All quizzes"), tokens.write(tokens.Quizzes(0)), "primary"),
        leaderboard(voice),
        Button(voice.phrase("My answers"), tokens.write(tokens.Answers(0))),
        Button(voice.phrase("Language"), tokens.write(tokens.PickLanguage(0))),
        Button(voice.phrase("What is stored"), tokens.write(tokens.WhatIsStored())),
    ]
    rows: tuple[Row, ...] = (tuple(row),)
    if organiser:
        settings = Button(voice.phrase("Settings"), tokens.write(tokens.Settings()))
        rows += ((all_dailies(voice), settings),)
    return Message(tuple(blocks), rows, voice.language)


def what_is_stored(person: Person | None, reader: Reader) -> Message:
    voice = reader.voice
    lines = (
        voice.say("Your account’s id and name, your language, and your answers with their times."),
        voice.say(
            "Others see your name and points on results and leaderboards, and nothing of what you "
            "answered. Organisers see no more than that."
        ),
    )
    hidden = person is not None and person.hidden
    return Message(
        tuple(Paragraph(line) for line in lines),
        ((hide_button(voice, hidden=hidden),),),
        voice.language,
    )


def welcome(voice: Voice, names: CommandNames) -> Message:
    """What a community is told once, when quizbot comes to it."""
    lines = (
        voice.say("I run quizzes here: a question, one press, an explanation in your language."),
        voice.say("Nothing is posted until someone asks: {command}", command=names.of("quiz")),
    )
    row = (
        Button(voice.phrase("Set the daily quiz"), tokens.write(tokens.NewDaily()), "primary"),
        Button(
            voice.phrase("Try one question"),
            tokens.write(tokens.TryOne()),
            spoken=voice.phrase("Try one question; only you see it"),
        ),
        all_quizzes(voice),
        Button(voice.phrase("Language"), tokens.write(tokens.PickLanguage(0))),
        Button(voice.phrase("What is stored"), tokens.write(tokens.WhatIsStored())),
    )
    return Message(tuple(Paragraph(line) for line in lines), (row,), voice.language)


def introduced(message: Message, voice: Voice) -> Message:
    """The first private reply to a person, with who sees what and the two choices added."""
    line = voice.say(
        "Only you see what you answer; the channel sees how many answered, and points on the "
        "leaderboard."
    )
    row = [hide_button(voice, hidden=False)]
    controls = [one for row in message.controls for one in row if isinstance(one, Button | Select)]
    read = [tokens.read(control.token) for control in controls]
    if not any(isinstance(choice, tokens.PickLanguage | tokens.SetLanguage) for choice in read):
        row.append(Button(voice.phrase("Language"), tokens.write(tokens.PickLanguage(0))))
    return replace(
        message,
        blocks=(*message.blocks, Small(line)),
        controls=(*message.controls, tuple(row)),
    )


def below(message: Message, other: Message) -> Message:
    """Two messages as one, in which one button at most is the first to press."""
    more = other.controls
    if any(button.style == "primary" for button in buttons_of(message)):
        more = tuple(tuple(map(_plainly, row)) for row in more)
    return replace(
        message,
        blocks=(*message.blocks, *other.blocks),
        controls=(*message.controls, *more),
    )


def _plainly(control: Control) -> Control:
    if isinstance(control, Button) and control.style == "primary":
        return replace(control, style="secondary")
    return control


def with_note(message: Message, line: Spans) -> Message:
    """A message with a line below it."""
    return replace(message, blocks=(*message.blocks, Small(line)))


def noted(message: Message, other: Message) -> Message:
    """A message with another as a note below it."""
    lines = (Small(one.spans) if isinstance(one, Paragraph) else one for one in other.blocks)
    return below(message, replace(other, blocks=tuple(lines)))


def hide_button(voice: Voice, *, hidden: bool) -> Button:
    if hidden:
        return Button(voice.phrase("Show my name"), tokens.write(tokens.HideName(0)))
    return Button(voice.phrase("Hide my name"), tokens.write(tokens.HideName(1)))


def name_hidden(voice: Voice, *, hidden: bool) -> Message:
    if hidden:
        line = voice.say(
            "Your name is on no result and no leaderboard now. You still see your own points."
        )
    else:
        line = voice.say("Your name is on results and leaderboards again.")
    return Message((Paragraph(line),), ((hide_button(voice, hidden=hidden),),), voice.language)


def _about(bank: Bank, voice: Voice) -> Small:
    count = len(bank.playable)
    parts = [
        voice.many("{n} question", "{n} questions", count),
        *([voice.say(LEVELS[bank.level])] if bank.level in LEVELS else []),
        plain(", ".join(own_name(tag) for tag in bank.languages)),
    ]
    return Small(joined(parts, " · "))


def _answer_lines(
    number: int, step: Step, attempt: Attempt, reader: Reader, kept: frozenset[int]
) -> list[Block]:
    voice = reader.voice
    shown = read_question(step.question, reader.language)
    stem = voice.content(spans_of(shown.ask.text), shown.ask.language)
    chosen = "; ".join(shown.ask.options[key] for key in attempt.answer if key in shown.ask.options)
    answer = voice.content(spans_of(chosen), shown.ask.language)
    line = (
        voice.say("You answered: {answer}", answer=answer)
        if step.question_id in kept
        else voice.say("You were right: {answer}", answer=answer)
        if attempt.is_right
        else voice.say("Not right: {answer}", answer=answer)
    )
    when = voice.day(attempt.pressed_at)
    return [
        Paragraph((Bold((Plain(f"{number}. "), *stem)),)),
        Small((*line, Plain(" · "), when)),
    ]
