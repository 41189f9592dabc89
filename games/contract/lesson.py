"""Lessons: a first match that teaches the game, with prepared random numbers, scripted bots and a
coach.

A lesson is played by the normal rules. This module does not depend on tables or languages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Literal

from games.contract.choices import is_offered
from games.contract.core import Move, Offer
from games.contract.data import Seat
from games.contract.words import Text

Place = Literal["seats", "board", "hand", "status", "actions"]
"""The parts of a table a coach can point at."""
LEARNER = Seat(0)
"""Seat of the learner. Bots have all other seats."""


@dataclass(frozen=True)
class Moment:
    """The view and the offers of one seat at one point in the match."""

    seat: Seat
    view: Any
    offers: Sequence[Offer]

    def may(self, move: type[Move]) -> bool:
        """Whether a move of this type is offered."""
        return any(offer.move == move.__name__ for offer in self.offers)


When = Callable[[Moment], bool]


@dataclass(frozen=True)
class Line:
    """A scripted move, which a bot makes as soon as its condition is met."""

    seat: Seat
    move: Move
    when: When = lambda moment: True


@dataclass(frozen=True, kw_only=True)
class Tip:
    """A sentence by the coach, the condition for showing it, and the part of the table it is about.

    `right` are moves that it advises, and `wrong` are possible mistakes. A test plays both. The
    lesson ends with the `last` tip, but the match can go on.
    """

    text: Text
    at: Place
    when: When
    right: tuple[Move, ...] = ()
    wrong: tuple[Move, ...] = ()
    last: bool = False


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """A lesson of a game. A lesson without tips is not offered.

    `luck` determines the seed. Choose `luck` so that the deal fits the script. In `tips` and
    `script` the first entry that fits is used.
    """

    seats: int = 0
    luck: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)
    script: tuple[Line, ...] = ()
    tips: tuple[Tip, ...] = ()

    def secret(self, slug: str) -> str:
        """Return the server's share of a lesson's seed, in hex. Players contribute nothing to this
        seed (`docs/fairness.md`).
        """
        return sha256(f"lesson {slug} {self.luck}".encode()).hexdigest()

    def tip(self, moment: Moment) -> Tip | None:
        """Return the coach's tip for this moment, or None if no tip applies."""
        return next((tip for tip in self.tips if tip.when(moment)), None)

    def line(self, moment: Moment, learner: Moment) -> Move | None:
        """Return the scripted move of a bot at this moment. None means that the bot decides as
        usual.

        The script ends with the learner's last tip.
        """
        said = self.tip(learner)
        if said is not None and said.last:
            return None
        mine = (line for line in self.script if line.seat == moment.seat)
        fits = (one for one in mine if is_offered(moment.offers, one.move) and one.when(moment))
        found = next(fits, None)
        return found.move if found is not None else None
