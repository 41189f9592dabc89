"""The laws that every game obeys, with one function per law.

Each docstring begins with the number of its law. A law takes a game, or a moment of one of its
matches, and fails if the game breaks the law. Laws are independent of any game: each game declares
its secrets in `tests/secrets.py` in its folder.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from games.contract.choices import is_offered, random_move
from games.contract.core import Change, Ignored, Move, Options, Refused
from games.contract.data import Seat, Viewer, decode, encode, pack, unpack
from games.contract.game import AnyGame
from games.pages import replay
from games.pages.region import Region
from games.tables.table import Table
from games.tables.views import offers, view_data
from tests.kit.difference import difference
from tests.kit.nonsense import anything, how_many, moves_of, sample
from tests.kit.play import Act, Playthrough, done, match, troubled
from tests.kit.wording import is_sentence

ALL_STORED, THEN_EACH = 100, 7
"""Number of first acts that are repeated on the stored state. After them, every seventh is."""


def it_ends(game: AnyGame, n: int, options: Options, seed: int, silent: tuple[Seat, ...]) -> None:
    """1: a match ends whoever is silent, leaves or is late, and however often time runs out."""
    for play in (Playthrough.some_act, troubled):
        for playthrough in match(game, n, options, seed, play, silent):
            _somebody_is_waited_for(playthrough)
            _time_goes_on(playthrough)


def silence_ends(game: AnyGame, n: int, options: Options, seed: int) -> None:
    """1: a match ends even if nobody ever answers."""

    def nobody_acts(playthrough: Playthrough) -> Act:
        return Act("lapse")

    for playthrough in match(game, n, options, seed, nobody_acts):
        _somebody_is_waited_for(playthrough)


def leaving_ends(game: AnyGame, n: int, options: Options, seed: int) -> None:
    """1: a match ends if players leave one after another, and the others play or are silent."""

    def go(playthrough: Playthrough) -> Act:
        inside = playthrough.inside()
        if not inside or playthrough.dice.draw("stay", 3) == 0:
            return playthrough.some_act(time=30)
        return Act("leave", playthrough.dice.pick("leaver", inside))

    for playthrough in match(game, n, options, seed, go):
        if not playthrough.made or playthrough.last.kind != "leave" or playthrough.over:
            continue
        gone = playthrough.last.seat
        assert gone not in game.rules.awaited(playthrough.state), (
            "a player who left is still awaited"
        )
        if game.rules.comeback is None:
            assert gone in game.rules.out(playthrough.state), "a player who left is still in"


def _somebody_is_waited_for(playthrough: Playthrough) -> None:
    """2: the clock runs and somebody can act until the match ends. Then nobody can."""
    game, state = playthrough.game, playthrough.state
    awaited, asked = game.rules.awaited(state), {seat for seat, _ in playthrough.asked()}
    assert set(game.rules.idle(state)) <= set(awaited)
    assert set(awaited) <= asked, "an awaited seat has no offers"
    assert len(set(awaited)) == len(awaited)
    assert not set(awaited) & set(game.rules.out(state)), "an eliminated seat is awaited"
    if playthrough.over:
        assert not asked, "the match is over, but there are offers"
        assert game.rules.patience(state) is None
        assert game.rules.turn(state).seat is None
        return
    patience = game.rules.patience(state)
    assert patience is not None, "no clock is running, but the match is not over"
    assert patience > 0
    assert awaited or asked or _is_let_alone(playthrough), "nobody has any offers"


def _is_let_alone(playthrough: Playthrough) -> bool:
    """Return whether the pause ends by itself."""
    return game_clock(playthrough.lapsed()) != playthrough.state.clock


def game_clock(change: Change[Any]) -> int:
    clock: int = change.state.clock
    return clock


def _time_goes_on(playthrough: Playthrough) -> None:
    """2: a timeout restarts the clock."""
    if playthrough.over:
        return
    assert game_clock(playthrough.lapsed()) > playthrough.state.clock, (
        "a lapse must change the clock"
    )


def same_luck_same_match(playthrough: Playthrough) -> None:
    """3 and 10: replaying the stored log, each act on the stored state, gives the same match."""
    game = playthrough.game
    again = Playthrough(
        game,
        playthrough.seats_at_start,
        playthrough.options,
        int.from_bytes(playthrough.seed, "big"),
    )
    for number, act in enumerate(playthrough.acts):
        if number < ALL_STORED or number % THEN_EACH == 0:
            again.state = decode(encode(again.state), game.rules.state)
        move = None if act.move is None else unpack(_through_json(pack(act.move)), game.rules.moves)
        luck = again.luck()
        again.keep(act, done(game, again.state, Act(act.kind, act.seat, move), luck), luck)
    for saying, of in REPLAYED.items():
        one, two = pack(of(playthrough)), pack(of(again))
        assert one == two, f"{saying}: {difference(one, two)}"


REPLAYED: dict[str, Callable[[Playthrough], Any]] = {
    "the log does not replay to the state": lambda playthrough: playthrough.state,
    "the same luck gives different events": lambda playthrough: playthrough.told,
    "the same luck gives different draws": lambda playthrough: playthrough.draws,
}


def survives_json(playthrough: Playthrough) -> None:
    """4: options, state, events and views survive JSON."""
    game = playthrough.game
    assert decode(encode(playthrough.options), game.rules.options) == playthrough.options
    kept = decode(encode(playthrough.state), game.rules.state)
    assert kept == playthrough.state, (
        f"the state differs after a round trip through JSON: {_parts(playthrough.state, kept)}"
    )
    for told in playthrough.change.told:
        assert unpack(_through_json(pack(told.event)), game.rules.events) == told.event
    for viewer in (None, *playthrough.some_seats()):
        view = game.rules.view(playthrough.state, viewer)
        back = decode(encode(view), game.rules.view_type)
        assert back == view, (
            f"the view differs after a round trip through JSON: {_parts(view, back)}"
        )
        assert encode(game.rules.view(kept, viewer)) == encode(view)
        if viewer is not None:
            offers = game.rules.offers(playthrough.state, viewer)
            assert pack(game.rules.offers(kept, viewer)) == pack(offers)
    for _, offers in playthrough.asked():
        move = random_move(game.rules.moves, offers, playthrough.dice)
        assert unpack(_through_json(pack(move)), game.rules.moves) == move


def _parts(one: Any, two: Any) -> str:
    """Return the field in which two structs differ, even if JSON changed only its type."""
    for name in one.__struct_fields__:
        if (was := getattr(one, name)) != (now := getattr(two, name)):
            return f"{name} is {was!r} before and {now!r} after"
    return "nothing"


def no_question_is_open_twice(playthrough: Playthrough, earlier: Playthrough) -> None:
    """5: prompts only rise. Your own move changes your prompt, others' moves do not.

    `earlier` is the moment before the last act. The same prompt means the same question.
    """
    game, act, before, after = playthrough.game, playthrough.last, earlier.state, playthrough.state
    had, has = dict(earlier.asked()), dict(playthrough.asked())
    assert after.clock >= before.clock
    for seat, (old, new) in enumerate(zip(before.prompts, after.prompts, strict=False)):
        assert new >= old, "a prompt number is reused"
        if act.kind == "move" and seat == act.seat:
            assert new > old, f"{act.move} can be made twice with one prompt"
        elif act.kind == "move" and after.clock == before.clock:
            assert new == old, "the question to the others has changed, but not the clock"
        if new == old and act.kind == "move" and not playthrough.over:
            was, now = had.get(Seat(seat), ()), has.get(Seat(seat), ())
            assert was == now, f"{act}: a different question to {seat} with the same prompt"
    was_on, now_on = game.rules.turn(before), game.rules.turn(after)
    assert now_on.count >= was_on.count, "the turn count decreases"
    if playthrough.over:
        return
    if now_on.seat is not None and now_on.seat != was_on.seat and was_on.seat is not None:
        assert now_on.count > was_on.count, "a turn begins, but the turn count does not change"


def accepted_is_offered(playthrough: Playthrough) -> None:
    """6 and 7: the accepted moves are exactly the offered ones. Each refusal has a sentence."""
    game, state = playthrough.game, playthrough.state
    stored = encode(state)
    out, asked = game.rules.out(state), dict(playthrough.asked())
    for seat in playthrough.some_seats():
        offers = asked.get(seat, ())
        if seat in out and game.rules.comeback is None:
            assert offers == (), "an eliminated seat has offers"
        for offer in offers:
            assert all(how_many(choices) for choices in offer.args.values()), (
                "a choice without values"
            )
            for move in sample(playthrough, list(moves_of(game.rules.moves, offer))):
                assert is_offered(offers, move)
                _accepted(playthrough, seat, move)
        if playthrough.over or seat in out:
            continue  # the platform ignores these without asking
        for move in anything(playthrough, 10):
            if not is_offered(offers, move):
                _not_accepted(playthrough, seat, move)
    assert encode(state) == stored, "the state has been changed in place"


def _accepted(playthrough: Playthrough, seat: Seat, move: Move) -> None:
    asked = pack(move)
    try:
        playthrough.game.rules.apply(playthrough.state, seat, move, playthrough.luck())
    except (Ignored, Refused) as answer:
        raise AssertionError(f"{move} of {seat!r} is offered but not accepted") from answer
    assert pack(move) == asked, "the move has been changed in place"


def _not_accepted(playthrough: Playthrough, seat: Seat, move: Move) -> None:
    try:
        playthrough.game.rules.apply(playthrough.state, seat, move, playthrough.luck())
    except Ignored:
        return
    except Refused as refused:
        words = playthrough.once(
            "words", lambda: playthrough.game.telling.words(playthrough.options)
        )
        is_sentence(words.refusal(refused.code, refused.facts))
        return
    raise AssertionError(f"{move} of {seat!r} is accepted but not offered")


def told_to_whom_it_concerns(playthrough: Playthrough, out_before: Sequence[Seat]) -> None:
    """9: a private event is sent only to seats of this match that are still in."""
    for told in playthrough.change.told:
        if told.to is None:
            continue
        assert told.to, "an event has no recipients"
        assert set(told.to) <= set(playthrough.seats)
        assert not set(out_before) & set(told.to), f"{told} is sent to an eliminated seat"


def _through_json(plain: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(plain))


def shown(table: Table, seat: Viewer) -> dict[str, Any]:
    """Return what a seat sees of a table and a replay shows again, by name."""
    status, *drawn = replay.regions(table, seat, "en")
    return {
        "sentence": status.part["sentence"],
        "view": view_data(table, seat),
        "offers": pack(offers(table, replay.through(table, seat, "en").acting)),
        **{region.id: _content(region) for region in drawn},
    }


def _content(region: Region) -> Any:
    return msgspec.json.decode(
        msgspec.json.encode(
            [region.part, *(_content(item) for item in region.items)], enc_hook=str, order="sorted"
        )
    )


def is_replayed(then: dict[str, Any], again: dict[str, Any]) -> None:
    """11: at every version, a replay shows what was shown then."""
    for name, value in then.items():
        assert again[name] == value, f"{name}: {difference(value, again[name], name)}"
