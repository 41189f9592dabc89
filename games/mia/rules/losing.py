"""The effects of losing in Mia: what it costs, who is out, and whether the match ends."""

from __future__ import annotations

from typing import Any

import msgspec

from games.contract.core import Change, Told, all_seats, asked, everyone
from games.contract.data import BySeat, Seat
from games.mia.rules.state import (
    ActualDice,
    Announcement,
    LivesLeft,
    Loss,
    MiaState,
    PlayerLost,
    PlayerOut,
    Reason,
    Score,
    out,
    staying,
)


def lose(
    state: MiaState,
    before: tuple[Told, ...],
    losers: tuple[Seat, ...],
    reason: Reason,
    show: Seat | None = None,
    leaver: Seat | None = None,
) -> Change[MiaState]:
    """End the round because these seats have lost it.

    `show` is the seat whose dice are revealed. Seats that are already out pay nothing.
    """
    told = list(before)
    changes: dict[str, Any] = {"lost": Loss(losers, reason)}
    if show is not None and state.dice is not None:
        told.append(everyone(ActualDice(state.dice)))
        changes |= {"shown": Announcement(show, state.dice), "dice": None, "roller": None}
    told.append(everyone(PlayerLost(losers, reason)))
    paying = tuple(seat for seat in losers if seat not in out(state))
    scored, score = _score(msgspec.structs.replace(state, **changes), paying, reason)
    told.append(score)
    going = tuple(s for s in paying if _has_no_lives(scored, s) or s == leaver)
    announcer = state.announcements[-1].username if state.announcements else state.at
    starter = announcer if len(losers) > 1 else losers[0]
    scored = msgspec.structs.replace(scored, starter=starter)
    ended = losing_lives(scored, going)
    return Change(_closed(ended.state), (*told, *ended.told))


def losing_lives(state: MiaState, going: tuple[Seat, ...]) -> Change[MiaState]:
    """Eliminate these seats together. This may end the match."""
    if not going:
        return Change(state, ())
    lives = tuple(0 if at in going else n for at, n in enumerate(state.lives))
    gone = (*state.gone, going)
    continued = tuple(seat for seat in state.continued if seat not in going)
    after = msgspec.structs.replace(state, lives=lives, gone=gone, continued=continued)
    told = tuple(everyone(PlayerOut(seat)) for seat in going)
    if staying(after) < 2:
        by_lives = state.options.scoring == "lives"
        after = _over(after, "last_alive" if by_lives else "not_enough_players")
    return Change(after, told)


def _score(state: MiaState, losers: tuple[Seat, ...], reason: Reason) -> tuple[MiaState, Told]:
    seats = all_seats(len(state.lives))
    if state.options.scoring == "lives":
        cost = state.options.mia_costs if reason in ("MIA", "LIED_ABOUT_MIA") else 1
        paid = BySeat({at: min(cost, state.lives[at]) for at in losers})
        lives = tuple(n - paid.get(Seat(at), 0) for at, n in enumerate(state.lives))
        left = BySeat({at: lives[at] for at in seats})
        lost = state.lost and msgspec.structs.replace(state.lost, paid=paid)
        return msgspec.structs.replace(state, lives=lives, lost=lost), everyone(LivesLeft(left))
    winners = set(state.order) - set(losers) - set(out(state))
    points = tuple(n + (at in winners) for at, n in enumerate(state.points))
    scored = BySeat({at: points[at] for at in seats})
    return msgspec.structs.replace(state, points=points), everyone(Score(scored))


def _has_no_lives(state: MiaState, seat: Seat) -> bool:
    return state.options.scoring == "lives" and state.lives[seat] == 0


def _closed(state: MiaState) -> MiaState:
    """End the match after its last round. Otherwise pause, so that players can read the result."""
    if state.phase == "over":
        return state
    if state.options.scoring == "points" and state.round >= state.options.rounds:
        return _over(state, "rounds")
    return asked(state, phase="result")


def _over(state: MiaState, reason: str) -> MiaState:
    return asked(state, phase="over", reason=reason, starter=None)
