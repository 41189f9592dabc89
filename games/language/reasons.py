"""Why people report something, as they choose it from a list."""

from __future__ import annotations

from collections.abc import Mapping

from games.language.sentences import say
from games.rules.words import Text, _

REASONS: Mapping[str, Text] = {
    "insult": _("insults or threatens somebody"),
    "hate": _("hatred against people for what they are"),
    "sexual": _("sexual, or not for children"),
    "private": _("shows something private of somebody"),
    "spam": _("spam or advertising"),
    "cheating": _("cheats, or spoils the match on purpose"),
    "other": _("something else"),
}


def reasons() -> list[tuple[str, str]]:
    """Every reason with its words, in the active language."""
    return [(code, say(text)) for code, text in REASONS.items()]
