"""Push notifications about questions: their text, and who receives them without a page."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import http_ece
import pytest
import requests
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.test import Client

from accounts.models import PushSubscription
from accounts.push import digest_of
from accounts.push_keys import new_private_key
from games import rooms
from games.models import Match, Member, Player
from games.rooms import table_pause
from games.runtime import turn_calls
from games.runtime.turn_calls import TurnCalls
from tests.kit.acting import act, on_turn
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.waiting import wait_for

pytestmark = pytest.mark.django_db(transaction=True)


class Browser:
    """A subscribed browser with its push service."""

    def __init__(self, player: Player) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.secret = b"0123456789abcdef"
        self.status = 201
        self.got: list[dict[str, str]] = []
        self.asked: list[dict[str, str]] = []
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.endpoint = f"https://fcm.googleapis.com/send/{player.user_id}"
        PushSubscription.objects.create(
            user_id=player.user_id,
            endpoint=self.endpoint,
            digest=digest_of(self.endpoint),
            p256dh=base64.urlsafe_b64encode(point).decode().rstrip("="),
            auth=base64.urlsafe_b64encode(self.secret).decode().rstrip("="),
        )

    def post(self, endpoint: str, data: bytes, headers: dict[str, str], **more: Any) -> Any:
        """Act as the push service: deliver, or report that the subscription is gone."""
        assert endpoint == self.endpoint
        plain = http_ece.decrypt(data, private_key=self.key, auth_secret=self.secret)
        self.got.append(json.loads(plain))
        self.asked.append(headers)
        answer = requests.Response()
        answer.status_code = self.status
        return answer


@pytest.fixture
def match(settings: Any) -> Match:
    settings.PUSH_PRIVATE_KEY = new_private_key()
    settings.PUBLIC_URL = "https://play.example.org"
    table = open_table(PersonFactory(name="Ann"), PersonFactory(name="Bob"), game="mia", pace="day")
    return start_match(table)


@pytest.fixture
def calls() -> Iterator[TurnCalls]:
    made = TurnCalls()
    yield made
    made.stop()


def away(match: Match, player: Player) -> None:
    member = Member.objects.get(room=match.room_id, user=player.user_id)
    rooms.gone_away([member.pk]).result()


def call(calls: TurnCalls, browser: Browser) -> None:
    """Run one round of notifications, until all of them have been sent."""
    with patch("requests.Session.post", browser.post):
        calls.run()
        calls._sending.submit(lambda: None).result(10)


def test_owner_of_a_claimed_seat_is_notified_once(match: Match, calls: TurnCalls) -> None:
    player = next(one for one in match.players.all() if one.name == "Bob")
    browser = Browser(player)
    away(match, player)
    Client().post(f"/t/{match.room.code}/", {"name": "Bob", "was": "on"})
    for _round in range(2):
        call(calls, browser)
    told = [one for one in browser.got if one["title"] == "Your seat"]
    there = f"/t/{match.room.code}/"
    claimed = "Bob 2 claims your seat. Open the table to keep it."
    assert told == [{"title": "Your seat", "body": claimed, "url": there, "tag": there}]


def test_absent_player_is_notified_once_per_prompt(match: Match, calls: TurnCalls) -> None:
    player = on_turn(match)
    browser = Browser(player)
    call(calls, browser)
    assert not browser.got  # the player still has a page open
    away(match, player)
    call(calls, browser)
    call(TurnCalls(), browser)  # another process takes the lead
    (told,) = browser.got
    other = "Bob" if player.name == "Ann" else "Ann"
    there = f"/t/{match.room.code}/"
    assert told == {
        "title": "It's your turn",
        "body": f"Mia with {other}",
        "url": there,
        "tag": there,
    }
    (asked,) = browser.asked
    assert asked["urgency"] == "high"
    assert asked["authorization"].startswith("vapid ")


def test_next_prompt_notifies_again_but_not_immediately(match: Match, calls: TurnCalls) -> None:
    player = on_turn(match)
    browser = Browser(player)
    away(match, player)
    call(calls, browser)
    act(match, player, "Roll")
    call(calls, browser)
    assert len(browser.got) == 1
    calls._called.clear()  # as if a minute had passed
    call(calls, browser)
    assert len(browser.got) == 2


def test_unprompted_player_is_not_notified(match: Match, calls: TurnCalls) -> None:
    asked = on_turn(match)
    other = match.players.exclude(pk=asked.pk).get()
    away(match, other)
    browser = Browser(other)
    call(calls, browser)
    assert not browser.got


def test_nobody_is_notified_while_the_table_is_paused(match: Match, calls: TurnCalls) -> None:
    player = on_turn(match)
    browser = Browser(player)
    away(match, player)
    table_pause.pause(match.room_id, match.room.host_id or 0).result()
    call(calls, browser)
    assert not browser.got


@pytest.mark.parametrize(("status", "stays"), [(410, False), (404, False), (503, True)])
def test_expired_subscription_is_deleted(
    match: Match, calls: TurnCalls, status: int, stays: bool
) -> None:
    player = on_turn(match)
    browser = Browser(player)
    browser.status = status
    away(match, player)
    call(calls, browser)
    assert PushSubscription.objects.exists() is stays


def test_unreachable_push_service_causes_no_error(match: Match, calls: TurnCalls) -> None:
    player = on_turn(match)
    browser = Browser(player)
    away(match, player)
    with patch.object(browser, "post", side_effect=requests.ConnectionError("no route")):
        call(calls, browser)
    assert PushSubscription.objects.exists()


def test_redirects_of_a_push_service_are_not_followed(match: Match, calls: TurnCalls) -> None:
    player = on_turn(match)
    Browser(player)
    away(match, player)
    asked: list[str] = []

    def elsewhere(self: Any, request: Any, **more: Any) -> requests.Response:
        asked.append(request.url)
        answer = requests.Response()
        answer.status_code, answer.url, answer.request = 307, request.url, request
        answer.headers["Location"] = "http://127.0.0.1:9/inside"
        answer._content = b""
        return answer

    with patch("requests.adapters.HTTPAdapter.send", elsewhere):
        calls.run()
        calls._sending.submit(lambda: None).result(10)
    assert len(asked) == 1


def test_invalid_subscription_key_does_not_block_other_notifications(
    match: Match, calls: TurnCalls
) -> None:
    player = on_turn(match)
    bad = Browser(player).endpoint
    PushSubscription.objects.update(p256dh="B" + "A" * 86, digest="bad", endpoint=bad + "/bad")
    browser = Browser(player)
    away(match, player)
    call(calls, browser)
    assert len(browser.got) == 1


def test_already_notified_matches_do_not_block_others(
    match: Match, calls: TurnCalls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turn_calls, "AT_ONCE", 1)
    first = on_turn(match)
    away(match, first)
    call(calls, Browser(first))
    table = open_table(PersonFactory(), PersonFactory(), game="mia", pace="day")
    other = start_match(table)
    second = on_turn(other)
    away(other, second)
    browser = Browser(second)
    for _round in range(3):
        call(calls, browser)
    assert len(browser.got) == 1


def test_stale_notification_is_not_sent(match: Match, calls: TurnCalls) -> None:
    player = on_turn(match)
    browser = Browser(player)
    away(match, player)
    (late,) = turn_calls.due(turn_calls.listening(0))
    with patch("requests.Session.post", browser.post):
        turn_calls.send(late._replace(at=late.at - turn_calls.REST - 1))
    assert not browser.got


@pytest.mark.usefixtures("clock")
def test_clock_sends_notifications(match: Match, settings: Any) -> None:
    player = on_turn(match)
    browser = Browser(player)
    away(match, player)
    with patch("requests.Session.post", browser.post):
        wait_for(lambda: bool(browser.got), "nobody is called")


def test_correspondence_pace_allows_a_day_per_prompt(match: Match) -> None:
    match.refresh_from_db()
    assert match.deadline is not None
    assert match.asked_at is not None
    assert (match.deadline - match.asked_at).total_seconds() == pytest.approx(24 * 3600, abs=5)
    assert turn_calls.KEPT_FOR <= 24 * 3600
