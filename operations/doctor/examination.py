"""All checks, in the order of the report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from operations.doctor import address, database, machine, services, settings_used, staff
from operations.doctor.findings import Finding, Look, of

DATABASE = frozenset({"database"})
TABLES = DATABASE | {"migrations"}
ADDRESS = frozenset({"address"})

LOOKS: tuple[tuple[str, Look, frozenset[str]], ...] = (
    ("settings", settings_used.settings_are_safe, frozenset()),
    ("settings", settings_used.settings_file, frozenset()),
    ("settings", settings_used.removed_settings, frozenset()),
    ("settings", settings_used.unknown_settings, frozenset()),
    ("versions", machine.versions, frozenset()),
    ("static files", machine.static_files, frozenset()),
    ("database", database.connects, frozenset()),
    ("database", database.private, DATABASE),
    ("connections", database.connections_suffice, DATABASE),
    ("clock", machine.clock, DATABASE),
    ("migrations", database.migrations, DATABASE),
    ("staff", staff.second_step, TABLES),
    ("durability", database.durability, DATABASE),
    ("free space", database.free_space, DATABASE),
    ("integrity", database.integrity, TABLES),
    ("backup", machine.backups, frozenset()),
    ("server", database.leader, TABLES),
    ("redis", services.redis_answers, frozenset()),
    ("mail", services.mail, frozenset()),
    ("udp", services.udp, frozenset()),
    ("address", address.reached, frozenset()),
    ("proxy", address.proxies, ADDRESS),
    ("body limit", address.large_body, ADDRESS),
    ("websocket", address.web_socket, ADDRESS),
)
"""The checks: subject, function, and the subjects that must be free of errors first.

If one of these has an error, the check is skipped. So each fault is reported only once.
"""


THOROUGH = ("integrity", "mail", "address", "proxy", "body limit", "websocket")
"""Subjects whose checks are slow or send requests to the server."""


def quick_findings() -> Iterator[Finding]:
    """Run the checks that are fast enough for a page."""
    yield from findings(without=THOROUGH)


def findings(without: Sequence[str] = ()) -> Iterator[Finding]:
    """Run all checks in order, and yield what they find."""
    wrong: set[str] = set()
    for about, look, needs in LOOKS:
        if about in without or wrong & needs:
            continue
        found = of(look, about)
        wrong |= {about for finding in found if finding.level == "error"}
        yield from found
