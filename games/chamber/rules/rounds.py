"""Sequence of rounds and turns: deal, Rebalancer window, loading, next turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Concatenate, ParamSpec

from msgspec.structs import replace

from games.chamber.rules.state import (
    AT_REST,
    EVERY_ROUND,
    Aim,
    Ammo,
    ChamberLoaded,
    Item,
    ItemsDealt,
    Options,
    Player,
    Reason,
    Rebalanced,
    RebalancePassed,
    RoundEnded,
    Rounds,
    RoundStarted,
    State,
    TurnSkipped,
    alive,
    room_for,
)
from games.contract.core import Change, Refused, Told, answered, asked, everyone
from games.contract.data import BySeat, Seat
from games.contract.luck import Luck

P = ParamSpec("P")
AMMO: tuple[Ammo, ...] = ("live", "blank")


def then(
    change: Change[State],
    step: Callable[Concatenate[State, P], Change[State]],
    *args: P.args,
    **kwargs: P.kwargs,
) -> Change[State]:
    """Apply `step` to the state of `change` and append the events of the step."""
    after = step(change.state, *args, **kwargs)
    return Change(after.state, change.told + after.told)


def begin_round(state: State, luck: Luck) -> Change[State]:
    """Draw the shells and items of a round, and open the Rebalancer window.

    Skips that are still pending are kept.
    """
    options, number = state.options, state.round + 1
    rounds = Rounds(live=_count(options, "live", luck), blank=_count(options, "blank", luck))
    hands = _deal(state, number, luck)
    dealt = replace(
        state,
        phase="rebalance",
        round=number,
        players=tuple(
            replace(player, items=hands.get(Seat(at), ()))
            for at, player in enumerate(state.players)
        ),
        loaded=rounds,
        ammo=None,
        fired=(),
        waiting=tuple(seat for seat, hand in hands.items() if "rebalancer" in hand),
        aim=AT_REST,
    )
    told = (
        everyone(RoundStarted(number, rounds.live, rounds.blank)),
        everyone(ItemsDealt(hands)),
    )
    if dealt.waiting:
        return Change(asked(dealt), told)
    return then(Change(dealt, told), _load, luck)


def item_deck(options: Options, seats: int, number: int) -> tuple[Item, ...]:
    """Return the item cards for round `number`, before shuffling."""
    kinds: list[Item] = [
        "double_damage" if item == "add_life" and number > options.add_life_rounds else item
        for item in EVERY_ROUND
    ]
    air: Item = "shoot_air"
    copies = item_copies(options, seats)
    return (*(kind for kind in kinds for _ in range(copies)), *[air] * options.shoot_air_copies)


def item_copies(options: Options, seats: int) -> int:
    """Return the number of copies of each item in the deck. The default is always large enough."""
    enough = -(-options.items_per_round * seats // len(EVERY_ROUND))
    return options.item_copies or max(4, seats, enough)


def addable(state: State, ammo: Ammo) -> range:
    """Return the numbers of rounds of a kind that a Rebalancer may add.

    The range is empty if the cap leaves no room.
    """
    least, most = _span(state.options, ammo)
    live, blank = state.loaded.live, state.loaded.blank
    return range(least, room_for(ammo, live, blank, state.rebalance_cap, most) + 1)


def kinds(state: State) -> tuple[Ammo, ...]:
    """Return the kinds of rounds that a Rebalancer may add."""
    return tuple(ammo for ammo in AMMO if addable(state, ammo))


def add_rounds(state: State, seat: Seat, ammo: Ammo, luck: Luck) -> Change[State]:
    """Use a Rebalancer, which adds a random number of rounds of this kind."""
    if not (counts := addable(state, ammo)):
        raise Refused("rebalance_cap", ammo_type=ammo, cap=state.rebalance_cap)
    more = counts[luck.draw(f"rebalance.{ammo}", len(counts))]
    items = list(state.players[seat].items)
    items.remove("rebalancer")
    players = list(state.players)
    players[seat] = replace(players[seat], items=tuple(items))
    waiting = state.waiting if "rebalancer" in items else _without(state.waiting, seat)
    loaded = Rounds(
        live=state.loaded.live + more * (ammo == "live"),
        blank=state.loaded.blank + more * (ammo == "blank"),
    )
    added = answered(state, seat, players=tuple(players), loaded=loaded, waiting=waiting)
    if waiting and kinds(added) != kinds(state):
        added = asked(added)  # the others have different choices now
    told = (everyone(Rebalanced(seat, ammo, more)),)
    return then(Change(added, told), close_if_decided, luck)


def pass_window(state: State, seat: Seat, luck: Luck) -> Change[State]:
    """Record that a seat uses no Rebalancer in this window."""
    passed = answered(state, seat, waiting=_without(state.waiting, seat))
    return then(Change(passed, (everyone(RebalancePassed(seat)),)), close_if_decided, luck)


def close_if_decided(state: State, luck: Luck) -> Change[State]:
    """Load the chamber once every seat has answered."""
    return Change(state, ()) if state.waiting else _load(state, luck)


def start_turn(state: State) -> Change[State]:
    """Start the turn of the next seat that is alive and not skipped."""
    players, count = list(state.players), state.turn_count
    told: list[Told] = []
    while not _plays(player := players[seat := Seat(count % len(players))]):
        if player.is_skipped:
            immune = state.options.skip_cooldown
            players[seat] = replace(player, is_skipped=False, skip_immune=immune)
            told.append(everyone(TurnSkipped(seat)))
        count += 1
    players[seat] = replace(player, skip_immune=False)
    begun = asked(state, phase="turn", players=tuple(players), turn_count=count, aim=Aim())
    return Change(begun, tuple(told))


def end_turn(state: State) -> Change[State]:
    """End the turn and start the next one. The chamber is unchanged."""
    return start_turn(replace(state, turn_count=state.turn_count + 1))


def end_round(state: State, luck: Luck) -> Change[State]:
    """End the round, and with it the turn, even if shots are left."""
    ended = replace(state, turn_count=state.turn_count + 1)
    change = Change(ended, (everyone(RoundEnded(state.round)),))
    if state.round == state.options.max_rounds:
        return then(change, finish, "max_rounds")
    return then(change, begin_round, luck)


def finish(state: State, reason: Reason) -> Change[State]:
    """End the match for this reason."""
    return Change(asked(state, phase="over", waiting=(), aim=AT_REST, reason=reason), ())


def _plays(player: Player) -> bool:
    return player.lives > 0 and not player.is_skipped


def _count(options: Options, ammo: Ammo, luck: Luck) -> int:
    least, most = _span(options, ammo)
    return least + luck.draw(ammo, most - least + 1)


def _span(options: Options, ammo: Ammo) -> tuple[int, int]:
    if ammo == "live":
        return options.live_min, options.live_max
    return options.blank_min, options.blank_max


def _deal(state: State, number: int, luck: Luck) -> BySeat[tuple[Item, ...]]:
    size = state.options.items_per_round
    deck = luck.shuffled("items", item_deck(state.options, len(state.players), number))
    return BySeat({seat: deck[at * size : (at + 1) * size] for at, seat in enumerate(alive(state))})


def _load(state: State, luck: Luck) -> Change[State]:
    """Shuffle the chamber and draw the seat that begins.

    This happens after the Rebalancer window, so that nobody who uses a Rebalancer knows the result.
    """
    rounds, n = state.loaded, len(state.players)
    live: Ammo = "live"
    blank: Ammo = "blank"
    ammo = luck.shuffled("chamber", [live] * rounds.live + [blank] * rounds.blank)
    starter = luck.pick("starter", alive(state))
    count = state.turn_count + (starter - state.turn_count) % n
    loaded = replace(state, ammo=ammo, turn_count=count)
    told = (everyone(ChamberLoaded(rounds.live, rounds.blank)),)
    return then(Change(loaded, told), start_turn)


def _without(seats: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    return tuple(at for at in seats if at != seat)
