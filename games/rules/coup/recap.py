"""Iron Throne, looked back on: who held what, which claims were challenged, how the money went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from games.rules.core import Told, all_seats
from games.rules.coup.names import MONEY, ROLE_LABELS, ROLES_IN_SENTENCES
from games.rules.coup.state import (
    ActionDeclared,
    ActionDone,
    Blocked,
    BluffCaught,
    Challenged,
    CostPaid,
    CoupState,
    PlayerEliminated,
    Role,
    RoleShown,
)
from games.rules.data import Seat
from games.rules.recap import Recap, last, line_per_seat
from games.rules.words import Text, _, ngettext


def recap(state: CoupState, told: Sequence[Told]) -> Recap:
    """Told by what everybody saw, and the hands that lie open now."""
    seats = all_seats(len(state.hands))
    names = state.options.names
    roles, labels = ROLES_IN_SENTENCES[names], ROLE_LABELS[names]
    coins = dict.fromkeys(seats, state.options.start_coins)
    steps: list[list[int]] = []
    claims, caught, doubts, right = (Counter[Seat]() for _i in range(4))
    doubter: Seat | None = None
    moments: list[Text] = []
    for event in (t.event for t in told if t.to is None):
        match event:
            case ActionDeclared():
                if not steps and len(seats) == 2:
                    coins[event.username] = state.options.two_player_first_coins
                steps.append(list(coins.values()))
                claims[event.username] += event.claim is not None
            case Blocked():
                claims[event.username] += 1
            case Challenged():
                doubter = event.username
                doubts[doubter] += 1
            case BluffCaught():
                caught[event.username] += 1
                if doubter is not None:
                    right[doubter] += 1
                    moments.append(_caught(doubter, event.username, roles[event.claim]))
            case RoleShown():
                if doubter is not None:
                    moments.append(_shown(doubter, event.username, roles[event.role]))
            case CostPaid():
                coins[event.username] = event.coins
            case ActionDone():
                coins.update(event.coins)
            case PlayerEliminated():
                coins[event.username] = 0
                out = _("%(who)s is out.", who=event.username)
                moments.append(out.to(event.username, _("You're out.")))
            case _:
                pass
    steps.append(list(state.coins))
    return Recap(
        measure=MONEY[names],
        lines=line_per_seat(steps),
        was={seat: _hand(state, seat, labels) for seat in seats},
        did={
            seat: (
                ngettext("%(count)s claim", "%(count)s claims", claims[seat]),
                ngettext("caught once", "caught %(count)s times", caught[seat]),
                ngettext("%(count)s challenge", "%(count)s challenges", doubts[seat]),
                ngettext("%(count)s of them right", "%(count)s of them right", right[seat]),
            )
            for seat in seats
        },
        moments=last(moments),
    )


def _caught(by: Seat, who: Seat, role: Text) -> Text:
    text = _("%(by)s catches %(who)s, who never had %(role)s.", by=by, who=who, role=role)
    yours = _("You catch %(who)s, who never had %(role)s.")
    return text.to(by, yours).to(who, _("%(by)s catches you: you never had %(role)s."))


def _shown(by: Seat, who: Seat, role: Text) -> Text:
    text = _("%(by)s challenges, but %(who)s shows %(role)s.", by=by, who=who, role=role)
    yours = _("You challenge, but %(who)s shows %(role)s.")
    return text.to(by, yours).to(who, _("%(by)s challenges, but you show %(role)s."))


def _hand(state: CoupState, seat: Seat, labels: Mapping[Role, Text]) -> Text:
    one, two = (labels[card.role] for card in state.hands[seat])
    return _("%(one)s and %(two)s", one=one, two=two)
