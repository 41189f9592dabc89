"""The drawing of a shot in Chamber: it says nothing of the shell until the act is told."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from games.engine import time_source
from games.engine.told import ToldAct
from games.protocol.wire import to_wire
from games.regions.beats import beats_region
from games.regions.templating import render
from games.regions.viewpoint import viewpoint
from games.rules.beats import Beat
from games.rules.chamber.beats import beats
from games.rules.chamber.state import AirShot, Events, PlayerEliminated, Shot
from games.rules.core import Event
from games.tables.loading import load
from tests.kit.chamber_tables import A, B
from tests.kit.factories import PersonFactory, open_table, start_match

pytestmark = pytest.mark.django_db(transaction=True)

PIECE = re.compile(r"<template data-(at|told)[^>]*>(.*?)</template>", re.DOTALL)
AT_BOB = Shot(A, B, "live", 1, False), Shot(A, B, "live", 2, False), Shot(A, B, "blank", 0, False)
AT_SELF = Shot(A, A, "live", 1, False), Shot(A, A, "blank", 0, False)
FORFEIT = Shot(A, A, "live", 1, True), Shot(A, A, "blank", 0, True)
AIR = AirShot(A, "live"), AirShot(A, "blank")
OUTCOMES = pytest.mark.parametrize("events", [AT_BOB, AT_SELF, FORFEIT, AIR])


def staged(event: Events) -> list[Beat]:
    return [beat for beat in beats(event) if beat.stage]


@OUTCOMES
def test_what_is_said_before_a_shot_is_the_same_for_every_shell(events: tuple[Events, ...]) -> None:
    first, *others = (staged(event) for event in events)
    assert len(first) == 1
    assert all(other == first for other in others)


@OUTCOMES
def test_nothing_that_is_drawn_before_a_shot_depends_on_the_shell(
    events: tuple[Events, ...], settings: Any
) -> None:
    settings.BEATS = 1.0
    first, *others = (pieces(event) for event in events)
    assert len(first[0]) == 1
    assert all(other[0] == first[0] for other in others)
    assert len({told for _, told in (first, *others)}) == len(events)


def test_a_hit_breaks_a_heart_for_each_life(settings: Any) -> None:
    settings.BEATS = 1.0
    once, twice, blank = (pieces(event)[1] for event in AT_BOB)
    assert [one.count("heart-breaks") for one in (once, twice, blank)] == [1, 2, 0]
    assert "Live!" in once
    assert "Click." in blank
    assert "#grin" in blank
    assert "#out" in pieces(AT_BOB[0], PlayerEliminated(B, A))[1]


def pieces(*events: Event) -> tuple[list[str], str]:
    """What is drawn before an act with these events is told, and what then."""
    people = [PersonFactory(name=name) for name in ("Ann", "Bob")]
    room = open_table(*people, game="chamber")
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
