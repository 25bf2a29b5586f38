"""`views.*` of the stand-in Slack's Web API."""

from __future__ import annotations

import stand_in_slack_rules as rules
from stand_in_slack_api import Call, Method, Refused, messages
from stand_in_slack_views import View
from stand_in_slack_world import TRIGGER_LIVES, Json, Trigger

DEEPEST = 3  # documented: the first view and two more pushed on it


def views_open(call: Call) -> Json:
    workspace = call.workspace
    view = checked(call, "modal")
    trigger = pull(call)
    return {"view": trigger.person.shows(view, workspace).payload()}


def views_push(call: Call) -> Json:
    workspace = call.workspace
    view = checked(call, "modal")
    trigger = pull(call)
    modals = trigger.person.modals
    if not modals:
        raise Refused("not_found")
    if len(modals) >= DEEPEST:
        raise Refused("push_limit_reached")
    return {"view": trigger.person.shows(view, workspace, modals[-1]).payload()}


def views_update(call: Call) -> Json:
    given = checked(call, "modal", "home")
    view = call.world.views.get(str(call.args.get("view_id")))
    if view is None:
        wanted = call.args.get("external_id")
        every = call.world.views.values()
        view = next(
            (one for one in every if wanted and one.given.get("external_id") == wanted), None
        )
    if view is None or not view.is_open or view.workspace is not call.workspace:
        raise Refused("not_found")
    check_hash(call, view)
    if given["type"] != view.given["type"]:
        raise Refused("invalid_arguments")
    view.change(given)
    return {"view": view.payload()}


def views_publish(call: Call) -> Json:
    workspace = call.workspace
    person = call.world.people.get(call.text("user_id"))
    given = checked(call, "home")
    if person is None:
        raise Refused("not_found")
    if person.home is None:
        person.home = View(call.world.new_id("V"), person, workspace, given)
        call.world.views[person.home.id] = person.home
    else:
        check_hash(call, person.home)
        person.home.change(given)
    return {"view": person.home.payload()}


def checked(call: Call, *kinds: str) -> Json:
    given = call.args.get("view")
    if not isinstance(given, dict):
        raise Refused("invalid_arguments")
    if given.get("type") not in kinds:
        raise Refused("invalid_arguments")
    error, said = rules.refusal_of_view(call.world, given)
    if error:
        raise Refused(error, response_metadata=messages(said))
    return given


def check_hash(call: Call, view: View) -> None:
    if call.args.get("hash") and call.args["hash"] != view.hash:
        raise Refused("hash_conflict")


def pull(call: Call) -> Trigger:
    """Use a trigger up."""
    trigger = call.world.triggers.get(str(call.args.get("trigger_id")))
    if trigger is None:
        raise Refused("invalid_trigger_id")
    if trigger.used:
        raise Refused("exchanged_trigger_id")
    if call.world.now() - trigger.at >= TRIGGER_LIVES:
        raise Refused("expired_trigger_id")
    trigger.used = True
    return trigger


METHODS: dict[str, Method] = {
    "views.open": views_open,
    "views.push": views_push,
    "views.update": views_update,
    "views.publish": views_publish,
}
