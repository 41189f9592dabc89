"""Checks of services: Redis, mail and Mia over UDP."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator

from django.conf import settings
from django.core.mail import get_connection

from operations.deployment.env_text import without_password
from operations.doctor.findings import Finding, error, ok, warning

SLOW = 0.05
ANSWERS_WITHIN = 2.0
ASKED = b"REGISTER;;"
"""A registration without a name. It has no effect, because every server rejects it."""


def redis_answers() -> Iterator[Finding]:
    """Check that Redis is set up if several processes need it, and that it responds quickly."""
    if not settings.REDIS_URL:
        several = settings.WORKERS > 1
        if several:
            yield error("redis", "Several workers need Redis.", "Set REDIS_URL, or WORKERS=1.")
        else:
            yield ok("redis", "Not used; a single process does not need it.")
        return
    from redis import Redis  # (imported only if Redis is in use)
    from redis.exceptions import RedisError

    where = without_password(settings.REDIS_URL)
    try:
        with Redis.from_url(settings.REDIS_URL, socket_timeout=3) as redis:
            began = time.monotonic()
            redis.ping()
            took = time.monotonic() - began
            info = redis.info()
    except (RedisError, OSError) as failed:
        do = "systemctl status redis-server; is REDIS_URL right?"
        said = f"{where} does not answer ({type(failed).__name__})."
        yield error("redis", f"{said} Changes by other processes appear two seconds late.", do)
        return
    if took > SLOW:
        yield warning(
            "redis", f"{where} took {took:.2f} s to answer.", "Move it closer to the server."
        )
    else:
        yield ok("redis", f"Redis {info['redis_version']} at {where}, {took * 1000:.0f} ms away.")


def mail() -> Iterator[Finding]:
    """Check that the mail server accepts a connection."""
    if not settings.MAIL:
        do = "Set EMAIL_URL to let people reset forgotten passwords."
        yield warning("mail", "No mail is sent.", do)
        return
    connection = get_connection(fail_silently=False)
    try:
        connection.open()
        connection.close()
    except (OSError, ValueError) as failed:
        do = "Check EMAIL_URL: host, port, smtp+tls or smtp+ssl, user and password."
        yield error("mail", f"The mail server refused the connection: {failed}", do)
        return
    host = getattr(settings, "EMAIL_HOST", "") or "it"
    yield ok("mail", f"{host} accepts mail from {settings.DEFAULT_FROM_EMAIL}.")


def udp() -> Iterator[Finding]:
    """Check that the server responds on the UDP port for Mia."""
    port = settings.MIA_UDP_PORT
    if port is None:
        yield ok("udp", "Off.")
        return
    host = settings.MIA_UDP_HOST
    at = "127.0.0.1" if host in ("0.0.0.0", "::", "") else host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.settimeout(ANSWERS_WITHIN)
        try:
            asking.sendto(ASKED, (at, port))
            answer = asking.recv(512)
        except OSError:
            answer = b""
    if not answer.startswith(b"REJECTED"):
        do = "Is the server running? Does another program use the port?"
        yield error("udp", f"Nothing answers at {at}:{port}.", do)
    elif at == host and host.startswith("127.") and settings.HTTPS:
        do = "Set MIA_UDP_HOST=0.0.0.0, and open the port in the firewall."
        yield warning("udp", f"Only programs on this machine can reach {host}:{port}.", do)
    else:
        yield ok("udp", f"It answers at {at}:{port}.")
