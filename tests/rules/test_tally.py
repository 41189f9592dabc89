"""Tallies agree with matches whose events were counted by hand, and with the hidden hands."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from games.contract.data import Seat
from games.contract.game import AnyGame
from games.contract.tally import LONGEST_KEY, Feat, counted
from games.coup.rules.state import Block, Declared, claim_of
from games.registry import GAMES
from games.tables.sentences import say
from tests.kit.play import Playthrough, match, troubled
from tests.rules.golden import SEED, seats_of

Counts = Mapping[int, Mapping[str, int]]

BY_HAND: Mapping[tuple[str, int], Counts] = {
    ("mia", SEED): {
        0: {"doubts": 1, "right": 1},
        1: {"bluffs": 2, "caught": 1, "believed": 1, "doubts": 1},
        2: {"bluffs": 1, "caught": 1, "doubts": 1, "right": 1},
    },
    ("mia", 12): {
        0: {"bluffs": 2, "caught": 2, "doubts": 1},
        1: {"doubts": 2, "right": 1},
        3: {"bluffs": 3, "caught": 1, "believed": 1, "doubts": 2, "right": 2},
    },
    ("mia", 14): {
        0: {"doubts": 1, "right": 1},
        1: {"bluffs": 2, "believed": 1, "doubts": 2},
        2: {"bluffs": 2, "believed": 1, "doubts": 1},
        3: {"bluffs": 1, "caught": 1},
    },
    ("coup", SEED): {
        0: {"bluffs": 2, "caught": 2, "challenges": 1, "right": 1},
        1: {"bluffs": 4, "caught": 2, "challenges": 3, "right": 3},
        2: {"bluffs": 1, "caught": 1, "challenges": 1, "right": 1},
    },
    ("coup", 5): {
        0: {"bluffs": 1, "caught": 1, "challenges": 2, "right": 1},
        1: {"true": 1, "bluffs": 2, "challenges": 1},
        2: {"bluffs": 1, "caught": 1, "challenges": 1, "right": 1},
        3: {"true": 2, "honest": 1},
    },
    ("coup", 27): {
        0: {"bluffs": 3, "caught": 1, "challenges": 2, "right": 1},
        1: {"true": 2, "challenges": 2, "right": 1, "honest": 1},
        2: {"bluffs": 2, "caught": 1},
        3: {"true": 1, "bluffs": 1, "caught": 1, "challenges": 2, "right": 1},
    },
    ("secret_hitler", SEED): {
        0: {"trusted": 2, "won_liberal": 1},
        2: {"won_liberal": 1},
        4: {"won_liberal": 1},
    },
    ("secret_hitler", 3): {
        0: {"won_fascist": 1},
        1: {"won_hitler": 1},
        4: {"trusted": 1, "hitler": 1},
    },
    ("secret_hitler", 4): {
        0: {"trusted": 1, "hitler": 1},
        1: {"trusted": 1, "hitler": 1},
        2: {"won_hitler": 1},
        3: {"trusted": 1},
        4: {"won_fascist": 1},
    },
    ("cards", SEED): {
        0: {"answers": 1, "votes": 1},
        1: {"answers": 1, "votes": 2, "rounds": 1},
        2: {"answers": 1},
        3: {"answers": 1},
    },
    ("cards", 7): {
        0: {"answers": 1, "votes": 1},
        1: {"answers": 2, "votes": 2, "rounds": 1},
        2: {"answers": 1},
        3: {"answers": 2, "votes": 3, "rounds": 2},
    },
    ("cards", 15): {
        0: {"answers": 3, "votes": 3, "rounds": 2},
        1: {"answers": 3, "votes": 3, "rounds": 2},
        3: {"answers": 2, "votes": 2, "rounds": 2},
    },
    ("chamber", SEED): {
        0: {"blanks": 1, "live": 4, "damage": 1},
        1: {"blanks": 3, "live": 3, "damage": 1},
        2: {"live": 3, "damage": 2},
    },
    ("chamber", 6): {
        0: {"blanks": 3, "live": 1, "damage": 1},
        1: {"live": 2},
        2: {"blanks": 1, "live": 1, "damage": 1},
        3: {"live": 2, "damage": 1},
    },
    ("chamber", 35): {
        0: {"blanks": 1, "live": 1, "damage": 1},
        1: {"live": 2, "damage": 3},
        2: {"live": 1, "damage": 1},
    },
}
"""Counts by game, seed and seat, read from the transcripts (`tests/rules/golden.py`).

If the rules or draws change, choose other matches and count again.
"""
GREATEST = {
    ("mia", SEED, 1, "believed"): 8,  # 6-2 said as 5-5
    ("mia", 12, 3, "believed"): 5,  # 5-2 said as 6-3
    ("mia", 14, 2, "believed"): 13,  # 5-1 said as 5-5
    ("secret_hitler", SEED, 0, "trusted"): 5,  # after four fascist policies
    ("cards", 7, 3, "rounds"): 2,  # votes
    ("chamber", 6, 2, "blanks"): 44,  # 4 of 9 shells were live
    ("chamber", 35, 0, "blanks"): 0,  # the shell had been seen
    ("chamber", 35, 1, "damage"): 2,
}
"""Sizes of the greatest feats, worked out by hand."""
WITH_TALLY = [game for game in GAMES.values() if game.telling.tally is not None]


def feats_in(playthrough: Playthrough) -> list[Feat]:
    tally = playthrough.game.telling.tally
    assert tally is not None
    return list(tally.feats(playthrough.state, playthrough.told))


def golden(slug: str, seed: int) -> Playthrough:
    game = GAMES[slug]
    *_before, playthrough = match(game, seats_of(game), game.rules.options(), seed, troubled)
    return playthrough


@pytest.mark.parametrize(("slug", "seed"), BY_HAND)
def test_tally_is_what_was_counted_by_hand(slug: str, seed: int) -> None:
    found: dict[int, dict[str, int]] = {}
    for (seat, key), count in counted(feats_in(golden(slug, seed))).items():
        if count:
            found.setdefault(seat, {})[key] = count
    assert found == BY_HAND[slug, seed]


@pytest.mark.parametrize(("slug", "seed", "seat", "key"), GREATEST)
def test_greatest_feat_is_the_one_found_by_hand(slug: str, seed: int, seat: int, key: str) -> None:
    sizes = [f.size for f in feats_in(golden(slug, seed)) if (f.seat, f.key) == (seat, key)]
    assert max(sizes) == GREATEST[slug, seed, seat, key]


@pytest.mark.parametrize("players", [2, 4, 6])
def test_iron_throne_knows_which_claims_were_true(players: int) -> None:
    game, claims = GAMES["coup"], 0
    for seed in range(8):
        true: list[bool] = []
        before = None
        for now in match(game, players, game.rules.options(), seed, troubled):
            act = now.last if now.made else None
            if act is not None and before is not None and act.seat is not None:
                held = {c.role for c in before.hands[act.seat] if not c.face_up}
                if isinstance(act.move, Block):
                    true.append(act.move.role in held)
                elif isinstance(act.move, Declared) and (claim := claim_of(now.state)):
                    true.append(claim in held)
            before = now.state
        found = [f.key == "true" for f in feats_in(now) if f.key in ("true", "bluffs")]
        assert found == true
        claims += len(true)
    assert claims > 10


@pytest.mark.parametrize("game", WITH_TALLY, ids=lambda game: game.slug)
def test_feats_are_of_seats_and_events_of_the_match_and_are_shown(game: AnyGame) -> None:
    assert game.telling.tally is not None
    shown = {key for line in game.telling.tally.lines for key in (line.key, line.per)}
    for players in {game.seats[0], 5}:
        for seed in range(5):
            *_before, end = match(game, players, game.rules.options(), seed, troubled)
            for feat in feats_in(end):
                assert feat.key in shown
                assert len(feat.key) <= LONGEST_KEY
                assert Seat(feat.seat) in end.seats
                assert 0 <= feat.at < len(end.told)
                assert feat.n >= 0


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("game", WITH_TALLY, ids=lambda game: game.slug)
def test_lines_of_the_statistics_agree_with_their_number(game: AnyGame, language: str) -> None:
    assert game.telling.tally is not None
    for line in game.telling.tally.lines:
        none, one, many = (say(line.said(count), (), language) for count in (0, 1, 7))
        assert "0" in none
        assert "7" in many
        assert "%" not in none + one + many
        assert "1" in one or "once" in one or "einmal" in one
