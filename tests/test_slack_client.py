"""What is sent to Slack gets there, also from machines that reach it only through a proxy."""

from __future__ import annotations

import pytest
from stand_in_slack import StandInSlack
from stand_in_slack_response_urls import new_response_url

from adapters.clock import SystemClock
from adapters.slack.client import Client, Done, Lost


@pytest.mark.parametrize("has_proxy", [True, False])
async def test_a_verdict_goes_through_the_proxy_that_the_machine_has(
    has_proxy: bool, monkeypatch: pytest.MonkeyPatch
):
    for name in ("http_proxy", "HTTP_PROXY", "no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    async with StandInSlack() as slack:
        workspace = slack.workspace("Study group")
        ines, team = workspace.person("Inès"), workspace.channel("team")
        address = new_response_url(slack, ines, team, workspace)
        if has_proxy:
            # The stand-in takes what is sent to any host, as a proxy does.
            monkeypatch.setenv("http_proxy", slack.base)
        client = Client(_Hasty())
        told = await client.respond(
            address.url.replace(slack.base, "http://slack.invalid"),
            {"text": "Right", "response_type": "ephemeral"},
        )
        await client.close()
    assert isinstance(told, Done if has_proxy else Lost)
    assert [one.fallback for one in ines.received] == (["Right"] if has_proxy else [])


class _Hasty(SystemClock):
    """Pauses before something is sent again are no part of this."""

    async def wait(self, *_: object) -> None:
        return


@pytest.mark.parametrize(
    "word", ["fatal_error", "internal_error", "request_timeout", "service_unavailable"]
)
async def test_what_slack_did_in_trouble_of_its_own_may_have_been_done(word: str):
    async with StandInSlack() as slack:
        workspace = slack.workspace("Study group")
        body = {"channel": workspace.channel("team").id, "text": "Question 1"}
        client = Client(_Hasty())
        slack.fail_next("chat.postMessage", word)
        answer = await client.call("chat.postMessage", body, token=workspace.token)
        await client.close()
    assert answer == Lost(True, word)


async def test_what_could_not_even_be_sent_was_not_done():
    async with StandInSlack() as slack:
        client = Client(_Hasty())
    answer = await client.call("chat.postMessage", {"channel": "C1", "text": "?"}, token="xoxb-1")
    told = await client.respond(f"{slack.base}/respond", {"text": "Right"})
    await client.close()
    assert isinstance(answer, Lost)
    assert isinstance(told, Lost)
    assert not answer.sent
    assert not told.sent
