"""The frame of the room's page; the script fills it, and re-words it when the person changes."""

from __future__ import annotations

from adapters.local.render import direction
from adapters.local.room_html import Attributes, Child, Html, el, join
from adapters.local.room_words import page, translator

_ICON = "/static/icon.svg"


def document(
    language: str,
    title: str,
    styles: tuple[str, ...],
    script: str,
    *body: Child,
    head: Child = None,
) -> str:
    """A whole page."""
    sheets = [el("link", {"rel": "stylesheet", "href": f"/static/{name}"}) for name in styles]
    viewport = "width=device-width, initial-scale=1, interactive-widget=resizes-content"
    heads = el(
        "head",
        None,
        el("meta", {"charset": "utf-8"}),
        el("meta", {"name": "viewport", "content": viewport}),
        el("meta", {"name": "color-scheme", "content": "light dark"}),
        el("title", None, title),
        el("link", {"rel": "icon", "href": _ICON, "type": "image/svg+xml"}),
        sheets,
        el("script", {"type": "module", "src": f"/static/{script}"}) if script else None,
        head,
    )
    attributes: Attributes = {"lang": language, "dir": direction(language)}
    return f"<!doctype html>{el('html', attributes, heads, el('body', None, *body))}"


def room_page(language: str) -> str:
    """The room, in a language to begin with."""
    w = page(language)
    return document(
        language,
        f"{w['title']} · quizbot",
        ("look.css", "room.css"),
        "room.js",
        el("a", {"class": "skip", "href": "#line", "data-word": "skip"}, w["skip"]),
        _top(w),
        el("p", {"id": "state", "role": "status", "class": "state"}, w["connecting"]),
        _stream(w, language),
        _bottom(w),
        _dialogs(w),
        el("div", {"id": "announcer", "class": "unseen", "aria-live": "polite"}),
    )


def join_page(language: str, wrong: str | None) -> str:
    """Where the join code is asked for; it works without the script."""
    t = translator(language)
    title = t.gettext("Join the quiz room")
    code: Attributes = {
        "id": "code",
        "name": "code",
        "required": True,
        "autofocus": True,
        "autocomplete": "off",
        "autocapitalize": "characters",
        "spellcheck": "false",
        "dir": "ltr",
        "aria-describedby": "wrong" if wrong else "code-hint",
        "aria-invalid": "true" if wrong else None,
    }
    form = el(
        "form",
        {"method": "post", "action": "/join", "class": "form"},
        el("h1", None, title),
        el("label", {"for": "code"}, t.gettext("Join code")),
        el(
            "p",
            {"class": "hint", "id": "code-hint"},
            t.gettext("Who started quizbot sees it there; the organiser’s code works too."),
        ),
        el("input", code),
        el("p", {"class": "wrong", "id": "wrong", "role": "alert"}, wrong) if wrong else None,
        el("button", {"class": "button primary"}, t.gettext("Come in")),
    )
    styles = ("look.css", "room.css")
    return document(language, title, styles, "", el("main", {"class": "gate"}, form))


def _top(w: dict[str, str]) -> Html:
    quizzes = el("a", {"class": "quiet", "href": "/quiz/", "data-word": "quizzes"}, w["quizzes"])
    language = el(
        "label",
        {"class": "language", "hidden": True, "id": "language-field"},
        el("span", {"class": "unseen", "data-word": "language"}, w["language"]),
        el("select", {"id": "language"}),
    )
    who: Attributes = {
        "type": "button",
        "id": "who",
        "class": "button secondary who",
        "hidden": True,
        "aria-haspopup": "dialog",
    }
    return el(
        "header",
        {"class": "top"},
        el(
            "h1",
            {"class": "brand"},
            el("span", {"aria-hidden": "true"}, "?"),
            el("span", None, "quizbot"),
        ),
        el("nav", None, quizzes),
        el("div", {"class": "me"}, language, el("button", who)),
    )


def _stream(w: dict[str, str], language: str) -> Html:
    t = translator(language)
    script_needed = el(
        "noscript",
        None,
        el(
            "p",
            {"class": "card"},
            t.gettext("The room needs JavaScript."),
            " ",
            el("a", {"href": "/quiz/"}, t.gettext("The quiz pages work without it.")),
        ),
    )
    earlier: Attributes = {
        "type": "button",
        "id": "earlier",
        "class": "button secondary",
        "hidden": True,
        "data-word": "earlier",
    }
    newer: Attributes = {**earlier, "id": "newer", "class": "button primary", "data-word": "newer"}
    empty = el(
        "section",
        {"id": "empty", "class": "empty", "hidden": True},
        el("h2", {"data-word": "empty-title"}, w["empty-title"]),
        el("p", {"data-word": "empty"}, w["empty"]),
        el("div", {"id": "starters", "class": "starters"}),
    )
    messages = {"id": "stream", "role": "list", "aria-label": w["messages"]}
    return el(
        "main",
        {"id": "main", "tabindex": "-1"},
        script_needed,
        el("button", earlier, w["earlier"]),
        el("ol", {**messages, "data-label": "messages"}),
        empty,
        el("button", newer, w["newer"]),
    )


def _bottom(w: dict[str, str]) -> Html:
    line: Attributes = {
        "id": "line",
        "type": "text",
        "role": "combobox",
        "aria-expanded": "false",
        "aria-controls": "menu",
        "aria-autocomplete": "list",
        "aria-label": w["composer"],
        "aria-describedby": "key-hint",
        "data-label": "composer",
        "placeholder": w["placeholder"],
        "data-placeholder": "placeholder",
        "autocomplete": "off",
        "autocapitalize": "none",
        "spellcheck": "false",
        "enterkeyhint": "send",
        "maxlength": "2000",
        "dir": "auto",
    }
    menu: Attributes = {
        "id": "menu",
        "role": "listbox",
        "hidden": True,
        "aria-label": w["suggestions"],
    }
    composer = el(
        "form",
        {"id": "composer", "autocomplete": "off"},
        el("ul", menu),
        el("div", {"id": "chips", "class": "chips"}),
        el(
            "div",
            {"class": "line"},
            el("input", line),
            el("button", {"class": "button primary", "data-word": "send"}, w["send"]),
        ),
        el("p", {"id": "key-hint", "class": "hint"}),
        el("p", {"id": "wrong", "class": "wrong", "role": "alert"}),
    )
    return el("footer", {"class": "bottom"}, composer)


def _dialogs(w: dict[str, str]) -> Html:
    return join(
        [
            el("dialog", {"id": "form", "aria-labelledby": "form-title"}),
            el("dialog", {"id": "people", "aria-labelledby": "people-title"}),
            el("dialog", {"id": "naming", "aria-labelledby": "naming-title"}),
        ]
    )
