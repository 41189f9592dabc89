"""Feats of Secret Hitler that statistics count: wins by role, and trust in the wrong people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.contract.core import Told
from games.contract.tally import Feat, Statistic, Tally
from games.contract.words import ngettext
from games.secret_hitler.rules.events import ChancellorNominated, PolicyEnacted, VotesRevealed
from games.secret_hitler.rules.play import outcome
from games.secret_hitler.rules.state import State


def feats(state: State, told: Sequence[Told]) -> Iterator[Feat]:
    """Yield elections of fascists by liberals, elections of Hitler, and wins.

    The more fascist policies there are, the greater is an election.
    """
    proposed: ChancellorNominated | None = None
    policies = 0
    for at, event in enumerate(t.event for t in told):
        match event:
            case ChancellorNominated():
                proposed = event
            case PolicyEnacted():
                policies = event.fascist
            case VotesRevealed(passed=True) if proposed is not None:
                president, role = proposed.president, state.roles[proposed.chancellor]
                if state.roles[president] == "liberal" != role:
                    yield Feat(president, "trusted", at, size=1 + policies)
                if role == "hitler":
                    yield Feat(president, "hitler", at, size=1 + policies)
            case _:
                pass
    end = outcome(state)
    for winner in end.winners if end is not None else ():
        key = f"won_{state.roles[winner]}"
        yield Feat(winner, key, len(told) - 1, size=len(state.roles))


TALLY = Tally(
    feats=feats,
    lines=(
        Statistic(
            key="won_liberal",
            said=lambda n: ngettext("%(count)s win as a liberal", "%(count)s wins as a liberal", n),
        ),
        Statistic(
            key="won_fascist",
            said=lambda n: ngettext("%(count)s win as a fascist", "%(count)s wins as a fascist", n),
        ),
        Statistic(
            key="won_hitler",
            said=lambda n: ngettext("%(count)s win as Hitler", "%(count)s wins as Hitler", n),
        ),
        Statistic(
            key="trusted",
            said=lambda n: ngettext(
                "%(count)s fascist trusted as a liberal president",
                "%(count)s fascists trusted as a liberal president",
                n,
            ),
        ),
        Statistic(
            key="hitler",
            said=lambda n: ngettext(
                "made Hitler chancellor once", "made Hitler chancellor %(count)s times", n
            ),
        ),
    ),
)
