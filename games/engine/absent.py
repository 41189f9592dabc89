"""A game that is not installed here: what stands in its place while its tables wait for it."""

from __future__ import annotations

from functools import cache
from typing import Any, NoReturn

from games.engine.snapshots import Parked
from games.rules import GAMES
from games.rules.core import AnyGame, Event, Game, Move, Options, State, View
from games.rules.words import Text, Words


def game_of(slug: str) -> AnyGame:
    """The game of this name; one that nobody can play where it is not installed."""
    return GAMES.get(slug) or _absent(slug)


@cache
def _absent(slug: str) -> AnyGame:
    return Game(
        slug=slug,
        name=slug,
        seats=(1, 1),
        version=0,
        options=Options,
        state=State,
        view_type=View,
        moves=Move,
        events=Event,
        setup=_parked,
        check=_parked,
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
        bots={},
        words=lambda options: _WORDS,
    )


def _parked(*args: Any) -> NoReturn:
    raise Parked


_WORDS: Words[Any] = Words(
    tagline=Text(""),
    prompt=_parked,
    event=_parked,
    refusal=lambda code, facts: Text(code),
    move=Text,
    terms={},
)
