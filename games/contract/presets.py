"""Options that go together: sets to be chosen by one tap, and headings for the rest."""

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
"""Heading of what a game has put under no other."""
Groups = tuple[tuple[Text, tuple[str, ...]], ...]
"""Headings, each with the wire names of its options."""


@dataclass(frozen=True)
class Preset:
    """A set of options (an instance of the game's own), and what it is for."""

    key: Key
    about: Text
    options: Any
    art: tuple[str, ...] = ()
    """Names of its pictures (the game's `art` template)."""

    @property
    def name(self) -> Text:
        """As it stands on its button."""
        return NAMES[self.key]
