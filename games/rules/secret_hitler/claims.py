"""Which hands a seat may make a claim about in the chat. Claims have no effect on the rules."""

from typing import Literal

from games.rules.data import Data, Seat
from games.rules.secret_hitler.board import is_alive
from games.rules.secret_hitler.state import Session, State

Kind = Literal["drawn", "received", "peeked"]


class Claim(Data, frozen=True):
    """A claim that may be made: so many tiles, about an entry of the history.

    `(about, kind)` tells one hand from every other, also later: who keeps claims refuses a second
    one of the same pair.
    """

    kind: Kind
    about: int
    tiles: int


def claimable(state: State, seat: Seat) -> tuple[Claim, ...]:
    """The hands this seat held in the latest session that is finished, and in its power.

    Whether they were claimed already is for who keeps the claims. Any tiles may be claimed.
    """
    if state.phase == "over" or not is_alive(state, seat):
        return ()
    finished = [at for at, session in enumerate(state.history) if _is_finished(session)]
    if not finished:
        return ()
    at = finished[-1]
    session = state.history[at]
    claims = []
    if seat == session.president:
        claims.append(Claim("drawn", at, 3))
    if seat == session.chancellor:
        claims.append(Claim("received", at, 2))
    if seat == session.president and session.power == "peek" and state.phase != "power_ack":
        claims.append(Claim("peeked", at, 3))
    return tuple(claims)


def _is_finished(session: Session) -> bool:
    return session.by == "government" or session.veto == "accepted"
