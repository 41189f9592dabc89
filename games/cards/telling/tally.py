"""Feats of Cards that statistics count: rounds won, and votes for each answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.cards.rules.state import RoundResult, State
from games.contract.core import Told
from games.contract.tally import Feat, Statistic, Tally
from games.contract.words import _, ngettext


def feats(state: State, told: Sequence[Told]) -> Iterator[Feat]:
    """Yield answers, their votes, and rounds won. The more votes, the greater."""
    for at, event in enumerate(t.event for t in told):
        if isinstance(event, RoundResult):
            for play in event.plays:
                yield Feat(play.author, "answers", at, size=play.votes)
                yield Feat(play.author, "votes", at, n=play.votes, size=play.votes)
                if play.author in event.winners:
                    yield Feat(play.author, "rounds", at, size=play.votes)


TALLY = Tally(
    feats=feats,
    lines=(
        Statistic(
            key="rounds",
            said=lambda n: ngettext("%(count)s round won", "%(count)s rounds won", n),
        ),
        Statistic(
            key="answers",
            said=lambda n: ngettext("%(count)s answer played", "%(count)s answers played", n),
        ),
        Statistic(
            key="votes", per="answers", said=lambda n: _("%(count)s votes per answer", count=n)
        ),
    ),
)
