"""Parse settings from the environment, with readable errors."""

from __future__ import annotations

import os
import re
from typing import Any
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

HIGHEST_PORT = 65535
_SESSION = {
    "idle_in_transaction_session_timeout": "5s",
    "lock_timeout": "5s",
    "tcp_keepalives_idle": "10s",
    "tcp_keepalives_interval": "3s",
    "tcp_keepalives_count": "3",
    "tcp_user_timeout": "10s",
}
"""Limits for each session of PostgreSQL (`storage.without_time_limits` lifts some of them)."""
_ON = ("1", "on", "true", "yes", "y", "ok")
_OFF = ("0", "off", "false", "no", "n")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


class Env(environ.Env):
    """Reader of settings. Its methods raise ImproperlyConfigured if a value is not valid."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        """Names of all settings that have been read, whether they were set or not."""

    def get_value(self, var: str, cast: Any = None, *args: Any, **more: Any) -> Any:
        self.names.add(var)
        try:
            value = super().get_value(var, cast, *args, **more)
        except (ValueError, TypeError):
            written = os.environ.get(var, "")
            raise ImproperlyConfigured(f"{var} must be a number, not {written!r}.") from None
        if cast in (int, float) and value is not None and value < 0:
            raise ImproperlyConfigured(f"{var} must be 0 or more, not {value}.")
        return value

    def flag(self, var: str, usual: bool) -> bool:
        """Return a boolean, or `usual` if the setting is unset or empty."""
        written = self.str(var, "").strip().lower()
        if written and written not in _ON + _OFF:
            raise ImproperlyConfigured(f"{var} must be on or off, not {written!r}.")
        return written in _ON if written else usual

    def port(self, var: str, usual: int | None) -> int | None:
        """Return a port number, or `usual` if the setting is unset or empty."""
        port: int | None = self.int(var, usual) if self.str(var, "").strip() else usual
        if port is not None and port > HIGHEST_PORT:
            raise ImproperlyConfigured(f"{var} must be a port up to {HIGHEST_PORT}, not {port}.")
        return port

    def seconds(self, var: str, usual: str) -> tuple[float, float]:
        """Return a range of seconds as its minimum and maximum.

        The value is a range like `1-4`, or one number for both.
        """
        written = self.str(var, "") or usual
        found = re.fullmatch(r"(\d+(?:\.\d+)?)(?:-(\d+(?:\.\d+)?))?", written)
        if found is None:
            raise ImproperlyConfigured(f"{var} must be seconds, like 2 or 1-4, not {written!r}.")
        low, high = float(found[1]), float(found[2] or found[1])
        if low > high:
            raise ImproperlyConfigured(
                f"{var} must have the smaller number first, not {written!r}."
            )
        return low, high

    def redis(self, var: str) -> str:
        """Return the URL of Redis, or "" if the setting is unset or empty."""
        written: str = self.str(var, "")
        if written and not written.startswith(("redis://", "rediss://", "unix://")):
            scheme = written.partition("://")[0]
            raise ImproperlyConfigured(f"{var} must be redis://… or rediss://…, not {scheme!r}.")
        return written

    def one_of(self, var: str, usual: str, *others: str) -> str:
        """Return the setting if it is one of these words, or `usual` if it is unset or empty."""
        written: str = self.str(var, "") or usual
        if written not in (usual, *others):
            known = ", ".join((usual, *others[:-1]))
            raise ImproperlyConfigured(f"{var} must be {known} or {others[-1]}, not {written!r}.")
        return written

    def database(self, var: str, usual: str) -> dict[str, Any]:
        """Return Django's configuration for the URL of a supported database."""
        written = self.str(var, "") or usual
        if not written.startswith(("sqlite:///", "postgres://", "postgresql://")):
            scheme = written.partition("://")[0]
            raise ImproperlyConfigured(
                f"{var} must be sqlite:///… or postgres://…, not {scheme!r}."
            )
        return dict(self.db_url_config(written))


def session_options() -> str:
    """Return the command-line options with which PostgreSQL limits a session."""
    return " ".join(f"-c {name}={value}" for name, value in _SESSION.items())


def read_address(written: str) -> str:
    """Return `PUBLIC_URL` without its trailing slash, or "" if it is unset or empty."""
    parts = urlsplit(written.rstrip("/"))
    if written and (parts.scheme not in ("http", "https") or not parts.hostname or parts.path):
        raise ImproperlyConfigured(
            f"PUBLIC_URL must be like https://play.example.org, without a path, not {written!r}."
        )
    return parts.geturl()


def read_limit(written: str) -> tuple[int, int] | None:
    """Parse a rate limit.

    `30/10m` becomes (30, 600): count and seconds. `0` means no limit and becomes None.
    """
    if written.strip() in ("", "0"):
        return None
    found = re.fullmatch(r"([1-9]\d*)/([1-9]\d*)?([smhd])", written.strip())
    if found is None:
        raise ImproperlyConfigured(f"A limit must be like 30/10m or 60/h, not {written!r}.")
    return int(found[1]), int(found[2] or 1) * _SECONDS[found[3]]


def read_contacts(written: list[str]) -> list[str]:
    """Return `SECURITY_CONTACT` as URIs (RFC 9116).

    Convert a plain e-mail address to a mailto: URI.
    """
    contacts = []
    for contact in filter(None, map(str.strip, written)):
        uri = contact if ":" in contact else f"mailto:{contact}"
        scheme, known = urlsplit(uri).scheme, ("mailto", "https", "tel")
        if scheme not in known or not uri.isprintable() or " " in uri:
            raise ImproperlyConfigured(
                f"SECURITY_CONTACT must be a mail or https address: {contact!r}"
            )
        contacts.append(uri)
    return contacts
