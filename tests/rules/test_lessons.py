"""Every lesson is played to its end, following the coach and with every mistake."""

from __future__ import annotations

import pytest

from games.contract.lesson import Tip
from games.registry import GAMES
from tests.kit.lessons import LONGEST, Played, mistakes, play, with_luck

TAUGHT = [slug for slug, game in GAMES.items() if game.telling.lesson and game.telling.lesson.tips]
MOST_MOVES = 12
"""Maximum answers in a lesson, so that it takes two or three minutes."""
LONGEST_TIP = 260
"""Maximum characters that fit above the answers on the smallest phone."""


def _all_plays(slug: str) -> list[tuple[Tip | None, Played]]:
    game = GAMES[slug]
    assert game.telling.lesson is not None
    wrong = [(tip, play(game, move, tip)) for tip, move in mistakes(game.telling.lesson)]
    return [(None, play(game)), (None, play(game, eager=True)), *wrong]


@pytest.mark.parametrize("slug", TAUGHT)
def test_lesson_can_be_finished_with_and_without_mistakes(slug: str) -> None:
    game = GAMES[slug]
    assert game.telling.lesson is not None
    plays = _all_plays(slug)
    for tip, played in plays:
        about = tip.text.id if tip else "no mistake"
        assert game.rules.outcome(played.state) is not None, about
        assert len(played.acts) < LONGEST
        assert any(one.last for one in played.said), about
        assert 2 <= played.until_last <= MOST_MOVES, about
        assert tip is None or tip in played.said, about
    said = [one for _tip, played in plays for one in played.said]
    never = [tip.text.id for tip in game.telling.lesson.tips if tip not in said]
    assert not never
    advised = [move for tip in game.telling.lesson.tips for move in tip.right if not tip.last]
    made = [move for _tip, played in plays for move in played.moves]
    assert any(move in made for move in advised)


@pytest.mark.parametrize("slug", TAUGHT)
def test_prepared_seed_fits_the_script(slug: str) -> None:
    """If the learner follows the coach, every line fits, and bots never improvise."""
    lesson = GAMES[slug].telling.lesson
    assert lesson is not None
    played = play(GAMES[slug])
    assert not (lesson.script and played.unscripted), "another number is needed (`with_luck`)"


@pytest.mark.parametrize("slug", TAUGHT)
def test_lesson_can_be_finished_with_another_seed(slug: str) -> None:
    """If the script does not fit, the match is still played to its end."""
    for number in (1, 2):
        other = with_luck(GAMES[slug], number)
        assert other.rules.outcome(play(other).state) is not None


@pytest.mark.parametrize("slug", TAUGHT)
def test_tips_of_the_coach_are_short(slug: str) -> None:
    lesson = GAMES[slug].telling.lesson
    assert lesson is not None
    long = [tip.text.id for tip in lesson.tips if len(tip.text.id) > LONGEST_TIP]
    assert not long
    assert sum(tip.last for tip in lesson.tips) == 1
