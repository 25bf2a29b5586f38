"""What no single value shows: keys that name nothing, options that are equal, ids used twice.

Everything here takes content of any shape, so that one fault never hides another.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from itertools import islice

from bot.banks.faults import Loc, Problem, listed, shortened
from bot.banks.languages import mend_tag
from bot.spelling import fold, nearest

_SUGGESTED = 50
"""Unknown ids of one file that are compared with all others, which takes time."""

_LOOKED_AT = 50
"""Options, keys and whys of a question that are compared with each other."""

BANK_ENTRY = "bank"
"""Stands in `state.yaml` for the bank's own texts, so that no question may be called so."""


def check_bank(data: object) -> Iterator[Problem]:
    """Problems of `bank.yaml` beyond its shape."""
    bank = mapping(data)
    yield from _language(bank)
    for name in ("topics", "aliases"):
        yield from _twice(bank, (name,), f"{name} hold")
    first: dict[str, int] = {}
    for at, item in enumerate(listing(bank.get("questions"))):
        question = mapping(item)
        yield from _question_id(question, at, first)
        yield from _question(question, ("questions", at), named_question(question, at))


def check_overlay(
    data: object, bank: object, outdated: Container[str] = (), rekeyed: Container[str] = ()
) -> Iterator[Problem]:
    """Problems of an overlay beyond its shape, beside the content of its bank.

    Of questions that are `outdated` options and whys are not checked, and of those that are
    `rekeyed` no whys: there the source has changed since, the texts fall back, and a bank's
    author need not know every language.
    """
    overlay, known = mapping(data), questions_by_id(bank)
    unknown = [id_ for id_ in mapping(overlay.get("questions")) if id_ not in known]
    for id_ in unknown:
        yield _unknown_question(id_, known if id_ in unknown[:_SUGGESTED] else ())
    for id_, item in mapping(overlay.get("questions")).items():
        if id_ in known:
            loc = ("questions", id_)
            if id_ not in outdated:
                yield from _options(mapping(item), known[id_], loc, id_)
            if id_ not in outdated and id_ not in rekeyed:
                yield from _whys(mapping(item), known[id_], loc, id_)
            if mapping(mapping(item).get("image")) and not mapping(known[id_].get("image")):
                yield Problem((*loc, "image"), f"{id_} has no image to describe", "delete image")
    if mapping(overlay.get("guide")) and not mapping(mapping(bank).get("guide")):
        yield Problem(("guide",), "the bank has no guide to translate", "delete guide")


def missing_options(given: Mapping[str, str], options: Mapping[str, str]) -> list[str]:
    """Keys of the source's options that a translation must give and does not.

    One that has no letters, such as a number, is the same in every language.
    """
    return [key for key in options if not given.get(key, "").strip() and has_letters(options[key])]


def has_letters(text: str) -> bool:
    """Whether there is something to translate."""
    return any(sign.isalpha() for sign in text)


def same(text: str) -> str:
    """Equal for texts that nobody could tell apart at a glance."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


# --- content of any shape ----------------------------------------------------------------------


def mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def listing(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def texts(value: object) -> dict[str, str]:
    return {key: text for key, text in few(value).items() if isinstance(text, str)}


def few(value: object) -> dict[str, object]:
    """The first entries of a mapping that the shape allows only a handful of."""
    return dict(islice(mapping(value).items(), _LOOKED_AT))


def questions_by_id(bank: object) -> dict[str, Mapping[str, object]]:
    """The bank's questions as they are written; of equal ids the first."""
    found: dict[str, Mapping[str, object]] = {}
    for item in listing(mapping(bank).get("questions")):
        id_ = mapping(item).get("id")
        if isinstance(id_, str):
            found.setdefault(id_, mapping(item))
    return found


def named_question(question: Mapping[str, object], at: int) -> str:
    id_ = question.get("id")
    return shortened(id_) if isinstance(id_, str) and id_.strip() else f"question {at + 1}"


# --- bank.yaml ---------------------------------------------------------------------------------


def _language(bank: Mapping[str, object]) -> Iterator[Problem]:
    tag = bank.get("language")
    if isinstance(tag, str) and tag.strip() and (mend := mend_tag(tag)) != tag:
        what = f'language "{shortened(tag)}" is no language tag'
        yield Problem(("language",), what, f"language: {mend or 'such as en, sn or pt-BR'}")


def _twice(owner: Mapping[str, object], loc: Loc, holds: str) -> Iterator[Problem]:
    seen: set[str] = set()
    for at, word in enumerate(listing(owner.get(str(loc[-1])))):
        if isinstance(word, str) and word.strip():
            if fold(word) in seen:
                yield Problem((*loc, at), f'{holds} "{shortened(word)}" twice', "delete one")
            seen.add(fold(word))


def _question_id(
    question: Mapping[str, object], at: int, first: dict[str, int]
) -> Iterator[Problem]:
    id_, loc = question.get("id"), ("questions", at, "id")
    if not isinstance(id_, str) or not id_.strip():
        return
    if id_ == BANK_ENTRY:
        what = f'a question cannot have the id "{BANK_ENTRY}", which stands for the whole'
        yield Problem(loc, what, "choose another id")
    if id_ in first:
        what = f'question {at + 1} has the id "{shortened(id_)}" of question {first[id_] + 1}'
        yield Problem(loc, what, "give it an id of its own")
    first.setdefault(id_, at)


def _question(question: Mapping[str, object], loc: Loc, name: str) -> Iterator[Problem]:
    options = texts(question.get("options"))
    yield from _equal_options(options, loc, name)
    yield from _correct(question, options, loc, name)
    yield from _why(question, options, _keys(question.get("correct")), loc, name)
    yield from _twice(question, (*loc, "tags"), f"tags of {name} hold")


def _equal_options(options: Mapping[str, str], loc: Loc, name: str) -> Iterator[Problem]:
    first: dict[str, str] = {}
    for key, text in options.items():
        form = same(text)
        if form and form in first:
            what = f"options {first[form]} and {shortened(key)} of {name} are the same"
            yield Problem((*loc, "options", key), what, "change or delete one")
        first.setdefault(form, shortened(key))


def _correct(
    question: Mapping[str, object], options: Mapping[str, str], loc: Loc, name: str
) -> Iterator[Problem]:
    known = few(question.get("options"))
    keys = _keys(question.get("correct"))
    for at, key in enumerate(keys):
        where = (*loc, "correct", *([at] if isinstance(question["correct"], list) else []))
        if known and key.strip() and key not in known:
            mend = _meant(key, options) or listed(list(map(shortened, known)))
            yield _no_option(where, "correct names", key, name, known, f"correct: {mend}")
        elif key in keys[:at]:
            yield Problem(where, f'correct of {name} names "{shortened(key)}" twice', "delete one")


def _no_option(
    loc: Loc, names: str, key: str, name: str, known: Iterable[str], mend: str
) -> Problem:
    options = ", ".join(map(shortened, islice(known, 12)))
    what = f'{names} "{shortened(key)}", which is no option of {name} ({options})'
    return Problem(loc, what, mend)


def _meant(key: str, options: Mapping[str, str]) -> str | None:
    """The option that was surely meant: another case, or its text. A guess would be a wrong key."""
    meant = {name for name, text in options.items() if same(key) in (same(name), same(text))}
    return meant.pop() if len(meant) == 1 else None


def _why(
    owner: Mapping[str, object],
    options: Mapping[str, object],
    right: Collection[str],
    loc: Loc,
    name: str,
) -> Iterator[Problem]:
    for key in few(owner.get("why")):
        where = (*loc, "why", key)
        if key in right:
            what = f"why of {name} tells why {shortened(key)} tempts, and {shortened(key)} is right"
            yield Problem(where, what, "move it to explain")
        elif options and key not in options:
            yield _no_option(where, "why names", key, name, options, _rename(key, options))


def _rename(key: str, options: Iterable[str]) -> str:
    meant = next((name for name in options if same(name) == same(key)), None)
    return f"write {shortened(meant)}" if meant else "delete it, or name an option"


def _keys(correct: object) -> list[str]:
    keys = listing(correct) or [correct]
    return [key for key in keys[:_LOOKED_AT] if isinstance(key, str)]


# --- overlays ----------------------------------------------------------------------------------


def _unknown_question(id_: str, known: Collection[str]) -> Problem:
    meant = nearest(id_, known) if known else None
    what = f'unknown question "{shortened(id_)}"'
    if meant:
        return Problem(("questions", id_), f"{what} (did you mean {meant}?)")
    return Problem(("questions", id_), what, "delete it; bank.yaml has no such id")


def _options(
    overlay: Mapping[str, object], question: Mapping[str, object], loc: Loc, name: str
) -> Iterator[Problem]:
    options = few(question.get("options"))
    for key in few(overlay.get("options")):
        if options and key not in options:
            where, mend = (*loc, "options", key), _rename(key, options)
            yield _no_option(where, "options name", key, name, options, mend)
    yield from _whole_ask(overlay, question, loc, name)
    yield from _equal_options(texts(overlay.get("options")), loc, name)


def _whys(
    overlay: Mapping[str, object], question: Mapping[str, object], loc: Loc, name: str
) -> Iterator[Problem]:
    options, right = few(question.get("options")), _keys(question.get("correct"))
    yield from _why(overlay, options, right, loc, name)


def _whole_ask(
    overlay: Mapping[str, object], question: Mapping[str, object], loc: Loc, name: str
) -> Iterator[Problem]:
    """Stem and options are shown together or not at all."""
    text = overlay.get("text")
    has_text = isinstance(text, str) and bool(text.strip())
    has_options = any(given.strip() for given in texts(overlay.get("options")).values())
    missing = missing_options(texts(overlay.get("options")), texts(question.get("options")))
    if missing and (has_text or has_options):
        field = "options" if "options" in overlay else "text"
        keys = listed(list(map(shortened, missing)), "and")
        yield Problem((*loc, field), f"options of {name} lack {keys}", f"translate {keys} too")
    if has_options and not has_text:
        what = f"{name} has translated options and no text"
        yield Problem((*loc, "options"), what, "translate text too; they are shown together")
