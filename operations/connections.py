"""Limits of the connections to PostgreSQL."""

from __future__ import annotations

LEAST, MOST = 9, 24
USUAL_LIMIT = 97
"""Connections that PostgreSQL allows by default, without those for superusers."""
SPARE = 10
"""Connections to leave for superusers, backups and commands."""


def usual_of_each(workers: int) -> int:
    """Return the default limit of each process if a host runs this many."""
    return max(LEAST, min(MOST, (USUAL_LIMIT - 1) // max(1, workers)))
