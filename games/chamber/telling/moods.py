"""Faces in Chamber: a player who is hit sweats. (The drawing shows who was missed.)"""

from __future__ import annotations

from collections.abc import Mapping

from games.chamber.rules.state import Events, Shot
from games.contract.beats import Mood
from games.contract.data import Seat


def moods(event: Events) -> Mapping[Seat, Mood]:
    match event:
        case Shot(username=target, ammo_type="live"):
            return {target: "sweat"}
        case _:
            return {}
