"""The settings: read once at start from ``GAMEBOARD_*`` variables; a wrong one stops the start with a sentence."""

import logging
import os
import re
import secrets
import sys
from difflib import get_close_matches
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Annotated, Literal, NoReturn, TypeAlias

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from app.addresses import PUBLIC_URL
from app.line import PLACES

Network: TypeAlias = IPv4Network | IPv6Network

PREFIX = "GAMEBOARD_"
SHORTEST_SECRET = 32
"""Characters that a secret needs at least."""

_log = logging.getLogger("uvicorn.error")


def variable(name: str) -> str:
    """The environment variable of a setting."""
    return PREFIX + name.upper()


class WrongSetting(Exception):
    """A setting that cannot be used. The message is a sentence for whoever starts the server, without the value."""


class Settings(BaseSettings):
    """What a deployment may set. Each field's description is its row in the README."""

    model_config = SettingsConfigDict(alias_generator=variable, populate_by_name=True, case_sensitive=True, frozen=True)

    secret: Annotated[tuple[SecretStr, ...], NoDecode] = Field(
        default=(),
        description="Signs and seals the tokens: at least 32 characters, or several such secrets separated by commas, "
        "newest first (the first signs, all are accepted). Unset: a random one for this start.",
    )
    public_url: str | None = Field(
        default=None,
        description="The server's address as its users see it, such as `https://play.example/games`. "
        "Unset: taken from each request.",
    )
    trusted_proxies: Annotated[tuple[Network, ...], NoDecode] = Field(
        default=(),
        description="Addresses and networks, separated by commas, whose `X-Forwarded-Proto`, `-Host` and `-Prefix` "
        "are believed. Unset: nobody's.",
    )
    metrics: bool = Field(
        default=False,
        description="`1` counts requests, refusals and more, for Prometheus at `/metrics`. Unset or `0`: nothing is "
        "counted, and there is no such page.",
    )
    log: Literal["plain", "json"] = Field(
        default="plain",
        description="`json` writes a line of JSON to standard error for each request, and every message as one. "
        "Unset or `plain`: messages only.",
    )
    line: int = Field(
        default=PLACES,
        description="How much slow work (ponds to be searched, runs to be verified, batches) may wait or be at work in "
        "a worker. "
        f"More is answered 503 with `Retry-After`. Unset: {PLACES}.",
    )

    @field_validator("secret", mode="before")
    @classmethod
    def _split_secrets(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        parts = [part.strip() for part in value.split(",")]
        for place, part in enumerate(parts, start=1):
            which = "it" if len(parts) == 1 else f"secret {place} of {len(parts)}"
            if not part.isprintable():
                raise ValueError(f"{which} has characters that are not printable text in UTF-8")
            if len(part) < SHORTEST_SECRET:
                raise ValueError(
                    f"{which} has {len(part)} characters and needs at least {SHORTEST_SECRET}. "
                    'A good one: python3 -c "import secrets; print(secrets.token_urlsafe(32))"'
                )
        return tuple(parts)

    @field_validator("public_url")
    @classmethod
    def _check_public_url(cls, value: str | None) -> str | None:
        if value is None:
            return None
        found = PUBLIC_URL.fullmatch(value)
        if not found:
            raise ValueError("it must be an http or https address without query, such as https://play.example/games")
        return found[1]

    @field_validator("trusted_proxies", mode="before")
    @classmethod
    def _split_proxies(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        networks = []
        for part in filter(None, (part.strip() for part in value.split(","))):
            try:
                networks.append(ip_network(part, strict=False))
            except ValueError:
                raise ValueError(
                    f"{part[:60]!r} is no IP address and no network such as 10.0.0.0/8; separate several with commas"
                ) from None
        return tuple(networks)

    @field_validator("metrics", mode="before")
    @classmethod
    def _check_metrics(cls, value: object) -> object:
        if value not in (True, False, "1", "0"):
            raise ValueError("it must be 1 or 0")
        return value

    @field_validator("line", mode="before")
    @classmethod
    def _check_line(cls, value: object) -> object:
        if not re.fullmatch(r"[1-9][0-9]{0,5}", str(value)):
            raise ValueError("it must be a whole number from 1 to 999999")
        return value

    @field_validator("log", mode="before")
    @classmethod
    def _check_log(cls, value: object) -> object:
        if value not in ("plain", "json"):
            raise ValueError("it must be plain or json")
        return value


def from_environment() -> Settings:
    """The settings that this process starts with, a secret among them. A wrong one ends it with a sentence."""
    try:
        return with_secret(load())
    except WrongSetting as wrong:
        refuse_to_start(str(wrong))


def refuse_to_start(why: str) -> NoReturn:
    """End the process with a sentence, by the log, which may be read by machines."""
    _log.critical("The server does not start. %s", why)
    sys.exit(1)


def load() -> Settings:
    """The settings in the environment. Raises `WrongSetting`."""
    _warn_of_strangers()
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise WrongSetting(f"{first['loc'][0]}: {first['msg'].removeprefix('Value error, ')}") from None


def with_secret(settings: Settings) -> Settings:
    """The same settings, with a random secret where none was set."""
    if settings.secret:
        return settings
    _log.warning(
        "%s is not set. This start signs with a random secret: its runs will not survive a restart, and no other "
        "server can continue them.",
        variable("secret"),
    )
    return settings.model_copy(update={"secret": (SecretStr(secrets.token_urlsafe(32)),)})


def _warn_of_strangers() -> None:
    """A misspelt variable must not be ignored in silence."""
    known = list(map(variable, Settings.model_fields))
    for name in sorted(os.environ):
        close = get_close_matches(name, known, n=1, cutoff=0.85) if name.startswith(PREFIX) else []
        if close and name not in known:
            _log.warning("%s is no setting of this server. Did you mean %s?", name, close[0])
