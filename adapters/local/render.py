"""Draw messages as HTML: structure in, elements out; `room_html` does the escaping."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import assert_never
from urllib.parse import urlsplit

from babel import Locale, UnknownLocaleError

from adapters import marks
from adapters.local.room_html import Attributes, Child, Html, el, join
from adapters.local.room_words import translator
from bot import messages as m

Address = Callable[[str], str | None]
"""From a picture's path to its address on this server; None where it may not be shown."""


def message(shown: m.Message, address: Address) -> Html:
    """A message; what is said besides its own texts is said in the message's language."""
    blocks = (block(part, shown.language, address) for part in shown.blocks)
    rows = (_row(row, shown.language) for row in shown.controls)
    return join([*blocks, *rows])


def block(part: m.Block, language: str, address: Address) -> Html:
    """One block; `language` is that of the words that are added around it."""
    match part:
        case m.Heading(parts):
            return line("h2", parts, "heading")
        case m.Paragraph(parts):
            return line("p", parts)
        case m.Small(parts):
            return line("p", parts, "small")
        case m.CodeBlock(text, _):
            # Code runs from left to right in every language, and scrolls by keyboard too.
            return el("pre", {"dir": "ltr", "tabindex": "0"}, el("code", None, text))
        case m.Options(options, tag):
            items = [option(each, language, address) for each in options]
            written: Attributes = {"lang": tag or None, "dir": direction(tag)}
            return el("ul", {"class": "options", "role": "list", **written}, items)
        case m.Spread(bars, words):
            return _spread(bars, words)
        case m.Ranking(ranks):
            items = [_rank(rank) for rank in ranks]
            return el("ol", {"class": "ranking", "role": "list"}, items)
        case m.Picture(path, alt, tag):
            return _picture(address(path), alt, tag)
        case _:
            assert_never(part)


def option(shown: m.Option, language: str, address: Address) -> Html:
    """A lettered option, with its mark in words and not by colour alone."""
    mark = None
    if shown.mark is not None:
        mark = el("p", {"class": "mark", "lang": language}, marks.in_words(shown.mark, language))
    body = [block(part, language, address) for part in shown.body]
    return el(
        "li",
        {"class": f"option {shown.mark or ''}".rstrip(), "data-letter": shown.letter},
        el("span", {"class": "letter"}, shown.letter),
        el("div", {"class": "body"}, body, mark),
    )


def line(tag: str, parts: m.Spans, kind: str | None = None) -> Html:
    """Spans as one line, in the direction in which its own first letter is written."""
    attributes: Attributes = {"class": kind, "dir": "auto"}
    tag_of_all = _sole_language(parts)
    if tag_of_all is None:
        return el(tag, attributes, spans(parts))
    # The direction of a line is not read from nested elements that have their own.
    return el(tag, {**attributes, "lang": tag_of_all}, spans(_unmarked(parts)))


def spans(parts: Iterable[m.Span]) -> Html:
    """Spans, one after the other."""
    return join([_span(part) for part in parts])


@lru_cache(maxsize=256)
def direction(tag: str) -> str:
    """`ltr` or `rtl` as the language is written; `auto` where the tag is not known."""
    try:
        return str(Locale.parse(tag.replace("-", "_")).text_direction)
    except (UnknownLocaleError, ValueError, TypeError):
        return "auto"


def safe_url(url: str) -> str | None:
    """The address if it leads to a web page, or to a place on this server, else None."""
    if url.startswith(("/#", "/quiz/")):
        return url
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    return url if parts.scheme in ("http", "https") and parts.netloc else None


def link(url: str, inner: Child, kind: str | None = None) -> Html:
    """A link that tells other sites nothing; only its words where the address is not safe."""
    safe = safe_url(url)
    if safe is None:
        return join(inner)
    if safe.startswith("/"):
        return el("a", {"class": kind, "href": safe}, inner)
    outside = {"target": "_blank", "rel": "noopener noreferrer"}
    return el("a", {"class": kind, "href": safe, **outside}, inner)


# --- spans -----------------------------------------------------------------------------------


def _span(part: m.Span) -> Html:
    match part:
        case m.Plain(text):
            return _broken(text)
        case m.Bold(inner):
            return el("strong", None, spans(inner))
        case m.Emphasis(inner):
            return el("em", None, spans(inner))
        case m.Code(text):
            return el("code", {"dir": "ltr"}, text)
        case m.Link(inner, url):
            return link(url, spans(inner))
        case m.Name(text) | m.PlaceName(_, text):
            return el("bdi", None, text)
        case m.When(at, style, text):
            return el("time", {"datetime": at.isoformat(), "data-style": style}, text)
        case m.Foreign(inner, tag):
            return el("span", {"lang": tag or None, "dir": "auto"}, spans(inner))
        case _:
            assert_never(part)


def _sole_language(parts: m.Spans) -> str | None:
    """The language of a line that is all in one other language, however it is emphasised."""
    if len(parts) != 1:
        return None
    match parts[0]:
        case m.Foreign(_, tag):
            return tag
        case m.Bold(inner) | m.Emphasis(inner):
            return _sole_language(inner)
        case _:
            return None


def _unmarked(parts: m.Spans) -> m.Spans:
    match parts[0]:
        case m.Foreign(inner, _):
            return inner
        case m.Bold(inner):
            return (m.Bold(_unmarked(inner)),)
        case m.Emphasis(inner):
            return (m.Emphasis(_unmarked(inner)),)
        case _:
            return parts


def _broken(text: str) -> Html:
    first, *others = text.split("\n")
    return join([first, *([el("br"), other] for other in others)])


# --- blocks ----------------------------------------------------------------------------------


def _spread(bars: tuple[m.Bar, ...], words: str) -> Html:
    """Bars as a drawing that nobody needs: the words below say the same."""
    most = max((bar.count for bar in bars), default=0) or 1
    rows = [_bar(bar, index * 24, round(bar.count / most * 260)) for index, bar in enumerate(bars)]
    frame = {"aria-hidden": "true", "viewBox": f"0 0 300 {len(bars) * 24}"}
    caption = el("figcaption", {"dir": "auto"}, words)
    return el("figure", {"class": "spread"}, el("svg", frame, rows), caption)


def _bar(bar: m.Bar, top: int, width: int) -> Html:
    shape = {"x": "22", "y": str(top + 4), "height": "14", "rx": "4"}
    kind = "right" if bar.right else "other"
    return join(
        [
            el("text", {"x": "0", "y": str(top + 16)}, bar.letter),
            el("rect", {"class": "track", "width": "260", **shape}),
            el("rect", {"class": kind, "width": str(width), **shape}),
        ]
    )


def _rank(rank: m.Rank) -> Html:
    notes = rank.notes or ("",) * len(rank.names)
    names = [
        _ranked(*each, index) for index, each in enumerate(zip(rank.names, notes, strict=True))
    ]
    more = [", " if names else None, el("span", {"class": "note"}, rank.note)]
    return el(
        "li",
        {"class": "rank"},
        el("span", {"class": "place"}, f"{rank.rank}."),
        " ",
        el("span", {"class": "names"}, names, more if rank.note else None),
        " ",
        el("span", {"class": "points"}, str(rank.points)),
    )


def _ranked(name: str, note: str, index: int) -> Html:
    remark = el("span", {"class": "note"}, f" ({note})") if note else None
    return join([", " if index else None, el("bdi", None, name), remark])


def _picture(address: str | None, alt: str, tag: str) -> Html:
    if address is not None:
        picture = {"class": "picture", "src": address, "alt": alt, "lang": tag or None}
        return el("img", picture)
    return el("p", {"class": "small", "lang": tag or None, "dir": "auto"}, alt) if alt else Html()


# --- controls --------------------------------------------------------------------------------


def _row(row: m.Row, language: str) -> Html:
    inner = [_control(each, language) for each in row]
    if not any(isinstance(each, m.Button) and each.style == "answer" for each in row):
        return el("div", {"class": "row"}, inner)
    label = translator(language).gettext("Answers")
    return el("div", {"class": "row answers", "role": "group", "aria-label": label}, inner)


def _control(control: m.Control, language: str) -> Html:
    match control:
        case m.Button():
            return _button(control)
        case m.LinkButton(label, url):
            return link(url, label, "button secondary")
        case m.Select():
            return _select(control, language)
        case _:
            assert_never(control)


def _button(button: m.Button) -> Html:
    key = button.label[:1].upper() if button.style == "answer" else None
    attributes: Attributes = {
        "type": "button",
        "class": f"button {button.style}",
        "dir": "auto",
        "data-token": button.token,
        "data-key": key,
        "aria-keyshortcuts": key,
        "aria-label": button.spoken,
    }
    return el("button", attributes, button.label)


def _select(select: m.Select, language: str) -> Html:
    """A list with a button of its own: moving through the list alone must not press anything."""
    go = translator(language).gettext("Choose")
    empty = el("option", {"value": ""}, select.placeholder) if select.chosen is None else None
    items = [choice(each, select.chosen) for each in select.choices]
    press = {"type": "button", "class": "button secondary", "data-pick": select.token}
    return el(
        "span",
        {"class": "pick"},
        el("select", {"aria-label": select.placeholder}, empty, items),
        el("button", press, go),
    )


def choice(given: m.Choice, chosen: str | None) -> Html:
    """One option of a select element."""
    words = f"{given.label} ({given.description})" if given.description else given.label
    return el("option", {"value": given.value, "selected": given.value == chosen}, words)
