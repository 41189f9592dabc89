"""Placeholder for a game that is not installed. Tables of such a game stay parked."""

from __future__ import annotations

from functools import cache
from typing import Any, NoReturn

from games.contract.core import Event, Move, State, View
from games.contract.game import AnyGame, Game, Rules
from games.engine.snapshots import Parked
from games.registry import GAMES


def game_of(slug: str) -> AnyGame:
    """Return the game with this slug, or an unplayable placeholder if it is not installed."""
    return GAMES.get(slug) or _absent(slug)


@cache
def _absent(slug: str) -> AnyGame:
    return Game(
        slug=slug,
        name=slug,
        seats=(1, 1),
        rules=Rules(
            version=0,
            state=State,
            view_type=View,
            moves=Move,
            events=Event,
            check=_parked,
            setup=_parked,
            awaited=_parked,
            idles=_parked,
            out=_parked,
            turn=_parked,
            offers=_parked,
            apply=_parked,
            lapse=_parked,
            leave=_parked,
            patience=_parked,
            view=_parked,
            outcome=_parked,
        ),
    )


def _parked(*args: Any) -> NoReturn:
    raise Parked
