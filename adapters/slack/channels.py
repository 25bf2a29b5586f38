"""Looks into channels for who looks whether all is well: asked of Slack each time."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from adapters.slack.client import Client, Denied, Done
from adapters.slack.trouble import SlackUnavailable
from bot.ports import Access, Clock, Target

TokenOf = Callable[[str], str | None]
"""The token of a workspace by its id; None where quizbot is not installed."""


async def accesses(
    token_of: TokenOf, targets: Sequence[Target], clock: Clock
) -> list[Access | None]:
    """Whether the bot may post in each; None where there is no such channel any more.

    Raises SlackUnavailable.
    """
    client = Client(clock)
    try:
        return [await _access(client, token_of(one.community), one) for one in targets]
    finally:
        await client.close()


async def _access(client: Client, token: str | None, target: Target) -> Access | None:
    if token is None:
        return None
    answer = await client.call(
        "conversations.info", {"channel": target.place}, token=token, of=target.community
    )
    match answer:
        case Denied("channel_not_found" | "not_in_channel"):
            # Of a private channel that the bot is not in, Slack says that there is none.
            return Access(outside=True)
        case Done(data):
            channel = data.get("channel") or {}
            may_come = not channel.get("is_private")
            return Access(
                outside=not (channel.get("is_member") or may_come),
                archived=bool(channel.get("is_archived")),
                name=str(channel.get("name") or ""),
            )
        case _:
            raise SlackUnavailable(answer)
