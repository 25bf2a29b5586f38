"""What is kept of Slack is read with the key of the settings alone, and found as Slack means it."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from cryptography.fernet import Fernet
from hypothesis import given
from hypothesis import strategies as st
from slack_sdk.oauth.installation_store import Installation
from store_world import HandClock, opened

from adapters.slack.installations import STATE_LASTS, Installations, States
from adapters.slack.sealing import Seal, Unreadable
from bot.store.store import Store

pytest_plugins = ["store_databases"]

OLD, NEW = "the old passphrase", Fernet.generate_key().decode()


@given(st.text())
def test_what_is_sealed_is_read_again(text: str) -> None:
    seal = Seal(OLD)
    sealed = seal.close(text)
    assert seal.open(sealed) == text
    assert len(text) < 8 or text not in sealed


def test_a_new_key_before_the_old_one_reads_both_and_writes_the_new() -> None:
    sealed = Seal(OLD).close("token")
    both = Seal(f"{NEW} , {OLD}")
    assert both.open(sealed) == "token"
    assert not both.is_newest(sealed)
    assert Seal(NEW).open(both.close("token")) == "token"
    with pytest.raises(Unreadable):
        Seal(NEW).open(sealed)


@given(st.text())
def test_what_was_not_sealed_is_unreadable_and_says_nothing_of_itself(text: str) -> None:
    with pytest.raises(Unreadable) as caught:
        Seal(OLD).open(text)
    assert str(caught.value) == ""
    assert caught.value.__cause__ is None


@pytest.fixture(params=["sqlite_url", "emptied_url"])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[Store]:
    async with opened(request.getfixturevalue(request.param)) as store:
        yield store


def installed(
    token: str, *, user: str = "U1", team: str | None = "T1", **more: str
) -> Installation:
    return Installation(
        bot_token=token, user_id=user, team_id=team, enterprise_id=more.get("enterprise"),
        is_enterprise_install=team is None, bot_scopes="chat:write,commands",
    )  # fmt: skip


async def test_of_two_at_the_same_instant_the_later_one_is_found(store: Store) -> None:
    kept = Installations(store, Seal(OLD), "1.2", HandClock())
    for user, token in (("U1", "xoxb-1"), ("U2", "xoxb-2"), ("U1", "xoxb-3")):
        await kept.async_save(installed(token, user=user))
        found = await kept.async_find_installation(enterprise_id=None, team_id="T1")
        assert found is not None
        assert (found.bot_token, found.user_id) == (token, user)
    assert len(await kept.every()) == 1
    assert (
        await kept.async_find_installation(enterprise_id=None, team_id="T1", user_id="U2") is None
    )


async def test_a_workspace_and_its_organisation_are_two(store: Store) -> None:
    kept = Installations(store, Seal(OLD), "1.2", HandClock())
    await kept.async_save(installed("xoxb-team", enterprise="E1"))
    await kept.async_save(installed("xoxb-org", team=None, enterprise="E1"))

    async def token(enterprise: str | None, team: str | None, *, org_wide: bool) -> str | None:
        found = await kept.async_find_bot(
            enterprise_id=enterprise, team_id=team, is_enterprise_install=org_wide
        )
        return found.bot_token if found is not None else None

    assert await token("E1", "T1", org_wide=False) == "xoxb-team"
    # A workspace keeps its id when it comes to an organisation.
    assert await token(None, "T1", org_wide=False) == "xoxb-team"
    assert await token("E1", "T1", org_wide=True) == "xoxb-org"
    assert await token("E1", None, org_wide=True) == "xoxb-org"
    assert await token("E1", "T2", org_wide=False) is None
    assert await token("E2", None, org_wide=True) is None
    await kept.async_delete_all(enterprise_id="E1", team_id="T1")
    assert await token("E1", "T1", org_wide=False) is None
    assert await token("E1", None, org_wide=True) == "xoxb-org"


async def test_an_installation_comes_back_as_it_was_saved(store: Store) -> None:
    kept = Installations(store, Seal(OLD), "1.2", HandClock())
    was = installed("xoxb-1", enterprise="E1")
    was.bot_token_expires_at = 1_796_000_000
    await kept.async_save(was)
    bot = await kept.async_find_bot(enterprise_id="E1", team_id="T1")
    assert bot is not None
    await kept.async_save_bot(bot)
    found = await kept.async_find_installation(enterprise_id="E1", team_id="T1")
    assert found is not None
    assert found.to_dict() == was.to_dict()


async def test_no_installation_belongs_to_nobody(store: Store) -> None:
    kept = Installations(store, Seal(OLD), "1.2", HandClock())
    with pytest.raises(ValueError, match="belongs to a workspace"):
        await kept.async_save(installed("xoxb-1", team=None))


async def test_a_state_comes_back_to_any_process_that_has_the_key_within_its_time(
    store: Store,
) -> None:
    clock = HandClock()
    states, seal = States(store, Seal(OLD), clock), Seal(f"{NEW},{OLD}")
    first, second = await states.async_issue(), await states.async_issue()
    assert first != second
    assert re.fullmatch(r"[\w-]{80,160}", first)
    clock.time += STATE_LASTS - timedelta(seconds=1)
    assert await States(store, seal, clock).async_consume(first)
    clock.time += timedelta(seconds=1)
    assert not await states.async_consume(first)


async def test_nothing_else_is_taken_for_a_state(store: Store) -> None:
    clock = HandClock()
    states = States(store, Seal(OLD), clock)
    issued = await states.async_issue()
    of_another_key = await States(store, Seal(NEW), clock).async_issue()
    cut, sealed = issued[:-1], Seal(OLD).close("an installation")
    for given_ in ("", "forged", "é", issued.swapcase(), cut, f"{issued}A", of_another_key, sealed):
        assert not await states.async_consume(given_), given_
