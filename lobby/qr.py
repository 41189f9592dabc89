"""QR codes of URLs."""

from __future__ import annotations

import segno
from django.utils.safestring import SafeString, mark_safe

from games.engine.bounded_cache import BoundedCache

MOST_BYTES = 4 << 20
"""Maximum memory for cached drawings."""
_drawn: BoundedCache[str, SafeString] = BoundedCache(MOST_BYTES, len)


def qr(url: str) -> SafeString:
    """Return the QR code of a URL.

    It is cached because drawing it takes longer than rendering a whole table.
    """
    drawn = _drawn.get(url)
    if drawn is None:
        drawn = mark_safe(drawing(url))
        _drawn.put(url, drawn)
    return drawn


def drawing(url: str) -> str:
    """Return the QR code of a URL without caching it, for URLs that work only once."""
    drawn: str = segno.make_qr(url).svg_inline(border=2, light="#fff", svgclass="qr", omitsize=True)
    return drawn
