"""How settings are written where a number is not enough."""

from __future__ import annotations

import re

from django.core.exceptions import ImproperlyConfigured

_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def read_limit(written: str) -> tuple[int, int] | None:
    """`30/10m` as (30, 600): so many in so many seconds. `0` is no limit: None."""
    if written.strip() in ("", "0"):
        return None
    found = re.fullmatch(r"([1-9]\d*)/([1-9]\d*)?([smhd])", written.strip())
    if found is None:
        raise ImproperlyConfigured(f"A limit is written like 30/10m or 60/h, not {written!r}.")
    return int(found[1]), int(found[2] or 1) * _SECONDS[found[3]]
