"""System checks for the settings of Mia over UDP."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

from django.conf import settings
from django.core.checks import CheckMessage, Error

from games.udp.lines import Dialect


def settings_are_usable(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    """Check that each setting has an allowed value."""
    found: list[CheckMessage] = []
    for name, value, allowed in (
        ("MIA_UDP_PORT", settings.MIA_UDP_PORT, range(1, 65536)),
        ("MIA_ANSWER_MS", settings.MIA_ANSWER_MS, range(1, 600_001)),
    ):
        if value is not None and value not in allowed:
            text = f"{name} is a number from {allowed[0]} to {allowed[-1]}, not {value}."
            found.append(Error(text, id="games.E001"))
    if settings.MIA_DIALECT not in get_args(Dialect):
        text = f"MIA_DIALECT is one of {', '.join(get_args(Dialect))}."
        found.append(Error(text, id="games.E002"))
    return found
