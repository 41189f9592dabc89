"""Claims of bots about their hands: liberals tell the truth, others a plausible story."""

from __future__ import annotations

from collections.abc import Sequence

from games.contract.core import Claim, ClaimMade, Event, Talk
from games.contract.data import Seat
from games.contract.luck import BotLuck
from games.secret_hitler.bots.policy import policy_of
from games.secret_hitler.bots.story import tiles
from games.secret_hitler.rules.claims import ChatClaim
from games.secret_hitler.rules.spoken import liberals_in
from games.secret_hitler.rules.state import Session, View

_CHATTY, _QUIET = 95, 60
"""Percentage of claims that a bot makes, by manner.

This is drawn before the content of the claim.
"""
_MATE_CLEARED = 95
_LIBERAL_BLAMED = 50
"""Percentage of investigated liberals whom a lying investigator calls fascist."""


def speaker(level: str) -> Talk:
    """Return the function that decides what bots of this level claim."""

    def speak(
        seat: Seat,
        view: View,
        claims: Sequence[Claim],
        heard: Sequence[Event],
        said: Sequence[ClaimMade],
        luck: BotLuck,
    ) -> ChatClaim | None:
        (claim, *_later) = claims
        if luck.draw("speaks", 100) >= (_CHATTY if luck.manner.chatty else _QUIET):
            return None
        return ChatClaim(claim.kind, _words(level, seat, view, claim, luck))

    return speak


def anything(
    seat: Seat,
    view: View,
    claims: Sequence[Claim],
    heard: Sequence[Event],
    said: Sequence[ClaimMade],
    luck: BotLuck,
) -> ChatClaim | None:
    """Make a random claim of a kind that is allowed (level `random`)."""
    (claim, *_later) = claims
    if claim.size == 1:
        return ChatClaim(claim.kind, (luck.pick("party", claim.values),))
    return ChatClaim(claim.kind, tiles(luck.draw("liberal", claim.size + 1), claim.size))


def _words(level: str, seat: Seat, view: View, claim: Claim, luck: BotLuck) -> tuple[str, ...]:
    session = view.history[claim.about]
    if view.role == "liberal":
        return claim.true if claim.size == 1 else tiles(liberals_in(claim.true), claim.size)
    if claim.kind == "investigated":
        return (_party(view, session, claim, luck),)
    if claim.kind == "peeked":
        return tiles(_on_top(view, claim), claim.size)
    if claim.kind == "received":
        return tiles(_received(session), claim.size)
    return tiles(_drawn(level, view, session, luck), claim.size)


def _drawn(level: str, view: View, session: Session, luck: BotLuck) -> int:
    """Return the number of liberal policies that a lying president claims to have drawn."""
    policy = policy_of(level, len(view.players), liberal=False)
    passed, drew = liberals_in(session.passed_on or ()), liberals_in(session.drawn or ())
    blames = luck.draw("blames", 100)
    if session.enacted != "fascist":
        return drew if passed == 2 else passed
    return int(blames < 100 * ((1 - policy.cover) if passed else policy.frame))


def _received(session: Session) -> int:
    """Return the number of liberal policies that a lying chancellor claims to have received.

    If the policy was fascist, the chancellor claims to have had no choice.
    """
    return 0 if session.enacted == "fascist" else liberals_in(session.passed_on or ())


def _party(view: View, session: Session, claim: Claim, luck: BotLuck) -> str:
    """Return the party that a lying bot claims to have seen.

    It clears most teammates, and sometimes accuses a liberal.
    """
    lies = luck.draw("lies", 100)
    if claim.true == ("fascist",):
        return "liberal" if lies < _MATE_CLEARED else "fascist"
    return "fascist" if lies < _LIBERAL_BLAMED else "liberal"


def _on_top(view: View, claim: Claim) -> int:
    """Return the number of liberal tiles that the bot claims to have seen on top of the deck.

    Tell the truth unless a teammate draws next. The teammate needs cover for discarding a liberal
    policy.
    """
    true = liberals_in(claim.true)
    mates = {at for at, of in view.knows.items() if of.role is not None}
    return max(0, true - 1) if view.candidate in mates else true
