"""The view of a match for one viewer, built field by field."""

import msgspec

from games.contract.core import all_seats
from games.contract.data import BySeat, Seat, Viewer
from games.secret_hitler.rules.board import (
    DRAWN,
    VETO_UNLOCKED,
    eligible,
    known_to,
    living,
    party_of,
    power_in_use,
    powers,
    side_of,
    targets,
)
from games.secret_hitler.rules.state import PlayerFacts, Session, State, Tiles, View


def view(state: State, viewer: Viewer) -> View:
    """Return what this viewer may see.

    Eliminated seats keep what they knew. The gallery sees public facts only.
    """
    over = state.phase == "over"
    voted = _voted(state)
    role = None if viewer is None else state.roles[viewer]
    return View(
        phase=state.phase,
        players=tuple(_facts(state, seat, voted) for seat in all_seats(len(state.roles))),
        role=role,
        party=role and party_of(role),
        knows=BySeat() if viewer is None else known_to(state, viewer),
        liberal=state.liberal,
        fascist=state.fascist,
        tracker=state.tracker,
        deck_size=len(state.deck),
        discard_size=len(state.discard),
        powers=powers(len(state.roles)),
        candidate=state.candidate,
        special=state.special,
        chancellor=state.chancellor,
        last_elected=state.last_elected,
        eligible=eligible(state) if state.phase == "nominate" else (),
        ready=state.ready,
        voted=voted,
        votes=None if state.phase == "vote" or not state.votes else state.votes,
        hand=_hand(state, viewer),
        veto_unlocked=state.fascist >= VETO_UNLOCKED,
        veto_refused=state.veto_refused,
        power=power_in_use(state),
        targets=targets(state),
        peeked=_peeked(state, viewer),
        investigated=tuple(sorted(state.investigated)),
        confirmed_not_hitler=state.confirmed_not_hitler,
        history=tuple(_seen(session, viewer, over) for session in state.history),
        roles=BySeat(list(zip(all_seats(len(state.roles)), state.roles, strict=True)))
        if over
        else None,
        side=side_of(state.reason),
    )


def _voted(state: State) -> tuple[Seat, ...]:
    """Return the seats that have voted, in seat order, which hides the order of the votes."""
    if state.phase != "vote":
        return ()
    return tuple(seat for seat in living(state) if seat in state.votes)


def _facts(state: State, seat: Seat, voted: tuple[Seat, ...]) -> PlayerFacts:
    return PlayerFacts(
        alive=state.alive[seat],
        has_voted=seat in voted,
        autopilot=seat in state.autopilot,
        is_investigated=seat in state.investigated,
        is_not_hitler=seat in state.confirmed_not_hitler,
    )


def _hand(state: State, viewer: Viewer) -> Tiles:
    if viewer is None:
        return ()
    if viewer == state.candidate and state.phase in ("president_discard", "veto_confirm"):
        return state.hand
    if viewer == state.chancellor and state.phase in ("chancellor_enact", "veto_confirm"):
        return state.hand
    return ()


def _peeked(state: State, viewer: Viewer) -> Tiles | None:
    """Return the tiles that this viewer has peeked at, or None.

    They are shown until the deck is shuffled or tiles are drawn from it.
    """
    if viewer is None or viewer != state.peeked_by:
        return None
    return state.deck[:DRAWN]


def _seen(session: Session, viewer: Viewer, over: bool) -> Session:
    if over or (viewer is not None and viewer == session.president):
        return session
    if viewer is not None and viewer == session.chancellor:
        return msgspec.structs.replace(session, drawn=None, result=None)
    if session.drawn is None:
        return session
    return msgspec.structs.replace(session, drawn=None, passed_on=None, result=None)
