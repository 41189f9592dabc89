"""Delete old data once a day: idle guests, old chat, stopped matches, expired tokens.

The clock (`daily`) or `manage.py prune` runs this job. It works in portions, so that the writer can
write moves in between. An interrupted run continues the next time.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial, reduce
from importlib import import_module
from operator import or_
from typing import Any

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts import sanctions
from accounts.handoff import KEPT_FOR
from accounts.models import HandOff, Token, User
from chat.models import Message
from games.engine.acts import end_without_result
from games.engine.seat_owners import revise
from games.engine.snapshots import Parked, decode_snapshot
from games.engine.state_parts import convert
from games.engine.writer import command
from games.history.erasure import end_sessions_of_nobody, finish, unfinished
from games.models import Act, Heartbeat, Match, Member, Room, StatePart
from games.registry import GAMES
from games.rooms.members import changed
from games.rooms.talking import of_threads

log = logging.getLogger(__name__)

EVERY = timedelta(days=1)
AT_ONCE = 200
MATCHES_AT_ONCE = 5
PARTS_AT_ONCE = 20
PARTS_KEPT_FOR = timedelta(days=1)
"""Time for which a part is kept after the start of the last match that refers to it."""


also: dict[str, Callable[[datetime], int]] = {}
"""Deletions added by higher packages.

Each deletes a portion of the rows that are due at the given time, and returns the number of deleted
rows. The number is 0 if none are left.
"""
needed: dict[str, Callable[[], QuerySet[Any]]] = {}
"""Ids of messages that higher packages still need."""


needed_matches: dict[str, Callable[[], QuerySet[Any]]] = {}
"""Ids of matches that higher packages still need."""


@dataclass(frozen=True)
class Pruned:
    """Numbers of rows that `prune` has deleted."""

    guests: int = 0
    messages: int = 0
    tokens: int = 0
    matches: int = 0
    replays: int = 0


def prune(now: datetime | None = None) -> Pruned:
    """Delete all data that is old enough.

    Do not call it in an event loop or in the writer's thread.
    """
    now = now or timezone.now()
    pruned = Pruned(
        guests=_erase_idle_guests(now),
        messages=_until_nothing_is_left(lambda: delete_old_messages(now).result()),
        tokens=_until_nothing_is_left(lambda: delete_expired_tokens(now).result()),
    )
    _until_nothing_is_left(lambda: stop_abandoned_matches(now).result())
    last = 0
    while last := convert_former_states(now, last).result():
        pass
    stopped = _until_nothing_is_left(lambda: delete_stopped_matches(now).result())
    replays = _until_nothing_is_left(lambda: delete_old_replays(now).result())
    _until_nothing_is_left(lambda: delete_unused_parts(now).result())
    for portion in also.values():
        _until_nothing_is_left(partial(portion, now))
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()
    return replace(pruned, matches=stopped, replays=replays)


def daily(now: datetime | None = None) -> Pruned | None:
    """Prune, at most once a day. Return None if pruning is not due."""
    now = now or timezone.now()
    if not take_turn(now).result():
        return None
    pruned = prune(now)
    log.info(
        "pruned %s guests, %s messages, %s tokens, %s matches, %s replays",
        pruned.guests,
        pruned.messages,
        pruned.tokens,
        pruned.matches,
        pruned.replays,
    )
    return pruned


@command
def take_turn(now: datetime) -> bool:
    """Return whether this process has to prune now. If so, no other process does so today."""
    due = Q(pruned_at=None) | Q(pruned_at__lte=now - EVERY)
    return bool(Heartbeat.objects.filter(due, pk=1).update(pruned_at=now))


@command
def delete_old_messages(now: datetime) -> int:
    """Delete a portion of the old chat. Return 0 if none is left, or if chat is kept forever."""
    if not settings.KEEP_CHAT_DAYS:
        return 0
    old = Message.objects.filter(at__lt=now - timedelta(days=settings.KEEP_CHAT_DAYS))
    for numbers in needed.values():
        old = old.exclude(pk__in=numbers())
    some = dict(old.order_by("pk").values_list("pk", "thread")[:AT_ONCE])
    Message.objects.filter(pk__in=some).delete()
    open_rooms = Room.objects.exclude(status=Room.Status.CLOSED)
    for room in open_rooms.select_for_update().filter(pk__in=of_threads(some.values())):
        changed(room)
    return len(some)


@command
def stop_abandoned_matches(now: datetime) -> int:
    """Stop a portion of the abandoned matches. Return 0 if none is left."""
    if not settings.KEEP_STOPPED_DAYS:
        return 0
    since = now - timedelta(days=settings.KEEP_STOPPED_DAYS)
    moved = Act.objects.filter(match=OuterRef("pk"), at__gte=since)
    here = Member.objects.filter(room=OuterRef("room"), bot="", left_at=None)
    present = here.filter(Q(away_since=None) | Q(away_since__gte=since))
    running = Match.objects.filter(ended_at=None, started_at__lt=since)
    quiet = running.exclude(Exists(moved)).exclude(Exists(present)).defer("state")
    some = list(quiet.order_by("pk")[:MATCHES_AT_ONCE])
    for match in some:
        end_without_result(match)
    return len(some)


@command
def delete_stopped_matches(now: datetime) -> int:
    """Delete a portion of the matches that were stopped long ago. Return 0 if none is left.

    Stopped matches have no result, so nobody misses them. The last match of an open table is kept.
    """
    if not settings.KEEP_STOPPED_DAYS:
        return 0
    since = now - timedelta(days=settings.KEEP_STOPPED_DAYS)
    stopped = Match.objects.filter(ended_at__lt=since, outcome__isnull=True)
    shown = Room.objects.filter(match=OuterRef("pk")).exclude(status=Room.Status.CLOSED)
    old = stopped.exclude(Exists(shown))
    for numbers in needed_matches.values():
        old = old.exclude(pk__in=numbers())
    some = list(old.order_by("pk").values_list("pk", flat=True)[:MATCHES_AT_ONCE])
    Act.objects.filter(match__in=some).delete()
    Match.objects.filter(pk__in=some).delete()
    return len(some)


@command
def delete_old_replays(now: datetime) -> int:
    """Delete the acts of a portion of the old matches on the ladder. Return 0 if none is left.

    A busy ladder plays thousands of matches a day, and acts are most of the data. Everything else
    is kept, so ratings can still be recomputed. The matches get new numbers, so mirrors notice.
    """
    if not settings.KEEP_LADDER_DAYS:
        return 0
    since = now - timedelta(days=settings.KEEP_LADDER_DAYS)
    old = Match.objects.filter(
        room__ladder=True, ended_at__lt=since, counted_at__isnull=False, pruned=False
    )
    for numbers in needed_matches.values():
        old = old.exclude(pk__in=numbers())
    some = list(old.order_by("pk").values_list("pk", flat=True)[:MATCHES_AT_ONCE])
    Act.objects.filter(match__in=some).delete()
    Match.objects.filter(pk__in=some).update(pruned=True)
    revise(set(some))
    return len(some)


@command
def convert_former_states(now: datetime, after: int) -> int:
    """Convert a portion of the finished matches whose states have an earlier version.

    Return the last id, or 0 if none is left.
    """
    former = [
        Q(game=game.slug, game_version__in=list(game.rules.former)) for game in GAMES.values()
    ]
    old = Match.objects.filter(reduce(or_, former), pk__gt=after, ended_at__lt=now - EVERY)
    some = list(old.order_by("pk")[:MATCHES_AT_ONCE])
    for match in some:
        with suppress(Parked):  # a damaged state is left as it is
            found = decode_snapshot(match)
            convert(match, found.state, found.game.rules.version)
    return some[-1].pk if some else 0


@command
def delete_unused_parts(now: datetime) -> int:
    """Delete a portion of the parts that no match refers to. Return 0 if none is left."""
    old = StatePart.objects.filter(used_at__lt=now - PARTS_KEPT_FOR)
    some = list(old.filter(matches=None).values_list("pk", flat=True)[:PARTS_AT_ONCE])
    # A match that has begun meanwhile has changed `used_at` of its parts, so they are not deleted.
    unused = old.select_for_update().filter(pk__in=some).values_list("pk", flat=True)
    StatePart.objects.filter(pk__in=list(unused)).delete()
    return len(some)


@command
def delete_expired_tokens(now: datetime) -> int:
    """Delete a portion of the expired tokens. Return 0 if none is left.

    Also delete all expired hand-off codes, of which there are few.
    """
    HandOff.objects.filter(made_at__lt=now - KEPT_FOR).delete()
    some = list(Token.objects.filter(expires_at__lt=now).values_list("pk", flat=True)[:AT_ONCE])
    Token.objects.filter(pk__in=some).delete()
    return len(some)


def idle_guests(now: datetime) -> QuerySet[User]:
    """Return guests who are not playing and have not been seen for KEEP_GUESTS_DAYS.

    Muted and banned guests are kept, because deleting the row would end the sanction.
    """
    if not settings.KEEP_GUESTS_DAYS:
        return User.objects.none()
    since = now - timedelta(days=settings.KEEP_GUESTS_DAYS)
    seen = Member.objects.filter(user=OuterRef("pk"), seen_at__gte=since)
    used = Token.objects.filter(user=OuterRef("pk"), last_used_at__gte=since)
    plays = Match.objects.filter(ended_at=None, players__user=OuterRef("pk"), players__gone="")
    held = sanctions.holding().filter(user=OuterRef("pk"), kind__in=sanctions.HOLDING)
    guests = User.objects.filter(is_guest=True, is_staff=False, is_superuser=False)
    guests = guests.filter(long_jobs=None)  # excludes users who are being merged or erased
    quiet = guests.filter(Q(last_login=None) | Q(last_login__lt=since), date_joined__lt=since)
    return (
        quiet.exclude(Exists(seen))
        .exclude(Exists(used))
        .exclude(Exists(plays))
        .exclude(Exists(held))
    )


def _erase_idle_guests(now: datetime) -> int:
    """Erase guests who have been absent for a long time. Return their number.

    Also continue erasures that were interrupted.
    """
    gone = 0
    for person in [*unfinished(), *idle_guests(now)]:
        try:
            finish(person.pk)
            gone += 1
        except Exception:
            log.exception("user %s could not be erased", person.pk)
    end_sessions_of_nobody()
    return gone


def _until_nothing_is_left(portion: Callable[[], int]) -> int:
    total = 0
    while some := portion():
        total += some
    return total
