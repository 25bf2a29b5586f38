"""What each setting takes, and the sentence for what it does not: all raise ValueError."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

from bot.spelling import fold, slips, slips_to
from bot.store.addresses import WrongAddress, read_address
from bot.zones import named_zone, near_zones

_ON, _OFF = ("on", "yes", "true", "1"), ("off", "no", "false", "0")


def address(given: object) -> str:
    try:
        read_address(str(given))
    except WrongAddress as error:
        raise ValueError(str(error)) from None
    return str(given)


def folders(given: object) -> tuple[Path, ...]:
    parts = given.split(os.pathsep) if isinstance(given, str) else ()
    folders = tuple(Path(part.strip()).expanduser() for part in parts if part.strip())
    if not folders:
        raise ValueError(f"write one or more folders, with {os.pathsep} between them")
    return folders


def host(given: object) -> str:
    host = str(given).strip().strip("[]")
    if not host or "/" in host or any(sign.isspace() for sign in host):
        raise ValueError("write an address such as 127.0.0.1, or 0.0.0.0 for every network")
    return host


def port(given: object) -> int:
    text = str(given).strip()
    if not (text.isascii() and text.isdigit() and len(text) <= 5 and int(text) <= 65535):
        raise ValueError("write a number from 1 to 65535, or 0 for any that is free")
    return int(text)


def switch(given: object) -> bool:
    word = str(given).strip().casefold()
    if word not in _ON + _OFF:
        raise ValueError("write on or off")
    return word in _ON


def count(given: object) -> int:
    text = str(given).strip()
    if not (text.isascii() and text.isdigit() and len(text) <= 5 and int(text) > 0):
        raise ValueError("write a number, 1 or more")
    return int(text)


def numbers(given: object) -> tuple[int, ...]:
    parts = str(given).replace(",", " ").split()
    if not parts or not all(part.isascii() and part.isdigit() and len(part) <= 5 for part in parts):
        raise ValueError("write numbers from 0 on, with commas between them")
    return tuple(sorted(set(map(int, parts))))


def platform_id(given: object) -> int:
    text = str(given).strip()
    if not (text.isascii() and text.isdigit() and 15 <= len(text) <= 20):
        raise ValueError("write the server's id, a number of 17 to 20 digits")
    return int(text)


def command_prefix(given: object) -> str:
    text = str(given).strip()
    if not re.fullmatch(r"[a-z0-9_-]{1,16}", text):
        raise ValueError("write at most 16 small letters, digits, - and _")
    return text


def slack_command(given: object) -> str:
    name = str(given).strip().removeprefix("/")
    if not re.fullmatch(r"[a-z0-9_-]{1,31}", name):
        raise ValueError("write a name such as /quiz: at most 31 small letters, digits, - and _")
    return f"/{name}"


def zone(given: object) -> ZoneInfo:
    typed = str(given).strip()
    name = typed if typed in available_timezones() else named_zone(typed)
    if name is not None:
        return ZoneInfo(name)
    near = [zone for zone in near_zones(typed, 1) if _is_near(fold(typed), zone)]
    if near:
        raise ValueError(f"did you mean {near[0]}?")
    raise ValueError("write a name such as Africa/Harare or UTC")


def one_of(*words: str) -> Callable[[object], str]:
    def read(given: object) -> str:
        word = str(given).strip().casefold()
        if word not in words:
            raise ValueError(f"write {', '.join(words[:-1])} or {words[-1]}")
        return word

    return read


def _is_near(typed: str, zone: str) -> bool:
    """Whether the zone, or its city alone, differs by a few slips at most."""
    most = slips(len(typed))
    names = map(fold, (zone, zone.rpartition("/")[2]))
    return most > 0 and any(slips_to(typed, name, most) <= most for name in names)
