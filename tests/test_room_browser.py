"""The room in a real browser, as people use it: with a mouse, a keyboard, a bad connection."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
import pytest_asyncio
from browsers import launched
from playwright.async_api import Browser, Page, expect
from room_stand_in import (
    NOON,
    OpenRoom,
    StandIn,
    StandingClock,
    change,
    form,
    open_room,
    publish,
    question,
    reveal,
    say,
    verdict,
)

from bot import messages as m

# One browser for all: to start one takes longer than most of these tests.
pytestmark = pytest.mark.asyncio(loop_scope="module")

expect.set_options(timeout=10_000)

EVIL = "<img src=x onerror=\"document.title='owned'\">"


@pytest.fixture
def app() -> StandIn:
    return StandIn()


@pytest.fixture
def clock() -> StandingClock:
    return StandingClock()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser(chromium: str) -> AsyncIterator[Browser]:
    async with launched(chromium) as browser:
        yield browser


@pytest_asyncio.fixture(loop_scope="module")
async def room(app: StandIn, clock: StandingClock) -> AsyncIterator[OpenRoom]:
    async with open_room(app, clock) as room:
        yield room


@pytest_asyncio.fixture(loop_scope="module")
async def page(browser: Browser, room: OpenRoom) -> AsyncIterator[Page]:
    """A tab with storage of its own; nothing may fail in its script."""
    context = await browser.new_context(locale="en-GB", viewport={"width": 360, "height": 740})
    page = await context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    yield page
    await context.close()
    assert faults == []


async def enter(page: Page, room: OpenRoom, name: str = "Tariro") -> None:
    await page.goto(f"http://127.0.0.1:{room.port}/")
    await page.get_by_label("Name", exact=True).fill(name)
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("button", name=f"You are {name}")).to_be_visible()


async def wide(page: Page) -> bool:
    return bool(
        await page.evaluate("document.documentElement.scrollWidth > document.body.clientWidth")
    )


async def test_one_answers_by_a_press_and_reads_the_verdict_alone(page, room, app, browser):
    app.answer = lambda click: verdict()
    await publish(room, app, question(labels=False))
    await enter(page, room)
    other = await (await browser.new_context()).new_page()
    await enter(other, room, "Inès")
    await page.get_by_role("button", name="A: 21").click()
    mine = page.locator(".message.private")
    await expect(mine).to_contain_text("Only you see this")
    await expect(mine).to_contain_text("Not this time: you chose A")
    await expect(page.locator(".pressed-note")).to_have_text("You pressed A")
    await expect(page.get_by_role("button", name="A: 21")).to_have_attribute("aria-pressed", "true")
    await expect(page.locator("#announcer")).to_contain_text("Not this time: you chose A")
    await expect(other.locator(".message.private")).to_have_count(0)
    await expect(other.locator(".pressed-note")).to_have_count(0)
    assert not await wide(page)
    await page.get_by_role("button", name="Dismiss").click()
    await expect(mine).to_have_count(0)


@pytest.mark.parametrize(
    ("locale", "name"), [("fr-FR", "Nom"), ("sn-ZW", "Zita"), ("en-GB", "Name")]
)
async def test_what_a_reply_is_headed_by_stays_on_a_narrow_screen(room, browser, locale, name):
    context = await browser.new_context(locale=locale, viewport={"width": 320, "height": 740})
    page = await context.new_page()
    await page.goto(f"http://127.0.0.1:{room.port}/")
    await page.get_by_label(name, exact=True).fill("Inès")
    await page.keyboard.press("Enter")
    line = page.locator("#line")
    await line.fill("/leaderboard")
    await line.press("Enter")
    head = page.locator(".message.private .stamp")
    await expect(head.locator(".said")).to_have_text("/leaderboard")
    card = await page.locator(".message.private").bounding_box()
    for part in (".only", ".said", "time", ".dismiss"):
        box = await head.locator(part).bounding_box()
        assert box["width"] > 20, part
        assert box["x"] + box["width"] <= card["x"] + card["width"], part
    await context.close()


async def test_when_a_message_came_stands_on_none_of_its_words(page, room, app):
    await page.clock.set_fixed_time(NOON + timedelta(days=2))
    await publish(room, app, say("Yesterday 71% were right of all the people who took part in it"))
    await enter(page, room)
    card = page.locator(".message.public")
    await expect(card.locator("time")).to_contain_text("/")
    assert await card.evaluate("""card => {
        const stamp = card.querySelector("time").getBoundingClientRect();
        const words = document.createRange();
        words.selectNodeContents(card.querySelector(".content").firstElementChild);
        return [...words.getClientRects()].every(
            line => line.right <= stamp.left || line.top >= stamp.bottom
        );
    }""")


async def test_the_keyboard_alone_is_enough(page, room, app):
    await publish(room, app, question(1))
    await publish(room, app, question(2), "n2")
    await enter(page, room)
    await page.get_by_label("Write a command").focus()
    await page.keyboard.type("abc")
    assert app.clicks == []
    await page.locator("#main").focus()
    await page.keyboard.press("Control+b")
    await page.keyboard.press("b")
    await expect(page.locator(".message.private")).to_contain_text("You pressed answer:2:B.")
    assert [click.token for click in app.clicks] == ["answer:2:B"]
    await page.locator(".message.public .answers button").first.focus()
    await page.keyboard.press("Enter")
    await expect(page.locator(".message.private")).to_have_count(2)
    assert app.clicks[-1].token == "answer:1:A"


async def test_who_has_just_typed_is_told_how_to_answer_by_a_key_and_can(page, room, app):
    await enter(page, room)
    line, hint = page.get_by_label("Write a command"), page.locator("#key-hint")
    await expect(hint).to_be_hidden()
    await line.press_sequentially("/quiz net")
    await line.press("Enter")
    await expect(page.locator(".message.private")).to_have_count(1)
    await publish(room, app, question())
    await expect(line).to_be_focused()
    await expect(hint).to_have_text("Press Escape, then a key from A to D to answer.")
    await expect(hint).to_be_visible()
    await expect(line).to_have_accessible_description(re.compile("Press Escape"))
    await expect(page.locator("#announcer")).to_contain_text("Press Escape, then a key")
    await page.keyboard.press("Escape")
    await expect(page.locator(".message.public")).to_be_focused()
    await expect(hint).to_have_text("Keys A to D answer too.")
    await page.keyboard.press("b")
    await expect(page.locator(".pressed-note")).to_have_text("You pressed B")
    await expect(hint).to_be_hidden()
    assert [click.token for click in app.clicks] == ["answer:1:B"]


async def test_escape_closes_the_suggestions_first_and_keeps_what_was_written(page, room, app):
    await publish(room, app, question())
    await enter(page, room)
    line = page.get_by_role("combobox", name="Write a command")
    await line.press_sequentially("/q")
    await expect(page.get_by_role("listbox")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("listbox")).to_have_count(0)
    await expect(line).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(page.locator(".message.public")).to_be_focused()
    await expect(line).to_have_value("/q")


async def test_the_letter_keys_can_be_switched_off(page, room, app):
    await publish(room, app, question())
    await enter(page, room)
    await page.get_by_role("button", name="You are Tariro").click()
    await page.get_by_label("Answer with the keys A to J").uncheck()
    await page.get_by_role("button", name="Close").click()
    await expect(page.locator("#key-hint")).to_be_hidden()
    await page.keyboard.press("b")
    await page.locator(".answers button").first.click()
    await expect(page.locator(".pressed-note")).to_have_text("You pressed A")
    assert len(app.clicks) == 1


async def test_commands_are_offered_while_one_types(page, room, app):
    await enter(page, room)
    line = page.get_by_role("combobox", name="Write a command")
    await line.press("/")
    options = page.get_by_role("listbox", name="Suggestions").get_by_role("option")
    await expect(options).to_have_count(5)
    await line.press("Escape")
    await expect(page.get_by_role("listbox")).to_have_count(0)
    await line.press("q")
    await line.press("ArrowDown")
    await expect(line).to_have_attribute("aria-activedescendant", "menu-0")
    await line.press("Tab")
    await expect(line).to_have_value("/quiz ")
    await line.press_sequentially("pipe")
    await expect(options).to_have_count(1)
    await options.first.click()
    await expect(line).to_have_value("/quiz pipeline-parallelism")
    await line.press("Enter")
    await expect(page.locator(".message.private")).to_contain_text("/quiz pipeline-parallelism")
    await expect(line).to_have_value("")
    assert app.lines[0].text == "/quiz pipeline-parallelism"


async def test_an_empty_line_is_told_in_words(page, room):
    await enter(page, room)
    await page.get_by_role("button", name="Send").click()
    await expect(page.get_by_role("alert").filter(has_text="Type a command first")).to_be_visible()


async def test_an_empty_room_offers_its_quizzes(page, room, app):
    await enter(page, room)
    await page.get_by_role("button", name="Network basics").click()
    await expect(page.locator(".message.private")).to_contain_text("Done: quiz")
    assert app.commands[0].options == {"topic": "networks"}


async def test_a_live_count_takes_no_focus_and_no_button_away(page, room, app):
    key = await publish(room, app, question(answered=1))
    await enter(page, room)
    button = page.locator(".answers button").nth(2)
    await button.focus()
    handle = await button.element_handle()
    for count in range(2, 6):
        await change(room, app, key, question(answered=count))
    await expect(page.locator(".message")).to_contain_text("5 answered")
    assert await page.evaluate("button => button === document.activeElement", handle)
    await change(room, app, key, reveal())
    await expect(page.locator(".message")).to_contain_text("Right: B")
    await expect(page.locator(".message")).to_be_focused()
    await expect(page.locator("#announcer")).to_contain_text(
        "The question is closed. Right: B · 22"
    )


async def test_a_new_question_is_announced_and_takes_no_focus(page, room, app):
    await enter(page, room)
    line = page.get_by_label("Write a command")
    await line.fill("half a sentence")
    await publish(room, app, question())
    await expect(page.locator("#announcer")).to_contain_text("New question: Network basics")
    await expect(page.locator("#announcer")).to_contain_text("Press Escape, then a key from A to D")
    await expect(line).to_be_focused()
    await expect(line).to_have_value("half a sentence")


async def test_the_countdown_runs_and_is_not_announced(page, room, app):
    await publish(room, app, question(until=NOON + timedelta(seconds=48)))
    await enter(page, room)
    time = page.locator(".message .small time")
    first = re.fullmatch(r"in (\d+) s", await time.inner_text())
    assert first is not None
    await expect(time).not_to_have_text(first[0])
    assert " s" not in await page.locator("#announcer").inner_text()


async def test_a_press_in_flight_survives_a_lost_connection_and_counts_once(page, room, app):
    app.gate = asyncio.Event()
    await publish(room, app, question())
    await enter(page, room)
    await page.keyboard.press("Escape")
    answer = page.locator(".answers button").first
    await answer.click()
    await expect(answer).to_have_attribute("aria-disabled", "true")
    for tab in tuple(room.channel._tabs):
        assert tab.socket._writer is not None
        tab.socket._writer.transport.abort()
    await expect(page.get_by_role("status")).to_contain_text("reconnecting")
    await publish(room, app, question(2), "n2")
    await expect(page.get_by_role("status")).to_be_empty()
    await expect(page.locator(".message.public")).to_have_count(2)
    app.gate.set()
    await expect(page.locator(".message.private")).to_have_count(1)
    await expect(answer).not_to_have_attribute("aria-disabled", "true")
    assert len(app.clicks) == 1


async def test_a_restart_is_told_and_nothing_is_lost_or_doubled(page, app, clock, room):
    await publish(room, app, question())
    await enter(page, room)
    await page.locator(".answers button").first.click()
    await expect(page.locator(".message.private")).to_have_count(1)
    await room.stop()
    await expect(page.get_by_role("status")).to_contain_text("quizbot has stopped")
    await page.locator(".answers button").nth(1).click()
    await expect(page.get_by_role("status")).to_contain_text("as soon as the connection is back")
    async with open_room(app, clock, port=room.port) as again:
        await expect(page.locator(".message.private")).to_have_count(2)
        await expect(page.get_by_role("status")).to_be_empty()
        await expect(page.locator(".message.public")).to_have_count(1)
        await publish(again, app, question(2), "n2")
        await expect(page.locator(".message.public")).to_have_count(2)
    assert [click.token for click in app.clicks] == ["answer:1:A", "answer:1:B"]


async def test_private_replies_stay_over_a_reload_and_are_each_persons_own(page, room, app):
    await publish(room, app, question())
    await enter(page, room)
    await page.locator(".answers button").first.click()
    await expect(page.locator(".message.private")).to_have_count(1)
    await page.reload()
    await expect(page.locator(".message.private")).to_contain_text("You pressed answer:1:A.")
    await page.get_by_role("button", name="You are Tariro").click()
    await page.get_by_role("button", name="Add a person").click()
    await page.get_by_label("Name", exact=True).fill("Inès")
    await page.keyboard.press("Enter")
    await expect(page.locator(".message.private")).to_have_count(0)
    await expect(page.locator(".pressed-note")).to_have_count(0)
    await page.locator(".answers button").nth(1).click()
    await expect(page.locator(".pressed-note")).to_have_text("You pressed B")
    await page.get_by_role("button", name="You are Inès").click()
    await page.get_by_role("button", name="Switch to Tariro").click()
    await expect(page.locator(".message.private")).to_contain_text("You pressed answer:1:A.")
    await expect(page.locator(".pressed-note")).to_have_text("You pressed A")
    assert len({click.who.id for click in app.clicks}) == 2


async def test_each_person_has_their_own_language(page, room, app):
    await enter(page, room)
    await page.get_by_label("Language").select_option("fr")
    await expect(page.locator("html")).to_have_attribute("lang", "fr")
    await page.locator("#who").click()
    await page.locator("#people .primary").click()
    await page.locator("#name").fill("Inès")
    await page.keyboard.press("Enter")
    await expect(page.locator("html")).to_have_attribute("lang", "en")
    await expect(page.get_by_label("Language")).to_have_value("en")


async def test_two_tabs_of_one_person_show_what_was_pressed_in_either(page, room, app):
    await publish(room, app, question())
    await enter(page, room)
    other = await page.context.new_page()
    await other.goto(page.url)
    await expect(other.get_by_role("button", name="You are Tariro")).to_be_visible()
    await page.locator(".answers button").first.click()
    await expect(page.locator(".pressed-note")).to_be_visible()
    await other.reload()
    await expect(other.locator(".pressed-note")).to_have_text("You pressed A")


async def test_a_verdict_takes_the_place_of_the_private_copy_that_was_pressed(page, room, app):
    copy = m.Message(question(2).blocks, question(2).controls, replaces=True)
    judged = m.Message(verdict().blocks, replaces=True)
    app.answer = lambda click: copy if click.token.startswith("language") else judged
    await publish(room, app, question(2))
    await enter(page, room)
    await page.get_by_role("button", name="Français · chiShona").click()
    mine = page.locator(".message.private")
    await mine.locator(".answers button").first.click()
    await expect(mine).to_contain_text("Not this time")
    await expect(mine).to_have_count(1)
    await expect(page.locator(".message.public .pressed-note")).to_have_text("You pressed A")


async def test_a_form_opens_in_a_dialog_with_its_errors_at_the_fields(page, room, app):
    app.answer = lambda click: form()
    wrong = form((("zone", "I do not know this time zone."),))
    replies = iter((wrong, say("Saved.")))
    app.on_form = lambda given: next(replies)
    await publish(room, app, question())
    await enter(page, room)
    await page.get_by_role("button", name="More").click()
    dialog = page.get_by_role("dialog", name="Settings")
    await dialog.get_by_role("combobox", name="Topic").fill("net")
    await dialog.get_by_role("option", name="Network basics").click()
    await expect(dialog.get_by_role("combobox", name="Topic")).to_have_value("networks")
    await dialog.get_by_role("button", name="Save").click()
    zone = dialog.get_by_label("Time zone")
    await expect(zone).to_be_focused()
    await expect(zone).to_have_accessible_description(re.compile("I do not know this time zone"))
    await zone.fill("Africa/Harare")
    await dialog.get_by_role("button", name="Save").click()
    await expect(dialog).to_be_hidden()
    await expect(page.locator(".message.private")).to_contain_text("Saved.")
    assert app.forms[-1].values["zone"] == "Africa/Harare"


async def test_suggestions_in_a_form_open_as_one_types_and_cover_no_button(page, room, app):
    zone = m.SearchField("zone", "Time zone", "topic", "", "For example Africa/Harare")
    app.answer = lambda click: m.Form("form:1", "Time zone", (zone,), "Save")
    await publish(room, app, question())
    await enter(page, room)
    await page.get_by_role("button", name="More").click()
    dialog = page.get_by_role("dialog", name="Time zone")
    field = dialog.get_by_role("combobox", name="Time zone")
    await expect(field).to_be_focused()
    await page.wait_for_timeout(300)
    await expect(dialog.get_by_role("listbox")).to_have_count(0)
    await field.press_sequentially("e")
    await expect(dialog.get_by_role("option")).to_have_count(2)
    listed = await dialog.get_by_role("listbox").bounding_box()
    for name in ("Save", "Cancel"):
        button = dialog.get_by_role("button", name=name)
        await button.click(trial=True)
        box = await button.bounding_box()
        assert listed is not None
        assert box is not None
        assert box["y"] >= listed["y"] + listed["height"]
    await dialog.get_by_role("button", name="Save").click()
    await expect(dialog).to_be_hidden()
    assert app.forms[0].values == {"zone": "e"}


@pytest.mark.parametrize("name", ["Tariro Moyo", "Inès"])
async def test_on_a_small_screen_a_name_is_whole_where_there_is_room(page, room, name):
    await enter(page, room, name)
    shown = page.locator("#who bdi")
    assert await shown.evaluate("e => e.scrollWidth <= e.clientWidth")
    assert not await wide(page)


async def test_what_runs_off_the_edge_of_a_small_screen_fades(page, room):
    await enter(page, room)
    chips = page.locator("#chips")
    assert await chips.evaluate("e => e.scrollWidth > e.clientWidth")
    assert "gradient" in await chips.evaluate("e => getComputedStyle(e).maskImage")
    await page.get_by_role("button", name="Help").click()
    await expect(page.locator(".message.private")).to_contain_text("Done: help")
    line = page.get_by_label("Write a command")
    assert await line.evaluate("e => getComputedStyle(e).textOverflow") == "ellipsis"


@pytest.mark.parametrize("name", ["\u2800\u3164", "\u200b", "\u2068…\u2069"])
async def test_a_name_needs_something_that_can_be_seen(page, room, name):
    await page.goto(f"http://127.0.0.1:{room.port}/")
    await page.get_by_label("Name", exact=True).fill(name)
    await page.keyboard.press("Enter")
    told = "A name needs a letter, a number or a symbol that can be seen."
    await expect(page.locator("#name-wrong")).to_have_text(told)
    await page.get_by_label("Name", exact=True).fill("\u202eTari\u2069ro")
    await page.keyboard.press("Enter")
    await expect(page.locator("#who bdi")).to_have_text("Tariro")


async def test_a_name_that_was_taken_before_and_cannot_be_seen_is_told_of(page, room):
    await page.goto(f"http://127.0.0.1:{room.port}/")
    await page.evaluate(
        """localStorage.setItem("quizbot.people", JSON.stringify(
            [{ secret: "0123456789abcdef0123456789abcdef", name: "\u2800" }]))"""
    )
    await page.reload()
    await expect(page.locator("#wrong")).to_contain_text("A name needs a letter")


async def test_nothing_that_people_or_banks_write_becomes_markup(page, room, app):
    app.on_line = lambda typed: say(typed.text, EVIL)
    await publish(room, app, question(text=EVIL, options=(EVIL, "b"), labels=True))
    await enter(page, room, EVIL[:40])
    await page.get_by_label("Write a command").fill(EVIL)
    await page.keyboard.press("Enter")
    await expect(page.locator(".message.private")).to_contain_text(EVIL)
    await page.locator("#who").click()
    await expect(page.locator("img")).to_have_count(0)
    assert await page.title() == "Quiz room · quizbot"
    assert not await wide(page)


async def test_right_to_left_text_stands_on_the_right(page, room, app):
    asked = question(text="ما هو المنفذ؟", options=("المنفذ 21", "المنفذ 22"), language="ar")
    await publish(room, app, asked)
    await enter(page, room, "نور")
    stem = page.locator(".message .heading + p")
    assert await stem.evaluate("e => getComputedStyle(e).direction") == "rtl"
    option, letter = page.locator(".option").first, page.locator(".option .letter").first
    text = await option.locator(".body").bounding_box()
    box = await letter.bounding_box()
    assert text is not None
    assert box is not None
    assert box["x"] > text["x"]


async def test_an_option_may_be_pressed_in_the_text_too(page, room, app):
    await publish(room, app, question())
    await enter(page, room)
    await page.locator(".option").nth(1).click()
    await expect(page.locator(".pressed-note")).to_have_text("You pressed B")


async def test_controls_are_large_enough_for_a_finger_and_fit_the_screen(page, room, app):
    app.answer = lambda click: verdict()
    await publish(room, app, question(options=("a" * 60, "b", "c", "d"), labels=True))
    await enter(page, room)
    await page.locator(".answers button").last.click()
    await expect(page.locator(".message.private")).to_be_visible()
    for box in await page.evaluate(
        "[...document.querySelectorAll('button, select, input')].filter(e => e.offsetParent)"
        ".map(e => e.getBoundingClientRect()).map(r => [r.width, r.height])"
    ):
        assert min(box) >= 44
    assert not await wide(page)


async def test_without_the_script_the_quiz_pages_are_named(browser, room):
    context = await browser.new_context(java_script_enabled=False, locale="en-GB")
    page = await context.new_page()
    await page.goto(f"http://127.0.0.1:{room.port}/")
    await page.get_by_role("link", name="The quiz pages work without it.").click()
    await page.get_by_role("link", name="Network basics").click()
    await page.get_by_role("button", name="C 2222").click()
    await expect(page.locator("main")).to_contain_text("Not this time: right is B · 22")
    await page.get_by_role("link", name="Next question").click()
    await expect(page.locator("main")).to_contain_text("Question 2 of 2")


async def test_a_quiz_page_goes_on_without_reloading(page, room):
    await page.goto(f"http://127.0.0.1:{room.port}/quiz/networks?lang=en")
    await page.evaluate("window.stayed = true")
    await page.keyboard.press("b")
    await expect(page.locator(".verdict")).to_contain_text("Right: B · 22")
    await expect(page.locator(".verdict")).to_be_focused()
    await page.get_by_role("link", name="Next question").click()
    await expect(page.locator("main")).to_contain_text("Question 2 of 2")
    await page.get_by_role("button", name=re.compile("^A")).click()
    await page.get_by_role("link", name="See how it went").click()
    await expect(page.locator("main")).to_contain_text("2 of 2 right")
    assert await page.evaluate("window.stayed")
    assert not await wide(page)
    await page.go_back()
    await expect(page.locator(".verdict")).to_contain_text("Right: A")
