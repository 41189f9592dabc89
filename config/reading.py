"""How settings are written where a number is not enough."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

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


def read_contacts(written: list[str]) -> list[str]:
    """`SECURITY_CONTACT` as RFC 9116 wants it; a plain address of mail becomes mailto:."""
    contacts = []
    for contact in filter(None, map(str.strip, written)):
        uri = contact if ":" in contact else f"mailto:{contact}"
        scheme, known = urlsplit(uri).scheme, ("mailto", "https", "tel")
        if scheme not in known or not uri.isprintable() or " " in uri:
            raise ImproperlyConfigured(f"SECURITY_CONTACT is a mail or https address: {contact!r}")
        contacts.append(uri)
    return contacts
