"""The interface of Chamber to the engine: legal moves and their effects."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from games.chamber.rules import items
from games.chamber.rules.rounds import (
    add_rounds,
    begin_round,
    close_if_decided,
    end_turn,
    finish,
    item_copies,
    kinds,
    pass_window,
    then,
)
from games.chamber.rules.shots import eliminate, shoot
from games.chamber.rules.state import (
    AT_REST,
    EVERY_ROUND,
    Ammo,
    Moves,
    Options,
    PassRebalance,
    Player,
    Rounds,
    ShootPlayer,
    State,
    UseAddLifeItem,
    UseChamberCheckItem,
    UseDoubleDamageItem,
    UseQuickshotItem,
    UseRebalancerItem,
    UseShootAirItem,
    UseSkipItem,
    UseStealItem,
    View,
    alive,
    current,
    next_up,
    remaining,
)
from games.contract.core import (
    Change,
    Ignored,
    Offer,
    OneOf,
    Outcome,
    Refused,
    Turn,
    all_seats,
    by_the_clock,
    offer,
)
from games.contract.data import Seat, Viewer
from games.contract.luck import Luck

REBALANCE_SECONDS = 20.0
TURN_SECONDS = 45.0


def setup(n: int, options: Options, luck: Luck) -> Change[State]:
    """Return a new match of n seats, ready for its first question."""
    state = State(
        clock=0,
        prompts=(0,) * n,
        options=options,
        phase="rebalance",
        round=0,
        turn_count=0,
        players=(Player(lives=options.start_lives),) * n,
        loaded=Rounds(live=0, blank=0),
        ammo=None,
        fired=(),
        waiting=(),
        aim=AT_REST,
        fallen=(),
        reason=None,
        rebalance_cap=options.rebalance_cap,
    )
    return begin_round(state, luck)


def check(options: Options, seats: int | None) -> None:
    """Raise Refused if options contradict each other or the deck is too small for the table."""
    live, blank, lives = options.live_min, options.blank_min, options.start_lives
    _check_least("liveMax", options.live_max, live, f"{live}-8")
    _check_least("blankMax", options.blank_max, blank, f"{blank}-8")
    if options.max_lives:
        _check_least("maxLives", options.max_lives, lives, f"0, {lives}-30")
    if options.rebalance_cap:
        _check_least("rebalanceCap", options.rebalance_cap, 50, "0, 50-90")
    if options.shoot_air_copies:
        # Rounds fired into the air take no lives, so without a limit the match might never end.
        _check_least("maxRounds", options.max_rounds, 1, "1-200")
    if seats is not None:
        _check_deck(options, seats)


def awaited(state: State) -> tuple[Seat, ...]:
    match state.phase:
        case "rebalance":
            return state.waiting
        case "turn":
            return (current(state),)
        case "over":
            return ()
        case _:
            assert_never(state.phase)


def idles(state: State) -> tuple[Seat, ...]:
    """Return the seats that count as idle.

    Silence is an answer in the window, but not on a turn.
    """
    return awaited(state) if state.phase == "turn" else ()


def out(state: State) -> tuple[Seat, ...]:
    return state.fallen


def turn(state: State) -> Turn:
    on_turn = state.phase == "turn"
    return Turn(
        seat=current(state) if on_turn else None,
        count=state.turn_count,
        next=next_up(state.players, current(state)) if on_turn else None,
        order=all_seats(len(state.players)),
    )


def patience(state: State) -> float | None:
    match state.phase:
        case "rebalance":
            return REBALANCE_SECONDS
        case "turn":
            return TURN_SECONDS
        case "over":
            return None
        case _:
            assert_never(state.phase)


def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    if seat not in awaited(state):
        return ()
    if state.phase == "rebalance":
        found = kinds(state)
        added = (offer(UseRebalancerItem, ammo_type=OneOf(found)),) if found else ()
        return (*added, offer(PassRebalance))
    return (offer(ShootPlayer, username=OneOf(alive(state))), *items.offers(state))


def apply(state: State, seat: Seat, move: Moves, luck: Luck) -> Change[State]:
    if seat not in awaited(state):
        raise Ignored
    if state.phase == "rebalance":
        return _apply_in_window(state, seat, move, luck)
    return _apply_on_turn(state, move, luck)


def lapse(state: State, luck: Luck) -> Change[State]:
    """Pass for silent seats in the window. On a turn, a silent shooter shoots itself."""
    if state.phase == "turn":
        return by_the_clock(shoot(state, current(state), luck, forfeit=True))
    change = Change(state, ())
    for seat in state.waiting:
        change = then(change, lambda now, at: by_the_clock(pass_window(now, at, luck)), seat)
    return change


def leave(state: State, seat: Seat, luck: Luck) -> Change[State]:
    """Eliminate a leaver, without crediting a killer. The chamber is unchanged."""
    if state.phase == "over" or seat in state.fallen:
        return Change(state, ())
    was_awaited = seat in awaited(state)
    waiting = tuple(at for at in state.waiting if at != seat)
    gone = eliminate(replace(state, waiting=waiting), seat, by=None)
    if len(alive(gone.state)) == 1:
        return then(gone, finish, "last_alive")
    if not was_awaited:
        return gone
    if state.phase == "turn":
        return then(gone, end_turn)
    return then(gone, close_if_decided, luck)


def view(state: State, viewer: Viewer) -> View:
    left, on_turn = remaining(state), state.phase == "turn"
    return View(
        phase=state.phase,
        players=state.players,
        round=state.round,
        live=left.live,
        blank=left.blank,
        loaded=state.loaded,
        fired=state.fired,
        shooter=current(state) if on_turn else None,
        shots_left=state.aim.shots_left,
        items_open=on_turn and state.aim.counted == 0,
        quickshot=state.aim.quickshot,
        double_damage=state.aim.double_damage,
        waiting=state.waiting,
        rebalance_cap=state.rebalance_cap,
        known_next=_known_next(state, viewer),
        ammo_deck=(state.ammo or ()) if state.phase == "over" else None,
    )


def outcome(state: State) -> Outcome | None:
    """Rank the survivors by lives, then the eliminated players, the last eliminated first.

    Return None if the match is not over.
    """
    if state.reason is None:
        return None
    standing: dict[int, list[Seat]] = {}
    for seat in alive(state):
        standing.setdefault(state.players[seat].lives, []).append(seat)
    best_first = [tuple(standing[lives]) for lives in sorted(standing, reverse=True)]
    places = (*best_first, *((seat,) for seat in reversed(state.fallen)))
    return Outcome(winners=places[0], places=places, points=None, reason=state.reason)


def _apply_in_window(state: State, seat: Seat, move: Moves, luck: Luck) -> Change[State]:
    match move:
        case UseRebalancerItem(ammo_type=ammo):
            return add_rounds(state, seat, ammo, luck)
        case PassRebalance():
            return pass_window(state, seat, luck)
        case _:
            raise Ignored


def _apply_on_turn(state: State, move: Moves, luck: Luck) -> Change[State]:
    match move:
        case ShootPlayer(username=target):
            if target not in alive(state):
                raise Refused("bad_target")
            return shoot(state, target, luck)
        case UseSkipItem(target=target):
            return items.use(state, "skip", target, luck)
        case UseDoubleDamageItem():
            return items.use(state, "double_damage", None, luck)
        case UseChamberCheckItem():
            return items.use(state, "chamber_check", None, luck)
        case UseQuickshotItem():
            return items.use(state, "quickshot", None, luck)
        case UseAddLifeItem():
            return items.use(state, "add_life", None, luck)
        case UseShootAirItem():
            return items.use(state, "shoot_air", None, luck)
        case UseStealItem():
            return items.steal(state, move, luck)
        case UseRebalancerItem():
            raise Refused("rebalancer_window_closed")
        case PassRebalance():
            raise Ignored
        case _:
            assert_never(move)


def _known_next(state: State, viewer: Viewer) -> Ammo | None:
    if state.phase != "turn" or viewer != current(state) or not state.aim.peeked:
        return None
    return state.ammo[0] if state.ammo else None


def _check_least(option: str, value: int, least: int, allowed: str) -> None:
    if value < least:
        raise Refused("bad_options", option=option, allowed=allowed)


def _check_deck(options: Options, seats: int) -> None:
    dealt = options.items_per_round * seats
    cards = len(EVERY_ROUND) * item_copies(options, seats) + options.shoot_air_copies
    if dealt > cards:
        raise Refused("bad_options", option="itemsPerRound", allowed=f"0-{cards // seats}")


def auto_pass(view: View, seat: Seat) -> str | None:
    """Return the move that adds no rounds if this seat is asked for a Rebalancer, else None."""
    asked = view.phase == "rebalance" and seat in view.waiting
    return PassRebalance.__name__ if asked else None
