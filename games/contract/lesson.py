"""A first match that teaches its game: prepared luck, bots that play a script, and a coach.

It is played by the rules of every match. Nothing here knows of a table or a language.
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
"""Where the person sits who learns; bots have all other seats."""


@dataclass(frozen=True)
class Moment:
    """What a seat sees of the match, and what it may do now."""

    seat: Seat
    view: Any
    offers: Sequence[Offer]

    def may(self, move: type[Move]) -> bool:
        """Whether a move of this kind is offered."""
        return any(offer.move == move.__name__ for offer in self.offers)


When = Callable[[Moment], bool]


@dataclass(frozen=True)
class Line:
    """A move of the script: that of a bot at the first moment that fits."""

    seat: Seat
    move: Move
    when: When = lambda moment: True


@dataclass(frozen=True, kw_only=True)
class Tip:
    """What the coach says at some moments, and the part of the table it is about.

    `right` and `wrong` are moves it advises and mistakes it lets the learner make: a test plays
    both. With the `last` one the lesson is over; the match may be played on.
    """

    text: Text
    at: Place
    when: When
    right: tuple[Move, ...] = ()
    wrong: tuple[Move, ...] = ()
    last: bool = False


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """How a game is learned by playing. Without tips there is nothing to learn yet.

    `luck` is the number of the seed, chosen so that the deal is as the script wants it. `tips` and
    `script` are read from the top: the first that fits counts.
    """

    seats: int = 0
    luck: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)
    script: tuple[Line, ...] = ()
    tips: tuple[Tip, ...] = ()

    def secret(self, slug: str) -> str:
        """The server's part of the luck, in hex; nobody adds to it (`docs/fairness.md`)."""
        return sha256(f"lesson {slug} {self.luck}".encode()).hexdigest()

    def tip(self, moment: Moment) -> Tip | None:
        """What the coach says at this moment."""
        return next((tip for tip in self.tips if tip.when(moment)), None)

    def line(self, moment: Moment, learner: Moment) -> Move | None:
        """What the script has a bot do at this moment; None: the bot plays as usual.

        The script ends where the learner is told the last of it.
        """
        said = self.tip(learner)
        if said is not None and said.last:
            return None
        mine = (line for line in self.script if line.seat == moment.seat)
        fits = (one for one in mine if is_offered(moment.offers, one.move) and one.when(moment))
        found = next(fits, None)
        return found.move if found is not None else None
