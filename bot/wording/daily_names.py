"""Daily quizzes as the choices of a list, each by what tells it from the others."""

from __future__ import annotations

from collections.abc import Sequence

from bot.wording import plans
from bot.wording.dailies import Look
from bot.wording.voice import Voice


def names_of(looks: Sequence[Look], voice: Voice, *, with_channel: bool = False) -> list[str]:
    """`every day at 07:30 (Africa/Harare)`; before it what is asked, where others come then, too.

    What is shared stands last, since a list may have no room for all of it.
    """
    hours = [
        _name((plans.when(one.schedule.plan, voice),), one, voice, with_channel) for one in looks
    ]
    names = [
        hour if hours.count(hour) == 1 else _fuller(one, voice, with_channel)
        for hour, one in zip(hours, looks, strict=True)
    ]
    return [
        name if names.count(name) == 1 else f"{number}. {name}"
        for number, name in enumerate(names, start=1)
    ]


def _fuller(look: Look, voice: Voice, with_channel: bool) -> str:
    plan = look.schedule.plan
    parts = plans.what(plan, look.titles, voice), plans.when(plan, voice)
    return _name(parts, look, voice, with_channel)


def _name(parts: Sequence[str], look: Look, voice: Voice, with_channel: bool) -> str:
    channel = (plans.channel_name(look.schedule.place.name, voice),) if with_channel else ()
    return " · ".join((*channel, *parts))
