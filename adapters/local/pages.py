"""The quiz pages: a bank as a page that one reads and answers alone, with or without the script.

All that a reader did stands in the address (`done=1b3c`: question 1 by its second option), so
nothing is stored, every step can be gone back to, and a link leads to the same page again.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from urllib.parse import quote

from aiohttp import web

from adapters.local.pages_html import index_page, quiz_page, unknown_page
from adapters.local.pages_view import View, read_done
from adapters.local.render import Address
from adapters.local.room_frames import fields
from adapters.local.room_words import accepted, interface_languages, nearest, preferred
from bot.content import Bank
from bot.library import Found, Library, Unknown

AskedNow = Callable[[], Awaitable[frozenset[tuple[str, str]]]]
"""The questions that today's quiz asks, by the keys of their banks and their ids."""


class Pages:
    """Answers requests for the quiz pages."""

    def __init__(self, library: Library, picture: Address, asked_now: AskedNow) -> None:
        self._library = library
        self._asked_now = asked_now
        self._picture = picture

    async def index(self, request: web.Request) -> web.StreamResponse:
        """All quizzes."""
        language = self._interface(request, request.query.get("lang"))
        return _html(index_page(self._library, language))

    async def quiz(self, request: web.Request) -> web.StreamResponse:
        """A quiz, at the question and with the answers that the address names."""
        view = await self._view(request)
        if view is None:
            return self._unknown(request)
        return _html(quiz_page(view, self._picture))

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Take an answer into the address, and show that."""
        view = await self._view(request)
        if view is None:
            return self._unknown(request)
        given = fields(await request.read())
        view = _answered(view, given.get("question", ""), given.get("option", ""))
        place = f"#question-{view.at}" if view.is_all else ""
        return web.Response(status=303, headers={"Location": view.address() + place})

    async def _view(self, request: web.Request) -> View | None:
        bank = self._library.bank(request.match_info["bank"])
        if bank is None:
            return None
        wanted = request.query.get("lang", "")
        others = accepted(request.headers.get("Accept-Language", ""))
        content = nearest([wanted, *others], bank.languages) or bank.language
        language = self._interface(request, wanted or None)
        view = View(bank, language, content, is_all=request.query.get("all") == "1")
        at = request.query.get("q", "")
        last = len(view.questions) + 1
        place = min(max(int(at), 1), last) if re.fullmatch(r"[0-9]{1,4}", at) else 1
        asked = await self._asked_now()
        numbered = enumerate(view.questions, start=1)
        return replace(
            view,
            at=place,
            done=read_done(request.query.get("done", ""), view.questions),
            kept=frozenset(n for n, question in numbered if (bank.key, question.id) in asked),
        )

    def _interface(self, request: web.Request, wanted: str | None) -> str:
        own = nearest([wanted] if wanted else [], interface_languages())
        return own or preferred(request.headers.get("Accept-Language", ""))

    def _unknown(self, request: web.Request) -> web.Response:
        """The way to the page, where it was asked for by another of the quiz's names."""
        name = request.match_info["bank"]
        found = self._library.find(name)
        if isinstance(found, Found) and found.topic_kind == "bank":
            query = f"?{request.query_string}" if request.query_string else ""
            there = f"/quiz/{quote(found.id, safe='')}{query}"
            return web.Response(status=303, headers={"Location": there})
        language = self._interface(request, request.query.get("lang"))
        return _html(unknown_page(name, self._near(found), language), 404)

    def _near(self, found: Found | Unknown) -> list[Bank]:
        """What may have been meant; of a tag, the quizzes whose questions carry it."""
        if isinstance(found, Found):
            return list({bank.id: bank for bank, _ in found.questions}.values())
        ids = [each.id for each in found.suggestions if each.topic_kind == "bank"]
        return [bank for each in ids if (bank := self._library.bank(each)) is not None]


def _answered(view: View, number: str, key: str) -> View:
    """The view with an answer more; the first one to a question stands."""
    place = int(number) if re.fullmatch(r"[0-9]{1,4}", number) else 0
    if not 1 <= place <= len(view.questions) or key not in view.questions[place - 1].keys:
        return view
    return replace(view, at=place, done={place: key, **view.answers})


def _html(page: str, status: int = 200) -> web.Response:
    headers = {"Cache-Control": "no-store"}
    return web.Response(text=page, content_type="text/html", status=status, headers=headers)
