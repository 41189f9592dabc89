"""The recap of Iron Throne: hands, challenged claims, and a chart of the money."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.contract.core import Told, all_seats
from games.contract.data import Seat
from games.contract.recap import Recap, and_out, last, left, line_per_seat
from games.contract.tally import counted
from games.contract.words import Text, _, ngettext
from games.coup.rules.state import (
    ActionDeclared,
    ActionDone,
    ActionName,
    BluffCaught,
    Challenged,
    CostPaid,
    CoupState,
    PlayerEliminated,
    Role,
    RoleShown,
)
from games.coup.telling.names import MONEY, ROLE_LABELS, ROLES_IN_SENTENCES
from games.coup.telling.tally import feats

STRUCK: Mapping[ActionName, tuple[Text, Text, Text]] = {
    "Coup": (
        _("%(by)s's Coup knocks %(who)s out."),
        _("Your Coup knocks %(who)s out."),
        _("%(by)s's Coup knocks you out."),
    ),
    "Assassinate": (
        _("%(by)s's assassin knocks %(who)s out."),
        _("Your assassin knocks %(who)s out."),
        _("%(by)s's assassin knocks you out."),
    ),
}
"""Sentences for the loss of the last card through an action: for everybody else, for the attacker,
and for the victim.
"""


def recap(state: CoupState, told: Sequence[Told]) -> Recap:
    """Build the recap from public events and from the hands, which are revealed by now."""
    seats = all_seats(len(state.hands))
    names = state.options.names
    roles, labels = ROLES_IN_SENTENCES[names], ROLE_LABELS[names]
    coins = dict.fromkeys(seats, state.options.start_coins)
    steps: list[list[int]] = []
    done = counted(feats(state, told))
    doubter: Seat | None = None
    stories: list[list[Text]] = [[]]
    losing: dict[Seat, Text | None] = {}  # seats about to lose a card, with the attack if any
    for event in (t.event for t in told if t.to is None):
        match event:
            case ActionDeclared():
                if not steps and len(seats) == 2:
                    coins[event.username] = state.options.two_player_first_coins
                steps.append(list(coins.values()))
                stories.append([])
                losing = {}
            case Challenged():
                doubter = event.username
            case BluffCaught():
                losing[event.username] = None
                if doubter is not None:
                    stories[-1].append(_caught(doubter, event.username, roles[event.claim]))
            case RoleShown():
                if doubter is not None:
                    losing[doubter] = None
                    stories[-1].append(_shown(doubter, event.username, roles[event.role]))
            case CostPaid():
                coins[event.username] = event.coins
            case ActionDone():
                coins.update(event.coins)
                if event.action in STRUCK and event.target is not None:
                    losing[event.target] = _struck(event.username, event.target, event.action)
            case PlayerEliminated():
                coins[event.username] = 0
                _eliminated(stories[-1], event.username, losing)
            case _:
                pass
    steps.append(list(state.coins))
    return Recap(
        measure=MONEY[names],
        lines=line_per_seat(steps),
        was={seat: _hand(state, seat, labels) for seat in seats},
        mine={seat: _mine(state, seat, roles) for seat in seats},
        did={
            seat: (
                ngettext(
                    "%(count)s claim",
                    "%(count)s claims",
                    done[seat, "true"] + done[seat, "bluffs"],
                ),
                ngettext("caught once", "caught %(count)s times", done[seat, "caught"]),
                ngettext("%(count)s challenge", "%(count)s challenges", done[seat, "challenges"]),
                ngettext("%(count)s of them right", "%(count)s of them right", done[seat, "right"]),
            )
            for seat in seats
        },
        moments=last(stories),
    )


def _caught(by: Seat, who: Seat, role: Text) -> Text:
    text = _("%(by)s catches %(who)s, who didn't have %(role)s.", by=by, who=who, role=role)
    yours = _("You catch %(who)s, who didn't have %(role)s.")
    return text.to(by, yours).to(who, _("%(by)s catches you: you didn't have %(role)s."))


def _shown(by: Seat, who: Seat, role: Text) -> Text:
    text = _("%(by)s challenges, but %(who)s shows %(role)s.", by=by, who=who, role=role)
    yours = _("You challenge, but %(who)s shows %(role)s.")
    return text.to(by, yours).to(who, _("%(by)s challenges, but you show %(role)s."))


def _struck(by: Seat, who: Seat, action: ActionName) -> Text:
    theirs, yours, at_you = STRUCK[action]
    return theirs.of(by=by, who=who).to(by, yours).to(who, at_you)


def _eliminated(story: list[Text], who: Seat, losing: Mapping[Seat, Text | None]) -> None:
    """Add to the story why a player is out.

    The reason is the text in `losing`, the last sentence of the story, or that the player left.
    """
    if who not in losing:
        story.append(left(who))
    elif (struck := losing[who]) is not None:
        story.append(struck)
    else:
        story[-1] = and_out(story[-1], who)


def _hand(state: CoupState, seat: Seat, labels: Mapping[Role, Text]) -> Text:
    one, two = (labels[card.role] for card in state.hands[seat])
    return _("%(one)s, %(two)s", one=one, two=two)


def _mine(state: CoupState, seat: Seat, roles: Mapping[Role, Text]) -> Text:
    one, two = (roles[card.role] for card in state.hands[seat])
    if one == two:
        return _("You held %(one)s twice.", one=one)
    return _("You held %(one)s and %(two)s.", one=one, two=two)
