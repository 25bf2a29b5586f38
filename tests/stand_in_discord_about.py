"""What the stand-in Discord tells the bot about itself, its servers and its commands."""

from __future__ import annotations

from typing import Any

from stand_in_discord_command_rules import check_commands
from stand_in_discord_errors import missing_access, unknown
from stand_in_discord_guilds import Guild
from stand_in_discord_requests import Request
from stand_in_discord_world import World

Answer = tuple[int, Any]


def get_bot(world: World, request: Request) -> Answer:
    return 200, world.bot.payload() | {
        "mfa_enabled": False,
        "locale": "en-US",
        "verified": True,
        "email": None,
    }


def get_application(world: World, request: Request) -> Answer:
    return 200, {
        "id": str(world.application_id),
        "name": world.bot.name,
        "icon": None,
        "description": "",
        "type": None,
        "bot": world.bot.payload(),
        "bot_public": True,
        "bot_require_code_grant": False,
        "owner": world.owner.payload(),
        "team": None,
        "verify_key": "0" * 64,
        "flags": 0,
        "flags_new": "0",
        "redirect_uris": [],
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
        "approximate_guild_count": len(world.guilds),
        "approximate_user_install_count": sum(one.has_installed for one in world.people.values()),
        "approximate_user_authorization_count": 0,
        "explicit_content_filter": 0,
        "eligible_oauth2_scopes": [],
        "integration_types_config": {"0": {}, "1": {}},
    }


def get_gateway(world: World, request: Request) -> Answer:
    return 200, {"url": world.gateway_at}


def get_bot_gateway(world: World, request: Request) -> Answer:
    limit = {"total": 1000, "remaining": 999, "reset_after": 14400000, "max_concurrency": 1}
    return 200, {"url": world.gateway_at, "shards": world.shards, "session_start_limit": limit}


def list_my_guilds(world: World, request: Request) -> Answer:
    """The servers that the bot is in, by their age: a page of them."""
    most, after = int(request.query.get("limit", "200")), int(request.query.get("after", "0"))
    mine = [one for one in world.guilds.values() if one.has_bot and one.id > after]
    return 200, [_partial(one, request) for one in sorted(mine, key=lambda one: one.id)[:most]]


def get_guild(world: World, request: Request) -> Answer:
    guild = world.guilds.get(request.number("guild_id"))
    if guild is None:
        raise unknown("Guild")
    if not guild.has_bot:
        raise missing_access()
    return 200, guild.payload()


def get_guild_member(world: World, request: Request) -> Answer:
    guild = world.guilds.get(request.number("guild_id"))
    if guild is None:
        raise unknown("Guild")
    if not guild.has_bot:
        raise missing_access()
    member = guild.members.get(request.number("user_id"))
    if member is None:
        raise unknown("Member")
    return 200, member.payload()


def list_commands(world: World, request: Request) -> Answer:
    commands = world.commands.get(_whose(world, request), [])
    if request.query.get("with_localizations") in ("1", "true"):
        return 200, commands
    return 200, [_without_localizations(command) for command in commands]


def set_commands(world: World, request: Request) -> Answer:
    """Replace them all; one of the same name keeps its id."""
    guild_id = _whose(world, request)
    request.accept(check_commands(request.json))
    ids = {(one["type"], one["name"]): one["id"] for one in world.commands.get(guild_id, [])}
    commands = []
    for asked in request.json:
        kind = asked.get("type") or 1
        permissions = asked.get("default_member_permissions")
        command = {
            **{key: value for key, value in asked.items() if value is not None},
            "id": ids.get((kind, asked["name"])) or str(world.new_id()),
            "application_id": str(world.application_id),
            "version": str(world.new_id()),
            "type": kind,
            "description": asked.get("description") or "",
            "default_member_permissions": None if permissions is None else str(permissions),
            "integration_types": asked.get("integration_types") or [0],
            "contexts": asked.get("contexts"),
        }
        command.pop("dm_permission", None)
        if guild_id is not None:
            command["guild_id"] = str(guild_id)
        commands.append(command)
    world.commands[guild_id] = commands
    return 200, commands


def delete_command(world: World, request: Request) -> Answer:
    commands = world.commands.get(_whose(world, request), [])
    for command in commands:
        if command["id"] == request.names["command_id"]:
            commands.remove(command)
            return 204, None
    raise unknown("application command")


def _partial(guild: Guild, request: Request) -> dict[str, Any]:
    permissions = str(int(guild.permissions(guild.world.bot)))
    counts = {"approximate_member_count": len(guild.members), "approximate_presence_count": 0}
    return {
        "id": str(guild.id),
        "name": guild.name,
        "icon": None,
        "banner": None,
        "owner": False,
        "permissions": permissions,
        "features": [],
        **(counts if request.query.get("with_counts") in ("1", "true") else {}),
    }


def _whose(world: World, request: Request) -> int | None:
    """None for the commands of everywhere."""
    if request.number("application_id") != world.application_id:
        raise missing_access()
    if "guild_id" not in request.names:
        return None
    guild = world.guilds.get(request.number("guild_id"))
    if guild is None or not guild.has_bot:
        raise missing_access()
    return guild.id


def _without_localizations(part: Any) -> Any:
    if isinstance(part, list):
        return [_without_localizations(one) for one in part]
    if not isinstance(part, dict):
        return part
    kept = {key: value for key, value in part.items() if not key.endswith("_localizations")}
    return {key: _without_localizations(value) for key, value in kept.items()}
