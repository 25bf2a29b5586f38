"""The room over real sockets: what a tab is told, who may come in, and what does no harm."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest
from aiohttp import (
    ClientSession,
    ClientWebSocketResponse,
    TCPConnector,
    WSMsgType,
    WSServerHandshakeError,
)
from aiohttp.test_utils import make_mocked_request
from room_stand_in import (
    HERE,
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
)

from adapters.local import room_gate
from adapters.local.room_frames import LARGEST, message_id
from adapters.local.room_gate import Codes
from adapters.local.room_tab import MOST_REFUSED, WAITING
from adapters.server import PortTaken
from bot.ports import Later, Posted, Target
from bot.store.addresses import StoreUnavailable

TARIRO = "tariro-secret-0123456789abcdef"
INES = "ines-secret-00123456789abcdef"


class Tab:
    """A browser's tab, as far as the server can see it."""

    def __init__(self, socket: ClientWebSocketResponse) -> None:
        self.socket = socket
        self.count = 0

    async def send(self, do: str, **data: object) -> str:
        self.count += 1
        request = str(data.pop("id", f"r{self.count}"))
        await self.socket.send_str(json.dumps({"id": request, "do": do, **data}))
        return request

    async def hear(self, wanted: str | None = None) -> dict[str, object]:
        """The next frame, or the next of a kind."""
        while True:
            frame: dict[str, object] = json.loads(await self.socket.receive_str(timeout=5))
            if wanted in (None, frame["is"]):
                return frame

    async def ask(self, do: str, **data: object) -> dict[str, object]:
        """Send a request and hear the answer to it."""
        request = await self.send(do, **data)
        while True:
            frame = await self.hear()
            if frame.get("id") == request:
                return frame

    async def sit(
        self, secret: str | None = TARIRO, name: str = "Tariro", locale: str = "en"
    ) -> dict[str, object]:
        return await self.ask("hello", person=secret, name=name, locale=locale)


@asynccontextmanager
async def tab_of(
    room: OpenRoom, secret: str | None = TARIRO, name: str = "Tariro", locale: str = "en"
) -> AsyncIterator[Tab]:
    async with ClientSession() as session:
        origin = f"http://127.0.0.1:{room.port}"
        async with session.ws_connect(
            f"{origin}/room/socket", origin=origin, max_msg_size=0
        ) as socket:
            tab = Tab(socket)
            await tab.sit(secret, name, locale)
            yield tab


@pytest.fixture
def app() -> StandIn:
    return StandIn()


@pytest.fixture
def clock() -> StandingClock:
    return StandingClock()


@pytest.fixture
async def room(app: StandIn, clock: StandingClock) -> AsyncIterator[OpenRoom]:
    async with open_room(app, clock) as room:
        yield room


# --- the channel -------------------------------------------------------------------------------


async def test_a_post_and_its_edit_reach_every_open_tab(room, app):
    async with tab_of(room) as one, tab_of(room, INES, "Inès") as other:
        key = await publish(room, app, question())
        await change(room, app, key, reveal())
        for tab in (one, other):
            post, edit = await tab.hear("post"), await tab.hear("edit")
            assert post["key"] == edit["key"] == key
            assert "SSH" in str(post["html"])
            assert "Right: B" in str(edit["html"])


async def test_the_same_nonce_is_one_message_with_one_instant(room, clock):
    first = await room.channel.post(HERE, question(), nonce="n", silent=True)
    clock.move(5)
    again = await room.channel.post(HERE, question(), nonce="n", silent=True)
    assert first == again == Posted(message_id("n"), NOON)


async def test_a_tab_that_opens_later_sees_what_stands_in_the_channel_now(room, app):
    key = await publish(room, app, question())
    await change(room, app, key, reveal())
    async with tab_of(room) as tab:
        posts: list[dict[str, str]] = (await tab.sit())["posts"]  # type: ignore[assignment]
        assert [post["key"] for post in posts] == [key]
        assert "Right: B" in posts[0]["html"]


async def test_a_post_that_the_outbox_has_not_noted_yet_is_shown_and_not_twice(room, app):
    posted = await room.channel.post(HERE, question(), nonce="n1", silent=True)
    async with tab_of(room) as tab:
        assert [post["key"] for post in (await tab.sit())["posts"]] == [posted.message]  # type: ignore[attr-defined]
        await publish(room, app, question(), "n1")
        assert len((await tab.sit())["posts"]) == 1  # type: ignore[arg-type]


async def test_earlier_messages_come_when_they_are_asked_for(room, app, clock):
    for number in range(60):
        clock.move(1)
        await publish(room, app, say(f"message {number}"), f"n{number}")
    async with tab_of(room) as tab:
        welcome = await tab.sit()
        posts: list[dict[str, object]] = welcome["posts"]  # type: ignore[assignment]
        assert len(posts) == 50
        assert welcome["more"] is True
        earlier = await tab.ask("earlier", before=posts[0]["row"])
        assert len(earlier["posts"]) == 10  # type: ignore[arg-type]
        assert earlier["more"] is False


async def test_a_private_delivery_reaches_only_its_person_and_waits_while_they_are_away(room):
    async with tab_of(room) as tariro, tab_of(room, INES, "Inès") as ines:
        me = (await tariro.sit())["me"]
        target = Target("room", "room", person=str(me))
        await room.channel.post(target, say("For Tariro"), nonce="p", silent=True)
        assert "For Tariro" in str((await tariro.hear("private"))["html"])
        assert (await ines.ask("ping"))["is"] == "pong"
    away = Target("room", "room", person="nobody")
    assert isinstance(await room.channel.post(away, say("x"), nonce="q", silent=True), Later)


# --- requests ----------------------------------------------------------------------------------


async def test_a_press_is_answered_privately(room, app):
    key = await publish(room, app, question())
    async with tab_of(room) as tariro, tab_of(room, INES, "Inès") as ines:
        reply = await tariro.ask("press", token="answer:1:A", at=None, message=key)
        assert "You pressed answer:1:A." in str(reply["html"])
        assert (await ines.ask("ping"))["is"] == "pong"
    [click] = app.clicks
    assert (click.message, click.on_private, click.who.name) == (key, False, "Tariro")
    assert click.who.organiser
    assert TARIRO not in click.who.id


async def test_a_press_on_a_private_message_says_so(room, app):
    async with tab_of(room) as tab:
        await tab.ask("press", token="t", message="p-1", values=["sn"])
    [click] = app.clicks
    assert (click.message, click.on_private, click.values) == (None, True, ("sn",))


@pytest.mark.parametrize(
    ("claim", "taken"), [(-3.0, -3.0), (-9.5, -9.5), (-11, 0), (+5, 0), (None, 0)]
)
async def test_the_instant_of_a_press_is_believed_for_ten_seconds_and_never_the_future(
    room, app, claim, taken
):
    at = None if claim is None else (NOON.timestamp() + claim) * 1000
    async with tab_of(room) as tab:
        await tab.ask("press", token="t", at=at)
    [click] = app.clicks
    assert click.made_at == NOON + timedelta(seconds=taken)
    assert click.received_at == NOON


async def test_a_request_that_is_sent_again_after_a_reconnect_is_done_once(room, app, clock):
    app.gate = asyncio.Event()
    async with tab_of(room) as first:
        await first.send("press", id="same", token="answer:1:A", at=NOON.timestamp() * 1000)
        await first.send("line", id="too", text="/quiz net")
        await app.asked.wait()
    clock.move(30)
    async with tab_of(room) as second:
        await second.send("press", id="same", token="answer:1:A", at=NOON.timestamp() * 1000)
        await second.send("line", id="too", text="/quiz net")
        app.gate.set()
        replies = {(await second.hear("reply"))["id"] for _ in range(2)}
        again = await second.ask("press", id="same", token="answer:1:A")
    assert replies == {"same", "too"}
    assert again["is"] == "reply"
    assert len(app.clicks) == len(app.lines) == 1
    assert app.clicks[0].made_at == NOON


async def test_the_same_request_id_of_two_people_are_two_requests(room, app):
    async with tab_of(room) as tariro, tab_of(room, INES, "Inès") as ines:
        await tariro.ask("press", id="same", token="a")
        await ines.ask("press", id="same", token="b")
    assert [click.token for click in app.clicks] == ["a", "b"]


async def test_a_form_is_filled_in_and_comes_back_with_its_errors(room, app):
    app.answer = lambda click: form()
    app.on_form = lambda given: form((("zone", "I do not know this zone."),))
    async with tab_of(room) as tab:
        opened = await tab.ask("press", token="settings")
        assert opened["is"] == "form"
        assert '<option value="' in str(opened["html"])
        again = await tab.ask("fill", token="form:1", values={"zone": "Mars"})
    assert "I do not know this zone." in str(again["html"])
    assert app.forms[0].values == {"zone": "Mars"}


async def test_suggestions_come_while_one_types(room):
    async with tab_of(room) as tab:
        found = await tab.ask("suggest", source="topic", text="pipe")
    assert [choice["value"] for choice in found["choices"]] == ["pipeline-parallelism"]  # type: ignore[attr-defined]


async def test_a_chosen_language_changes_every_tab_of_that_person(room):
    async with tab_of(room) as one, tab_of(room) as two, tab_of(room, INES, "Inès") as ines:
        await one.ask("ask", name="language", options={"language": "fr"})
        for tab in (one, two):
            speech = await tab.hear("speech")
            assert (speech["language"], speech["voice"]) == ("fr", "fr")
        assert (await ines.ask("ping"))["is"] == "pong"


async def test_who_reads_a_language_that_the_room_does_not_speak_gets_its_words_in_english(room):
    async with tab_of(room) as tab:
        welcome = await tab.sit(locale="ar-EG")
    assert (welcome["language"], welcome["voice"], welcome["dir"]) == ("ar", "en", "ltr")


async def test_a_failure_of_the_core_is_told_and_can_be_tried_again(room, app, caplog):
    def broken(click: object) -> None:
        raise ValueError("bug")

    app.answer = broken
    async with tab_of(room) as tab:
        reply = await tab.ask("press", id="x", token="t")
        assert reply["text"] == "Something went wrong on my side; please try again."
        app.answer = lambda click: say("Fine")
        assert (await tab.ask("press", id="x", token="t"))["is"] == "reply"
    assert "a request of the room failed" in caplog.text


@pytest.mark.parametrize("name", ["", "\u2800", "\u200b\u202e", "…"])
async def test_a_name_that_nobody_can_see_is_told_in_a_sentence_and_seats_nobody(room, app, name):
    async with tab_of(room) as tab:
        told = await tab.sit(name=name)
        assert told["text"] == "A name needs a letter, a number or a symbol that can be seen."
        assert (await tab.hear("welcome"))["me"] is None
        refused = await tab.ask("press", token="t")
        assert refused["text"] == "Say first what the others should call you."
        assert (await tab.sit())["me"] is not None
    assert app.clicks == []


@pytest.mark.parametrize("broken", ["posts", "language_of", "suggest"])
async def test_a_tab_that_cannot_be_answered_is_closed_so_that_its_page_connects_anew(
    room, app, caplog, monkeypatch, broken
):
    async def away(*_: object, **__: object) -> None:
        raise StoreUnavailable("The database is away.")

    async with tab_of(room) as tab, tab_of(room, INES, "Inès") as other:
        monkeypatch.setattr(app, broken, away)
        if broken == "suggest":
            await tab.send("suggest", source="topic", text="x")
        else:
            await tab.send("hello", person=TARIRO, name="Tariro", locale="en")
        closed = await tab.socket.receive(timeout=5)
        assert (closed.type, closed.data) == (WSMsgType.CLOSE, 1013)
        assert (await other.ask("ping"))["is"] == "pong"
    [line] = [record for record in caplog.records if record.name == "adapters.local.room_channel"]
    assert "The database is away." in line.getMessage()
    assert line.exc_info is None


async def test_a_tab_that_cannot_be_shown_the_room_again_is_closed_too(
    room, app, caplog, monkeypatch
):
    async def away(*_: object, **__: object) -> None:
        raise StoreUnavailable("The database is away.")

    async with tab_of(room) as tab:
        monkeypatch.setattr(app, "posts", away)
        for _ in range(WAITING + 1):  # with no turn of the loop in between, its queue is full
            for open_tab in room.channel._tabs:
                open_tab.offer("{}")
        closed = await tab.socket.receive(timeout=5)
        while closed.type is WSMsgType.TEXT:
            closed = await tab.socket.receive(timeout=5)
        assert (closed.type, closed.data) == (WSMsgType.CLOSE, 1013)
    assert "could not be shown" in caplog.text


async def test_who_has_no_name_yet_looks_on_and_changes_nothing(room, app):
    await publish(room, app, question())
    async with tab_of(room, None) as tab:
        assert len((await tab.sit(None))["posts"]) == 1  # type: ignore[arg-type]
        refused = await tab.ask("press", token="t")
    assert refused["text"] == "Say first what the others should call you."
    assert app.clicks == []


# --- hostile and slow --------------------------------------------------------------------------


async def test_frames_that_cannot_be_read_get_one_sentence_and_the_tab_lives_on(room):
    async with tab_of(room) as tab:
        for raw in ("{", "[]", '{"id":"x","do":"drop table"}', "[" * 60_000, "\x00"):
            await tab.socket.send_str(raw)
            assert (await tab.hear())["text"] == "This page sent something that cannot be read."
        await tab.socket.send_bytes(b"\x80\xff")
        assert (await tab.hear())["is"] == "error"
        assert (await tab.ask("ping"))["is"] == "pong"


async def test_an_oversized_frame_closes_its_socket_and_no_other(room):
    async with tab_of(room) as good, tab_of(room, INES, "Inès") as bad:
        await bad.socket.send_str("x" * (LARGEST + 1))
        closed = await bad.socket.receive(timeout=5)
        assert closed.type in (WSMsgType.CLOSE, WSMsgType.CLOSED)
        assert bad.socket.close_code == 1009
        assert (await good.ask("ping"))["is"] == "pong"


async def test_a_flood_is_slowed_down_and_nothing_of_it_lost(room, app):
    async with tab_of(room) as tab:
        for number in range(60):
            await tab.send("press", id=f"f{number}", token=str(number))
        frames = [await tab.hear() for _ in range(60)]
    slowed = [frame for frame in frames if frame["is"] == "error"]
    assert slowed
    assert all(frame["again"] for frame in slowed)
    assert len(app.clicks) + len(slowed) == 60


async def test_a_flood_that_does_not_end_closes_its_own_socket(room):
    async with tab_of(room) as good, tab_of(room, INES, "Inès") as bad:
        for number in range(MOST_REFUSED + 100):
            await bad.send("ping", id=f"f{number}")
        while (heard := await bad.socket.receive(timeout=5)).type is WSMsgType.TEXT:
            pass
        assert heard.data == 1008
        assert (await good.ask("ping"))["is"] == "pong"


async def test_an_answer_that_is_under_way_is_told_before_the_room_stops(app, clock):
    app.gate = asyncio.Event()
    async with open_room(app, clock) as room:
        async with tab_of(room) as tab:
            await tab.send("line", text="/quiz net")
            await app.asked.wait()
            stopping = asyncio.create_task(room.stop())
            await asyncio.sleep(0.01)
            app.gate.set()
            assert (await tab.hear())["is"] == "reply"
            assert (await tab.socket.receive(timeout=5)).data == 1001
        await stopping


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("multipart/form-data", b"x"),
        ("multipart/form-data; boundary=x", b"--y\r\n\r\n"),
        ("application/x-www-form-urlencoded; charset=none-such", b"question=1"),
        ("application/x-www-form-urlencoded", b"question=%ff&option=%00"),
        ("application/x-www-form-urlencoded", b"a=" * 40_000),
        ("text/plain", b"question=1"),
    ],
)
@pytest.mark.parametrize("path", ["/quiz/networks", "/join"])
async def test_a_body_that_is_no_form_is_refused_or_ignored(room, kind, body, path):
    async with ClientSession() as session:
        url = f"http://127.0.0.1:{room.port}{path}"
        async with session.post(url, data=body, headers={"Content-Type": kind}) as answer:
            assert answer.status in (200, 400, 403, 413)


async def test_a_tab_that_does_not_read_keeps_nobody_waiting_and_catches_up(room, app):
    async with tab_of(room) as quick, tab_of(room, INES, "Inès") as slow:
        big = say("x" * 20_000)
        for number in range(WAITING * 3):
            await room.channel.post(HERE, big, nonce=f"b{number}", silent=True)
            if number % 20 == 19:
                assert (await quick.ask("ping"))["is"] == "pong"
        await publish(room, app, question(), "last")
        while (await slow.hear())["is"] != "welcome":
            pass
        assert (await slow.ask("ping"))["is"] == "pong"


async def test_the_room_says_goodbye_when_it_stops(app, clock):
    async with open_room(app, clock) as room:
        async with tab_of(room) as tab:
            stopping = asyncio.create_task(room.stop())
            closed = await tab.socket.receive(timeout=5)
            assert closed.type is WSMsgType.CLOSE
            assert closed.data == 1001
        await stopping


async def test_a_taken_port_is_told_in_one_sentence(room, app, clock):
    other = OpenRoom(app, room._pages._library, clock, port=room.port)
    with pytest.raises(PortTaken) as told:
        await other.start()
    assert str(told.value) == (
        f"Port {room.port} is in use: stop what uses it, or set QUIZBOT_PORT to another."
    )


# --- the door ----------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", ""])
async def test_a_page_that_points_its_own_name_here_is_refused(room, host):
    async with ClientSession() as session:
        for path in ("/", "/quiz/networks", "/static/room.js", "/room/socket", "/join"):
            url = f"http://127.0.0.1:{room.port}{path}"
            async with session.get(url, headers={"Host": host}) as answer:
                assert answer.status == 421


@pytest.mark.parametrize("host", ["localhost:1", "127.0.0.1", "[::1]:9", "LOCALHOST"])
async def test_every_name_of_this_machine_is_taken_through_any_tunnel(room, host):
    async with ClientSession() as session:
        url = f"http://127.0.0.1:{room.port}/"
        async with session.get(url, headers={"Host": host}) as answer:
            assert answer.status == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", None, "http://127.0.0.1:1"])
async def test_another_sites_page_gets_no_socket(room, origin):
    async with ClientSession() as session:
        url = f"http://127.0.0.1:{room.port}/room/socket"
        with pytest.raises(WSServerHandshakeError) as refused:
            await session.ws_connect(url, origin=origin)
        assert refused.value.status == 403


async def test_another_sites_form_is_refused(room):
    async with ClientSession() as session:
        url = f"http://127.0.0.1:{room.port}/quiz/networks"
        headers = {"Origin": "http://evil.example"}
        async with session.post(url, data={"question": "1"}, headers=headers) as answer:
            assert answer.status == 403


async def test_pages_allow_no_script_but_their_own(room):
    async with ClientSession() as session:
        for path in ("/", "/quiz/", "/quiz/networks", "/quiz/unknown", "/static/room.js"):
            async with session.get(f"http://127.0.0.1:{room.port}{path}") as answer:
                policy = answer.headers["Content-Security-Policy"]
                text = await answer.text()
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert answer.headers["Referrer-Policy"] == "same-origin"
            assert " style=" not in text or path.endswith(".js")
            assert " onclick=" not in text


async def test_files_outside_the_static_folder_have_no_address(room):
    async with ClientSession() as session:
        for name in ("..%2froom.py", "%2e%2e/room.py", "nothing.js", "..%5croom.py"):
            async with session.get(f"http://127.0.0.1:{room.port}/static/{name}") as answer:
                assert answer.status == 404


@pytest.mark.parametrize(
    ("host", "told"),
    [
        ("192.0.2.7", "quizbot cannot listen on 192.0.2.7: this machine has no such address;"),
        ("2001:db8::7", "quizbot cannot listen on 2001:db8::7: this machine has no such address;"),
    ],
)
async def test_an_address_that_is_none_of_this_machine_is_told_plainly(app, clock, host, told):
    with pytest.raises(PortTaken) as refused:
        async with open_room(app, clock, host=host):
            pass
    assert str(refused.value).startswith(told)
    assert "(" not in str(refused.value)


CODES = Codes("JOINCODE22", "ORGANISE22")


async def test_others_machines_need_the_join_code_and_only_the_organisers_code_makes_organisers(
    app, clock
):
    async with open_room(app, clock, host="0.0.0.0", codes=CODES) as room:
        url = f"http://127.0.0.1:{room.port}"
        for code, organiser in (("joincode-22", False), ("organise22", True)):
            async with ClientSession() as session:
                # The cookie jar takes none for addresses without a name by default.
                async with session.get(f"{url}/", headers={"Accept": "text/html"}) as asked:
                    assert asked.url.path == "/join"
                with pytest.raises(WSServerHandshakeError):
                    await session.ws_connect(f"{url}/room/socket", origin=url)
                async with session.post(
                    f"{url}/join", data={"code": code}, allow_redirects=False
                ) as joined:
                    assert joined.status == 303
                    cookie = joined.headers["Set-Cookie"]
                assert "HttpOnly" in cookie
                assert "SameSite=Strict" in cookie
                assert CODES.join not in cookie
                headers = {"Cookie": cookie.split(";")[0]}
                async with session.ws_connect(
                    f"{url}/room/socket", origin=url, headers=headers
                ) as socket:
                    tab = Tab(socket)
                    await tab.sit()
                    await tab.ask("line", id=code, text="/settings")
                    assert app.lines[-1].who.organiser is organiser


def from_(address: str) -> ClientSession:
    """Whoever sits at this address of the machine."""
    return ClientSession(connector=TCPConnector(local_addr=(address, 0)))


async def test_wrong_codes_are_told_and_soon_none_from_there_is_looked_at(app, clock):
    async with open_room(app, clock, host="0.0.0.0", codes=CODES) as room:
        url = f"http://127.0.0.1:{room.port}/join"
        async with ClientSession() as session, from_("127.0.0.2") as neighbour:
            for _ in range(20):
                async with session.post(url, data={"code": "WRONG"}) as wrong:
                    assert wrong.status in (403, 429)
            async with session.post(url, data={"code": CODES.join}) as tired:
                assert tired.status == 429
            async with neighbour.post(
                url, data={"code": CODES.join}, allow_redirects=False
            ) as joined:
                assert joined.status == 303
            clock.move(301)
            async with session.post(
                url, data={"code": CODES.join}, allow_redirects=False
            ) as joined:
                assert joined.status == 303


async def test_guessing_from_many_addresses_has_an_end_and_locks_out_no_newcomer(
    app, clock, monkeypatch
):
    monkeypatch.setattr("adapters.local.room_gate._WRONG_CODES_OF_ALL", 6)
    async with open_room(app, clock, host="0.0.0.0", codes=CODES) as room:
        url = f"http://127.0.0.1:{room.port}/join"

        async def join(address: str, code: str) -> int:
            async with (
                from_(address) as session,
                session.post(url, data={"code": code}, allow_redirects=False) as answer,
            ):
                return answer.status

        guessers = [f"127.0.1.{number}" for number in range(1, 7)]
        assert [await join(each, "WRONG") for each in guessers[:5]] == [403] * 5
        assert await join(guessers[5], "WRONG") == 429
        assert await join(guessers[0], CODES.join) == 429
        assert await join("127.0.2.1", CODES.join) == 303
        assert await join("127.0.2.2", "WRONG") == 429


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8::1", "2001:db8::2:1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("192.0.2.1", "192.0.2.2", False),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
    ],
)
def test_addresses_that_one_person_has_are_counted_as_one(one, other, same):
    def network(address: str) -> str:
        return room_gate._network(make_mocked_request("POST", "/join").clone(remote=address))

    assert (network(one) == network(other)) is same


def test_codes_are_not_in_what_is_logged():
    assert CODES.join not in repr(CODES)
    assert Codes().join != Codes().join
