"""The claims that players have made in the chat about each government."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.contract.core import ClaimMade

Spoken = Mapping[tuple[str, int], tuple[str, ...]]
"""Claims by kind and session. Each claim can be made once."""


def spoken_of(said: Sequence[ClaimMade]) -> Spoken:
    """Return the claims that human players and bots have made at the table."""
    return {(claim.kind, claim.about): claim.values for claim in said}


def liberals_in(hand: Sequence[str]) -> int:
    """Return how many of these tiles are liberal."""
    return sum(tile == "liberal" for tile in hand)
