"""Lessons differ from other matches by easier bots, scripted moves and tips."""

from __future__ import annotations

from games.contract.core import Move
from games.contract.data import Seat
from games.contract.game import AnyGame
from games.contract.lesson import LEARNER, Lesson, Moment, Tip
from games.engine.snapshots import MatchSnapshot

LEVELS = ("easy", "normal")


def lesson_of(game: AnyGame) -> Lesson | None:
    """Return the lesson of a game, or None if it has none."""
    return (
        game.telling.lesson
        if game.telling.lesson is not None and game.telling.lesson.tips
        else None
    )


def bots_for(game: AnyGame) -> str:
    """Return the level of bots in a lesson: `easy`, else `normal`, else the game's first level."""
    return next(level for level in (*LEVELS, *game.bots.levels) if level in game.bots.levels)


def line_of(match: MatchSnapshot, seat: Seat) -> Move | None:
    """Return a bot's scripted move in a lesson. None means that the bot decides as usual."""
    lesson = _taught_in(match)
    if lesson is None:
        return None
    return lesson.line(_moment(match, seat), _moment(match, LEARNER))


def tip_of(match: MatchSnapshot) -> Tip | None:
    """Return the coach's current tip for the learner, or None if there is none."""
    lesson = _taught_in(match)
    return lesson.tip(_moment(match, LEARNER)) if lesson is not None else None


def _taught_in(match: MatchSnapshot) -> Lesson | None:
    return lesson_of(match.game) if match.row.lesson else None


def _moment(match: MatchSnapshot, seat: Seat) -> Moment:
    game, state = match.game, match.state
    return Moment(seat, game.rules.view(state, seat), game.rules.offers(state, seat))
