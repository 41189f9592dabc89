"""Matches that teach: what of them is not as in others (`games.contract.lesson`)."""

from __future__ import annotations

from games.contract.core import Move
from games.contract.data import Seat
from games.contract.game import AnyGame
from games.contract.lesson import LEARNER, Lesson, Moment, Tip
from games.engine.snapshots import MatchSnapshot

LEVELS = ("easy", "normal")


def lesson_of(game: AnyGame) -> Lesson | None:
    """The lesson of a game that can be learned by playing."""
    return (
        game.telling.lesson
        if game.telling.lesson is not None and game.telling.lesson.tips
        else None
    )


def bots_for(game: AnyGame) -> str:
    """The level of the bots in a lesson: they need not be good."""
    return next(level for level in (*LEVELS, *game.bots.levels) if level in game.bots.levels)


def line_of(match: MatchSnapshot, seat: Seat) -> Move | None:
    """What the script of a lesson has a bot do now; None: the bot plays as ever."""
    lesson = _taught_in(match)
    if lesson is None:
        return None
    return lesson.line(_moment(match, seat), _moment(match, LEARNER))


def tip_of(match: MatchSnapshot) -> Tip | None:
    """What the coach says to the learner now."""
    lesson = _taught_in(match)
    return lesson.tip(_moment(match, LEARNER)) if lesson is not None else None


def _taught_in(match: MatchSnapshot) -> Lesson | None:
    return lesson_of(match.game) if match.row.lesson else None


def _moment(match: MatchSnapshot, seat: Seat) -> Moment:
    game, state = match.game, match.state
    return Moment(seat, game.rules.view(state, seat), game.rules.offers(state, seat))
