"""The lesson of Iron Throne: a claim believed, a bluff called, and two lies by the learner."""

from __future__ import annotations

from games.contract.data import Seat
from games.contract.lesson import LEARNER, Lesson, Line, Moment, Tip
from games.contract.words import _
from games.coup.rules.state import (
    Assassinate,
    Block,
    Challenge,
    CoupView,
    Exchange,
    Income,
    LoseInfluence,
    Pass,
    Steal,
    Tax,
)
from games.coup.telling.names import ROLES_IN_SENTENCES

ADA, BELA, CATO = Seat(1), Seat(2), Seat(3)
BOTS = (ADA, BELA, CATO)
"""Ada holds Petyr Baelish and Jaqen H'ghar.

Bela holds no Arya, because the learner has two of the three.
"""
ROLES = ROLES_IN_SENTENCES["iron_throne"]
BAELISH, HOUND, JAQEN = ROLES["baelish"], ROLES["hound"], ROLES["jaqen"]
ARYA, MELISANDRE = ROLES["arya"], ROLES["melisandre"]


def _turn(number: int, moment: Moment) -> bool:
    return bool(moment.view.turns_played == number)


def _acts(moment: Moment) -> bool:
    """Return whether the learner may begin a turn."""
    return moment.may(Income)


def _challenged_in_vain(moment: Moment) -> bool:
    """Return whether the learner loses a card for challenging a true claim."""
    view: CoupView = moment.view
    return view.phase == "lose_influence" and view.action_challenger == LEARNER


def _caught(moment: Moment) -> bool:
    """Return whether the learner loses a card for an untrue claim."""
    view: CoupView = moment.view
    return view.phase == "lose_influence" and view.actor == LEARNER


SCRIPT = (
    Line(ADA, Tax(), lambda now: _turn(0, now)),
    Line(BELA, Steal(LEARNER), lambda now: _turn(1, now)),
    Line(ADA, Assassinate(LEARNER), lambda now: _turn(4, now)),
    *(Line(bot, Income()) for bot in (BELA, CATO)),
    Line(
        ADA,
        Challenge(),
        lambda now: now.view.actor == LEARNER and now.view.action == "Exchange",
    ),
    *(Line(bot, Pass()) for bot in BOTS),
    *(Line(bot, LoseInfluence(card)) for bot in BOTS for card in (0, 1)),
)
TIPS = (
    Tip(
        text=_(
            "That claim was true, so you, who challenged it, lose a card. Choose one. It stays "
            "face up; with no hidden card left you're out."
        ),
        at="actions",
        when=lambda now: now.may(LoseInfluence) and _challenged_in_vain(now),
    ),
    Tip(
        text=_(
            "You were caught: %(ada)s holds %(jaqen)s too, and didn't believe you. Your action is"
            " off, and you lose a card. Choose which.",
            ada=ADA,
            jaqen=JAQEN,
        ),
        at="actions",
        when=lambda now: _turn(3, now) and now.may(LoseInfluence) and _caught(now),
    ),
    Tip(
        text=_(
            "Nothing stopped the assassination, so you lose a card. Choose which. A lie about "
            "%(melisandre)s might have saved it.",
            melisandre=MELISANDRE,
        ),
        at="actions",
        when=lambda now: _turn(4, now) and now.may(LoseInfluence),
    ),
    Tip(
        text=_(
            "Now you know how to play. From 7 dragons on, a Coup takes somebody's card, and "
            "nothing stops it. The last with a hidden card wins. Play on, or start a real match."
        ),
        at="board",
        when=lambda now: now.view.turns_played >= 5,
        last=True,
    ),
    Tip(
        text=_(
            "%(ada)s says “I'm %(baelish)s” and takes 3 dragons. Anybody may claim anybody. If "
            "you challenge and it's true, you lose a card. It may well be true: allow it.",
            ada=ADA,
            baelish=BAELISH,
        ),
        at="actions",
        when=lambda now: _turn(0, now) and now.may(Challenge),
        right=(Pass(),),
        wrong=(Challenge(),),
    ),
    Tip(
        text=_(
            "%(bela)s claims %(arya)s, to take 2 dragons from you. But you hold two of the three "
            "cards of %(arya)s yourself! That's a bluff, most likely. Challenge it!",
            bela=BELA,
            arya=ARYA,
        ),
        at="hand",
        when=lambda now: _turn(1, now) and now.may(Challenge) and now.view.actor == BELA,
        right=(Challenge(),),
        wrong=(Pass(),),
    ),
    Tip(
        text=_(
            "You let the claim stand, but you can still block: %(arya)s stops a thief, and you "
            "really hold that card.",
            arya=ARYA,
        ),
        at="actions",
        when=lambda now: _turn(1, now) and now.may(Block),
        right=(Block("arya"),),
    ),
    Tip(
        text=_(
            "Your turn. Nobody knows your cards, so lie: claim %(baelish)s and take 3 dragons. "
            "It's what everybody does at first, and few dare to challenge.",
            baelish=BAELISH,
        ),
        at="actions",
        when=lambda now: _turn(3, now) and _acts(now),
        right=(Tax(),),
        wrong=(Exchange(),),
    ),
    Tip(
        text=_(
            "%(ada)s pays 3 dragons, claims %(hound)s and wants one of your cards. If you "
            "challenge and it's true, you lose two! Allow the claim: you can block afterwards.",
            ada=ADA,
            hound=HOUND,
        ),
        at="actions",
        when=lambda now: _turn(4, now) and now.may(Challenge) and now.view.actor == ADA,
        right=(Pass(),),
    ),
    Tip(
        text=_(
            "%(melisandre)s stops an assassination. You don't have that card, but who knows? Say "
            "that you do. Caught lying, you'd lose both cards: one for the lie, one to the knife.",
            melisandre=MELISANDRE,
        ),
        at="actions",
        when=lambda now: _turn(4, now) and now.may(Block),
        right=(Block("melisandre"),),
        wrong=(Pass(),),
    ),
    Tip(
        text=_(
            "You hold two cards that nobody else sees. Each role can do something, and you may "
            "claim any of them, whatever you hold."
        ),
        at="hand",
        when=lambda now: now.view.turns_played < 2,
    ),
    Tip(
        text=_(
            "Watch what the others claim. Everybody may challenge, and who is wrong loses a card:"
            " the liar, or the one who doubted the truth."
        ),
        at="board",
        when=lambda now: True,
    ),
)
LESSON = Lesson(seats=4, luck=1203, options={"pace": "relaxed"}, script=SCRIPT, tips=TIPS)
