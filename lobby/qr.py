"""Addresses as pictures for cameras."""

from __future__ import annotations

from functools import lru_cache

import segno
from django.utils.safestring import SafeString, mark_safe


@lru_cache(maxsize=500)
def qr(url: str) -> SafeString:
    """The drawing of an address: it takes longer than all regions of a table."""
    return mark_safe(drawing(url))


def drawing(url: str) -> str:
    """The same, kept nowhere: for an address that is good once."""
    drawn: str = segno.make_qr(url).svg_inline(border=2, light="#fff", svgclass="qr", omitsize=True)
    return drawn
