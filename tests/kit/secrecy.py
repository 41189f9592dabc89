"""Law 8: hidden information affects neither what a viewer receives nor what bots do."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from types import ModuleType
from typing import Any

import msgspec

from games.contract.choices import is_offered
from games.contract.core import Change, Event, Ignored, Move, Offer, Options, Refused
from games.contract.data import Seat, Viewer, encode, pack
from games.contract.game import AnyGame
from games.contract.lesson import Moment
from games.contract.luck import BotLuck, Luck
from tests.kit.difference import difference
from tests.kit.play import Act, Playthrough, done, match

ASK_A_BOT = 3
"""Compare the decisions of bots in every third state only.

They take long to compute, and the data they are based on is always compared.
"""
HINT = "If an act reveals this, an event of that act must tell it (REVEALS or DRAWN)."


def hidden_things_make_no_difference(playthrough: Playthrough, secrets: ModuleType | Any) -> None:
    """8: a viewer's view, offers and events do not depend on what the viewer may not know.

    This is checked for the state itself, and then for an act made in both worlds. The events that
    the viewer receives must agree until something is revealed (by an event in the `REVEALS` of the
    game's secrets). If nothing is revealed, the two worlds must still look the same afterwards.

    Every other time, the act draws different random values in the other world. Values drawn for
    others must not reach the viewer either, unless everybody may learn them (`DRAWN`).
    """
    seats = playthrough.dice.shuffled("viewers", playthrough.seats)[:3]
    for viewer in (None, *seats):
        other = secrets.scramble(playthrough.state, viewer, playthrough.dice)
        is_same = encode(other) == playthrough.once("stored", lambda: encode(playthrough.state))
        if not is_same:
            secrets.invariants(other)
            _the_same(
                seen(playthrough, playthrough.state, viewer),
                seen(playthrough, other, viewer),
                viewer,
            )
        if playthrough.over:
            continue
        if playthrough.dice.draw("other luck", 2):
            _the_same_through(playthrough, other, viewer, secrets, has_other_luck=True)
        elif not is_same:
            _the_same_through(playthrough, other, viewer, secrets, has_other_luck=False)


def private_events_name_their_recipients(change: Change[Any], secrets: ModuleType | Any) -> None:
    """9: events declared private (`PRIVATE`) go only to their recipients, all others to everybody.

    `PRIVATE` maps an event type to a function that says whether a seat may hear it.
    """
    for told in change.told:
        may_hear, kind = secrets.PRIVATE.get(type(told.event)), type(told.event).__name__
        if may_hear is None:
            assert told.to is None, f"{kind} is sent to some seats only, but is not in PRIVATE"
            continue
        assert told.to is not None, f"{kind} is private, but sent to everybody"
        for seat in told.to:
            assert may_hear(told.event, change, seat), f"{kind} is not for seat {seat}"


def _the_same_through(
    playthrough: Playthrough, other: Any, viewer: Viewer, secrets: Any, has_other_luck: bool
) -> None:
    act = playthrough.some_act(leaving=10, time=10)
    one = done(playthrough.game, playthrough.state, act, playthrough.luck())
    luck = Luck(b"other" + playthrough.seed, 1) if has_other_luck else playthrough.luck()
    try:
        two = done(playthrough.game, other, act, luck)
    except (Ignored, Refused):
        assert act.seat != viewer, "offers depend on what the viewer may not know"
        return  # that move was impossible in the other world
    meant = {event.__name__ for event in secrets.REVEALS}
    drawn: set[str] = set()
    may_see_draws = False
    if has_other_luck:
        drawn = _drawn_for(viewer, one, secrets) | _drawn_for(viewer, two, secrets)
        acting = (
            playthrough.game.rules.awaited(playthrough.state) if act.seat is None else (act.seat,)
        )
        may_see_draws = bool(drawn) or viewer in acting
        meant |= drawn
    told = [[_overheard(t.event, t.to, viewer) for t in change.told] for change in (one, two)]
    for pair in zip_longest(*told, fillvalue=("", "nothing")):
        if pair[0] != pair[1]:
            where = difference(pair[0][1], pair[1][1], pair[0][0])
            assert meant & {kind for kind, _ in pair}, (
                f"{_who(viewer)} learns a secret (not in REVEALS or DRAWN) by {act}: {where}"
            )
            return
        if drawn & {kind for kind, _ in pair}:
            return  # later events may depend on the draws
    ends = [playthrough.game.rules.outcome(change.state) is not None for change in (one, two)]
    assert ends[0] == ends[1], f"{act}: whether the match goes on tells {_who(viewer)} a secret"
    if not ends[0] and not may_see_draws:  # everything is shown at the end
        _the_same(
            seen(playthrough, one.state, viewer), seen(playthrough, two.state, viewer), viewer
        )


def _drawn_for(viewer: Viewer, change: Change[Any], secrets: Any) -> set[str]:
    """Return the events of a change that reveal to this viewer what was drawn."""

    def is_for(event: Event) -> bool:
        may_hear = secrets.PRIVATE.get(type(event))
        if may_hear is None or viewer is None:
            return isinstance(event, secrets.DRAWN)
        return bool(may_hear(event, change, viewer))

    return {type(told.event).__name__ for told in change.told if is_for(told.event)}


def _overheard(event: Event, to: tuple[Seat, ...] | None, viewer: Viewer) -> tuple[str, Any]:
    """Return an event as a viewer gets it. Of an event for others, return only that it happened."""
    fields = pack(event) if to is None or viewer in to else "something"
    return type(event).__name__, {"fields": fields, "to": pack(to)}


def _the_same(one: bytes, two: bytes, viewer: Viewer) -> None:
    if one == two:
        return
    seen, seen_there = msgspec.json.decode(one), msgspec.json.decode(two)
    for name, value in seen.items():
        there = seen_there.get(name, ...)
        where = difference(value, there, name) if value != there else ""
        assert not where, f"{name} tells {_who(viewer)} what it may not know: {where}. {HINT}"
    raise AssertionError(f"what is there tells {_who(viewer)} what it may not know. {HINT}")


def _who(viewer: Viewer) -> str:
    return "the gallery" if viewer is None else f"seat {viewer}"


def seen(playthrough: Playthrough, state: Any, viewer: Viewer) -> bytes:
    """Return everything that a viewer learns from a state, as a JSON object."""
    if state is playthrough.state:
        return playthrough.once(("seen", viewer), lambda: _seen(playthrough, state, viewer))
    return _seen(playthrough, state, viewer)


def _seen(playthrough: Playthrough, state: Any, viewer: Viewer) -> bytes:
    game = playthrough.game
    view = game.rules.view(state, viewer)
    words = playthrough.once("words", lambda: game.telling.words(playthrough.options))
    if state is playthrough.state:
        asked = dict(playthrough.asked())
    else:
        asked = {s: made for s in playthrough.seats if (made := game.rules.offers(state, s))}
    found: dict[str, Any] = {
        "view": view,
        "awaited": game.rules.awaited(state),
        "idles": game.rules.idle(state),
        "out": game.rules.out(state),
        "turn": game.rules.turn(state),
        "patience": game.rules.patience(state),
        "outcome": game.rules.outcome(state),
        "clock": state.clock,
        "prompts": state.prompts,
        "sentence": repr(words.prompt(view, viewer)),
        "who can act": sorted(asked),
    }
    if viewer is not None:
        found["explained"] = repr(words.explain(Moment(viewer, view, asked.get(viewer, ()))))
    if viewer is not None and (offers := asked.get(viewer)):
        found["offers"] = offers
        found["hints"] = [repr(words.hint(view, viewer, one.move, {})) for one in offers]
        if playthrough.made % ASK_A_BOT == 0:
            level = sorted(game.bots.levels)[playthrough.made // ASK_A_BOT % len(game.bots.levels)]
            found[f"bot {level}"] = _bot_move(playthrough, level, viewer, view, offers)
    return encode(found)


def _bot_move(
    playthrough: Playthrough, level: str, seat: Seat, view: Any, offers: Sequence[Offer]
) -> Move:
    luck = BotLuck(b"bot" + playthrough.seed, playthrough.made)
    bot, heard = playthrough.game.bots.levels[level], playthrough.heard(seat)
    move = bot(seat, view, tuple(offers), heard, (), luck)
    assert is_offered(offers, move), f"the bot {level} makes {move}, which is not offered"
    return move


def bots_are_legal(game: AnyGame, n: int, options: Options, seed: int) -> None:
    """8: bots of all levels play legally at one table, and repeat their moves for a seed."""
    levels = sorted(game.bots.levels)

    def play(playthrough: Playthrough) -> Act:
        asked = playthrough.asked()
        if not asked:
            return Act("lapse")
        seat, offers = playthrough.dice.pick("who", asked)
        view = game.rules.view(playthrough.state, seat)
        level = levels[seat % len(levels)]
        move = _bot_move(playthrough, level, seat, view, offers)
        assert move == _bot_move(playthrough, level, seat, view, offers), (
            f"{level} decides differently in the same position"
        )
        return Act("move", seat, move)

    for _ in match(game, n, options, seed, play):
        pass
