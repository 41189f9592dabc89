"""Size limits for user text, checked before any work is done on it.

Normalising to NFC takes quadratic time on a long run of combining marks, so an unbounded text could
block the server.
"""

from __future__ import annotations

import unicodedata

BYTES_PER_CHARACTER = 8
"""UTF-8 bytes accepted per character of the cleaned text. This leaves room for decomposed letters
and for spaces to trim.
"""


class TooLarge(ValueError):
    """A text is too large to fit its limit, even after cleaning."""


def check_size(text: str, longest: int) -> None:
    """Raise TooLarge if a text cannot fit into `longest` characters, even after cleaning."""
    most = BYTES_PER_CHARACTER * longest
    if len(text) > most or len(text.encode(errors="replace")) > most:
        raise TooLarge


def normalized(text: str, longest: int) -> str:
    """Return the text in NFC. Raise TooLarge if it is too large (`check_size`)."""
    check_size(text, longest)
    return unicodedata.normalize("NFC", text)
