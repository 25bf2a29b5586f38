"""Tells who acted what came of it, privately; each way that fails has another behind it.

First the address that came with the press, then an ephemeral message, and last the person's home:
an ephemeral is gone after a reload anyway, and whoever missed it finds it there.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from adapters.slack import forms, home, ready, render
from adapters.slack.client import Answer, Client, Denied, Done, Limited
from adapters.slack.markup import escaped, plain
from adapters.slack.pictures import Pictures
from adapters.slack.read import Body, Reach, reach
from adapters.slack.turns import Turns
from adapters.slack.workspaces import Workspace
from adapters.text import cut
from bot.messages import Form, Message, Paragraph, Plain, Reply, plain_text

_UNSHOWABLE = ("invalid_blocks", "msg_too_long", "msg_blocks_too_long", "no_text")
_PLAIN = 3_000
_WAITS, _LONGEST_WAIT = 3, 300.0
"""So often a reply waits, for so many seconds each, where Slack asks for it on every way."""

_TRIGGER_LASTS = timedelta(seconds=2)
"""So long a form can be opened, as far as nobody waited before."""

_log = logging.getLogger(__name__)


class Replies:
    def __init__(self, client: Client, pictures: Pictures) -> None:
        self._client = client
        self._pictures = pictures
        self._turns = Turns()

    def reach(self, body: Body) -> Reach:
        """Of something that begins now; what is begun later stands in the home in the end."""
        return reach(body, self._turns.next())

    async def tell(self, reach: Reach, reply: Reply, workspace: Workspace) -> None:
        """The reply, where the person acted."""
        if isinstance(reply, Form):
            if await self._opened(reach, reply, workspace):
                return
            # A form opens at once or not at all: a button opens it then.
            reply = forms.as_message(reply)
        for _ in range(_WAITS):
            answer = await self._said_somewhere(reach, reply, workspace)
            if not isinstance(answer, Limited) or answer.seconds > _LONGEST_WAIT:
                return
            await self._client.pause(answer.seconds)
        await self._said_somewhere(reach, reply, workspace)

    async def tell_plainly(self, reach: Reach, message: Message, workspace: Workspace) -> None:
        """The words alone, where the reply itself could not be drawn."""
        words = cut(plain_text(message), _PLAIN)
        if not reach.at_home:
            told = await self._say(reach, escaped(words), None, workspace, replaces=False)
            if isinstance(told, Done):
                return
            _log.info("a plain reply could not be told where it was asked for: %s", told)
        section = {"type": "section", "text": plain(words)}
        carried = Reach(reach.user, reach.channel).carried()
        view = {"type": "home", "blocks": [section], "private_metadata": carried}
        shown = await self._publish(reach, view, workspace)
        if not isinstance(shown, Done):
            _log.info("somebody's home could not be shown: %s", shown)

    async def show_home(self, reach: Reach, message: Message, workspace: Workspace) -> Answer:
        """Make this what the person sees when they open the app."""
        files = await self._pictures.files(render.pictures(message), workspace)
        answer = await self._published(reach, message, files, workspace)
        if files and _is_unshowable(answer):
            self._without_pictures(workspace)
            answer = await self._published(reach, message, {}, workspace)
        if _is_unshowable(answer):
            _log.error("Slack refused somebody's home: %s", answer)
            plainly = Message(_plain_blocks(message), language=message.language)
            answer = await self._published(reach, plainly, {}, workspace)
        if not isinstance(answer, Done):
            _log.info("somebody's home could not be shown: %s", answer)
        return answer

    # --- inside --------------------------------------------------------------------------

    async def _said_somewhere(self, reach: Reach, reply: Message, workspace: Workspace) -> Answer:
        """By the first way that takes it; else what came of the last."""
        if reach.at_home:
            return await self.show_home(reach, reply, workspace)
        files = await self._pictures.files(render.pictures(reply), workspace)
        told = await self._told(reach, reply, files, workspace)
        if files and _is_of_content(told):
            self._without_pictures(workspace)
            told = await self._told(reach, reply, {}, workspace)
        if isinstance(told, Done):
            return told
        _log.info("a reply could not be told where it was asked for: %s", told)
        return await self.show_home(reach, reply, workspace)

    async def _told(
        self, reach: Reach, reply: Message, files: Mapping[str, str], workspace: Workspace
    ) -> Answer:
        """Page by page, until one cannot be told; in plain words where it cannot be drawn."""
        told: Answer = Done({})
        replaces = reply.replaces and reach.on_private
        for drawn in ready.told(reply, files):
            told = await self._say(reach, drawn.text, drawn.blocks, workspace, replaces=replaces)
            if _is_of_content(told) and not files:
                _log.error("Slack refused the blocks of a reply: %s", told)
                words = cut(drawn.text, _PLAIN)
                told = await self._say(reach, words, None, workspace, replaces=replaces)
            if not isinstance(told, Done):
                break
            replaces = False
        return told

    def _without_pictures(self, workspace: Workspace) -> None:
        """Nobody waits for one that was just uploaded: what it shows is told in words."""
        if not self._pictures.is_settling(workspace):
            self._pictures.refused(workspace)

    async def _published(
        self, reach: Reach, message: Message, files: Mapping[str, str], workspace: Workspace
    ) -> Answer:
        view = home.view([message], Reach(reach.user, reach.channel).carried(), files)
        return await self._publish(reach, view, workspace)

    async def _opened(self, reach: Reach, form: Form, workspace: Workspace) -> bool:
        if not reach.trigger:
            return False
        body = {"trigger_id": reach.trigger, "view": forms.modal(form, reach.carried())}
        answer = await self._client.call(
            "views.open", body, token=workspace.token, of=workspace.id,
            urgent=True, patience=_TRIGGER_LASTS,
        )  # fmt: skip
        if not isinstance(answer, Done):
            _log.info("a form could not be opened: %s", answer)
        return isinstance(answer, Done)

    async def _say(
        self,
        reach: Reach,
        text: str,
        blocks: list[dict[str, Any]] | None,
        workspace: Workspace,
        *,
        replaces: bool,
    ) -> Answer:
        said: dict[str, Any] = {"text": text, **({"blocks": blocks} if blocks else {})}
        if reach.response_url:
            body = said | {"response_type": "ephemeral", "replace_original": replaces}
            body |= {"unfurl_links": False, "unfurl_media": False}
            if reach.thread is not None:
                body["thread_ts"] = reach.thread
            told = await self._client.respond(reach.response_url, body, of=workspace.id)
            if isinstance(told, Done) or _is_of_content(told):
                return told
            _log.info("a reply's address takes nothing more: %s", told)
        return await self._ephemeral(reach, said, workspace)

    async def _ephemeral(
        self, reach: Reach, said: Mapping[str, Any], workspace: Workspace
    ) -> Answer:
        if not reach.channel:
            return Denied("no_channel")
        body = {
            **said, "channel": reach.channel, "user": reach.user, "thread_ts": reach.thread,
        }  # fmt: skip
        return await self._client.call(
            "chat.postEphemeral", body, token=workspace.token, of=workspace.id, urgent=True
        )

    async def _publish(self, reach: Reach, view: Mapping[str, Any], workspace: Workspace) -> Answer:
        body = {"user_id": reach.user, "view": view}

        async def publish() -> Answer:
            return await self._client.call(
                "views.publish", body, token=workspace.token, of=workspace.id, urgent=True
            )

        # What found no other way is always shown.
        turn = reach.turn if reach.at_home else None
        number = self._turns.next() if turn is None else turn
        page = f"{workspace.id}:{reach.user}"
        # What they did later is shown already.
        return await self._turns.take(page, number, publish) or Done({})


def _is_of_content(told: Answer) -> bool:
    """It would be refused elsewhere too."""
    return isinstance(told, Denied) and told.error.startswith(_UNSHOWABLE)


def _is_unshowable(answer: Answer) -> bool:
    """A view that Slack does not take as it is."""
    return isinstance(answer, Denied) and answer.error.startswith(("invalid", "view_too_large"))


def _plain_blocks(message: Message) -> tuple[Paragraph, ...]:
    return (Paragraph((Plain(cut(plain_text(message), _PLAIN) or "…"),)),)
