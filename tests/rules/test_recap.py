"""The recap of a match agrees with its course (`test_laws.py` covers every size)."""

from __future__ import annotations

import re

import pytest

from games.contract.core import all_seats, ranked
from games.contract.data import Seat
from games.contract.recap import MOST_MOMENTS
from games.registry import GAMES
from games.tables.sentences import concerned, say
from tests.kit.play import Playthrough, match, troubled


@pytest.mark.parametrize(
    ("slug", "field"),
    [("mia", "lives"), ("coup", "coins"), ("chamber", "lives"), ("cards", "score")],
)
def test_recap_chart_ends_with_the_final_values(slug: str, field: str) -> None:
    game = GAMES[slug]
    for seed in range(6):
        *_before, playthrough = match(game, 4, game.rules.options(), seed, troubled)
        assert game.telling.recap is not None
        chart = game.telling.recap(playthrough.state, playthrough.told).lines
        facts = game.rules.view(playthrough.state, None).players
        ends = {line.of: line.values[-1] for line in chart}
        assert ends == {Seat(at): getattr(player, field) for at, player in enumerate(facts)}


def test_secret_hitler_recap_tracks_end_as_on_the_board() -> None:
    game = GAMES["secret_hitler"]
    for seed in range(6):
        *_before, playthrough = match(game, 7, game.rules.options(), seed, Playthrough.some_act)
        assert game.telling.recap is not None
        liberal, fascist = game.telling.recap(playthrough.state, playthrough.told).lines
        assert liberal.values[-1] == playthrough.state.liberal
        assert fascist.values[-1] == playthrough.state.fascist
        assert liberal.values[0] == fascist.values[0] == 0


@pytest.mark.parametrize("slug", ["secret_hitler", "coup"])
def test_recap_tells_every_player_their_role(slug: str) -> None:
    game = GAMES[slug]
    for seed in range(6):
        *_before, playthrough = match(game, 6, game.rules.options(), seed, troubled)
        assert game.telling.recap is not None
        recap = game.telling.recap(playthrough.state, playthrough.told)
        silent = {seat for seat in recap.was if seat not in recap.mine}
        assert len(silent) == (getattr(playthrough.state, "reason", "") or "").startswith("hitler_")
        assert all(say(text, "ABCDEF", "en").startswith("You ") for text in recap.mine.values())
        assert {say(recap.was[seat], (), "en") for seat in silent} <= {"Hitler"}


def test_chaos_in_the_recap_names_its_three_elections() -> None:
    game, told = GAMES["secret_hitler"], list[tuple[int, int]]()
    for seed in range(6):
        *_before, playthrough = match(game, 7, game.rules.options(), seed, Playthrough.some_act)
        assert game.telling.recap is not None
        moments = game.telling.recap(playthrough.state, playthrough.told).moments
        said = [say(moment, (), "en") for moment in moments]
        assert not any("%(" in one for one in said)
        chaos = "|".join(said)
        found = re.findall(r"Elections (\d+) to (\d+): three governments fail", chaos)
        told += [(int(first), int(to)) for first, to in found]
    assert told
    assert all(to == first + 2 and first >= 1 for first, to in told)


@pytest.mark.parametrize("slug", ["chamber", "cards", "secret_hitler", "mia", "coup"])
def test_recap_addresses_the_players_it_is_about(slug: str) -> None:
    game, names, told = GAMES[slug], ("Zoë", "Ýrsa", "Ĥans", "Ǫlaf", "Ŵyn"), 0
    for seed in range(4):
        *_before, playthrough = match(game, 5, game.rules.options(), seed, Playthrough.some_act)
        assert game.telling.recap is not None
        for moment in game.telling.recap(playthrough.state, playthrough.told).moments:
            plain = say(moment, names, "en")
            about = {seat for seat in all_seats(5) if names[seat] in plain}
            assert about >= set(concerned(moment))
            for seat in about:
                told += 1
                assert names[seat] not in say(moment, names, "en", seat), plain
    assert told


def test_mia_recap_is_in_order() -> None:
    game = GAMES["mia"]
    for seed in range(6):
        *_before, playthrough = match(game, 4, game.rules.options(), seed, troubled)
        assert game.telling.recap is not None
        told = [say(one) for one in game.telling.recap(playthrough.state, playthrough.told).moments]
        rounds = [int(number) for number in re.findall(r"Round (\d+)", " ".join(told))]
        assert rounds == sorted(rounds)
        assert len(told) <= MOST_MOMENTS


@pytest.mark.parametrize("slug", ["mia", "coup"])
@pytest.mark.parametrize("players", [2, 4, 6])
def test_recap_gives_a_cause_for_every_elimination(slug: str, players: int) -> None:
    game = GAMES[slug]
    for seed in range(6):
        *_before, playthrough = match(game, players, game.rules.options(), seed, troubled)
        assert game.telling.recap is not None
        told = [say(one) for one in game.telling.recap(playthrough.state, playthrough.told).moments]
        assert not any(re.fullmatch(r"\S+ is out\.", one) for one in told), told


def test_ties_share_a_rank_and_the_next_ranks_are_skipped() -> None:
    assert list(ranked([["a"], ["b", "c"], ["d"]])) == [(1, ["a"]), (2, ["b", "c"]), (4, ["d"])]
    assert list(ranked([])) == []
