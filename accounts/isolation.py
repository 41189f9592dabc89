"""Keep right-to-left text of people from reordering the sentence around it.

Invisible characters do it, not `<bdi>`: the same sentence becomes text on a page, an attribute, a
toast, a title or a push message.
"""

from __future__ import annotations

from unicodedata import bidirectional

OPENS, CLOSES = "\u2068", "\u2069"
"""FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE of Unicode's bidirectional algorithm (UAX 9)."""
RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})


def isolated(text: str) -> str:
    """Return `text` as it can stand inside a left-to-right sentence.

    Left-to-right text comes back unchanged, so most tables pay nothing for it.
    """
    if text.isascii() or text.startswith(OPENS):
        return text
    if not any(bidirectional(letter) in RIGHT_TO_LEFT for letter in text):
        return text
    return f"{OPENS}{text}{CLOSES}"
