"""What the stand-in Discord answers when it refuses, in Discord's shapes and codes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong in a payload, and where."""

    path: tuple[str | int, ...]
    code: str
    message: str


class Refusal(Exception):
    """An answer other than 2xx."""

    def __init__(
        self, status: int, code: int, message: str, errors: dict[str, Any] | None = None
    ) -> None:
        super().__init__(f"{status} {code} {message} {errors or ''}")
        self.status = status
        self.code = code
        self.body: dict[str, Any] = {"message": message, "code": code}
        if errors:
            self.body["errors"] = errors


def invalid_form(problems: Iterable[Problem]) -> Refusal:
    errors: dict[str, Any] = {}
    for problem in problems:
        place = errors
        for step in problem.path:
            place = place.setdefault(str(step), {})
        found = place.setdefault("_errors", [])
        found.append({"code": problem.code, "message": problem.message})
    return Refusal(400, 50035, "Invalid Form Body", errors)


def unauthorized() -> Refusal:
    return Refusal(401, 0, "401: Unauthorized")


def not_found() -> Refusal:
    return Refusal(404, 0, "404: Not Found")


def unknown(what: str) -> Refusal:
    code = {
        "Channel": 10003,
        "Guild": 10004,
        "Member": 10007,
        "Message": 10008,
        "User": 10013,
        "Webhook": 10015,
        "interaction": 10062,
        "application command": 10063,
    }[what]
    return Refusal(404, code, f"Unknown {what}")


def already_acknowledged() -> Refusal:
    return Refusal(400, 40060, "Interaction has already been acknowledged.")


def too_many_follow_ups() -> Refusal:
    return Refusal(400, 40094, "This interaction has hit the maximum number of follow up messages")


def missing_access() -> Refusal:
    return Refusal(403, 50001, "Missing Access")


def missing_permissions() -> Refusal:
    return Refusal(403, 50013, "Missing Permissions")


def someone_elses_message() -> Refusal:
    return Refusal(403, 50005, "Cannot edit a message authored by another user")


def empty_message() -> Refusal:
    return Refusal(400, 50006, "Cannot send an empty message")


def cannot_message_this_user() -> Refusal:
    return Refusal(403, 50007, "Cannot send messages to this user")


def not_for_text() -> Refusal:
    return Refusal(400, 50008, "Cannot send messages in a non-text channel")


def wrong_kind_of_channel() -> Refusal:
    return Refusal(400, 50024, "Cannot execute action on this channel type")


def invalid_token() -> Refusal:
    return Refusal(401, 50027, "Invalid Webhook Token")


def thread_is_archived() -> Refusal:
    return Refusal(400, 50083, "Thread is archived")


def thread_exists() -> Refusal:
    return Refusal(400, 160004, "A thread has already been created for this message")
