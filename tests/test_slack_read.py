"""Slack's payloads as calls: who, where, when, and whose installation it is."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from adapters.slack import read

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


def press(**more: Any) -> dict[str, Any]:
    body: dict[str, Any] = {
        "type": "block_actions",
        "team": {"id": "T1", "domain": "acme"},
        "enterprise": None,
        "user": {"id": "U1", "username": "ines", "name": "ines", "team_id": "T1"},
        "channel": {"id": "C1", "name": "team"},
        "container": {"type": "message", "message_ts": "1.2", "channel_id": "C1"},
        "message": {"ts": "1.2", "team": "T1"},
        "actions": [{"action_id": "a.1.b", "action_ts": "1796029200.250000"}],
        "trigger_id": "t",
        "response_url": "https://hooks.example/1",
    }
    return body | more


def test_a_person_is_known_by_their_own_team():
    assert read.who(press()).id == "T1:U1"


def test_a_guest_is_known_by_theirs_and_not_by_the_channels():
    guest = press(user={"id": "U9", "name": "kenji", "team_id": "T9"})
    assert read.who(guest).id == "T9:U9"


def test_the_installation_is_the_one_that_wrote_the_message():
    # In a shared channel, the team may be the one of who presses.
    body = press(team={"id": "T9"}, user={"id": "U9", "name": "kenji", "team_id": "T9"})
    assert next(iter(read.teams(body))) == "T1"


def test_on_grid_a_person_is_known_by_their_organisation_in_commands_and_presses():
    pressed = press(
        team={"id": "T1", "enterprise_id": "E1"}, enterprise={"id": "E1", "name": "Org"}
    )
    org_wide = press(team=None, enterprise={"id": "E1", "name": "Org"}, is_enterprise_install=True)
    command = {
        "command": "/quiz", "team_id": "T1", "enterprise_id": "E1", "user_id": "U1",
        "user_name": "ines", "channel_id": "C1", "channel_name": "team", "text": "",
    }  # fmt: skip
    assert {read.who(body).id for body in (pressed, org_wide, command)} == {"E1:U1"}


def test_the_installation_of_a_form_is_the_one_that_opened_it():
    body = press(type="view_submission", team={"id": "T9"}, message=None)
    body["view"] = {"type": "modal", "app_installed_team_id": "T1", "private_metadata": ""}
    assert next(iter(read.teams(body))) == "T1"


@pytest.mark.parametrize(
    ("said", "name", "kind"),
    [
        ({"id": "C1", "name": "team"}, "team", "channel"),
        ({"id": "G1", "name": "privategroup"}, "", "channel"),
        ({"id": "D1", "name": "directmessage"}, "", "direct"),
        ({"id": "C2", "name": "mpdm-ana--ben--cleo-1"}, "", "direct"),
    ],
)
def test_what_stands_for_a_name_is_no_name(said, name, kind):
    where = read.where(press(channel=said), "T1", "Acme")
    assert (where.place, where.place_name, where.kind) == (said["id"], name, kind)
    assert read.is_closed(press(channel=said)) is (name == "")


def test_an_instant_is_read_to_the_microsecond():
    pressed = read.action(press())
    assert read.made_at(pressed, NOW).microsecond == 250_000
    assert read.made_at(pressed, NOW).replace(microsecond=0) == NOW


@pytest.mark.parametrize("odd", ["", "soon", "1e9", None])
def test_an_instant_that_is_none_is_when_it_came(odd):
    assert read.made_at({"action_ts": odd}, NOW) == NOW


def test_a_thread_is_told_by_where_it_was_pressed():
    inside = {"type": "message", "message_ts": "5.6", "channel_id": "C1", "thread_ts": "1.2"}
    private = {**inside, "is_ephemeral": True}
    first = {"type": "message", "message_ts": "1.2", "channel_id": "C1", "thread_ts": "1.2"}
    assert read.reach(press(container=inside)).thread == "1.2"
    assert read.reach(press(container=private, message=None)).thread == "1.2"
    assert read.reach(press(container=first)).thread is None


def test_only_a_message_that_everybody_sees_is_learnt_from():
    private = {"type": "message", "message_ts": "5.6", "channel_id": "C1", "is_ephemeral": True}
    assert read.message_ts(press()) == "1.2"
    assert read.message_ts(press(container=private, message=None)) is None


def test_a_form_carries_where_it_was_opened_and_no_secret():
    reach = read.reach(press())
    body = {
        "type": "view_submission", "user": {"id": "U1", "team_id": "T1"}, "team": {"id": "T1"},
        "trigger_id": "t2", "view": {"type": "modal", "private_metadata": reach.carried()},
    }  # fmt: skip
    back = read.reach(body)
    assert (back.channel, back.response_url) == ("C1", "https://hooks.example/1")
    assert (back.user, back.trigger) == ("U1", "t2")


@pytest.mark.parametrize("odd", ["", "no json", "[1]", '"x"', "{"])
def test_what_a_form_does_not_carry_is_nothing(odd):
    body = {"type": "view_submission", "user": {"id": "U1"}, "view": {"private_metadata": odd}}
    assert read.reach(body).channel == ""


ODD: tuple[Any, ...] = (None, 7, True, "x", [], {}, [7], ["x"], {"id": 7}, "\ud83d", "\0")


def odd(body: Any) -> Iterator[Any]:
    """The payload with something else in the place of each thing in it."""
    keys = body.keys() if isinstance(body, dict) else range(len(body))
    for key in keys:
        inside = odd(body[key]) if isinstance(body[key], dict | list) else ()
        for other in (*ODD, *inside):
            changed = body.copy()
            changed[key] = other
            yield changed


SHARED = {"event_id": "E1", "authorizations": [{"team_id": "T1", "enterprise_id": None}]}
PAYLOADS = (
    press(view={"type": "home", "private_metadata": '{"channel": "C1"}'}),
    SHARED | {"type": "event_callback", "event": {"type": "app_home_opened", "user": "U1"}},
    {"command": "/quiz", "team_id": "T1", "user_id": "U1", "channel_id": "C1", "text": "a"},
    press(type="view_submission", view={"type": "modal", "private_metadata": "[1]"}),
)


@pytest.mark.parametrize("payload", PAYLOADS)
def test_payloads_of_any_shape_are_read_as_what_they_are(payload: dict[str, Any]) -> None:
    for body in odd(payload):
        pressed = read.action(body)
        words = [
            read.kind(body), read.key(body), *read.teams(body), read.who(body).id,
            read.who(body).name, read.where(body, "T1").place, read.token(pressed),
            *read.values(pressed), read.message_ts(body) or "", read.reach(body).carried(),
        ]  # fmt: skip
        assert read.made_at(pressed, NOW)
        # Half a sign, or none at all, is in no word: no database takes it.
        assert all("\0" not in word and word.encode() is not None for word in words)


def test_who_has_a_handle_of_nothing_that_is_seen_is_called_by_what_is() -> None:
    unseen = {"id": "U1", "username": "ines", "name": "\u200b\u2060", "team_id": "T1"}
    assert read.who(press(user=unseen)).name == "ines"
