"""Faces in Iron Throne: a challenged player sweats, one who is proved right grins."""

from __future__ import annotations

from collections.abc import Mapping

from games.contract.beats import Mood
from games.contract.data import Seat
from games.coup.rules.state import (
    ActionDeclared,
    BluffCaught,
    Challenged,
    Events,
    InfluenceLost,
    RoleShown,
)


def moods(event: Events) -> Mapping[Seat, Mood]:
    match event:
        case ActionDeclared(target=Seat() as target):
            return {target: "sweat"}
        case Challenged(username=who, against=against):
            return {who: "", against: "sweat"}
        case RoleShown(username=who):
            return {who: "grin"}
        case BluffCaught(username=who) | InfluenceLost(username=who):
            return {who: "sweat"}
        case _:
            return {}
