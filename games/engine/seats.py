"""Leaving the seats of a running match, returning to them, and giving them to others.

Call these functions in a job of the writer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from games.contract.core import Change
from games.contract.data import Seat
from games.engine.act_log import Step
from games.engine.acts import commit
from games.engine.newcomers import newcomers
from games.engine.seat_owners import change_people
from games.engine.snapshots import MatchSnapshot, load_snapshot
from games.models import Act, Member, Player
from games.wire.wire import read_move

GIVEN_BACK: Mapping[str, Any] = {"bot": "", "substitute": False, "idle": 0}
"""Fields to change when a person takes over from a bot."""


def leave(match: MatchSnapshot, seat: Seat, because: str) -> MatchSnapshot:
    """Give up a seat.

    The seat goes to a bot if the options say so. Otherwise the rules of the game decide.
    """
    luck = match.luck()
    changes: dict[str, Any] = {"gone": because, "gone_at": match.row.version + 1}
    if seat in match.game.rules.out(match.state):
        change = Change(match.state, ())
    elif match.options.on_leave == "substitute":
        change = Change(match.state, ())
        changes |= substituted(match)
    else:
        change = match.game.rules.leave(match.state, seat, luck)
    step = Step(Act.Kind.LEAVE, seat=seat, draws=luck.draws)
    return commit(match, change, step, players={int(seat): changes})


def keep_warm(match: MatchSnapshot, seat: Seat) -> MatchSnapshot:
    """Let a bot play for an absent player until they act again. The player keeps the seat."""
    step = Step(Act.Kind.JOIN, Act.By.CLOCK, seat=seat)
    return commit(match, Change(match.state, ()), step, players={int(seat): substituted(match)})


def give_back(match: MatchSnapshot, user_id: int) -> MatchSnapshot | None:
    """Give the seat back to its owner if a bot keeps it warm, and return the new snapshot.
    Otherwise return None.
    """
    seat = match.seat_of(user_id)
    if match.over or seat is None or not match.players[seat].is_warm:
        return None
    step = Step(Act.Kind.JOIN, seat=seat)
    return commit(match, Change(match.state, ()), step, players={int(seat): dict(GIVEN_BACK)})


def to_take_back(match: MatchSnapshot, user_id: int | None) -> Player | None:
    """Return the seat that this user gave up and may take back, or None (docs/rules/conventions.md
    C5).
    """
    if user_id is None or match.over:
        return None
    held = (p for p in match.players if p.user_id == user_id and p.gone)
    player = next((p for p in held if p.gone != "kicked" and not p.out), None)
    if player is None or not (player.substitute or match.game.rules.comeback):
        return None
    return player


def come_back(match: MatchSnapshot, user_id: int) -> MatchSnapshot | None:
    """Give this user back the seat they left. Return the new snapshot, or None if that is not
    possible.
    """
    player = to_take_back(match, user_id)
    if player is None:
        return None
    seat = Seat(player.seat)
    back: dict[str, Any] = {"gone": "", "gone_at": None, "idle": 0}
    luck = match.luck()
    if player.substitute:
        back |= GIVEN_BACK
        change = Change(match.state, ())
    else:
        made = read_move(match.game, {"type": match.game.rules.comeback}, match.names)
        change = match.game.rules.apply(match.state, seat, made, luck)
    step = Step(Act.Kind.JOIN, seat=seat, draws=luck.draws)
    return commit(match, change, step, players={int(seat): back})


def join_late(match: MatchSnapshot, member: Member) -> MatchSnapshot | None:
    """Seat a member who joins during the match.

    Return None if the game or its options do not allow it.
    """
    luck = match.luck()
    change = match.game.rules.join(match.state, luck)
    if change is None:
        return None
    player = Player.objects.create(
        match=match.row,
        seat=len(match.players),
        user_id=member.user_id,
        name=member.name,
        newcomer=member.user_id in newcomers(match.row.game, [member.user_id]),
    )
    joined = replace(match, players=(*match.players, player))
    return commit(joined, change, Step(Act.Kind.JOIN, seat=player.seat, draws=luck.draws))


def hand_over(match: MatchSnapshot, seat: Seat, user_id: int, name: str) -> MatchSnapshot:
    """Give a seat to another user, who plays under their own name.

    A bot that plays the seat leaves if possible. The former owner may take the seat back once it is
    free.
    """
    held = match.players[seat]
    was = None if held.owner_before_id == user_id else held.owner_before_id or held.user_id
    owner = {"user_id": user_id, "name": name, "owner_before_id": was}
    given = {**owner, "given_at": match.row.version + 1}
    change_people(match.row.pk, {int(seat): given})
    after = load_snapshot(match.row.pk)
    return give_back(after, user_id) or come_back(after, user_id) or after


def free_again(match: MatchSnapshot, user_id: int | None) -> Seat | None:
    """Return the former seat of this user if its new owner has left it, else None."""
    if user_id is None or match.over:
        return None
    former = (p for p in match.players if p.owner_before_id == user_id and p.gone and not p.out)
    player = next(former, None)
    if player is None or not (player.substitute or match.game.rules.comeback):
        return None
    return Seat(player.seat)


def substituted(match: MatchSnapshot) -> Mapping[str, Any]:
    """Return the fields of a player to change when a bot takes over the seat."""
    level = "normal" if "normal" in match.game.bots.levels else "random"
    return {"bot": level, "substitute": True}
