"""Faces in Cards: the winner of a round grins."""

from __future__ import annotations

from collections.abc import Mapping

from games.cards.rules.state import Events, RoundResult
from games.contract.beats import Mood
from games.contract.data import Seat


def moods(event: Events) -> Mapping[Seat, Mood]:
    match event:
        case RoundResult(winners=winners):
            return dict.fromkeys(winners, "grin")
        case _:
            return {}
