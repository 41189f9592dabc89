"""Lessons played by rules alone: the learner follows the coach, or makes one permitted mistake."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from games.contract.choices import is_offered, random_move
from games.contract.core import Move
from games.contract.data import Seat
from games.contract.game import AnyGame
from games.contract.lesson import LEARNER, Lesson, Moment, Tip
from games.contract.luck import Luck, bot_luck, derived_nonce, mix
from games.engine.options import nothing, read_options
from tests.kit.altered import altered

LONGEST = 1500
OF_COURSE = ("Continue", "Roll")
"""Bot moves that need no script, because they are the only sensible answer."""


@dataclass
class Played:
    """Record of a lesson: what the coach said, after how many moves of the learner, and the end."""

    said: list[Tip] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    until_last: int = 0
    """Number of moves the learner had made when the coach spoke last."""
    acts: list[tuple[Seat, Move]] = field(default_factory=list)
    unscripted: list[tuple[Seat, Move]] = field(default_factory=list)
    """Bot moves during the teaching that no line of the script foresaw."""
    state: Any = None


def play(
    game: AnyGame, mistake: Move | None = None, at: Tip | None = None, eager: bool = False
) -> Played:
    """Play a game's lesson to the end of its match.

    Make `mistake` once when the coach says `at`. If several seats are asked, the learner answers
    last, or first if `eager`.
    """
    lesson = game.telling.lesson
    assert lesson is not None
    return _Play(game, lesson, mistake, at, eager).run()


def mistakes(lesson: Lesson) -> Iterator[tuple[Tip, Move]]:
    """Yield every mistake the coach lets the learner make."""
    for tip in lesson.tips:
        for wrong in tip.wrong:
            yield tip, wrong


class _Play:
    def __init__(
        self, game: AnyGame, lesson: Lesson, mistake: Move | None, at: Tip | None, eager: bool
    ) -> None:
        self.game, self.lesson, self.mistake, self.at = game, lesson, mistake, at
        self.eager = eager
        key = bytes.fromhex(lesson.secret(game.slug))
        self.seed = mix(key, [derived_nonce(key, seat) for seat in range(lesson.seats)])
        self.act, self.played = 1, Played()

    def run(self) -> Played:
        options = read_options(self.game, self.lesson.options, nothing)
        stocked = self.game.rules.stock(options, nothing)
        change = self.game.rules.setup(self.lesson.seats, stocked, Luck(self.seed, 1))
        self.state = change.state
        while self.game.rules.outcome(self.state) is None and self.act < LONGEST:
            self._listen()
            seat = self._next()
            move = self._mine() if seat == LEARNER else self._scripted(seat)
            self.act += 1
            change = self.game.rules.apply(self.state, seat, move, Luck(self.seed, self.act))
            self.state = change.state
            self.played.acts.append((seat, move))
        self._listen()
        self.played.state = self.state
        return self.played

    def _moment(self, seat: Seat) -> Moment:
        offers = self.game.rules.offers(self.state, seat)
        return Moment(seat, self.game.rules.view(self.state, seat), offers)

    def _listen(self) -> None:
        tip = self.lesson.tip(self._moment(LEARNER))
        if tip is None or (self.played.said and self.played.said[-1] is tip):
            return
        if tip.last and not any(one.last for one in self.played.said):
            self.played.until_last = len(self.played.moves)
        self.played.said.append(tip)

    def _next(self) -> Seat:
        """Return the seat that answers next."""
        waiting = self.game.rules.awaited(self.state)
        seats = [Seat(at) for at in range(self.lesson.seats)]
        asked = [at for at in seats if at in waiting] or seats
        out = self.game.rules.out(self.state)
        able = [at for at in asked if at not in out and self.game.rules.offers(self.state, at)]
        if self.eager and LEARNER in able:
            return LEARNER
        return next((at for at in able if at != LEARNER), LEARNER)

    def _mine(self) -> Move:
        moment = self._moment(LEARNER)
        tip = self.lesson.tip(moment)
        if self.mistake is not None and tip is self.at and is_offered(moment.offers, self.mistake):
            move, self.mistake = self.mistake, None
        else:
            advised = [m for m in (tip.right if tip else ()) if is_offered(moment.offers, m)]
            move = advised[0] if advised else self._any(moment)
        self.played.moves.append(move)
        return move

    def _scripted(self, seat: Seat) -> Move:
        """Return the bot's scripted move, or else any: the coach must not depend on bots."""
        moment = self._moment(seat)
        line = self.lesson.line(moment, self._moment(LEARNER))
        if line is not None:
            return line
        move = self._any(moment)
        if type(move).__name__ not in OF_COURSE and not any(tip.last for tip in self.played.said):
            self.played.unscripted.append((seat, move))
        return move

    def _any(self, moment: Moment) -> Move:
        luck = bot_luck(self.seed, moment.seat, self.state.prompts[moment.seat])
        return random_move(self.game.rules.moves, moment.offers, luck)


def with_luck(game: AnyGame, number: int) -> AnyGame:
    """Return the game with another seed for its lesson, to search for a fitting one."""
    assert game.telling.lesson is not None
    return altered(game, lesson=replace(game.telling.lesson, luck=number))
