"""A reader sees their own language where there is one, and never a blank."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.content import Bank, BankText, Question, QuestionText
from bot.reading import Words, read_bank, read_question

SOURCE = QuestionText(
    text="Which port?",
    options={"a": "one", "b": "two"},
    explain="Because.",
    why={"a": "It looks right."},
    hint="Small.",
    alt="A door",
)


def question(**texts: QuestionText) -> Question:
    by_tag = {tag.replace("_", "-"): text for tag, text in texts.items()}
    return Question("q", "en", ("a", "b"), frozenset("b"), {"en": SOURCE, **by_tag})


FRENCH = QuestionText(text="Quel port ?", options={"a": "un", "b": "deux"}, explain="Parce que.")


def test_each_field_falls_back_alone() -> None:
    shown = read_question(question(fr=FRENCH), "fr")
    assert shown.language == "fr"
    assert (shown.ask.text, shown.ask.language) == ("Quel port ?", "fr")
    assert shown.explain == Words("Parce que.", "fr")
    assert shown.why == {"a": Words("It looks right.", "en")}
    assert shown.hint == Words("Small.", "en")
    assert shown.alt == Words("A door", "en")


def test_stem_and_options_are_never_mixed() -> None:
    for half in (
        QuestionText(text="Quel port ?", options={"a": "un"}),
        QuestionText(text="Quel port ?", options={"a": "un", "b": " "}),
        QuestionText(text="Quel port ?"),
        QuestionText(options={"a": "un", "b": "deux"}),
        QuestionText(text="", options={"a": "un", "b": "deux"}),
    ):
        ask = read_question(question(fr=half), "fr").ask
        assert (ask.text, ask.options, ask.language) == ("Which port?", SOURCE.options, "en")


def test_a_region_falls_back_to_its_language_then_to_the_source() -> None:
    brazil = QuestionText(explain="Porque (BR).")
    portugal = QuestionText(text="Que porta?", options={"a": "um", "b": "dois"}, hint="  ")
    shown = read_question(question(pt_BR=brazil, pt=portugal), "pt-BR")
    assert shown.explain == Words("Porque (BR).", "pt-BR")
    assert shown.ask.language == "pt"
    assert shown.hint == Words("Small.", "en")
    assert read_question(question(pt_BR=brazil), "pt").explain == Words("Because.", "en")


def test_a_tag_may_be_written_as_platforms_write_it() -> None:
    texts = question(zh_Hant=FRENCH)
    for tag in ("zh-Hant-TW", "zh_hant_tw", "ZH-HANT"):
        assert read_question(texts, tag).ask.language == "zh-Hant"


def test_an_unknown_language_reads_the_source() -> None:
    for tag in ("sn", "", "-", "x-klingon"):
        assert read_question(question(fr=FRENCH), tag).ask.language == "en"


def test_a_text_of_an_older_wording_says_so() -> None:
    old = QuestionText(
        text="Quel port ?",
        options={"a": "un", "b": "deux"},
        explain="Parce que.",
        why={"a": "Cela semble juste."},
        hint="Petit.",
        alt="Une porte",
        outdated=frozenset({"ask", "explain"}),
    )
    shown = read_question(question(fr=old), "fr")
    assert shown.ask.outdated
    assert shown.explain == Words("Parce que.", "fr", outdated=True)
    assert shown.why["a"].outdated
    assert shown.alt == Words("Une porte", "fr", outdated=True)
    assert shown.hint == Words("Petit.", "fr")
    assert not read_question(question(fr=old), "en").ask.outdated


def test_options_keep_the_order_in_which_they_were_written() -> None:
    mixed = QuestionText(text="Quel port ?", options={"b": "deux", "a": "un"})
    assert list(read_question(question(fr=mixed), "fr").ask.options) == ["a", "b"]


def test_a_bank_falls_back_field_by_field() -> None:
    texts = {
        "en": BankText("Networks", "Ports.", "A guide"),
        "fr": BankText("Réseaux", "", None, outdated=True),
    }
    shown = read_bank(Bank("net", "en", texts, ()), "fr-CA")
    assert shown.title == Words("Réseaux", "fr", outdated=True)
    assert shown.description == Words("Ports.", "en")
    assert shown.guide_title == Words("A guide", "en")


maybe = st.none() | st.sampled_from(["", " ", "\n"]) | st.text(max_size=4)
texts = st.builds(
    QuestionText,
    text=maybe,
    options=st.dictionaries(st.sampled_from("abc"), st.text(max_size=2)),
    explain=maybe,
    why=st.dictionaries(st.sampled_from("abc"), st.text(max_size=2)),
    hint=maybe,
    alt=maybe,
    outdated=st.frozensets(st.sampled_from(["ask", "explain", "hint"])),
)
tags = st.sampled_from(["en", "fr", "pt", "pt-BR", "sn"])


@given(st.dictionaries(tags, texts), tags)
def test_whatever_is_missing_nothing_shown_is_blank(
    by_tag: dict[str, QuestionText], wanted: str
) -> None:
    shown = read_question(Question("q", "en", ("a", "b"), frozenset("b"), by_tag), wanted)
    assert shown.ask.text.strip()
    assert list(shown.ask.options) == ["a", "b"]
    assert all(text.strip() for text in shown.ask.options.values())
    for words in (shown.explain, shown.hint, shown.alt, *shown.why.values()):
        if words:
            assert words.text.strip()
            assert words.language in (wanted, wanted.split("-")[0], "en")
