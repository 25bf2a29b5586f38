"""slack_sdk's installation and state stores over ours: unreadable at rest, and one for a workspace.

What is stored is the bot's alone: quizbot asks nobody for a token of their own.
"""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from slack_sdk.oauth.installation_store import Bot, Installation
from slack_sdk.oauth.installation_store.async_installation_store import AsyncInstallationStore
from slack_sdk.oauth.state_store.async_state_store import AsyncOAuthStateStore

from adapters.slack.read import PLATFORM
from adapters.slack.sealing import Seal, Unreadable
from adapters.slack.workspaces import Workspace
from bot.ports import Clock
from bot.sharing import Shared
from bot.store import installations as rows
from bot.store.installations import Ids, Kept
from bot.store.store import Store

STATE_LASTS = timedelta(minutes=10)
_STATE = "on the way to install"

CLIENT, URL = "client_id", "url"
"""What is kept besides what slack_sdk knows: whose app it is, and the workspace's address."""

_NOT_KEPT = ("user_token", "user_refresh_token", "user_token_expires_at", "user_scopes")

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Held:
    """An installation that works as far as is known."""

    kept: Kept
    installation: Installation = field(repr=False)

    @property
    def id(self) -> str:
        """The team's, or the organisation's where it is for all of it."""
        return self.kept.ids.own

    @property
    def token(self) -> str:
        return self.installation.bot_token or ""

    @property
    def workspace(self) -> Workspace:
        found, ids = self.installation, self.kept.ids
        name = found.enterprise_name if ids.is_org_wide else found.team_name
        return Workspace(
            id=self.id,
            team="" if ids.is_org_wide else ids.team,
            token=self.token,
            bot_user=found.bot_user_id or "",
            bot_id=found.bot_id or "",
            name=name or "",
            url=str(found.custom_values.get(URL) or ""),
            installer=self.kept.user or None,
            is_org_wide=ids.is_org_wide,
        )


class Installations(AsyncInstallationStore):
    """Those of one app; what another app left in the same database is none of its business."""

    def __init__(self, store: Store, seal: Seal, client_id: str, clock: Clock) -> None:
        self._store = store
        self._seal = seal
        self._client_id = client_id
        self._clock = clock
        self._unreadable: set[str] = set()

    @property
    def logger(self) -> logging.Logger:
        return _log

    # --- as slack_sdk asks ---------------------------------------------------------------

    async def async_save(self, installation: Installation) -> None:
        """In the stead of whatever was stored of the same workspace."""
        ids, now = _ids(installation), self._clock.now()
        if not ids.own:
            raise ValueError("an installation belongs to a workspace or an organisation")
        installation.set_custom_value(CLIENT, self._client_id)
        data = self._seal.close(_written(installation))
        until = _instant(installation.bot_token_expires_at)
        await self._store.write(
            lambda c: rows.put(
                c, ids, installation.user_id or "", data, installed_at=now, expires_at=until
            ),
            wakes=False,
        )

    async def async_save_bot(self, bot: Bot) -> None:
        """Keeps who installed it: a bot's own data does not tell."""
        known = await self.async_find_installation(
            enterprise_id=bot.enterprise_id,
            team_id=bot.team_id,
            is_enterprise_install=bot.is_enterprise_install,
        )
        values = bot.to_dict_for_copying()
        user = known.user_id if known is not None else ""
        await self.async_save(Installation(**values, user_id=user))

    async def async_find_bot(
        self,
        *,
        enterprise_id: str | None,
        team_id: str | None,
        is_enterprise_install: bool | None = False,
    ) -> Bot | None:
        found = await self.async_find_installation(
            enterprise_id=enterprise_id,
            team_id=team_id,
            is_enterprise_install=is_enterprise_install,
        )
        return None if found is None else found.to_bot()

    async def async_find_installation(
        self,
        *,
        enterprise_id: str | None,
        team_id: str | None,
        user_id: str | None = None,
        is_enterprise_install: bool | None = False,
    ) -> Installation | None:
        """With a `user_id`: if it was that one who installed it."""
        ids = _ids_of(enterprise_id, team_id, bool(is_enterprise_install))
        held = self._held(await self._store.read(lambda c: rows.find(c, ids)))
        if held is None or (user_id is not None and user_id != held.kept.user):
            return None
        return held.installation

    async def async_delete_bot(self, *, enterprise_id: str | None, team_id: str | None) -> None:
        await self.async_delete_installation(enterprise_id=enterprise_id, team_id=team_id)

    async def async_delete_installation(
        self, *, enterprise_id: str | None, team_id: str | None, user_id: str | None = None
    ) -> None:
        ids = _ids_of(enterprise_id, team_id, team_id is None)
        await self._store.write(lambda c: rows.remove(c, ids, user_id), wakes=False)

    # --- as quizbot asks -----------------------------------------------------------------

    async def find(self, id: str) -> Held | None:
        """By the id of a team, or of an organisation that has it as a whole."""
        return self._held(await self._store.read(lambda c: rows.find_by_id(c, PLATFORM, id)))

    async def every(self) -> list[Held]:
        found = await self._store.read(lambda c: rows.every(c, PLATFORM))
        held = (self._held(kept) for kept in found)
        return [one for one in held if one is not None]

    async def unreadable(self) -> int:
        """How many were stored with a key that is not among those of the settings."""
        found = await self._store.read(lambda c: rows.every(c, PLATFORM))
        return sum(not self._is_readable(kept) for kept in found if kept.revoked_at is None)

    async def use_newest_key(self) -> int:
        """Store what was stored with an older key with the newest; how many those were."""
        changed = 0
        for kept in await self._store.read(lambda c: rows.every(c, PLATFORM)):
            if self._is_readable(kept) and not self._seal.is_newest(kept.data):
                changed += await self._rewrite(kept)
        return changed

    async def renew(self, held: Held, installation: Installation) -> bool:
        """Store new tokens; False where it is another installation by now."""
        kept, data = held.kept, self._seal.close(_written(installation))
        until = _instant(installation.bot_token_expires_at)
        return await self._store.write(
            lambda c: rows.renew(c, kept.id, kept.data, data, until), wakes=False
        )

    async def hold(self, held: Held, by: str, lasts: timedelta) -> Held | None:
        """Be the only one to get new tokens for it; None where another is at it."""
        now = self._clock.now()
        kept = await self._store.write(
            lambda c: rows.hold(c, held.kept.id, by, now, now + lasts), wakes=False
        )
        return self._held(kept)

    async def let_go(self, held: Held, by: str) -> None:
        await self._store.write(lambda c: rows.let_go(c, held.kept.id, by), wakes=False)

    async def revoke(self, held: Held) -> bool:
        """Its tokens are dead; False where that was noted, or it is another by now."""
        kept, now = held.kept, self._clock.now()
        return await self._store.write(
            lambda c: rows.revoke(c, kept.id, kept.data, now), wakes=False
        )

    # --- inside --------------------------------------------------------------------------

    def _held(self, kept: Kept | None) -> Held | None:
        if kept is None or kept.revoked_at is not None:
            return None
        try:
            installation = _read(self._seal.open(kept.data))
        except Unreadable:
            self._say_unreadable(kept)
            return None
        if installation.custom_values.get(CLIENT) != self._client_id:
            return None
        return Held(kept, installation)

    def _is_readable(self, kept: Kept) -> bool:
        try:
            self._seal.open(kept.data)
        except Unreadable:
            return False
        return True

    def _say_unreadable(self, kept: Kept) -> None:
        if kept.ids.own not in self._unreadable:
            self._unreadable.add(kept.ids.own)
            _log.error(
                "the installation in %s cannot be read: it was stored with another "
                "QUIZBOT_SECRET_KEY; add that one behind a comma, or have quizbot installed anew",
                kept.ids.own,
            )

    async def _rewrite(self, kept: Kept) -> bool:
        data = self._seal.close(self._seal.open(kept.data))
        return await self._store.write(
            lambda c: rows.rewrite(c, kept.id, kept.data, data), wakes=False
        )


class States(AsyncOAuthStateStore):
    """What goes out with somebody who is about to install, and comes back with them.

    It is stamped and not stored, so that no number of visits fills anything. The cookie beside it
    says whose it is, and what it serves for, Slack's code, is taken once.
    """

    def __init__(self, store: Store, seal: Seal, clock: Clock) -> None:
        self._store = store
        self._seal = seal
        self._clock = clock
        self._looking: Shared[str, None] = Shared()

    @property
    def logger(self) -> logging.Logger:
        return _log

    async def async_issue(self, *args: Any, **kwargs: Any) -> str:
        """Raises StoreUnavailable: nobody is sent to Slack whose installation has nowhere to go."""
        await self._look()
        return self._seal.stamp(_STATE, self._clock.now())

    async def async_consume(self, state: str) -> bool:
        """Raises StoreUnavailable, before Slack's code is used up."""
        await self._look()
        return self._seal.is_stamped(state, _STATE, self._clock.now(), STATE_LASTS)

    async def _look(self) -> None:
        await self._looking.get("", self._store.ping)


# --- as text -------------------------------------------------------------------------------------


def _written(installation: Installation) -> str:
    values = installation.to_dict_for_copying()
    kept = {key: value for key, value in values.items() if key not in _NOT_KEPT and value}
    return json.dumps(kept, default=datetime.isoformat)


def _read(text: str) -> Installation:
    values = json.loads(text)
    until = values.pop("bot_token_expires_at", None)
    at = values.pop("installed_at")
    return Installation(
        **{"user_id": "", **values},
        bot_token_expires_at=None if until is None else datetime.fromisoformat(until),
        installed_at=datetime.fromisoformat(at),
    )


def _ids(installation: Installation) -> Ids:
    return _ids_of(
        installation.enterprise_id, installation.team_id, installation.is_enterprise_install
    )


def _ids_of(enterprise: str | None, team: str | None, is_org_wide: bool) -> Ids:
    return Ids(PLATFORM, enterprise or "", team or "", is_org_wide)


def _instant(seconds: int | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
