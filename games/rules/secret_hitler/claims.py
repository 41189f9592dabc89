"""Which hands a seat may make a claim about in the chat. Claims have no effect on the rules."""

from games.rules.core import Claim
from games.rules.data import Seat
from games.rules.secret_hitler.board import is_alive
from games.rules.secret_hitler.state import Session, State

TILES = ("liberal", "fascist")


def claims(state: State, seat: Seat) -> tuple[Claim, ...]:
    """The hands this seat held in the latest session that is finished, and in its power.

    `about` is the place of the session in the history. Any tiles may be claimed.
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
        found.append(Claim("drawn", at, 3, TILES))
    if seat == session.chancellor:
        found.append(Claim("received", at, 2, TILES))
    if seat == session.president and session.power == "peek" and state.phase != "power_ack":
        found.append(Claim("peeked", at, 3, TILES))
    return tuple(found)


def _is_finished(session: Session) -> bool:
    return session.by == "government" or session.veto == "accepted"
