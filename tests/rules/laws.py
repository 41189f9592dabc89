"""The laws every game keeps, one function each (design: the contract of a game)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any, get_args, get_origin

import msgspec

from games.rules.choices import every_move, is_offered, move_types, random_move
from games.rules.core import (
    AnyGame,
    Change,
    Ignored,
    Move,
    Offer,
    Options,
    Refused,
    Some,
    Told,
    all_seats,
)
from games.rules.data import NOBODY, Seat, decode, encode, pack, unpack
from games.rules.luck import Luck

Scramble = Callable[[Any, Seat | None, Luck], Any]
LONGEST = 3000


class Walk:
    """A match on its way: the state, the seed, what was told, and how it came about."""

    def __init__(self, game: AnyGame, n: int, options: Options, seed: int) -> None:
        self.game, self.n, self.seed = game, n, seed.to_bytes(32, "big")
        self.act = 1
        self.dice = Luck(b"dice" + self.seed, 0)
        self.change: Change[Any] = game.setup(n, options, Luck(self.seed, 1))
        self.told: list[Told] = list(self.change.told)
        self.steps: list[tuple[str, Any, Any]] = []
        self.states: list[bytes] = []

    @property
    def state(self) -> Any:
        return self.change.state

    @property
    def over(self) -> bool:
        return self.game.outcome(self.state) is not None

    def luck(self) -> Luck:
        return Luck(self.seed, self.act + 1)

    def move(self, seat: Seat, move: Move) -> None:
        self._take("move", seat, move, self.game.apply(self.state, seat, move, self.luck()))

    def lapse(self) -> None:
        self._take("lapse", None, None, self.game.lapse(self.state, self.luck()))

    def leave(self, seat: Seat) -> None:
        self._take("leave", seat, None, self.game.leave(self.state, seat, self.luck()))

    def _take(self, kind: str, seat: Any, move: Any, change: Change[Any]) -> None:
        self.steps.append((kind, seat, move))
        self.change = change
        self.told += change.told
        self.act += 1
        self.states.append(encode(change.state))

    def asked(self) -> list[tuple[Seat, tuple[Offer, ...]]]:
        """Who can do something, and what."""
        found = ((seat, self.game.offers(self.state, seat)) for seat in all_seats(self.n))
        return [(seat, offers) for seat, offers in found if offers]

    def step(self, silent: Sequence[Seat] = ()) -> None:
        """A random move of somebody who is not silent, else time runs out."""
        willing = [(seat, offers) for seat, offers in self.asked() if seat not in silent]
        if not willing:
            self.lapse()
            return
        seat, offers = self.dice.pick("who", willing)
        self.move(seat, random_move(self.game.moves, offers, self.dice))


def walks(game: AnyGame, n: int, options: Options, seed: int) -> Iterator[Walk]:
    """Every moment of a random match, the last one included."""
    walk = Walk(game, n, options, seed)
    for _ in range(LONGEST):
        yield walk
        if walk.over:
            return
        walk.step()
    raise AssertionError("the match does not end")


def it_ends(game: AnyGame, n: int, options: Options, seed: int) -> None:
    """1 and 2: whoever stays silent or leaves; until then somebody is asked, and time helps."""
    walk = Walk(game, n, options, seed)
    seats = all_seats(n)
    silent = [seat for seat in seats if walk.dice.draw("silent", 2)]
    for count in range(LONGEST):
        if walk.over:
            assert walk.game.awaited(walk.state) == ()
            assert walk.asked() == []
            assert walk.game.patience(walk.state) is None
            return
        assert walk.game.patience(walk.state) is not None
        pause = not walk.game.awaited(walk.state)
        assert walk.asked(), "nobody can do anything"
        assert not pause or walk.game.idles(walk.state) == ()
        assert set(walk.game.idles(walk.state)) <= set(walk.game.awaited(walk.state))
        inside = [seat for seat in seats if seat not in walk.game.out(walk.state)]
        if count % 7 == 3 and walk.dice.draw("leave", 4) == 0:
            walk.leave(walk.dice.pick("leaver", inside))
            continue
        before = walk.state.clock
        if walk.dice.draw("time", 5) == 0:
            walk.lapse()
            assert walk.state.clock != before, "a lapse has to change the clock"
        else:
            walk.step(silent)
    raise AssertionError("the match does not end")


def everyone_silent_ends(game: AnyGame, n: int, options: Options, seed: int) -> None:
    """1: nobody ever answers."""
    walk = Walk(game, n, options, seed)
    for _ in range(LONGEST):
        if walk.over:
            return
        walk.lapse()
    raise AssertionError("the match does not end")


def same_luck_same_match(game: AnyGame, n: int, options: Options, seed: int) -> None:
    """3 and 10: the same luck and moves give the same states and events; the log replays."""
    walk = Walk(game, n, options, seed)
    while not walk.over and len(walk.steps) < LONGEST:
        walk.step()
    again = Walk(game, n, options, seed)
    for (kind, seat, move), state in zip(walk.steps, walk.states, strict=True):
        if kind == "move":
            stored = unpack(msgspec.json.decode(msgspec.json.encode(pack(move))), game.moves)
            again.move(seat, stored)
        else:
            again.lapse()
        assert again.states[-1] == state
    assert [pack(told) for told in again.told] == [pack(told) for told in walk.told]


def survives_json(walk: Walk) -> None:
    """4: state, events, views."""
    game = walk.game
    assert decode(encode(walk.state), game.state) == walk.state
    for told in walk.change.told:
        assert unpack(pack(told.event), game.events) == told.event
    for viewer in (None, *all_seats(walk.n)):
        view = game.view(walk.state, viewer)
        assert encode(decode(encode(view), game.view_type)) == encode(view)


def no_move_is_open_twice(walk: Walk, seat: Seat, move: Move) -> None:
    """5: an accepted move changes the prompt of who made it; a kept clock keeps the others'."""
    before = walk.state
    after = walk.game.apply(before, seat, move, walk.luck()).state
    assert after.prompts[seat] != before.prompts[seat]
    if after.clock == before.clock:
        others = [at for at in range(walk.n) if at != seat]
        assert all(after.prompts[at] == before.prompts[at] for at in others)


def accepted_is_offered(walk: Walk) -> None:
    """6 and 7: every offered move is accepted, no other is; nothing is changed in place."""
    game, state = walk.game, walk.state
    stored = encode(state)
    for seat in all_seats(walk.n):
        offers = game.offers(state, seat)
        for offer in offers:
            for move in _sample(walk, list(_some(game.moves, offer))):
                no_move_is_open_twice(walk, seat, move)
                assert is_offered(offers, move)
        for move in _sample(walk, _anything(game, walk.n), 12):
            if is_offered(offers, move):
                continue
            try:
                game.apply(state, seat, move, walk.luck())
            except (Ignored, Refused) as answer:
                if isinstance(answer, Refused):
                    game.words(_options(state)).refusal(answer.code, answer.facts)
                continue
            raise AssertionError(f"{move} of {seat!r} was accepted though not offered")
    assert encode(state) == stored


def non_interference(walk: Walk, scramble: Scramble) -> None:
    """8: what a viewer may not know makes no difference to anything it gets."""
    for viewer in (None, *all_seats(walk.n)):
        other = scramble(walk.state, viewer, walk.dice)
        assert _seen(walk.game, other, viewer) == _seen(walk.game, walk.state, viewer), viewer
        if viewer is None or not (offers := walk.game.offers(walk.state, viewer)):
            continue
        move = random_move(walk.game.moves, offers, Luck(walk.seed, 9))
        if isinstance(move, tuple(secret_results(walk.game))):
            continue
        mine = [walk.game.apply(s, viewer, move, walk.luck()) for s in (walk.state, other)]
        shown = [
            [pack(t.event) for t in change.told if t.to is None and not _reveals(t.event)]
            for change in mine
        ]
        kinds = [[type(t.event).__name__ for t in change.told] for change in mine]
        if not any(_reveals(t.event) for change in mine for t in change.told):
            assert kinds[0] == kinds[1]
            assert shown[0] == shown[1]


def secret_results(game: AnyGame) -> list[type[Move]]:
    """Moves whose very point is that hidden facts come to light."""
    names = {"Challenge", "See", "Announce", "Pass", "Block"}
    return [move for name, move in move_types(game.moves).items() if name in names]


def told_only_to_whom_it_concerns(walk: Walk) -> None:
    """9: an event for somebody names a seat that is in; who is out learns nothing more alone."""
    out = set(walk.game.out(walk.state))
    for told in walk.change.told:
        assert told.to is None or told.to
        assert told.to is None or not out & set(told.to)


def _seen(game: AnyGame, state: Any, viewer: Seat | None) -> list[bytes]:
    """Everything a viewer gets of a state, as bytes."""
    seen = [encode(game.view(state, viewer)), encode(game.awaited(state))]
    seen += [encode(game.turn(state)), encode(game.idles(state)), encode(game.out(state))]
    seen += [repr(game.patience(state)).encode(), encode((state.clock, state.prompts))]
    seen.append(repr(game.outcome(state)).encode())
    words = game.words(_options(state))
    seen.append(repr(words.prompt(game.view(state, viewer), viewer)).encode())
    if viewer is None:
        return seen
    offers = game.offers(state, viewer)
    seen.append(msgspec.json.encode(pack(offers)))
    if offers and viewer in game.awaited(state):
        for bot in game.bots.values():
            move = bot(viewer, game.view(state, viewer), offers, (), Luck(b"bot", 1))
            assert is_offered(offers, move)
            seen.append(msgspec.json.encode(pack(move)))
    return seen


def _reveals(event: Any) -> bool:
    return type(event).__name__ in ("Rolled", "CardDrawn", "RoleShown", "InfluenceLost")


def _options(state: Any) -> Any:
    return state.options


def _some(moves: Any, offer: Offer) -> Iterator[Move]:
    """The moves of an offer, not more than a few hundred."""
    for count, move in enumerate(every_move(moves, offer)):
        if count > 300:
            return
        yield move
        if any(isinstance(choices, Some) for choices in offer.args.values()) and count > 60:
            return


def _sample(walk: Walk, moves: Sequence[Move], most: int = 8) -> Sequence[Move]:
    if len(moves) <= most:
        return moves
    return [walk.dice.pick("move", moves) for _ in range(most)]


def _anything(game: AnyGame, n: int) -> list[Move]:
    """Moves of every type with arguments from a wide pool, sense or nonsense."""
    found: list[Move] = []
    for move in move_types(game.moves).values():
        pools = [_pool(field.type, n) for field in msgspec.structs.fields(move)]
        found += [move(*values) for values in product(*pools)]
    return found


def _pool(type_: Any, n: int) -> list[Any]:
    if get_origin(type_) is tuple:
        inner = _pool(get_args(type_)[0], n)
        return [(), tuple(inner[:1]), tuple(inner[:2]), tuple(inner[-2:]), tuple(inner[:1] * 2)]
    if type_ is Seat:
        return [*all_seats(n), NOBODY]
    if type_ is bool:
        return [True, False]
    if type_ is int:
        return [-1, 0, 1, 2, 3, 99]
    if type_ is str:
        return ["", "5,3", "2,1", "7,1", "baelish", "arya", "<b>&'\""]
    options = [option for option in get_args(type_) if option is not type(None)]
    return [value for option in options for value in _pool(option, n)] + [None]
