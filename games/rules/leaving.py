"""What the rules say to people of leaving, where a game has nothing of its own to say of it."""

from __future__ import annotations

from games.rules.core import Options
from games.rules.words import Paragraph, _


def of_leaving(options: Options) -> Paragraph:
    """What becomes of the seat of whoever leaves (conventions C5)."""
    if options.on_leave == "substitute":
        text = _("For whoever leaves a bot plays on. They may take the seat back.")
    else:
        text = _("Whoever leaves is out.")
    return Paragraph(text=text)
