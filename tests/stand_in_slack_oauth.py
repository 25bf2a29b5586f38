"""OAuth of the stand-in Slack: where somebody allows the app, and the exchange of codes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import yarl
from aiohttp import web
from stand_in_slack_api import Call, Method, Refused
from stand_in_slack_installations import CODE_LIVES, TOKEN_LIVES, Consent, Installation
from stand_in_slack_world import Json

if TYPE_CHECKING:
    from stand_in_slack_people import Person
    from stand_in_slack_workspaces import Enterprise
    from stand_in_slack_world import World


def allow(world: World, person: Person, asked: str, enterprise: Enterprise | None = None) -> str:
    """Somebody allows what an address of `/oauth/v2/authorize` asks; where their browser goes.

    The host of that address does not matter. With an `enterprise` it is for all of it.
    """
    query = yarl.URL(asked).query
    assert query["client_id"] == world.client_id, "another app's client id"
    scopes = set(query["scope"].replace(" ", ",").split(","))
    consent = Consent(person, enterprise, scopes, query.get("redirect_uri", ""), world.now())
    code = world.new_id("code-")
    world.consents[code] = consent
    return str(yarl.URL(consent.redirect_uri).update_query(code=code, state=query["state"]))


def refuse(asked: str) -> str:
    """Somebody presses Cancel there."""
    query = yarl.URL(asked).query
    back = yarl.URL(query["redirect_uri"])
    return str(back.update_query(error="access_denied", state=query["state"]))


async def page(http: web.Request) -> web.Response:
    """What a browser shows; a test goes on with `person.allows(url)`."""
    return web.Response(text=f"Allow {http.query.get('client_id')}?")


def access(call: Call) -> Json:
    world, args = call.world, call.args
    if args.get("client_id") != world.client_id:
        raise Refused("invalid_client_id")
    if args.get("client_secret") != world.client_secret:
        raise Refused("bad_client_secret")
    grant = args.get("grant_type", "authorization_code")
    if grant == "refresh_token":
        return _refresh(world, str(args.get("refresh_token")))
    if grant != "authorization_code":
        raise Refused("invalid_grant_type")
    consent = world.consents.get(str(args.get("code")))
    if consent is None or world.now() - consent.at >= CODE_LIVES:
        raise Refused("invalid_code")
    if consent.used:
        raise Refused("code_already_used")
    if args.get("redirect_uri", consent.redirect_uri) != consent.redirect_uri:
        raise Refused("bad_redirect_uri")
    consent.used = True
    return told(_install(world, consent), authed=consent.person)


def revoke(call: Call) -> Json:
    call.installation.end("token_revoked")
    return {"revoked": True}


def uninstall(call: Call) -> Json:
    call.installation.end("account_inactive")
    return {}


def told(installation: Installation, authed: Person | None = None) -> Json:
    """The answer of `oauth.v2.access`."""
    team, enterprise = installation.team, installation.enterprise
    answer: Json = {
        "access_token": installation.token,
        "token_type": "bot",
        "scope": ",".join(sorted(installation.scopes)),
        "bot_user_id": installation.bot_user_id,
        "app_id": installation.world.app_id,
        "team": {"id": team.id, "name": team.name} if team else None,
        "enterprise": {"id": enterprise.id, "name": enterprise.name} if enterprise else None,
        "is_enterprise_install": installation.is_org_wide,
    }
    if authed is not None:
        answer["authed_user"] = {"id": authed.id}
    if installation.refresh_token:
        answer["refresh_token"] = installation.refresh_token
        answer["expires_in"] = int(TOKEN_LIVES.total_seconds())
    return answer


def _install(world: World, consent: Consent) -> Installation:
    """Installing again gives new tokens to the same bot."""
    place = consent.enterprise or consent.person.workspace
    there = place.installation
    if there is not None and there.id == place.id:
        there.scopes |= consent.scopes
        there.installer = consent.person
        there.renew()
        return there
    return place.install(consent.person, consent.scopes)


def _refresh(world: World, refresh_token: str) -> Json:
    for installation in world.installations:
        if installation.refresh_token == refresh_token and not installation.revoked:
            installation.renew()
            return told(installation)
    raise Refused("invalid_refresh_token")


METHODS: dict[str, Method] = {
    "oauth.v2.access": access,
    "auth.revoke": revoke,
    "apps.uninstall": uninstall,
}
