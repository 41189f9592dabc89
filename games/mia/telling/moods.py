"""Faces in Mia: a player who calls grins, and players who lose the round sweat."""

from __future__ import annotations

from collections.abc import Mapping

from games.contract.beats import Mood
from games.contract.data import Seat
from games.mia.rules.state import Announced, Events, PlayerLost, PlayerWantsToSee


def moods(event: Events) -> Mapping[Seat, Mood]:
    match event:
        case PlayerWantsToSee(who):
            return {who: "grin"}
        case Announced(who):
            return {who: ""}
        case PlayerLost():
            return dict.fromkeys(event.usernames, "sweat")
        case _:
            return {}
