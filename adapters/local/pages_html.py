"""Draw the quiz pages: a cover with the open question, all questions, a summary, a list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from adapters.local.pages_question import question_card
from adapters.local.pages_view import View
from adapters.local.render import Address, direction, line
from adapters.local.room_html import Attributes, Child, Html, el
from adapters.local.room_page import document
from bot.content import Bank
from bot.library import Library
from bot.markdown import spans_of
from bot.messages import Foreign, Link, Name, Plain, Span, text_of
from bot.reading import Words, read_bank, read_question
from bot.unseen import is_seen
from bot.wording.questions import LEVELS
from bot.wording.voice import Voice, own_name, plain

_STYLES = ("look.css", "quiz.css")
_LONGEST = 60  # characters of an unknown name that are said back


def quiz_page(view: View, picture: Address) -> str:
    """The page of one quiz."""
    voice = Voice.of(view.language)
    shown = read_bank(view.bank, view.content)
    if view.is_all:
        body: Child = [question_card(view, n, picture) for n in range(1, len(view.questions) + 1)]
    elif not view.questions:
        body = el("p", {"class": "card"}, voice.phrase("This quiz has no questions yet."))
    elif view.at > len(view.questions):
        body = _summary(view, voice)
    else:
        body = question_card(view, view.at, picture)
    return document(
        voice.language,
        f"{shown.title.text} · quizbot",
        _STYLES,
        "quiz.js",
        _top(voice, view),
        el("main", {"id": "main"}, _cover(view, voice), body, _ways(view, voice)),
        head=[_alternate(view, tag) for tag in view.bank.languages],
    )


def index_page(library: Library, language: str) -> str:
    """All quizzes, by title."""
    voice = Voice.of(language)
    banks = [library.bank(title.id) for title in library.titles(language)]
    items = [_entry(bank, voice) for bank in banks if bank is not None]
    title = voice.phrase("All quizzes")
    empty = el("p", None, voice.phrase("There are no quizzes here yet."))
    content = el("ul", {"class": "quizzes", "role": "list"}, items) if items else empty
    main = el("main", {"id": "main"}, el("h1", None, title), content)
    return document(voice.language, f"{title} · quizbot", _STYLES, "", _top(voice), main)


def unknown_page(name: str, near: Sequence[Bank], language: str) -> str:
    """Where there is no such quiz: what may have been meant."""
    voice = Voice.of(language)
    meant = [_entry(bank, voice) for bank in near]
    topic = Name(_short(name))
    match near:
        case _ if not is_seen(name):
            sentence = voice.say("Which quiz? Choose one from the list.")
        case []:
            sentence = voice.say("I know no quiz “{topic}”.", topic=topic)
        case [bank]:
            meant_title = read_bank(bank, voice.language).title
            names = Foreign(plain(meant_title.text), meant_title.language)
            sentence = voice.say(
                "I know no quiz “{topic}”. Did you mean {names}?", topic=topic, names=names
            )
        case _:
            sentence = voice.say(
                "I know no quiz “{topic}”. Did you mean one of these?", topic=topic
            )
    main = el(
        "main",
        {"id": "main"},
        line("h1", sentence, "plain"),
        el("ul", {"class": "quizzes", "role": "list"}, meant) if meant else None,
        el("p", None, el("a", {"href": "/quiz/"}, voice.phrase("All quizzes"))),
    )
    title = voice.phrase("Not found")
    return document(voice.language, f"{title} · quizbot", _STYLES, "", _top(voice), main)


def named(tag: str, words: Words) -> Html:
    """A title of a bank, in its own language and direction: text as typed, no sign is a mark."""
    return el(tag, {"lang": words.language, "dir": "auto"}, words.text)


def worded(tag: str, words: Words, attributes: Attributes | None = None) -> Html:
    """A text of a bank on one line, in its own language and direction."""
    own: Attributes = {**(attributes or {}), "lang": words.language, "dir": "auto"}
    return el(tag, own, text_of(spans_of(words.text)))


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[:_LONGEST].rstrip()} …"


def _top(voice: Voice, view: View | None = None) -> Html:
    brand = el(
        "a",
        {"class": "brand", "href": "/"},
        el("span", {"aria-hidden": "true"}, "?"),
        el("span", None, "quizbot"),
    )
    room = el("a", {"class": "quiet", "href": "/"}, voice.phrase("Play together"))
    others = el("a", {"class": "quiet", "href": "/quiz/"}, voice.phrase("All quizzes"))
    links = el("nav", {"class": "ways"}, others if view else None, room)
    return el("header", {"class": "top"}, brand, links)


def _cover(view: View, voice: Voice) -> Html:
    bank = view.bank
    shown = read_bank(bank, view.content)
    level = voice.phrase(LEVELS[bank.level]) if bank.level in LEVELS else None
    kind = [voice.phrase("Quiz"), f" · {level}" if level else None]
    return el(
        "div",
        {"class": "cover"},
        el("p", {"class": "eyebrow"}, kind),
        named("h1", shown.title),
        worded("p", shown.description, {"class": "lead"}) if shown.description else None,
        _guide(bank, shown.guide_title, voice),
        _languages(view, voice),
    )


def _guide(bank: Bank, title: Words | None, voice: Voice) -> Html | None:
    """What to read; a link where its address is known."""
    if title is None and bank.guide_url is None:
        return None
    shown: Span = Plain(bank.guide_url or "")
    if title is not None:
        shown = Foreign(plain(title.text), title.language)
    if bank.guide_url is not None:
        shown = Link((shown,), bank.guide_url)
    return line("p", voice.say("Related guide: {guide}", guide=shown), "guide")


def _languages(view: View, voice: Voice) -> Html | None:
    if len(view.bank.languages) < 2:
        return None
    items = [_language(view, tag) for tag in view.bank.languages]
    return el("nav", {"class": "languages", "aria-label": voice.phrase("Language")}, items)


def _language(view: View, tag: str) -> Html:
    attributes: Attributes = {
        "href": replace(view, content=tag).address(),
        "hreflang": tag,
        "lang": tag,
        "dir": direction(tag),
        "aria-current": "true" if tag == view.content else None,
    }
    return el("a", attributes, own_name(tag))


def _alternate(view: View, tag: str) -> Html:
    address = f"/quiz/{view.bank.id}?lang={tag}"
    return el("link", {"rel": "alternate", "hreflang": tag, "href": address})


def _ways(view: View, voice: Voice) -> Html | None:
    total = len(view.questions)
    if not total:
        return None
    if view.is_all:
        address = replace(view, is_all=False, at=_next_open(view)).address()
        words = voice.phrase("One question at a time")
    else:
        address = replace(view, is_all=True).address()
        words = voice.many_phrase("View the question", "View all {n} questions", total)
    note = voice.phrase("Answers and explanations appear as you take the quiz.")
    return el(
        "div",
        {"class": "foot"},
        el("a", {"href": address}, words),
        el("p", {"class": "small"}, note),
    )


def _next_open(view: View) -> int:
    numbers = range(1, len(view.questions) + 1)
    return next((n for n in numbers if n not in view.answers), len(view.questions) + 1)


def _summary(view: View, voice: Voice) -> Html:
    total = len(view.questions)
    wrong = [n for n in view.answers if n not in view.right]
    left = [n for n in range(1, total + 1) if n not in view.answers]
    words = voice.phrase("{right} of {total} right", right=len(view.right), total=total)
    again = replace(view, done={}, at=1).address()
    return el(
        "section",
        {"class": "card summary", "id": "verdict", "tabindex": "-1"},
        el("h2", None, words),
        _again(view, voice.phrase("To read again:"), sorted(wrong)),
        _again(view, voice.phrase("Not answered yet:"), left),
        el("p", None, voice.phrase("You had everything right."))
        if not wrong and not left
        else None,
        el(
            "p",
            {"class": "row"},
            el("a", {"class": "button", "href": again}, voice.phrase("Once more")),
        ),
    )


def _again(view: View, title: str, numbers: list[int]) -> Html | None:
    if not numbers:
        return None
    items = [el("li", {"value": str(n)}, _back(view, n)) for n in numbers]
    return el("div", None, el("h3", None, title), el("ol", None, items))


def _back(view: View, number: int) -> Html:
    ask = read_question(view.questions[number - 1], view.content).ask
    words = worded("span", Words(ask.text, ask.language))
    return el("a", {"href": replace(view, at=number).address()}, words)


def _entry(bank: Bank, voice: Voice) -> Html:
    shown = read_bank(bank, voice.language)
    count = len(bank.playable)
    facts = [voice.many_phrase("{n} question", "{n} questions", count)]
    if bank.level in LEVELS:
        facts.append(voice.phrase(LEVELS[bank.level]))
    facts.append(", ".join(own_name(tag) for tag in bank.languages))
    return el(
        "li",
        {"class": "card"},
        el(
            "h2",
            None,
            el("a", {"href": f"/quiz/{bank.id}"}, named("span", shown.title)),
        ),
        worded("p", shown.description) if shown.description else None,
        el("p", {"class": "small"}, " · ".join(facts)),
    )
