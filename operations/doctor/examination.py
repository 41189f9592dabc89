"""Everything that is looked at, in the order it is told."""

from __future__ import annotations

from collections.abc import Iterator

from operations.doctor import address, database, machine, services, settings_used
from operations.doctor.findings import Finding, Look, of

LOOKS: tuple[tuple[str, Look], ...] = (
    ("settings", settings_used.settings_are_safe),
    ("settings", settings_used.settings_file),
    ("versions", machine.versions),
    ("clock", machine.clock),
    ("static files", machine.static_files),
    ("database", database.connects),
    ("migrations", database.migrations),
    ("durability", database.durability),
    ("free space", database.free_space),
    ("integrity", database.integrity),
    ("backup", machine.backups),
    ("server", database.leader),
    ("redis", services.redis_answers),
    ("mail", services.mail),
    ("udp", services.udp),
    ("address", address.reached),
    ("proxy", address.proxies),
    ("websocket", address.web_socket),
)


THOROUGH = ("integrity", "mail", "address", "proxy", "websocket")
"""What takes its time, or asks the server itself."""


def quick_findings() -> Iterator[Finding]:
    """What can be looked at while a page waits."""
    for about, look in LOOKS:
        if about not in THOROUGH:
            yield from of(look, about)


def findings() -> Iterator[Finding]:
    """Look at everything, one thing after the other."""
    for about, look in LOOKS:
        yield from of(look, about)
