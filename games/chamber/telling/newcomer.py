"""Hints for players new to Chamber: what is known about the remaining shells."""

from __future__ import annotations

from games.chamber.rules.state import ShootPlayer, UseRebalancerItem, View
from games.contract.lesson import Moment
from games.contract.words import Text, _

AIM = _(
    "The last player alive wins. On your turn, shoot somebody, or yourself: "
    "after a blank you go again."
)
"""Shown while waiting for the first shot."""


def explain(now: Moment) -> Text | None:
    """Explain the odds of the next shell and why items cannot be used.

    Return None if nothing helps with the current question.
    """
    view: View = now.view
    if now.may(UseRebalancerItem):
        return _(
            "%(live)s of %(count)s shells are live so far. The order will be random.",
            live=view.live,
            count=view.live + view.blank,
        )
    if not now.may(ShootPlayer):
        return AIM if view.round == 1 and not view.fired else None
    known = _shells(view)
    if view.items_open or not {*view.players[now.seat].items} - {"shoot_air"}:
        return known
    return _("%(shells)s Items are closed after a shot.", shells=known)


def _shells(view: View) -> Text:
    if not view.live:
        return _("Only blanks are left: a shot at yourself is safe.")
    if not view.blank:
        return _("Only live shells are left: the next shot hits.")
    if view.known_next == "live":
        return _("Only you know it: the next shell is live.")
    if view.known_next == "blank":
        return _("Only you know it: the next shell is a blank.")
    return _(
        "%(live)s of %(count)s shells are live (%(hits)s%%).",
        live=view.live,
        count=view.live + view.blank,
        hits=round(100 * view.live / (view.live + view.blank)),
    )
