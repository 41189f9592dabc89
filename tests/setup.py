"""Install what the tests need besides Python packages. `python -m tests.setup`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass

from tests.installed import chromium, is_installed, quick_chromium


def _never() -> bool:
    return False


@dataclass(frozen=True)
class Needed:
    """A program, the system packages that provide it (best first), and whether it is installed."""

    name: str
    packages: tuple[str, ...]
    is_here: Callable[[], bool]
    is_slow: Callable[[], bool] = _never


NEEDED = (
    Needed(
        "Chromium",
        ("chromium-headless-shell", "chromium"),
        lambda: chromium() is not None,
        lambda: quick_chromium() is None,
    ),
    Needed("PostgreSQL", ("postgresql",), lambda: is_installed("initdb")),
    Needed("Redis", ("redis-server",), lambda: is_installed("redis-server")),
    Needed("nginx", ("nginx-light", "nginx"), lambda: is_installed("nginx")),
)


def main() -> None:
    """Install missing system packages, or print in one sentence what to do."""
    wanted = [one for one in NEEDED if not one.is_here() or one.is_slow()]
    if wanted and shutil.which("apt-get") and os.geteuid() == 0:
        print(f"Installing {_names(wanted)} from the system's packages …", flush=True)
        _apt_get("update")
        for one in wanted:
            _install(one)
    if missing := [one for one in NEEDED if not one.is_here()]:
        sys.exit(f"The tests need {_names(missing)}: please install it, then try again.")


def _names(programs: list[Needed]) -> str:
    return ", ".join(one.name for one in programs)


def _install(program: Needed) -> None:
    """Try the program's packages in turn until it is installed."""
    for package in program.packages:
        _apt_get("install", "-y", package)
        if program.is_here():
            return


def _apt_get(*args: str) -> None:
    """Run apt-get without starting services, because the tests start their own."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
    subprocess.run(["apt-get", "-qq", *args], env=environment, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
