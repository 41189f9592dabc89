"""The drawing of an act, as pages are sent it: what is added before it is told, and what then."""

from __future__ import annotations

import re
from typing import NamedTuple

from games.models import Match
from games.regions.beats import beats_region
from games.regions.templating import render
from games.regions.viewpoint import viewpoint
from games.tables.loading import load
from games.tables.table import Json, Table
from tests.kit.acting import looks
from tests.kit.factories import PersonFactory, open_table, start_match

TEMPLATE = re.compile(r"<template (?:data-at=\"(\d+)\"|data-told)>(.*?)</template>", re.DOTALL)


class Drawing(NamedTuple):
    """A drawing, taken apart."""

    stages: list[Json]
    """The beats that are drawn, without when they begin."""
    before: list[tuple[int, str]]
    """The pieces that are added before all is told, each with its millisecond."""
    told: str
    """What is added when all is told."""
    size: int


def watched(game: str, seats: int, **options: object) -> Match:
    """A match whose people all have a page open."""
    people = [PersonFactory() for _ in range(seats)]
    room = open_table(*people, game=game, **options)
    looks(room, *people)
    return start_match(room)


def drawing(before: Table, match: Match) -> Drawing:
    """The drawing of what has happened since, as a big screen is sent it."""
    now = load(match.room_id, before)
    eyes = viewpoint(now, None, "en")
    region = beats_region(now, now.acts, eyes)
    html = render(now, region, "en")
    pieces = [(at, drawn.strip()) for at, drawn in TEMPLATE.findall(html)]
    stages = [beat for beat in region.part["beats"] if beat["stage"]]
    start = stages[0]["from"] if stages else 0
    return Drawing(
        stages=[{**beat, "from": round(beat["from"] - start, -1)} for beat in stages],
        before=[(int(at), drawn) for at, drawn in pieces if at],
        told=next((drawn for at, drawn in pieces if not at), ""),
        size=sum(len(drawn) for _, drawn in pieces),
    )
