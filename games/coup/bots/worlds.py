"""Full states of Iron Throne that are consistent with what one of the last two players knows.

The other hand is drawn by its likelihood, and the deck is dealt from the rest. Everything else is
public, except for the queue of a turn, which follows from its stage.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from games.contract.data import Seat
from games.contract.luck import Luck
from games.coup.bots.belief import Belief, Hand
from games.coup.rules.state import (
    Card,
    CoupOptions,
    CoupState,
    CoupView,
    Role,
    Todo,
)

FINE = 1 << 20
"""Resolution of random draws."""


def sample_world(seat: Seat, rival: Seat, view: CoupView, belief: Belief, luck: Luck) -> CoupState:
    """Return a state with default options that this seat cannot tell from the real one."""
    assert view.hand is not None
    assert view.on_turn is not None
    open_cards = [tuple(Card(c.role, True) for c in p.cards if c.role) for p in view.players]
    left = _unseen(view, belief)
    theirs = _hand(belief.hands(rival), left, luck)
    left.subtract(theirs)
    deck = luck.shuffled("deck", tuple(left.elements()))
    hands = list(open_cards)
    hands[seat] = view.hand
    hands[rival] = _placed(view, rival, theirs)
    return CoupState(
        clock=0,
        prompts=(0,) * len(hands),
        options=CoupOptions(),
        phase=view.phase,
        turn_stage=view.turn_stage,
        at=view.on_turn,
        action=view.action,
        target=view.target,
        action_challenger=view.action_challenger,
        block=view.block,
        blocker=view.blocker,
        block_challenger=view.block_challenger,
        waiting=view.waiting,
        queue=_queue(view),
        loser=view.loser,
        pool=view.pool or (),
        hands=tuple(hands),
        coins=tuple(player.coins for player in view.players),
        deck=deck,
        turns_played=view.turns_played,
        gone=tuple(Seat(at) for at, player in enumerate(view.players) if not player.influence),
    )


def _unseen(view: CoupView, belief: Belief) -> Counter[Role]:
    """Return the number of cards of each role that the rival and the deck hold together."""
    drawn = view.pool[-2:] if view.pool else ()
    return Counter(dict(belief.unseen)) - Counter(drawn)


def _hand(likely: Mapping[Hand, float], left: Counter[Role], luck: Luck) -> Hand:
    """Draw one of the hands that the remaining cards allow, weighted by likelihood."""
    can = {hand: weight for hand, weight in likely.items() if not Counter(hand) - left}
    weights = can if sum(can.values()) > 0 else dict.fromkeys(can, 1.0)
    at = luck.draw("hand", FINE) / FINE * sum(weights.values())
    for hand, weight in weights.items():
        at -= weight
        if at < 0:
            return hand
    return max(weights, key=lambda hand: weights[hand])


def _placed(view: CoupView, seat: Seat, down: Hand) -> tuple[Card, ...]:
    """Return the seat's hand with these roles as its face-down cards."""
    hidden = iter(down)
    return tuple(
        Card(card.role, True) if card.role is not None else Card(next(hidden))
        for card in view.players[seat].cards
    )


def _queue(view: CoupView) -> tuple[Todo, ...]:
    """Return the steps that follow once a player has chosen the card to lose.

    At all other times, no step is pending.
    """
    if view.phase != "lose_influence":
        return ()
    if view.turn_stage == 3:
        return (Todo("succeed"),)
    if view.turn_stage == 11 and view.action == "Assassinate":
        return (Todo("lose", view.loser), Todo("end"))
    return (Todo("end"),)
