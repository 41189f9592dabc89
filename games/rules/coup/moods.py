"""How faces look in Iron Throne: who is challenged sweats, who is proved right grins."""

from __future__ import annotations

from collections.abc import Mapping

from games.rules.beats import Mood
from games.rules.coup.state import (
    ActionDeclared,
    BluffCaught,
    Challenged,
    Events,
    InfluenceLost,
    RoleShown,
)
from games.rules.data import Seat


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
