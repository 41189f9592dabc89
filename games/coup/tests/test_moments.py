"""Drawings of a challenge and a lost card in Iron Throne do not reveal the result early."""

from __future__ import annotations

from typing import Any

import pytest

from games.contract.beats import Beat
from games.contract.core import Event
from games.contract.data import BySeat, Seat
from games.coup.rules.state import (
    ActionDone,
    ActionStopped,
    BluffCaught,
    Challenged,
    CostPaid,
    CoupOptions,
    Exchanged,
    InfluenceLost,
    PlayerEliminated,
    RoleShown,
)
from games.coup.telling.beats import beats
from games.engine.shows import held
from tests.kit.drawings import drawn, pieces

A, B = Seat(0), Seat(1)
CALL = Challenged(B, A, "arya")
TRUE = CALL, RoleShown(A, "arya")
TRUE_AND_OUT = *TRUE, InfluenceLost(B, "hound", 1), PlayerEliminated(B)
BLUFF = CALL, BluffCaught(A, "arya"), ActionStopped(A, "Steal", "challenge")
BLUFF_AND_OUT = *BLUFF, InfluenceLost(A, "hound", 1), PlayerEliminated(A)
CHALLENGES = (TRUE, TRUE_AND_OUT, BLUFF, BLUFF_AND_OUT)
LOSSES = (
    (InfluenceLost(A, "hound", 1),),
    (InfluenceLost(A, "arya", 0),),
    (InfluenceLost(A, "hound", 1), PlayerEliminated(A)),
)


@pytest.fixture(autouse=True)
def _what_happens_is_shown(settings: Any) -> None:
    settings.BEATS = 1.0


ACTS = pytest.mark.parametrize("acts", [CHALLENGES, LOSSES])


def shown(*events: Event) -> tuple[Beat, ...]:
    game = beats(CoupOptions())
    return game.act(tuple(beat for event in events for beat in game.of(event)))


@ACTS
def test_text_before_a_card_is_revealed_is_the_same_for_every_outcome(
    acts: tuple[tuple[Event, ...], ...],
) -> None:
    first, *others = ([beat for beat in shown(*act) if beat.stage] for act in acts)
    assert len(first) == 1
    assert all(other == first for other in others)
    assert len({held(shown(*act), "normal") for act in acts}) == 1


@pytest.mark.django_db(transaction=True)
@ACTS
def test_animation_before_the_reveal_is_the_same_for_every_outcome(
    acts: tuple[tuple[Event, ...], ...],
) -> None:
    first, *others = (pieces("coup", *act) for act in acts)
    assert len(first[0]) == (2 if acts is CHALLENGES else 1)
    early = "".join(first[0])
    assert "figure" not in early.replace("<figure", "").replace("</figure", "")
    assert all(other[0] == first[0] for other in others)
    assert len({told for _, told in (first, *others)}) == len(acts)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("act", "verdict", "felt"),
    [
        (TRUE_AND_OUT, "True!", 'data-felt-1="60 40 60"'),
        (BLUFF_AND_OUT, "Bluff!", 'data-felt-0="60 40 60"'),
    ],
)
def test_card_lost_in_a_challenge_rises_and_cracks_after_the_verdict(
    act: tuple[Event, ...], verdict: str, felt: str
) -> None:
    told, rises, cracks = drawn("coup", *act).split("<template ")[-3:]
    assert told.startswith("data-told")
    assert verdict in told
    assert "gone" not in told
    assert rises.startswith('data-after="1650" data-sound="card"')
    assert "losing" in rises
    assert cracks.startswith(f'data-after="2400" data-sound="crack" {felt}')
    assert "gone half" in cracks


def test_flying_items_reveal_only_public_information() -> None:
    taken = {Seat(0): 5, Seat(1): 0}
    acts = (
        (ActionDone(A, "Tax", None, BySeat({A: 5})), "coin", [(3, None, A)]),
        (ActionDone(A, "Steal", B, BySeat(taken)), "coin", [(2, B, A)]),
        (ActionDone(A, "Steal", B, BySeat({})), "", []),
        (CostPaid(A, 7, 0), "coin", [(7, A, None)]),
        (Exchanged(A), "throne-back", [(2, None, A), (2, A, None)]),
    )
    for event, what, expected in acts:
        (beat,) = shown(event)
        assert [one[1:] for one in beat.flies] == expected
        assert all(one.what == what for one in beat.flies)
