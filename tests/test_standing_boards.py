"""A leaderboard that stands in the channel: set by organisers, kept up to date, taken away."""

from __future__ import annotations

from bare_stage import BareStage
from conversation import Person, Seen, Stage, at_the_core, jump, last, newest_question, pass_time
from discord_stage import DiscordStage
from quizzes import right
from slack_stage import SlackStage
from stand_in_discord_permissions import Permission

from bot.ports import Refused

pytest_plugins = ["surfaces"]

_TEN_MINUTES, _DAY = 600, 24 * 3600


async def play(stage: Stage, person: Person, topic: str = "ports 1") -> None:
    """A quiz of one question that somebody gets right, over when this returns."""
    await person.types(f"/quiz {topic}")
    question = await newest_question(stage)
    await person.answers("yes" if topic == "water" else right(question), on=question)
    await pass_time(stage, 60)


async def board_of(stage: Stage) -> Seen:
    """The only one that stands in the channel."""
    found = [seen for seen in await stage.channel() if "Kept up to date" in seen.text]
    assert len(found) == 1, f"{len(found)} leaderboards stand there"
    return found[0]


async def keep(stage: Stage, olga: Person, typed: str = "/leaderboard") -> None:
    await olga.types(typed)
    (await olga.presses_told("Keep it in the channel")).says("It stands in the channel from now on")


async def test_a_board_stands_in_the_channel_and_follows_what_people_answer(stage: Stage) -> None:
    ana, ben = Person(stage, "Ana"), Person(stage, "Ben")
    olga = Person(stage, "Olga", organiser=True)
    await play(stage, ana)
    await keep(stage, olga)
    board = await board_of(stage)
    board.says("November 2026", "We: 100% right this week, 1 took part", "1. Ana (1 of 1): 10")
    await play(stage, ben, "water")
    (await board_of(stage)).does_not_say("Ben")
    await pass_time(stage, _TEN_MINUTES)
    board = await board_of(stage)
    board.says("1. Ana (1 of 2), Ben (1 of 2): 10")
    (await ben.presses("My rank", on=board)).says("You: rank 1 with 10 points")


async def test_only_organisers_have_one_stand(stage: Stage) -> None:
    ana = Person(stage, "Ana")
    await play(stage, ana)
    (await ana.types("/leaderboard")).does_not_offer("Keep it in the channel", "Stop updating it")
    before = len(await stage.channel())
    for token in ("kb.place.month.", "db"):
        forged = Seen("", {}, {"Forged": token})
        told = await ana.presses("Forged", on=forged)
        told.says("Only organisers choose which leaderboard stands in the channel.")
    assert len(await stage.channel()) == before


async def test_another_board_takes_the_place_of_the_first(stage: Stage) -> None:
    ana, olga = Person(stage, "Ana"), Person(stage, "Olga", organiser=True)
    await play(stage, ana, "water")
    await keep(stage, olga)
    told = await olga.types("/leaderboard")
    told.offers("Stop updating it")
    told.does_not_offer("Keep it in the channel")
    await keep(stage, olga, "/leaderboard water all everywhere")
    (await board_of(stage)).says("Everywhere · Water · Since the beginning", "1. Ana")


@at_the_core
async def test_the_settings_say_which_one_stands_and_lead_to_it(stage: Stage) -> None:
    ana, olga = Person(stage, "Ana"), Person(stage, "Olga", organiser=True)
    await play(stage, ana, "water")
    (await olga.types("/settings")).says("No leaderboard stands in this channel.")
    await keep(stage, olga, "/leaderboard season")
    told = await olga.types("/settings")
    told.says("The leaderboard that stands in this channel: This season")
    (await olga.presses_told("Leaderboard")).offers("Stop updating it")


async def test_one_that_is_taken_away_stays_as_it_was_and_says_so(stage: Stage) -> None:
    ana, ben = Person(stage, "Ana"), Person(stage, "Ben")
    olga = Person(stage, "Olga", organiser=True)
    await play(stage, ana, "water")
    await keep(stage, olga)
    told = await olga.presses_told("Stop updating it")
    told.says("The leaderboard in this channel is kept up to date no more.")
    (await last(stage)).says("1. Ana", "As it was on Nov 30, 2026; it is kept up to date no more.")
    await play(stage, ben)
    await pass_time(stage, _TEN_MINUTES)
    stood = [seen for seen in await stage.channel() if "As it was on" in seen.text]
    assert len(stood) == 1
    stood[0].does_not_say("Ben")
    forged = Seen("", {}, {"Again": "db"})
    (await olga.presses("Again", on=forged)).says("No leaderboard stands in this channel.")


async def test_it_is_edited_once_in_ten_minutes_however_many_answer(bare: BareStage) -> None:
    ana, olga = Person(bare, "Ana"), Person(bare, "Olga", organiser=True)
    await play(bare, ana, "water")
    await keep(bare, olga)
    board = (await board_of(bare)).id
    bare.surface.edits.clear()
    for number in range(3):
        await play(bare, Person(bare, f"P{number}"))
    assert board not in bare.surface.edits
    await pass_time(bare, _TEN_MINUTES - 150)
    assert bare.surface.edits.count(board) == 1
    (await board_of(bare)).says("We: 100% right this week, 4 took part")


async def test_nothing_is_edited_where_nothing_happens(bare: BareStage) -> None:
    ana, olga = Person(bare, "Ana"), Person(bare, "Olga", organiser=True)
    await play(bare, ana, "water")
    await keep(bare, olga)
    await pass_time(bare, _TEN_MINUTES)
    board = (await board_of(bare)).id
    bare.surface.edits.clear()
    await pass_time(bare, 3 * _TEN_MINUTES)
    assert board not in bare.surface.edits


@at_the_core
async def test_a_new_day_shows_without_an_answer(stage: Stage) -> None:
    ana, olga = Person(stage, "Ana"), Person(stage, "Olga", organiser=True)
    await play(stage, ana, "water")
    await keep(stage, olga)
    await jump(stage, _DAY)
    await pass_time(stage, _TEN_MINUTES + 900)
    (await board_of(stage)).says("December 2026", "We: 100% right this week")


async def test_it_survives_a_restart(stage: Stage) -> None:
    ana, ben = Person(stage, "Ana"), Person(stage, "Ben")
    olga = Person(stage, "Olga", organiser=True)
    await play(stage, ana, "water")
    await keep(stage, olga)
    await play(stage, ben)
    await stage.restart(away=_TEN_MINUTES)
    await pass_time(stage, 20)
    (await board_of(stage)).says("Ben (1 of 2)")


async def test_it_is_in_the_language_of_the_posts(bare: BareStage) -> None:
    ana, olga = Person(bare, "Ana"), Person(bare, "Olga", "fr", organiser=True)
    await play(bare, ana, "water")
    await olga.types("/settings")
    await olga.presses_told("Langue des messages")
    await olga.fills(language="sn")
    await olga.types("/leaderboard")
    await olga.presses_told("Le garder dans le canal")
    board = await last(bare)
    board.does_not_say("Kept up to date", "November", "novembre")
    board.says("1. Ana")


# --- gone ------------------------------------------------------------------------------------


async def test_one_whose_message_is_deleted_is_not_posted_again(bare: BareStage) -> None:
    ana, olga = Person(bare, "Ana"), Person(bare, "Olga", organiser=True)
    await play(bare, ana, "water")
    await keep(bare, olga)
    await play(bare, Person(bare, "Ben"))
    bare.surface.edit_answers = [Refused("it is gone", gone=True)]
    await pass_time(bare, _TEN_MINUTES)
    bare.surface.edit_answers = []
    assert not [seen for seen in await bare.channel() if "Kept up to date" in seen.text]
    told = await olga.types("/leaderboard")
    told.offers("Keep it in the channel")
    told.says("The leaderboard that stood in #room was deleted, or can be changed no more.")
    (await olga.types("/leaderboard")).does_not_say("was deleted")


# --- posted, perhaps -------------------------------------------------------------------------


async def kept_without_a_word(slack: SlackStage, olga: Person) -> Seen:
    """A board that stands there, of which Slack never said so."""
    await olga.types("/leaderboard")
    slack.world.fail_next("chat.postMessage", status=503, after_effect=True)
    await olga.presses_told("Keep it in the channel")
    await pass_time(slack, 5)
    return await board_of(slack)


async def test_whoever_looks_at_one_that_was_perhaps_posted_tells_where_it_stands(
    slack: SlackStage,
) -> None:
    ana, ben = Person(slack, "Ana"), Person(slack, "Ben")
    olga = Person(slack, "Olga", organiser=True)
    await play(slack, ana)
    board = await kept_without_a_word(slack, olga)
    (await ana.presses("My rank", on=board)).says("You: rank 1")
    await play(slack, ben)
    await pass_time(slack, _TEN_MINUTES)
    now = await board_of(slack)
    now.says("Ben")
    assert now.id == board.id


async def test_one_that_was_posted_twice_is_kept_once_as_soon_as_somebody_looks(
    slack: SlackStage,
) -> None:
    ana, ben = Person(slack, "Ana"), Person(slack, "Ben")
    olga = Person(slack, "Olga", organiser=True)
    await play(slack, ana)
    first = await kept_without_a_word(slack, olga)
    await play(slack, ben)
    await pass_time(slack, _TEN_MINUTES)
    stand = [seen for seen in await slack.channel() if "Kept up to date" in seen.text]
    assert [seen.id == first.id for seen in stand] == [True, False]
    for person in (ana, ben):
        (await person.presses("My rank", on=first)).says("You: rank 1")
    await pass_time(slack, 5)
    (await board_of(slack)).says("Ben")
    [old] = [seen for seen in await slack.channel() if seen.id == first.id]
    old.says("As it was on Nov 30, 2026; it is kept up to date no more.")
    assert (
        len([call for call in slack.world.called("chat.update") if call.args["ts"] == old.id]) == 1
    )
    # A press on the one that is kept says nothing new.
    (await ana.presses("My rank", on=await board_of(slack))).says("You: rank 1")
    await pass_time(slack, 5)
    await board_of(slack)


# --- pins ------------------------------------------------------------------------------------


async def test_it_is_pinned_where_the_bot_may(discord: DiscordStage) -> None:
    ana, olga = Person(discord, "Ana"), Person(discord, "Olga", organiser=True)
    await play(discord, ana, "water")
    discord.guild.allow_bot(Permission.PIN_MESSAGES)
    await keep(discord, olga)
    assert discord.place.last.pinned
    await olga.presses_told("Stop updating it")
    assert not discord.place.last.pinned


async def test_where_it_may_not_it_stands_all_the_same(discord: DiscordStage) -> None:
    ana, olga = Person(discord, "Ana"), Person(discord, "Olga", organiser=True)
    await play(discord, ana, "water")
    await keep(discord, olga)
    assert not discord.place.last.pinned
    assert not [one for one in discord.world.requests if "/pins/" in one.path]
