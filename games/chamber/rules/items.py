"""The items of a turn: when an item may be used, what it does, and what can be stolen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from msgspec.structs import replace

from games.chamber.rules.rounds import then
from games.chamber.rules.shots import shoot_air
from games.chamber.rules.state import (
    ITEMS,
    ChamberChecked,
    ChamberSeen,
    Code,
    DoubleDamageUsed,
    Item,
    ItemStolen,
    LifeAdded,
    QuickshotUsed,
    SkipUsed,
    State,
    Usable,
    UseAddLifeItem,
    UseChamberCheckItem,
    UseDoubleDamageItem,
    UseQuickshotItem,
    UseShootAirItem,
    UseSkipItem,
    UseStealItem,
    alive,
    current,
    with_player,
)
from games.contract.core import Change, Move, Offer, OneOf, Refused, answered, everyone, offer, only
from games.contract.data import Seat
from games.contract.luck import Luck

MOVES: dict[Usable, type[Move]] = {
    "skip": UseSkipItem,
    "double_damage": UseDoubleDamageItem,
    "chamber_check": UseChamberCheckItem,
    "quickshot": UseQuickshotItem,
    "add_life": UseAddLifeItem,
    "shoot_air": UseShootAirItem,
}


def use(state: State, item: Usable, target: Seat | None, luck: Luck) -> Change[State]:
    """Use one of the shooter's own items. `target` is the player to be skipped, for a Skip only."""
    seat = current(state)
    _check_held(state, item)
    if code := _obstacle(state, item, target):
        raise Refused(code, item=item)
    used = answered(_removed(state, seat, item), seat)
    return _effect(used, item, target, luck)


def steal(state: State, move: UseStealItem, luck: Luck) -> Change[State]:
    """Steal an item and use it at once. If its use is refused, nothing changes."""
    seat = current(state)
    _check_held(state, "steal")
    item = _check_loot(state, move)
    taken = answered(_removed(_removed(state, seat, "steal"), move.target, item), seat)
    told = (everyone(ItemStolen(seat, move.target, item, move.skip_target)),)
    return then(Change(taken, told), _effect, item, move.skip_target, luck)


def offers(state: State) -> tuple[Offer, ...]:
    """Return offers for all items that the shooter may use now: own items, then items to steal."""
    held = state.players[current(state)].items
    if state.aim.counted:
        return (offer(UseShootAirItem),) if "shoot_air" in held else ()
    own = tuple(made for item in MOVES if item in held for made in _own_offers(state, item))
    return own + (_steal_offers(state) if "steal" in held else ())


def disabled_moves(state: State, seat: Seat) -> Mapping[str, Refused]:
    """Return the shooter's items that cannot be used now, each with the reason."""
    if state.phase != "turn" or seat != current(state):
        return {}
    held = state.players[seat].items
    found = {} if "rebalancer" not in held else {"UseRebalancerItem": _TOO_LATE}
    for item in MOVES:
        if item in held and (refused := _refusal(state, item)):
            found[MOVES[item].__name__] = refused
    if "steal" in held and state.aim.counted:
        found["UseStealItem"] = _CLOSED
    return found


_CLOSED = Refused("items_closed")
_TOO_LATE = Refused("rebalancer_window_closed")


def _refusal(state: State, item: Usable) -> Refused | None:
    if state.aim.counted and item != "shoot_air":
        return _CLOSED
    if item == "skip":
        return None if _skippable(state) else Refused("already_skipped")
    code = _obstacle(state, item, None)
    return Refused(code, item=item) if code else None


def _own_offers(state: State, item: Usable) -> tuple[Offer, ...]:
    if item == "skip":
        targets = _skippable(state)
        return (offer(UseSkipItem, target=OneOf(targets)),) if targets else ()
    return () if _obstacle(state, item, None) else (offer(MOVES[item]),)


def _steal_offers(state: State) -> tuple[Offer, ...]:
    """Return one offer per seat and item.

    The arguments depend on each other (docs/rules/conventions.md C1).
    """
    return tuple(
        made
        for target in alive(state)
        if target != current(state)
        for item in ITEMS
        if item in state.players[target].items
        for made in _loot_offers(state, target, item)
    )


def _loot_offers(state: State, target: Seat, item: Item) -> tuple[Offer, ...]:
    if item == "steal" or item == "rebalancer":
        return ()
    whose, what = OneOf((target,)), OneOf((item,))
    if item != "skip":
        blocked = _obstacle(state, item, None)
        return () if blocked else (offer(UseStealItem, target=whose, item=what),)
    if not (skippable := OneOf(_skippable(state))).one_of:
        return ()
    return (offer(UseStealItem, target=whose, item=what, skip_target=skippable),)


def _check_held(state: State, item: Item) -> None:
    if state.aim.counted and item != "shoot_air":
        raise Refused("items_closed")
    if item not in state.players[current(state)].items:
        raise Refused("no_item", item=item)


def _check_loot(state: State, move: UseStealItem) -> Usable:
    item, target = move.item, move.target
    if target == current(state) or target not in alive(state):
        raise Refused("bad_target")
    if item == "steal" or item == "rebalancer":
        raise Refused("cannot_steal", item=item)
    if item not in state.players[target].items:
        raise Refused("target_lacks_item", target=target, item=item)
    if (item == "skip") != (move.skip_target is not None):
        raise Refused("bad_target")
    if code := _obstacle(state, item, move.skip_target):
        raise Refused(code, item=item)
    return item


def _obstacle(state: State, item: Usable, target: Seat | None) -> Code | None:
    """Return why this item, own or stolen, cannot be used now, or None if it can."""
    match item:
        case "skip":
            return _skip_obstacle(state, target)
        case "double_damage":
            return "already_active" if state.aim.double_damage else None
        case "quickshot":
            return "already_active" if state.aim.quickshot else None
        case "add_life":
            lives, most = state.players[current(state)].lives, state.options.max_lives
            return "max_lives" if most and lives >= most else None
        case "chamber_check" | "shoot_air":
            return None
        case _:
            assert_never(item)


def _skip_obstacle(state: State, target: Seat | None) -> Code | None:
    if target is None or target == current(state) or target not in alive(state):
        return "bad_target"
    if state.players[target].is_skipped:
        return "already_skipped"
    return "skip_cooldown" if state.players[target].skip_immune else None


def _skippable(state: State) -> tuple[Seat, ...]:
    return tuple(seat for seat in alive(state) if _skip_obstacle(state, seat) is None)


def _removed(state: State, seat: Seat, item: Item) -> State:
    items = list(state.players[seat].items)
    items.remove(item)
    return with_player(state, seat, items=tuple(items))


def _effect(state: State, item: Usable, target: Seat | None, luck: Luck) -> Change[State]:
    """Apply the effect of an item, own or stolen."""
    seat = current(state)
    match item:
        case "skip":
            assert target is not None, "checked before"
            skipped = with_player(state, target, is_skipped=True)
            return Change(skipped, (everyone(SkipUsed(seat, target)),))
        case "double_damage":
            aim = replace(state.aim, double_damage=True)
            return Change(replace(state, aim=aim), (everyone(DoubleDamageUsed(seat)),))
        case "chamber_check":
            return _look(state, seat)
        case "quickshot":
            aim = replace(state.aim, quickshot=True, shots_left=2)
            return Change(replace(state, aim=aim), (everyone(QuickshotUsed(seat)),))
        case "add_life":
            lives = state.players[seat].lives + 1
            told = (everyone(LifeAdded(seat, lives)),)
            return Change(with_player(state, seat, lives=lives), told)
        case "shoot_air":
            return shoot_air(state, luck)
        case _:
            assert_never(item)


def _look(state: State, seat: Seat) -> Change[State]:
    """Tell everybody that the shooter checks the chamber. Only the shooter sees the result."""
    assert state.ammo, "a turn has a loaded chamber"
    told = (everyone(ChamberChecked(seat)), only(seat, ChamberSeen(state.ammo[0])))
    return Change(replace(state, aim=replace(state.aim, peeked=True)), told)
