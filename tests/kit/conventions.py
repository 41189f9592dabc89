"""Laws of docs/rules/conventions.md C1 and C2: late answers, time, echoes, eliminated players.

As in `laws.py`, one function each, independent of any game. `before` is the moment before the last
act.
"""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from games.contract.core import Echo, Ignored, Refused, Told, all_seats
from games.contract.data import Seat, Viewer, decode, encode, pack, unpack
from games.contract.luck import Draw, Luck
from tests.kit.difference import difference
from tests.kit.play import Act, Playthrough, done
from tests.kit.secrecy import seen

AHEAD = 4


def late_answers_do_not_count(playthrough: Playthrough) -> None:
    """C1: after a timeout, everyone asked has a new prompt, so late answers are refused."""
    if playthrough.over:
        return
    after = playthrough.lapsed().state
    awaited = playthrough.game.rules.awaited(playthrough.state)
    late = [seat for seat in awaited if after.prompts[seat] == playthrough.state.prompts[seat]]
    assert not late, f"a late answer of {late} would still count"


def answers_buy_no_time(playthrough: Playthrough, before: Playthrough) -> None:
    """C1: if a question stays open for other seats, an answer keeps their prompts and the clock."""
    act, after = playthrough.last, playthrough.state
    if (
        act.kind != "move"
        or act.seat is None
        or not _the_question_stays(playthrough, before, act.seat)
    ):
        return
    assert after.clock == before.state.clock, f"{act} gives the others more time"
    for seat in playthrough.seats:
        if seat != act.seat:
            was, now = before.state.prompts[seat], after.prompts[seat]
            assert was == now, f"{act} asks {seat} again"


def _the_question_stays(playthrough: Playthrough, before: Playthrough, mover: Seat) -> bool:
    """Return whether this act only answers, leaving the others' questions unchanged."""
    was, now = ([one for one in at.asked() if one[0] != mover] for at in (before, playthrough))
    if was != now or not was:
        return False
    game, state, after = playthrough.game, before.state, playthrough.state
    awaited, still_awaited = game.rules.awaited(state), game.rules.awaited(after)
    waiting, still = ([seat for seat in of if seat != mover] for of in (awaited, still_awaited))
    return (
        waiting == still
        and bool(waiting or not awaited)
        and (mover not in still_awaited or mover in awaited)
        and game.rules.turn(state) == game.rules.turn(after)
        and game.rules.view(state, None).phase == game.rules.view(after, None).phase
    )


def first_comes_the_echo(playthrough: Playthrough) -> None:
    """C2: every move is sent to everybody, and its echo comes first."""
    if playthrough.made and playthrough.last.kind == "move":
        assert playthrough.change.told, f"{playthrough.last} has no echo"
        assert playthrough.change.told[0].to is None, (
            f"not everybody hears {playthrough.change.told[0]} first"
        )


def what_no_hand_did_says_so(playthrough: Playthrough) -> None:
    """C2: moves made by the clock are marked, and no others."""
    if not playthrough.over:
        silent = playthrough.game.rules.awaited(playthrough.state)
        told = playthrough.lapsed().told
        echo = told[0].event if told else None
        if isinstance(echo, Echo) and getattr(echo, "username", None) in silent:
            assert echo.auto == "clock", f"{echo} is not marked as automatic"
    if not playthrough.made or playthrough.last.kind == "lapse":
        return
    events = [told.event for told in playthrough.change.told]
    marks = [event.auto if isinstance(event, Echo) else UNSET for event in events]
    assert "clock" not in marks, f"{playthrough.last} was in time"
    if playthrough.last.kind == "move":
        assert isinstance(events[0], Echo), f"{events[0]} is no echo"
        assert marks[0] is UNSET, f"{events[0]} was made by a person, but is marked"


def who_is_out_sees_what_the_gallery_sees(playthrough: Playthrough) -> None:
    """Eliminated players see what spectators see (conventions, "out")."""
    gallery = encode(playthrough.game.rules.view(playthrough.state, None))
    for seat in playthrough.game.rules.out(playthrough.state):
        own = encode(playthrough.game.rules.view(playthrough.state, seat))
        assert own == gallery, (
            f"seat {seat} is out, but does not see what spectators see: {difference(gallery, own)}"
        )


def seats_stay_seats_in_json(playthrough: Playthrough) -> None:
    """4: state survives storage. Seat(1) equals 1 in Python, but not on the wire."""
    stored: list[tuple[Any, Any]] = [
        (playthrough.state, playthrough.game.rules.state),
        (playthrough.draws[-1], tuple[Draw, ...]),
        *((told.event, playthrough.game.rules.events) for told in playthrough.change.told),
        *(
            (act.move, playthrough.game.rules.moves)
            for act in playthrough.acts[-1:]
            if act.move is not None
        ),
    ]
    for data, type_ in stored:
        said = repr(data)
        assert repr(decode(encode(data), type_)) == said
        assert repr(unpack(pack(data), type_)) == said


def told_the_same_is_seen_the_same(playthrough: Playthrough, secrets: Any) -> None:
    """8, across acts: two worlds look the same to a viewer until they are sent a difference."""
    viewer = playthrough.dice.pick("viewer", (None, *playthrough.seats))
    worlds = [playthrough.state, secrets.scramble(playthrough.state, viewer, playthrough.dice)]
    for ahead in range(AHEAD):
        if any(playthrough.game.rules.outcome(world) is not None for world in worlds):
            return
        act, number = _some_act(playthrough, worlds[0]), playthrough.made + 2 + ahead
        try:
            changes = [
                done(playthrough.game, w, act, Luck(playthrough.seed, number)) for w in worlds
            ]
        except (Ignored, Refused):
            return  # that move is impossible in the other world
        worlds = [change.state for change in changes]
        if any(playthrough.game.rules.outcome(world) is not None for world in worlds):
            return
        one, two = (_told(change.told, viewer) for change in changes)
        if one != two:
            return
        mine, theirs = (seen(playthrough, world, viewer) for world in worlds)
        where = "" if mine == theirs else difference(mine, theirs)
        assert not where, f"{viewer!r} was told the same, and {act} makes a difference: {where}"


def _some_act(playthrough: Playthrough, state: Any) -> Act:
    """Return a random act that is possible in this state."""
    game, dice = playthrough.game, playthrough.dice
    asked = [(seat, game.rules.offers(state, seat)) for seat in all_seats(len(state.prompts))]
    asked = [
        (seat, offers) for seat, offers in asked if offers and seat not in game.rules.out(state)
    ]
    if not asked or dice.draw("time", 10) == 0:
        return Act("lapse")
    seat, offers = dice.pick("who", asked)
    return Act("move", seat, playthrough.some_move(offers))


def _told(told: tuple[Told, ...], viewer: Viewer) -> list[Any]:
    return [pack(one) for one in told if one.to is None or viewer in one.to]
