"""Presets (sets of options chosen with one tap), and headings for groups of options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from games.contract.words import Text, _

Key = Literal["official", "party", "quick"]
NAMES: dict[Key, Text] = {
    "official": _("Official"),
    "party": _("Party rules"),
    "quick": _("Quick"),
}
STAKES, SCORING, TIME, PLAYERS = _("Stakes"), _("Scoring"), _("Time"), _("Players")
OTHER = _("The game")
"""Heading of options without another heading."""
Groups = tuple[tuple[Text, tuple[str, ...]], ...]
"""Headings, each with the wire names of its options."""


@dataclass(frozen=True)
class Preset:
    """A set of options (an instance of the game's options class) and a description of it."""

    key: Key
    about: Text
    options: Any
    art: tuple[str, ...] = ()
    """Names of the preset's pictures (in the game's `art` template)."""

    @property
    def name(self) -> Text:
        """The label of the preset's button."""
        return NAMES[self.key]
