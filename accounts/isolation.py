"""Keep right-to-left user text from reordering the sentence around it.

Invisible characters are used instead of `<bdi>`, because the same sentence may become text on a
page, an attribute, a toast, a title or a push message.
"""

from __future__ import annotations

from unicodedata import bidirectional

import regex

OPENS, CLOSES = "\u2068", "\u2069"
"""FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE of Unicode's bidirectional algorithm (UAX 9)."""
RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})
_CONTROL = regex.compile(r"[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]")


def isolated(text: str) -> str:
    """Return `text` made safe for use inside a left-to-right sentence.

    Left-to-right text is returned unchanged.
    """
    if text.isascii() or text.startswith(OPENS):
        return text
    if not any(bidirectional(letter) in RIGHT_TO_LEFT for letter in text):
        return text
    return f"{OPENS}{text}{CLOSES}"


def escaped(text: str, keep: str = "") -> str:
    r"""Return `text` with control characters written as `\u001b`, except those in `keep`.

    Terminals obey escape sequences, and a line break could forge a line of the log. JSON uses the
    same escapes, so a line of JSON stays valid.
    """
    return str(_CONTROL.sub(lambda at: at[0] if at[0] in keep else f"\\u{ord(at[0]):04x}", text))


def for_terminal(text: object) -> str:
    """Return user text made safe for the output of a command."""
    return isolated(escaped(str(text)))
