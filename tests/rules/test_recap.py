"""Looking back on a match: every game, at every size, agrees with how the match went."""

from __future__ import annotations

import pytest

from games.rules import GAMES
from games.rules.core import AnyGame, Options
from games.rules.data import Seat
from games.rules.recap import MOST_MOMENTS, Recap
from games.rules.words import Text
from tests.kit.cases import CASES
from tests.kit.play import Walk, match, troubled


def texts(recap: Recap) -> list[Text]:
    lines = [line.of for line in recap.lines if isinstance(line.of, Text)]
    did = [text for texts in recap.did.values() for text in texts]
    return [recap.measure, *lines, *recap.was.values(), *did, *recap.moments]


def said(text: Text) -> str:
    """The sentence with every fact in its place; a missing fact raises."""
    facts = {name: said(f) if isinstance(f, Text) else str(f) for name, f in text.facts.items()}
    return (text.plural if text.plural and text.count != 1 else text.id) % facts


@pytest.mark.parametrize(("game", "n", "options"), [case for case in CASES if case.values[0].recap])
def test_every_finished_match_can_be_looked_back_on(
    game: AnyGame, n: int, options: Options
) -> None:
    for seed in range(3):
        *_before, walk = match(game, n, options, seed, troubled if seed else Walk.some_act)
        assert walk.over
        assert game.recap is not None
        found = game.recap(walk.state, walk.told)
        assert all(said(text) for text in texts(found))
        assert len(found.moments) <= MOST_MOMENTS
        assert len({len(line.values) for line in found.lines}) == 1
        assert set(found.did) == set(walk.seats)
        assert set(found.was) in (set(), set(walk.seats))


@pytest.mark.parametrize(
    ("slug", "field"),
    [("mia", "lives"), ("coup", "coins"), ("chamber", "lives"), ("cards", "score")],
)
def test_the_chart_ends_where_the_match_did(slug: str, field: str) -> None:
    game = GAMES[slug]
    for seed in range(6):
        *_before, walk = match(game, 4, game.options(), seed, troubled)
        assert game.recap is not None
        chart = game.recap(walk.state, walk.told).lines
        facts = game.view(walk.state, None).players
        ends = {line.of: line.values[-1] for line in chart}
        assert ends == {Seat(at): getattr(player, field) for at, player in enumerate(facts)}


def test_the_tracks_of_secret_hitler_end_as_on_the_board() -> None:
    game = GAMES["secret_hitler"]
    for seed in range(6):
        *_before, walk = match(game, 7, game.options(), seed, Walk.some_act)
        assert game.recap is not None
        liberal, fascist = game.recap(walk.state, walk.told).lines
        assert liberal.values[-1] == walk.state.liberal
        assert fascist.values[-1] == walk.state.fascist
        assert liberal.values[0] == fascist.values[0] == 0
