"""Draw one question of a quiz page: to be answered, or answered and explained.

What is right is only ever read here for a question that has an answer.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePath

from adapters import marks
from adapters.local.pages_view import View
from adapters.local.render import Address, block, direction, line
from adapters.local.room_html import Attributes, Html, el, join
from bot.content import Question, Source
from bot.markdown import blocks_of, spans_of
from bot.messages import Foreign, Link, Name, Paragraph, Picture, Plain, Spans
from bot.reading import Shown, Words, read_question
from bot.wording.pieces import notes
from bot.wording.voice import Voice, joined


def question_card(view: View, number: int, picture: Address) -> Html:
    """Question `number` of the quiz; with its verdict if the view holds an answer to it."""
    voice = Voice.of(view.language)
    question = view.questions[number - 1]
    shown = read_question(question, view.content)
    chosen = view.answers.get(number)
    place = voice.phrase("Question {n} of {total}", n=number, total=len(view.questions))
    heading_id = f"ask-{number}"
    stem = el(
        "div",
        {"class": "ask", "id": heading_id, "lang": shown.ask.language},
        [block(part, shown.ask.language, picture) for part in blocks_of(shown.ask.text)],
    )
    answered = None
    if number in view.kept:
        content = _answered(replace(question, correct=frozenset()), shown, "", voice)
        answered = _kept(view, number, voice)
    elif chosen is None:
        content = _to_answer(view, number, question, shown)
    else:
        content = _answered(question, shown, chosen, voice)
        answered = _verdict(view, number, question, shown, chosen, voice)
    return el(
        "section",
        {"class": "card question", "id": f"question-{number}", "aria-labelledby": heading_id},
        el("p", {"class": "progress"}, el("span", None, place), _so_far(view, voice)),
        _bar(view, number),
        stem,
        _picture(view, question, shown, picture),
        content,
        _notes(view, shown, voice, is_answered=chosen is not None),
        answered,
    )


def _so_far(view: View, voice: Voice) -> Html | None:
    if not view.answers:
        return None
    words = voice.many_phrase("{n} right so far", "{n} right so far", len(view.right))
    return el("span", {"class": "so-far"}, words)


def _bar(view: View, number: int) -> Html | None:
    """The same progress as a drawing; the words beside it say it."""
    if view.is_all:
        return None
    total = len(view.questions)
    width = round(1000 * (number - 1 + (number in view.answers)) / total)
    shape: Attributes = {"height": "6", "width": str(width), "class": "done"}
    return el(
        "svg",
        {
            "class": "bar",
            "viewBox": "0 0 1000 6",
            "preserveAspectRatio": "none",
            "aria-hidden": "true",
        },
        el("rect", {"height": "6", "width": "1000", "class": "track"}),
        el("rect", shape),
    )


def _to_answer(view: View, number: int, question: Question, shown: Shown) -> Html:
    """A form with a button for each option: one press answers, with and without the script."""
    buttons = [
        el(
            "li",
            None,
            el(
                "button",
                {"class": "option", "name": "option", "value": key, "aria-keyshortcuts": letter},
                el("span", {"class": "letter"}, letter),
                _body(shown, key),
            ),
        )
        for letter, key in _lettered(question)
    ]
    return el(
        "form",
        {"method": "post", "action": view.address(), "class": "answers"},
        el("input", {"type": "hidden", "name": "question", "value": str(number)}),
        el("ol", {"class": "options", "role": "list", **_tongue(shown)}, buttons),
    )


def _answered(question: Question, shown: Shown, chosen: str, voice: Voice) -> Html:
    items = []
    for letter, key in _lettered(question):
        mark = _mark(question, key, chosen)
        said = el(
            "p", {"class": "mark", "lang": voice.language}, marks.in_words(mark, voice.language)
        )
        item = el(
            "li",
            {"class": f"option {mark}".rstrip()},
            el("span", {"class": "letter"}, letter),
            el("div", {"class": "body"}, _body(shown, key), said if mark else None),
        )
        items.append(item)
    return el("ol", {"class": "options", "role": "list", **_tongue(shown)}, items)


def _mark(question: Question, key: str, chosen: str) -> str:
    if key in question.correct:
        return "chosen-right" if key == chosen else "right"
    return "chosen" if key == chosen else ""


def _verdict(
    view: View, number: int, question: Question, shown: Shown, chosen: str, voice: Voice
) -> Html:
    is_right = chosen in question.correct
    options = joined([_named(shown, *each) for each in _right(question)], "; ")
    said = (
        voice.say("Right: {options}", options=options)
        if is_right
        else voice.say("Not this time: right is {options}", options=options)
    )
    why = shown.why.get(chosen)
    letter = next(letter for letter, key in _lettered(question) if key == chosen)
    why_title = voice.phrase("Why {letter} tempts:", letter=letter)
    return el(
        "div",
        {"class": "verdict", "id": f"verdict-{number}", "tabindex": "-1"},
        line("h2", said, "right" if is_right else None),
        _prose(shown.explain) if shown.explain else None,
        el("div", {"class": "why"}, el("p", None, el("b", None, why_title)), _prose(why))
        if why and not is_right
        else None,
        _sources(question.sources, voice),
        _onwards(view, number, voice),
    )


def _kept(view: View, number: int, voice: Voice) -> Html:
    """In the stead of an answer, as long as it can be won."""
    said = voice.say("Today’s quiz asks this. Answer it there; here it can be played again later.")
    return el("div", {"class": "verdict"}, line("p", said), _onwards(view, number, voice))


def _onwards(view: View, number: int, voice: Voice) -> Html | None:
    if view.is_all:
        return None
    is_last = number == len(view.questions)
    words = voice.phrase("See how it went") if is_last else voice.phrase("Next question")
    onwards: Attributes = {
        "class": "button primary",
        "href": replace(view, at=number + 1).address(),
    }
    return el("p", {"class": "row"}, el("a", onwards, words))


def _sources(sources: tuple[Source, ...], voice: Voice) -> Html | None:
    if not sources:
        return None
    listed = joined([_source(each) for each in sources], " · ")
    return line("p", voice.say("Source: {sources}", sources=listed), "small")


def _source(source: Source) -> Spans:
    name = Name(f"{source.title} ({source.year})" if source.year else source.title)
    return (Link((name,), source.url),) if source.url else (name,)


def _notes(view: View, shown: Shown, voice: Voice, *, is_answered: bool) -> Html | None:
    languages = {"ask": shown.ask.language}
    outdated = shown.ask.outdated
    if is_answered and shown.explain is not None:
        languages["explain"] = shown.explain.language
        outdated = outdated or shown.explain.outdated
    lines = notes(voice, view.content, languages, outdated)
    return join([line("p", small.spans, "small note") for small in lines]) if lines else None


def _picture(view: View, question: Question, shown: Shown, picture: Address) -> Html | None:
    if question.image is None:
        return None
    path = str(PurePath(view.bank.folder or "", question.image))
    alt = shown.alt or Words("", shown.ask.language)
    return block(Picture(path, alt.text, alt.language), view.language, picture)


def _prose(words: Words) -> Html:
    parts = [block(part, words.language, lambda _: None) for part in blocks_of(words.text)]
    return el("div", {"lang": words.language}, parts)


def _body(shown: Shown, key: str) -> Html:
    """An option's text; only such elements as may stand inside a button."""
    parts = []
    for part in blocks_of(shown.ask.options[key]):
        if isinstance(part, Paragraph):
            parts.append(line("span", part.spans, "line"))
        else:
            parts.append(el("code", {"class": "block", "dir": "ltr"}, part.text))
    return el("span", {"class": "text"}, parts)


def _right(question: Question) -> list[tuple[str, str]]:
    return [(letter, key) for letter, key in _lettered(question) if key in question.correct]


def _named(shown: Shown, letter: str, key: str) -> Spans:
    # Marked as the bank's in any language, so that it turns none of the words around it.
    words = Foreign(spans_of(shown.ask.options[key]), shown.ask.language)
    return (Plain(f"{letter} · "), words)


def _tongue(shown: Shown) -> dict[str, str]:
    """Language and direction of a question: its letters stand where reading begins."""
    return {"lang": shown.ask.language, "dir": direction(shown.ask.language)}


def _lettered(question: Question) -> list[tuple[str, str]]:
    return [(chr(ord("A") + index), key) for index, key in enumerate(question.keys)]
