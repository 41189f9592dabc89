"""The recap of Chamber: who shot whom, and a chart of the lives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from games.chamber.rules.state import (
    LifeAdded,
    PlayerEliminated,
    RoundStarted,
    Shot,
    State,
)
from games.contract.core import Told, all_seats
from games.contract.data import Seat
from games.contract.recap import Recap, and_out, last, left, line_per_seat
from games.contract.words import Text, _, ngettext

ITEM_EVENTS = {
    "SkipUsed",
    "DoubleDamageUsed",
    "QuickshotUsed",
    "ChamberChecked",
    "Rebalanced",
    "ItemStolen",
    "LifeAdded",
    "AirShot",
}


def recap(state: State, told: Sequence[Told]) -> Recap:
    """Build the recap from the events told to everybody."""
    seats = all_seats(len(state.players))
    lives = dict.fromkeys(seats, state.options.start_lives)
    steps = [list(lives.values())]
    hit, got, items, lucky = (Counter[Seat]() for _i in range(4))
    moments: list[Text] = []
    round_ = 0
    told_hit: Seat | None = None  # target of the last hit in `moments`
    for event in (t.event for t in told if t.to is None):
        if type(event).__name__ in ITEM_EVENTS:
            items[event.username] += 1  # type: ignore[attr-defined]
        match event:
            case RoundStarted():
                round_ = event.round
            case Shot(shooter=shooter, username=target, damage=damage) if damage:
                hit[shooter] += target != shooter
                got[target] += damage
                lives[target] = max(0, lives[target] - damage)
                steps.append(list(lives.values()))
                moment = _shot(round_, event)
                if moment is not None:
                    moments = [*(one for one in moments if one != moment), moment]
                told_hit = target if moment else None
            case Shot(shooter=shooter, username=target):
                lucky[shooter] += target == shooter
            case LifeAdded():
                lives[event.username] = event.lives
                steps.append(list(lives.values()))
            case PlayerEliminated(by=None):
                lives[event.username] = 0
                steps.append(list(lives.values()))
                moments.append(left(event.username))
            case PlayerEliminated(username=who) if who == told_hit:
                moments[-1] = and_out(moments[-1], who)
            case PlayerEliminated(username=who, by=by) if by is not None:
                moments.append(_out(round_, by, who))
            case _:
                pass
    return Recap(
        measure=_("Lives"),
        lines=line_per_seat(steps),
        did={
            seat: (
                ngettext("hit once", "hit %(count)s times", hit[seat]),
                ngettext("lost %(count)s life", "lost %(count)s lives", got[seat]),
                ngettext("used %(count)s item", "used %(count)s items", items[seat]),
                ngettext(
                    "%(count)s lucky blank",
                    "%(count)s lucky blanks",
                    lucky[seat],
                ),
            )
            for seat in seats
        },
        moments=last([[one] for one in moments]),
    )


def _shot(round_: int, shot: Shot) -> Text | None:
    """Return a sentence about a shot at oneself or with double damage, or None for other hits."""
    who, target = shot.shooter, shot.username
    facts = {"round": round_, "who": who, "target": target}
    if who == target:
        if shot.forfeit:
            late = _("Round %(round)s: %(who)s ran out of time and was hit.", **facts)
            return late.to(who, _("Round %(round)s: you ran out of time and were hit."))
        text = _("Round %(round)s: %(who)s risked it, and it was live.", **facts)
        return text.to(who, _("Round %(round)s: you risked it, and it was live."))
    if shot.damage > 1:
        text = _("Round %(round)s: %(who)s hits %(target)s for double damage.", **facts)
        yours = _("Round %(round)s: you hit %(target)s for double damage.")
        at_you = _("Round %(round)s: %(who)s hits you for double damage.")
        return text.to(who, yours).to(target, at_you)
    return None


def _out(round_: int, by: Seat, who: Seat) -> Text:
    text = _("Round %(round)s: %(by)s knocks out %(who)s.", round=round_, by=by, who=who)
    yours = _("Round %(round)s: you knock out %(who)s.")
    return text.to(by, yours).to(who, _("Round %(round)s: %(by)s knocks you out."))
