"""Faces in Secret Hitler: an investigated player sweats, one cleared of being Hitler grins."""

from __future__ import annotations

from collections.abc import Mapping

from games.contract.beats import Mood
from games.contract.data import Seat
from games.secret_hitler.rules.events import Events, NotHitlerConfirmed, PlayerInvestigated


def moods(event: Events) -> Mapping[Seat, Mood]:
    match event:
        case NotHitlerConfirmed(who):
            return {who: "grin"}
        case PlayerInvestigated(target=target):
            return {target: "sweat"}
        case _:
            return {}
