"""The beats of Chamber: loading, using an item, shooting, and the result."""

from __future__ import annotations

from collections.abc import Mapping
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
    PlayerEliminated,
    QuickshotUsed,
    Rebalanced,
    RebalancePassed,
    RoundEnded,
    RoundStarted,
    Shot,
    SkipUsed,
    TurnSkipped,
)
from games.chamber.telling.terms import LOOT, YOUR_LOOT
from games.contract.beats import Beat, Beats, Bubbles, Mood, addressed
from games.contract.data import Seat
from games.contract.words import Text, _, ngettext

Used = DoubleDamageUsed | QuickshotUsed | ChamberChecked | LifeAdded
USED: Mapping[type[Used], tuple[Text, Text]] = {
    DoubleDamageUsed: (_("You double the damage"), _("%(who)s doubles the damage")),
    QuickshotUsed: (_("You will shoot twice"), _("%(who)s will shoot twice")),
    ChamberChecked: (_("You check the chamber"), _("%(who)s checks the chamber")),
    LifeAdded: (_("You gain a life"), _("%(who)s gains a life")),
}
SAID: Mapping[type[Used], Text] = {
    DoubleDamageUsed: _("I do **double damage**."),
    QuickshotUsed: _("I shoot **twice**."),
    ChamberChecked: _("I **check** the next shell."),
    LifeAdded: _("I gain **a life**."),
}


def beats(event: Events) -> tuple[Beat, ...]:
    match event:
        case RoundStarted(round=number):
            return (Beat(headline=_("Round %(round)s", round=number), weight="light"),)
        case ChamberLoaded(live=live, blank=blank):
            loaded = _("Loaded: %(live)s live, %(blank)s blank", live=live, blank=blank)
            return (Beat(headline=loaded, sound="card"),)
        case Shot():
            return _shot(event)
        case AirShot(username=who, ammo_type=kind):
            fires = addressed(who, _("You shoot into the air"), _("%(who)s shoots into the air"))
            aims = Beat(headline=fires, weight="heavy", seat=who, stage="shot")
            return aims, _bang(kind == "live", who, _("Nobody is hurt"))
        case DoubleDamageUsed() | QuickshotUsed() | ChamberChecked() | LifeAdded():
            who, (mine, theirs) = event.username, USED[type(event)]
            return (_item(addressed(who, mine, theirs), who),)
        case SkipUsed(username=who, target=target):
            return (_item(_skipped(who, target), who),)
        case ItemStolen(username=who, target=target):
            return (_item(_stolen(event), who),)
        case Rebalanced(username=who, ammo_type=kind, count=count):
            added = _added(kind == "live", count)
            mine, theirs = _("You add %(added)s"), _("%(who)s adds %(added)s")
            return (_item(addressed(who, mine, theirs, added=added), who),)
        case TurnSkipped(username=who):
            missed = addressed(who, _("You miss your turn"), _("%(who)s misses a turn"))
            return (Beat(headline=missed, weight="light", seat=who),)
        case PlayerEliminated(username=who):
            gone = addressed(who, _("You are out"), _("%(who)s is out"))
            return (Beat(headline=gone, own={who: "loss"}, seat=who),)
        case ItemsDealt() | RebalancePassed() | ChamberSeen() | ItemsLooted() | RoundEnded():
            return ()
        case _:
            assert_never(event)


def bubbles(event: Events) -> Bubbles | None:
    match event:
        case RoundStarted() | ChamberLoaded():
            return Bubbles(fresh=True)
        case Shot(shooter=who, username=target) if who == target:
            return Bubbles(said={who: _("I shoot myself!")}, fresh=True)
        case Shot(shooter=who, username=target):
            shoots = _("I shoot %(target)s!", target=target)
            return Bubbles(said={who: shoots.to(target, _("I shoot you!"))}, fresh=True)
        case DoubleDamageUsed() | QuickshotUsed() | ChamberChecked() | LifeAdded():
            return Bubbles(said={event.username: SAID[type(event)]}, fresh=True)
        case SkipUsed(username=who, target=target):
            skips = _("I make %(target)s **miss a turn**.", target=target)
            return Bubbles(
                said={who: skips.to(target, _("I make you **miss a turn**."))}, fresh=True
            )
        case ItemStolen(username=who, target=target, item=item):
            steals = _("I steal **%(loot)s** from %(target)s.", target=target, loot=LOOT[item])
            robs = _("I steal **%(loot)s**.", loot=YOUR_LOOT[item])
            return Bubbles(said={who: steals.to(target, robs)})
        case AirShot(username=who):
            return Bubbles(said={who: _("I shoot into **the air**.")}, fresh=True)
        case Rebalanced(username=who, ammo_type=kind, count=count):
            return Bubbles(said={who: _adding(kind == "live", count)})
        case RebalancePassed(username=who):
            return Bubbles(said={who: _("I add **nothing**.")})
        case _:
            return None


def _item(headline: Text, who: Seat) -> Beat:
    return Beat(headline=headline, sound="card", seat=who)


def _shot(shot: Shot) -> tuple[Beat, ...]:
    """Show whom the gun points at, then whether the round was live, to build suspense."""
    live = shot.ammo_type == "live"
    seat = shot.shooter
    aims = Beat(headline=_aim(shot), weight="heavy", sound="card", seat=seat, stage="shot")
    if not live:
        who = shot.username
        return aims, _bang(live, who, addressed(who, _("You are unhurt"), _("%(who)s is unhurt")))
    who, lost = shot.username, shot.damage
    mine = ngettext("Live! You lose a life", "Live! You lose %(count)s lives", lost)
    theirs = ngettext("Live! %(who)s loses a life", "Live! %(who)s loses %(count)s lives", lost)
    hit = addressed(who, mine, theirs)
    mine = ngettext("You lose a life", "You lose %(count)s lives", lost)
    theirs = ngettext("%(who)s loses a life", "%(who)s loses %(count)s lives", lost)
    beside = addressed(who, mine, theirs)
    return aims, Beat(headline=hit, beside=beside, weight="heavy", sound="shot", seat=who)


def _bang(live: bool, seat: Seat, follows: Text) -> Beat:
    return Beat(
        headline=_("Live!") if live else _("Click. A blank"),
        beside=follows,
        weight="heavy",
        sound="shot" if live else "blank",
        seat=seat,
    )


def _aim(shot: Shot) -> Text:
    who, target = shot.shooter, shot.username
    if shot.forfeit:
        return addressed(who, _("Time is up: you shoot yourself"), _("Time is up for %(who)s"))
    if who == target:
        return addressed(who, _("You shoot yourself"), _("%(who)s shoots themselves"))
    mine, others = _("You shoot at %(target)s"), _("%(who)s shoots at %(target)s")
    aims = addressed(who, mine, others, target=target)
    return aims.to(target, _("%(who)s shoots at you"))


def _skipped(who: Seat, target: Seat) -> Text:
    mine, others = _("You make %(target)s miss a turn"), _("%(who)s makes %(target)s miss a turn")
    skips = addressed(who, mine, others, target=target)
    return skips.to(target, _("%(who)s makes you miss a turn"))


def _stolen(event: ItemStolen) -> Text:
    who, target, loot = event.username, event.target, LOOT[event.item]
    mine = _("You steal %(loot)s from %(target)s")
    others = _("%(who)s steals %(loot)s from %(target)s")
    steals = addressed(who, mine, others, target=target, loot=loot)
    return steals.to(target, _("%(who)s steals %(loot)s", loot=YOUR_LOOT[event.item]))


def _adding(live: bool, count: int) -> Text:
    if live:
        return ngettext(
            "I add **%(count)s live** shell.", "I add **%(count)s live** shells.", count
        )
    return ngettext("I add **%(count)s blank** shell.", "I add **%(count)s blank** shells.", count)


def _added(live: bool, count: int) -> Text:
    if live:
        return ngettext("%(count)s live shell", "%(count)s live shells", count)
    return ngettext("%(count)s blank shell", "%(count)s blank shells", count)


def moods(event: Events) -> Mapping[Seat, Mood]:
    """Return the moods of the players. A player who is hit sweats."""
    match event:
        case Shot(username=target, ammo_type="live"):
            return {target: "sweat"}
        case _:
            return {}


BEATS = Beats(of=beats, bubbles=bubbles, moods=moods)
