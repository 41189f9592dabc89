"""The `deploy` command line shared by the tests of a deployment."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from django.core.management import call_command


def deploy(folder: Path, **given: Any) -> str:
    """Run `deploy` for a server in this folder and return its output."""
    said = io.StringIO()
    where = {"env_file": folder / "parlour.env", "into": folder / "deploy"}
    options = {"url": "https://play.example.org", "yes": True, **where, **given}
    call_command("deploy", stdout=said, **options)
    return said.getvalue()
