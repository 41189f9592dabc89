"""How faces look in Cards: who wins a round grins."""

from __future__ import annotations

from collections.abc import Mapping

from games.rules.beats import Mood
from games.rules.cards.state import Events, RoundResult
from games.rules.data import Seat


def moods(event: Events) -> Mapping[Seat, Mood]:
    match event:
        case RoundResult(winners=winners):
            return dict.fromkeys(winners, "grin")
        case _:
            return {}
