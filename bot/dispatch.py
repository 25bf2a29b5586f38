"""Which call leads to which reply: one line for each command and each kind of button."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from bot import tokens
from bot.arranging import Arranging
from bot.asking import Asking
from bot.boarding import Boarding
from bot.calls import Click, Submission
from bot.commands import Read, UnknownCommand, read_wish
from bot.dailies import Dailies
from bot.desk import Desk
from bot.endings import Endings
from bot.engine import Engine
from bot.home import Home
from bot.keeping import Keeping
from bot.leading import Leading
from bot.messages import Reply
from bot.play import Play
from bot.ports import Surface
from bot.progress import Streaks
from bot.rankings import Wanted
from bot.readers import Here, Readers
from bot.telling import Telling
from bot.unseen import as_seen, is_seen
from bot.wording import troubles
from bot.wording.names import CommandNames


class Dispatch:
    """Decides nothing but where a call goes."""

    def __init__(
        self,
        play: Play,
        leading: Leading,
        telling: Telling,
        desk: Desk,
        boarding: Boarding,
        keeping: Keeping,
        streaks: Streaks,
        dailies: Dailies,
        arranging: Arranging,
        asking: Asking,
        home: Home,
        engine: Engine,
        endings: Endings,
        readers: Readers,
        surfaces: Mapping[str, Surface],
        prefixes: Mapping[str, str],
    ) -> None:
        self._play = play
        self._leading = leading
        self._telling = telling
        self._desk = desk
        self._boarding = boarding
        self._keeping = keeping
        self._streaks = streaks
        self._dailies = dailies
        self._arranging = arranging
        self._asking = asking
        self._home = home
        self._engine = engine
        self._endings = endings
        self._readers = readers
        self._surfaces = surfaces
        self._prefixes = prefixes

    async def typed(self, read: Read | UnknownCommand, here: Here) -> Reply:
        """A line that was typed."""
        if isinstance(read, UnknownCommand):
            return self._unknown(read, here)
        near = self._names(here).of(read.near) if read.near else ""
        return await self.command(read.name, read.options, here, read.whole, near)

    async def command(
        self,
        name: str,
        options: Mapping[str, str],
        here: Here,
        whole: str = "",
        near: str = "",
    ) -> Reply:
        """A command of the table; `whole` is all that was typed behind its name.

        `near` is another command that may have been meant, as it is typed.
        """
        whole = whole if is_seen(whole) else ""
        reply = await self._by_name(name, as_seen(options), here, whole, near)
        return await self._endings.told_starter(reply, here)

    async def _by_name(  # noqa: C901 - a line for each command
        self, name: str, options: Mapping[str, str], here: Here, whole: str, near: str
    ) -> Reply:
        match name:
            case "quiz" if not options.get("topic") and self._asking.asks(here):
                return self._asking.form(here)
            case "quiz":
                return await self._play.quiz(read_wish(options, whole, near), here)
            case "leaderboard":
                return await self._boarding.leaderboard(options, here)
            case "progress":
                return await self._streaks.progress(here)
            case "away":
                return await self._streaks.away(options, here, self._names(here))
            case "quizzes":
                return self._desk.quizzes(0, here)
            case "answers":
                return await self._desk.answers(0, here)
            case "language" if options.get("language"):
                return await self._desk.set_language(options["language"], here)
            case "language":
                return await self._desk.pick_language(0, here)
            case "stop":
                return await self._leading.stop_here(here)
            case "settings":
                return await self._arranging.settings(here)
            case _ if name.startswith(_OF_DAILY):
                return await self._dailies.command(name.removeprefix(_OF_DAILY), options, here)
            case "help":
                return self._desk.help(here, self._names(here))
            case _:
                return self._unknown(UnknownCommand(name, ""), here)

    async def press(self, click: Click, choice: tokens.Choice | None, here: Here) -> Reply:
        """A button or a choice; None is a token that nobody of ours wrote."""
        reply = await self._by_kind(click, choice, here)
        step_id = getattr(choice, "step", 0)
        if step_id:
            await self._engine.learn_message(step_id, click, here)
        if isinstance(choice, tokens.Board | tokens.BoardOf):
            await self._keeping.learn_message(click, here)
        if isinstance(choice, tokens.Answer):
            # A rush of answers has no time to look for what its starter should know.
            return reply
        return await self._endings.told_starter(reply, here)

    async def _by_kind(  # noqa: C901 - the one dispatch: a line for each kind of button
        self, click: Click, choice: tokens.Choice | None, here: Here
    ) -> Reply:
        play, desk, boarding = self._play, self._desk, self._boarding
        match choice:
            case None:
                return play.stale(here)
            case tokens.Answer():
                return await play.answer(click, choice, here)
            case tokens.OwnLanguage(step):
                own = await play.own_language(step, here)
                return own or await desk.pick_language(step, here)
            case tokens.PickLanguage(step):
                return await desk.pick_language(step, here)
            case tokens.LanguagePage(step, page):
                return await desk.pick_language(step, here, page)
            case tokens.SetLanguage(step, language):
                return await self._language_chosen(step, language or _picked(click), here)
            case tokens.More(step):
                return await play.more(step, here)
            case tokens.MoreTime(step):
                return await self._leading.more_time(step, here)
            case tokens.Hint(step):
                return await play.hint(step, here)
            case tokens.Explain(step):
                return await play.explain(step, here)
            case tokens.Next(step):
                return await self._leading.next(step, here)
            case tokens.GoOn(step):
                return await self._leading.go_on(step, here)
            case tokens.Stop(round_):
                return await self._leading.stop(round_, here)
            case tokens.MyResult(round_):
                return await play.my_result(round_, here)
            case tokens.NextSolo(round_):
                return await play.next_solo(round_, here)
            case tokens.Begin(round_):
                return await play.begin(round_, click, here)
            case tokens.Late(round_):
                return await play.late(round_, here)
            case tokens.PostAgain(round_):
                return await self._telling.post_again(round_, here)
            case tokens.TryOne():
                return await play.try_one(here)
            case tokens.AgainForMe(round_):
                return await play.again_for_me(round_, here)
            case tokens.Start(mode, bank):
                topic = bank or _picked(click)
                return await play.quiz(read_wish({"topic": topic, "mode": mode}), here)
            case tokens.Board(scope, period, below):
                return await boarding.board(Wanted(scope, period, below), here)
            case tokens.BoardOf(scope, period, below, topic, day):
                return await boarding.board(Wanted(scope, period, below, topic, day), here)
            case tokens.ShowBoard(scope, period):
                return await boarding.show(Wanted(scope, period), here)
            case tokens.ShowBoardOf(scope, period, topic, day):
                return await boarding.show(Wanted(scope, period, 0, topic, day), here)
            case tokens.KeepBoard(scope, period, topic):
                return await self._keeping.keep(Wanted(scope, period, 0, topic), here)
            case tokens.DropBoard():
                return await self._keeping.drop(here)
            case tokens.NewSeason(sure):
                return await boarding.new_season(here, sure=sure == 1)
            case tokens.Progress():
                return await self._streaks.progress(here)
            case tokens.AwayOver():
                return await self._streaks.come_back(here)
            case tokens.Quizzes(page):
                return desk.quizzes(page, here)
            case tokens.Answers(page):
                return await desk.answers(page, here)
            case tokens.HideName(hidden):
                return await desk.hide_name(hidden == 1, here)
            case tokens.WhatIsStored():
                return desk.what_is_stored(here)
            case tokens.Settings():
                return await self._arranging.settings(here)
            case tokens.SettingsForm(part):
                return await self._arranging.form(part, here)
            case tokens.SettingsAgain(part, typed):
                return await self._arranging.form(part, here, typed)
            case tokens.QuizForm():
                return self._asking.form(here)
            case tokens.NewDaily():
                return await self._dailies.command("set", {}, here)
            case tokens.ProposalForm(proposal, part):
                return await self._dailies.proposing.form(proposal, part, here)
            case tokens.ProposalPage(proposal, page):
                return await self._dailies.proposing.others(proposal, page, here)
            case tokens.ProposalFor(proposal):
                return await self._dailies.proposing.choose(proposal, _picked(click), here)
            case tokens.SaveProposal(proposal):
                return await self._dailies.proposing.save(proposal, here)
            case tokens.Dailies():
                return await self._dailies.command("list", {}, here)
            case tokens.DailiesPage(page):
                return await self._dailies.all(here, page)
            case tokens.Daily(schedule, do):
                return await self._dailies.press(schedule, do, here)
            case tokens.DailyPick():
                return await self._dailies.picked(choice, _picked(click), here)
            case tokens.DailyPickPage():
                return await self._dailies.pick(choice, here)
            case tokens.PastDailies():
                return await self._dailies.past(choice, here)
            case tokens.Home():
                return await self._home.page(here)
            case _:
                assert_never(choice)

    async def submit(
        self, submission: Submission, choice: tokens.Choice | None, here: Here
    ) -> Reply:
        """A form that was filled in."""
        submission = replace(submission, values=as_seen(submission.values))
        if isinstance(choice, tokens.SettingsForm):
            return await self._arranging.save(choice.part, submission, here)
        if isinstance(choice, tokens.QuizForm):
            return await self._asking.submit(submission.values, here)
        if isinstance(choice, tokens.ProposalForm):
            proposing = self._dailies.proposing
            return await proposing.submit(choice.proposal, choice.part, submission, here)
        return self._play.stale(here)

    def _unknown(self, fault: UnknownCommand, here: Here) -> Reply:
        return troubles.unknown_command(fault, self._names(here), here.reader().voice)

    def _names(self, here: Here) -> CommandNames:
        """The commands as this person types them here."""
        platform = here.where.platform
        surface = self._surfaces.get(platform)
        is_localised = surface is not None and surface.abilities.localised_commands
        locale = here.who.locale if is_localised else None
        return CommandNames(self._prefixes.get(platform, "/"), locale)

    async def _language_chosen(self, step_id: int, language: str, here: Here) -> Reply:
        """A choice from the list; then whatever the reader came from, in that language."""
        said = await self._desk.set_language(language, here)
        fresh = await self._readers.here(here.who, here.where)
        if not step_id or not fresh.language_is_chosen:
            return said
        return await self._play.in_chosen_language(step_id, fresh) or said


def asks_standing(asked: tokens.Choice | Read | UnknownCommand | None) -> bool:
    """Whether the reply to this depends on what somebody may do here."""
    if isinstance(asked, Read):
        return asked.name in _BY_STANDING or asked.name.startswith(_OF_DAILY)
    return isinstance(asked, _OF_STANDING)


_OF_DAILY = "daily "
_BY_STANDING = {"quiz", "leaderboard", "stop", "settings", "help"}
_OF_STANDING = (
    tokens.More, tokens.Next, tokens.GoOn, tokens.Stop, tokens.MyResult, tokens.Start,
    tokens.Settings, tokens.SettingsForm, tokens.SettingsAgain, tokens.QuizForm, tokens.Home,
    tokens.NewDaily, tokens.ProposalForm, tokens.ProposalPage, tokens.ProposalFor,
    tokens.SaveProposal, tokens.Dailies, tokens.DailiesPage, tokens.Daily, tokens.DailyPick,
    tokens.DailyPickPage, tokens.PastDailies, tokens.PostAgain,
    tokens.Board, tokens.BoardOf, tokens.KeepBoard, tokens.DropBoard, tokens.NewSeason,
)  # fmt: skip


def _picked(click: Click) -> str:
    """The value of a select; empty for who pressed something else."""
    return click.values[0] if click.values else ""
