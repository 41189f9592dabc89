"""Reasons for a report, as offered by the report form."""

from __future__ import annotations

from collections.abc import Mapping

from games.contract.words import Text, _
from games.tables.sentences import say

REASONS: Mapping[str, Text] = {
    "insult": _("insults or threats"),
    "hate": _("hate speech"),
    "sexual": _("sexual, or not suitable for children"),
    "private": _("shares private information"),
    "spam": _("spam or advertising"),
    "cheating": _("cheating or spoiling the match"),
    "other": _("something else"),
}


def reasons() -> list[tuple[str, str]]:
    """Return every reason for a report, with its label in the active language."""
    return [(code, say(text)) for code, text in REASONS.items()]
