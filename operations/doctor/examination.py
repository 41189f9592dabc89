"""Everything that is looked at, in the order it is told."""

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
    ("versions", machine.versions, frozenset()),
    ("static files", machine.static_files, frozenset()),
    ("database", database.connects, frozenset()),
    ("database", database.private, DATABASE),
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
    ("websocket", address.web_socket, ADDRESS),
)
"""What is looked at, and what has to be without error for that: one fault is told once."""


THOROUGH = ("integrity", "mail", "address", "proxy", "websocket")
"""What takes its time, or asks the server itself."""


def quick_findings() -> Iterator[Finding]:
    """What can be looked at while a page waits."""
    yield from findings(without=THOROUGH)


def findings(without: Sequence[str] = ()) -> Iterator[Finding]:
    """Look at everything, one thing after the other."""
    wrong: set[str] = set()
    for about, look, needs in LOOKS:
        if about in without or wrong & needs:
            continue
        found = of(look, about)
        wrong |= {about for finding in found if finding.level == "error"}
        yield from found
