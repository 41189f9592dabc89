"""The story a seat tells of itself: its view with the hands
it has claimed in place of those it held. Somebody who told the truth has no other story."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import msgspec

from games.contract.data import BySeat, Seat
from games.secret_hitler.rules.spoken import Spoken, liberals_in
from games.secret_hitler.rules.state import Known, Party, Session, Tiles, View


def tiles(liberal: int, size: int) -> Tiles:
    """A hand of so many liberal policies, in the order in which all hands are claimed."""
    fascist, good = cast(Tiles, ("fascist",)), cast(Tiles, ("liberal",))
    return fascist * (size - liberal) + good * liberal


def innocent(seat: Seat, view: View, spoken: Spoken) -> View:
    """The view of somebody who is a liberal and held what this seat has claimed."""
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
    """Somebody who keeps what they saw to themselves acts as if they had not seen it."""
    target = session.target
    if target is None:
        return
    seen.pop(target, None)
    if claimed:
        party: Party = "liberal" if claimed[0] == "liberal" else "fascist"
        seen[target] = Known(None, party)


def _peeked(spoken: Spoken, about: int) -> Tiles | None:
    """The tiles somebody has claimed to have seen; nothing where they keep that to themselves."""
    claimed = spoken.get(("peeked", about))
    return None if claimed is None else tiles(liberals_in(claimed), 3)


def _as_told(seat: Seat, session: Session, about: int, spoken: Spoken) -> Session:
    """A government of this seat as it has told of it, or would have."""
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
    """How many liberal policies somebody would own up to: none where a fascist one stands."""
    return 0 if session.enacted == "fascist" else liberals_in(session.passed_on or ())
