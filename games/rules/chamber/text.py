"""What Chamber says: sentences for the prompt, the log, refusals, buttons, and words for terms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from games.rules.chamber.state import (
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
    View,
)
from games.rules.data import Seat, Viewer
from games.rules.words import Fact, Text, Words, _, ngettext, unasked

ITEM_NAMES: Mapping[str, Text] = {
    "skip": _("Skip"),
    "double_damage": _("Double Damage"),
    "chamber_check": _("Chamber Check"),
    "rebalancer": _("Rebalancer"),
    "quickshot": _("Quickshot"),
    "steal": _("Steal"),
    "add_life": _("Add Life"),
    "shoot_air": _("Shoot Air"),
}

REFUSALS: Mapping[str, Text] = {
    "bad_options": _("The option “%(option)s” does not fit the others; allowed: %(allowed)s."),
    "bad_target": _("That is nobody you can choose for this."),
    "items_closed": _("You have fired a shot this turn, so items have to wait."),
    "no_item": _("You do not hold this item: %(item)s."),
    "already_skipped": _("That player's next turn is already being skipped."),
    "skip_cooldown": _("That player has just been skipped and must have a turn first."),
    "already_active": _("That is already in effect: %(item)s."),
    "max_lives": _("You have as many lives as this table allows."),
    "cannot_steal": _("This item cannot be stolen: %(item)s."),
    "target_lacks_item": _("%(target)s does not hold this item: %(item)s."),
    "rebalancer_window_closed": _("A Rebalancer works only before the chamber is loaded."),
}

MOVES: Mapping[str, Text] = {
    "ShootPlayer": _("Shoot"),
    "UseSkipItem": _("Skip a turn"),
    "UseDoubleDamageItem": _("Double the damage"),
    "UseChamberCheckItem": _("Check the chamber"),
    "UseRebalancerItem": _("Add rounds"),
    "UseQuickshotItem": _("Quickshot: take two shots"),
    "UseStealItem": _("Steal and use"),
    "UseAddLifeItem": _("Add a life"),
    "UseShootAirItem": _("Shoot into the air"),
    "PassRebalance": _("Add nothing"),
}

TERMS: Mapping[str, Text] = {
    **ITEM_NAMES,
    # phases, rounds, reasons
    "rebalance": _("before loading"),
    "turn": _("turn"),
    "over": _("over"),
    "live": _("live"),
    "blank": _("blank"),
    "last_alive": _("last one standing"),
    "max_rounds": _("no rounds left to play"),
    # the view and the players
    "phase": _("Phase"),
    "players": _("Players"),
    "round": _("Round"),
    "loaded": _("Loaded this round"),
    "fired": _("Fired this round"),
    "shooter": _("On turn"),
    "shotsLeft": _("Shots left"),
    "itemsOpen": _("Items may be used"),
    "doubleDamage": _("Double damage"),
    "waiting": _("Still deciding"),
    "knownNext": _("Next round, as you saw it"),
    "ammoDeck": _("Left in the chamber"),
    "lives": _("Lives"),
    "items": _("Items"),
    "isSkipped": _("Will be skipped"),
    "skipImmune": _("Cannot be skipped"),
    "damage": _("Damage"),
    "forfeit": _("Out of time"),
    # arguments
    "username": _("Player"),
    "target": _("Player"),
    "item": _("Item"),
    "skipTarget": _("Whose turn to skip"),
    "ammoType": _("Kind of round"),
    # options
    "startLives": _("Lives at the start"),
    "itemsPerRound": _("Items per round"),
    "addLifeRounds": _("Rounds with Add Life"),
    "liveMin": _("Fewest live rounds"),
    "liveMax": _("Most live rounds"),
    "blankMin": _("Fewest blank rounds"),
    "blankMax": _("Most blank rounds"),
    "itemCopies": _("Copies of each item (0: as many as needed)"),
    "shootAirCopies": _("Copies of Shoot Air"),
    "maxLives": _("Most lives (0: no limit)"),
    "loot": _("The killer takes the items"),
    "skipCooldown": _("Nobody is skipped twice in a row"),
    "maxRounds": _("Rounds to play (0: no limit)"),
}


def prompt(view: View, viewer: Viewer) -> Text:
    match view.phase:
        case "rebalance":
            return _window(view, viewer)
        case "turn":
            return _turn(view, viewer)
        case "over":
            return _over(view, viewer)
        case _:
            assert_never(view.phase)


def event(event: Events) -> Text:
    match event:
        case RoundStarted(round=number, live=live, blank=blank):
            return _(
                "Round %(round)s: %(live)s live and %(blank)s blank to be loaded.",
                round=number,
                live=live,
                blank=blank,
            )
        case ItemsDealt():
            return _("Everybody gets new items.")
        case Rebalanced():
            return _rebalanced(event)
        case RebalancePassed(username=who):
            return unasked(event.auto, who, _("%(who)s adds nothing.", who=who))
        case ChamberLoaded(live=live, blank=blank):
            return _(
                "The chamber is loaded and spun: %(live)s live, %(blank)s blank.",
                live=live,
                blank=blank,
            )
        case Shot():
            return _shot(event)
        case AirShot(username=who, ammo_type="live"):
            return _("%(who)s shoots into the air: a live round, gone.", who=who)
        case AirShot(username=who):
            return _("%(who)s shoots into the air: only a blank.", who=who)
        case SkipUsed(username=who, target=target):
            return _("%(who)s has %(target)s skip a turn.", who=who, target=target)
        case DoubleDamageUsed(username=who):
            return _("%(who)s doubles the damage of the next round.", who=who)
        case QuickshotUsed(username=who):
            return _("%(who)s will shoot twice this turn.", who=who)
        case ChamberChecked(username=who):
            return _("%(who)s looks at the next round.", who=who)
        case ChamberSeen(ammo_type="live"):
            return _("The next round is live.")
        case ChamberSeen():
            return _("The next round is a blank.")
        case LifeAdded(username=who, lives=lives):
            return _("%(who)s gains a life and has %(lives)s now.", who=who, lives=lives)
        case ItemStolen(username=who, target=target, item=item):
            return _(
                "%(who)s steals from %(target)s: %(item)s.",
                who=who,
                target=target,
                item=ITEM_NAMES[item],
            )
        case TurnSkipped(username=who):
            return _("%(who)s is skipped.", who=who)
        case PlayerEliminated(username=who):
            return _("%(who)s is out.", who=who)
        case ItemsLooted(username=who, from_=victim, items=items):
            return _(
                "%(who)s takes what %(victim)s held: %(items)s.",
                who=who,
                victim=victim,
                items=tuple(ITEM_NAMES[item] for item in items),
            )
        case RoundEnded(round=number):
            return _("The chamber is empty: round %(round)s is over.", round=number)
        case _:
            assert_never(event)


def refusal(code: str, facts: Mapping[str, Fact]) -> Text:
    return Text(REFUSALS[code].id, {name: _named(fact) for name, fact in facts.items()})


def move(name: str) -> Text:
    return MOVES[name]


def _window(view: View, viewer: Viewer) -> Text:
    counts: dict[str, Fact] = {"live": view.live, "blank": view.blank}
    if viewer in view.waiting:
        return _(
            "Your choice: add live or blank rounds to the %(live)s live and %(blank)s blank,"
            " or add nothing.",
            **counts,
        )
    return _(
        "Before the chamber is loaded with %(live)s live and %(blank)s blank,"
        " rounds may still be added by %(who)s.",
        who=view.waiting,
        **counts,
    )


def _turn(view: View, viewer: Viewer) -> Text:
    assert view.shooter is not None, "a turn is somebody's"
    if viewer != view.shooter:
        return _("%(who)s is on turn and decides whom to shoot.", who=view.shooter)
    if not view.items_open:
        return _("Your turn: choose whom your second shot is for.")
    if view.known_next == "live":
        return _("Your turn: the next round is live, so choose well whom to shoot.")
    if view.known_next == "blank":
        return _("Your turn: the next round is a blank, and at yourself it is free.")
    if view.players[view.shooter].items:
        return _("Your turn: use items if you like, then shoot a player or yourself.")
    return _("Your turn: shoot a player or yourself.")


def _over(view: View, viewer: Viewer) -> Text:
    most = max(player.lives for player in view.players)
    winners = tuple(Seat(at) for at, player in enumerate(view.players) if player.lives == most)
    if sum(player.lives > 0 for player in view.players) == 1:
        if viewer in winners:
            return _("You are the last one standing: you win!")
        return _("%(who)s is the last one standing and wins.", who=winners)
    if winners == (viewer,):
        return _("The last round is over, and you win with the most lives!")
    return _("The last round is over; the most lives, and the victory, go to %(who)s.", who=winners)


def _rebalanced(event: Rebalanced) -> Text:
    if event.ammo_type == "live":
        return ngettext(
            "%(who)s adds %(count)s live round.",
            "%(who)s adds %(count)s live rounds.",
            event.count,
            who=event.username,
        )
    return ngettext(
        "%(who)s adds %(count)s blank round.",
        "%(who)s adds %(count)s blank rounds.",
        event.count,
        who=event.username,
    )


def _shot(shot: Shot) -> Text:
    facts: dict[str, Fact] = {"who": shot.shooter, "round": _round_of(shot)}
    if shot.forfeit:
        return _("Time is up: %(who)s must shoot themselves with %(round)s.", **facts)
    if shot.username == shot.shooter:
        return _("%(who)s shoots themselves with %(round)s.", **facts)
    return _("%(who)s shoots %(target)s with %(round)s.", target=shot.username, **facts)


def _round_of(shot: Shot) -> Text:
    if shot.ammo_type == "blank":
        return _("a blank")
    if shot.damage == 1:
        return _("a live round")
    return _("a live round of double damage")


def _named(fact: Fact) -> Fact:
    """Words instead of code words."""
    return TERMS.get(fact, fact) if isinstance(fact, str) else fact


WORDS: Words[View] = Words(
    tagline=_("Live or blank: shoot, or risk it yourself, and be the last one standing."),
    prompt=prompt,
    event=event,
    refusal=refusal,
    move=move,
    terms=TERMS,
)
