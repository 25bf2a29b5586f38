"""The command by which organisers set the daily quiz, and do all else with it."""

from __future__ import annotations

from bot.command_specs import N_, CommandSpec, OptionSpec
from bot.rules import MOST_QUESTIONS

DAILY = CommandSpec(
    "daily",
    N_("The daily quiz: when it comes, and what it asks"),
    N_("[set | list | past | pause | resume | skip | now | remove | preview]"),
    organiser=True,
    for_groups=True,
    parts=(
        CommandSpec(
            "set",
            N_("Set a daily quiz, or change it"),
            N_("[07:30] [Africa/Harare] [mon-fri] [topic]"),
            (
                OptionSpec("hour", N_("At what time, for example 07:30 or 7pm")),
                OptionSpec("zone", N_("Where the clock stands"), suggests="zone"),
                OptionSpec("days", N_("On which days of the week"), suggests="days"),
                OptionSpec("topic", N_("What it asks about, or all"), suggests="topics"),
                OptionSpec(
                    "count", N_("How many questions"), kind="whole", least=1, most=MOST_QUESTIONS
                ),
                OptionSpec("order", N_("In which order it asks"), choices=("shuffled", "in-order")),
                OptionSpec(
                    "holidays",
                    N_("A country on whose public holidays nothing is asked"),
                    suggests="country",
                ),
                OptionSpec("language", N_("The language of the post"), suggests="post-languages"),
                OptionSpec(
                    "open", N_("How long it can be answered, for example 8 hours"), suggests="open"
                ),
                OptionSpec("mention", N_("A role to mention"), kind="group"),
                OptionSpec("channel", N_("Another channel than this one"), kind="place"),
            ),
        ),
        CommandSpec("list", N_("All daily quizzes, and what comes next")),
        CommandSpec("past", N_("What was asked, and how it went")),
        CommandSpec(
            "pause",
            N_("Post nothing for a while"),
            N_("[until DATE]"),
            (OptionSpec("until", N_("The day on which it goes on, for example 2026-12-24")),),
        ),
        CommandSpec("resume", N_("Go on after a pause")),
        CommandSpec(
            "skip",
            N_("Leave days out"),
            N_("DATE…"),
            (
                OptionSpec(
                    "dates",
                    N_("Days, for example 2026-12-24 2026-12-25, or tomorrow"),
                    required=True,
                ),
            ),
        ),
        CommandSpec("now", N_("Post today’s quiz at once")),
        CommandSpec("remove", N_("Remove a daily quiz")),
        CommandSpec("preview", N_("What would be asked next")),
    ),
)

DAILY_PARTS = tuple(part.name for part in DAILY.parts)
