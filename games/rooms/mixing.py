"""Mixing the luck before a match: everybody's shares are listed, then opened (`docs/fairness.md`).

Pages and programs send shares before anybody presses Start. A start lists them, and waits until the
secret of every share on the list is known. `_go_on` decides from the room's row alone what happens
next, so any process can continue after a crash. There is at most one list for each commitment: if a
list cannot be completed, the server reveals its seed, commits to another one, and lists new shares.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import msgspec
from msgspec.structs import replace

from accounts.names import FORMER
from games.contract.core import Ignored, Refused
from games.contract.mixing import Share, share_of
from games.engine import draining, fairness, matches, time_source
from games.engine.mixed import Mixed, mixed_of
from games.engine.writer import command
from games.models import Match, Member, Room
from games.rooms import members
from games.rooms.authorization import carries_out
from games.rooms.mixing_records import Listed, Mixing, Void, mixing_of, running_mixing
from games.rooms.new_game import notify_where_from
from games.wire import commands

SHARES_WITHIN = timedelta(seconds=1.5)
"""Maximum wait for the shares of open pages."""
SECRETS_WITHIN = timedelta(seconds=2)
"""Maximum wait for the secrets of a list."""
TRIES = 3
"""Maximum number of lists in one start."""


def start(
    room: Room,
    seated: Sequence[Member],
    patience: float | None = None,
    pages_are_open: bool = True,
) -> int | None:
    """Start a match between these members. Return its id, or None while its luck is mixed.

    If nobody can add to the luck, the match begins at once. Raise Refused if it cannot begin.
    """
    if room.mixing_until is not None:
        raise Refused("not_allowed_now")
    failed = mixing_of(room) if has_failed(room) else None
    missed = failed.missed if failed is not None else ()  # they cannot make every start fail
    adding = [member for member in seated if member.pk not in missed]
    if not any(member.share or (pages_are_open and _has_page(member)) for member in adding):
        room.mixing = None
        return _begin(room, seated, [Share(member.name) for member in seated], patience)
    matches.check_start(room, len(seated))
    first = Mixing(
        seats=tuple(Listed(member.pk, member.name) for member in seated),
        waits_for=tuple(member.pk for member in adding if _has_page(member)),
        missed=missed,
        voids=failed.voids if failed is not None else (),
        patience=patience,
    )
    _wait(room, first, SHARES_WITHIN)
    begun = _go_on(room)
    mixing = running_mixing(room)
    if mixing is not None and mixing.listed is None:
        members.changed(room)
    return begun


def has_failed(room: Room) -> bool:
    """Whether the last start of a room was given up."""
    mixing = mixing_of(room)
    return mixing is not None and mixing.failed


@carries_out(commands.CommitLuck)
def commit_luck(room: Room, member: Member, commitment: str, share: str) -> None:
    """Store a member's share for the next match. It replaces an earlier one.

    Raise Refused with code `stale` for another commitment, or `too_late` if the shares are listed.
    """
    if commitment != fairness.committed(room):
        raise Refused("stale")
    if member.share == share:
        return
    mixing = running_mixing(room)
    if mixing is not None and mixing.listed is not None:
        raise Refused("too_late")
    member.share = share
    member.save(update_fields=["share"])
    if mixing is not None:
        _go_on(room)


@carries_out(commands.RevealLuck)
def reveal_luck(room: Room, member: Member, list_: str, secret: str) -> None:
    """Open a member's share on the list. Raise Ignored, or Refused with code `bad_secret` or
    `too_late`.
    """
    mixing = running_mixing(room)
    if mixing is None or mixing.listed != list_:
        _answer_late(room, list_, secret)
        return
    at = next((i for i, one in enumerate(mixing.seats) if one.member == member.pk), None)
    if at is None or mixing.seats[at].share is None:
        raise Ignored
    seat = mixing.seats[at]
    if seat.share != share_of(fairness.committed(room), seat.name, secret):
        raise Refused("bad_secret")
    if seat.secret is None:
        seats = list(mixing.seats)
        seats[at] = replace(seat, secret=secret)
        _keep(room, replace(mixing, seats=tuple(seats)))
        _go_on(room)


def waiting() -> list[int]:
    """Return the rooms in which a start waits."""
    found = Room.objects.filter(mixing_until__isnull=False)  # SQLite would sort by reading all
    return sorted(found.values_list("pk", flat=True))


@command
def go_on(room_id: int) -> None:
    """Continue the start of a room, if it has waited long enough or cannot be completed."""
    found = Room.objects.select_for_update(skip_locked=True).filter(mixing_until__isnull=False)
    for room in found.filter(pk=room_id):
        _go_on(room)


def forget(room: Room, name: str) -> None:
    """Remove the name of somebody who has left from a start that is under way.

    A list with this name becomes void at once, because its hash is made of the names.
    """
    mixing = running_mixing(room)
    if mixing is None:
        return
    seats = tuple(replace(one, name=FORMER) if one.name == name else one for one in mixing.seats)
    voids = tuple(one.without(name) for one in mixing.voids)
    _keep(room, replace(mixing, seats=seats, voids=voids))
    if mixing.listed is not None and seats != mixing.seats:
        _go_on(room)


def _answer_late(room: Room, listed: str, secret: str) -> None:
    """Handle a secret that is not awaited.

    Return if it is one of those that were used. Raise Refused if its list is over, else Ignored.
    """
    mixing = mixing_of(room)
    match = Match.objects.get(pk=room.match_id) if room.match_id else None
    mixed = mixed_of(match) if match is not None else None
    if mixed is not None and mixed.listed == listed:
        if secret in [one.secret for one in mixed.shares]:
            return
        raise Refused("too_late")
    if mixing is not None and listed in [one.listed for one in mixing.voids]:
        raise Refused("too_late")
    raise Ignored


def _go_on(room: Room) -> int | None:
    """Do what is due in a start. Return the id of the match if it has begun."""
    mixing = running_mixing(room)
    if mixing is None or room.status in (Room.Status.PLAYING, Room.Status.CLOSED):
        # The previous version of the code, which has no mixing, may have begun the match.
        room.mixing = room.mixing_until = None
        room.save(update_fields=["mixing", "mixing_until"])
        return None
    is_late = room.mixing_until is not None and room.mixing_until <= time_source.now()
    seated = _seated(mixing)
    if mixing.listed is None:
        awaited = [one for one in seated if one.pk in mixing.waits_for and not one.share]
        return None if awaited and not is_late else _list(room, mixing, seated)
    here = {(member.pk, member.name) for member in seated}
    gone = tuple(one.name for one in mixing.seats if (one.member, one.name) not in here)
    silent = tuple(one.name for one in mixing.seats if one.share and not one.secret)
    if gone:
        _void(room, mixing, seated, gone=gone)
    elif not silent:
        return _settle(room, mixing, seated)
    elif is_late:
        _void(room, mixing, seated, missing=silent)
    return None


def _list(room: Room, mixing: Mixing, seated: Sequence[Member]) -> int | None:
    """List the shares of those who are seated. If nobody has one, begin the match.

    A server that is draining lists no shares, but waits for the secrets of an earlier list.
    """
    seats = tuple(
        Listed(one.pk, one.name, None if one.pk in mixing.missed else one.share or None)
        for one in seated
    )
    if draining.is_draining():  # everybody is shown an announcement
        _stop(room, replace(mixing, failed=bool(mixing.voids)))
        members.changed(room)
        return None
    try:
        matches.check_start(room, len(seats))
        if not any(one.share for one in seats):
            _stop(room, mixing)
            shares = [Share(one.name) for one in seats]
            return _begin(room, seated, shares, mixing.patience)
    except Refused:  # too many have left
        _fail(room, mixing)
        return None
    listed = _listed(room, seats)
    _wait(room, replace(mixing, seats=seats, listed=listed), SECRETS_WITHIN)
    members.changed(room)
    return None


def _settle(room: Room, mixing: Mixing, seated: Sequence[Member]) -> int | None:
    """Begin the match, because all secrets of the list are known.

    Give up the start if the match cannot be the one on the list any more. This happens only if a
    deck was deleted, or an option was changed in the database.
    """
    try:
        matches.check_start(room, len(seated))
        is_unchanged = _listed(room, mixing.seats) == mixing.listed
    except Refused:
        is_unchanged = False
    if not is_unchanged:
        _void(room, mixing, seated)
        return None
    _stop(room, mixing)
    shares = [Share(one.name, one.share, one.secret) for one in mixing.seats]
    return _begin(room, seated, shares, mixing.patience)


def _void(
    room: Room,
    mixing: Mixing,
    seated: Sequence[Member],
    missing: Sequence[str] = (),
    gone: Sequence[str] = (),
) -> None:
    """Give up a list and reveal the server's seed. Try again with new shares, but none of those who
    are missing or have left. Give up the start after TRIES lists, or if nobody is named.
    """
    assert mixing.listed is not None
    shares = tuple(Share(one.name, one.share, one.secret) for one in mixing.seats)
    void = Void(mixing.listed, room.secret, tuple(missing), shares, tuple(gone))
    here = {member.pk for member in seated}
    missed = {one.member for one in mixing.seats if one.name in missing} | (
        {one.member for one in mixing.seats} - here
    )
    waits_for = (one.member for one in mixing.seats if one.share and one.member not in missed)
    fairness.commit_anew(room)
    mixing = replace(
        mixing,
        tries=mixing.tries + 1,
        listed=None,
        seats=tuple(Listed(one.member, one.name) for one in mixing.seats),
        missed=(*mixing.missed, *sorted(missed)),
        waits_for=tuple(waits_for),
        voids=(*mixing.voids, void),
    )
    if mixing.tries > TRIES or not (missing or gone):
        _fail(room, mixing)
        return
    _wait(room, mixing, SHARES_WITHIN)
    members.changed(room)


def _fail(room: Room, mixing: Mixing) -> None:
    """Give up the start. The room is open again."""
    _stop(room, replace(mixing, failed=True))
    members.changed(room)


def _begin(
    room: Room, seated: Sequence[Member], shares: Sequence[Share], patience: float | None
) -> int:
    mixed = Mixed(fairness.listed(room, shares), shares)
    room.version += 1
    begun: int = matches.begin(room, seated, patience, mixed=mixed).row.pk
    notify_where_from(room)
    return begun


def _has_page(member: Member) -> bool:
    """Whether the member has a page open, which sends a share as soon as it can."""
    return member.at_page and not member.bot and member.away_since is None


def _seated(mixing: Mixing) -> list[Member]:
    """Return the members of a start who are still there, in order."""
    found = Member.objects.in_bulk([one.member for one in mixing.seats])
    here = [found[one.member] for one in mixing.seats if one.member in found]
    return [member for member in here if member.left_at is None and not member.spectator]


def _listed(room: Room, seats: Sequence[Listed]) -> str:
    return fairness.listed(room, [Share(one.name, one.share) for one in seats])


def _wait(room: Room, mixing: Mixing, at_most: timedelta) -> None:
    room.mixing_until = time_source.now() + at_most
    _keep(room, mixing)


def _stop(room: Room, mixing: Mixing) -> None:
    """Wait no longer. Only what was revealed is kept."""
    room.mixing_until = None
    _keep(room, replace(mixing, seats=(), listed=None))


def _keep(room: Room, mixing: Mixing) -> None:
    room.mixing = msgspec.to_builtins(mixing)
    room.save(update_fields=["mixing", "mixing_until"])
