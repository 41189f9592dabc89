"""The rows of a file in any format, one per card."""

from __future__ import annotations

import re
from typing import Any

from games.cards.rules.packs import BLANK, LONGEST_PROMPT

Row = tuple[str, str, dict[str, Any]]
"""The position of the card in the file, `prompt` or `answer`, and the card's fields under their
JSON names.
"""

LONGEST_TEXT = 4 * LONGEST_PROMPT
"""Maximum characters of a text that is processed. Longer texts are refused without processing."""

_RUN = re.compile(r"_+")
_MARKERS = re.compile(r"_+|\{\}|%s|<blank>", re.IGNORECASE)


def with_blanks(text: str, every_marker: bool = False) -> str:
    """Return a prompt with one `_` for each run of underscores.

    With `every_marker`, `{}`, `%s` and `<blank>` are blanks as well. Adjacent blanks are separated
    by a space.
    """
    if len(text) > LONGEST_TEXT:
        return text
    marked = (_MARKERS if every_marker else _RUN).sub(BLANK, text)
    return marked.replace("__", "_ _").replace("__", "_ _")


def has_blank(text: str) -> bool:
    """Whether a line has a blank in any notation."""
    return _MARKERS.search(text[:LONGEST_TEXT]) is not None
