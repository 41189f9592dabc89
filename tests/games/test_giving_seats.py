"""The host gives the seat of somebody absent to who says at the door that it was theirs."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games import rooms
from games.engine.snapshots import load_snapshot
from games.models import Announcement, Match, Member, Player, Room
from games.regions.page import first_view, sheet_of
from games.rooms.passwords import hashed
from games.rules.core import Ignored, Refused
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.people import who

pytestmark = pytest.mark.django_db(transaction=True)


def _match(**options: Any) -> tuple[Room, Match, list[User]]:
    people: list[User] = [PersonFactory(name=name) for name in ("Ann", "Bob", "Cleo")]
    room = open_table(*people, game="mia", pace="none", **options)
    return room, start_match(room), people


def _away(user: User) -> None:
    Member.objects.filter(user=user).update(away_since=timezone.now() - timedelta(seconds=20))


def _at_the_door(room: Room, name: str = "Bob", **more: str) -> tuple[Client, str]:
    browser = Client()
    page = browser.post(f"/t/{room.code}/", {"name": name, **more}, follow=True)
    return browser, page.content.decode()


def _member(room: Room, name: str) -> Member:
    return room.members.get(name=name, left_at=None)


def test_who_lost_a_phone_says_so_at_the_door_and_is_given_the_seat() -> None:
    room, match, (ann, bob, _cleo) = _match()
    _away(bob)
    _browser, entrance = _at_the_door(room)
    assert "Bob plays here and is away. Was that you?" in entrance
    browser, page = _at_the_door(room, was="on")
    assert 'id="table"' in page
    again = _member(room, "Bob 2")
    assert again.spectator
    assert "Give Bob&#39;s seat" in first_view(room.pk, ann.pk, "en")["people"]
    assert "Give Bob" not in first_view(room.pk, again.user_id, "en")["people"]
    rooms.give_seat(room.pk, ann.pk, "Bob", again.pk).result()
    here = who(browser)
    assert here is not None
    seat = load_snapshot(match.pk).seat_of(here.pk)
    assert seat is not None
    assert load_snapshot(match.pk).players[seat].name == "Bob"
    assert _member(room, "Bob").user_id == here.pk
    assert not _member(room, "Bob").spectator
    told = list(Announcement.objects.order_by("pk").values_list("code", "text"))
    assert told == [("says_was", "Bob 2 → Bob"), ("seat_given", "Bob 2 → Bob")]


def test_who_comes_right_after_losing_a_phone_is_told_when_to_ask() -> None:
    room, _match_, (_ann, bob, _cleo) = _match()
    _browser, entrance = _at_the_door(room)
    assert "Try again in half a minute" in entrance
    _away(bob)
    _browser, entrance = _at_the_door(room)
    assert "Try again in half a minute" not in entrance
    Member.objects.filter(name="Cleo").update(name="Dan", key="dan")
    _browser, entrance = _at_the_door(room, "Dan")  # somebody at the table, but not in the match
    assert "Try again in half a minute" not in entrance


def test_whose_seat_was_given_away_may_come_back_to_watch() -> None:
    room, match, (ann, bob, _cleo) = _match()
    _away(bob)
    _at_the_door(room, was="on")
    rooms.give_seat(room.pk, ann.pk, "Bob", _member(room, "Bob 2").pk).result()
    assert load_snapshot(match.pk).seat_of(bob.pk) is None
    rooms.join(room.code, bob.pk, "Old Bob", spectate=True).result()
    assert _member(room, "Old Bob").spectator


def test_a_seat_that_a_bot_keeps_or_plays_is_given_without_the_bot() -> None:
    room, match, (ann, bob, _cleo) = _match(onLeave="substitute")
    rooms.leave(room.pk, bob.pk).result()
    assert Player.objects.get(match=match, name="Bob").bot
    _at_the_door(room, was="on")
    rooms.give_seat(room.pk, ann.pk, "Bob", _member(room, "Bob 2").pk).result()
    held = Player.objects.get(match=match, name="Bob")
    assert (held.bot, held.substitute, held.gone) == ("", False, "")


def test_the_seat_of_somebody_present_is_nobodys_to_give() -> None:
    room, _match_, (ann, bob, cleo) = _match()
    _browser, entrance = _at_the_door(room)
    assert "That name is taken" in entrance
    assert "Was that you" not in entrance
    _browser, entrance = _at_the_door(room, was="on")
    assert "That name is taken" in entrance
    watcher = PersonFactory(name="Dan")
    rooms.join(room.code, watcher.pk, "Dan", spectate=True).result()
    heir = _member(room, "Dan").pk
    with pytest.raises(Refused, match="not_absent"):
        rooms.give_seat(room.pk, ann.pk, "Bob", heir).result()
    _away(bob)
    with pytest.raises(Refused, match="bad_target"):
        rooms.give_seat(room.pk, ann.pk, "Bob", _member(room, "Cleo").pk).result()
    with pytest.raises(Ignored):
        rooms.give_seat(room.pk, cleo.pk, "Bob", heir).result()


def test_the_host_finds_it_at_the_absent_seat() -> None:
    room, _match_, (ann, bob, _cleo) = _match()
    watcher = PersonFactory(name="Dan")
    rooms.join(room.code, watcher.pk, "Dan", spectate=True).result()
    of_bob = _member(room, "Bob").pk
    assert "GiveSeat" not in (sheet_of(room.pk, ann.pk, of_bob, "en") or "")
    _away(bob)
    sheet = sheet_of(room.pk, ann.pk, of_bob, "en") or ""
    assert "Give this seat to" in sheet
    assert ">Dan<" in sheet
    assert ">Cleo<" not in sheet


def test_the_door_says_nothing_of_absent_players_to_who_is_not_let_in() -> None:
    room, _match_, (_ann, bob, _cleo) = _match()
    _away(bob)
    Room.objects.filter(pk=room.pk).update(password=hashed("swordfish").result())
    stranger = PersonFactory()
    for name in ("Bob", "Nobody"):
        with pytest.raises(Refused) as found:
            rooms.ask_for_seat(room.code, stranger.pk, name).result()
        assert found.value.code == "WrongPassword"
    assert not room.members.filter(user=stranger).exists()


def test_who_comes_and_goes_says_once_who_they_were() -> None:
    room, _match_, (_ann, bob, _cleo) = _match()
    _away(bob)
    eve = PersonFactory()
    for _time in range(3):
        rooms.ask_for_seat(room.code, eve.pk, "Bob").result()
        rooms.leave(room.pk, eve.pk).result()
    assert Announcement.objects.count() == 1


def test_who_says_they_were_nobody_is_not_let_in_by_it() -> None:
    room, _match_, (_ann, _bob, _cleo) = _match()
    eve = PersonFactory()
    with pytest.raises(Refused) as found:
        rooms.ask_for_seat(room.code, eve.pk, "Nobody").result()
    assert found.value.code == "UsernameTaken"
    assert not room.members.filter(user=eve).exists()
