"""How faces look in Chamber: who is hit sweats, who is missed by a blank grins."""

from __future__ import annotations

from collections.abc import Mapping

from games.rules.beats import Mood
from games.rules.chamber.state import Events, ItemStolen, Shot, SkipUsed
from games.rules.data import Seat


def moods(event: Events) -> Mapping[Seat, Mood]:
    match event:
        case Shot(shooter=who, username=target, ammo_type="live") if who != target:
            return {who: "grin", target: "sweat"}
        case Shot(username=target, ammo_type=kind):
            return {target: "sweat" if kind == "live" else "grin"}
        case SkipUsed(target=target) | ItemStolen(target=target):
            return {target: "sweat"}
        case _:
            return {}
