"""The settings: one table, read once from the environment or a `.env` beside it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import quote_plus
from zoneinfo import ZoneInfo

from dotenv.parser import parse_stream
from pydantic import BeforeValidator, Field, SecretStr, ValidationError
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from adapters import values
from adapters.credentials import encryption_key, slack_token, split_keys
from bot.banks import shipped_folder
from bot.spelling import nearest
from bot.store.addresses import read_address

FILE = ".env"

_PREFIX = "QUIZBOT_"
_ENCODING = "utf-8-sig"  # what some editors put before the first letter is no part of a name


class WrongSettings(Exception):
    """The settings cannot be used: a sentence for each that is wrong, with no secret in it."""


_BOT_TOKEN = slack_token("xoxb", "xoxe.xoxb", where="OAuth & Permissions")
_APP_TOKEN = slack_token("xapp", where="Basic Information, App-Level Tokens")
_LEVELS = values.one_of("debug", "info", "warning", "error")


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
    database_url: Annotated[str, BeforeValidator(values.address)] = Field(
        "sqlite:///quizbot.db", validation_alias="QUIZBOT_DATABASE_URL", repr=False
    )
    banks: Annotated[tuple[Path, ...], NoDecode, BeforeValidator(values.folders)] = Field(
        default_factory=lambda: (shipped_folder(),), validation_alias="QUIZBOT_BANKS"
    )
    host: Annotated[str, BeforeValidator(values.host)] = Field(
        "127.0.0.1", validation_alias="QUIZBOT_HOST"
    )
    port: Annotated[int, BeforeValidator(values.port)] = Field(
        8080, validation_alias="QUIZBOT_PORT"
    )
    discord_token: SecretStr | None = Field(None, validation_alias="DISCORD_TOKEN")
    discord_guild: Annotated[int | None, BeforeValidator(values.platform_id)] = Field(
        None, validation_alias="QUIZBOT_DISCORD_GUILD"
    )
    shard_ids: Annotated[tuple[int, ...] | None, NoDecode, BeforeValidator(values.numbers)] = Field(
        None, validation_alias="QUIZBOT_SHARD_IDS"
    )
    shard_count: Annotated[int | None, BeforeValidator(values.count)] = Field(
        None, validation_alias="QUIZBOT_SHARD_COUNT"
    )
    command_prefix: Annotated[str, BeforeValidator(values.command_prefix)] = Field(
        "", validation_alias="QUIZBOT_COMMAND_PREFIX"
    )
    room_switch: Annotated[bool | None, BeforeValidator(values.switch)] = Field(
        None, validation_alias="QUIZBOT_ROOM"
    )
    zone: Annotated[ZoneInfo, BeforeValidator(values.zone)] = Field(
        ZoneInfo("UTC"), validation_alias="QUIZBOT_ZONE"
    )
    log: Annotated[Literal["debug", "info", "warning", "error"], BeforeValidator(_LEVELS)] = Field(
        "info", validation_alias="QUIZBOT_LOG"
    )
    log_format: Annotated[
        Literal["text", "json"], BeforeValidator(values.one_of("text", "json"))
    ] = Field("text", validation_alias="QUIZBOT_LOG_FORMAT")
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
    slack_command: Annotated[str, BeforeValidator(values.slack_command)] = Field(
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
