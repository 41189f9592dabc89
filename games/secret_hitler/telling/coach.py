"""The coach's tips in the lesson of Secret Hitler, with their conditions."""

from __future__ import annotations

from games.contract.lesson import LEARNER, Tip
from games.contract.words import _
from games.secret_hitler.rules.state import (
    ChancellorNomination,
    ChancellorPolicy,
    ExecutiveConfirmation,
    PresidentPolicies,
    Vote,
)
from games.secret_hitler.telling.lesson_moments import (
    ADA,
    BELA,
    CATO,
    DORA,
    FASCIST,
    LIBERAL,
    betrayed,
    done,
    had_choice,
    held,
    others_govern,
    outvoted,
    presided,
    threw_liberal,
)

TIPS = (
    Tip(
        text=_(
            "You gave %(bela)s a liberal policy to choose, and %(bela)s enacted the fascist one. "
            "Now you know who is no liberal. The others don't: tell them in the chat!",
            bela=BELA,
        ),
        at="seats",
        when=lambda now: done(now) and betrayed(now),
    ),
    Tip(
        text=_(
            "You passed on two fascist policies, so your chancellor had to enact one, and will "
            "say so. Now they suspect you. A liberal should have passed the liberal one."
        ),
        at="board",
        when=lambda now: done(now) and threw_liberal(now),
    ),
    Tip(
        text=_(
            "Now you know how to play. Liberals win with five policies, or when Hitler is shot. "
            "Fascists need six, or Hitler as chancellor once they have three. Play on, or start a"
            " real match."
        ),
        at="board",
        when=done,
        right=(ExecutiveConfirmation(),),
        last=True,
    ),
    Tip(
        text=_(
            "You are a liberal, like two of the others. One is a fascist and one is Hitler: those"
            " two know each other. You know nobody. Find out!"
        ),
        at="hand",
        when=lambda now: held(now) == 0 and now.view.phase == "nominate",
    ),
    Tip(
        text=_(
            "%(ada)s is president this time and wants %(bela)s as chancellor. Nobody has done "
            "anything wrong yet, so vote Ja: with no government, chance decides.",
            ada=ADA,
            bela=BELA,
        ),
        at="actions",
        when=lambda now: held(now) == 0 and now.may(Vote),
        right=(Vote(True),),
        wrong=(Vote(False),),
    ),
    Tip(
        text=_(
            "You voted Nein, but the others outvoted you: more than half is enough. And a fascist"
            " policy came of it. Now %(bela)s wants %(cato)s. Vote Nein again!",
            bela=BELA,
            cato=CATO,
        ),
        at="board",
        when=lambda now: outvoted(now) and now.may(Vote),
        right=(Vote(False),),
    ),
    Tip(
        text=_(
            "A fascist policy! Did %(ada)s pass on two of them, or did %(bela)s have a choice? "
            "Now %(bela)s wants %(cato)s as chancellor. Don't trust them yet: vote Nein.",
            ada=ADA,
            bela=BELA,
            cato=CATO,
        ),
        at="board",
        when=lambda now: held(now) == 1 and now.may(Vote),
        right=(Vote(False),),
        wrong=(Vote(True),),
    ),
    Tip(
        text=_(
            "You helped %(bela)s and %(cato)s into office, and they enacted another fascist "
            "policy. Remember those two! Now %(cato)s wants you as chancellor. Vote Ja: you know "
            "you are liberal.",
            bela=BELA,
            cato=CATO,
        ),
        at="board",
        when=lambda now: now.may(Vote) and now.view.chancellor == LEARNER and now.view.fascist >= 2,
        right=(Vote(True),),
    ),
    Tip(
        text=_(
            "Voted down. After three in a row, the top policy passes unseen. Now %(cato)s wants "
            "you as chancellor. Vote Ja: you know that you are liberal.",
            cato=CATO,
        ),
        at="board",
        when=lambda now: now.may(Vote) and now.view.chancellor == LEARNER,
        right=(Vote(True),),
    ),
    Tip(
        text=_(
            "%(cato)s drew three policies, threw one away and gave you these two. Enact the "
            "liberal one. The other is thrown away, and only you two know what it was.",
            cato=CATO,
        ),
        at="actions",
        when=lambda now: now.may(ChancellorPolicy) and now.view.candidate == CATO,
        right=(ChancellorPolicy(LIBERAL),),
        wrong=(ChancellorPolicy(FASCIST),),
    ),
    Tip(
        text=_(
            "You enacted a fascist policy, with a liberal one in your hand. The president saw "
            "both and everybody else has to wonder about you now. Vote on this one as you like."
        ),
        at="board",
        when=lambda now: had_choice(now) and now.may(Vote),
    ),
    Tip(
        text=_(
            "Everybody wonders why %(cato)s gave you a liberal policy. A friend, or somebody who "
            "wants to look like one? Whom do you trust now? Vote as you like.",
            cato=CATO,
        ),
        at="seats",
        when=lambda now: now.may(Vote) and now.view.candidate == DORA and not presided(now),
    ),
    Tip(
        text=_(
            "You are president. Choose somebody you trust as chancellor: %(ada)s and %(dora)s "
            "have voted against %(bela)s, as liberals would.",
            ada=ADA,
            bela=BELA,
            dora=DORA,
        ),
        at="seats",
        when=lambda now: now.may(ChancellorNomination) and not presided(now),
        right=(ChancellorNomination(DORA), ChancellorNomination(ADA)),
        wrong=(ChancellorNomination(BELA),),
    ),
    Tip(
        text=_("It's your own government, so vote Ja."),
        at="actions",
        when=lambda now: now.may(Vote) and now.view.candidate == LEARNER and not presided(now),
        right=(Vote(True),),
    ),
    Tip(
        text=_(
            "Three policies that only you see. Throw a fascist one away and pass the liberal one "
            "on: the chancellor can only choose between what you pass."
        ),
        at="actions",
        when=lambda now: now.may(PresidentPolicies),
        right=(PresidentPolicies((0, 1)),),
        wrong=(PresidentPolicies((1, 2)),),
    ),
    Tip(
        text=_(
            "The president draws three policies, throws one away and passes two. The chancellor "
            "enacts one of those. Nobody else sees them, so everybody can lie about them."
        ),
        at="board",
        when=others_govern,
    ),
    Tip(
        text=_(
            "Everybody votes at the same time, and all see how the others voted. Remember it: "
            "votes are the best traces."
        ),
        at="seats",
        when=lambda now: now.view.phase == "vote",
    ),
    Tip(
        text=_(
            "The next president chooses a chancellor. The chancellor elected last is not allowed."
        ),
        at="seats",
        when=lambda now: now.view.phase == "nominate",
    ),
)
