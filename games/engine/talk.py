"""When bots make claims at a table. Times are seconds since the epoch.

A claim is scheduled when it first becomes possible. Its random delay does not depend on what the
bot will say. Bots start thinking about moves after the last claim.
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
"""Minimum seconds between a claim and an answer to it, however fast bots are."""

Talks = dict[str, float | None]
"""For each claim (`key_of`): when its bot speaks. None if the bot has spoken or decided not to."""


def key_of(seat: Seat, claim: Claim) -> str:
    """Return the key under which a seat's claim is planned."""
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
    """Schedule the claims that bots may still make. Existing plans are kept.

    A bot that answers another (`Claim.order`) starts thinking after that bot has spoken.
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
    """Return the plans without pending claims, because bots may not speak at the moment.

    Pending claims are rescheduled later.
    """
    return {key: None for key, due in before.items() if due is None}


def all_said(talks: Mapping[str, float | None]) -> float:
    """Return the time of the last scheduled claim, or 0.0 if there is none."""
    return max((due for due in talks.values() if due is not None), default=0.0)


def due_by(talks: Mapping[str, float | None], now: float) -> list[str]:
    """Return the keys of the claims that are due, earliest first."""
    due = [(at, key) for key, at in talks.items() if at is not None and at <= now]
    return [key for _at, key in sorted(due)]


def moved(talks: Mapping[str, float | None], seconds: float) -> Talks:
    """Return the plans postponed by this number of seconds."""
    return {key: None if due is None else due + seconds for key, due in talks.items()}


def _open(game: AnyGame, state: State, players: Sequence[Player]) -> Iterator[tuple[Seat, Claim]]:
    if game.rules.claims is None:
        return
    for player in players:
        if player.bot in game.bots.talks:
            seat = Seat(player.seat)
            yield from ((seat, claim) for claim in game.rules.claims.open(state, seat))
