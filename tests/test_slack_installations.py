"""Slack for several workspaces: who installs quizbot, what is kept of it, and when it is gone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from command_line import own_logging
from slack_installing import KEY, Installing, installing

from adapters.logs import start_logging
from adapters.slack.read import PLATFORM
from adapters.slack.trouble import WrongSecretKey
from bot.store import installations
from bot.store.installations import Kept


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Installing]:
    async with installing(tmp_path) as stage:
        yield stage


# --- installing ------------------------------------------------------------------------------


async def test_the_page_says_what_is_asked_for_and_why(stage: Installing) -> None:
    page = await stage.browser().opens("/slack/install")
    assert "What Slack will ask you to allow" in page.words
    assert "a command, /quiz, by which everything begins" in page.words
    assert "I read no messages" in page.words
    assert page.link.startswith("https://slack.com/oauth/v2/authorize?")
    assert page.headers["X-Frame-Options"] == "DENY"
    assert page.headers["Cache-Control"] == "no-store"
    french = await stage.browser(**{"Accept-Language": "fr-CA, en;q=0.5"}).opens("/slack/install")
    assert "Ajouter quizbot" in french.words
    assert 'lang="fr"' in french.text


@pytest.mark.parametrize("sockets", [True, False])
async def test_who_installs_it_can_play_at_once(tmp_path: Path, sockets: bool) -> None:
    async with installing(tmp_path, sockets=sockets) as stage:
        there = stage.world.workspace("Study group", installed=False)
        team, ana = there.channel("team"), there.person("Ana")
        team.members.add(ana)
        page = await stage.browser().installs(ana)
        assert page.status == 200
        assert "quizbot is in Study group" in page.words
        await stage.plays(ana, team)
        assert "SSH" in team.last.text


async def test_who_installed_it_is_greeted_once_where_only_they_read_it(stage: Installing) -> None:
    there = stage.world.workspace("Study group", installed=False)
    ana = there.person("Ana", locale="fr-FR")
    await stage.browser().installs(ana)
    await stage.settle()
    (welcome,) = ana.dm.messages
    assert "J’anime des quiz ici" in welcome.text
    assert "Données conservées" in welcome.labels
    seen = await ana.presses(welcome, "Données conservées")
    assert seen.failed is None
    await stage.browser().installs(ana)
    await stage.settle()
    assert len(ana.dm.messages) == 1


async def test_who_cannot_be_written_to_is_greeted_with_their_first_reply(
    stage: Installing,
) -> None:
    there = stage.world.workspace("Study group", installed=False)
    ana = there.person("Ana")
    there.general.members.add(ana)
    stage.world.fail_next("conversations.open", "user_disabled")
    await stage.browser().installs(ana)
    await stage.settle()
    assert ana.dm.messages == []
    seen = await ana.types("/quiz help")
    assert any("I run quizzes here" in one.text for one in seen.private)


async def test_who_installed_it_may_change_the_settings_and_others_may_not(
    stage: Installing,
) -> None:
    there = stage.world.workspace("Study group", installed=False)
    ana, ben = there.person("Ana"), there.person("Ben")
    there.general.members |= {ana, ben}
    await stage.browser().installs(ana)
    told = await ana.types("/quiz settings")
    assert "Time zone" in told.private[-1].text
    told = await ben.types("/quiz settings")
    assert "Time zone" not in told.private[-1].text


async def test_who_the_bot_is_is_asked_once_and_not_at_each_press(stage: Installing) -> None:
    there = stage.world.workspace("Study group", installed=False)
    ana = there.person("Ana")
    there.general.members.add(ana)
    await stage.browser().installs(ana)
    for _ in range(5):
        await ana.types("/quiz help")
    assert len(stage.world.called("auth.test")) == 1


async def test_each_workspace_hears_with_its_own_token(stage: Installing) -> None:
    first, second = (stage.world.workspace(name, installed=False) for name in ("One", "Two"))
    ana, ben = first.person("Ana"), second.person("Ben")
    first.general.members.add(ana)
    second.general.members.add(ben)
    await asyncio.gather(stage.browser().installs(ana), stage.browser().installs(ben))
    await stage.plays(ana)
    await stage.plays(ben)
    posted = stage.world.called("chat.postMessage")
    by_channel = {str(call.args["channel"]): call.token for call in posted}
    assert by_channel[first.general.id] == first.token
    assert by_channel[second.general.id] == second.token
    assert len(first.general.messages) == len(second.general.messages) == 1


async def test_two_people_who_install_at_once_leave_one_installation(stage: Installing) -> None:
    there = stage.world.workspace("Study group", installed=False)
    ana, ben = there.person("Ana"), there.person("Ben")
    there.general.members |= {ana, ben}
    pages = await asyncio.gather(stage.browser().installs(ana), stage.browser().installs(ben))
    assert [page.status for page in pages] == [200, 200]
    rows = await _rows(stage)
    assert len(rows) == 1
    await stage.restart()
    await stage.plays(ana)
    assert len(there.general.messages) == 1


async def test_an_organisation_installs_it_for_all_its_workspaces(stage: Installing) -> None:
    org = stage.world.enterprise("Org")
    one = stage.world.workspace("One", enterprise=org, installed=False)
    two = stage.world.workspace("Two", enterprise=org, installed=False)
    ana, ben = one.person("Ana"), two.person("Ben")
    one.general.members.add(ana)
    two.general.members.add(ben)
    page = await stage.browser().installs(ana, org)
    assert "quizbot is in Org" in page.words
    await stage.plays(ana)
    await stage.plays(ben)
    assert len(one.general.messages) == len(two.general.messages) == 1
    (row,) = await _rows(stage)
    assert (row.ids.enterprise, row.ids.team, row.ids.is_org_wide) == (org.id, "", True)


# --- who comes back with what ------------------------------------------------------------------


async def test_a_state_of_another_browser_installs_nothing(stage: Installing) -> None:
    ana = stage.world.workspace("Study group", installed=False).person("Ana")
    hers, theirs = stage.browser(), stage.browser()
    await theirs.goes_to_slack()
    page = await theirs.comes_back(ana.allows(await hers.goes_to_slack()))
    assert page.status == 400
    assert "in the same browser" in page.words
    assert await _rows(stage) == []


async def test_a_forged_state_installs_nothing_also_with_its_cookie(stage: Installing) -> None:
    ana = stage.world.workspace("Study group", installed=False).person("Ana")
    browser = stage.browser()
    back = ana.allows(await browser.goes_to_slack())
    code = back.partition("code=")[2].partition("&")[0]
    browser.cookie = "slack-app-oauth-state=forged"
    page = await browser.comes_back(f"?code={code}&state=forged")
    assert page.status == 401
    assert "works once, for ten minutes" in page.words
    assert await _rows(stage) == []


async def test_the_way_back_works_once(stage: Installing) -> None:
    ana = stage.world.workspace("Study group", installed=False).person("Ana")
    browser = stage.browser()
    back = ana.allows(await browser.goes_to_slack())
    cookie = browser.cookie
    assert (await browser.comes_back(back)).status == 200
    assert browser.cookie == ""
    browser.cookie = cookie
    assert (await browser.comes_back(back)).status == 401


async def test_however_often_the_page_is_opened_nothing_is_stored_and_who_began_before_comes_back(
    stage: Installing,
) -> None:
    ana = stage.world.workspace("Study group", installed=False).person("Ana")
    browser = stage.browser()
    asked, before = await browser.goes_to_slack(), stage.kept()
    for _ in range(10):
        pages = await asyncio.gather(*(stage.browser().opens("/slack/install") for _ in range(20)))
        assert {page.status for page in pages} == {200}
    assert stage.kept() == before
    assert (await browser.comes_back(ana.allows(asked))).status == 200


async def test_two_ways_back_at_the_same_instant_are_one(stage: Installing) -> None:
    ana = stage.world.workspace("Study group", installed=False).person("Ana")
    browser, twin = stage.browser(), stage.browser()
    back = ana.allows(await browser.goes_to_slack())
    twin.cookie = browser.cookie
    pages = await asyncio.gather(browser.comes_back(back), twin.comes_back(back))
    assert sorted(page.status for page in pages) == [200, 401]


async def test_a_code_is_not_taken_a_second_time(stage: Installing) -> None:
    ana = stage.world.workspace("Study group", installed=False).person("Ana")
    browser = stage.browser()
    back = ana.allows(await browser.goes_to_slack())
    code = back.partition("code=")[2].partition("&")[0]
    await browser.comes_back(back)
    again = await browser.goes_to_slack()
    state = again.partition("state=")[2].partition("&")[0]
    page = await browser.comes_back(f"?code={code}&state={state}")
    assert page.status == 401
    assert "Slack did not confirm it" in page.words


@pytest.mark.parametrize(("minutes", "status"), [(9, 200), (10, 401)])
async def test_the_way_back_lasts_ten_minutes(stage: Installing, minutes: int, status: int) -> None:
    ana = stage.world.workspace("Study group", installed=False).person("Ana")
    browser = stage.browser()
    asked = await browser.goes_to_slack()
    await stage.move(minutes / 60)
    assert (await browser.comes_back(ana.allows(asked))).status == status


async def test_who_cancels_is_told_that_nothing_has_changed(stage: Installing) -> None:
    ana = stage.world.workspace("Study group", installed=False).person("Ana")
    browser = stage.browser()
    asked = await browser.goes_to_slack()
    state = asked.partition("state=")[2].partition("&")[0]
    page = await browser.comes_back(f"?error=access_denied&state={state}")
    assert (page.status, ana.dm.messages) == (200, [])
    assert "You chose Cancel in Slack" in page.words
    assert page.link == "/slack/install"


@pytest.mark.parametrize(
    "back",
    ["", "?code=", "?state=x", "?code=x&state=", "?error=%3Cscript%3Ealert(1)%3C/script%3E",
     "?error=" + "x" * 5000, "?code=%00&state=%00", "?state=" + "%F0%9F%92%A9" * 500],
)  # fmt: skip
async def test_whatever_comes_back_is_answered_in_words(stage: Installing, back: str) -> None:
    page = await stage.browser().comes_back(back)
    assert page.status in (200, 400, 401)
    assert "Nothing was installed" in page.words
    assert "<script" not in page.text
    assert len(page.text) < 6_000


async def test_nothing_that_the_page_is_given_gets_into_the_way_to_slack(
    stage: Installing,
) -> None:
    page = await stage.browser().opens("/slack/install?team=T1%26scope%3Dadmin")
    assert "scope=admin" not in page.link
    page = await stage.browser().opens("/slack/install?team=T00000001")
    assert page.link.endswith("&team=T00000001")


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "a\u202eb\nc", "&lt;" * 99, "‮"])
async def test_a_workspace_may_be_called_anything(stage: Installing, name: str) -> None:
    there = stage.world.workspace(name, installed=False)
    ana = there.person("Ana")
    there.general.members.add(ana)
    page = await stage.browser().installs(ana)
    assert page.status == 200
    assert "<script" not in page.text
    assert "\u202e" not in page.text
    await stage.plays(ana)
    assert len(there.general.messages) == 1


async def test_while_the_database_is_away_the_page_says_to_come_again(
    stage: Installing, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = stage.world.workspace("Study group", installed=False).person("Ana")
    browser = stage.browser()
    back = ana.allows(await browser.goes_to_slack())
    await stage.up.parts.store.close()
    page = await browser.comes_back(back)
    assert page.status == 503
    assert "out of reach for the moment" in page.words


# --- what is kept ------------------------------------------------------------------------------


async def test_no_token_stands_in_the_database_or_in_the_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with own_logging():
        stage = Installing(tmp_path)
        stage.world.rotates = True
        start_logging("debug", "text", stage.settings().secrets)
        try:
            await stage.start()
            there = stage.world.workspace("Study group", installed=False)
            ana = there.person("Ana")
            there.general.members.add(ana)
            await stage.browser().installs(ana)
            await stage.plays(ana)
            installation = there.app
            first = (installation.token, installation.refresh_token or "")
            await stage.move(11)
            await ana.types("/quiz help")
            secrets = [*installation.tokens, *first, installation.refresh_token or ""]
            assert len(set(secrets)) == 4
            slack = stage.up.slack
            assert slack is not None
            shown = repr(await slack.workspaces.find([there.id]))
        finally:
            await stage.stop()
        logged = capsys.readouterr().err
    assert "oauth.v2.access" in logged
    for secret in (*secrets, KEY):
        assert secret.encode() not in stage.kept()
        assert secret not in logged + shown
    assert there.id.encode() in stage.kept()


async def test_a_new_key_takes_over_what_the_old_one_kept(stage: Installing) -> None:
    there = stage.world.workspace("Study group", installed=False)
    ana = there.person("Ana")
    there.general.members.add(ana)
    await stage.browser().installs(ana)
    await stage.restart(QUIZBOT_SECRET_KEY=f"another key of some length, {KEY}")
    await stage.restart(QUIZBOT_SECRET_KEY="another key of some length")
    await stage.plays(ana)
    assert len(there.general.messages) == 1


async def test_a_key_that_reads_nothing_is_told_at_the_start(stage: Installing) -> None:
    ana = stage.world.workspace("Study group", installed=False).person("Ana")
    await stage.browser().installs(ana)
    with pytest.raises(WrongSecretKey, match="reads none of the installations"):
        await stage.restart(QUIZBOT_SECRET_KEY="another key of some length")


async def test_what_another_app_left_is_not_used(stage: Installing) -> None:
    ana = stage.world.workspace("Study group", installed=False).person("Ana")
    await stage.browser().installs(ana)
    await stage.restart(SLACK_CLIENT_ID="9.9")
    slack = stage.up.slack
    assert slack is not None
    assert await slack.workspaces.find([ana.workspace.id]) is None
    await stage.restart()
    assert await stage.up.slack.workspaces.find([ana.workspace.id]) is not None  # type: ignore[union-attr]


# --- coming and going --------------------------------------------------------------------------


@pytest.mark.parametrize("deed", ["uninstall", "revoke"])
async def test_a_removed_app_is_noted_and_what_is_stored_stays_for_its_return(
    stage: Installing, deed: str
) -> None:
    there = stage.world.workspace("Study group", installed=False)
    ana = there.person("Ana")
    there.general.members.add(ana)
    await stage.browser().installs(ana)
    await stage.plays(ana)
    question = there.general.last
    await ana.presses(question, "A")
    getattr(there, deed)()
    await stage.settle()
    assert await stage.is_removed(there.id)
    slack = stage.up.slack
    assert slack is not None
    assert await slack.workspaces.find([there.id]) is None
    await stage.browser().installs(ana)
    await stage.settle()
    assert not await stage.is_removed(there.id)
    seen = await ana.types("/quiz answers")
    assert "SSH" in seen.private[-1].text


async def test_word_of_a_removal_that_comes_late_changes_nothing(stage: Installing) -> None:
    there = stage.world.workspace("Study group", installed=False)
    ana = there.person("Ana")
    there.general.members.add(ana)
    await stage.browser().installs(ana)
    there.event({"type": "app_uninstalled"})
    await stage.settle()
    assert not await stage.is_removed(there.id)
    await stage.plays(ana)
    assert len(there.general.messages) == 1


@pytest.mark.parametrize("error", ["token_revoked", "invalid_auth", "account_inactive"])
async def test_a_dead_token_is_found_by_its_use_and_told_once(
    stage: Installing, error: str, caplog: pytest.LogCaptureFixture
) -> None:
    there = stage.world.workspace("Study group", installed=False)
    ana = there.person("Ana")
    there.general.members.add(ana)
    await stage.browser().installs(ana)
    there.app.end(error)
    there.app.revoked = None  # it is heard of by its use alone
    stage.world.fail_next("chat.postMessage", error, times=9)
    stage.world.fail_next("auth.test", error, times=9)
    for _ in range(3):
        await ana.types("/quiz ports")
        await stage.settle()
    assert await stage.is_removed(there.id)
    told = [one for one in caplog.messages if "takes the token for Study group no more" in one]
    assert len(told) == 1


async def test_one_wrong_refusal_removes_nothing(stage: Installing) -> None:
    there = stage.world.workspace("Study group", installed=False)
    ana = there.person("Ana")
    there.general.members.add(ana)
    await stage.browser().installs(ana)
    stage.world.fail_next("users.info", "invalid_auth")
    await ana.types("/quiz help")
    await stage.settle()
    assert not await stage.is_removed(there.id)


async def _rows(stage: Installing) -> list[Kept]:
    return list(await stage.up.parts.store.read(lambda c: installations.every(c, PLATFORM)))
