"""Default paragraph of a game's rules text on leaving a match."""

from __future__ import annotations

from games.contract.core import Options
from games.contract.words import Paragraph, _


def of_leaving(options: Options) -> Paragraph:
    """Explain what happens to the seat of a player who leaves (docs/rules/conventions.md C5)."""
    if options.on_leave == "substitute":
        text = _("If you leave, a bot plays on for you. You can take your seat back.")
    else:
        text = _("If you leave, you're out.")
    return Paragraph(text=text, art=("leave",))
