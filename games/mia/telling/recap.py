"""The recap of Mia: who bluffed, who was caught, and a chart of the lives or points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from games.contract.core import Told, all_seats
from games.contract.data import Seat
from games.contract.recap import MOST_MOMENTS, Recap, and_out, left, line_per_seat
from games.contract.tally import counted
from games.contract.words import Text, _, ngettext
from games.mia.rules.state import (
    ActualDice,
    Announced,
    Dice,
    LivesLeft,
    Loss,
    MiaState,
    PlayerLost,
    PlayerOut,
    Rolled,
    RoundStarted,
    Score,
    ranking,
)
from games.mia.telling.tally import feats
from games.mia.telling.terms import said
from games.mia.telling.text import lost


def recap(state: MiaState, told: Sequence[Told]) -> Recap:
    """Build the recap from the announcements and the hidden dice, which are no longer secret."""
    seats = all_seats(len(state.lives))
    rank = ranking(state.options.little_mia).index
    with_lives = state.options.scoring == "lives"
    counts = [state.options.lives if with_lives else 0] * len(seats)
    steps = [list(counts)]
    done, rolls = counted(feats(state, told)), Counter[Seat]()
    moments: list[Text] = []
    losing: tuple[Seat, ...] = ()
    best: tuple[int, int, Text] | None = None
    under: Dice | None = None
    bluff: tuple[int, int, Text] | None = None
    round_ = 0
    for event in (t.event for t in told):
        match event:
            case RoundStarted():
                round_, under, bluff, losing = event.round, None, None, ()
            case Rolled():
                if bluff is not None:
                    best = bluff if best is None or bluff[0] >= best[0] else best
                under, bluff = event.dice, None
            case Announced() if under is not None:
                rolls[event.username] += 1
                step = rank(event.dice) - rank(under)
                if step > 0:
                    bluff = (step, len(moments), _bluff(round_, event, under))
            case ActualDice():
                bluff = None
            case PlayerLost():
                why = lost(Loss(event.usernames, event.reason))
                moments.append(_("Round %(round)s: %(what)s", round=round_, what=why))
                losing = event.usernames
            case LivesLeft(lives=now) | Score(points=now):
                steps.append([now.get(seat, 0) for seat in seats])
            case PlayerOut(who) if who in losing:
                moments[-1] = and_out(moments[-1], who)
            case PlayerOut(who):
                moments.append(left(who))
            case _:
                pass
    start = max(0, len(moments) - (MOST_MOMENTS - 1))
    ends = moments[start:]
    if best is not None:
        ends.insert(max(0, best[1] - start), best[2])
    return Recap(
        measure=_("Lives") if with_lives else _("Points"),
        lines=line_per_seat(steps),
        did={
            seat: (
                ngettext("%(count)s announcement", "%(count)s announcements", rolls[seat]),
                ngettext("%(count)s bluff", "%(count)s bluffs", done[seat, "bluffs"]),
                ngettext("caught once", "caught %(count)s times", done[seat, "caught"]),
                ngettext(
                    "%(count)s wrong call",
                    "%(count)s wrong calls",
                    done[seat, "doubts"] - done[seat, "right"],
                ),
            )
            for seat in seats
        },
        moments=tuple(ends),
    )


def _bluff(round_: int, event: Announced, under: Dice) -> Text:
    text = _(
        "Round %(round)s: %(who)s said %(said)s with %(dice)s under the cup, and nobody called.",
        round=round_,
        who=event.username,
        said=said(event.dice),
        dice=said(under),
    )
    yours = _("Round %(round)s: you said %(said)s with %(dice)s under the cup, and nobody called.")
    return text.to(event.username, yours)
