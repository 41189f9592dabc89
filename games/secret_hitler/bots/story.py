"""The cover story of a seat: its view, with claimed hands in place of the real ones.

For a player who told the truth, the story is the truth.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import msgspec

from games.contract.data import BySeat, Seat
from games.secret_hitler.rules.spoken import Spoken, liberals_in
from games.secret_hitler.rules.state import Known, Party, Session, Tiles, View


def tiles(liberal: int, size: int) -> Tiles:
    """Return a hand with this many liberal policies, in the standard order of claims."""
    fascist, good = cast(Tiles, ("fascist",)), cast(Tiles, ("liberal",))
    return fascist * (size - liberal) + good * liberal


def innocent(seat: Seat, view: View, spoken: Spoken) -> View:
    """Return the view that this seat would have as a liberal if its claims were true."""
    seen = {at: known for at, known in view.knows.items() if known.role is None}
    history = []
    for about, session in enumerate(view.history):
        if session.target is not None and session.power == "investigate" and session.result:
            _told_of(seen, session, spoken.get(("investigated", about)))
        if session.power == "peek" and session.result is not None:
            session = msgspec.structs.replace(session, result=_peeked(spoken, about))
        history.append(_as_told(seat, session, about, spoken))
    return msgspec.structs.replace(
        view, role="liberal", party="liberal", knows=BySeat(seen), history=tuple(history)
    )


def _told_of(seen: dict[Seat, Known], session: Session, claimed: Sequence[str] | None) -> None:
    """Replace the result of an investigation with the result that this seat claimed.

    If nothing was claimed, drop the result.
    """
    target = session.target
    if target is None:
        return
    seen.pop(target, None)
    if claimed:
        party: Party = "liberal" if claimed[0] == "liberal" else "fascist"
        seen[target] = Known(None, party)


def _peeked(spoken: Spoken, about: int) -> Tiles | None:
    """Return the tiles claimed after a peek, or None if nothing was claimed."""
    claimed = spoken.get(("peeked", about))
    return None if claimed is None else tiles(liberals_in(claimed), 3)


def _as_told(seat: Seat, session: Session, about: int, spoken: Spoken) -> Session:
    """Return a session with the hands that this seat claims, or would claim, to have held."""
    if session.by != "government":
        return session
    if seat == session.president and session.passed_on is not None:
        drawn = spoken.get(("drawn", about))
        liberal = _owned_up(session) if drawn is None else liberals_in(drawn)
        return msgspec.structs.replace(
            session, drawn=tiles(liberal, 3), passed_on=tiles(min(liberal, 2), 2)
        )
    if seat == session.chancellor and session.passed_on is not None:
        received = spoken.get(("received", about))
        least = _owned_up(session) if received is None else liberals_in(received)
        return msgspec.structs.replace(session, passed_on=tiles(min(least, 2), 2))
    return session


def _owned_up(session: Session) -> int:
    """Return how many liberal tiles a player would admit to.

    If the policy was fascist, this is none.
    """
    return 0 if session.enacted == "fascist" else liberals_in(session.passed_on or ())
