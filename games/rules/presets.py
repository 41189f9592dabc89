"""Options that go together, to be chosen by one tap where a table is made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from games.rules.words import Text, _

Key = Literal["official", "party", "quick"]
NAMES: dict[Key, Text] = {
    "official": _("Official"),
    "party": _("Party rules"),
    "quick": _("Quick"),
}


@dataclass(frozen=True)
class Preset:
    """A set of options (an instance of the game's own), and what it is for."""

    key: Key
    about: Text
    options: Any

    @property
    def name(self) -> Text:
        """As it stands on its button."""
        return NAMES[self.key]
