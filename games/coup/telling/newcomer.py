"""Hints for players new to Iron Throne: which answers are true, and what is known about a claim."""

from __future__ import annotations

from games.contract.data import Seat
from games.contract.lesson import Moment
from games.contract.words import Text, _
from games.coup.rules.state import (
    ACTIONS,
    COPIES,
    ActionName,
    Block,
    Challenge,
    CoupOptions,
    CoupView,
    ExchangeKeep,
    LoseInfluence,
    Role,
)
from games.coup.telling.names import ACTION_NAMES, ROLE_LABELS, purse

SEEN = _(
    "You see %(seen)s of the %(count)s %(role)s cards. Challenge, and if %(who)s has one, %(loss)s."
)
UNSEEN = _(
    "You see none of the %(count)s %(role)s cards. Challenge, and if %(who)s has one, %(loss)s."
)

OUT = _("you're out of the match")

AIM = _(
    "The last player with a card wins. Everybody may claim any role: a lie counts "
    "unless somebody challenges it."
)
"""Shown while waiting in the first turns."""


def explain(now: Moment, options: CoupOptions) -> Text | None:
    """Explain which answers are true and what a wrong one costs, or what happens to chosen cards.

    Return None if nothing helps with the current question.
    """
    view: CoupView = now.view
    if now.may(Challenge):
        blocks = view.phase == "block_challenge_window"
        claim, who = (view.block, view.blocker) if blocks else (view.claim, view.actor)
        return _doubting(now, claim, who, options) if claim and who is not None else None
    if now.may(Block) and view.action is not None:
        return _blocking(now, view.action, options)
    if now.may(LoseInfluence):
        return _("It stays face up: everybody will know that you no longer have it.")
    if now.may(ExchangeKeep):
        return _("What you don't keep goes back into the deck. Nobody else sees it.")
    if now.offers:
        return _acting(now, options)
    return AIM if view.turns_played < len(view.players) else None


def _acting(now: Moment, options: CoupOptions) -> Text:
    offered = [name for name in ACTIONS if any(one.move == name for one in now.offers)]
    if offered == ["Coup"]:
        money = purse(options.names, now.view.players[now.seat].coins)
        return _("With %(money)s you can do nothing but a Coup. Nobody can stop it.", money=money)
    true = tuple(ACTION_NAMES[name] for name in offered if ACTIONS[name].claim in _held(now))
    if not true:
        return _(
            "Every role you claim now is a bluff. If it's challenged, %(loss)s.", loss=_loss(now)
        )
    some = _("True with your cards: %(held)s. Any other role is a bluff; if challenged, %(loss)s.")
    return some.of(held=true, loss=_loss(now))


def _doubting(now: Moment, claim: Role, who: Seat, options: CoupOptions) -> Text:
    role = ROLE_LABELS[options.names][claim]
    seen = _held(now).count(claim)
    seen += sum(
        card.role == claim for one in now.view.players for card in one.cards if card.face_up
    )
    if seen == COPIES:
        return _(
            "You see all %(count)s %(role)s cards, so it's a bluff. Challenge!",
            role=role,
            count=seen,
        )
    known = SEEN if seen else UNSEEN
    return known.of(role=role, seen=seen, count=COPIES, who=who, loss=_loss(now))


def _blocking(now: Moment, action: ActionName, options: CoupOptions) -> Text:
    able = ACTIONS[action].blocked_by
    true = tuple(ROLE_LABELS[options.names][role] for role in able if role in _held(now))
    if true:
        return _("You have what blocks this: %(roles)s. So a challenge can't hurt you.", roles=true)
    twice = action == "Assassinate"  # both losses add up (docs/rules/coup.md §4.3)
    loss = OUT if twice else _loss(now)
    return _(
        "You have nothing that blocks this. If you bluff and it's challenged, %(loss)s.", loss=loss
    )


def _held(now: Moment) -> tuple[Role, ...]:
    return tuple(card.role for card in now.view.hand or () if not card.face_up)


def _loss(now: Moment) -> Text:
    last_card = now.view.players[now.seat].influence == 1
    return OUT if last_card else _("it costs you a card")
