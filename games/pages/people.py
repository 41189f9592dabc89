"""The members of a table, the actions for each, and the host's invitations."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from accounts.following import followed_among
from accounts.names import page_of
from games.models import Member, Room
from games.pages import bots
from games.pages.names import face_at
from games.pages.quick import region as quick_region
from games.pages.quick import taps
from games.pages.region import Region
from games.pages.viewpoint import Viewpoint, viewpoint_of
from games.pages.vote import callable_now, may_call
from games.rooms.giving_seats import refusable_until
from games.rooms.vote_kinds import FEWEST_TO_REMOVE
from games.tables.people import watches
from games.tables.sentences import say
from games.tables.table import Json, Table
from games.tables.terms import LEVELS

FORMER = 12
"""Maximum former members that the host can invite with one tap."""


def region(table: Table, viewpoint: Viewpoint) -> Json:
    """Return all members. A tap on one of them fetches the actions for that member (`sheet`)."""
    return {
        "host": viewpoint.is_host,
        "pausable": table.match is not None and table.playing and table.pause is None,
        "continuous": table.policy.continuous,
        "people": [_listed(table, other, viewpoint) for other in table.members],
        "standings": table.room.standings,
        "votes": callable_now(table, viewpoint),
    }


def sheet(table: Table, user_id: int, member_id: int) -> Region | None:
    """Return the actions for a member, or None if there are none or there is no such member."""
    viewer = table.member(user_id)
    other = next((member for member in table.members if member.pk == member_id), None)
    if viewer is None or other is None or not has_sheet(table, other, user_id):
        return None
    part = {
        "host": table.is_host(viewer),
        "open": not table.playing or table.policy.continuous,
        "continuous": table.policy.continuous,
        "levels": levels(table),
        "person": _person(table, other, user_id),
        "quick": taps() if other is viewer and quick_region(table)["open"] else None,
        **_votes_about(table, viewer, other),
        "heirs": _heirs(table, other),
    }
    return Region("sheet", "sheet", part)


def _votes_about(table: Table, viewer: Member, other: Member) -> Json:
    """Return which votes about a member this viewer can call. A host needs a vote only to remove an
    opponent.
    """
    may = may_call(table, viewpoint_of(table, viewer.user_id, ""))
    can = may and not table.is_host(viewer) and other.user_id is not None
    return {
        "heir": can and not table.is_host(other) and other.away_since is None,
        "absent": can and _plays(table, other) and other.away_since is not None,
        "removable": may and other is not viewer and _is_removable(table, other),
    }


def _is_removable(table: Table, member: Member) -> bool:
    """Whether a member plays and enough others could vote on removing them."""
    if member.user_id is None or table.acting(member.user_id) is None:
        return False
    people = [one for one in table.members if one is not member and one.user_id is not None]
    return sum(_plays(table, one) for one in people) >= FEWEST_TO_REMOVE


def _heirs(table: Table, member: Member) -> list[Json]:
    """Return the members to whom the host can give the seat of an absent player."""
    if member.away_since is None or member.bot or not _plays(table, member):
        return []
    here = (one for one in table.members if one.user_id is not None and one.away_since is None)
    asked = (one for one in here if one.says_was != member.name)  # claimants get it without a vote
    return [{"id": one.pk, "name": one.name} for one in asked if not _plays(table, one)]


def levels(table: Table) -> list[Json]:
    """Return the bot levels of this game with labels."""
    usual = table.game.bots.usual_level
    return [
        {"value": level, "text": say(LEVELS[level]), "usual": level == usual}
        for level in table.game.bots.levels
    ]


def has_sheet(table: Table, member: Member, user_id: int) -> bool:
    """Whether a tap on this member opens a sheet."""
    viewer = table.member(user_id)
    return leads_anywhere(member, viewer is not None and table.is_host(viewer))


def leads_anywhere(member: Member, for_host: bool) -> bool:
    """Whether a tap on a member opens a sheet, for the host (`for_host`) or for anybody else.

    Humans can be muted, blocked and reported, and bots have a description.
    """
    return for_host or member.user_id is not None or bool(member.bot)


def _user_name_of(member: Member) -> str:
    """Return the user name that leads to a member's public page, or "" if the member has no such
    page.
    """
    return member.user.username if member.user is not None and not member.user.is_guest else ""


def asking(table: Table, viewpoint: Viewpoint) -> Json:
    """Return the users the host has invited, and suggestions: recent players and former members."""
    invited_only = table.room.visibility == Room.Visibility.INVITED
    if not viewpoint.is_host:
        return {"host": False, "only": invited_only, "asked": [], "known": [], "gone": []}
    asked = {one.user_id for one in table.asked}
    left = {m.user_id: m for m in sorted(table.gone, key=_left_at) if m.user_id and not m.bot}
    taken = {_user_name_of(m) for m in table.members} | {one.user.username for one in table.asked}
    return {
        "host": True,
        "only": invited_only,
        "asked": [{"id": one.pk, "name": str(one.user)} for one in table.asked],
        "known": [
            {"username": one.username, "name": one.name}
            for one in table.known
            if one.username not in taken
        ],
        "gone": [
            {"id": m.pk, "name": m.name, "kicked": m.kicked_at is not None}
            for m in list(left.values())[::-1][:FORMER]
            if m.user_id not in asked
        ],
    }


def _left_at(member: Member) -> Any:
    return member.left_at


def _listed(table: Table, member: Member, viewpoint: Viewpoint) -> Json:
    """Return the list entry of a member.

    Include whether the viewer has muted them, and facts for the host only.
    """
    return {
        "id": member.pk,
        "name": member.name,
        "picture": face_at(table, member.name, bool(member.bot)),
        "sheet": leads_anywhere(member, viewpoint.is_host),
        "host": member.user_id is not None and member.user_id == table.room.host_id,
        "bot": bots.badge(table, member),
        "away": member.away_since is not None,
        "spectator": watches(table, member) or _looks_on(table, member),
        "muted": member.user_id in viewpoint.muted,
        "was": member.says_was if viewpoint.is_host else "",
        "given_at": _given_at(table, member) if viewpoint.is_host and member.says_was else None,
    }


def _given_at(table: Table, heir: Member) -> datetime:
    """Return when the host may give a seat to the member who has claimed it."""
    players = table.match.players if table.match is not None else ()
    owners = {player.user_id for player in players if player.name == heir.says_was}
    everybody = (*table.members, *table.gone)
    absent = [one.away_since or one.left_at for one in everybody if one.user_id in owners]
    return refusable_until(heir, next(iter(absent), None))


def _looks_on(table: Table, member: Member) -> bool:
    """Whether a match is running and this member does not play in it."""
    return table.playing and not table.parked and not _plays(table, member)


def _plays(table: Table, member: Member) -> bool:
    """Whether this member plays in the running match."""
    if not table.playing:
        return False
    return bool(member.bot) or table.viewer(member.user_id) is not None


def _person(table: Table, member: Member, user_id: int) -> Json:
    """Return the data of a member that the sheet shows to one viewer."""
    return {
        "id": member.pk,
        "name": member.name,
        "page": page_of(user_name) if (user_name := _user_name_of(member)) else "",
        "level": member.bot,
        "watches": member.spectator,
        "you": member.user_id == user_id,
        "bot": bots.badge(table, member),
        "note": bots.note(table, member),
        "person": member.user_id is not None,
        "followed": member.user_id is not None and bool(followed_among(user_id, [member.user_id])),
        "muted": member.user_id in table.muted(user_id),
        "blocked": member.user_id in table.blocked(user_id),
        "kickable": not table.playing or member.away_since is not None or not _plays(table, member),
    }
