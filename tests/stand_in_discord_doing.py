"""What a client makes of what a person does: the data of commands, selects and forms."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from stand_in_discord_channels import Channel
from stand_in_discord_component_rules import (
    CHECKBOX,
    CHECKBOXES,
    LABEL,
    RADIO,
    ROW,
    SELECT,
    SELECTS,
    TEXT,
    TEXT_INPUT,
)
from stand_in_discord_interactions import IN_SERVER, context
from stand_in_discord_permissions import EVERYTHING, Permission
from stand_in_discord_world import Role, User

if TYPE_CHECKING:
    from stand_in_discord_people import Person

SUBCOMMAND, GROUP, STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER = range(1, 11)
TYPES: dict[int, type | tuple[type, ...]] = {
    STRING: str,
    INTEGER: int,
    BOOLEAN: bool,
    USER: User,
    CHANNEL: Channel,
    ROLE: Role,
    MENTIONABLE: (User, Role),
    NUMBER: (int, float),
}

Data = dict[str, Any]


def command_data(
    person: Person, channel: Channel, line: str, given: dict[str, Any], *, focused: str = ""
) -> tuple[Data, dict[str, str]]:
    """The data of a command, and for whom the bot is installed that runs it.

    Names may be typed as the person's client shows them; what is sent has the default ones.
    """
    typed, *subcommands = line.removeprefix("/").split()
    command, owners = offered(person, channel, typed)
    resolved = Resolved(channel)
    data: Data = {"id": command["id"], "name": command["name"], "type": 1}
    if "guild_id" in command:
        data["guild_id"] = command["guild_id"]
    place, known = data, command.get("options") or []
    for subcommand in subcommands:
        option = _named(known, subcommand)
        inner: Data = {"name": subcommand, "type": option["type"]}
        place["options"] = [inner]
        place, known = inner, option.get("options") or []
    shown = {shown_name(option, person): option["name"] for option in known}
    given = {shown.get(name, name): value for name, value in given.items()}
    focused = shown.get(focused, focused)
    unknown = set(given) - set(shown.values())
    assert not unknown, f"/{line} has no option {unknown}"
    options = []
    for option in known:
        if option["name"] in given:
            is_focused = option["name"] == focused
            value = given[option["name"]]
            if not is_focused:
                _check_value(option, value)
            told = {"name": option["name"], "type": option["type"], "value": resolved.id(value)}
            options.append(told | ({"focused": True} if is_focused else {}))
        else:
            assert focused or not option.get("required"), f"/{line} requires {option['name']}"
    if options:
        place["options"] = options
    return data | resolved.payload(), owners


def offered(person: Person, channel: Channel, name: str) -> tuple[Data, dict[str, str]]:
    """The command that this person's client offers here by that name."""
    guild, world = channel.guild, person.world
    here = world.commands.get(guild.id, []) if guild else []
    found = [
        one
        for one in (*here, *world.commands[None])
        if name in (one["name"], shown_name(one, person))
    ]
    assert found, f"there is no command /{name}"
    command = found[0]
    where = context(channel)
    assert where in (command["contexts"] or (0, 1, 2)), f"/{name} is not offered there"
    owners: dict[str, str] = {}
    if 0 in command["integration_types"] and (guild.has_bot if guild else channel.is_with_bot):
        owners["0"] = str(guild.id) if guild else "0"
    if 1 in command["integration_types"] and person.has_installed:
        owners["1"] = str(person.id)
    assert owners, f"/{name} is installed neither there nor for {person.name}"
    permissions = channel.permissions(person)
    assert Permission.VIEW_CHANNEL in permissions, f"{person.name} does not see that channel"
    if where == IN_SERVER:
        needed = Permission(int(command["default_member_permissions"] or 0))
        may = Permission.USE_APPLICATION_COMMANDS in permissions and needed in permissions
        # A command whose default is no permission at all is only for administrators.
        if command["default_member_permissions"] == "0":
            may = permissions == EVERYTHING
        assert may, f"{person.name} may not use /{name} there"
    return command, owners


def shown_name(part: Data, person: Person) -> str:
    """The name of a command or option in the person's own locale."""
    return (part.get("name_localizations") or {}).get(person.locale) or str(part["name"])


def select_data(channel: Channel, component: Data, values: list[Any]) -> Data:
    resolved = Resolved(channel)
    return {
        "component_type": component["type"],
        "custom_id": component["custom_id"],
        "values": _chosen(component, values, resolved),
        **resolved.payload(),
    }


def modal_data(
    channel: Channel, custom_id: str, components: list[Data], values: dict[str, Any]
) -> Data:
    resolved, left = Resolved(channel), dict(values)
    numbers = itertools.count(1)
    told = []
    for component in components:
        outer: Data = {"type": component["type"], "id": next(numbers)}
        if component["type"] == LABEL:
            outer["component"] = _filled(component["component"], left, resolved, next(numbers))
        elif component["type"] == ROW:
            inner = component["components"]
            outer["components"] = [_filled(one, left, resolved, next(numbers)) for one in inner]
        else:
            assert component["type"] == TEXT
        told.append(outer)
    assert not left, f"the form has no {set(left)}"
    return {"custom_id": custom_id, "components": told, **resolved.payload()}


class Resolved:
    """The people, channels and roles that values stand for."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._parts: dict[str, Data] = {}

    def id(self, value: Any) -> Any:
        """A value as it is sent: of something resolved, its id."""
        guild = self._channel.guild
        if isinstance(value, User):
            self._add("users", value.id, value.payload())
            if guild and value.id in guild.members:
                member = guild.members[value.id].payload(self._channel.permissions(value))
                del member["user"], member["deaf"], member["mute"]
                self._add("members", value.id, member)
        elif isinstance(value, Channel):
            self._add("channels", value.id, value.short(value.world.bot))
        elif isinstance(value, Role):
            self._add("roles", value.id, value.payload(1))
        else:
            return value
        return str(value.id)

    def payload(self) -> Data:
        return {"resolved": self._parts} if self._parts else {}

    def _add(self, kind: str, id: int, payload: Data) -> None:
        self._parts.setdefault(kind, {})[str(id)] = payload


def _named(options: list[Data], name: str) -> Data:
    found = [one for one in options if one["name"] == name and one["type"] in (SUBCOMMAND, GROUP)]
    assert found, f"there is no subcommand {name}"
    return found[0]


def _check_value(option: Data, value: Any) -> None:
    name = option["name"]
    kind = TYPES[option["type"]]
    is_right = isinstance(value, kind) and (isinstance(value, bool) == (kind is bool))
    assert is_right, f"{name} takes {kind}, not {value!r}"
    choices = [one["value"] for one in option.get("choices") or ()]
    assert not choices or value in choices, f"{name} is one of {choices}"
    if isinstance(value, str):
        least, most = option.get("min_length") or 0, option.get("max_length") or 6000
        assert least <= len(value) <= most, f"{name} is too short or too long"
    elif isinstance(value, int | float):
        least, most = option.get("min_value"), option.get("max_value")
        assert least is None or least <= value, f"{name} is at least {least}"
        assert most is None or value <= most, f"{name} is at most {most}"
    elif isinstance(value, Channel) and option.get("channel_types"):
        assert value.kind in option["channel_types"], f"{name} takes no such channel"


def _chosen(component: Data, values: list[Any], resolved: Resolved) -> list[str]:
    least, most = component.get("min_values"), component.get("max_values")
    least, most = 1 if least is None else least, 1 if most is None else most
    assert least <= len(values) <= most, f"{least} to {most} can be chosen"
    if component["type"] in (SELECT, RADIO, CHECKBOXES):
        offered = [option["value"] for option in component["options"]]
        assert set(values) <= set(offered), f"{values} are not among {offered}"
    return [str(resolved.id(value)) for value in values]


def _filled(component: Data, left: dict[str, Any], resolved: Resolved, number: int) -> Data:
    """A field as it is sent: with the value given, else with what it came up with."""
    kind, custom_id = component["type"], component["custom_id"]
    told: Data = {"type": kind, "id": number, "custom_id": custom_id}
    defaults = [one["value"] for one in component.get("options") or () if one.get("default")]
    required = component.get("required") is not False
    if kind == TEXT_INPUT:
        text = left.pop(custom_id, component.get("value") or "")
        least, most = component.get("min_length") or 0, component.get("max_length") or 4000
        assert text or not required, f"{custom_id} must be filled in"
        assert not text or least <= len(text) <= most, f"{custom_id}: {least} to {most} signs"
        return told | {"value": text}
    if kind == CHECKBOX:
        return told | {"value": left.pop(custom_id, bool(component.get("default")))}
    values = left.pop(custom_id, defaults)
    if kind == RADIO:
        value = values[0] if isinstance(values, list) and values else values or None
        assert value or not required, f"{custom_id} must be filled in"
        return told | {"value": value}
    if kind in SELECTS and not values and "default_values" in component:
        return told | {"values": [one["id"] for one in component["default_values"]]}
    assert values or not required, f"{custom_id} must be filled in"
    if kind == CHECKBOXES:
        component = {"max_values": len(component["options"]), **component}
    return told | {"values": _chosen(component, values, resolved) if values else []}
