"""The settings: one table, read once from the environment or a `.env` beside it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, TypeVar
from urllib.parse import quote_plus
from zoneinfo import ZoneInfo, available_timezones

from dotenv.parser import parse_stream
from pydantic import BeforeValidator, Field, SecretStr, ValidationError
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from adapters.credentials import encryption_key, slack_token, split_keys
from bot.banks import shipped_folder
from bot.spelling import fold, nearest, slips, slips_to
from bot.store.addresses import WrongAddress, read_address
from bot.zones import known_zone, near_zones

FILE = ".env"

_PREFIX = "QUIZBOT_"
_ENCODING = "utf-8-sig"  # what some editors put before the first letter is no part of a name

Value = TypeVar("Value")


class WrongSettings(Exception):
    """The settings cannot be used: a sentence for each that is wrong, with no secret in it."""


# --- what each takes -------------------------------------------------------------------------


def _address(given: object) -> str:
    try:
        read_address(str(given))
    except WrongAddress as error:
        raise ValueError(str(error)) from None
    return str(given)


def _folders(given: object) -> tuple[Path, ...]:
    parts = given.split(os.pathsep) if isinstance(given, str) else ()
    folders = tuple(Path(part.strip()).expanduser() for part in parts if part.strip())
    if not folders:
        raise ValueError(f"write one or more folders, with {os.pathsep} between them")
    return folders


def _host(given: object) -> str:
    host = str(given).strip().strip("[]")
    if not host or "/" in host or any(sign.isspace() for sign in host):
        raise ValueError("write an address such as 127.0.0.1, or 0.0.0.0 for every network")
    return host


def _port(given: object) -> int:
    text = str(given).strip()
    if not (text.isascii() and text.isdigit() and len(text) <= 5 and int(text) <= 65535):
        raise ValueError("write a number from 1 to 65535, or 0 for any that is free")
    return int(text)


def _switch(given: object) -> bool:
    word = str(given).strip().casefold()
    if word not in _ON + _OFF:
        raise ValueError("write on or off")
    return word in _ON


def _count(given: object) -> int:
    text = str(given).strip()
    if not (text.isascii() and text.isdigit() and len(text) <= 5 and int(text) > 0):
        raise ValueError("write a number, 1 or more")
    return int(text)


def _numbers(given: object) -> tuple[int, ...]:
    parts = str(given).replace(",", " ").split()
    if not parts or not all(part.isascii() and part.isdigit() and len(part) <= 5 for part in parts):
        raise ValueError("write numbers from 0 on, with commas between them")
    return tuple(sorted(set(map(int, parts))))


def _platform_id(given: object) -> int:
    text = str(given).strip()
    if not (text.isascii() and text.isdigit() and 15 <= len(text) <= 20):
        raise ValueError("write the server's id, a number of 17 to 20 digits")
    return int(text)


def _command_prefix(given: object) -> str:
    text = str(given).strip()
    if not re.fullmatch(r"[a-z0-9_-]{1,16}", text):
        raise ValueError("write at most 16 small letters, digits, - and _")
    return text


def _slack_command(given: object) -> str:
    name = str(given).strip().removeprefix("/")
    if not re.fullmatch(r"[a-z0-9_-]{1,31}", name):
        raise ValueError("write a name such as /quiz: at most 31 small letters, digits, - and _")
    return f"/{name}"


def _zone(given: object) -> ZoneInfo:
    typed = str(given).strip()
    name = typed if typed in available_timezones() else known_zone(typed)
    if name is not None:
        return ZoneInfo(name)
    near = [zone for zone in near_zones(typed, 1) if _is_near(fold(typed), zone)]
    if near:
        raise ValueError(f"did you mean {near[0]}?")
    raise ValueError("write a name such as Africa/Harare or UTC")


def _is_near(typed: str, zone: str) -> bool:
    """Whether the zone, or its city alone, differs by a few slips at most."""
    most = slips(len(typed))
    names = map(fold, (zone, zone.rpartition("/")[2]))
    return most > 0 and any(slips_to(typed, name, most) <= most for name in names)


def _one_of(*words: str) -> Callable[[object], str]:
    def read(given: object) -> str:
        word = str(given).strip().casefold()
        if word not in words:
            raise ValueError(f"write {', '.join(words[:-1])} or {words[-1]}")
        return word

    return read


_BOT_TOKEN = slack_token("xoxb", "xoxe.xoxb", where="OAuth & Permissions")
_APP_TOKEN = slack_token("xapp", where="Basic Information, App-Level Tokens")

_ON, _OFF = ("on", "yes", "true", "1"), ("off", "no", "false", "0")
_LEVELS = _one_of("debug", "info", "warning", "error")

# --- the table -------------------------------------------------------------------------------


class Settings(BaseSettings):
    """Every setting of this version, by the name that it has in the environment."""

    model_config = SettingsConfigDict(
        frozen=True,
        extra="ignore",
        case_sensitive=True,
        env_ignore_empty=True,
        env_file=FILE,
        env_file_encoding=_ENCODING,
        hide_input_in_errors=True,
        validate_default=False,
    )

    # An address may hold a password.
    database_url: Annotated[str, BeforeValidator(_address)] = Field(
        "sqlite:///quizbot.db", validation_alias="QUIZBOT_DATABASE_URL", repr=False
    )
    banks: Annotated[tuple[Path, ...], NoDecode, BeforeValidator(_folders)] = Field(
        default_factory=lambda: (shipped_folder(),), validation_alias="QUIZBOT_BANKS"
    )
    host: Annotated[str, BeforeValidator(_host)] = Field(
        "127.0.0.1", validation_alias="QUIZBOT_HOST"
    )
    port: Annotated[int, BeforeValidator(_port)] = Field(8080, validation_alias="QUIZBOT_PORT")
    discord_token: SecretStr | None = Field(None, validation_alias="DISCORD_TOKEN")
    discord_guild: Annotated[int | None, BeforeValidator(_platform_id)] = Field(
        None, validation_alias="QUIZBOT_DISCORD_GUILD"
    )
    shard_ids: Annotated[tuple[int, ...] | None, NoDecode, BeforeValidator(_numbers)] = Field(
        None, validation_alias="QUIZBOT_SHARD_IDS"
    )
    shard_count: Annotated[int | None, BeforeValidator(_count)] = Field(
        None, validation_alias="QUIZBOT_SHARD_COUNT"
    )
    command_prefix: Annotated[str, BeforeValidator(_command_prefix)] = Field(
        "", validation_alias="QUIZBOT_COMMAND_PREFIX"
    )
    room_switch: Annotated[bool | None, BeforeValidator(_switch)] = Field(
        None, validation_alias="QUIZBOT_ROOM"
    )
    zone: Annotated[ZoneInfo, BeforeValidator(_zone)] = Field(
        ZoneInfo("UTC"), validation_alias="QUIZBOT_ZONE"
    )
    log: Annotated[Literal["debug", "info", "warning", "error"], BeforeValidator(_LEVELS)] = Field(
        "info", validation_alias="QUIZBOT_LOG"
    )
    log_format: Annotated[Literal["text", "json"], BeforeValidator(_one_of("text", "json"))] = (
        Field("text", validation_alias="QUIZBOT_LOG_FORMAT")
    )
    slack_bot_token: Annotated[SecretStr | None, BeforeValidator(_BOT_TOKEN)] = Field(
        None, validation_alias="SLACK_BOT_TOKEN"
    )
    slack_app_token: Annotated[SecretStr | None, BeforeValidator(_APP_TOKEN)] = Field(
        None, validation_alias="SLACK_APP_TOKEN"
    )
    slack_signing: SecretStr | None = Field(None, validation_alias="SLACK_SIGNING_SECRET")
    slack_client_id: str | None = Field(None, validation_alias="SLACK_CLIENT_ID")
    # Left out where settings are printed, since their very names say what they are.
    slack_client_secret: SecretStr | None = Field(
        None, validation_alias="SLACK_CLIENT_SECRET", repr=False
    )
    secret_key: Annotated[SecretStr | None, BeforeValidator(encryption_key)] = Field(
        None, validation_alias="QUIZBOT_SECRET_KEY", repr=False
    )
    slack_command: Annotated[str, BeforeValidator(_slack_command)] = Field(
        "/quiz", validation_alias="QUIZBOT_SLACK_COMMAND"
    )

    @property
    def room(self) -> bool:
        """Whether the room is open: unless it is said otherwise, for who has no platform yet."""
        if self.room_switch is not None:
            return self.room_switch
        return self.discord_token is None and not self.slack

    @property
    def serves(self) -> bool:
        """Whether the HTTP server is there: for what needs it, or because its port was named.

        Else several processes on one machine would be in each other's way.
        """
        needs = self.room or self.hears_slack_by_http or self.slack_installs
        return needs or "port" in self.model_fields_set

    @property
    def hears_slack_by_http(self) -> bool:
        """By sockets where there is a token for them, also with a signing secret beside it."""
        return self.slack and self.slack_app_token is None

    @property
    def slack(self) -> bool:
        """Whether it is on Slack: in one workspace, or wherever it is installed."""
        return self.slack_bot_token is not None or self.slack_installs

    @property
    def slack_installs(self) -> bool:
        """Whether workspaces install it for themselves; a bot token is of no use then."""
        return self.slack_client_id is not None and self.slack_client_secret is not None

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must never be seen in a log."""
        tokens = (
            self.discord_token, self.slack_bot_token, self.slack_app_token,
            self.slack_signing, self.slack_client_secret,
        )  # fmt: skip
        found = [token.get_secret_value() for token in tokens if token is not None]
        if self.secret_key is not None:
            found += split_keys(self.secret_key.get_secret_value())
        password = read_address(self.database_url).writer.password
        if password:
            # Where it stands in an address: a password may be a word that is in every line.
            found += [f":{text}@" for text in (str(password), quote_plus(str(password)))]
        return tuple(dict.fromkeys(found))


NAMES = tuple(str(field.validation_alias) for field in Settings.model_fields.values())
"""The names of all settings."""

_SECRET = {
    str(field.validation_alias)
    for field in Settings.model_fields.values()
    if field.annotation == SecretStr | None or not field.repr
}


@dataclass(frozen=True, slots=True)
class Read:
    """The settings, and a sentence for each name that was set and is none of ours."""

    settings: Settings
    warnings: tuple[str, ...]


def read_settings() -> Read:
    """From the environment, else from `.env` in the working directory. Raises WrongSettings."""
    in_file = _names_in_file(Path(FILE))
    try:
        settings = Settings()
    except ValidationError as error:
        raise WrongSettings("\n".join(map(_sentence, error.errors()))) from None
    folder = [f"{FILE} is a folder, and nothing is read of it."] if Path(FILE).is_dir() else []
    return Read(settings, (*folder, *_unknown(in_file, FILE), *_unknown(os.environ)))


def _names_in_file(file: Path) -> list[str]:
    """What is set in the file; read here first, so that its faults are told in a sentence."""
    try:
        with file.open(encoding=_ENCODING) as stream:
            lines = list(parse_stream(stream))
    except (FileNotFoundError, IsADirectoryError):
        return []  # of a folder `read_settings` warns
    except (OSError, UnicodeDecodeError) as error:
        why = "it is not UTF-8" if isinstance(error, UnicodeDecodeError) else error.strerror
        raise WrongSettings(f"{FILE} cannot be read: {why}.") from None
    for line in lines:
        if line.error:
            raise WrongSettings(f"{FILE}, line {line.original.line}: write NAME=value.")
    return [line.key for line in lines if line.key]


def _sentence(error: ErrorDetails) -> str:
    """`QUIZBOT_PORT is "80a": write a number from …`"""
    name = str(error["loc"][0])
    reason = error.get("ctx", {}).get("error", error["msg"])
    if name == "QUIZBOT_DATABASE_URL":
        return str(reason)  # it names the setting itself, and nothing of what was given
    given = "" if name in _SECRET else f' is "{error["input"]}"'
    sentence = f"{name}{given}: {reason}"
    return sentence if sentence.endswith("?") else f"{sentence}."


def _unknown(names: Iterable[str], file: str = "") -> Iterable[str]:
    for name in names:
        if name.upper().startswith(_PREFIX) and name not in NAMES:
            where = f" in {file}" if file else ""
            meant = _meant(name)
            hint = f" Did you mean {meant}?" if meant else ""
            yield f"There is no setting {name}{where}.{hint}"


def _meant(name: str) -> str | None:
    """By what is behind the prefix: with it, all names are alike."""
    by_rest = {known.removeprefix(_PREFIX): known for known in NAMES}
    meant = nearest(name.upper().removeprefix(_PREFIX), by_rest)
    return None if meant is None else by_rest[meant]
