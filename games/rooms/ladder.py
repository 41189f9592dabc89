"""The ladder: tables at which programs of users play against each other (docs/programs.md).

A version announces that it is available, and for how many tables. The leading process opens
tables, begins their matches, and judges the versions afterwards. All of this state is in the
database, so another process can continue after a crash. `open_tables` locks one row, so that two
processes never open too many tables together.
"""

from __future__ import annotations

from collections import Counter as Count
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random, SystemRandom
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet

from accounts import sanctions
from accounts.models import Sanction
from games.contract.core import Refused
from games.contract.data import pack
from games.engine import draining, figures, notifications, table_policy, time_source
from games.engine.catalogs import finder, suited
from games.engine.options import read_options
from games.engine.signals import match_finished
from games.engine.storage import storage
from games.engine.table_policy import TablePolicy
from games.engine.writer import command, waiting_jobs
from games.models import (
    Counter,
    Member,
    Player,
    Pool,
    ProgramVersion,
    Rating,
    Room,
)
from games.models.league import MU, SIGMA, SIGMA_OF_NEXT
from games.registry import GAMES
from games.rooms import members, mixing
from games.rooms.bots import seat_bot
from games.rooms.pairing import Free, Group, Strength, next_group
from games.rooms.programs import earlier_versions, wake_now

State = ProgramVersion.State
LASTS = timedelta(seconds=45)
"""Time for which a version stays available after its open connections last renewed it."""
COMES = timedelta(seconds=10)
"""Maximum time between the opening of a table and the start of its match."""
STAYS = timedelta(seconds=60)
"""Time for which a table stays open after its match, so that spectators can see the end."""
PATIENCE = 2.0
"""Time limit in seconds for each question."""
MOST_TABLES = 20
"""Maximum tables at which a version plays at once."""
CHECKS = 3
"""Matches without a lapse that make a new version active."""
MOST_SILENT, OF_LAST = 3, 50
"""A version rests after this many matches without an answer, among its last matches."""
MOST_JOBS = 5
"""Maximum jobs that wait for the writer while tables are opened."""
TABLES = "ladder"
"""Name of the counter whose row is locked. Its value is the number of tables opened."""
FORBIDDEN = frozenset(
    {"CallVote", "LeaveForNewGame", "MoreTime", "SetSpectating", "SkipAhead", "VetoCard"}
)
"""Commands that members of a table of the ladder cannot use."""
RUNNING = (Room.Status.OPEN, Room.Status.PLAYING)


def connect() -> None:
    """Register the policy of the tables, and announce the ends of their matches."""
    table_policy.register(Room.Kind.LADDER, POLICY)
    match_finished.connect(_on_match_finished)


def _on_match_finished(sender: Any, room: Room, **more: Any) -> None:
    if room.kind == Room.Kind.LADDER:
        notifications.notify_room_changed(notifications.LADDER)


@dataclass(frozen=True)
class Playing:
    """A table at which a version plays."""

    code: str
    game: str
    opened_at: datetime
    has_begun: bool


@command
def set_available(user_id: int | None, games: Sequence[str], tables: int) -> None:
    """Store which games a version plays, and at how many tables. Without games, it plays none.

    A resting version is woken up. Raise Refused with code `programs_only`, `bad_game` or
    `not_allowed_now`.
    """
    version = (
        ProgramVersion.objects.select_for_update(of=("self",))
        .select_related("user")
        .filter(user=user_id or 0)
        .exclude(state=State.RETIRED)
        .first()
    )
    if version is None:
        raise Refused("programs_only")
    if (locked := members.locked_out(version.user)) is not None:
        raise locked
    if not settings.LADDER:
        raise Refused("not_allowed_now")
    if not set(games) <= GAMES.keys():
        raise Refused("bad_game")
    now = time_source.now()
    if version.state == State.RESTING and games:
        wake_now(version)
    if not version.is_available:
        version.idle_since = now
    version.games = sorted(set(games))
    version.tables = tables if games else 0
    version.available_until = now + LASTS if games else None
    version.save()
    notifications.notify_room_changed(notifications.LADDER)


@command
def renew(user_ids: Collection[int]) -> None:
    """Record that these versions still have an open connection."""
    wanting = ProgramVersion.objects.filter(user__in=user_ids, tables__gt=0)
    now = time_source.now()
    wanting.filter(available_until=None).update(idle_since=now)
    wanting.update(available_until=now + LASTS)


@command
def lost(user_id: int) -> None:
    """Record that the last connection of a version has closed. It gets no more tables.

    If it has connections to other processes, these soon make it available again.
    """
    ProgramVersion.objects.filter(user=user_id).update(available_until=None)


def playing(user_ids: Collection[int]) -> Mapping[int, tuple[Playing, ...]]:
    """Return the tables at which these versions play now, oldest first."""
    found: defaultdict[int, list[Playing]] = defaultdict(list)
    rows = _seats().filter(user__in=user_ids).order_by("room").select_related("room")
    for row in rows:
        assert row.user_id is not None
        found[row.user_id].append(_playing(row.room))
    return {user_id: tuple(tables) for user_id, tables in found.items()}


def _playing(room: Room) -> Playing:
    has_begun = room.status == Room.Status.PLAYING
    return Playing(room.code, room.game, room.created_at, has_begun)


def matches_at(codes: Iterable[str]) -> Mapping[str, int | None]:
    """Return the ids of the matches that were played at these tables."""
    return dict(Room.objects.filter(code__in=list(codes)).values_list("code", "match"))


def running(game: str | None = None) -> QuerySet[Room]:
    """Return the tables of the ladder whose matches run now, newest first."""
    found = Room.objects.filter(ladder=True, status=Room.Status.PLAYING)
    return (found if game is None else found.filter(game=game)).order_by("-pk")


def is_due() -> bool:
    """Whether `advance` has anything to do."""
    return Room.objects.filter(ladder=True, status__in=(*RUNNING, Room.Status.FINISHED)).exists()


@command
def advance() -> None:
    """Begin or cancel overdue matches, judge versions after matches, and close old tables."""
    now = time_source.now()
    rooms = Room.objects.select_for_update(skip_locked=True).filter(ladder=True)
    late = rooms.filter(status=Room.Status.OPEN, created_at__lte=now - COMES)
    for room in late.order_by("pk"):
        _begin(room)
    for room in rooms.filter(status=Room.Status.FINISHED, empty_since=None).order_by("pk"):
        _judge(room, now)
    old = rooms.filter(status=Room.Status.FINISHED, empty_since__lte=now - STAYS)
    for room in old.order_by("pk"):
        _close(room, "closed")


def may_open() -> bool:
    """Whether tables may be opened now: the server has time, and somebody is available."""
    if not settings.LADDER or storage.fault or waiting_jobs() > MOST_JOBS:
        return False
    return ProgramVersion.objects.filter(available_until__gt=time_source.now()).exists()


@command
def open_tables(luck: Random | None = None) -> None:
    """Open tables for the available versions, up to the limit of LADDER_AT_ONCE."""
    luck = luck or SystemRandom()
    if draining.is_draining() or not settings.LADDER:
        return
    Counter.objects.get_or_create(name=TABLES)
    counter = Counter.objects.select_for_update().get(name=TABLES)
    now = time_source.now()
    while Room.objects.filter(ladder=True, status__in=RUNNING).count() < settings.LADDER_AT_ONCE:
        group = next_group(_free(now), counter.value, now, luck)
        if group is None:
            break
        if _open(group, now, luck):
            counter.value += 1
    counter.save(update_fields=["value"])


def _free(now: datetime) -> list[Free]:
    """Return the versions that can play at another table."""
    locked = sanctions.holding().filter(kind=Sanction.Kind.LOCK).values("user")
    versions = (
        ProgramVersion.objects.filter(
            available_until__gt=now,
            state__in=(State.CHECKING, State.ACTIVE),
            user__is_active=True,
        )
        .exclude(Q(user__in=locked) | Q(program__owner__in=locked))
        .select_related("program")
        .order_by("user")  # so that the same luck leads to the same tables on any database
    )
    found = {version.user_id: version for version in versions}
    seats = Count(_seats().filter(user__in=found).values_list("user", flat=True))
    strengths = _strengths(list(found))
    return [
        Free(
            user_id=user_id,
            owner_id=version.program.owner_id,
            strengths={
                game: strengths.get((user_id, game), Strength(MU, SIGMA))
                for game in version.games
                if game in GAMES
            },
            idle_since=None if seats[user_id] else version.idle_since,
            checks=_checked(version) if version.state == State.CHECKING else None,
        )
        for user_id, version in found.items()
        if seats[user_id] < _most_tables(version)
    ]


def _most_tables(version: ProgramVersion) -> int:
    """Return the maximum number of tables at which a version plays at once.

    This is one during its check. The version needs a connection for each table, and one for itself.
    """
    if version.state == State.CHECKING:
        return 1
    most = settings.SOCKETS_PER_PERSON
    return min(version.tables, max(1, most - 1)) if most else version.tables


def _strengths(user_ids: Sequence[int]) -> dict[tuple[int, str], Strength]:
    """Return the skills of versions. New versions inherit the skill of an earlier version."""
    earlier = earlier_versions(user_ids)
    everybody = {*user_ids, *(one for found in earlier.values() for one in found)}
    rows = Rating.objects.filter(user__in=everybody, pool=Pool.PROGRAMS)
    rated = {(one.user_id, one.game): Strength(one.mu, one.sigma) for one in rows}
    for user_id in user_ids:
        for game in GAMES:
            for before in earlier.get(user_id, ()):
                if (user_id, game) not in rated and (before, game) in rated:
                    mu = rated[before, game].mu
                    rated[user_id, game] = Strength(mu, SIGMA_OF_NEXT)
    return rated


def _open(group: Group, now: datetime, luck: Random) -> bool:
    """Open a table, and return True. If a version may not join, make it unavailable instead."""
    game = GAMES[group.game]
    options = read_options(game, suited(game, "en"), finder(game, None))
    versions = ProgramVersion.objects.select_related("user").in_bulk(
        group.user_ids, field_name="user"
    )
    seats: list[ProgramVersion | str] = [*versions.values(), *group.bots]
    luck.shuffle(seats)
    joining = None
    try:
        with transaction.atomic():
            room = Room.objects.create(
                game=group.game, options=pack(options), ladder=True, created_at=now
            )
            for seat in seats:
                if isinstance(seat, str):
                    seat_bot(room, seat)
                    continue
                joining = seat
                here, _ = members.present(room, None)
                name, plays = str(seat.user), [group.game]
                members.admit(room, seat.user, name, False, here, away_since=now, plays=plays)
            members.changed(room)
    except Refused:
        assert joining is not None
        ProgramVersion.objects.filter(pk=joining.pk).update(available_until=None)
        return False
    figures.ladder_tables.labels(group.game, "opened").inc()
    notifications.notify_room_changed(notifications.LADDER)
    return True


def _on_arrived(room: Room) -> None:
    """Begin the match as soon as everybody has come."""
    expected = _players(room).filter(bot="").exclude(away_since=None)
    if room.status == Room.Status.OPEN and not expected.exists():
        _begin(room)


def _begin(room: Room) -> None:
    """Begin the match of a table. Players who are still absent run out of time.

    If nobody has come, or if the match cannot begin, close the table.
    """
    seated = list(_players(room).order_by("joined_at", "pk"))
    if room.mixing_until is not None:
        return
    has_come = any(member.user_id and member.away_since is None for member in seated)
    try:
        if not has_come or draining.is_draining() or mixing.has_failed(room):
            raise Refused("not_allowed_now")
        with transaction.atomic():
            mixing.start(room, seated, PATIENCE)
    except Refused:
        figures.ladder_tables.labels(room.game, "cancelled").inc()
        room.refresh_from_db()
        _close(room, "closed")
        return
    figures.ladder_tables.labels(room.game, "begun").inc()


def _players(room: Room) -> QuerySet[Member]:
    return room.members.filter(left_at=None, spectator=False)


def _seats() -> QuerySet[Member]:
    """Return the memberships of versions at tables that are open or playing."""
    return Member.objects.filter(
        room__ladder=True,
        room__status__in=RUNNING,
        left_at=None,
        spectator=False,
        user__program_version__isnull=False,
    )


def _close(room: Room, because: str) -> None:
    """Close a table. Versions leave it, but spectators may stay."""
    for member in room.members.filter(left_at=None, user__program_version__isnull=False):
        members.go(room, member, "left")
    room.status = Room.Status.CLOSED
    members.changed(room)
    notifications.notify_room_changed(notifications.LADDER)


def _judge(room: Room, now: datetime) -> None:
    """Judge the versions that have played at a table, and record that this was done."""
    played = ProgramVersion.objects.select_for_update(of=("self",)).filter(
        user__in=Player.objects.filter(match=room.match_id or 0).values("user")
    )
    for version in played.order_by("pk"):
        if version.state == State.CHECKING:
            _judge_check(version)
        elif version.state == State.ACTIVE:
            _judge_silence(version)
        version.idle_since = now
        version.save()
    figures.ladder_tables.labels(room.game, "finished").inc()
    room.empty_since = now
    members.changed(room)


def _judge_check(version: ProgramVersion) -> None:
    failed = _judged(version).exclude(lapses=0, gone="").order_by("match").first()
    if failed is not None:
        version.state, version.silent_in_id = State.FAILED, failed.match_id
    elif _checked(version) >= CHECKS:
        version.state = State.ACTIVE


def _judge_silence(version: ProgramVersion) -> None:
    last = _judged(version).order_by("-match")[:OF_LAST]
    silent = [player.match_id for player in last if player.gone or player.idle]
    if len(silent) >= MOST_SILENT:
        version.state, version.silent_in_id = State.RESTING, silent[0]


def _checked(version: ProgramVersion) -> int:
    return _judged(version).count()


def _judged(version: ProgramVersion) -> QuerySet[Player]:
    """Return the seats of a version in finished matches that count for its check or silence."""
    return Player.objects.filter(
        user=version.user_id,
        match__room__ladder=True,
        match__started_at__gte=version.judged_from,
        match__ended_at__isnull=False,
        match__outcome__isnull=False,
    )


POLICY = TablePolicy(
    pool=Pool.PROGRAMS,
    counts_wins=False,
    may_host=lambda user_id: False,
    may_sit=lambda room: False,
    is_listed=lambda: False,
    forbidden=FORBIDDEN,
    on_arrived=_on_arrived,
)
