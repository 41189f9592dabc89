"""The messages of Iron Throne for the prompt, the log, refusals and the end of the match."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from games.contract.data import Seat, Viewer
from games.contract.wording import Words
from games.contract.words import Fact, Text, _, ngettext, won
from games.coup.rules.state import CoupOptions, CoupView, Role
from games.coup.telling import log
from games.coup.telling.buttons import hint, truth
from games.coup.telling.names import (
    ACTION_NAMES,
    BUTTONS,
    MONEY,
    ROLE_LABELS,
    ROLES_IN_SENTENCES,
    ROLES_ON_BUTTONS,
    TERMS,
    purse,
)
from games.coup.telling.newcomer import explain
from games.coup.telling.reasons import sentence

Roles = Mapping[Role, Text]


@cache
def words(options: CoupOptions) -> Words[CoupView]:
    """Return all messages for tables with these options."""
    names = options.names
    labels, roles = ROLE_LABELS[names], ROLES_ON_BUTTONS[names]
    terms = {
        str(word): text for words in (TERMS, labels, ACTION_NAMES) for word, text in words.items()
    }
    terms["coins"] = MONEY[names]
    return Words(
        tagline=_("Two hidden cards, five roles, and everybody claims to be someone else."),
        prompt=lambda view, viewer: _prompt(view, viewer, options),
        event=lambda event: log.event(event, names),
        heading=log.heading,
        ending=_ending,
        refusal=refusal,
        move=lambda name: BUTTONS[name],
        choice=lambda view, move, argument, value: _choice(view, argument, value, labels),
        hint=lambda view, seat, move, args: hint(view, seat, move, args, roles),
        explain=lambda now: explain(now, options),
        truth=truth,
        reason=lambda seat, reason: sentence(seat, reason, names),
        terms=terms,
    )


def refusal(code: str, facts: Mapping[str, Fact]) -> Text:
    match code:
        case "must_coup":
            return _("With %(coins)s you must launch a Coup.", **facts)
        case "not_enough_coins":
            return _("Costs %(needed)s. You have %(have)s.", **facts)
        case "bad_target":
            return _("Choose another player who is still in.")
        case "bad_role":
            return _("That role can't block this.")
        case "bad_card":
            return _("You can't choose that card.")
        case "wrong_count":
            needed = facts["needed"]
            assert isinstance(needed, int)
            return ngettext("Choose exactly one card.", "Choose exactly %(count)s cards.", needed)
        case _:
            return _("You can't do that now.")


def _choice(view: CoupView, argument: str, value: object, labels: Roles) -> Text | None:
    """Return the role of the card with this index, or None if the viewer may not see it."""
    if argument == "card" and view.hand is not None and isinstance(value, int):
        return labels[view.hand[value].role]
    if argument == "keep" and view.pool is not None and isinstance(value, int):
        return labels[view.pool[value]]
    return None


def _prompt(view: CoupView, viewer: Viewer, options: CoupOptions) -> Text:
    asked = viewer is not None and viewer in view.waiting
    match view.phase:
        case "challenge_window" if asked:
            return _("%(deed)s. Challenge?", deed=_running(view, options))
        case "block_window" if asked:
            return _("%(deed)s. Block?", deed=_running(view, options))
        case "challenge_window" | "block_window":
            return _("%(deed)s.", deed=_running(view, options))
        case "block_challenge_window":
            return _block(view, asked, ROLES_IN_SENTENCES[options.names])
        case "lose_influence" if view.loser is not None:
            return _loss(view, view.loser, ROLES_IN_SENTENCES[options.names])
        case "exchange" if view.on_turn is not None:
            return _exchange(view, view.on_turn)
        case "action" if view.on_turn is not None:
            return _turn(view, view.on_turn, options)
        case _:
            return _("The match is over.")


def _turn(view: CoupView, who: Seat, options: CoupOptions) -> Text:
    text = _("**%(who)s's** turn: choosing an action.", who=who)
    if view.players[who].coins >= options.mandatory_coup_at:
        return text.to(who, _("Your turn. You must launch a **Coup**. Against whom?"))
    return text.to(who, _("Your turn. **What do you do?**"))


def _running(view: CoupView, options: CoupOptions) -> Text:
    """Return the declared action as a clause without a full stop."""
    assert view.action is not None
    assert view.actor is not None
    loot: Fact = 2
    if view.target is not None:
        loot = purse(options.names, min(2, view.players[view.target].coins))
    roles = ROLES_IN_SENTENCES[options.names]
    return log.action_text(view.actor, view.action, view.target, roles, loot)


def _block(view: CoupView, asked: bool, roles: Roles) -> Text:
    assert view.blocker is not None
    assert view.block is not None
    assert view.actor is not None
    deed = (
        _("%(who)s blocks %(actor)s as **%(role)s**")
        .of(who=view.blocker, actor=view.actor, role=roles[view.block])
        .to(view.actor, _("%(who)s blocks you as **%(role)s**"))
        .to(view.blocker, _("You block %(actor)s as **%(role)s**"))
    )
    return _("%(deed)s. Challenge?", deed=deed) if asked else _("%(deed)s.", deed=deed)


def _loss(view: CoupView, loser: Seat, roles: Roles) -> Text:
    text = _("**%(who)s** loses a card and is choosing which.", who=loser)
    why = _why(view, loser, roles)
    return text.to(loser, _("%(why)s **Choose a card to lose.**", why=why))


def _why(view: CoupView, loser: Seat, roles: Roles) -> Text:
    """Return why a player loses a card.

    If they have a choice left, this is their first loss in this turn.
    """
    had = _("%(who)s had %(role)s.")
    if loser == view.block_challenger and view.blocker is not None and view.block is not None:
        return had.of(who=view.blocker, role=roles[view.block])
    if loser == view.action_challenger and view.actor is not None and view.claim is not None:
        return had.of(who=view.actor, role=roles[view.claim])
    caught = loser == view.blocker and view.block_challenger is not None
    if view.target != loser or view.action is None or view.actor is None or caught:
        return _("You were caught bluffing.")
    return log.DONE[view.action][2].of(who=view.actor)


def _exchange(view: CoupView, chooser: Seat) -> Text:
    text = _("**%(who)s** is exchanging cards.", who=chooser)
    count = view.players[chooser].influence
    keep = ngettext("**Which card** do you keep?", "**Which %(count)s cards** do you keep?", count)
    return text.to(chooser, keep)


def _ending(view: CoupView, winners: tuple[Seat, ...], reason: str) -> Text:
    if reason == "turn_limit":
        turns = view.turns_played
        why = ngettext(
            "most cards after %(count)s turn.", "most cards after %(count)s turns.", turns
        )
        return won(winners, why)
    return won(winners, _("last player standing."))
