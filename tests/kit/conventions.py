"""What the conventions add to the laws: late answers, bought time, echoes, who is out (C1, C2).

As in `laws.py` one function each, which knows nothing of any game. `before` is the state before
the last act.
"""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from games.rules.core import Echo, Ignored, Refused, Told, all_seats
from games.rules.data import Seat, Viewer, decode, encode, pack, unpack
from games.rules.luck import Draw, Luck
from tests.kit.difference import difference
from tests.kit.play import Act, Walk, done
from tests.kit.secrecy import seen

AHEAD = 4


def late_answers_do_not_count(walk: Walk) -> None:
    """C1: time has run out, so whoever was awaited has another prompt, and is too late."""
    if walk.over:
        return
    after = walk.lapsed().state
    awaited = walk.game.awaited(walk.state)
    late = [seat for seat in awaited if after.prompts[seat] == walk.state.prompts[seat]]
    assert not late, f"a late answer of {late} would still count"


def answers_buy_no_time(walk: Walk, before: Any) -> None:
    """C1: an answer that leaves the question to the others leaves their prompts and the clock."""
    act, after = walk.acts[-1], walk.state
    if act.kind != "move" or act.seat is None or not _the_question_stays(walk, before, act.seat):
        return
    assert after.clock == before.clock, f"{act} buys the others time"
    for seat in walk.seats:
        if seat != act.seat:
            assert after.prompts[seat] == before.prompts[seat], f"{seat} is asked anew by {act}"


def _the_question_stays(walk: Walk, before: Any, mover: Seat) -> bool:
    """Whether this act only answers: the others are asked after it what they were before it."""
    game, after = walk.game, walk.state
    others = [seat for seat in walk.seats if seat != mover]
    waiting, still = (
        [seat for seat in game.awaited(state) if seat != mover] for state in (before, after)
    )
    asked = [[pack(game.offers(state, seat)) for seat in others] for state in (before, after)]
    return (
        game.view(before, None).phase == game.view(after, None).phase
        and game.turn(before) == game.turn(after)
        and waiting == still
        and bool(waiting or not game.awaited(before))
        and (mover not in game.awaited(after) or mover in game.awaited(before))
        and asked[0] == asked[1]
        and any(asked[0])
    )


def first_comes_the_echo(walk: Walk) -> None:
    """C2: everybody hears of every move, and of the move first."""
    if walk.acts and walk.acts[-1].kind == "move":
        assert walk.change.told, f"{walk.acts[-1]} has no echo"
        assert walk.change.told[0].to is None, f"not everybody hears {walk.change.told[0]} first"


def what_no_hand_did_says_so(walk: Walk) -> None:
    """C2: a move of the clock is marked, and nothing that a hand did is."""
    if not walk.over:
        silent = walk.game.awaited(walk.state)
        told = walk.game.lapse(walk.state, walk.luck()).told
        echo = told[0].event if told else None
        if isinstance(echo, Echo) and getattr(echo, "username", None) in silent:
            assert echo.auto == "clock", f"{echo} looks as if somebody had chosen it"
    if not walk.acts or walk.acts[-1].kind == "lapse":
        return
    events = [told.event for told in walk.change.told]
    marks = [event.auto if isinstance(event, Echo) else UNSET for event in events]
    assert "clock" not in marks, f"{walk.acts[-1]} was in time"
    if walk.acts[-1].kind == "move":
        assert isinstance(events[0], Echo), f"{events[0]} is no echo"
        assert marks[0] is UNSET, f"{events[0]} was done by a hand"


def who_is_out_sees_what_the_gallery_sees(walk: Walk) -> None:
    """Conventions, "out": a spectator like any other."""
    gallery = encode(walk.game.view(walk.state, None))
    for seat in walk.game.out(walk.state):
        assert encode(walk.game.view(walk.state, seat)) == gallery, f"seat {seat} is out"


def seats_stay_seats_in_json(walk: Walk) -> None:
    """4: what is stored comes back as it was: Python takes Seat(1) for 1, the wire must not."""
    stored: list[tuple[Any, Any]] = [
        (walk.state, walk.game.state),
        (walk.draws[-1], tuple[Draw, ...]),
        *((told.event, walk.game.events) for told in walk.change.told),
        *((act.move, walk.game.moves) for act in walk.acts[-1:] if act.move is not None),
    ]
    for data, type_ in stored:
        assert repr(decode(encode(data), type_)) == repr(data)
        assert repr(unpack(pack(data), type_)) == repr(data)


def told_the_same_is_seen_the_same(walk: Walk, secrets: Any) -> None:
    """8, some acts on: as long as a viewer is told the same, its two worlds look the same."""
    viewer = walk.dice.pick("viewer", (None, *walk.seats))
    worlds = [walk.state, secrets.scramble(walk.state, viewer, walk.dice)]
    for ahead in range(AHEAD):
        if any(walk.game.outcome(world) is not None for world in worlds):
            return
        act, number = _some_act(walk, worlds[0]), len(walk.acts) + 2 + ahead
        try:
            changes = [done(walk.game, w, act, Luck(walk.seed, number)) for w in worlds]
        except (Ignored, Refused):
            return  # in the other world that move is not possible
        worlds = [change.state for change in changes]
        if any(walk.game.outcome(world) is not None for world in worlds):
            return
        one, two = (_told(change.told, viewer) for change in changes)
        if one != two:
            return
        mine, theirs = (seen(walk, world, viewer) for world in worlds)
        where = "" if mine == theirs else difference(mine, theirs)
        assert not where, f"{viewer!r} was told the same, and {act} makes a difference: {where}"


def _some_act(walk: Walk, state: Any) -> Act:
    """A random act of the match as it would be in this state."""
    game, dice = walk.game, walk.dice
    asked = [(seat, game.offers(state, seat)) for seat in all_seats(len(state.prompts))]
    asked = [(seat, offers) for seat, offers in asked if offers and seat not in game.out(state)]
    if not asked or dice.draw("time", 10) == 0:
        return Act("lapse")
    seat, offers = dice.pick("who", asked)
    return Act("move", seat, walk.some_move(offers))


def _told(told: tuple[Told, ...], viewer: Viewer) -> list[Any]:
    return [pack(one) for one in told if one.to is None or viewer in one.to]
