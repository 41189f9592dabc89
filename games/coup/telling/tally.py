"""Feats of Iron Throne that statistics count: claims, challenges and honest wins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from games.contract.core import Told
from games.contract.data import Seat
from games.contract.tally import Feat, Statistic, Tally
from games.contract.words import ngettext
from games.coup.rules.state import (
    ActionDeclared,
    Blocked,
    BluffCaught,
    CardDrawn,
    Challenged,
    CoupState,
    InfluenceLost,
    PoolDrawn,
    Role,
    RoleShown,
)
from games.coup.rules.views import outcome

Hand = Counter[Role]


def feats(state: CoupState, told: Sequence[Told]) -> Iterator[Feat]:
    """Yield true and false claims, challenges, and wins without a bluff."""
    lies = _lies(state, told)
    liars = set[Seat]()
    doubter: Seat | None = None
    for at, event in enumerate(t.event for t in told):
        match event:
            case ActionDeclared() | Blocked() if at in lies:
                yield Feat(event.username, "bluffs" if lies[at] else "true", at)
                liars |= {event.username} if lies[at] else set()
            case Challenged():
                doubter = event.username
                yield Feat(doubter, "challenges", at)
            case BluffCaught() if doubter is not None:
                yield Feat(event.username, "caught", at)
                yield Feat(doubter, "right", at)
            case _:
                pass
    end = outcome(state)
    for winner in end.winners if end is not None else ():
        if winner not in liars:
            yield Feat(winner, "honest", len(told) - 1, size=len(state.hands))


def _lies(state: CoupState, told: Sequence[Told]) -> Mapping[int, bool]:
    """Return whether each claim was false, by the index of its event.

    Which cards a player keeps in an exchange is not told, so the hands are followed from the end of
    the match back to its beginning.
    """
    hands = [Hand(card.role for card in hand if not card.face_up) for hand in state.hands]
    lies: dict[int, bool] = {}
    for at in reversed(range(len(told))):
        event, to = told[at].event, told[at].to
        match event:
            case InfluenceLost() | RoleShown():
                hands[event.username][event.role] += 1
            case CardDrawn() if to is not None:
                hands[to[0]][event.role] -= 1
            case PoolDrawn() if to is not None:
                hands[to[0]] = Hand(event.pool[:-2])
            case ActionDeclared() | Blocked() if event.claim is not None:
                lies[at] = not hands[event.username][event.claim]
            case _:
                pass
    return lies


TALLY = Tally(
    feats=feats,
    lines=(
        Statistic(
            key="true",
            said=lambda n: ngettext("%(count)s true claim", "%(count)s true claims", n),
        ),
        Statistic(key="bluffs", said=lambda n: ngettext("%(count)s bluff", "%(count)s bluffs", n)),
        Statistic(
            key="caught",
            said=lambda n: ngettext("%(count)s bluff caught", "%(count)s bluffs caught", n),
        ),
        Statistic(
            key="challenges",
            said=lambda n: ngettext("%(count)s challenge", "%(count)s challenges", n),
        ),
        Statistic(
            key="right",
            said=lambda n: ngettext("%(count)s challenge won", "%(count)s challenges won", n),
        ),
        Statistic(
            key="honest",
            said=lambda n: ngettext(
                "%(count)s win without a lie", "%(count)s wins without a lie", n
            ),
        ),
    ),
)
