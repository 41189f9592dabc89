"""Giving away the seat of an absent player: to a claimant, or by a vote of the table."""

from __future__ import annotations

from games.contract.core import Refused
from games.engine.snapshots import load_readable
from games.models import Member, Room
from games.rooms import giving_seats, votes
from games.rooms.authorization import carries_out
from games.wire import commands


@carries_out(commands.GiveSeat)
def give_seat(room: Room, host: Member, username: str, member: int) -> None:
    """Give the seat to a member who claimed it when joining. For any other member, start a vote.

    Raise Refused with code `not_absent`, `bad_target`, `owner_asked`, `absent_soon` or
    `nobody_votes`.
    """
    match, player = load_readable(room.match_id or 0), giving_seats.absent_player(room, username)
    if match is None or player is None:
        raise Refused("not_absent")
    heir = giving_seats.heir_of(room, match, member)
    if not giving_seats.claims(heir, player):
        votes.ask_about_seat(room, host, player, heir)
        return
    if left := giving_seats.seconds_to_refuse(room, player, heir):
        raise Refused("owner_asked", name=player.name, seconds=left)
    giving_seats.hand_over(room, match, player, heir)
