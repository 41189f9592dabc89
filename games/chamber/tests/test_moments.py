"""The drawing of a shot in Chamber does not reveal the shell before the hammer falls."""

from __future__ import annotations

from typing import Any

import pytest

from games.chamber.rules.state import AirShot, Events, PlayerEliminated, Shot
from games.chamber.telling.beats import beats
from games.chamber.tests.tables import A, B
from games.contract.beats import Beat
from tests.kit.drawings import pieces

pytestmark = pytest.mark.django_db(transaction=True)

AT_BOB = Shot(A, B, "live", 1, False), Shot(A, B, "live", 2, False), Shot(A, B, "blank", 0, False)
AT_SELF = Shot(A, A, "live", 1, False), Shot(A, A, "blank", 0, False)
FORFEIT = Shot(A, A, "live", 1, True), Shot(A, A, "blank", 0, True)
AIR = AirShot(A, "live"), AirShot(A, "blank")
OUTCOMES = pytest.mark.parametrize("events", [AT_BOB, AT_SELF, FORFEIT, AIR])


def staged(event: Events) -> list[Beat]:
    return [beat for beat in beats(event) if beat.stage]


@OUTCOMES
def test_text_before_a_shot_is_the_same_for_every_shell(events: tuple[Events, ...]) -> None:
    first, *others = (staged(event) for event in events)
    assert len(first) == 1
    assert all(other == first for other in others)


@OUTCOMES
def test_animation_before_a_shot_is_the_same_for_every_shell(
    events: tuple[Events, ...], settings: Any
) -> None:
    settings.BEATS = 1.0
    first, *others = (pieces("chamber", event) for event in events)
    assert len(first[0]) == 3
    assert all(other[0][:2] == first[0][:2] for other in others)
    assert len({(fired, told) for (_, _, fired), told in (first, *others)}) == len(events)


@OUTCOMES
def test_shot_flashes_at_most_once(events: tuple[Events, ...], settings: Any) -> None:
    settings.BEATS = 1.0
    flashes = []
    for event in events:
        before, told = pieces("chamber", event)
        flashes.append("".join((*before, told)).count('class="bang"'))
    assert flashes[0] == 1  # live
    assert set(flashes) == {0, 1}


def test_hit_breaks_a_heart_per_life_lost(settings: Any) -> None:
    settings.BEATS = 1.0
    (bang, once), (_, twice), (click, blank) = (
        (fired, told) for (_, _, fired), told in (pieces("chamber", event) for event in AT_BOB)
    )
    assert [one.count("heart-breaks") for one in (once, twice, blank)] == [1, 2, 0]
    assert [one.count('<span class="lives') for one in (once, twice, blank)] == [1, 1, 0]
    assert ["#c-live" in one for one in (once, twice, blank)] == [True, True, False]
    assert "#c-blank" in blank
    assert "Live!" in once
    assert "BANG!" in bang
    assert "Click." in click
    assert "#grin" in click
    assert "#out" in pieces("chamber", AT_BOB[0], PlayerEliminated(B, A))[1]
