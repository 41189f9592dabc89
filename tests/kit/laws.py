"""The laws every game keeps, one function each; the numbers are those of the design's list.

A law takes a game, or a moment of one of its matches, and fails where the game breaks it. It knows
nothing of any game: what is hidden comes from `tests/rules/secrets/<slug>.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import zip_longest
from types import ModuleType
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec

from games.rules.choices import every_move, is_offered, move_types, random_move
from games.rules.core import AnyGame, Change, Event, Ignored, Move, Offer, OneOf, Options, Refused
from games.rules.data import NOBODY, Seat, Viewer, decode, encode, pack, unpack
from games.rules.luck import Luck
from games.rules.words import Text
from tests.kit.difference import difference
from tests.kit.play import Act, Walk, done, match, troubled

Scramble = Callable[[Any, Viewer, Luck], Any]


def it_ends(game: AnyGame, n: int, options: Options, seed: int, silent: tuple[Seat, ...]) -> None:
    """1: whoever is silent, leaves or comes late, and however often time runs out."""
    for play in (Walk.some_act, troubled):
        for walk in match(game, n, options, seed, play, silent):
            _somebody_is_waited_for(walk)
            _time_goes_on(walk)


def silence_ends(game: AnyGame, n: int, options: Options, seed: int) -> None:
    """1: nobody ever answers."""

    def nobody_acts(walk: Walk) -> Act:
        return Act("lapse")

    for walk in match(game, n, options, seed, nobody_acts):
        _somebody_is_waited_for(walk)


def leaving_ends(game: AnyGame, n: int, options: Options, seed: int) -> None:
    """1: one after the other goes, whoever stays plays on or is silent."""

    def go(walk: Walk) -> Act:
        inside = walk.inside()
        if not inside or walk.dice.draw("stay", 3) == 0:
            return walk.some_act(time=30)
        return Act("leave", walk.dice.pick("leaver", inside))

    for walk in match(game, n, options, seed, go):
        if not walk.acts or walk.acts[-1].kind != "leave" or walk.over:
            continue
        gone = walk.acts[-1].seat
        assert gone not in game.awaited(walk.state), "who has left is still waited for"
        if game.comeback is None:
            assert gone in game.out(walk.state), "who has left is still in"


def _somebody_is_waited_for(walk: Walk) -> None:
    """2: until the end the clock runs and somebody can do something; after it nobody can."""
    game, state = walk.game, walk.state
    awaited, asked = game.awaited(state), {seat for seat, _ in walk.asked()}
    assert set(game.idles(state)) <= set(awaited)
    assert set(awaited) <= asked, "somebody is waited for who can do nothing"
    assert len(set(awaited)) == len(awaited)
    assert not set(awaited) & set(game.out(state)), "somebody is waited for who is out"
    if walk.over:
        assert not asked, "the match is over, and still something is offered"
        assert game.patience(state) is None
        assert game.turn(state).seat is None
        return
    patience = game.patience(state)
    assert patience is not None, "no clock runs, and the match is not over"
    assert patience > 0
    assert awaited or asked or _is_let_alone(walk), "nobody can do anything"


def _is_let_alone(walk: Walk) -> bool:
    """Whether the pause ends by itself at least."""
    return game_clock(walk.lapsed()) != walk.state.clock


def game_clock(change: Change[Any]) -> int:
    clock: int = change.state.clock
    return clock


def _time_goes_on(walk: Walk) -> None:
    """2: a lapse starts the clock anew."""
    if walk.over:
        return
    assert game_clock(walk.lapsed()) > walk.state.clock, "a lapse has to change the clock"


def same_luck_same_match(walk: Walk) -> None:
    """3 and 10: done again from the stored log, each act on the stored state, it is the same."""
    game = walk.game
    again = Walk(game, walk.seats_at_start, walk.options, int.from_bytes(walk.seed, "big"))
    for act in walk.acts:
        again.state = decode(encode(again.state), game.state)
        move = None if act.move is None else unpack(_through_json(pack(act.move)), game.moves)
        again.do(Act(act.kind, act.seat, move))
    for saying, of in REPLAYED.items():
        one, two = pack(of(walk)), pack(of(again))
        assert one == two, f"{saying}: {difference(one, two)}"


REPLAYED: dict[str, Callable[[Walk], Any]] = {
    "the log does not replay to the state": lambda walk: walk.state,
    "the same luck tells other things": lambda walk: walk.told,
    "the same luck draws other things": lambda walk: walk.draws,
}


def survives_json(walk: Walk) -> None:
    """4: options, state, events, views."""
    game = walk.game
    assert decode(encode(walk.options), game.options) == walk.options
    kept = decode(encode(walk.state), game.state)
    assert kept == walk.state, f"the state is another one after JSON: {_parts(walk.state, kept)}"
    for told in walk.change.told:
        assert unpack(_through_json(pack(told.event)), game.events) == told.event
    for viewer in (None, *walk.seats):
        view = game.view(walk.state, viewer)
        back = decode(encode(view), game.view_type)
        assert back == view, f"the view is another one after JSON: {_parts(view, back)}"
        assert encode(game.view(kept, viewer)) == encode(view)
        if viewer is not None:
            offers = game.offers(walk.state, viewer)
            assert pack(game.offers(kept, viewer)) == pack(offers)
    for _, offers in walk.asked():
        move = random_move(game.moves, offers, walk.dice)
        assert unpack(_through_json(pack(move)), game.moves) == move


def _parts(one: Any, two: Any) -> str:
    """The field in which two structs differ, with types that JSON has made others of."""
    for name in one.__struct_fields__:
        if (was := getattr(one, name)) != (now := getattr(two, name)):
            return f"{name} is {was!r} before and {now!r} after"
    return "nothing"


def no_question_is_open_twice(walk: Walk, before: Any) -> None:
    """5: prompts only rise; an own move changes one's prompt, others' moves leave it alone.

    `before` is the state before the last act. A prompt that is kept means a question that is kept.
    """
    game, act, after = walk.game, walk.acts[-1], walk.state
    assert after.clock >= before.clock
    for seat, (old, new) in enumerate(zip(before.prompts, after.prompts, strict=False)):
        assert new >= old, "a prompt comes a second time"
        if act.kind == "move" and seat == act.seat:
            assert new > old, f"{act.move} can be made twice under one prompt"
        elif act.kind == "move" and after.clock == before.clock:
            assert new == old, "the question to others has changed without a new clock"
        if new == old and act.kind == "move" and not walk.over:
            was, now = game.offers(before, Seat(seat)), game.offers(after, Seat(seat))
            assert was == now, f"{act}: another question to {seat} under the same prompt"
    was_on, now_on = game.turn(before), game.turn(after)
    assert now_on.count >= was_on.count, "turns are taken back"
    if walk.over:
        return
    if now_on.seat is not None and now_on.seat != was_on.seat and was_on.seat is not None:
        assert now_on.count > was_on.count, "a turn begins that is not counted"


def accepted_is_offered(walk: Walk) -> None:
    """6 and 7: what is offered is accepted, nothing else is; a refusal has its sentence."""
    game, state = walk.game, walk.state
    stored = encode(state)
    out = game.out(state)
    for seat in walk.seats:
        offers = game.offers(state, seat)
        if seat in out and game.comeback is None:
            assert offers == (), "something is offered to who is out"
        for offer in offers:
            assert all(_size(choices) for choices in offer.args.values()), "a choice of nothing"
            for move in _sample(walk, list(_some(game.moves, offer))):
                assert is_offered(offers, move)
                _accepted(walk, seat, move)
        if walk.over or seat in out:
            continue  # the platform ignores these without asking
        for move in _anything(walk, 10):
            if not is_offered(offers, move):
                _not_accepted(walk, seat, move)
    assert encode(state) == stored, "the state has been changed in place"


def _accepted(walk: Walk, seat: Seat, move: Move) -> None:
    asked = pack(move)
    try:
        walk.game.apply(walk.state, seat, move, walk.luck())
    except (Ignored, Refused) as answer:
        raise AssertionError(f"{move} of {seat!r} is offered and not accepted") from answer
    assert pack(move) == asked, "the move has been changed in place"


def _not_accepted(walk: Walk, seat: Seat, move: Move) -> None:
    try:
        walk.game.apply(walk.state, seat, move, walk.luck())
    except Ignored:
        return
    except Refused as refused:
        words = walk.once("words", lambda: walk.game.words(walk.options))
        is_sentence(words.refusal(refused.code, refused.facts))
        return
    raise AssertionError(f"{move} of {seat!r} is accepted though it is not offered")


def hidden_things_make_no_difference(walk: Walk, secrets: ModuleType | Any) -> None:
    """8: alter what a viewer may not know, and it sees, is offered and is told the same.

    First as things stand, then through an act, made in both worlds with the same luck: what the
    viewer is told agrees until something comes to light (an event named in the `REVEALS` of the
    game's secrets); where nothing did, the two worlds look the same afterwards as well.
    """
    seats = walk.dice.shuffled("viewers", walk.seats)[:3]
    for viewer in (None, *seats):
        other = secrets.scramble(walk.state, viewer, walk.dice)
        if encode(other) == walk.once("stored", lambda: encode(walk.state)):
            continue
        secrets.invariants(other)
        _the_same(seen(walk, walk.state, viewer), seen(walk, other, viewer), viewer)
        if not walk.over:
            _the_same_through(walk, other, viewer, getattr(secrets, "REVEALS", ()))


def _the_same_through(
    walk: Walk, other: Any, viewer: Viewer, reveals: tuple[type[Event], ...]
) -> None:
    act = walk.some_act(leaving=10, time=10)
    one = done(walk.game, walk.state, act, walk.luck())
    try:
        two = done(walk.game, other, act, walk.luck())
    except (Ignored, Refused):
        assert act.seat != viewer, "what is offered to a viewer depends on what it may not know"
        return  # in the other world that move was not possible
    told = [[_overheard(t.event, t.to, viewer) for t in change.told] for change in (one, two)]
    for pair in zip_longest(*told, fillvalue=("", "nothing")):
        if pair[0] != pair[1]:
            meant = {event.__name__ for event in reveals} & {kind for kind, _ in pair}
            where = difference(pair[0][1], pair[1][1], pair[0][0])
            assert meant, f"{_who(viewer)} learns a secret (or REVEALS lacks it) by {act}: {where}"
            return
    ends = [walk.game.outcome(change.state) is not None for change in (one, two)]
    assert ends[0] == ends[1], f"{act}: whether the match goes on tells {_who(viewer)} a secret"
    if not ends[0]:  # at the end everything is shown
        _the_same(seen(walk, one.state, viewer), seen(walk, two.state, viewer), viewer)


def _overheard(event: Event, to: tuple[Seat, ...] | None, viewer: Viewer) -> tuple[str, Any]:
    """An event as a viewer gets it; of what is not for it, only that there was something."""
    fields = pack(event) if to is None or viewer in to else "something"
    return type(event).__name__, {"fields": fields, "to": pack(to)}


def _the_same(one: dict[str, bytes], two: dict[str, bytes], viewer: Viewer) -> None:
    for name, bytes_ in one.items():
        if bytes_ != two[name]:
            where = difference(bytes_, two[name], name)
            raise AssertionError(f"{name} tells {_who(viewer)} what it may not know: {where}")
    assert len(one) == len(two), f"what is there tells {_who(viewer)} what it may not know"


def _who(viewer: Viewer) -> str:
    return "the gallery" if viewer is None else f"seat {viewer}"


def seen(walk: Walk, state: Any, viewer: Viewer) -> dict[str, bytes]:
    """Everything a viewer gets of a state, by name, as bytes."""
    if state is walk.state:
        return walk.once(("seen", viewer), lambda: _seen(walk, state, viewer))
    return _seen(walk, state, viewer)


def _seen(walk: Walk, state: Any, viewer: Viewer) -> dict[str, bytes]:
    game = walk.game
    view = game.view(state, viewer)
    words = walk.once("words", lambda: game.words(walk.options))
    offers = {seat: game.offers(state, seat) for seat in walk.seats}
    found: dict[str, bytes] = {
        "view": encode(view),
        "awaited": encode(game.awaited(state)),
        "idles": encode(game.idles(state)),
        "out": encode(game.out(state)),
        "turn": encode(game.turn(state)),
        "patience": encode(game.patience(state)),
        "outcome": encode(game.outcome(state)),
        "clock": encode(state.clock),
        "prompts": encode(state.prompts),
        "sentence": repr(words.prompt(view, viewer)).encode(),
        "who can act": encode([bool(made) for made in offers.values()]),
    }
    if viewer is not None and offers[viewer]:
        found["offers"] = encode(offers[viewer])
        level = sorted(game.bots)[len(walk.acts) % len(game.bots)]
        found[f"bot {level}"] = encode(_bot_move(walk, level, viewer, view, offers[viewer]))
    return found


def _bot_move(walk: Walk, level: str, seat: Seat, view: Any, offers: Sequence[Offer]) -> Move:
    luck = Luck(b"bot" + walk.seed, len(walk.acts))
    move = walk.game.bots[level](seat, view, tuple(offers), walk.heard(seat), luck)
    assert is_offered(offers, move), f"the bot {level} makes {move}, which is not offered"
    return move


def bots_are_legal(game: AnyGame, n: int, options: Options, seed: int) -> None:
    """8: bots of all levels at one table play legally, and the same with the same luck."""
    levels = sorted(game.bots)

    def play(walk: Walk) -> Act:
        asked = walk.asked()
        if not asked:
            return Act("lapse")
        seat, offers = walk.dice.pick("who", asked)
        view = game.view(walk.state, seat)
        level = levels[seat % len(levels)]
        move = _bot_move(walk, level, seat, view, offers)
        assert move == _bot_move(walk, level, seat, view, offers), f"{level} is of two minds"
        return Act("move", seat, move)

    for _ in match(game, n, options, seed, play):
        pass


def told_to_whom_it_concerns(walk: Walk, out_before: Sequence[Seat]) -> None:
    """9: a private event is for seats of this match that are in; nobody else hears it."""
    for told in walk.change.told:
        if told.to is None:
            continue
        assert told.to, "an event for nobody"
        assert set(told.to) <= set(walk.seats)
        assert not set(out_before) & set(told.to), f"{told} tells who is out"


def words_are_complete(walk: Walk) -> None:
    """Every event, question, button and choice has its sentence."""
    game, words = walk.game, walk.game.words(walk.options)
    for told in walk.change.told:
        is_sentence(words.event(told.event))
    for viewer in (None, *walk.seats):
        view = game.view(walk.state, viewer)
        is_sentence(words.prompt(view, viewer))
        for offer in game.offers(walk.state, viewer) if viewer is not None else ():
            is_sentence(words.move(offer.move))
            for name, choices in offer.args.items():
                listed = choices.one_of if isinstance(choices, OneOf) else choices.some
                for value in listed[:20]:
                    text = words.choice(view, offer.move, name, value)
                    if text is not None:
                        is_sentence(text)


def is_sentence(text: Text) -> None:
    """It has words, and a fact for every place in them."""
    for form in (text.id, text.plural or text.id):
        assert form.strip()
        form % _Facts(text.facts)
    for fact in text.facts.values():
        for part in fact if isinstance(fact, tuple) else (fact,):
            if isinstance(part, Text):
                is_sentence(part)


class _Facts(dict[str, Any]):
    def __missing__(self, name: str) -> str:
        raise AssertionError(f"no fact for %({name})s")


def _through_json(plain: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(plain))


def _size(choices: Any) -> int:
    if isinstance(choices, OneOf):
        assert len(set(choices.one_of)) == len(choices.one_of), "a choice twice"
        return len(choices.one_of)
    assert 0 <= choices.least <= choices.most <= len(choices.some)
    assert len(set(choices.some)) == len(choices.some), "a choice twice"
    return len(choices.some)


def _some(moves: Any, offer: Offer) -> Iterator[Move]:
    """The moves of an offer, not more than a few hundred."""
    for _, move in zip(range(300), every_move(moves, offer), strict=False):
        yield move


def _sample(walk: Walk, moves: Sequence[Move], most: int = 6) -> Sequence[Move]:
    if len(moves) <= most:
        return moves
    return [walk.dice.pick("move", moves) for _ in range(most)]


def _anything(walk: Walk, count: int) -> Iterator[Move]:
    """Moves of every type with arguments from a wide pool, sense or nonsense."""
    types = tuple(move_types(walk.game.moves).values())
    known = walk.once("choices", lambda: _known_choices(walk))
    for _ in range(count):
        type_ = walk.dice.pick("type", types)
        yield type_(*(_draw(walk, of, known) for of in _types_of(type_)))


@lru_cache
def _types_of(move: type[Move]) -> tuple[Any, ...]:
    return tuple(field.type for field in msgspec.structs.fields(move))


def _known_choices(walk: Walk) -> list[Any]:
    """What anybody can choose just now, as food for nonsense."""
    found: list[Any] = ["", "5,3", "2,1", "3,5", "7,1", "nothing", "<b>&'\"", -1, 0, 1, 2, 3, 99]
    for _, offers in walk.asked():
        for offer in offers:
            for choices in offer.args.values():
                some = choices.one_of if isinstance(choices, OneOf) else choices.some
                found += some[:30]
    return found


def _draw(walk: Walk, type_: Any, known: Sequence[Any]) -> Any:
    """A value of this type: for a seat anybody at the table or NOBODY, else what is known."""
    dice, origin = walk.dice, get_origin(type_)
    if origin is Annotated:
        return _draw(walk, get_args(type_)[0], known)
    if origin is tuple:
        (inner, *_) = get_args(type_)
        return tuple(_draw(walk, inner, known) for _ in range(dice.draw("length", 4)))
    if origin is Literal:
        return dice.pick("value", get_args(type_))
    if type_ is Seat:
        return dice.pick("seat", (*walk.seats, NOBODY))
    if type_ is bool:
        return dice.draw("bool", 2) == 1
    if type_ in (int, str):
        return dice.pick("value", [value for value in known if type(value) is type_])
    if type_ is type(None):
        return None
    choices = get_args(type_)
    assert choices, f"an argument of type {type_}"
    return _draw(walk, dice.pick("type", choices), known)
