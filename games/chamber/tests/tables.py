"""Chamber tables for the tests, and whole matches played by bots."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.chamber import GAME
from games.chamber.rules.state import (
    AT_REST,
    Aim,
    Ammo,
    Item,
    Options,
    Player,
    Rounds,
    State,
)
from games.contract.core import Change, Event, Move, all_seats
from games.contract.data import Seat, Viewer
from games.contract.luck import Luck, ScriptedLuck, bot_luck

A, B, C, D = all_seats(4)
KIND: Mapping[str, Ammo] = {"L": "live", "b": "blank"}


def table(
    chamber: str = "LbL",
    n: int = 3,
    on_turn: Seat = A,
    items: Mapping[Seat, Sequence[Item]] | None = None,
    lives: Mapping[Seat, int] | None = None,
    aim: Aim | None = None,
    **changes: Any,
) -> State:
    """Return a turn in the first round. The chamber is written front first: L live, b blank."""
    ammo = tuple(KIND[letter] for letter in chamber)
    facts: dict[str, Any] = {
        "options": Options(),
        "round": 1,
        "turn_count": on_turn,
        "loaded": Rounds(live=ammo.count("live"), blank=ammo.count("blank")),
        "fallen": (),
    }
    return State(
        clock=1,
        prompts=(1,) * n,
        phase="turn",
        players=_players(n, items or {}, lives or {}),
        ammo=ammo,
        fired=(),
        waiting=(),
        aim=aim or Aim(),
        reason=None,
        **{**facts, **changes},
    )


def window(
    live: int,
    blank: int,
    items: Mapping[Seat, Sequence[Item]],
    n: int = 3,
    lives: Mapping[Seat, int] | None = None,
    options: Options | None = None,
    cap: int = 75,
) -> State:
    """Return the Rebalancer window of the first round, open to all holders of a Rebalancer."""
    return State(
        clock=1,
        prompts=(1,) * n,
        options=options or Options(),
        phase="rebalance",
        round=1,
        turn_count=0,
        players=_players(n, items, lives or {}),
        loaded=Rounds(live=live, blank=blank),
        ammo=None,
        fired=(),
        waiting=tuple(seat for seat in all_seats(n) if "rebalancer" in items.get(seat, ())),
        aim=AT_REST,
        fallen=(),
        reason=None,
        rebalance_cap=cap,
    )


def apply(state: State, seat: Seat, move: Move, **script: Sequence[Any]) -> Change[State]:
    """Apply a move with scripted draws only."""
    return GAME.rules.apply(state, seat, move, ScriptedLuck(**script))


def play(state: State, seat: Seat, *moves: Move) -> State:
    """Apply several moves of one seat that draw nothing at random."""
    for move in moves:
        state = apply(state, seat, move).state
    return state


def fresh_round(n: int, starter: int, cards: Sequence[int] | None = None) -> dict[str, Any]:
    """Return the draws of a new round: one live, one blank, Rebalancers last in the deck."""
    copies = max(4, n)
    unlucky = range(3 * copies, 4 * copies)
    without = (*range(3 * copies), *range(4 * copies, 7 * copies), *unlucky)
    return {
        "live": [0],
        "blank": [0],
        "items": [cards or without],
        "chamber": [(0, 1)],
        "starter": [starter],
    }


def told(change: Change[State], viewer: Viewer = None) -> tuple[Event, ...]:
    """Return the events sent to the gallery, or to a seat."""
    return tuple(
        told.event
        for told in change.told
        if told.to is None or (viewer is not None and viewer in told.to)
    )


def names(change: Change[State]) -> list[str]:
    """Return the wire names of the public events."""
    return [str(event.__struct_config__.tag) for event in told(change)]


def lives(state: State) -> tuple[int, ...]:
    return tuple(player.lives for player in state.players)


def on_turn(state: State) -> tuple[Viewer, int]:
    """Return the values that the engine compares for TurnStart and TurnEnd."""
    turn = GAME.rules.turn(state)
    return turn.seat, turn.count


@dataclass(frozen=True)
class Decision:
    """A point in a match at which a bot moves."""

    state: State
    seat: Seat
    heard: tuple[Event, ...]
    move: Move
    after: State


def match(n: int, seed: int, levels: Sequence[str], options: Options) -> Iterator[Decision]:
    """Play a whole match, one decision at a time. In the window the answering order is random."""
    key, act = seed.to_bytes(8, "big"), 1
    order = Luck(b"order" + key, 0)
    heard: list[tuple[Event, ...]] = [() for _ in range(n)]
    change = GAME.rules.setup(n, options, Luck(key, act))
    while True:
        state = change.state
        heard = [heard[seat] + told(change, seat) for seat in all_seats(n)]
        if not GAME.rules.awaited(state):
            return
        seat = order.pick("seat", GAME.rules.awaited(state))
        luck = bot_luck(key, seat, state.prompts[seat])
        view, offers = GAME.rules.view(state, seat), GAME.rules.offers(state, seat)
        move = GAME.bots.levels[levels[seat]](seat, view, offers, heard[seat], (), luck)
        act += 1
        change = GAME.rules.apply(state, seat, move, Luck(key, act))
        yield Decision(state, seat, heard[seat], move, change.state)


def _players(
    n: int, items: Mapping[Seat, Sequence[Item]], lives: Mapping[Seat, int]
) -> tuple[Player, ...]:
    return tuple(
        Player(lives=lives.get(seat, 5), items=tuple(items.get(seat, ()))) for seat in all_seats(n)
    )
