"""From a bank's files to its content, with what must fall back left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from bot.banks.checks import BANK_ENTRY, missing_options
from bot.banks.fingerprints import bank_prints, question_prints
from bot.banks.models import (
    BankFile,
    Entry,
    OverlayFile,
    QuestionOverlay,
    QuestionPart,
    SourcePart,
)
from bot.banks.state import State
from bot.content import Bank, BankText, Language, Question, QuestionText, Source

Overlays = Mapping[Language, OverlayFile]


def assemble(bank_id: str, bank: BankFile, overlays: Overlays, state: State, folder: Path) -> Bank:
    """The bank in all its languages."""
    return Bank(
        id=bank_id,
        language=bank.language,
        texts={bank.language: _source_bank_text(bank)} | _bank_texts(bank, overlays, state),
        questions=tuple(_question(bank, part, overlays, state) for part in bank.questions),
        level=bank.level,
        topics=tuple(bank.topics),
        aliases=tuple(bank.aliases),
        guide_url=bank.guide.url if bank.guide else None,
        licence=bank.licence,
        attribution=bank.attribution,
        folder=str(folder),
    )


def changed_parts(entry: Entry | None, now: Mapping[str, str]) -> frozenset[str]:
    """The parts whose source has changed since the translation; none where nothing is recorded."""
    if entry is None:
        return frozenset()
    of = entry.of.model_dump(exclude_none=True)
    return frozenset(
        part for part, fingerprint in now.items() if of.get(part, fingerprint) != fingerprint
    )


def _source_bank_text(bank: BankFile) -> BankText:
    guide = bank.guide.title if bank.guide else None
    return BankText(_tidy(bank.title), _tidy(bank.description), _tidy(guide))


def _bank_texts(bank: BankFile, overlays: Overlays, state: State) -> dict[Language, BankText]:
    now = bank_prints(bank)
    texts = {}
    for language, overlay in overlays.items():
        guide = overlay.guide.title if overlay.guide else None
        outdated = bool(changed_parts(state.get(language, {}).get(BANK_ENTRY), now))
        text = BankText(_tidy(overlay.title), _tidy(overlay.description), _tidy(guide), outdated)
        if text.title or text.description or text.guide_title:
            texts[language] = text
    return texts


def _question(bank: BankFile, part: QuestionPart, overlays: Overlays, state: State) -> Question:
    now = question_prints(part)
    texts = {bank.language: _source_text(part)}
    for language, overlay in overlays.items():
        if given := overlay.questions.get(part.id):
            changed = changed_parts(state.get(language, {}).get(part.id), now)
            text = _translated(part, given, changed)
            if text != QuestionText(outdated=text.outdated):
                texts[language] = text
    return Question(
        id=part.id,
        language=bank.language,
        keys=tuple(part.options),
        correct=frozenset(part.correct or ()),
        texts=texts,
        kind=part.kind,
        tags=tuple(part.tags),
        sources=tuple(map(_source, part.sources)),
        image=part.image.file if part.image else None,
    )


def _source_text(part: QuestionPart) -> QuestionText:
    return QuestionText(
        text=_tidy(part.text),
        options=_texts(part.options, part.options),
        explain=_tidy(part.explain),
        why=_texts(part.why, part.options),
        hint=_tidy(part.hint),
        alt=_tidy(part.image.alt) if part.image else None,
    )


def _translated(
    part: QuestionPart, given: QuestionOverlay, changed: frozenset[str]
) -> QuestionText:
    """What may be shown of a translation: under another key it would explain the wrong option."""
    text, options = _whole_ask(part, given)
    explains = "key" not in changed
    return QuestionText(
        text=text,
        options=options,
        explain=_tidy(given.explain) if explains else None,
        why=_texts(given.why, part.options) if explains else {},
        hint=_tidy(given.hint),
        alt=_tidy(given.image.alt) if given.image and part.image else None,
        outdated=changed - {"key"},
    )


def _whole_ask(part: QuestionPart, given: QuestionOverlay) -> tuple[str | None, Mapping[str, str]]:
    """Stem and all options, or neither; options without letters may be the source's."""
    text = _tidy(given.text)
    lacks = missing_options(given.options, part.options)
    if not text or lacks or not part.options.keys() >= given.options.keys():
        return None, {}
    source = _texts(part.options, part.options)
    return text, source | _texts(given.options, part.options)


def _texts(given: Mapping[str, str], order: Iterable[str]) -> dict[str, str]:
    found = {key: _tidy(given.get(key)) for key in order}
    return {key: text for key, text in found.items() if text}


def _tidy(text: str | None) -> str | None:
    """Without the line breaks that a YAML block leaves at its end; a blank text is none."""
    return text.strip("\n") if text and text.strip() else None


def _source(part: SourcePart) -> Source:
    return Source(part.title, part.year, part.url)
