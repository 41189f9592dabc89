"""When bots claim something at a table. Times are seconds since the epoch.

A claim is planned when it can first be made, after a delay of its own that is drawn before anything
is decided. Bots think about their next moves when all of it has been said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from games.contract.core import Claim, State
from games.contract.data import Seat
from games.contract.game import AnyGame
from games.contract.luck import share_of_delay
from games.engine import timing
from games.models import Player

LATER = 0.001
"""So much later at least speaks who is to have heard somebody, however fast bots are."""

Talks = dict[str, float | None]
"""By claim (`key_of`): when its bot speaks; None: it has spoken, or has chosen to be silent."""


def key_of(seat: Seat, claim: Claim) -> str:
    """Which claim of which seat."""
    return f"{seat}:{claim.kind}:{claim.about}"


def plan(
    game: AnyGame,
    state: State,
    players: Sequence[Player],
    before: Mapping[str, float | None],
    begins: float,
    pace: str,
    seed: bytes,
) -> Talks:
    """What bots may still claim, and when they do. What was planned stays planned.

    Who is to answer somebody (`Claim.order`) begins to think when that bot has spoken.
    """
    plans: Talks = {}
    latest: dict[int, float] = {}
    for seat, claim in sorted(_open(game, state, players), key=lambda one: one[1].order):
        key = key_of(seat, claim)
        due = before.get(key)
        if key not in before:
            heard = (at + LATER for order, at in latest.items() if order < claim.order)
            share = share_of_delay(seed, seat, key.encode())
            due = max((begins, *heard)) + timing.delay(share, pace)
        plans[key] = due
        if due is not None:
            latest[claim.order] = max(due, latest.get(claim.order, due))
    return plans


def held_back(before: Mapping[str, float | None]) -> Talks:
    """While nobody may speak: what was said stays said, and everything else is planned anew."""
    return {key: None for key, due in before.items() if due is None}


def all_said(talks: Mapping[str, float | None]) -> float:
    """When the last of it has been said; 0.0 where nothing is to be said."""
    return max((due for due in talks.values() if due is not None), default=0.0)


def due_by(talks: Mapping[str, float | None], now: float) -> list[str]:
    """The claims whose time has come, the earliest first."""
    due = [(at, key) for key, at in talks.items() if at is not None and at <= now]
    return [key for _at, key in sorted(due)]


def moved(talks: Mapping[str, float | None], seconds: float) -> Talks:
    """All of it so much later."""
    return {key: None if due is None else due + seconds for key, due in talks.items()}


def _open(game: AnyGame, state: State, players: Sequence[Player]) -> Iterator[tuple[Seat, Claim]]:
    if game.rules.claims is None:
        return
    for player in players:
        if player.bot in game.bots.talks:
            seat = Seat(player.seat)
            yield from ((seat, claim) for claim in game.rules.claims.open(state, seat))
