"""The room's own words, in every language of the interface."""

from __future__ import annotations

from adapters.accept_language import accepted, nearest, preferred
from bot.wording.catalogues import interface_language, translator
from bot.wording.catalogues import languages as interface_languages

__all__ = [
    "accepted", "interface_language", "interface_languages", "nearest", "preferred", "translator",
]  # fmt: skip


def page(language: str) -> dict[str, str]:
    """What the page's script says and what stands around the stream, by the page's own names."""
    t = translator(language)
    return {
        "title": t.gettext("Quiz room"),
        "quizzes": t.gettext("Quiz pages"),
        "skip": t.gettext("Skip to writing"),
        "messages": t.gettext("Messages"),
        "language": t.gettext("Language"),
        "people": t.gettext("People in this browser"),
        "person": t.gettext("You are {name}"),
        "switch": t.gettext("Switch to {name}"),
        "add": t.gettext("Add a person"),
        "add-hint": t.gettext("Each person here has a name, a language and points of their own."),
        "name": t.gettext("Name"),
        "name-title": t.gettext("What should the others call you?"),
        "name-hint": t.gettext("The leaderboard shows this name. You can hide it later."),
        "name-empty": t.gettext("Write a name first."),
        "name-unseen": t.gettext("A name needs a letter, a number or a symbol that can be seen."),
        "join": t.gettext("Come in"),
        "rename": t.gettext("Change my name"),
        "save": t.gettext("Save"),
        "forget": t.gettext("Remove from this browser"),
        "forget-sure": t.gettext(
            "Remove {name} from this browser? Nobody can go on as {name} afterwards."
        ),
        "cancel": t.gettext("Cancel"),
        "close": t.gettext("Close"),
        "private": t.gettext("Only you see this."),
        "dismiss": t.gettext("Dismiss"),
        "pressed": t.gettext("You pressed {letter}"),
        "keys": t.gettext("Keys {first} to {last} answer too."),
        "escape-keys": t.gettext("Press Escape, then a key from {first} to {last} to answer."),
        "use-keys": t.gettext("Answer with the keys A to J"),
        "composer": t.gettext("Write a command"),
        "placeholder": t.gettext("Type / to see what you can do"),
        "send": t.gettext("Send"),
        "suggestions": t.gettext("Suggestions"),
        "found": t.gettext("Suggestions: {count}; choose with the arrow keys."),
        "nothing-typed": t.gettext("Type a command first, for example {example}."),
        "leaderboard": t.gettext("Leaderboard"),
        "all-quizzes": t.gettext("All quizzes"),
        "start": t.gettext("Start a quiz"),
        "help": t.gettext("Help"),
        "empty-title": t.gettext("Nothing has been asked here yet"),
        "empty": t.gettext("Choose a quiz: everybody who has this page open can answer."),
        "earlier": t.gettext("Show earlier messages"),
        "newer": t.gettext("New messages"),
        "posted": t.gettext("New question: {question}"),
        "closed": t.gettext("The question is closed. {answer}"),
        "connecting": t.gettext("Connecting …"),
        "lost": t.gettext("The connection is gone; reconnecting. Nothing is lost."),
        "stopped": t.gettext("quizbot has stopped; this page reconnects by itself."),
        "back": t.gettext("Connected again."),
        "waiting": t.gettext("Sent as soon as the connection is back."),
    }


def clock(language: str) -> dict[str, str]:
    """How a running countdown is written; `{n}` is put in by the script every second."""
    t = translator(language)
    return {"s": t.gettext("in {n} s"), "min": t.gettext("in {n} min")}
