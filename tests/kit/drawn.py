"""What is drawn of an act, before it is told and then."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

from games.engine import time_source
from games.engine.told import ToldAct
from games.protocol.wire import to_wire
from games.regions.beats import beats_region
from games.regions.templating import render
from games.regions.viewpoint import viewpoint
from games.rules.core import Event
from games.tables.loading import load
from tests.kit.factories import PersonFactory, open_table, start_match

PIECE = re.compile(r"<template data-(at|told)[^>]*>(.*?)</template>", re.DOTALL)


def pieces(slug: str, *events: Event) -> tuple[list[str], str]:
    """The pieces added before an act with these events of Ann and Bob is told, and the one then."""
    people = [PersonFactory(name=name) for name in ("Ann", "Bob")]
    room = open_table(*people, game=slug)
    start_match(room)
    table = load(room.pk)
    assert table.match is not None
    row = table.match.row
    row.awaited_from = time_source.now() + timedelta(seconds=60)
    told = tuple((to_wire(event, table.names), None, event) for event in events)
    newest = ToldAct(row.pk, row.version, "move", told, table.match.game)
    region = beats_region(replace(table, newest=newest), [newest], viewpoint(table, None, "en"))
    found = PIECE.findall(render(table, region, "en"))
    for person in people:
        person.delete()
    return [html for when, html in found if when == "at"], found[-1][1]
