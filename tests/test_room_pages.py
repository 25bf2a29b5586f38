"""The quiz pages as somebody reads them whose browser runs no script."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from aiohttp import ClientSession
from room_stand_in import OpenRoom, StandIn, StandingClock, banks, open_room

from adapters.local.room_pictures import Pictures
from bot.content import Bank, BankText, Question, QuestionText
from bot.library import Library


class Reader:
    def __init__(self, session: ClientSession, base: str) -> None:
        self.session, self.base = session, base
        self.text, self.status, self.address = "", 0, ""

    async def open(self, path: str, **headers: str) -> str:
        async with self.session.get(self.base + path, headers=headers) as answer:
            self.text, self.status = await answer.text(), answer.status
            self.address = answer.url.path_qs
        return self.text

    async def answer(self, path: str, question: int, option: str) -> str:
        data = {"question": str(question), "option": option}
        async with self.session.post(self.base + path, data=data) as answer:
            self.text, self.status = await answer.text(), answer.status
            self.address = answer.history[-1].headers["Location"]
        return self.text


def words_of(page: str) -> str:
    return unescape(re.sub(r"<[^>]+>", "", page))


@asynccontextmanager
async def pages_of(*banks: Bank) -> AsyncIterator[Reader]:
    room = OpenRoom(StandIn(), Library(banks), StandingClock())
    await room.start()
    try:
        async with ClientSession() as session:
            yield Reader(session, f"http://127.0.0.1:{room.port}")
    finally:
        await room.stop()


@pytest.fixture
async def reader() -> AsyncIterator[Reader]:
    async with open_room(StandIn(), StandingClock()) as room, ClientSession() as session:
        yield Reader(session, f"http://127.0.0.1:{room.port}")


async def test_a_quiz_opens_at_its_first_question_with_all_that_is_known_of_it(reader):
    page = await reader.open("/quiz/networks?lang=en")
    for shown in (
        "Network basics",
        "Ports, names and routes.",
        "beginner",
        "Related guide",
        'href="https://example.org/guides/dns"',
        "Question 1 of 2",
        "Which TCP port does an SSH server listen on by default?",
        "View all 2 questions",
        "Answers and explanations appear as you take the quiz.",
        'hreflang="fr"',
        "chiShona",
    ):
        assert shown in page


async def test_nothing_on_a_page_tells_what_is_right_before_it_is_answered(reader):
    for path in ("/quiz/networks", "/quiz/networks?all=1", "/quiz/networks?q=2&done=1a"):
        page = await reader.open(path)
        unanswered = page.split("question-2")[-1] if "done" in path else page
        for secret in ("registered port", "Nothing is escaped", "tempts", "chosen-right"):
            assert secret not in unanswered


async def test_an_answer_is_judged_and_explained_and_the_quiz_goes_on(reader):
    page = await reader.answer("/quiz/networks?lang=en", 1, "c")
    assert reader.address == "/quiz/networks?lang=en&q=1&done=1c"
    assert "Not this time: right is B · 22" in words_of(page)
    assert "22 is the registered port for SSH." in page
    assert "Why C tempts:" in page
    assert "RFC 4253 (2006)" in page
    assert "0 right so far" in page
    onwards = re.search(r'href="([^"]*)">Next question', page)
    assert onwards is not None
    page = await reader.open(onwards[1].replace("&amp;", "&"))
    assert "Question 2 of 2" in page
    page = await reader.answer(reader.address, 2, "a")
    assert '<code dir="ltr">&lt;b&gt;&amp;amp;</code>' in page
    assert "Right: A · <b>&amp;" in words_of(page)
    assert "1 right so far" in page


async def test_the_end_says_what_to_read_again(reader):
    page = await reader.open("/quiz/networks?lang=en&q=3&done=1c2a")
    assert "1 of 2 right" in page
    assert "To read again" in page
    assert "Which TCP port" in page
    page = await reader.open("/quiz/networks?lang=en&q=3&done=1b2a")
    assert "You had everything right." in page


async def test_the_first_answer_to_a_question_stands(reader):
    await reader.answer("/quiz/networks?lang=en&q=1&done=1c", 1, "b")
    assert "done=1c" in reader.address


async def test_all_questions_are_on_one_page_and_answered_there(reader):
    page = await reader.open("/quiz/networks?lang=en&all=1")
    assert page.count("<form") == 2
    page = await reader.answer("/quiz/networks?lang=en&all=1", 2, "b")
    assert reader.address == "/quiz/networks?lang=en&all=1&done=2b#question-2"
    assert page.count("<form") == 1
    assert "Not this time" in page


async def test_what_is_not_translated_is_shown_in_the_source_language_and_says_so(reader):
    page = await reader.open("/quiz/networks?lang=fr&done=1b")
    assert '<html lang="fr"' in page
    assert "Bases des réseaux" in page
    assert "Sur quel port TCP" in page
    assert re.search(r'<div lang="en"><p dir="auto">22 is the registered port', page)
    page = await reader.open("/quiz/networks?lang=sn")
    assert "Nheyo dzenetiweki" in page
    assert '<div class="ask" id="ask-1" lang="en"' in page


async def test_the_browsers_language_counts_where_none_was_chosen(reader):
    page = await reader.open("/quiz/networks", **{"Accept-Language": "de;q=0.9, fr-CA"})
    assert "Sur quel port TCP" in page
    page = await reader.open("/quiz/networks", **{"Accept-Language": "de"})
    assert "Which TCP port" in page


async def test_a_language_is_kept_from_question_to_question(reader):
    page = await reader.open("/quiz/networks?lang=fr&q=1&done=1b")
    assert "lang=fr&amp;q=2&amp;done=1b" in page
    assert "lang=sn&amp;q=1&amp;done=1b" in page


async def test_right_to_left_text_is_marked_as_such(reader):
    page = await reader.open("/quiz/shabakat")
    assert 'lang="ar" dir="rtl"' in page
    assert '<h1 lang="ar" dir="auto">أساسيات الشبكات</h1>' in page


async def test_text_that_looks_like_markup_stays_text(reader):
    page = await reader.open("/quiz/networks?q=2&done=1a")
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


async def test_an_unknown_quiz_is_not_found_and_the_nearest_is_offered(reader):
    page = await reader.open("/quiz/netwroks")
    assert reader.status == 404
    assert 'href="/quiz/networks"' in page
    page = await reader.open("/quiz/%3Cscript%3Ealert(1)%3C%2Fscript%3E")
    assert reader.status == 404
    assert "<script>alert" not in page
    assert "I know no quiz" in page


@pytest.mark.parametrize("unseen", ["%E2%80%8B", "%E2%80%AE", "%20"])
async def test_a_page_of_a_quiz_that_nobody_sees_says_where_the_list_is(reader, unseen: str):
    page = await reader.open(f"/quiz/{unseen}")
    assert reader.status == 404
    assert "Which quiz? Choose one from the list." in words_of(page)
    assert 'href="/quiz/"' in page


@pytest.mark.parametrize(
    "query",
    ["q=0", "q=999999999", "q=-1", "q=²", "q=٣", "done=zzz", "done=99z1z0a1", "lang=%00", "all=2",
     "done=" + "1a" * 1000, "lang=" + "x" * 500],
)  # fmt: skip
async def test_an_address_that_makes_no_sense_still_shows_the_quiz(reader, query):
    assert "Network basics" in await reader.open(f"/quiz/networks?{query}")
    assert reader.status == 200


@pytest.mark.parametrize(("question", "option"), [(0, "a"), (9, "a"), (1, "z"), (1, "")])
async def test_an_answer_that_is_none_changes_nothing(reader, question, option):
    await reader.answer("/quiz/networks?lang=en", question, option)
    assert reader.status == 200
    assert "done" not in reader.address


@pytest.mark.parametrize("name", ["net", "NETWORKS", "Network%20basics", "bases-des-reseaux"])
async def test_any_name_of_a_quiz_leads_to_its_page(reader, name):
    page = await reader.open(f"/quiz/{name}?lang=fr&q=2")
    assert (reader.status, reader.address) == (200, "/quiz/networks?lang=fr&q=2")
    assert "Bases des réseaux" in page


async def test_a_single_suggestion_is_named_in_the_sentence(reader):
    page = await reader.open("/quiz/netwroks?lang=en")
    assert "I know no quiz “netwroks”. Did you mean Network basics?" in words_of(page)


async def test_a_long_name_that_nobody_knows_is_not_said_back_whole(reader):
    page = await reader.open("/quiz/" + "x" * 2000 + "?lang=en")
    assert reader.status == 404
    assert "x" * 100 not in page


async def test_a_tag_leads_to_the_quizzes_that_have_it():
    tagged = [replace(q, tags=("ports",)) for q in PORTS.questions]
    async with pages_of(replace(PORTS, questions=tuple(tagged))) as reader:
        page = await reader.open("/quiz/ports?lang=en")
    assert reader.status == 404
    assert 'href="/quiz/doors"' in page


PORTS = Bank(
    "doors",
    "en",
    {"en": BankText("All `doors`", "With `code` in it.", "How *doors* open")},
    tuple(
        Question("q", "en", ("a", "b"), frozenset("a"), {"en": text})
        for text in [QuestionText("Which?", {"a": "x", "b": "y"})]
    ),
)


async def test_a_guide_without_an_address_is_named_and_no_link():
    async with pages_of(PORTS) as reader:
        page = await reader.open("/quiz/doors?lang=en")
    assert "Related guide: How *doors* open" in words_of(page)
    assert "<a" not in page.split("Related guide")[1].split("</p>")[0]


async def test_a_title_is_plain_text_and_a_description_is_not():
    async with pages_of(PORTS) as reader:
        for path in ("/quiz/doors?lang=en", "/quiz/?lang=en"):
            page = words_of(await reader.open(path))
            assert "All `doors`" in page
            assert "With code in it." in page


async def test_what_stands_around_a_quiz_is_in_the_readers_language(reader):
    page = words_of(await reader.open("/quiz/networks?lang=fr&q=1&done=1c"))
    assert "Source\u00a0: RFC 4253 (2006)" in page
    assert "Guide associé\u00a0: How names are found" in page


TURNED = "\u202eTurned\u2067 \u2069\u2069"


async def test_no_text_of_a_bank_turns_the_pages_own_words():
    texts = {"en": QuestionText(TURNED, {"a": TURNED, "b": "\u202by\u202c"}, TURNED)}
    only = Question("q", "en", ("a", "b"), frozenset("a"), texts)
    bank = Bank("net", "en", {"en": BankText(TURNED, TURNED, TURNED)}, (only,), level="beginner")
    async with pages_of(bank) as reader:
        for path in ("/quiz/net?done=1a", "/quiz/net?done=1a&q=2", "/quiz/", "/quiz/x%E2%80%AEy"):
            page = await reader.open(path)
            assert "\u202e" not in page
            assert page.count("\u2067") == page.count("\u2069")
            assert page.count("\u202b") == page.count("\u202c")
        verdict = (await reader.open("/quiz/net?lang=en&done=1a")).split("Right: ")[1]
        assert verdict.startswith('A · <span lang="en" dir="auto">')


async def test_the_list_names_every_quiz_with_its_languages(reader):
    page = await reader.open("/quiz/")
    assert page.count('class="card"') == 2
    assert "2 questions · beginner · English, Français, chiShona" in page


@pytest.fixture
def pictured(tmp_path: Path) -> Library:
    folder = tmp_path / "net"
    (folder / "images").mkdir(parents=True)
    (folder / "images" / "ssh.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (folder / "images" / "other.png").write_bytes(b"x")
    (folder / "bank.yaml").write_text("correct: b")
    (tmp_path / "secret.png").write_bytes(b"secret")
    (folder / "images" / "way-out.png").symlink_to(tmp_path / "secret.png")
    texts = {"en": QuestionText("Which?", {"a": "x", "b": "y"}, alt="A door")}
    images = ("images/ssh.png", "images/way-out.png", "../secret.png", "bank.yaml", "gone.png")
    questions = tuple(
        Question(f"q{n}", "en", ("a", "b"), frozenset("a"), texts, image=image)
        for n, image in enumerate(images)
    )
    bank = Bank("net", "en", {"en": BankText("Net")}, questions, folder=str(folder))
    return Library([bank])


async def test_only_the_pictures_that_questions_name_are_served(pictured):
    room = OpenRoom(StandIn(), pictured, StandingClock())
    await room.start()
    reader = f"http://127.0.0.1:{room.port}/picture/net/"
    try:
        async with ClientSession() as session:
            for file, status in (
                ("images/ssh.png", 200),
                ("images/other.png", 404),
                ("images/way-out.png", 404),
                ("..%2Fsecret.png", 404),
                ("bank.yaml", 404),
                ("gone.png", 404),
            ):
                async with session.get(reader + file) as answer:
                    assert (file, answer.status) == (file, status)
            async with session.get(reader.replace("picture/net/", "quiz/net?lang=en")) as page:
                assert '<img class="picture" src="/picture/net/images/ssh.png"' in await page.text()
    finally:
        await room.stop()


def test_a_picture_has_an_address_by_its_path_and_no_other_file_has(pictured):
    [bank] = pictured.banks
    address = Pictures(pictured).address
    assert address(f"{bank.folder}/images/ssh.png") == "/picture/net/images/ssh.png"
    assert address("/etc/passwd") is None


async def test_what_todays_quiz_asks_is_read_here_and_not_told() -> None:
    bank = next(bank for bank in banks().banks if bank.questions[0].id == "ssh")
    app = StandIn(daily=frozenset({(bank.key, "ssh")}))
    async with open_room(app, StandingClock()) as room, ClientSession() as session:
        reader = Reader(session, f"http://127.0.0.1:{room.port}")
        page = await reader.answer(f"/quiz/{bank.id}", 1, "b")
        page = await reader.open(f"/quiz/{bank.id}?done=1b&q=1")
        assert "Today’s quiz asks this." in words_of(page)
        assert "22 is the registered port" not in page
        assert 'name="option"' not in page
        app.daily = frozenset()
        page = await reader.open(f"/quiz/{bank.id}?done=1b&q=1")
        assert "22 is the registered port" in words_of(page)
