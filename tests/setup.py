"""Gets what the tests need beyond Python packages: a Chromium. `python -m tests.setup`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def chromium() -> str | None:
    """The path of a Chromium; None where there is none."""
    named = os.environ.get("CHROMIUM")
    return named or next((found for name in NAMES if (found := shutil.which(name))), None)


def main() -> None:
    """Installs the system's Chromium where none is found, or says in a sentence what to do."""
    if chromium():
        return
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        sys.exit("The browser tests need a Chromium: install one, or set CHROMIUM to its path.")
    print("Installing Chromium from the system's packages …", flush=True)
    quiet = {"stdout": subprocess.DEVNULL, "check": True}
    subprocess.run(["apt-get", "update", "-qq"], **quiet)
    subprocess.run(["apt-get", "install", "-y", "-qq", "chromium"], **quiet)
    if not chromium():
        sys.exit("Chromium could not be installed; set CHROMIUM to the path of one.")


if __name__ == "__main__":
    main()
