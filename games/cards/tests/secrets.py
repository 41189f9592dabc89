"""Hidden information, invariants and sample options of Cards, for the tests every game runs."""

from __future__ import annotations

from games.cards.rules.packs import BUILT_IN
from games.cards.rules.state import (
    AuthorsShown,
    BlackCardDrawn,
    HandDrawn,
    Numbers,
    Options,
    PlayerVoted,
    PlaysRevealed,
    RoundResult,
    State,
)
from games.cards.tests.table import replaced
from games.contract.core import everyone
from games.contract.data import BySeat, Viewer
from games.contract.luck import Luck

OPTIONS: tuple[Options, ...] = (
    Options(),
    Options(hand_size=3, points_to_win=0, max_rounds=3, discard_cost=0, reveal_ballots=True),
    Options(hand_size=15, max_rounds=2, discard_cost=5, packs=("own", "own-de")),
    Options(allow_late_join=True, min_players_to_continue=2, points_to_win=2, packs=("own-de",)),
)

REVEALS = (BlackCardDrawn, HandDrawn, PlaysRevealed, AuthorsShown, RoundResult)
"""Events that reveal hidden information: cards, authors, votes."""
PRIVATE = {
    HandDrawn: lambda event, change, seat: (
        set(event.cards) <= set(change.state.stock.whites(change.state.hands[seat]))
    ),
    AuthorsShown: lambda event, change, seat: everyone(PlayerVoted(seat)) in change.told,
}
"""Private events, each with a function that says whether a seat may hear it."""
DRAWN = ()
"""Public events that reveal a new random draw."""


def scramble(state: State, viewer: Viewer, luck: Luck) -> State:
    """Change everything this viewer may not know: hands, decks, plays, authors, ballots."""
    me = None if viewer in state.gone else viewer
    state = _swap_hidden_cards(state, me, luck)
    if state.phase != "vote":
        return state
    if me not in state.votes:
        state = _swap_authors(state, me, luck)
    return _swap_ballots(state, me, luck)


def invariants(state: State) -> None:
    """Check that no card is lost or duplicated, and that only active seats have hands and votes."""
    white = [*state.white_deck, *state.white_discard]
    for cards in (*state.hands.values(), *state.plays.values()):
        white.extend(cards)
    black = [*state.black_deck, *state.black_discard]
    black += [] if state.active_black is None else [state.active_black]
    cards = [*state.stock.whites(white), *map(state.stock.black, black)]
    assert sorted({card.id.split(":")[0] for card in cards}) == sorted(state.options.packs)
    assert len(set(white)) == len(white) == _size(state, "answers")
    assert len(set(black)) == len(black) == _size(state, "prompts")
    assert all(score >= 0 for score in state.scores.values())
    assert all(not state.hands[seat] for seat in (*state.gone, *state.joining))
    assert sorted(state.order) == (sorted(state.plays) if state.phase == "vote" else [])
    assert all(state.order[play_id] != seat for seat, play_id in state.votes.items())
    assert (state.ended is not None) == (state.phase == "over")


def _size(state: State, kind: str) -> int:
    return sum(len(getattr(BUILT_IN[slug], kind)) for slug in state.options.packs)


def _swap_hidden_cards(state: State, me: Viewer, luck: Luck) -> State:
    """Redeal the white cards this viewer cannot see, and shuffle the black deck."""
    others = [seat for seat in state.hands if seat != me]
    covered = [seat for seat in others if seat in state.plays and state.phase == "play"]
    pool = list(state.white_deck)
    for seat in others:
        pool.extend(state.hands[seat])
    for seat in covered:
        pool.extend(state.plays[seat])
    cards = list(luck.shuffled("pool", pool))
    hands, plays = dict(state.hands), dict(state.plays)
    for seat in others:
        hands[seat] = _dealt(cards, len(hands[seat]))
    for seat in covered:
        plays[seat] = _dealt(cards, len(plays[seat]))
    return replaced(
        state,
        hands=BySeat(hands),
        plays=BySeat(plays),
        white_deck=tuple(cards),
        black_deck=luck.shuffled("black", state.black_deck),
    )


def _swap_authors(state: State, me: Viewer, luck: Luck) -> State:
    """Keep the plays on the table, but permute the authors of the others' plays.

    Ballots refer to plays, so they stay valid.
    """
    shown = [state.plays[seat] for seat in state.order]
    others = iter(luck.shuffled("authors", [seat for seat in state.order if seat != me]))
    order = tuple(seat if seat == me else next(others) for seat in state.order)
    plays = BySeat(dict(zip(order, shown, strict=True)))
    return replaced(state, order=order, plays=plays)


def _swap_ballots(state: State, me: Viewer, luck: Luck) -> State:
    votes = dict(state.votes)
    for seat in votes:
        if seat != me:
            others = [at for at, author in enumerate(state.order) if author != seat]
            votes[seat] = luck.pick("vote", others)
    return replaced(state, votes=BySeat(votes))


def _dealt(cards: list[int], n: int) -> Numbers:
    return tuple(cards.pop() for _ in range(n))
