"""What organisers do with the daily quiz, as conversations: set, look, pause, skip, remove."""

from __future__ import annotations

import copy
from dataclasses import replace
from pathlib import Path

import pytest
from bare_stage import BareStage, seen
from conversation import Person, Stage, at_the_core, jump, last
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from quizzes import ONE, write_bank, write_banks

from bot.calls import Typed, Where
from bot.ports import Access

pytest_plugins = ["surfaces"]

HOUR, DAY = 3600, 86400


def organiser(stage: Stage) -> Person:
    return Person(stage, "Olga", organiser=True)


async def live(stage: Stage, seconds: float) -> None:
    """Time goes by, looked at every six hours."""
    while seconds > 0:
        await jump(stage, min(seconds, 6 * HOUR))
        seconds -= 6 * HOUR


# --- setting ---------------------------------------------------------------------------------


async def test_one_command_sets_the_daily_quiz_once_it_was_looked_at(stage: Stage) -> None:
    olga = organiser(stage)
    told = await olga.types("/daily set 07:30 Africa/Harare mon-fri ports")
    told.says("from Monday to Friday at 7:30", "Africa/Harare", "there it is 11:00")
    told.says("1 question from Ports, shuffled", "open until the next one", "mentions nobody")
    told.says("The next posts", "Nothing is posted before you press Save.")
    await live(stage, 2 * DAY)
    assert await stage.channel() == [], "nothing was saved yet"
    (await olga.presses_told("Save")).says("Saved.", "next: ")
    await live(stage, DAY)
    (await last(stage)).says("Today’s quiz", "Ports")


async def test_small_forms_set_what_one_command_can(stage: Stage) -> None:
    olga = organiser(stage)
    told = await olga.types("/daily")
    told.says("When: not set yet")
    told.does_not_offer("Save")
    form = await olga.presses_told("Hour and days")
    form.says("Hour", "Time zone", "Days of the week", "Not on the public holidays of")
    told = await olga.fills(hour="7pm", zone="Europe/Paris", days="weekdays", holidays="France")
    told.says("from Monday to Friday at 7:00", "Europe/Paris", "public holidays of France")
    told.says("Dec 25", "Christmas")
    await olga.presses_told("Questions")
    told = await olga.fills(topic="Ports", count="2", order="in-order")
    told.says("2 questions from Ports, in their order")
    await olga.presses_told("The post")
    told = await olga.fills(language="Français", open="480 min")
    told.says("open 8 hours", "language: Français")
    (await olga.presses_told("Save")).says("Saved.", "2 questions from Ports")


async def test_what_was_entered_outlives_a_restart(stage: Stage) -> None:
    olga = organiser(stage)
    await olga.types("/daily set 07:30 Africa/Harare ports")
    await stage.restart(away=HOUR)
    (await olga.presses_told("Save")).says("Saved.", "7:30")


async def test_a_zone_that_is_misspelt_is_told_with_the_one_that_was_meant(stage: Stage) -> None:
    told = await organiser(stage).types("/daily set 07:30 Africa/Harrare")
    told.says("I know no time zone “Africa/Harrare”. Did you mean Africa/Harare?")
    told.offers("Correct it")
    told.does_not_offer("Save")


@at_the_core
@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("25:00", "“25:00” is no time of day: take one such as 07:30 or 7pm."),
        ("7 prots", "I know no quiz “prots”. Did you mean Ports?"),
    ],
)
async def test_a_mistake_in_the_command_is_one_sentence_and_a_way_to_mend_it(
    typed: str, sentence: str, stage: Stage
) -> None:
    told = await organiser(stage).types(f"/daily set {typed}")
    told.says(sentence)
    told.offers("Correct it")


@at_the_core
@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("7:75", "“7:75” is no time of day"),
        ("7 count:99", "“99” is no number of questions: take one from 1 to 50."),
        ("7 days:someday", "“someday” names no days of the week"),
        ("7 holidays:Frnace", "I know no public holidays of “Frnace”. Did you mean France?"),
        ("7 language:xx", "I know no language “xx”."),
        ("7 open:5 minutes", "“5 minutes” is no time to stay open"),
    ],
)
async def test_whatever_is_wrong_with_it_is_said_and_can_be_mended(
    typed: str, sentence: str, stage: Stage
) -> None:
    told = await organiser(stage).types(f"/daily set {typed}")
    told.says(sentence)
    told.offers("Correct it")


@pytest.mark.parametrize("typed", ["7", "7am", "07:00", "7h", "0700", "7.00"])
async def test_an_hour_is_read_however_it_is_typed(typed: str, tmp_path: Path) -> None:
    stage = BareStage(f"sqlite:///{tmp_path / 'quizbot.db'}", [write_banks(tmp_path / "banks")])
    await stage.start()
    (await organiser(stage).types(f"/daily set {typed}")).says("every day at 7:00")
    await stage.stop()


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("set at 7 Harare", "every day at 7:00 AM (Africa/Harare)"),
        ("set 7 ports New York", "every day at 7:00 AM (America/New_York)"),
        ("set 7 Zimbabwe", "every day at 7:00 AM (Africa/Harare)"),
        ("set 7 every weekday zone:harare", "from Monday to Friday at 7:00 AM (Africa/Harare)"),
        ("7:30 ports", "every day at 7:30 AM (UTC)"),
        ("7:30 US/Eastern", "every day at 7:30 AM (US/Eastern)"),
        ("every day at 7 2 questions", "2 questions from all quizzes"),
    ],
)
async def test_a_line_is_read_as_people_say_it(typed: str, sentence: str, bare: BareStage) -> None:
    told = await organiser(bare).types(f"/daily {typed}")
    told.says(sentence)
    told.offers("Save")


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("CET", "I know no time zone “CET”. Take a name such as Africa/Harare or Europe/Paris."),
        ("UTC+2", "I know no time zone “UTC+2”. Take a name such as Africa/Harare"),
        ("Afrika/Harare", "I know no time zone “Afrika/Harare”. Did you mean Africa/Harare?"),
        ("Hararre ports", "I know no time zone “Hararre”. Did you mean Africa/Harare?"),
        ("Etc/GMT-2 ports", "I know no time zone “Etc/GMT-2”. Take a name such as"),
        ("mon,funday", "“mon,funday” names no days of the week"),
        ("zone:Germany", "“Germany”. Did you mean Europe/Berlin or Europe/Busingen?"),
        ("qqq", "I know no quiz “qqq”. Take one that there is, or “all”."),
    ],
)
async def test_what_is_no_zone_and_no_quiz_is_told_with_what_to_take(
    typed: str, sentence: str, bare: BareStage
) -> None:
    (await organiser(bare).types(f"/daily set 7 {typed}")).says(sentence)


async def test_a_quiz_that_is_called_after_a_city_is_no_time_zone(tmp_path: Path) -> None:
    folder = write_banks(tmp_path / "banks")
    write_bank(folder, "paris", bank=ONE.format(title="Paris", text="Is it in France?"))
    stage = BareStage(f"sqlite:///{tmp_path / 'quizbot.db'}", [folder])
    await stage.start()
    told = await organiser(stage).types("/daily set 7 Paris")
    told.says("1 question from Paris", "(UTC)")
    await stage.stop()


async def test_a_form_with_a_mistake_comes_back_with_what_was_typed(stage: Stage) -> None:
    olga = organiser(stage)
    await olga.types("/daily set 7")
    await olga.presses_told("Hour and days")
    told = await olga.fills(hour="25:00")
    told.says("“25:00” is no time of day")
    told = await olga.fills(hour="8")
    told.says("every day at 8:00")


async def test_what_is_set_is_changed_and_not_doubled(stage: Stage) -> None:
    olga = organiser(stage)
    await olga.types("/daily set 07:30 UTC ports")
    await olga.presses_told("Save")
    told = await olga.types("/daily set 8:00")
    told.says("at 8:00", "from Ports")
    await olga.presses_told("Save")
    told = await olga.types("/daily list")
    told.says("at 8:00")
    told.does_not_say("7:30")


async def test_a_second_one_is_set_beside_the_first(stage: Stage) -> None:
    olga = organiser(stage)
    await olga.types("/daily set 07:30 ports")
    await olga.presses_told("Save")
    await olga.types("/daily set 19:00")
    (await olga.chooses("Set a new one")).says("at 7:00", "from all quizzes")
    await olga.presses_told("Save")
    (await olga.types("/daily list")).says("at 7:30", "at 7:00")


# --- what there is ---------------------------------------------------------------------------


async def set_one(stage: Stage, words: str = "07:30 UTC ports") -> Person:
    olga = organiser(stage)
    await olga.types(f"/daily set {words}")
    await olga.presses_told("Save")
    return olga


async def test_where_there_is_none_it_is_said_and_offered(stage: Stage) -> None:
    olga = organiser(stage)
    for command in ("list", "past", "pause", "resume", "now", "remove", "preview"):
        told = await olga.types(f"/daily {command}")
        told.says("There is no daily quiz yet.")
        told.offers("Set the daily quiz")
    (await olga.presses_told("Set the daily quiz")).says("When: not set yet")


@at_the_core
async def test_a_pause_lasts_until_its_day_or_until_it_is_ended(stage: Stage) -> None:
    olga = await set_one(stage)
    (await olga.types("/daily pause until 2026-12-03")).says("Paused until Thu, Dec 3, 2026.")
    (await olga.types("/daily list")).says("paused until Thu, Dec 3, 2026 · next: ")
    await live(stage, 2 * DAY + 23 * HOUR)
    assert len(await stage.channel()) == 1, "it asks again on the third"
    (await olga.types("/daily list")).does_not_say("paused")
    (await olga.types("/daily pause")).says("Paused. Nothing is posted until somebody resumes it.")
    await live(stage, 3 * DAY)
    assert len(await stage.channel()) == 1
    (await olga.types("/daily resume")).says("It goes on.", "next: ")
    (await olga.types("/daily resume")).says("It is not paused.")


async def test_days_are_left_out_and_asked_again(stage: Stage) -> None:
    olga = await set_one(stage)
    told = await olga.types("/daily skip tomorrow, 2026-12-03")
    told.says("Left out: Tue, Dec 1, 2026 and Thu, Dec 3, 2026.")
    await live(stage, DAY)
    assert await stage.channel() == []
    told = await olga.types("/daily list")
    told.says("not on")
    (await olga.presses_told("Skip none")).says("No day is left out any more.")


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("pause until someday", "“someday” is no date that I can read"),
        ("pause until 2026-11-01", "Sun, Nov 1, 2026 is over: take a day to come."),
        ("skip 2026-02-30", "“2026-02-30” is no date that I can read"),
        ("skip 2020-01-01", "is over: take a day to come."),
        ("skip 1.1. 2.1. 3.1. 4.1. 5.1. 6.1. 7.1. 8.1.", "These are too many days: 7 at a time."),
    ],
)
async def test_a_date_that_cannot_be_is_said(command: str, sentence: str, stage: Stage) -> None:
    olga = await set_one(stage)
    (await olga.types(f"/daily {command}")).says(sentence)


async def test_todays_is_posted_at_once_and_not_again(stage: Stage) -> None:
    olga = await set_one(stage)
    (await olga.types("/daily now")).says("Today’s quiz is on its way to")
    assert len(await stage.channel()) == 1
    told = await olga.types("/daily now")
    told.says("Today’s quiz is in", "already.")
    assert len(await stage.channel()) == 1
    # It is too late to leave today out, and tomorrow is left out all the same.
    (await olga.types("/daily skip today")).says("Today’s quiz is in", "already.")
    told = await olga.types("/daily skip today, tomorrow")
    told.says("Left out: Tue, Dec 1, 2026.")


async def test_who_posts_at_once_where_it_is_refused_loses_no_day(bare: BareStage) -> None:
    olga = await set_one(bare)
    bare.surface.accesses["room"] = Access(("Send Messages",))
    told = await olga.types("/daily now")
    told.says("I may not post in #room: an admin can allow me Send Messages there.")
    told.does_not_say("on its way")
    bare.surface.accesses.clear()
    (await olga.presses_told("Post now")).says("Today’s quiz is on its way to")
    assert len(await bare.channel()) == 1


async def test_a_preview_shows_the_question_and_not_what_is_right(stage: Stage) -> None:
    olga = await set_one(stage, "07:30 UTC ports order:in-order")
    told = await olga.types("/daily preview")
    told.says("On which port does an SSH server listen?", "21", "2222")
    told.does_not_say("Right", "registered port")
    told.says("Enough new questions for 2 more times.")


async def test_past_ones_are_listed_with_how_they_went(stage: Stage) -> None:
    olga = await set_one(stage)
    (await olga.types("/daily past")).says("Nothing was asked yet.")
    await live(stage, 2 * DAY)
    told = await olga.types("/daily past")
    told.says("Tue, Dec 1, 2026", "Wed, Dec 2, 2026", "nobody took part", "On which port")


async def test_removing_asks_once_and_ends_it(stage: Stage) -> None:
    olga = await set_one(stage)
    told = await olga.types("/daily remove")
    told.says("Remove the daily quiz in", "What was answered stays.")
    (await olga.presses_told("Keep it")).says("next: ")
    await olga.types("/daily remove")
    (await olga.presses_told("Remove")).says("Removed: the daily quiz in")
    await live(stage, 2 * DAY)
    assert await stage.channel() == []
    (await olga.types("/daily list")).says("There is no daily quiz yet.")


async def test_which_of_several_is_meant_is_asked(stage: Stage) -> None:
    olga = await set_one(stage)
    await olga.types("/daily set 19:00")
    await olga.chooses("Set a new one")
    await olga.presses_told("Save")
    told = await olga.types("/daily pause until 2026-12-24")
    told.says("There are several daily quizzes. Which one do you mean?")
    second = next(label for label in told.choices if "7:00" in label)
    (await olga.chooses(second)).says("Paused until Thu, Dec 24, 2026.")


# --- who may ---------------------------------------------------------------------------------


async def test_only_organisers_get_anything_done(stage: Stage) -> None:
    if stage.name == "room":
        pytest.skip("on its own machine everybody organises the room")
    olga, ben = await set_one(stage), Person(stage, "Ben")
    for command in ("", " set 8", " list", " pause", " skip tomorrow", " now", " remove"):
        (await ben.types(f"/daily{command}")).says("Only organisers set the daily quiz here.")
    told = await olga.types("/daily list")
    told.says("at 7:30", "next: ")


async def test_buttons_that_are_forged_change_nothing_for_who_is_no_organiser(
    tmp_path: Path,
) -> None:
    stage = BareStage(f"sqlite:///{tmp_path / 'quizbot.db'}", [write_banks(tmp_path / "banks")])
    await stage.start()
    olga, ben = await set_one(stage), Person(stage, "Ben")
    proposal = await olga.types("/daily set 9:00")
    for token in ("nd", "dl", "dd.1.removed", "dd.1.pause", "dd.1.now", "ps.1", "ps.2"):
        told = await stage.press(ben, proposal, token, private=True)
        told.says("Only organisers set the daily quiz here.")
    told = await stage.choose(ben, proposal, "dp.removed.", "1")
    told.says("Only organisers set the daily quiz here.")
    (await olga.types("/daily list")).says("at 7:30", "next: ")
    await stage.stop()


async def test_nobody_saves_or_changes_what_somebody_else_is_setting(tmp_path: Path) -> None:
    stage = BareStage(f"sqlite:///{tmp_path / 'quizbot.db'}", [write_banks(tmp_path / "banks")])
    await stage.start()
    olga, omar = organiser(stage), Person(stage, "Omar", organiser=True)
    proposal = await olga.types("/daily set 9:00")
    told = await stage.press(omar, proposal, proposal.buttons["Save"], private=True)
    told.says("This was saved, or begun anew, in the meantime.")
    (await omar.types("/daily list")).says("There is no daily quiz yet.")
    await stage.stop()


@at_the_core
async def test_saving_twice_sets_one(stage: Stage) -> None:
    olga = organiser(stage)
    proposal = await olga.types("/daily set 9:00")
    await olga.presses_told("Save")
    told = await stage.press(olga, proposal, proposal.buttons["Save"], True)
    told.says("This was saved, or begun anew, in the meantime.")


async def test_two_who_set_the_same_at_once_have_set_one(bare: BareStage) -> None:
    olga, omar = organiser(bare), Person(bare, "Omar", organiser=True)
    await olga.types("/daily set 9:00 ports")
    await omar.types("/daily set 9:00 ports")
    await jump(bare, 60)
    (await olga.presses_told("Save")).says("Saved.")
    told = await omar.presses_told("Save")
    told.says("Saved.", "every day at 9:00")
    told.does_not_offer("All daily quizzes")


# --- places and groups -----------------------------------------------------------------------


@pytest.fixture
def bare(bare: BareStage) -> BareStage:
    """With other channels than the one in which things are said, and groups to mention."""
    abilities = replace(bare.surface.abilities, several_places=True, picks_groups=True)
    bare.surface.abilities = abilities
    return bare


async def test_it_is_set_for_another_channel_and_moved_with_all_that_it_has_asked(
    bare: BareStage,
) -> None:
    olga = await set_one(bare, "07:30 UTC ports channel:elsewhere")
    await live(bare, DAY)
    (await olga.types("/daily list")).says("#elsewhere")
    await olga.presses_told("Change")
    await olga.presses_told("Channel")
    (await olga.fills(channel="room")).says("The daily quiz in #room")
    (await olga.presses_told("Save")).says("#room")
    (await olga.types("/daily past")).says("Tue, Dec 1, 2026")


async def test_a_channel_of_nobody_here_is_refused(bare: BareStage) -> None:
    bare.surface.accesses["theirs"] = None
    told = await organiser(bare).types("/daily set 7 channel:theirs")
    told.says("I cannot post in this channel: take another.")
    told.does_not_offer("Save")


async def test_a_channel_that_takes_no_posts_is_told_when_it_is_chosen(bare: BareStage) -> None:
    bare.surface.accesses["room"] = Access(lacking=("Send Messages",))
    told = await organiser(bare).types("/daily set 7")
    told.says("I may not post in #room: an admin can allow me Send Messages there.")
    bare.surface.accesses["room"] = Access(outside=True, invite="/invite @quizbot")
    told = await organiser(bare).types("/daily set 7")
    told.says("I am not in #room: bring me in there with /invite @quizbot.")


async def test_what_is_wrong_with_a_channel_is_told_by_its_name_in_every_list(
    bare: BareStage,
) -> None:
    bare.surface.accesses["C04"] = Access(name="learners")
    olga = await set_one(bare, "07:30 ports channel:C04")
    await olga.types("/daily set 8:00")
    await olga.presses_told("Save")
    choices = (await olga.types("/daily list")).choices
    assert any(label.startswith("#learners · ") for label in choices), choices
    for access, sentence in (
        (Access(archived=True, name="old-learners"), "#old-learners is archived: have it opened"),
        (None, "#old-learners was deleted, or I cannot see it any more: choose another channel."),
    ):
        bare.surface.accesses["C04"] = access
        (await olga.types("/daily list")).says(sentence)
        told = await olga.types("/daily set 9 channel:C04")
        told.does_not_offer("Save")
    told.does_not_say("C04")


async def test_a_channel_with_a_name_that_nobody_tells_is_shown_by_no_id(bare: BareStage) -> None:
    bare.surface.accesses["C04"] = Access()
    await set_one(bare, "07:30 ports channel:C04")
    olga = await set_one(bare, "8:00")
    bare.surface.accesses["C04"] = None
    told = await olga.types("/daily list")
    told.says("a channel whose name I do not know was deleted, or I cannot see it")
    assert "C04" not in " ".join([told.text, *told.choices])


async def test_a_role_that_cannot_be_mentioned_is_told_when_it_is_chosen(bare: BareStage) -> None:
    bare.surface.groups["77"] = "Learners"
    (await organiser(bare).types("/daily set 7 mention:77")).says("mentions @Learners")
    told = await organiser(bare).types("/daily set 7 mention:78")
    told.says("I may not mention this role: an admin can allow anyone to mention it")


async def test_a_quiz_that_was_removed_is_told_beside_what_drew_from_it(
    tmp_path: Path,
) -> None:
    folder = write_banks(tmp_path / "banks")
    stage = BareStage(f"sqlite:///{tmp_path / 'quizbot.db'}", [folder])
    await stage.start()
    olga = await set_one(stage)
    (folder / "ports" / "bank.yaml").unlink()
    await stage.restart()
    told = await olga.types("/daily list")
    told.says("Not there any more: ports. Choose others under Change.")
    told.says("There is nothing to ask")
    await stage.stop()


async def test_where_there_is_no_question_at_all_nothing_can_be_saved(tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    stage = BareStage(f"sqlite:///{tmp_path / 'quizbot.db'}", [tmp_path / "none"])
    await stage.start()
    told = await organiser(stage).types("/daily set 7")
    told.says("There is no question to ask yet.")
    told.does_not_offer("Save")
    await stage.stop()


async def test_who_leads_a_channel_alone_sets_none_elsewhere(bare: BareStage) -> None:
    ben = Person(bare, "Ben")
    await set_one(bare, "07:30 ports channel:elsewhere")
    lead = replace(bare.who(ben), leads_place=True)
    reply = await bare.app.typed(Typed(lead, bare.where, "/daily set 7 channel:elsewhere"))
    seen(reply).says("You organise this channel only: an admin can choose another.")
    seen(await bare.app.typed(Typed(lead, bare.where, "/daily set 7"))).offers("Save")
    told = seen(await bare.app.typed(Typed(lead, bare.where, "/daily list")))
    told.says("There is no daily quiz yet.")


# --- what organisers are told ----------------------------------------------------------------


async def test_who_is_told_that_few_questions_are_left_decides_at_once(bare: BareStage) -> None:
    olga = await set_one(bare)
    await live(bare, DAY)
    told = await olga.types("/daily list")
    told.says("new questions for 2 more days")
    told.offers("Repeat the most missed", "Add questions", "Pause")
    repeat, adding = told.buttons["Repeat the most missed"], told.buttons["Add questions"]
    (await bare.press(olga, told, repeat, private=True)).says("those come again that were missed")
    (await bare.press(olga, told, adding, private=True)).says("docs/banks.md")


async def test_who_set_it_decides_from_a_direct_message_and_nobody_else_does(
    bare: BareStage,
) -> None:
    olga, ben = await set_one(bare), Person(bare, "Ben")
    alone = replace(bare.where, community="dm", place="dm", kind="direct", personal=True)
    direct = replace_where(bare, alone)
    await ben.types("/language en")
    told = await direct.press(ben, olga.told, "dd.1.pause", private=True)
    told.says("A daily quiz is for a group")
    told = await direct.press(olga, olga.told, "dd.1.removed", private=True)
    told.says("A daily quiz is for a group")
    bare.surface.members["Olga"] = bare.who(olga)
    (await direct.press(olga, olga.told, "dd.1.pause", private=True)).says("Paused.")
    (await olga.types("/daily list")).says("paused")


async def test_who_is_no_organiser_any_more_decides_nothing_by_an_old_button(
    bare: BareStage,
) -> None:
    olga = await set_one(bare)
    alone = replace(bare.where, community="dm", place="dm", kind="direct", personal=True)
    direct = replace_where(bare, alone)
    gone, member = None, replace(bare.who(olga), organiser=False)
    for now in (gone, member):
        bare.surface.members = {} if now is None else {"Olga": now}
        for token in ("dd.1.pause", "dd.1.now", "dd.1.adding"):
            told = await direct.press(olga, olga.told, token, private=True)
            told.says("You do not organise #room any more: somebody who does can do this there.")
    assert await bare.channel() == []
    (await olga.types("/daily list")).does_not_say("paused")


def replace_where(stage: BareStage, where: Where) -> BareStage:
    """The same stage, somewhere else."""
    other = copy.copy(stage)
    other.where = where
    return other


# --- whatever is typed -----------------------------------------------------------------------

WORDS = st.sampled_from(
    ["set", "list", "skip", "pause", "until", "tomorrow", "7", "07:30", "25:00", "Europe/Paris",
     "mon-fri", "ports", "zone:", "hour:", "count:", "days:", "topic:", "open:", "-", "2026-12-24",
     "٣", "²", "x" * 300, "<@1>", "`", "channel:", "mention:", "language:fr", "holidays:DE-BY"]
)  # fmt: skip


LINES = st.lists(WORDS | st.text(max_size=8), max_size=6).map(" ".join)


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(LINES, min_size=4, max_size=6))
async def test_any_typed_line_is_understood_or_answered(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("line")
    stage = BareStage(f"sqlite:///{folder / 'quizbot.db'}", [write_banks(folder / "banks")])
    await stage.start()
    try:
        for line in lines:
            told = await organiser(stage).types(f"/daily {line}")
            assert told.text
            told.does_not_say("incident")
    finally:
        await stage.stop()
