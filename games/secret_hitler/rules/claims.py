"""The claims that a seat may make in the chat about its hands. They do not affect the match."""

from typing import Annotated

from msgspec import Meta

from games.contract import core
from games.contract.core import Claim, Claims, Said
from games.contract.data import Seat
from games.secret_hitler.rules.board import is_alive
from games.secret_hitler.rules.state import Session, State
from games.secret_hitler.rules.verdicts import judged

TILES = ("liberal", "fascist")
Tiles = tuple[Annotated[str, Meta(examples=["fascist"])], ...]


class ChatClaim(Said, frozen=True):
    """A claim to make about policies that you held (Secret Hitler), true or not."""

    kind: Annotated[str, Meta(examples=["drawn"])]
    """`drawn` or `peeked` (three policies), `received` (two), or `investigated` (one party)."""
    policies: Tiles


class Claimed(core.Claimed, frozen=True):
    """A claim that a player made about policies they held (Secret Hitler), true or not."""

    kind: Annotated[str, Meta(examples=["drawn"])]
    about: int
    """The place of that government in `view.history`."""
    policies: Tiles


def claims(state: State, seat: Seat) -> tuple[Claim, ...]:
    """Return the claims that this seat may make about its hands and its use of a power.

    They concern the latest finished session.

    `about` is the index of the session in the history. Any tiles may be claimed.
    """
    if state.phase == "over" or not is_alive(state, seat):
        return ()
    finished = [at for at, session in enumerate(state.history) if _is_finished(session)]
    if not finished:
        return ()
    at = finished[-1]
    session = state.history[at]
    found = []
    if seat == session.president:
        found.append(Claim("drawn", at, 3, TILES, session.drawn or ()))
    if seat == session.chancellor:
        found.append(Claim("received", at, 2, TILES, session.passed_on or (), order=1))
    if seat == session.president and session.power == "peek" and state.phase != "power_ack":
        seen = session.result if isinstance(session.result, tuple) else ()
        found.append(Claim("peeked", at, 3, TILES, seen, order=2))
    looked = session.power == "investigate" and session.target is not None
    if seat == session.president and looked and state.phase != "power_ack":
        party = (session.result,) if isinstance(session.result, str) else ()
        found.append(Claim("investigated", at, 1, TILES, party, order=2))
    return tuple(found)


def _is_finished(session: Session) -> bool:
    return session.by == "government" or session.veto == "accepted"


CLAIMS = Claims(claims, ChatClaim, Claimed, judged)
