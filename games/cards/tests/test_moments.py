"""The drawing of a round's result in Cards does not reveal the winner early."""

from __future__ import annotations

import re
from typing import Any

import pytest

from games.engine.snapshots import load_snapshot
from games.models import Match, Player
from games.tables.loading import load
from games.tables.views import view_data
from tests.kit.acting import act
from tests.kit.drawings import Drawing, drawing, watched

pytestmark = pytest.mark.django_db(transaction=True)

MOST = 1800
"""Maximum characters of a drawing."""


@pytest.fixture(autouse=True)
def _what_happens_is_shown(settings: Any) -> None:
    settings.BEATS = 1.0


def counted(votes: str, **options: object) -> tuple[Drawing, list[str], list[Player]]:
    """Return the drawing of a round, its answers and their players in seat order.

    Each seat votes for the seat at its place in `votes`.
    """
    match = watched("cards", len(votes), **options)
    players = list(match.players.order_by("seat"))
    for player in players:
        seen = load_snapshot(match.pk)
        (asked,) = (o for o in seen.game.rules.offers(seen.state, player.seat) if "Play" in o.move)
        some: Any = asked.args["cards"]
        act(match, player, asked.move, cards=list(some.some[: some.least]))
    mine = [next(play for play in plays(match, one) if play["mine"]) for one in players]
    before = load(match.room_id)
    for player, vote in zip(players, votes, strict=True):
        before = load(match.room_id)
        act(match, player, "Vote", playId=mine[int(vote)]["playId"])
    return drawing(before, match), [play["cards"][0]["text"] for play in mine], players


def plays(match: Match, player: Player) -> Any:
    view = view_data(load(match.room_id), player.seat)
    assert view is not None
    return view["plays"]


def answers_voted_on(drawn: Drawing) -> str:
    """Return the first piece of a drawing, without votes and texts."""
    return re.sub("<i></i>|<mark.*?</mark>", "", drawn.before[0][1])


def before(drawn: Drawing) -> str:
    return "".join(html for _, html in drawn.before)


def test_vote_animation_is_the_same_whoever_wins() -> None:
    first, *others = (counted(votes)[0] for votes in ("1000", "1011", "1010", "1032"))
    assert [beat["stage"] for beat in first.stages] == ["result"]
    assert answers_voted_on(first).count("answer-card") == 4
    for other in others:  # another winner, two winners, four winners
        assert other.stages == first.stages
        assert [at for at, _ in other.before] == [at for at, _ in first.before]
        assert answers_voted_on(other) == answers_voted_on(first)


def test_author_of_the_winning_answer_is_revealed_at_the_end() -> None:
    drawn, answers, players = counted("1000")
    last = drawn.before[-1][1].lower().replace("&#39;", "'").replace("&#34;", '"')
    assert answers[0].lower().rstrip(".") in last
    assert not [one.name for one in players if one.name in before(drawn)]
    assert "<img" not in before(drawn)
    assert f"{players[0].name} wins the round" in drawn.told
    assert not [one.name for one in players[1:] if one.name in drawn.told]
    assert "+1" in drawn.told
    assert drawn.size <= MOST


def test_tied_winners_are_shown_with_their_answers() -> None:
    drawn, _, players = counted("1032")
    assert drawn.before[-1][1].count("answer-card") == 4
    assert "prompt-card" not in before(drawn)
    assert all(one.name in drawn.told for one in players)
    assert "They share the round" in drawn.told
    assert 'data-s2="You share the round"' in drawn.told


def test_two_winners_are_shown_with_their_whole_sentences() -> None:
    drawn, answers, players = counted("1010")
    best = drawn.before[-1][1].lower().replace("&#39;", "'").replace("&#34;", '"')
    assert best.count("prompt-card") == 2
    assert all(answer.lower().rstrip(".") in best for answer in answers[:2])
    assert not [one.name for one in players if one.name in before(drawn)]
    assert [one.name in drawn.told for one in players] == [True, True, False, False]


def test_public_ballots_are_shown_as_faces() -> None:
    drawn, _, _ = counted("1000", revealBallots=True)
    assert len(re.findall(r"<img ", drawn.before[0][1])) == 4
    assert "<i>" not in drawn.before[0][1]


def test_vote_scene_of_a_large_table_shows_six_answers_including_the_best() -> None:
    drawn, answers, _ = counted("77712340")
    first = drawn.before[0][1]
    assert first.count("answer-card") == 6
    assert first.count("<i>") >= 6
    assert answers[7].lower().rstrip(".") in first.lower().replace("&#39;", "'")
