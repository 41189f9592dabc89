"""Quick match: users who wait for the same game get a table together.

Each wait is a row (`Seek`), so all processes see the same. Every change locks one row (`_lock`), so
that nobody is matched twice. Tables are opened as soon as somebody new waits, and by the leading
process, which also begins the matches (`advance`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Min, Q, QuerySet

from accounts import limits, mutes_and_blocks
from accounts.likeness import are_alike
from accounts.limits import Asker, TooOften
from games.contract.core import Refused
from games.engine import draining, figures, notifications, time_source
from games.engine.catalogs import suited
from games.engine.rated import may_seek
from games.engine.writer import command
from games.models import Counter, Member, Room, Seek
from games.registry import GAMES
from games.rooms import members
from games.rooms.bots import COMFORTABLE
from games.rooms.hosting import start_by_server
from games.rooms.joining import ROOMS_PER_HOST, Joined, join_now, open_now

LASTS = timedelta(seconds=45)
"""Time after which a wait expires. Open sockets of the user renew it."""
LOST = timedelta(seconds=25)
"""Time after which it expires if the last socket has closed. Sockets of other processes must be
able to renew it within this time.
"""
SETTLES = timedelta(seconds=8)
"""Time for which enough people wait before they play with fewer than the maximum."""
COMES = timedelta(seconds=8)
"""Maximum time between the opening of the table and the start of its match."""
BOTS_AFTER = timedelta(seconds=30)
"""Time after which bots may fill the table."""
MOST_TRIED = 12
"""Maximum people among whom a table is searched. With blocks, a search may try all subsets."""
SEEKS = "seek"
"""Name of the counter whose row is locked."""
KEEP_WARM = "30s"
"""Strangers may leave without a word, so a bot soon plays for absent players."""
Apart = Collection[tuple[int, int | None]]


@dataclass(frozen=True)
class Waiting:
    """A wait as its user sees it: the number of people, and the code of the table once it opens."""

    game: str
    others: tuple[str, ...]
    least: int
    since: datetime
    code: str = ""
    rated: bool = False
    bots: bool = False
    """Whether bots may fill the table now (`fill_with_bots`)."""

    @property
    def count(self) -> int:
        """Number of people who wait, including the user."""
        return len(self.others) + 1


def count_seek(who: Asker) -> None:
    """Count a request for a quick match. Raise Refused("too_often") if the limit is reached."""
    try:
        limits.take("seeks", who)
    except TooOften:
        raise Refused("too_often") from None


@command
def seek(
    user_id: int | None,
    game: str,
    name: str = "",
    seats: tuple[int, int] | None = None,
    pace: str = "normal",
    rated: bool = False,
    programs: bool = False,
    at_page: bool = False,
    language: str = "en",
) -> Joined:
    """Wait for a quick match. Without a user, a guest called `name` is created.

    `seats` is the range of players that suits this user. `programs` says whether the others may be
    programs. A user who waits already keeps the place in the queue. The result names the table if
    one has been opened, for this game or another. Raise Refused("cannot_be_rated") if matches of
    this user cannot be rated.
    """
    members.must_be_known(user_id)
    if game not in GAMES:
        raise Refused("bad_game")
    least, most = GAMES[game].seats
    wanted = seats or (least, most)
    if not least <= wanted[0] <= wanted[1] <= most:
        raise Refused("bad_seats", least=least, most=most)
    if draining.is_draining():
        raise Refused("not_allowed_now")
    user, token = members.person(user_id, name)
    hosted = Room.objects.filter(host=user).exclude(status=Room.Status.CLOSED)
    if hosted.count() >= ROOMS_PER_HOST:
        raise Refused("too_many_rooms", most=ROOMS_PER_HOST)
    if rated and not may_seek(user):
        raise Refused("cannot_be_rated")
    _lock()
    now = time_source.now()
    facts = {
        "name": name or user.name,
        "language": language,
        "least": wanted[0],
        "most": wanted[1],
        "pace": pace,
        "rated": rated,
        "programs": programs,
        "at_page": at_page,
        "until": now + LASTS,
    }
    Seek.objects.filter(user=user, room=None, until__lte=now).delete()
    table = Seek.objects.filter(user=user, room__isnull=False).select_related("room").first()
    if table is not None and table.room is not None:
        return Joined(table.room.pk, table.room.code, user.pk, table.name, again=True, token=token)
    found, is_new = Seek.objects.get_or_create(
        user=user, game=game, defaults={**facts, "since": now}
    )
    if not is_new:
        Seek.objects.filter(pk=found.pk).update(**facts)
    if is_new:
        figures.seeks.labels(game, "asked").inc()
    _match(game, now)
    notifications.notify_room_changed(notifications.SEEKS)
    found.refresh_from_db()
    code = found.room.code if found.room else ""
    return Joined(found.room_id or 0, code, user.pk, found.name, again=not is_new, token=token)


@command
def cancel(user_id: int, game: str) -> None:
    """Stop waiting. Leave the table if it is already open but its match has not begun."""
    _lock()
    found = Seek.objects.filter(user=user_id, game=game).first()
    if found is None:
        return
    found.delete()
    figures.seeks.labels(game, "cancelled").inc()
    room = Room.objects.select_for_update().filter(pk=found.room_id or 0).first()
    here = room.members.filter(user_id=user_id, left_at=None).first() if room else None
    if room is not None and here is not None and room.status == Room.Status.OPEN:
        members.go(room, here, "left")
    notifications.notify_room_changed(notifications.SEEKS)


@command
def fill_with_bots(user_id: int, game: str) -> str:
    """Open a table for everybody who has waited for BOTS_AFTER, with bots on the other seats.

    The caller may do so at once if nobody else waits. Return the code of the table, or "" if
    somebody could not join. Raise Refused if the user does not wait or has to wait longer.
    """
    _lock()
    now = time_source.now()
    own = _live(now).filter(user=user_id, game=game).first()
    if own is None:
        raise Refused("not_allowed_now")
    if own.room is not None:
        return own.room.code
    if draining.is_draining():
        raise Refused("not_allowed_now")
    free, apart = _free(game, now)
    others = [one for one in free if one.pk != own.pk and fit(own, one, apart)]
    if others and own.since > now - BOTS_AFTER:
        raise Refused("not_allowed_now")
    group = [own]
    for one in others:
        patient = one.since <= now - BOTS_AFTER
        room_left = len(group) < min(seek.most for seek in (*group, one))
        if patient and room_left and all(fit(one, other, apart) for other in group):
            group.append(one)
    least, most = GAMES[game].seats
    code = _open(group, now, bots=max(0, min(most, max(least, COMFORTABLE)) - len(group)))
    notifications.notify_room_changed(notifications.SEEKS)
    return code


@command
def renew(user_ids: Collection[int]) -> None:
    """Record that these users still have an open socket."""
    Seek.objects.filter(user__in=user_ids).update(until=time_source.now() + LASTS)


@command
def lost(user_id: int) -> None:
    """Let the waits of a user expire soon, because the last socket has closed."""
    soon = time_source.now() + LOST
    Seek.objects.filter(user=user_id, until__gt=soon).update(until=soon)


def is_due() -> bool:
    """Whether `advance` has anything to do. It is cheap if nobody waits."""
    return Seek.objects.exists()


@command
def advance() -> None:
    """Delete expired waits, open tables, and begin the matches of tables whose people have come."""
    _lock()
    now = time_source.now()
    expired = Seek.objects.filter(room=None, until__lte=now)
    for game in expired.values_list("game", flat=True):
        figures.seeks.labels(game, "expired").inc()
    changed = bool(expired.delete()[0])
    for game in set(_live(now).filter(room=None).values_list("game", flat=True)):
        changed = _match(game, now) or changed
    tables = Seek.objects.filter(room__isnull=False).values("room")
    for table in tables.annotate(at=Min("matched_at")).order_by("room"):
        changed = _begin(table["room"], table["at"], now) or changed
    if changed:
        notifications.notify_room_changed(notifications.SEEKS)


def of(user_ids: Collection[int]) -> Mapping[int, tuple[Waiting, ...]]:
    """Return what these users wait for, in the order in which they began."""
    now = time_source.now()
    own = list(_live(now).filter(user__in=user_ids).select_related("room"))
    found: defaultdict[int, list[Waiting]] = defaultdict(list)
    if not own:
        return {}
    queues = {game: _free(game, now) for game in {one.game for one in own if not one.room_id}}
    for one in own:
        if one.room is not None:
            if not one.arrived:
                found[one.user_id].append(_waiting(one, (), one.room.code))
            continue
        free, apart = queues[one.game]
        others = (two.name for two in free if two.pk != one.pk and fit(one, two, apart))
        found[one.user_id].append(_waiting(one, others))
    return {user_id: tuple(waits) for user_id, waits in found.items()}


def fit(one: Seek, two: Seek, apart: Apart) -> bool:
    """Whether two users can play together."""
    return (
        (one.pace, one.rated) == (two.pace, two.rated)
        and _stock(one) == _stock(two)
        and max(one.least, two.least) <= min(one.most, two.most)
        and (one.programs or two.at_page)
        and (two.programs or one.at_page)
        and (one.user_id, two.user_id) not in apart
        and not are_alike(one.name, two.name)
    )


def group_of(free: Sequence[Seek], apart: Apart, now: datetime) -> list[Seek]:
    """Return the users who get a table together now, or [] if nobody does yet.

    `free` is sorted by time. Users who have waited longest come first, and larger groups before
    smaller ones. A group that is full is complete at once. For any other, the smallest number that
    suits all must have waited for SETTLES.
    """
    for number, first in enumerate(free):
        rest = [one for one in free[number + 1 :] if fit(first, one, apart)]
        for size in range(min(first.most, len(rest) + 1), max(first.least, 2) - 1, -1):
            may = [one for one in rest if one.least <= size <= one.most]
            group = _together([first], may[: max(MOST_TRIED, size)], size, apart)
            if group is not None and _is_complete(group, now):
                return group
    return []


def _is_complete(group: Sequence[Seek], now: datetime) -> bool:
    if len(group) == min(one.most for one in group):
        return True
    least = max(2, *(one.least for one in group))
    return sorted(one.since for one in group)[least - 1] <= now - SETTLES


def _together(
    group: list[Seek], rest: Sequence[Seek], size: int, apart: Apart
) -> list[Seek] | None:
    """Return the first way to enlarge a group to this size, or None."""
    if len(group) == size:
        return group
    for number, one in enumerate(rest[: len(rest) - (size - len(group)) + 1]):
        if all(fit(one, other, apart) for other in group):
            found = _together([*group, one], rest[number + 1 :], size, apart)
            if found is not None:
                return found
    return None


def _waiting(one: Seek, others: Iterable[str], code: str = "") -> Waiting:
    bots = one.since <= time_source.now() - BOTS_AFTER
    return Waiting(one.game, tuple(others), max(2, one.least), one.since, code, one.rated, bots)


def _stock(one: Seek) -> Mapping[str, Any]:
    """Return the options that suit the language of a user, such as the packs of Cards."""
    return suited(GAMES[one.game], one.language) if one.game in GAMES else {}


def _lock() -> None:
    Counter.objects.select_for_update().get_or_create(name=SEEKS)


def _live(now: datetime) -> QuerySet[Seek]:
    return Seek.objects.filter(Q(until__gt=now) | Q(room__isnull=False)).order_by("since", "pk")


def _free(game: str, now: datetime) -> tuple[list[Seek], Apart]:
    """Return the users who wait for a game, longest first, and the pairs that blocks keep apart."""
    free = list(_live(now).filter(game=game, room=None))
    return free, mutes_and_blocks.apart([one.user_id for one in free]) if len(free) > 1 else ()


def _match(game: str, now: datetime) -> bool:
    """Open all tables of a game that can be opened now. Return whether anything has changed."""
    changed = False
    free, apart = _free(game, now)
    if len(free) < 2 or draining.is_draining():
        return False
    while group := group_of(free, apart, now):
        _open(group, now)
        gone = {one.pk for one in group}
        free, changed = [one for one in free if one.pk not in gone], True
    return changed


def _open(group: Sequence[Seek], now: datetime, bots: int = 0) -> str:
    """Open a table with these users, and return its code.

    If one of them may not join, for example after a ban, only that user stops waiting. Return ""
    in that case.
    """
    host, game = group[0], GAMES[group[0].game]
    one = host
    options = {"pace": host.pace, "keepWarm": KEEP_WARM, **_stock(host)}
    try:
        with transaction.atomic():
            joined = open_now(
                host.user_id,
                host.game,
                host.name,
                options,
                Room.Visibility.UNLISTED,
                bots=[game.bots.usual_level] * bots,
                plays=_plays(host),
                rated=host.rated and not bots,
            )
            Seek.objects.filter(pk__in=[one.pk for one in group]).update(
                room=joined.room_id, matched_at=now
            )
            for one in group[1:]:
                join_now(joined.code, one.user_id, one.name, welcome=True, plays=_plays(one))
            elsewhere = Seek.objects.filter(user__in=[one.user_id for one in group], room=None)
            elsewhere.delete()
    except Refused:
        Seek.objects.filter(pk=one.pk).delete()
        return ""
    figures.seeks.labels(host.game, "bots" if bots else "matched").inc(len(group))
    return joined.code


def _plays(one: Seek) -> Sequence[str] | None:
    """Return the games for which a member stays at the table: all for a page, one for a program."""
    return None if one.at_page else ()


def _begin(room_id: int, opened: datetime, now: datetime) -> bool:
    """Begin the match of a table if everybody has come, or after COMES at the latest.

    If it cannot begin, for example because somebody has left, the table stays as any other.
    """
    room = Room.objects.select_for_update().get(pk=room_id)
    if now < opened + COMES and not _is_ready(room):
        return False
    Seek.objects.filter(room=room).delete()
    if room.status != Room.Status.OPEN:
        return True
    try:
        with transaction.atomic():
            start_by_server(room)
    except Refused:
        members.changed(room)
    return True


def _is_ready(room: Room) -> bool:
    """Whether everybody has come, and every page has sent its share of the luck."""
    if room.seeks.filter(arrived=False).exists():
        return False
    pages = Member.objects.filter(room=room, left_at=None, at_page=True, share="")
    return not pages.exists()
