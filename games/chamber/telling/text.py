"""The messages of Chamber for the prompt, the log, refusals and the end of the match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import assert_never

from games.chamber.rules.state import (
    AirShot,
    ChamberChecked,
    ChamberLoaded,
    ChamberSeen,
    DoubleDamageUsed,
    Events,
    ItemsDealt,
    ItemsLooted,
    ItemStolen,
    LifeAdded,
    Options,
    PlayerEliminated,
    QuickshotUsed,
    Rebalanced,
    RebalancePassed,
    RoundEnded,
    RoundStarted,
    Shot,
    SkipUsed,
    TurnSkipped,
    View,
)
from games.chamber.telling.buttons import hint
from games.chamber.telling.newcomer import explain
from games.chamber.telling.reasons import sentence
from games.chamber.telling.terms import ITEM_NAMES, LOOT, MOVES, TERMS, YOUR_LOOT
from games.contract.data import Seat, Viewer
from games.contract.wording import Words
from games.contract.words import Fact, Text, _, ngettext, unasked, won

REFUSALS: Mapping[str, Text] = {
    "bad_options": _("The option “%(option)s” doesn't fit the others. Allowed: %(allowed)s."),
    "bad_target": _("You can't choose that player."),
    "items_closed": _("You have already fired this turn: no more items."),
    "no_item": _("You don't have this item: %(item)s."),
    "already_skipped": _("That player already misses their next turn."),
    "skip_cooldown": _("That player was just skipped and must have a turn first."),
    "already_active": _("Already in effect: %(item)s."),
    "max_lives": _("You already have the most lives allowed here."),
    "cannot_steal": _("You can't steal this item: %(item)s."),
    "target_lacks_item": _("%(target)s doesn't have this item: %(item)s."),
    "rebalancer_window_closed": _("Reload only works before the chamber is loaded."),
    "rebalance_cap": _(
        "With that, too many shells would be %(ammo_type)s. A Reload stops at %(cap)s%% here."
    ),
}


@cache
def words(options: Options) -> Words[View]:
    """Return all messages for tables with these options."""
    return Words(
        tagline=_("Live or blank: shoot, or risk it yourself, and be the last player standing."),
        prompt=prompt,
        event=event,
        heading=heading,
        ending=_ending,
        refusal=refusal,
        move=lambda name: MOVES[name],
        hint=lambda view, seat, move, args: hint(view, seat, move, args, options),
        reason=sentence,
        explain=explain,
        terms=TERMS,
    )


def prompt(view: View, viewer: Viewer) -> Text:
    match view.phase:
        case "rebalance":
            return _window(view)
        case "turn":
            return _turn(view)
        case "over":
            return _("The match is over.")
        case _:
            assert_never(view.phase)


def heading(event: Events) -> Text | None:
    """Return the heading of the log section that begins with this event, or None.

    Each round is a section.
    """
    if isinstance(event, RoundStarted):
        return _("Round %(round)s", round=event.round)
    return None


def event(event: Events) -> Text:
    match event:
        case RoundStarted(live=live, blank=blank):
            return _("On the table: %(live)s live and %(blank)s blank.", live=live, blank=blank)
        case ItemsDealt():
            return _("Everybody gets new items.")
        case Rebalanced():
            return _rebalanced(event)
        case RebalancePassed(username=who):
            nothing = _("%(who)s adds nothing.", who=who).to(who, _("You add nothing."))
            return unasked(event.auto, who, nothing)
        case ChamberLoaded(live=live, blank=blank):
            return _("Loaded and spun: %(live)s live, %(blank)s blank.", live=live, blank=blank)
        case Shot():
            return _shot(event)
        case AirShot(username=who, ammo_type="live"):
            air = _("%(who)s shoots into the air: live.", who=who)
            return air.to(who, _("You shoot into the air: live."))
        case AirShot(username=who):
            air = _("%(who)s shoots into the air: blank.", who=who)
            return air.to(who, _("You shoot into the air: blank."))
        case SkipUsed(username=who, target=target):
            skip = _("%(who)s skips %(target)s's next turn.", who=who, target=target)
            yours = _("You skip %(target)s's next turn.")
            return skip.to(who, yours).to(target, _("%(who)s skips your next turn."))
        case DoubleDamageUsed(username=who):
            text = _("%(who)s doubles the damage of the next shell.", who=who)
            return text.to(who, _("You double the damage of the next shell."))
        case QuickshotUsed(username=who):
            text = _("%(who)s will shoot twice this turn.", who=who)
            return text.to(who, _("You will shoot twice this turn."))
        case ChamberChecked(username=who):
            text = _("%(who)s checks the next shell.", who=who)
            return text.to(who, _("You check the next shell."))
        case ChamberSeen(ammo_type="live"):
            return _("The next shell is live.")
        case ChamberSeen():
            return _("The next shell is a blank.")
        case LifeAdded(username=who, lives=lives):
            text = _("%(who)s gains a life and now has %(lives)s.", who=who, lives=lives)
            return text.to(who, _("You gain a life and now have %(lives)s."))
        case ItemStolen():
            return _stolen(event)
        case TurnSkipped(username=who):
            return _("%(who)s is skipped.", who=who).to(who, _("You are skipped."))
        case PlayerEliminated(username=who):
            return _("%(who)s is out.", who=who).to(who, _("You're out."))
        case ItemsLooted():
            return _looted(event)
        case RoundEnded(round=number):
            return _("The chamber is empty. Round %(round)s is over.", round=number)
        case _:
            assert_never(event)


def refusal(code: str, facts: Mapping[str, Fact]) -> Text:
    return Text(REFUSALS[code].id, {name: _named(fact) for name, fact in facts.items()})


def _window(view: View) -> Text:
    counts: dict[str, Fact] = {"live": view.live, "blank": view.blank}
    text = _(
        "%(live)s live, %(blank)s blank so far. **%(who)s** may add more.",
        who=view.waiting,
        **counts,
    )
    return text.to(view.waiting, _("%(live)s live, %(blank)s blank so far. **Add shells?**"))


def _turn(view: View) -> Text:
    who = view.shooter
    assert who is not None, "a turn is somebody's"
    return _("**%(who)s's** turn: choosing a target.", who=who).to(who, _aiming(view))


def _aiming(view: View) -> Text:
    if not view.items_open:
        return _("Your second shot. **Who?**")
    if view.known_next == "live":
        return _("The next shell is **live**. Who?")
    if view.known_next == "blank":
        return _("The next shell is **a blank**. Who?")
    return _("You hold the gun. **Who?**")


def _ending(view: View, winners: tuple[Seat, ...], reason: str) -> Text:
    if reason == "max_rounds":
        return won(winners, _("most lives after the last round."))
    return won(winners, _("last player standing."))


def _rebalanced(event: Rebalanced) -> Text:
    count, who = event.count, event.username
    if event.ammo_type == "live":
        text = ngettext(
            "%(who)s adds %(count)s live shell.", "%(who)s adds %(count)s live shells.", count
        )
        yours = ngettext("You add %(count)s live shell.", "You add %(count)s live shells.", count)
    else:
        text = ngettext(
            "%(who)s adds %(count)s blank shell.", "%(who)s adds %(count)s blank shells.", count
        )
        yours = ngettext("You add %(count)s blank shell.", "You add %(count)s blank shells.", count)
    return text.of(who=who).to(who, yours)


def _stolen(event: ItemStolen) -> Text:
    text = _(
        "%(who)s steals %(loot)s from %(target)s.",
        who=event.username,
        target=event.target,
        loot=LOOT[event.item],
    )
    yours = _("You steal %(loot)s from %(target)s.")
    lost = _("%(who)s steals %(loot)s.", loot=YOUR_LOOT[event.item])
    return text.to(event.username, yours).to(event.target, lost)


def _looted(event: ItemsLooted) -> Text:
    text = _(
        "%(who)s takes %(victim)s's items: %(items)s.",
        who=event.username,
        victim=event.from_,
        items=tuple(_times(item, count) for item, count in Counter(event.items).items()),
    )
    yours = _("You take %(victim)s's items: %(items)s.")
    return text.to(event.username, yours).to(event.from_, _("%(who)s takes your items: %(items)s."))


def _times(item: str, count: int) -> Text:
    name = ITEM_NAMES[item]
    return _("%(count)s × %(item)s", count=count, item=name) if count > 1 else name


def _shot(shot: Shot) -> Text:
    if shot.forfeit:
        return _forfeited(shot)
    if shot.username == shot.shooter:
        return _at_oneself(shot)
    facts: dict[str, Fact] = {"who": shot.shooter, "target": shot.username}
    if shot.ammo_type == "blank":
        text = _("%(who)s shoots at %(target)s: blank.", **facts)
        yours = _("You shoot at %(target)s: blank.")
        at_you = _("%(who)s shoots at you: blank.")
    elif shot.damage == 1:
        text = _("%(who)s hits %(target)s.", **facts)
        yours, at_you = _("You hit %(target)s."), _("%(who)s hits you. You lose a life.")
    else:
        text = _("%(who)s hits %(target)s for double damage.", **facts)
        yours = _("You hit %(target)s for double damage.")
        at_you = _("%(who)s hits you for double damage.")
    return text.to(shot.shooter, yours).to(shot.username, at_you)


def _at_oneself(shot: Shot) -> Text:
    who = shot.shooter
    if shot.ammo_type == "blank":
        text = _("%(who)s shoots themselves: blank.", who=who)
        return text.to(who, _("You shoot yourself: blank."))
    if shot.damage == 1:
        text = _("%(who)s shoots themselves and loses a life.", who=who)
        return text.to(who, _("You shoot yourself and lose a life."))
    text = _("%(who)s shoots themselves for double damage.", who=who)
    return text.to(who, _("You shoot yourself for double damage."))


def _forfeited(shot: Shot) -> Text:
    who, what = shot.shooter, _at_oneself(shot)
    text = _("%(who)s ran out of time. %(what)s", who=who, what=what)
    return text.to(who, _("You ran out of time. %(what)s"))


def _named(fact: Fact) -> Fact:
    """Return the label of a fact that has one, such as an item, or else the fact itself."""
    return TERMS.get(fact, fact) if isinstance(fact, str) else fact
