"""Sends push notifications to players who must answer and have no page open.

The leading process checks every few seconds, so nobody is missed. Each player is notified once per
question. A notification names the table and contains no secrets of the match.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any, NamedTuple

import msgspec
from django.conf import settings
from django.db import connection
from django.urls import reverse
from django.utils.translation import gettext, override

from accounts.isolation import isolated
from accounts.models import PushSubscription
from games.engine.snapshots import MatchSnapshot, load_readable
from games.engine.time_source import source
from games.engine.writer import command
from games.models import Announcement, Match, Member, Room
from games.sockets.announcements import announced

log = logging.getLogger(__name__)

AT_ONCE = 50
"""Maximum people notified in one round."""
REST = 60.0
"""Minimum seconds between two notifications of a player, and maximum age of a notification."""
KEPT_FOR = 24 * 3600
"""Seconds that a push service keeps an undelivered notification."""
PATIENCE = 10
"""Timeout in seconds for a push service."""
NOT_THERE = (404, 410)
"""Status codes of a push service for a browser that has unsubscribed."""


class Call(NamedTuple):
    """A notification for a player who must answer and has no page open."""

    member: int
    user: int
    question: str
    """Identifies the question: match and prompt."""
    said: dict[str, str]
    """Content for the browser: `title`, `body`, `url` and `tag`."""
    at: float
    """Time when the notification was made (`source.monotonic`).

    A late notification may be outdated.
    """


class TurnCalls:
    """Finds players to notify, and sends the notifications in another thread."""

    def __init__(self) -> None:
        self._sending = ThreadPoolExecutor(1, thread_name_prefix="push")
        self._called: dict[int, float] = {}
        self._told: set[str] = set()
        self._looked_up_to = 0
        """Id of the last member notified in this round. The next round starts after this id."""

    def run(self) -> None:
        """Send the due notifications to the next portion of players.

        The writer records each notification.
        """
        now = source.monotonic()
        self._called = {who: at for who, at in self._called.items() if now - at < REST}
        members = listening(self._looked_up_to)
        self._looked_up_to = members[-1].pk if len(members) == AT_ONCE else 0
        for call in claimed_seats(self._told):
            self._told.add(call.question)
            self._sending.submit(send, call)
        for call in due(members):
            if call.member not in self._called and note(call.member, call.question).result():
                self._called[call.member] = now
                self._sending.submit(send, call)

    def stop(self) -> None:
        """Cancel notifications that have not been sent."""
        self._sending.shutdown(wait=False, cancel_futures=True)


def claimed_seats(told: Collection[str]) -> Iterator[Call]:
    """Yield notifications for players with a push subscription whose seat another member has
    claimed.
    """
    since = source.now() - timedelta(seconds=REST)
    wanted = PushSubscription.objects.values("user")
    words = Announcement.objects.filter(person__in=wanted, at__gte=since)
    for word in words.select_related("person", "room").order_by("pk"):
        question = f"announcement:{word.pk}"
        if question in told or word.person is None or word.room is None:
            continue
        language = word.person.language or settings.LANGUAGE_CODE
        there = reverse("table", args=[word.room.code])
        with override(language):
            title = gettext("Your seat")
        said = {"title": title, "body": announced(word, language), "url": there, "tag": there}
        yield Call(0, word.person.pk, question, said, source.monotonic())


def listening(after: int) -> list[Member]:
    """Return up to AT_ONCE absent players of running matches who have a push subscription, in order
    of member id, starting above `after`.

    Batches cycle through all members. Otherwise players who stay away for days would crowd out
    the others.
    """
    away = Member.objects.filter(left_at=None, bot="", spectator=False, away_since__isnull=False)
    wanted = PushSubscription.objects.values("user")
    found = away.filter(room__status=Room.Status.PLAYING, user__in=wanted, pk__gt=after)
    return list(found.select_related("room", "user").order_by("pk")[:AT_ONCE])


def due(members: Iterable[Member]) -> Iterator[Call]:
    """Yield notifications for the `members` who must answer and have not yet been notified of the
    question.
    """
    for member in members:
        running = Match.objects.filter(room=member.room_id, ended_at=None)
        playing = running.filter(paused__isnull=True)
        match_id = playing.values_list("pk", flat=True).first()
        if match_id and (match := load_readable(match_id)) and (call := _call(member, match)):
            yield call


def _call(member: Member, match: MatchSnapshot) -> Call | None:
    seat = match.seat_of(member.user_id)
    if seat is None or seat not in match.game.rules.awaited(match.state):
        return None
    question = f"{match.row.pk}:{match.state.prompts[seat]}"
    if member.called_for == question or member.user is None:
        return None
    others = [isolated(one.name) for one in match.players if one.seat != seat]
    said = _said(member, match, others)
    return Call(member.pk, member.user.pk, question, said, source.monotonic())


def _said(member: Member, match: MatchSnapshot, others: list[str]) -> dict[str, str]:
    assert member.user is not None
    there = reverse("table", args=[member.room.code])
    with override(member.user.language or settings.LANGUAGE_CODE):
        facts = {"game": match.game.name, "names": ", ".join(others)}
        return {
            "title": gettext("It's your turn"),
            "body": gettext("%(game)s with %(names)s") % facts,
            "url": there,
            "tag": there,
        }


@command
def note(member_id: int, question: str) -> bool:
    """Record that a member is notified of this question.

    Return False if that is already recorded.
    """
    mine = Member.objects.filter(pk=member_id).exclude(called_for=question)
    return bool(mine.update(called_for=question))


def send(call: Call) -> None:
    """Send a notification to all browsers of a player. Delete subscriptions that have ended."""
    try:
        if source.monotonic() - call.at > REST:
            log.warning("person %s is not notified: push services are too slow", call.user)
            return
        for subscription in PushSubscription.objects.filter(user=call.user):
            if not _delivered(subscription, call.said):
                forget(subscription.pk).result()
    except Exception:
        log.exception("person %s could not be notified", call.user)
    finally:
        connection.close()


@command
def forget(subscription_id: int) -> None:
    """Delete a push subscription."""
    PushSubscription.objects.filter(pk=subscription_id).delete()


def _delivered(subscription: PushSubscription, said: dict[str, str]) -> bool:
    """Send a notification. Return False if the browser has unsubscribed.

    Other errors are logged, because the service may work the next time.
    """
    import requests  # imported only if there is a notification to send
    from pywebpush import WebPushException, webpush

    direct = requests.Session()
    direct.max_redirects = 0  # the URL of the subscription was checked, but not that of a redirect
    keys = {"p256dh": subscription.p256dh, "auth": subscription.auth}
    claims: dict[str, Any] = {"sub": settings.PUBLIC_URL}
    try:
        webpush(
            {"endpoint": subscription.endpoint, "keys": keys},
            msgspec.json.encode(said).decode(),
            vapid_private_key=settings.PUSH_PRIVATE_KEY,
            vapid_claims=claims,
            ttl=KEPT_FOR,
            timeout=PATIENCE,
            headers={"Urgency": "high"},
            requests_session=direct,
        )
    except WebPushException as failed:
        if failed.response is not None and failed.response.status_code in NOT_THERE:
            return False
        log.warning("a push service rejected a notification: %s", failed.message)
    except OSError as failed:
        log.warning("a push service is unreachable: %s", failed)
    except ValueError as failed:
        log.warning("a notification could not be encrypted: %s", failed)
    return True
