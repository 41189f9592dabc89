"""Secret Hitler: detecting contradictory claims, and marking claims as true or false."""

from __future__ import annotations

import pytest

from games.contract.core import ClaimMade
from games.contract.data import Seat
from games.secret_hitler.bots.story import tiles
from games.secret_hitler.rules.state import (
    ChancellorPolicy,
    ExecutiveConfirmation,
    PresidentPolicies,
    View,
)
from games.secret_hitler.rules.verdicts import judged
from games.secret_hitler.tests.table import A, B, D, Table


def claim(seat: Seat, kind: str, liberal: int, about: int = 0) -> ClaimMade:
    return ClaimMade(seat, kind, about, tiles(liberal, 2 if kind == "received" else 3), 0)


def verdicts(view: View, *claims: ClaimMade) -> list[str]:
    return list(judged(view, claims))


@pytest.mark.parametrize(
    ("drew", "got", "clash"), [(0, 0, False), (1, 1, False), (1, 0, True), (0, 1, True)]
)
def test_president_and_chancellor_contradict_each_other_if_one_must_lie(
    drew: int, got: int, clash: bool
) -> None:
    view = Table("LFHLL", deck="FFLFFFFFFF").govern(B).view(None)
    found = verdicts(view, claim(A, "drawn", drew), claim(B, "received", got))
    assert found == ["contradicted" if clash else ""] * 2


@pytest.mark.parametrize("policy", ["F", "L"])
def test_claim_that_rules_out_the_enacted_policy_is_marked(policy: str) -> None:
    view = Table("LFHLL", deck="FLLFFFFFFF").govern(B, policy).view(None)
    wrong = (3, 2) if policy == "F" else (0, 0)
    kinds = zip(("drawn", "received"), wrong, strict=True)
    for kind, liberal in kinds:
        assert verdicts(view, claim(A, kind, liberal)) == ["contradicted"]
    assert verdicts(view, claim(A, "drawn", 1)) == [""]


def test_claims_of_a_peek_and_the_following_draw_can_contradict() -> None:
    table = Table("LFHLL", fascist=2, deck="FFFFFLFFFFFFFF").govern(B)
    assert table.state.phase == "power_ack"
    table.do(A, ExecutiveConfirmation()).elect(D)
    peek = claim(A, "peeked", 1)
    assert verdicts(table.view(None), peek, claim(B, "drawn", 1, 1)) == ["", ""]
    assert verdicts(table.view(None), peek, claim(B, "drawn", 0, 1)) == ["contradicted"] * 2


def test_claims_are_marked_true_or_false_when_the_match_is_over() -> None:
    table = Table("LFHLL", fascist=5, deck="LFFFFFFFFF").elect(B)
    table.do(A, PresidentPolicies((0, 1))).do(B, ChancellorPolicy(1))
    assert table.state.phase == "over"
    claims = (claim(A, "drawn", 1), claim(B, "received", 0))
    assert verdicts(table.view(None), *claims) == ["true", "false"]
