"""Hidden information and invariants of Chamber, for the tests that every game runs."""

from collections import Counter

from msgspec.structs import replace

from games.chamber.rules.play import view
from games.chamber.rules.rounds import item_copies
from games.chamber.rules.state import (
    AirShot,
    ChamberChecked,
    ChamberLoaded,
    ChamberSeen,
    ItemsDealt,
    Options,
    Rebalanced,
    RoundStarted,
    Shot,
    State,
    current,
    remaining,
)
from games.contract.core import everyone
from games.contract.data import Viewer
from games.contract.luck import Luck

LITTLE = {"games.chamber.bots.hard.BUDGET": 100}
"""Search budgets of the bots in tests that are not `long`."""
OPTIONS: tuple[Options, ...] = (
    Options(),
    Options(start_lives=1, items_per_round=0),
    Options(
        start_lives=2,
        items_per_round=8,
        live_max=3,
        blank_min=0,
        blank_max=3,
        shoot_air_copies=16,
        max_lives=3,
        max_rounds=4,
        skip_cooldown=True,
        loot=False,
        on_leave="substitute",
    ),
    Options(start_lives=2, add_life_rounds=0, live_max=2, blank_min=8, blank_max=8),
    Options(start_lives=3, items_per_round=1, item_copies=2, live_min=4, live_max=4, max_rounds=2),
)
REVEALS = (Shot, AirShot, ChamberSeen)
"""Events that reveal hidden information."""
PRIVATE = {ChamberSeen: lambda event, change, seat: everyone(ChamberChecked(seat)) in change.told}
"""Private events, each with a function that says whether a seat may hear it."""
DRAWN = (RoundStarted, ItemsDealt, Rebalanced, ChamberLoaded)
"""Public events that reveal a new random draw."""


def scramble(state: State, viewer: Viewer, luck: Luck) -> State:
    """Reorder the part of the chamber that this viewer has not seen."""
    if not state.ammo or state.phase == "over":
        return state
    known = int(view(state, viewer).known_next is not None)
    seen, hidden = state.ammo[:known], state.ammo[known:]
    mixed = luck.shuffled("scramble", hidden)
    if mixed == hidden:
        mixed = hidden[1:] + hidden[:1]
    return replace(state, ammo=seen + mixed)


def invariants(state: State) -> None:
    _chamber_is_conserved(state)
    _hands_come_from_the_deck(state)
    _seats_agree(state)
    _phase_agrees(state)


def _chamber_is_conserved(state: State) -> None:
    left, fired = remaining(state), Counter(shot.ammo_type for shot in state.fired)
    assert left.live + fired["live"] == state.loaded.live
    assert left.blank + fired["blank"] == state.loaded.blank


def _hands_come_from_the_deck(state: State) -> None:
    held = Counter(item for player in state.players for item in player.items)
    copies, options = item_copies(state.options, len(state.players)), state.options
    assert held.total() <= options.items_per_round * len(state.players)
    assert held["shoot_air"] <= options.shoot_air_copies
    assert held["double_damage"] + held["add_life"] <= 2 * copies
    assert all(held[item] <= copies for item in held.keys() - {"shoot_air", "double_damage"})
    assert not (held["add_life"] and state.round > options.add_life_rounds)


def _seats_agree(state: State) -> None:
    for seat, player in enumerate(state.players):
        assert player.lives >= 0
        assert (player.lives == 0) == (seat in state.fallen)
        assert player.lives or not (player.items or player.is_skipped or player.skip_immune)
        assert not player.skip_immune or state.options.skip_cooldown
        assert not state.options.max_lives or player.lives <= state.options.max_lives
    assert len(set(state.fallen)) == len(state.fallen) < len(state.players)


def _phase_agrees(state: State) -> None:
    in_play = len(state.players) - len(state.fallen)
    assert (state.phase == "over") == (state.reason is not None)
    assert in_play >= 2 or state.phase == "over"
    assert bool(state.waiting) == (state.phase == "rebalance")
    assert all("rebalancer" in state.players[seat].items for seat in state.waiting)
    assert (state.aim.shots_left > 0) == (state.phase == "turn")
    if state.phase == "turn":
        shooter = state.players[current(state)]
        assert state.ammo
        assert shooter.lives
        assert not shooter.is_skipped
        assert not shooter.skip_immune
        assert state.aim.shots_left + state.aim.counted == 1 + state.aim.quickshot
