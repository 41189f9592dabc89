"""Turns and announcements of Mia (docs/rules/mia.md §4). For losing, see `losing.py`."""

from __future__ import annotations

from typing import assert_never

import msgspec

from games.contract.core import (
    Change,
    Ignored,
    Offer,
    OneOf,
    Outcome,
    Refused,
    Told,
    Turn,
    all_seats,
    answered,
    asked,
    by_the_clock,
    everyone,
    offer,
    only,
)
from games.contract.data import BySeat, Seat, Viewer
from games.contract.luck import Luck
from games.mia.rules.losing import lose, losing_lives
from games.mia.rules.state import (
    MIA,
    Announce,
    Announced,
    Announcement,
    Continue,
    Continued,
    Dice,
    Fault,
    MiaOptions,
    MiaPlayer,
    MiaState,
    MiaView,
    Moves,
    PlayerRolls,
    PlayerWantsToSee,
    Reason,
    Roll,
    Rolled,
    RoundStarted,
    See,
    out,
    ranking,
    staying,
)

TURN, RESULT = 30.0, 6.0


def check(options: MiaOptions, seats: int | None) -> None:
    """Check that `human_ms` is at least a second, or 0 if human players may only watch."""
    if 0 < options.human_ms < 1000:
        raise Refused("bad_options", option="humanMs", allowed="0, 1000 to 120000")


def setup(n: int, options: MiaOptions, luck: Luck) -> Change[MiaState]:
    """Return a match of n seats. With lives, the seating is drawn once for the whole match."""
    seats = all_seats(n)
    seating = luck.shuffled("order", seats) if options.scoring == "lives" else seats
    state = MiaState(
        clock=0,
        prompts=(0,) * n,
        options=options,
        phase="result",
        round=0,
        turn_count=0,
        seating=seating,
        order=seating,
        at=seating[0],
        starter=seating[0],
        lives=(options.lives if options.scoring == "lives" else 0,) * n,
        points=(0,) * n,
    )
    return _new_round(state, luck)


def awaited(state: MiaState) -> tuple[Seat, ...]:
    return (state.at,) if state.phase in ("turn", "announce") else ()


def turn(state: MiaState) -> Turn:
    """Return which seat has the turn, and which seat is next.

    In `result` nobody has the turn, but with lives the next starter is known.
    """
    seat: Viewer = None
    after: Viewer = None
    if state.phase in ("turn", "announce"):
        seat, after = state.at, _after(state, state.at)
    elif state.phase == "result" and state.options.scoring == "lives":
        after = _starter(state)
    return Turn(seat=seat, count=state.turn_count, next=after, order=state.order)


def patience(state: MiaState) -> float | None:
    return {"turn": TURN, "announce": TURN, "result": RESULT, "over": None}[state.phase]


def offers(state: MiaState, seat: Seat) -> tuple[Offer, ...]:
    """Return the offers of `seat`. A move offered as risky loses at once."""
    if state.phase == "result":
        return () if seat in state.continued or seat in out(state) else (offer(Continue),)
    if seat not in awaited(state):
        return ()
    strict = state.options.on_fault == "lose"
    fault = (offer(Fault, risky=True),) if strict else ()
    if state.phase == "announce":
        return (*_announce_offers(state), *fault)
    if state.announcements:
        return (offer(Roll), offer(See), *fault)
    return (offer(Roll), *((offer(See, risky=True),) if strict else ()), *fault)


def apply(state: MiaState, seat: Seat, move: Moves, luck: Luck) -> Change[MiaState]:
    """Apply a move. Raise Ignored, or Refused(`see_before_first_roll`, `bad_dice`)."""
    if isinstance(move, Continue):
        return _continue(state, seat, luck)
    if seat not in awaited(state):
        raise Ignored
    match move:
        case Roll() if state.phase == "turn":
            return _roll(state, luck)
        case See() if state.phase == "turn":
            return _see(state)
        case Announce(dice) if state.phase == "announce":
            return _announce(state, dice)
        case Fault() if state.options.on_fault == "lose":
            invalid: Reason = "INVALID_TURN" if state.phase == "turn" else "DID_NOT_ANNOUNCE"
            return lose(state, (), (seat,), invalid)
        case Roll() | See() | Announce() | Fault():
            raise Ignored
    assert_never(move)


def lapse(state: MiaState, luck: Luck) -> Change[MiaState]:
    """Make the player on turn lose the round, or end the pause."""
    match state.phase:
        case "turn":
            return _silent(state, "DID_NOT_TAKE_TURN")
        case "announce":
            return _silent(state, "DID_NOT_ANNOUNCE")
        case "result":
            return _new_round(state, luck)
        case "over":
            raise Ignored
    assert_never(state.phase)


def _silent(state: MiaState, reason: Reason) -> Change[MiaState]:
    return by_the_clock(lose(state, (), (state.at,), reason))


def leave(state: MiaState, seat: Seat, luck: Luck) -> Change[MiaState]:
    """Remove a seat.

    If it has the turn, it first loses the round, with the same reason as on a timeout.
    """
    if state.phase == "over" or seat in out(state):
        return Change(state, ())
    if seat not in awaited(state):
        gone = losing_lives(state, (seat,))
        if gone.state.phase == "result" and staying(gone.state) == len(gone.state.continued):
            more = _new_round(gone.state, luck)
            return Change(more.state, (*gone.told, *more.told))
        return gone
    reason: Reason = "DID_NOT_TAKE_TURN" if state.phase == "turn" else "DID_NOT_ANNOUNCE"
    return lose(state, (), (seat,), reason, leaver=seat)


def view(state: MiaState, viewer: Viewer) -> MiaView:
    """Return what this viewer may see.

    Only the roller sees the dice, until the next roll or until they are shown.
    """
    rolled = viewer is not None and viewer == state.roller and viewer not in out(state)
    ended = state.phase in ("result", "over")
    return MiaView(
        phase=state.phase,
        players=_players(state),
        round=state.round,
        order=state.order,
        on_turn=state.at if state.phase in ("turn", "announce") else None,
        announced=state.announcements[-1] if state.announcements else None,
        announcements=state.announcements,
        dice=state.dice if rolled else None,
        shown=state.shown if ended else None,
        lost=state.lost if ended else None,
        continued=state.continued if state.phase == "result" else (),
    )


def _players(state: MiaState) -> tuple[MiaPlayer, ...]:
    seats = all_seats(len(state.lives))
    if state.options.scoring == "lives":
        return tuple([MiaPlayer(state.lives[at], None) for at in seats])
    return tuple([MiaPlayer(None, state.points[at]) for at in seats])


def outcome(state: MiaState) -> Outcome | None:
    """Rank by time of elimination (with lives) or by points. Leavers are last.

    Return None if the match is not over.
    """
    if state.reason is None:
        return None
    inside = tuple(at for at in all_seats(len(state.lives)) if at not in out(state))
    if state.options.scoring == "lives":
        places = ((inside,) if inside else ()) + state.gone[::-1]
        return Outcome(inside, places, None, state.reason)
    scores = sorted({state.points[at] for at in inside}, reverse=True)
    groups = tuple(tuple(at for at in inside if state.points[at] == s) for s in scores)
    points = BySeat({at: state.points[at] for at in all_seats(len(state.points))})
    return Outcome(groups[0] if groups else (), groups + state.gone[::-1], points, state.reason)


def loses_at_once(state: MiaState, dice: Dice) -> bool:
    """Return whether this announcement is too low (docs/rules/mia.md rule 19, `mustRaise`)."""
    if not state.announcements:
        return False
    rank = ranking(state.options.little_mia).index
    last = state.announcements[-1].dice
    if dice == last and not state.options.must_raise:
        return len(state.announcements) > 1 and state.announcements[-2].dice == last
    return rank(dice) <= rank(last)


def _announce_offers(state: MiaState) -> tuple[Offer, ...]:
    values = ranking(state.options.little_mia)
    safe = tuple(v for v in values if not _is_risky(state, v))
    rest = tuple(v for v in values if _is_risky(state, v))
    return tuple(
        offer(Announce, risky, dice=OneOf(some))
        for some, risky in ((safe, False), (rest, True))
        if some
    )


def _is_risky(state: MiaState, dice: Dice) -> bool:
    return loses_at_once(state, dice) or (dice == MIA and state.dice != MIA)


def _roll(state: MiaState, luck: Luck) -> Change[MiaState]:
    one, two = luck.draw("die", 6) + 1, luck.draw("die", 6) + 1
    dice = f"{max(one, two)},{min(one, two)}"
    rolled = asked(state, phase="announce", roller=state.at, dice=dice)
    return Change(rolled, (everyone(PlayerRolls(state.at)), only(state.at, Rolled(dice))))


def _see(state: MiaState) -> Change[MiaState]:
    wants = (everyone(PlayerWantsToSee(state.at)),)
    if not state.announcements:
        if state.options.on_fault == "refuse":
            raise Refused("see_before_first_roll")
        return lose(state, wants, (state.at,), "SEE_BEFORE_FIRST_ROLL")
    last = state.announcements[-1]
    rank = ranking(state.options.little_mia).index
    if rank(last.dice) > rank(state.dice or MIA):
        return lose(state, wants, (last.username,), "CAUGHT_BLUFFING", show=last.username)
    return lose(state, wants, (state.at,), "SEE_FAILED", show=last.username)


def _announce(state: MiaState, dice: Dice) -> Change[MiaState]:
    if dice not in ranking(state.options.little_mia):
        raise Refused("bad_dice", dice=dice)
    me, said = state.at, (everyone(Announced(state.at, dice)),)
    too_low = loses_at_once(state, dice)
    made = (*state.announcements, Announcement(me, dice))
    state = msgspec.structs.replace(state, announcements=made)
    if dice == MIA:
        if state.dice != MIA:
            return lose(state, said, (me,), "LIED_ABOUT_MIA", show=me)
        others = tuple(at for at in state.order if at != me)
        return lose(state, said, others, "MIA", show=me)
    if too_low:
        return lose(state, said, (me,), "ANNOUNCED_LOSING_DICE")
    return Change(_next_turn(state, _after(state, me)), said)


def _continue(state: MiaState, seat: Seat, luck: Luck) -> Change[MiaState]:
    if state.phase != "result" or seat in state.continued or seat in out(state):
        raise Ignored
    after = answered(state, seat, continued=(*state.continued, seat))
    echo: tuple[Told, ...] = (everyone(Continued(seat)),)
    if staying(after) > len(after.continued):
        return Change(after, echo)
    more = _new_round(after, luck)
    return Change(more.state, (*echo, *more.told))


def _new_round(state: MiaState, luck: Luck) -> Change[MiaState]:
    """Start a round. With lives, the loser starts. With points, a new order is drawn."""
    inside = tuple(at for at in state.seating if at not in out(state))
    first = _starter(state)
    if state.options.scoring == "points":
        inside = luck.shuffled("order", inside)
        first = inside[0]
    fresh = msgspec.structs.replace(
        state,
        round=state.round + 1,
        order=inside,
        announcements=(),
        roller=None,
        dice=None,
        shown=None,
        lost=None,
        continued=(),
    )
    started = everyone(RoundStarted(fresh.round, inside))
    return Change(_next_turn(fresh, first), (started,))


def _starter(state: MiaState) -> Seat:
    """Return the seat that starts the next round.

    This is the designated starter or, if that seat is out, the next seat that is still in.
    """
    at = state.seating.index(state.starter if state.starter is not None else state.seating[0])
    around = state.seating[at:] + state.seating[:at]
    return next(seat for seat in around if seat not in out(state))


def _next_turn(state: MiaState, seat: Seat) -> MiaState:
    return asked(state, phase="turn", at=seat, turn_count=state.turn_count + 1)


def _after(state: MiaState, seat: Seat) -> Seat:
    """Return the next seat that is still in, in the order of the round."""
    at = state.order.index(seat)
    around = state.order[at + 1 :] + state.order[: at + 1]
    return next(after for after in around if after not in out(state) or after == seat)
