"""The answers needed to deploy a server: from prompts, flags or the previous run."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import IPv4Address, ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings

from operations.connections import usual_of_each

LOCAL_POSTGRES = "postgres:////var/run/postgresql/parlour"
"""URL of a local PostgreSQL, which identifies the account of the process and needs no password."""
LOCAL_REDIS = "redis://127.0.0.1:6379/0"
PROXIES = ("nginx", "caddy", "none", "remote")
"""`remote`: the proxy of another host passes requests on to this one (docs/scale.md)."""
HOMELESS = (".local", ".lan", ".home", ".internal", ".test")
"""Domains for which no authority signs certificates."""


class BadAnswer(ValueError):
    """An answer is not valid. The message says why."""


@dataclass(frozen=True)
class Answers:
    """The validated answers, as used in the templates of a deployment."""

    url: str
    proxy: str
    database: str
    redis: str
    mail: str
    workers: int
    port: int
    udp_port: str
    user: str
    base: Path
    """Data folder: the checkout, or the data folder of an installed Parlour."""
    code: Path
    command: str
    """Program that runs management commands, independent of the current folder and PATH."""
    folder: Path
    """Target folder of the files."""
    env_file: Path
    certificate: str
    key: str
    connections: int
    """Maximum connections of each process to PostgreSQL."""
    listen: str
    """Address at which the processes listen."""
    others: str
    """Processes of other hosts for the proxy, as `address:port`, separated by commas."""
    joins: Path | None
    """Settings file of the first host, if this host joins it now."""

    @property
    def host(self) -> str:
        return urlsplit(self.url).hostname or ""

    @property
    def public_port(self) -> int:
        """Public port of the proxy."""
        return urlsplit(self.url).port or (443 if self.is_https else 80)

    @property
    def ports(self) -> tuple[int, ...]:
        """Ports of the processes. PORT itself is left free for the service of an older version.

        Without a proxy, there is one service. It listens on PORT and runs workers.
        """
        if self.proxy == "none":
            return (self.port,)
        return tuple(range(self.port + 1, self.port + self.workers + 1))

    @property
    def upstreams(self) -> tuple[str, ...]:
        """Processes of this host, as `address:port`."""
        return tuple(f"{self.listen}:{port}" for port in self.ports)

    @property
    def others_upstreams(self) -> tuple[str, ...]:
        """Processes of other hosts, as `address:port`."""
        return tuple(filter(None, self.others.split(",")))

    @property
    def is_remote(self) -> bool:
        """Whether the proxy runs on another host."""
        return self.proxy == "remote"

    @property
    def needed_connections(self) -> int:
        """Connections that PostgreSQL must allow for all processes together."""
        return (self.workers + len(self.others_upstreams)) * self.connections

    @property
    def replaces_service(self) -> bool:
        """Whether an older version was deployed as a single service with workers behind one
        port.
        """
        return (self.folder / "parlour.socket").exists()

    @property
    def is_https(self) -> bool:
        return self.url.startswith("https:")

    @property
    def is_postgres(self) -> bool:
        return self.database.startswith(("postgres:", "postgresql:"))

    @property
    def is_ours(self) -> bool:
        """Whether the data folder belongs to the system user that runs the server."""
        return self.base.owner() == self.user

    @property
    def gets_certificate(self) -> bool:
        """Whether the certificate comes from Let's Encrypt."""
        return self.certificate.startswith("/etc/letsencrypt/")

    @property
    def needs_own_certificate(self) -> bool:
        """Whether the certificate must be self-signed, because the host is private."""
        return is_private(self.host)

    def kept(self) -> dict[str, str]:
        """Return the answers that are not settings, for the next run.

        A default path is returned as "".
        """
        usual = usual_certificate(self.host)
        answered = {name: str(getattr(self, name)) for name in KEPT}
        return {name: "" if value in usual else value for name, value in answered.items()}

    def settings(self) -> dict[str, str]:
        """Return the settings made from the answers. An empty value means the default."""
        return {
            "PUBLIC_URL": self.url,
            "DATABASE_URL": self.database,
            "REDIS_URL": self.redis,
            "WORKERS": str(self.workers),
            "HOST": self.listen,
            "PORT": str(self.port),
            "TRUSTED_PROXIES": "0" if self.proxy == "none" else "1",
            "EMAIL_URL": self.mail,
            "MIA_UDP_PORT": "" if self.is_remote else self.udp_port,
            "MIA_UDP_HOST": "0.0.0.0" if self.udp_port and not self.is_remote else "",
        }


def is_private(host: str) -> bool:
    """Whether a host is reachable only in its own network."""
    try:
        return bool(ip_address(host)) and not ip_address(host).is_global
    except ValueError:
        return "." not in host or host.endswith(HOMELESS)


def usual_certificate(host: str) -> tuple[str, str]:
    """Return the default paths of a host's certificate and key."""
    folder = "/etc/parlour" if is_private(host) else f"/etc/letsencrypt/live/{host}"
    return f"{folder}/fullchain.pem", f"{folder}/privkey.pem"


KEPT = ("proxy", "user", "certificate", "key", "others")
"""Answers that are not settings. They are stored next to the files for the next run."""


def defaults(
    base: Path, before: Mapping[str, str], kept: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return the default answers: those of the previous run, or else ones that suit a small
    machine.
    """
    proxied = before.get("TRUSTED_PROXIES", "1") != "0"
    last = {name: value for name, value in (kept or {}).items() if name in KEPT}
    return {
        "url": before.get("PUBLIC_URL", ""),
        "proxy": "nginx" if proxied else "none",
        "database": before.get("DATABASE_URL", "") or "sqlite",
        "redis": before.get("REDIS_URL", ""),
        "mail": before.get("EMAIL_URL", ""),
        "workers": before.get("WORKERS", ""),
        "port": before.get("PORT", "8000"),
        "udp_port": before.get("MIA_UDP_PORT", ""),
        "user": base.owner() if base.owner() != "root" else "parlour",
        "certificate": "",
        "key": "",
        "listen": before.get("HOST") or "127.0.0.1",
        "others": "",
        **last,
    }


def answers(
    given: Mapping[str, Any],
    base: Path,
    folder: Path,
    env_file: Path,
    before: Mapping[str, str] | None = None,
    joins: Path | None = None,
) -> Answers:
    """Return the validated answers. Raise BadAnswer if one is not valid.

    `before`: the current settings. `joins`: the settings file of the first host.
    """
    url = _url(given["url"])
    database = _database(given["database"], base)
    redis = given["redis"] or (LOCAL_REDIS if database.startswith("postgres") else "")
    host = urlsplit(url).hostname or ""
    certificate, key = usual_certificate(host)
    workers = _workers(given["workers"], database, redis)
    proxy, listen = _one_of("proxy", given["proxy"], PROXIES), _address(given["listen"])
    if proxy == "remote":
        _must_be_shared(listen, database, redis)
    connections = (before or {}).get("DATABASE_CONNECTIONS", "")
    return Answers(
        url=url,
        proxy=proxy,
        database=database,
        redis=_scheme("Redis", redis, ("redis", "rediss", "unix")),
        mail=_mail(given["mail"]),
        workers=workers,
        port=_port("port", given["port"]),
        udp_port=str(_port("UDP port", given["udp_port"])) if given["udp_port"] else "",
        user=_word("user", given["user"]),
        base=_plain_path(base),
        code=_plain_path(Path(settings.BASE_DIR)),
        command=settings.FULL_COMMAND,
        folder=_plain_path(folder),
        env_file=_plain_path(env_file),
        certificate=str(_plain_path(Path(given["certificate"] or certificate))),
        key=str(_plain_path(Path(given["key"] or key))),
        connections=int(connections) if connections.isdecimal() else usual_of_each(workers),
        listen=listen,
        others=",".join(map(_upstream, filter(None, given["others"].split(",")))),
        joins=joins,
    )


def check(name: str, written: str, base: Path) -> None:
    """Raise BadAnswer if this answer to a question is not valid by itself."""
    if name == "url":
        _url(written)
    elif name == "proxy":
        _one_of("proxy", written, PROXIES)
    elif name == "database":
        _database(written, base)
    elif name == "mail":
        _mail(written)


def new_secret_key(base: Path) -> str:
    """Return the server's existing secret key if there is one, else a new one.

    Keeping the key keeps everybody logged in.
    """
    kept = base / "var" / "secret_key"
    old = kept.read_text().strip() if kept.exists() else ""
    return old if old and not set(old) & set("'\"\\") else secrets.token_urlsafe(50)


def _url(written: str) -> str:
    parts = urlsplit(written.strip().rstrip("/"))
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadAnswer(f"The address must be like https://play.example.org, not {written!r}.")
    if parts.path or parts.query or parts.username:
        raise BadAnswer("The address must not have a path: Parlour needs a host to itself.")
    if not re.fullmatch(r"[-a-z0-9.:]+", parts.hostname):
        raise BadAnswer("Host names have letters, digits, dots and hyphens. Write others as xn--….")
    return f"{parts.scheme}://{parts.netloc.lower()}"


def _database(written: str, base: Path) -> str:
    if written in ("", "sqlite"):
        return f"sqlite:///{base}/var/parlour.sqlite3"
    if written in ("postgres", "postgresql"):
        return LOCAL_POSTGRES
    if not written.startswith(("postgres://", "postgresql://", "sqlite:////")):
        raise BadAnswer("The database must be sqlite, postgres, or an address like postgres://….")
    return _scheme("The database", written, ("postgres", "postgresql", "sqlite"))


def _scheme(what: str, written: str, schemes: tuple[str, ...]) -> str:
    if written and urlsplit(written).scheme not in schemes:
        raise BadAnswer(f"{what} needs an address like {schemes[0]}://….")
    if set(written) & set("'#\n "):
        raise BadAnswer(f"{what}: write # as %23, @ within a password as %40, a space as %20.")
    return written


def _mail(written: str) -> str:
    schemes = ("smtp+tls", "smtp+ssl", "smtp", "smtps", "consolemail", "filemail", "dummymail")
    return _scheme("Mail", written, schemes)


def _workers(written: str, database: str, redis: str) -> int:
    shared = database.startswith("postgres") and bool(redis)
    count = int(written) if str(written).isdecimal() else 0
    if written and not 1 <= count <= 64:
        raise BadAnswer("The number of workers must be from 1 to 64.")
    if count > 1 and not shared:
        raise BadAnswer("Several workers need PostgreSQL and Redis. Use one with SQLite.")
    return count or (2 if shared else 1)


def _address(written: str) -> str:
    try:
        return str(IPv4Address(written))
    except ValueError:
        raise BadAnswer(
            f"--listen must be an IPv4 address of this host, not {written!r}."
        ) from None


def _upstream(written: str) -> str:
    host, _, port = written.strip().rpartition(":")
    if not re.fullmatch(r"[-a-z0-9.]+", host) or not port.isdecimal():
        raise BadAnswer(f"--others must list processes like 10.0.0.2:8001, not {written!r}.")
    return f"{host}:{_port('port', port)}"


def _must_be_shared(listen: str, database: str, redis: str) -> None:
    """Check that the proxy can reach a host, and that the host can reach database and Redis."""
    if IPv4Address(listen).is_loopback:
        raise BadAnswer("Pass --listen with the address of this host in your private network.")
    for what, where in (("database", database), ("redis", redis)):
        host = urlsplit(where).hostname or ""
        if host in ("", "localhost") or host.startswith("127."):
            raise BadAnswer(
                f"Only the first host can reach its {what}. Open it to your private network"
                f" (docs/scale.md), and pass --{what} with its address there."
            )


def _port(what: str, written: str) -> int:
    if not str(written).isdecimal() or not 0 < int(written) < 65536:
        raise BadAnswer(f"The {what} must be a number from 1 to 65535, not {written!r}.")
    return int(written)


def _one_of(what: str, written: str, known: tuple[str, ...]) -> str:
    if written not in known:
        raise BadAnswer(
            f"The {what} must be {', '.join(known[:-1])} or {known[-1]}, not {written!r}."
        )
    return written


def _word(what: str, written: str) -> str:
    if not written.replace("-", "").replace("_", "").isalnum():
        raise BadAnswer(f"The {what} must be a plain name, not {written!r}.")
    return written


def _plain_path(path: Path) -> Path:
    if set(str(path)) & set(" '\"\\$%;{}\n"):
        raise BadAnswer(f"Characters in the path {str(path)!r} break services and proxies.")
    return path
