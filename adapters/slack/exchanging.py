"""By which ids Slack knows one person, where a workspace has come into an organisation.

Who was there before has an id of the workspace's (local) and one of the organisation's (global),
and which of them Slack delivers may change. `migration.exchange` tells one by the other.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from typing import Any

from adapters.slack.client import Client, Denied, Done
from adapters.slack.kept import Kept
from adapters.slack.workspaces import Workspace
from bot.ports import Clock
from bot.sharing import Shared

_KEPT = timedelta(days=1)
_KEPT_UNKNOWN = timedelta(minutes=1)
_AT_ONCE = 400
"""Documented: so many ids a request."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class OnGrid:
    """What Slack says of an account in an organisation: its global id, and the teams it is in."""

    organisation: str
    id: str
    teams: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ids:
    """All of one person: `ids` as Slack says them, `keys` with whose they are before them."""

    ids: frozenset[str] = frozenset()
    keys: frozenset[str] = frozenset()


_WAYS = (None, "true")
"""To global ids, and to local ones."""


class Exchanging:
    """Asks for each person once a day: those who are met while Slack is asked, together."""

    def __init__(self, client: Client, clock: Clock) -> None:
        self._client = client
        # The ids of one person in a team; none where they do not belong to it.
        self._known: Kept[frozenset[str]] = Kept(clock)
        self._waiting: dict[str, dict[str, None]] = {}
        self._asking: Shared[str, None] = Shared()

    def last(self, user: str, on_grid: OnGrid | None, workspace: Workspace) -> Ids:
        """What is known by now."""
        if on_grid is None:
            return Ids()
        ids, keys = {user, on_grid.id}, set[str]()
        for team in _teams(on_grid, workspace):
            both = self._known.last(_of(workspace, team), user) or frozenset()
            ids |= both
            keys |= {f"{team}:{id}" for id in both}
        keys |= {f"{on_grid.organisation}:{id}" for id in ids}
        return Ids(frozenset(ids), frozenset(keys))

    def is_known(self, user: str, on_grid: OnGrid | None, workspace: Workspace) -> bool:
        return not list(self._unknown(user, on_grid, workspace))

    async def ask(self, user: str, on_grid: OnGrid | None, workspace: Workspace) -> bool:
        """Whether anything had to be asked, so that more may be known now."""
        unknown = list(self._unknown(user, on_grid, workspace))
        for team in unknown:
            await self._ask(user, team, workspace)
        return bool(unknown)

    def _unknown(self, user: str, on_grid: OnGrid | None, workspace: Workspace) -> Iterator[str]:
        if on_grid is None:
            return
        for team in _teams(on_grid, workspace):
            if self._known.get(_of(workspace, team), user) is None:
                yield team

    async def _ask(self, user: str, team: str, workspace: Workspace) -> None:
        """With all who come meanwhile, as soon as the request before has been answered."""
        of = _of(workspace, team)
        self._waiting.setdefault(of, {})[user] = None
        while user in self._waiting[of]:
            await self._asking.get(of, lambda: self._ask_waiting(of, team, workspace))
            # One that has just ended is forgotten in the next turn of the loop.
            await asyncio.sleep(0)

    async def _ask_waiting(self, of: str, team: str, workspace: Workspace) -> None:
        while users := list(islice(self._waiting[of], _AT_ONCE)):
            told = [await self._exchange(users, team, old, workspace) for old in _WAYS]
            lasts = _KEPT if None not in told else _KEPT_UNKNOWN
            for user in users:
                both = {one[user] for one in told if one is not None and user in one}
                self._known.put(of, user, frozenset(both | {user} if both else ()), lasts)
                del self._waiting[of][user]

    async def _exchange(
        self, users: Sequence[str], team: str, to_old: str | None, workspace: Workspace
    ) -> Mapping[str, str] | None:
        """None where there was no word; who does not belong to the team is left out."""
        given = {
            "users": ",".join(users),
            "to_old": to_old,
            "team_id": team if workspace.is_org_wide else None,
        }
        answer = await self._client.call(
            "migration.exchange", given, token=workspace.token, of=workspace.id
        )
        if isinstance(answer, Done):
            found: Mapping[str, Any] = answer.data.get("user_id_map") or {}
            return {str(one): str(other) for one, other in found.items()}
        if isinstance(answer, Denied) and answer.error == "not_enterprise_team":
            return {}
        _log.info("Slack did not say by which other ids it knows people: %s", answer)
        return None


def _teams(on_grid: OnGrid, workspace: Workspace) -> Collection[str]:
    """Those of which its token may ask."""
    return on_grid.teams if workspace.is_org_wide else (workspace.team,)


def _of(workspace: Workspace, team: str) -> str:
    return f"{workspace.id}/{team}"
