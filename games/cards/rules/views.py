"""Cards: the view of each viewer (docs/rules/cards.md §4) and the outcome."""

from __future__ import annotations

from games.cards.rules.rounds import summary
from games.cards.rules.state import (
    DeckSizes,
    PlayerFacts,
    State,
    View,
    ViewPlay,
)
from games.contract.core import Outcome
from games.contract.data import Seat, Viewer


def view(state: State, viewer: Viewer) -> View:
    """Return what this viewer may know. Players who have left see the gallery's view."""
    me = None if viewer in state.gone else viewer
    return View(
        phase=state.phase,
        players=tuple(_facts(state, seat) for seat in state.hands),
        round=state.round,
        void_rounds=state.void_rounds,
        black=state.black,
        hand=() if me is None else state.stock.whites(state.hands[me]),
        plays=_plays(state, me),
        my_vote=None if me is None else state.votes.get(me),
        played=tuple(sorted(state.plays)),
        voted=tuple(sorted(state.votes)),
        continued=state.continued,
        last_round=None if state.last_round is None else summary(state.stock, state.last_round),
        deck_sizes=_deck_sizes(state),
    )


def outcome(state: State) -> Outcome | None:
    """Return the outcome, or None if the match is not over.

    The highest score above 0 among the players still present wins. Leavers are last.
    """
    if state.ended is None:
        return None
    best = max((state.scores[seat] for seat in state.in_game), default=0)
    winners = tuple(seat for seat in state.in_game if state.scores[seat] == best > 0)
    groups: dict[tuple[bool, int], list[Seat]] = {}
    for seat, score in state.scores.items():
        groups.setdefault((seat in state.gone, -score), []).append(seat)
    places = tuple(tuple(groups[rank]) for rank in sorted(groups))
    return Outcome(winners, places, state.scores, state.ended)


def _plays(state: State, me: Viewer) -> tuple[ViewPlay, ...]:
    """Return only the viewer's own play until the vote begins, and all plays from then on.

    Authors are included after the viewer has voted.
    """
    if state.phase == "vote":
        return tuple(_shown_play(state, me, at) for at in range(len(state.order)))
    if me is None or me not in state.plays:
        return ()
    cards = state.stock.whites(state.plays[me])
    return (ViewPlay(play_id=None, cards=cards, mine=True, author=me),)


def _shown_play(state: State, me: Viewer, at: int) -> ViewPlay:
    author = state.order[at]
    known = me == author or me in state.votes
    return ViewPlay(
        play_id=at,
        cards=state.stock.whites(state.plays[author]),
        mine=me == author,
        author=author if known else None,
    )


def _facts(state: State, seat: Seat) -> PlayerFacts:
    return PlayerFacts(
        score=state.scores[seat],
        hand_size=len(state.hands[seat]),
        has_played=seat in state.plays,
        has_voted=seat in state.votes,
        is_joining=seat in state.joining,
    )


def _deck_sizes(state: State) -> DeckSizes:
    return DeckSizes(
        black=len(state.black_deck),
        black_discard=len(state.black_discard),
        white=len(state.white_deck),
        white_discard=len(state.white_discard),
    )
