"""Play a program's bot against the built-in bots without a server, for thousands of matches.

It gets the data it would get over the wire (`games.wire.wire`), and its answer is parsed as a
packet.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from games.contract.core import Outcome, Told, all_seats
from games.contract.data import Seat, unpack
from games.contract.game import AnyGame
from games.contract.luck import Luck, bot_luck
from games.registry import GAMES
from games.wire.wire import read_move, to_wire
from parlour_client import Decision, Json, Move
from parlour_client.decision import read_decision

LONGEST = 20_000

OurBot = Callable[[Decision], Move | None]


def share_won(
    slug: str,
    bot: OurBot,
    seats: int,
    matches: int,
    others: str = "random",
    options: Json | None = None,
    side: str = "",
) -> float:
    """Return the share of matches won from a rotating seat; shared wins count their part.

    With `side`, every seat on that side is ours, and the side's wins are counted.
    """
    game, won = GAMES[slug], 0.0
    read = unpack(options or {}, game.rules.options)
    for seed in range(matches):
        ours = _on_side(game, read, seats, seed, side) if side else (Seat(seed % seats),)
        outcome = play(game, read, bot, seats, seed, ours, others)
        together = 1 if game.rules.sides else max(1, len(outcome.winners))
        won += (ours[0] in outcome.winners) / together
    return won / matches


def play(
    game: AnyGame,
    options: Any,
    bot: OurBot,
    seats: int,
    seed: int,
    ours: Sequence[Seat],
    others: str,
) -> Outcome:
    """Play one match to its end. Every move of our bot must be offered."""
    key, names = seed.to_bytes(32, "big"), [f"p{seat}" for seat in range(seats)]
    poll, dice, act = Luck(b"poll" + key, 1), random.Random(seed), 1
    change = game.rules.setup(seats, options, Luck(key, 1))
    heard: list[list[Any]] = [[] for _ in names]
    told: list[list[Json]] = [[] for _ in names]
    _hear(heard, told, change.told, names, act)
    while (outcome := game.rules.outcome(change.state)) is None:
        state = change.state
        asked = game.rules.awaited(state) or tuple(
            s for s in all_seats(seats) if game.rules.offers(state, s)
        )
        seat = asked[poll.draw("who", len(asked))]
        if seat in ours:
            news = told[seat]
            decision = read_decision(_data(game, state, seat, names), news, news, dice)
            assert decision is not None
            chosen = bot(decision)
            assert chosen is not None
            assert chosen in decision, f"{chosen} is not offered"
            move = read_move(game, chosen.packet(), names)
        else:
            offers, view = game.rules.offers(state, seat), game.rules.view(state, seat)
            luck = bot_luck(key, seat, act)
            move = game.bots.levels[others](seat, view, offers, heard[seat], (), luck)
        act += 1
        change = game.rules.apply(state, seat, move, Luck(key, act))
        _hear(heard, told, change.told, names, act)
        assert act < LONGEST, f"seed {seed} does not end"
    return outcome


def _on_side(game: AnyGame, options: Any, seats: int, seed: int, side: str) -> tuple[Seat, ...]:
    assert game.rules.sides is not None
    state = game.rules.setup(seats, options, Luck(seed.to_bytes(32, "big"), 1)).state
    return tuple(Seat(at) for at, on in enumerate(game.rules.sides(state)) if on == side)


def _data(game: AnyGame, state: Any, me: Seat, names: Sequence[str]) -> Json:
    """Return the part of `GameDataSync.data` about a match that a bot reads."""
    view = to_wire(game.rules.view(state, me), names)
    facts = to_wire(game.rules.view(state, None).players, names)
    turn, out = game.rules.turn(state), game.rules.out(state)
    view.pop("players")
    return {
        "game": game.slug,
        "status": "playing",
        "you": names[me],
        "prompt": state.prompts[me],
        "awaited": [names[at] for at in game.rules.awaited(state)],
        "turn": None if turn.seat is None else names[turn.seat],
        "next": None if turn.next is None else names[turn.next],
        "turnCount": turn.count,
        "turnOrder": [names[at] for at in turn.order],
        "view": view,
        "players": [
            {"username": name, "seat": at, "isSpectator": Seat(at) in out, **facts[at]}
            for at, name in enumerate(names)
        ],
        "offers": to_wire(game.rules.offers(state, me), names),
    }


def _hear(
    heard: list[list[Any]],
    told: list[list[Json]],
    news: Sequence[Told],
    names: Sequence[str],
    version: int,
) -> None:
    for one in news:
        plain = {**to_wire(one.event, names), "version": version}
        for seat in all_seats(len(heard)) if one.to is None else one.to:
            heard[seat].append(one.event)
            told[seat].append(plain)
