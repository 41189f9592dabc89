"""A bot keeps an absent player's seat, and returns it at their first action."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from games import rooms
from games.engine.snapshots import load_snapshot
from games.models import Match, Member, Player, Room
from games.pages.page import first_view
from games.rooms.cleanup import Cleanup
from games.runtime.clock import Clock
from tests.kit.acting import act, make_due, on_turn
from tests.kit.factories import PersonFactory, open_table, start_match

pytestmark = pytest.mark.django_db(transaction=True)


def _away(*people: User, seconds: float) -> None:
    since = timezone.now() - timedelta(seconds=seconds)
    Member.objects.filter(user__in=people).update(away_since=since, seen_at=since)


def _match(**options: Any) -> tuple[Match, list[User]]:
    people: list[User] = [PersonFactory() for _ in range(3)]
    room = open_table(*people, game="mia", pace="none", **options)
    return start_match(room), people


def _bots(match: Match) -> list[int | None]:
    return [p.user_id for p in Player.objects.filter(match=match).exclude(bot="")]


def _player(match: Match, user: User) -> Player:
    return Player.objects.get(match=match, user=user)


@pytest.mark.parametrize(
    ("chosen", "seconds", "warm"),
    [("30s", 31, True), ("30s", 29, False), ("5m", 299, False), ("5m", 301, True)],
)
def test_bot_takes_over_after_the_chosen_time(chosen: str, seconds: float, warm: bool) -> None:
    match, (_, bob, _) = _match(keepWarm=chosen)
    _away(bob, seconds=seconds)
    Cleanup().run()
    assert _bots(match) == ([bob.pk] if warm else [])


def test_seats_are_not_taken_over_by_default() -> None:
    match, (_, bob, _) = _match()
    _away(bob, seconds=5000)
    Cleanup().run()
    assert _bots(match) == []


def test_bots_do_not_take_over_if_all_people_are_absent() -> None:
    match, people = _match(keepWarm="30s")
    _away(*people, seconds=100)
    Cleanup().run()
    assert _bots(match) == []


def test_bot_moves_for_a_warm_seat_and_its_owner_can_take_it_back() -> None:
    match, people = _match(keepWarm="30s")
    first = on_turn(match)
    absent = next(p for p in people if p.pk == first.user_id)
    _away(absent, seconds=40)
    Cleanup().run()
    view = first_view(match.room, absent.pk, "en")
    assert 'value="TakeBackSeat"' in view["status"]
    assert 'class="badge soft">bot<' in view["seats"]
    other = next(p for p in people if p != absent)
    assert "TakeBackSeat" not in first_view(match.room, other.pk, "en")["status"]
    make_due_bot(match)
    Clock()._tick()
    assert load_snapshot(match.pk).row.version > 2
    assert not load_snapshot(match.pk).only_bots


def make_due_bot(match: Match) -> None:
    """Let the bot answer now."""
    make_due(match)
    row = Match.objects.get(pk=match.pk)
    plans = {seat: [prompt, 0.0] for seat, (prompt, _at) in row.plans.items()}
    Match.objects.filter(pk=match.pk).update(plans=plans, deadline=None)


def test_move_returns_the_seat_to_its_owner() -> None:
    match, people = _match(keepWarm="30s")
    first = on_turn(match)
    absent = next(p for p in people if p.pk == first.user_id)
    _away(absent, seconds=40)
    Cleanup().run()
    act(match, first, "Roll")
    held = _player(match, absent)
    assert (held.bot, held.substitute, held.gone) == ("", False, "")


def test_returning_to_the_seat_is_idempotent() -> None:
    match, (_, bob, _) = _match(keepWarm="30s")
    _away(bob, seconds=40)
    Cleanup().run()
    rooms.return_to_seat(match.room_id, bob.pk).result()
    assert _bots(match) == []
    version = load_snapshot(match.pk).row.version
    rooms.return_to_seat(match.room_id, bob.pk).result()
    assert load_snapshot(match.pk).row.version == version


def test_rejoining_returns_the_seat() -> None:
    match, (_, bob, _) = _match(keepWarm="30s")
    _away(bob, seconds=40)
    Cleanup().run()
    code = Room.objects.get(pk=match.room_id).code
    assert rooms.join(code, bob.pk, str(bob)).result().again
    assert _bots(match) == []
