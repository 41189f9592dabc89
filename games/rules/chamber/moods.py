"""How faces look in Chamber: who is hit sweats. (The drawing shows who was missed.)"""

from __future__ import annotations

from collections.abc import Mapping

from games.rules.beats import Mood
from games.rules.chamber.state import Events, Shot
from games.rules.data import Seat


def moods(event: Events) -> Mapping[Seat, Mood]:
    match event:
        case Shot(username=target, ammo_type="live"):
            return {target: "sweat"}
        case _:
            return {}
