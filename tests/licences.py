"""List the licences of installed packages: `python -m tests.licences`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

LOCK = Path(__file__).parent.parent / "requirements-dev.lock"
"""It also lists what the extras and developers need."""
REVIEWED = {"axe-playwright-python": "MIT", "pytest-timeout": "MIT"}
"""Licences read by hand, because the package does not declare them in these words."""
KNOWN = re.compile(
    r"\b(MIT|BSD|Apache|ISC|PSF|Python Software|MPL|Mozilla|ZPL|Zope|LGPL|OFL|Unlicense)\b"
)
"""Licences that let a server use and redistribute a package. (LGPL: psycopg, unmodified.)"""


def pinned() -> list[str]:
    """Return the packages of the lock file."""
    return re.findall(r"^([-\w.]+)==", LOCK.read_text(), re.M)


def licences() -> Iterator[tuple[str, str]]:
    """Return each installed package with the licence it declares."""
    for name in pinned():
        try:
            told = metadata(name)
        except PackageNotFoundError:  # only needed on other systems
            continue
        classified = [c for c in told.get_all("Classifier") or () if c.startswith("License")]
        given = [told.get("License-Expression"), *classified, told.get("License")]
        found = [line.splitlines()[0] for line in given if line]
        declared = found[0].rpartition(":: ")[2] if found else "unknown"
        yield name, REVIEWED.get(name, declared)


def odd() -> list[str]:
    """Return the packages whose licence must be reviewed by hand."""
    return [f"{name}: {licence}" for name, licence in licences() if not KNOWN.search(licence)]


if __name__ == "__main__":
    for name, licence in licences():
        print(f"{name:<28} {licence}")
    if found := odd():
        sys.exit(f"To be looked at: {', '.join(found)}")
