"""The animation of an act as pages receive it: pieces added before and with the result."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from typing import NamedTuple

from games.contract.core import Event
from games.engine import time_source
from games.engine.told import ToldAct
from games.models import Match
from games.pages.beats import beats_region
from games.pages.templating import render
from games.pages.viewpoint import viewpoint_of
from games.tables.loading import load
from games.tables.table import Json, Table
from games.wire.wire import to_wire
from tests.kit.acting import looks
from tests.kit.factories import PersonFactory, open_table, start_match

TEMPLATE = re.compile(
    r"<template (?:data-at=\"(\d+)\"|data-told|data-after)[^>]*>(.*?)</template>", re.DOTALL
)


class Drawing(NamedTuple):
    """A parsed drawing."""

    stages: list[Json]
    """The beats drawn, without their start times."""
    before: list[tuple[int, str]]
    """The pieces added before the result is shown, each with its time in milliseconds."""
    told: str
    """The pieces added with the result, and after it."""
    below: list[str]
    """The headlines shown below it at the end."""
    size: int


def watched(game: str, seats: int, **options: object) -> Match:
    """A match of players who all have a page open."""
    people = [PersonFactory() for _ in range(seats)]
    room = open_table(*people, game=game, **options)
    looks(room, *people)
    return start_match(room)


def drawing(before: Table, match: Match) -> Drawing:
    """Return the drawing of everything since `before`, as a big screen receives it."""
    now = load(match.room_id, before)
    viewpoint = viewpoint_of(now, None, "en")
    region = beats_region(now, now.acts, viewpoint)
    html = render(now, region, "en")
    pieces = [(at, drawn.strip()) for at, drawn in TEMPLATE.findall(html)]
    stages = [beat for beat in region.part["beats"] if beat["stage"]]
    start = stages[0]["from"] if stages else 0
    return Drawing(
        stages=[{**beat, "from": round(beat["from"] - start, -1)} for beat in stages],
        before=[(int(at), drawn) for at, drawn in pieces if at],
        told="".join(drawn for at, drawn in pieces if not at),
        below=[beat["beside"] for beat in region.part["beats"] if not beat["stage"]],
        size=sum(len(drawn) for _, drawn in pieces),
    )


def pieces(slug: str, *events: Event) -> tuple[list[str], str]:
    """Return the pieces added before and with the result of these events of Ann and Bob."""
    found = TEMPLATE.findall(drawn(slug, *events))
    return [html for at, html in found if at], "".join(html for at, html in found if not at)


def drawn(slug: str, *events: Event) -> str:
    """Return the drawing of an act with these events of Ann and Bob, as pages receive it."""
    people = [PersonFactory(name=name) for name in ("Ann", "Bob")]
    room = open_table(*people, game=slug)
    start_match(room)
    table = load(room.pk)
    assert table.match is not None
    row = table.match.row
    row.awaited_from = time_source.now() + timedelta(seconds=60)
    told = tuple((to_wire(event, table.names), None, event) for event in events)
    newest = ToldAct(row.pk, row.version, "move", told, table.match.game)
    region = beats_region(replace(table, newest=newest), (newest,), viewpoint_of(table, None, "en"))
    html = render(table, region, "en")
    for person in people:
        person.delete()
    return html
