"""Feats of Mia that statistics count: bluffs and doubts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.contract.core import Told
from games.contract.data import Seat
from games.contract.tally import Feat, Statistic, Tally
from games.contract.words import ngettext
from games.mia.rules.state import (
    Announced,
    MiaState,
    PlayerLost,
    PlayerWantsToSee,
    Rolled,
    RoundStarted,
    ranking,
)

CAUGHT = ("CAUGHT_BLUFFING", "LIED_ABOUT_MIA")


def feats(state: MiaState, told: Sequence[Told]) -> Iterator[Feat]:
    """Yield bluffs and doubts. A bluff is as great as the number of values it is too high."""
    rank = ranking(state.options.little_mia).index
    under = bluff = None
    doubter: Seat | None = None
    for at, event in enumerate(t.event for t in told):
        match event:
            case RoundStarted():
                under = bluff = doubter = None
            case Rolled():
                if bluff is not None:
                    yield bluff._replace(key="believed")
                under, bluff = event.dice, None
            case Announced() if under is not None:
                step = rank(event.dice) - rank(under)
                bluff = Feat(event.username, "bluffs", at, size=step) if step > 0 else None
                if bluff is not None:
                    yield bluff
            case PlayerWantsToSee() if under is not None:
                doubter = event.username
                yield Feat(doubter, "doubts", at)
            case PlayerLost() if event.reason in CAUGHT and bluff is not None:
                yield bluff._replace(key="caught", at=at)
                if doubter is not None:
                    yield Feat(doubter, "right", at, size=bluff.size)
            case _:
                pass


TALLY = Tally(
    feats=feats,
    lines=(
        Statistic(key="bluffs", said=lambda n: ngettext("%(count)s bluff", "%(count)s bluffs", n)),
        Statistic(
            key="caught",
            said=lambda n: ngettext("%(count)s bluff caught", "%(count)s bluffs caught", n),
        ),
        Statistic(
            key="believed",
            said=lambda n: ngettext(
                "biggest bluff believed: %(count)s value too high",
                "biggest bluff believed: %(count)s values too high",
                n,
            ),
            greatest=True,
        ),
        Statistic(
            key="doubts",
            said=lambda n: ngettext("%(count)s bluff called", "%(count)s bluffs called", n),
        ),
        Statistic(
            key="right",
            said=lambda n: ngettext("%(count)s right call", "%(count)s right calls", n),
        ),
    ),
)
