"""Feats of Chamber that statistics count: blanks fired at oneself, and damage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from games.chamber.rules.state import AirShot, ChamberLoaded, ChamberSeen, Shot, State
from games.contract.core import Told
from games.contract.tally import Feat, Statistic, Tally
from games.contract.words import _, ngettext


def feats(state: State, told: Sequence[Told]) -> Iterator[Feat]:
    """Yield shots, except those of players who ran out of time.

    A blank fired at oneself is as great as the chance of a live shell was, in percent. It was 0 for
    a player who had looked at the shell.
    """
    left, seen = Counter[str](), False
    for at, event in enumerate(t.event for t in told):
        match event:
            case ChamberLoaded():
                left = Counter(live=event.live, blank=event.blank)
            case ChamberSeen():
                seen = True
            case Shot() | AirShot():
                risk = 0 if seen else 100 * left["live"] // (left.total() or 1)
                left[event.ammo_type] -= 1
                seen = False
                if isinstance(event, Shot) and not event.forfeit:
                    yield from _of_shot(event, at, risk)
            case _:
                pass


def _of_shot(shot: Shot, at: int, risk: int) -> Iterator[Feat]:
    is_own = shot.shooter == shot.username
    if shot.ammo_type == "live":
        damage = 0 if is_own else shot.damage
        yield Feat(shot.shooter, "live", at, size=damage)
        yield Feat(shot.shooter, "damage", at, n=damage, size=damage)
    elif is_own:
        yield Feat(shot.shooter, "blanks", at, size=risk)


TALLY = Tally(
    feats=feats,
    lines=(
        Statistic(
            key="blanks",
            said=lambda n: ngettext("%(count)s lucky blank", "%(count)s lucky blanks", n),
        ),
        Statistic(
            key="live",
            said=lambda n: ngettext("%(count)s live shell fired", "%(count)s live shells fired", n),
        ),
        Statistic(
            key="damage",
            per="live",
            said=lambda n: _("%(count)s damage per live shell", count=n),
        ),
    ),
)
