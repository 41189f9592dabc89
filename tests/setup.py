"""Gets what the tests need beyond Python packages. `python -m tests.setup`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass

from tests.installed import chromium, is_installed


@dataclass(frozen=True)
class Needed:
    """A program, the system's package that brings it, and how to tell whether it is there."""

    name: str
    package: str
    is_here: Callable[[], bool]


NEEDED = (
    Needed("Chromium", "chromium", lambda: chromium() is not None),
    Needed("PostgreSQL", "postgresql", lambda: is_installed("initdb")),
    Needed("Redis", "redis-server", lambda: is_installed("redis-server")),
)


def main() -> None:
    """Install what is missing from the system's packages, or say in a sentence what to do."""
    missing = [one for one in NEEDED if not one.is_here()]
    if not missing:
        return
    names = ", ".join(one.name for one in missing)
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        sys.exit(f"The tests need {names}: please install what is missing, then try again.")
    print(f"Installing {names} from the system's packages …", flush=True)
    _install([one.package for one in missing])
    if left := [one.name for one in missing if not one.is_here()]:
        sys.exit(f"{', '.join(left)} could not be installed: please install it by hand.")


def _install(packages: list[str]) -> None:
    """Install packages without letting their services start: tests start their own."""
    quiet = {"stdout": subprocess.DEVNULL, "check": True}
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
    subprocess.run(["apt-get", "update", "-qq"], env=environment, **quiet)
    command = ["apt-get", "install", "-y", "-qq", *packages]
    subprocess.run(command, env=environment, **quiet)


if __name__ == "__main__":
    main()
